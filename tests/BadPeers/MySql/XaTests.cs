using System.Collections.Concurrent;
using System.Text;
using System.Transactions;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>Servers that refuse, or do not answer, the completion of a distributed transaction: the driver reports each outcome correctly.</summary>
public sealed class XaTests : MySqlPeerTests
{
    private const int Fine = 0;
    private const int Disconnects = -1;

    // X/Open's codes in the servers' numbering.
    private const int NotA = 1397;
    private const int Invalid = 1398;
    private const int RmFail = 1399;
    private const int Outside = 1400;
    private const int RmError = 1401;
    private const int RbRollback = 1402;
    private const int DuplicateId = 1440;
    private const int RbTimeout = 1613;
    private const int RbDeadlock = 1614;

    [Theory]
    [InlineData("XA END", RbRollback, false)]
    [InlineData("XA END", RbTimeout, false)]
    [InlineData("XA END", RbDeadlock, false)]
    [InlineData("XA END", NotA, false)]
    [InlineData("XA END", Invalid, false)]
    [InlineData("XA END", RmFail, false)]
    [InlineData("XA END", Outside, false)]
    [InlineData("XA END", DuplicateId, false)]
    [InlineData("XA COMMIT", RbRollback, false)]
    [InlineData("XA COMMIT", RbDeadlock, false)]
    [InlineData("XA COMMIT", RmFail, false)]
    [InlineData("XA COMMIT", NotA, false)]
    [InlineData("XA COMMIT", RmError, true)]
    [InlineData("XA COMMIT", Disconnects, true)]
    [InlineData("XA END", Disconnects, true)]
    public void A_single_branch(string statement, int fault, bool isInDoubt)
    {
        using var server = new XaServer((_, sql) => sql.StartsWith(statement, StringComparison.Ordinal) ? fault : Fine);
        var error = Assert.ThrowsAny<TransactionException>(() => server.InScope(1));
        Assert.IsType(isInDoubt ? typeof(TransactionInDoubtException) : typeof(TransactionAbortedException), error);
        Assert.NotNull(error.InnerException);
        if (isInDoubt)
            Assert.Contains("XA RECOVER", error.InnerException.Message);
        else
            Assert.Equal(fault, Assert.IsType<MySqlException>(error.InnerException).Number);
        Assert.Equal(fault is not (Disconnects or RmError), server.Received.Any(static sql => sql.StartsWith("XA ROLLBACK", StringComparison.Ordinal)));
        Assert.Equal(0, server.Source.Statistics.Busy);
    }

    [Fact]
    public void One_branch_is_committed_in_one_phase_and_two_in_two_phases()
    {
        using var server = new XaServer(static (_, _) => Fine);
        server.InScope(1);
        Assert.Equal(["SET", "SET", "XA START", "INSERT", "XA END", "XA COMMIT", "SET"], server.Words);
        Assert.EndsWith("ONE PHASE", server.Received.Single(static sql => sql.StartsWith("XA COMMIT", StringComparison.Ordinal)));
        server.Received.Clear();
        server.InScope(2);
        Assert.Equal(2, server.Received.Count(static sql => sql.StartsWith("XA PREPARE", StringComparison.Ordinal)));
        Assert.Equal(2, server.Received.Where(static sql => sql.StartsWith("XA COMMIT", StringComparison.Ordinal)).Distinct().Count());
        Assert.DoesNotContain(server.Received, static sql => sql.EndsWith("ONE PHASE", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(RbRollback)]
    [InlineData(RbDeadlock)]
    [InlineData(RmFail)]
    [InlineData(RmError)]
    [InlineData(NotA)]
    public void A_branch_that_cannot_be_prepared_undoes_the_others(int fault)
    {
        using var server = new XaServer((peer, sql) => peer == 1 && sql.StartsWith("XA PREPARE", StringComparison.Ordinal) ? fault : Fine);
        var error = Assert.Throws<TransactionAbortedException>(() => server.InScope(2));
        Assert.Equal(fault, Assert.IsType<MySqlException>(error.InnerException).Number);
        Assert.DoesNotContain(server.Received, static sql => sql.StartsWith("XA COMMIT", StringComparison.Ordinal));
        Assert.Equal(2, server.Received.Where(static sql => sql.StartsWith("XA ROLLBACK", StringComparison.Ordinal)).Distinct().Count());
    }

    [Fact]
    public void A_branch_whose_prepare_was_not_answered_is_rolled_back_on_another_session()
    {
        using var server = new XaServer(static (peer, sql) => peer == 1 && sql.StartsWith("XA PREPARE", StringComparison.Ordinal) ? Disconnects : Fine);
        Assert.Throws<TransactionAbortedException>(() => server.InScope(2));
        Assert.Equal(2, server.Received.Where(static sql => sql.StartsWith("XA ROLLBACK", StringComparison.Ordinal)).Distinct().Count());
        Assert.Equal(0, server.Source.Statistics.Busy);
    }

    [Fact]
    public void A_prepared_branch_whose_commit_was_not_answered_is_committed_on_another_session()
    {
        using var server = new XaServer(static (peer, sql) => peer == 1 && sql.StartsWith("XA COMMIT", StringComparison.Ordinal) ? Disconnects : Fine);
        server.InScope(2);
        Assert.Equal(3, server.Received.Count(static sql => sql.StartsWith("XA COMMIT", StringComparison.Ordinal)));
        Assert.Equal(0, server.Source.Statistics.Busy);
    }

    [Theory]
    [InlineData(NotA)]
    [InlineData(RmFail)]
    [InlineData(Disconnects)]
    public void A_prepared_branch_whose_commit_is_not_answered_anywhere_is_in_doubt(int elsewhere)
    {
        var commits = 0;
        using var server = new XaServer((peer, sql) => !sql.StartsWith("XA COMMIT", StringComparison.Ordinal) ? Fine : Interlocked.Increment(ref commits) switch
        {
            1 => Disconnects,
            2 => elsewhere,
            _ => Fine,
        });
        var error = Assert.Throws<TransactionInDoubtException>(() => server.InScope(2));
        Assert.Contains("XA RECOVER", error.InnerException!.Message);
        var xid = server.Received.First(static sql => sql.StartsWith("XA COMMIT", StringComparison.Ordinal))["XA COMMIT ".Length..];
        Assert.Contains(xid, error.InnerException.Message);

        // All participants get the same command.
        Assert.Equal(2, server.Received.Where(static sql => sql.StartsWith("XA COMMIT", StringComparison.Ordinal)).Distinct().Count());
        Assert.Equal(0, server.Source.Statistics.Busy);
    }

    [Theory]
    [InlineData(RbRollback)]
    [InlineData(RmError)]
    [InlineData(NotA)]
    public void A_promise_that_the_server_breaks_is_in_doubt(int fault)
    {
        using var server = new XaServer((peer, sql) => peer == 1 && sql.StartsWith("XA COMMIT", StringComparison.Ordinal) ? fault : Fine);
        Assert.Throws<TransactionInDoubtException>(() => server.InScope(2));
        Assert.Equal(2, server.Received.Where(static sql => sql.StartsWith("XA COMMIT", StringComparison.Ordinal)).Distinct().Count());
    }

    [Theory]
    [InlineData("On")]
    [InlineData("Off")]
    public void A_server_without_distributed_transactions_commits_nothing(string pipelining)
    {
        using var server = new XaServer(static (_, sql) => sql.StartsWith("XA START", StringComparison.Ordinal) ? 1235 : Fine, "Pipelining Mode=" + pipelining);
        using (new TransactionScope())
        {
            using var connection = server.Source.OpenConnection();
            using var command = connection.CreateCommand();
            command.CommandText = "INSERT INTO t VALUES (1)";
            Assert.Equal(1235, Assert.Throws<MySqlException>(() => command.ExecuteNonQuery()).Number);
        }

        // With pipelining, the command arrives after the refusal, where autocommit is off; without pipelining, it is not sent.
        Assert.Equal("SET autocommit=0", server.Received.First());
        // (The client may receive the refusal before the server has read what follows.)
        Assert.Equal(pipelining == "On", SpinWait.SpinUntil(() => server.Words.Contains("INSERT"), pipelining == "On" ? 30_000 : 0));
        Assert.DoesNotContain(server.Received, static sql => sql.Contains("COMMIT", StringComparison.Ordinal) || sql == "SET autocommit=1");
        Assert.Equal(0, server.Source.Statistics.Busy);
    }

    /// <summary>Answers each statement as configured: with OK, an error's number, or not at all.</summary>
    private sealed class XaServer : IDisposable
    {
        private readonly FakeServer _server;

        public XaServer(Func<int, string, int> answer, string options = "")
        {
            _server = FakeServer.Start(peer =>
            {
                peer.Welcome();
                while (true)
                {
                    var (_, payload) = peer.ReadPacket();
                    if (payload[0] == 1)
                        return;
                    var statements = payload[0] == 3 ? Encoding.UTF8.GetString(payload, 1, payload.Length - 1).Split(';') : ["PING"];
                    for (var i = 0; i < statements.Length; i++)
                    {
                        Received.Enqueue(statements[i]);
                        var fault = answer(peer.Number, statements[i]);
                        if (fault == Disconnects)
                        {
                            peer.Close();
                            return;
                        }

                        peer.Send(
                            fault == Fine
                                ? MySqlWords.Ok(i + 1, status: i + 1 < statements.Length ? 2 | 8 : 2)
                                : MySqlWords.Error(i + 1, fault, "As the test wants it", "XAE00"));
                        if (fault != Fine)
                            break;
                    }
                }
            });
            Source = new MySqlDataSource(
                $"Server={_server.Address};Port={_server.Port};User ID=somebody;Password={Password};SSL Mode=None;Connection Timeout=30;Connection "
                    + "Reset=false;Auto Prepare=Off;"
                + (options.Length > 0 ? options : "Pipelining Mode=On"));
        }

        public MySqlDataSource Source { get; }

        public ConcurrentQueue<string> Received { get; } = [];

        public IEnumerable<string> Words =>
            Received.Select(static sql => sql.StartsWith("XA", StringComparison.Ordinal) ? string.Join(' ', sql.Split(' ').Take(2)) : sql.Split(' ')[0]);

        /// <summary>Completes a scope in which each of the given number of connections has inserted a row.</summary>
        public void InScope(int connections)
        {
            using var scope = new TransactionScope();
            var open = Enumerable.Range(0, connections).Select(_ => Source.OpenConnection()).ToArray();
            foreach (var connection in open)
            {
                using var command = connection.CreateCommand();
                command.CommandText = "INSERT INTO t VALUES (1)";
                command.ExecuteNonQuery();
            }

            foreach (var connection in open)
                connection.Dispose();
            scope.Complete();
        }

        public void Dispose()
        {
            Source.Dispose();
            _server.Dispose();
        }
    }
}
