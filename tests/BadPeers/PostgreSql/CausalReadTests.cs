using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Causality;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>What reads that must see a write do if servers are behind, refuse the question, or are lost while they wait.</summary>
[Collection("PostgreSQL, causal reads")]
public sealed class CausalReadTests : PgPeerTests
{
    private const string Cluster = "7312345678901234567";
    private const string Written = $"t.{Cluster}.1.0-200";

    // A session that is older than the last question of the monitor needs no question of its own.
    [Theory, InlineData("0/200"), InlineData("0/201")]
    public async Task A_standby_that_is_known_to_have_the_write_is_not_asked(string replayed)
    {
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, replayed) { Waits = static _ => Answer("t") };
        await using var source = Source(primary, standby, "Topology Refresh Interval=100");
        var seen = source.PreferReplica.WithToken(WriteToken.Parse(Written));
        await Eventually.TrueAsync(async () =>
        {
            var before = standby.Questions;
            await using var connection = await seen.OpenConnectionAsync(TestContext.Current.CancellationToken);
            Assert.Equal(standby.Port, connection.Port);
            return standby.Questions == before;
        });
    }

    [Fact]
    public async Task A_standby_that_is_behind_is_not_used()
    {
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/1FF") { Waits = static _ => Answer("f") };
        await UsesAsync(primary, standby, 'p', Written);
        Assert.NotEqual(0, standby.Questions);
    }

    [Fact]
    public async Task A_standby_that_catches_up_while_it_is_asked_is_used()
    {
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/100") { Waits = static _ => Answer("t") };
        await UsesAsync(primary, standby, 's', Written);
        Assert.NotEqual(0, standby.Questions);
    }

    [Theory]
    [InlineData($"t.{Cluster}.2.0-100")]
    [InlineData("t.1.1.0-100")]
    [InlineData("d.0-1-1")]
    [InlineData("u")]
    public async Task A_token_of_another_timeline_or_server_leads_to_the_primary(string token)
    {
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/200") { Waits = static _ => Answer("f") };
        await UsesAsync(primary, standby, 'p', token);
    }

    [Fact]
    public async Task A_standby_that_refuses_the_question_is_not_used()
    {
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/100")
        {
            Waits = static _ => [.. PgWords.Error(('S', "ERROR"), ('V', "ERROR"), ('C', "42501"), ('M', "permission denied")), .. PgWords.Ready()],
        };
        await UsesAsync(primary, standby, 'p', Written);
    }

    [Fact]
    public async Task A_standby_that_is_lost_while_it_is_asked_is_not_used()
    {
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/100") { Waits = static _ => null };
        await UsesAsync(primary, standby, 'p', Written);
    }

    // The connection is closed at once. A request to cancel the wait could take as long as the wait.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_standby_that_does_not_answer_the_question_is_asked_once(bool asynchronously)
    {
        using var isOver = new ManualResetEventSlim();
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/100")
        {
            Waits = _ =>
            {
                isOver.Wait();
                return null;
            },
        };
        await using var source = Source(primary, standby);
        var seen = source.PreferReplica.WithToken(WriteToken.Parse(Written));
        for (var i = 0; i < 3; i++)
        {
            await using var connection = seen.CreateConnection();
            await Open(connection, asynchronously);
            Assert.Equal(primary.Port, connection.Port);
        }

        isOver.Set();
        Assert.Equal(1, standby.Questions);
        Assert.Equal(0, standby.Cancellations);
    }

    [Fact]
    public async Task A_cancelled_caller_does_not_ask_the_standby_to_cancel_the_wait()
    {
        using var isOver = new ManualResetEventSlim();
        using var cancels = new CancellationTokenSource();
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/100")
        {
            Waits = _ =>
            {
                cancels.Cancel();
                isOver.Wait();
                return null;
            },
        };
        await using var source = Source(primary, standby, "Causal Read Timeout=20000");
        await using (await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken))
            await Eventually.TrueAsync(() => source.Replica.HasSuitableHost);
        await using var connection = source.PreferReplica.WithToken(WriteToken.Parse(Written)).CreateConnection();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connection.OpenAsync(cancels.Token));
        isOver.Set();
        Assert.Equal(0, standby.Cancellations);
    }

    // A client may send any token that it likes. Its waits must leave sessions to the others.
    [Fact]
    public async Task Few_sessions_of_a_standby_wait_at_the_same_time()
    {
        var (waiting, most) = (0, 0);
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/100")
        {
            Waits = _ =>
            {
                var now = Interlocked.Increment(ref waiting);
                InterlockedMax(ref most, now);
                Thread.Sleep(50);
                Interlocked.Decrement(ref waiting);
                return Answer("f");
            },
        };
        await using var source = Source(primary, standby, "Maximum Pool Size=8");
        var seen = source.PreferReplica.WithToken(WriteToken.Parse(Written));
        await Task.WhenAll(Enumerable.Range(0, 40).Select(async _ =>
        {
            for (var i = 0; i < 3; i++)
            {
                await using var connection = seen.CreateConnection();
                await connection.OpenAsync(TestContext.Current.CancellationToken);
                Assert.Equal(primary.Port, connection.Port);
            }
        }));
        Assert.InRange(most, 1, 2);
    }

    [Fact]
    public async Task A_caller_whose_write_does_not_arrive_asks_less_and_less_often()
    {
        using var first = new Server(isPrimary: false, "0/100") { Waits = static _ => Answer("f") };
        using var second = new Server(isPrimary: true, "0/100");
        await using var source = Source(first, second, "Server Selection Timeout=3");
        await using var connection = source.Replica.WithToken(WriteToken.Parse(Written)).CreateConnection();
        await Assert.ThrowsAsync<PgException>(() => connection.OpenAsync(TestContext.Current.CancellationToken));
        Assert.InRange(first.Questions, 1, 7);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Without_a_primary_the_exception_names_the_token(bool asynchronously)
    {
        using var first = new Server(isPrimary: false, "0/100") { Waits = static _ => Answer("f") };
        using var second = new Server(isPrimary: false, "0/100") { Waits = static _ => Answer("f") };
        await using var source = Source(first, second, "Server Selection Timeout=1");
        await using var connection = source.PreferReplica.WithToken(WriteToken.Parse(Written)).CreateConnection();
        var failure = await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously));
        Assert.Contains($"No server was known to have executed the writes of the token {Written}.", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_commit_and_the_question_for_its_position_are_sent_together()
    {
        using var primary = new Server(isPrimary: true, place: "0/200") { PositionIsAsked = true };
        using var standby = new Server(isPrimary: false, "0/100") { Waits = static _ => Answer("f") };
        await using var source = Source(primary, standby);
        using var scope = source.BeginCausalScope();
        await using var connection = await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var transaction = await connection.BeginTransactionAsync(TestContext.Current.CancellationToken);
        await Execute(connection, "INSERT INTO t VALUES (1)", transaction);
        Assert.Null(scope.Token);
        await transaction.CommitAsync(TestContext.Current.CancellationToken);
        Assert.Equal(Written, scope.Token!.ToString());
        Assert.Equal(Written, connection.LastWriteToken!.ToString());
        await Execute(connection, "INSERT INTO t VALUES (2)", null);
        Assert.Equal(2, primary.QuestionsTogether);
        Assert.Equal(2, primary.PositionQuestions);
        await using var reader = await source.PreferReplica.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Assert.Equal(primary.Port, reader.Port);
    }

    // The session was opened while its server was a standby. That it no longer is one comes with the answer to the write, and the monitor does not know it yet.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_write_on_a_standby_that_has_been_promoted_has_a_token(bool isInTransaction)
    {
        using var primary = new Server(isPrimary: true, place: "0/100");
        using var standby = new Server(isPrimary: false, "0/200");
        await using var source = Source(primary, standby);
        await using var connection = await source.Replica.OpenConnectionAsync(TestContext.Current.CancellationToken);
        standby.IsPromoted = true;
        using var scope = source.BeginCausalScope();
        if (isInTransaction)
        {
            await using var transaction = await connection.BeginTransactionAsync(TestContext.Current.CancellationToken);
            await Execute(connection, "INSERT INTO t VALUES (1)", transaction);
            await transaction.CommitAsync(TestContext.Current.CancellationToken);
        }
        else
        {
            await Execute(connection, "INSERT INTO t VALUES (1)", null);
        }

        Assert.Equal(Written, scope.Token?.ToString());
        Assert.Equal(Written, connection.LastWriteToken?.ToString());
        Assert.Equal(1, standby.PositionQuestions);
    }

    [Fact]
    public async Task A_standby_is_not_asked_for_the_position_of_a_read()
    {
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/200");
        await using var source = Source(primary, standby);
        using var scope = source.BeginCausalScope();
        await using var connection = await source.Replica.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await Execute(connection, "VALUES (1)", null);
        standby.GoDown();
        await Assert.ThrowsAsync<PgException>(() => Execute(connection, "VALUES (1)", null));
        Assert.Null(scope.Token);
        Assert.Equal(0, standby.PositionQuestions);
    }

    [Fact]
    public async Task Outside_a_scope_no_position_is_asked_for()
    {
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/200");
        await using var source = Source(primary, standby);
        await using var connection = await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await Execute(connection, "INSERT INTO t VALUES (1)", null);
        Assert.Null(connection.LastWriteToken);
        Assert.Equal(0, primary.PositionQuestions);
    }

    [Fact]
    public async Task A_scope_with_a_write_of_unknown_position_reads_from_the_primary()
    {
        using var primary = new Server(isPrimary: true, place: null) { PositionIsAsked = true };
        using var standby = new Server(isPrimary: false, "0/200") { Waits = static _ => Answer("t") };
        await using var source = Source(primary, standby);
        using var scope = source.BeginCausalScope();
        await using (var connection = await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken))
        {
            await Execute(connection, "INSERT INTO t VALUES (1)", null);
            Assert.Equal("u", connection.LastWriteToken?.ToString());
        }

        Assert.Equal("u", scope.Token!.ToString());
        await using var reader = await source.PreferReplica.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Assert.Equal(primary.Port, reader.Port);
    }

    // The question would be the first one of the new transaction, and begin its snapshot.
    [Theory]
    [InlineData("BEGIN; INSERT INTO t VALUES (1); COMMIT AND CHAIN")]
    [InlineData("BEGIN; INSERT INTO t VALUES (1); COMMIT; BEGIN; SAVEPOINT a")]
    [InlineData("BEGIN; INSERT INTO t VALUES (1); COMMIT; BEGIN; SELECT 1/0")]
    [InlineData("CALL p(); BEGIN")]
    public async Task A_commit_that_another_transaction_follows_at_once_makes_the_token_unknown(string sql)
    {
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/200") { Waits = static _ => Answer("t") };
        await using var source = Source(primary, standby);
        using var scope = source.BeginCausalScope();
        await using var connection = await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken);
        var failure = await Record.ExceptionAsync(() => Execute(connection, sql, null));
        Assert.Equal(sql.Contains("1/0", StringComparison.Ordinal), failure is PgException);
        Assert.Equal("u", scope.Token?.ToString());
        Assert.Equal("u", connection.LastWriteToken?.ToString());
        Assert.Equal(0, primary.PositionQuestions);
    }

    [Fact]
    public async Task A_transaction_of_the_driver_that_is_chained_by_a_text_makes_the_token_unknown()
    {
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/200") { Waits = static _ => Answer("t") };
        await using var source = Source(primary, standby);
        using var scope = source.BeginCausalScope();
        await using var connection = await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using (var transaction = await connection.BeginTransactionAsync(TestContext.Current.CancellationToken))
        {
            await Execute(connection, "INSERT INTO t VALUES (1)", transaction);
            Assert.Null(scope.Token);
            await Execute(connection, "COMMIT AND CHAIN", transaction);
            await transaction.RollbackAsync(TestContext.Current.CancellationToken);
        }

        Assert.Equal("u", scope.Token?.ToString());
        await using var reader = await source.PreferReplica.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Assert.Equal(primary.Port, reader.Port);
    }

    [Fact]
    public async Task A_transaction_that_only_begins_leaves_the_token_as_it_is()
    {
        using var primary = new Server(isPrimary: true, place: "0/200");
        using var standby = new Server(isPrimary: false, "0/200") { Waits = static _ => Answer("t") };
        await using var source = Source(primary, standby);
        using var scope = source.BeginCausalScope();
        await using var connection = await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await Execute(connection, "BEGIN; INSERT INTO t VALUES (1); SAVEPOINT a", null);
        await Assert.ThrowsAsync<PgException>(() => Execute(connection, "SELECT 1/0", null));
        Assert.Null(scope.Token);
    }

    [Fact]
    public void A_data_source_without_roles_has_no_tokens()
    {
        using var source = PgDataSource.Create("Host=db;Username=app");
        Assert.Throws<InvalidOperationException>(() => source.BeginCausalScope());
        Assert.Throws<InvalidOperationException>(() => source.WithToken(WriteToken.Parse("u")));
        Assert.Same(source, source.WithToken(null));
    }

    private static async Task Execute(PgConnection connection, string sql, PgTransaction? transaction)
    {
        await using var command = new PgCommand(sql, connection, transaction);
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
    }

    private static async Task UsesAsync(Server primary, Server standby, char expected, string token)
    {
        await using var source = Source(primary, standby);
        var seen = source.PreferReplica.WithToken(WriteToken.Parse(token));
        foreach (var asynchronously in (bool[])[false, true, false, true])
        {
            await using var connection = seen.CreateConnection();
            await Open(connection, asynchronously);
            Assert.Equal(expected == 'p' ? primary.Port : standby.Port, connection.Port);
        }
    }

    private static PgMultiHostDataSource Source(Server first, Server second, string more = "") => new PgDataSourceBuilder(
        $"Host={first.Address}:{first.Port},{second.Address}:{second.Port};{PgLogin.Text};Database=db;SSL Mode=Disable;Require Auth=None;Timeout=30;{more}")
        .BuildMultiHost();

    private static Task Open(PgConnection connection, bool asynchronously) => asynchronously ? connection.OpenAsync() : Task.Run(connection.Open);

    private static void InterlockedMax(ref int most, int value)
    {
        for (var seen = Volatile.Read(ref most); value > seen;)
        {
            var before = Interlocked.CompareExchange(ref most, value, seen);
            if (before == seen)
                return;
            seen = before;
        }
    }

    private static byte[] Answer(string value) =>
        [.. PgWords.RowDescription(("a", 16)), .. PgWords.DataRow(Encoding.ASCII.GetBytes(value)), .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()];

    /// <summary>A server of a cluster that answers the questions of the monitor and those about positions.</summary>
    private sealed class Server : IDisposable
    {
        private readonly FakeServer _server;
        private readonly bool _isPrimary;
        private readonly string? _place;
        private int _questions;
        private int _positionQuestions;
        private int _together;

        public Server(bool isPrimary, string? place)
        {
            (_isPrimary, _place) = (isPrimary, place);
            _server = FakeServer.Start(Serve);
        }

        public string Address => _server.Address.ToString();

        public int Port => _server.Port;

        /// <summary>The answer to a question that waits; null to close the connection.</summary>
        public Func<int, byte[]?> Waits { get; init; } = static _ => Answer("f");

        /// <summary>Whether commands are followed by the question for their position.</summary>
        public bool PositionIsAsked { get; init; }

        /// <summary>Whether a standby has become a primary. It tells its sessions, but not the monitor.</summary>
        public bool IsPromoted { get; set; }

        /// <summary>Number of connections that carry a request to cancel.</summary>
        public int Cancellations => _server.Peers.Count(static peer => peer.Received is [_, _, _, 16, 4, 210, 22, 46, ..]);

        /// <summary>Number of questions that wait.</summary>
        public int Questions => Volatile.Read(ref _questions);

        public int PositionQuestions => Volatile.Read(ref _positionQuestions);

        /// <summary>Number of questions for a position that had arrived when the command before them was answered.</summary>
        public int QuestionsTogether => Volatile.Read(ref _together);

        public void GoDown() => _server.GoDown();

        public void Dispose() => _server.Dispose();

        private void Serve(FakePeer peer)
        {
            peer.ReadStartupWithoutTls();
            peer.Send(
            [
                .. PgWords.Authentication(0), .. PgWords.ParameterStatus("in_hot_standby", _isPrimary ? "off" : "on"),
                .. PgWords.ParameterStatus("server_version", "18.0"), .. PgWords.Message('K', [.. PgWords.Int32(7), .. PgWords.Int32(99)]), .. PgWords.Ready(),
            ]);
            var isInTransaction = false;
            var hasFailed = false;
            var parsed = "";
            List<byte> answer = [];
            while (true)
            {
                var (type, body) = peer.ReadMessage();
                var text = Encoding.UTF8.GetString(body);
                if (type == 'X')
                    return;
                var sql = type == 'P' ? text.Split('\0')[1] : text;
                isInTransaction = (isInTransaction || sql.Contains("BEGIN", StringComparison.Ordinal))
                    && (!sql.StartsWith("COMMIT", StringComparison.Ordinal) || sql.Contains("CHAIN", StringComparison.Ordinal));
                if (hasFailed && type != 'S')
                    continue;
                switch (type)
                {
                    case 'P':
                        parsed = sql;
                        answer.AddRange(PgWords.ParseComplete);
                        break;
                    case 'B':
                        answer.AddRange(PgWords.BindComplete);
                        break;
                    case 'D':
                        answer.AddRange(PgWords.Message('n'));
                        break;
                    case 'E' when parsed == "SELECT 1/0":
                        hasFailed = true;
                        answer.AddRange(PgWords.Error(('S', "ERROR"), ('V', "ERROR"), ('C', "22012"), ('M', "division by zero")));
                        break;
                    case 'E':
                        answer.AddRange(PgWords.CommandComplete(
                            parsed.StartsWith("INSERT", StringComparison.Ordinal) ? "INSERT 0 1" : parsed.Split(' ')[0]));
                        break;
                    case 'S' or 'Q' when type == 'S' || text.StartsWith("COMMIT", StringComparison.Ordinal):
                        if (type == 'Q')
                            answer.AddRange(PgWords.CommandComplete("COMMIT"));
                        if (IsPromoted)
                            answer.AddRange(PgWords.ParameterStatus("in_hot_standby", "off"));
                        answer.AddRange(PgWords.Ready(!isInTransaction ? 'I' : hasFailed ? 'E' : 'T'));
                        hasFailed = false;
                        // A question that was sent with the command must arrive although the command is not answered yet.
                        if (!isInTransaction && PositionIsAsked && peer.ReadMessage() is ('Q', var question)
                            && IsPositionQuestion(Encoding.UTF8.GetString(question)))
                        {
                            Interlocked.Increment(ref _together);
                            answer.AddRange(Position());
                        }

                        peer.Send([.. answer]);
                        answer.Clear();
                        break;
                    case 'Q' when IsPositionQuestion(text):
                        peer.Send(Position());
                        break;
                    case 'Q' when text.StartsWith("WITH RECURSIVE", StringComparison.Ordinal):
                        if (Waits(Interlocked.Increment(ref _questions)) is not { } reply)
                            return;
                        peer.Send(reply);
                        break;
                    case 'Q' when text.StartsWith("SELECT", StringComparison.Ordinal):
                        peer.Send(Role());
                        break;
                    case 'Q':
                        peer.Send([.. PgWords.CommandComplete("DISCARD ALL"), .. PgWords.Ready()]);
                        break;
                }
            }
        }

        private static bool IsPositionQuestion(string text) => text.Contains("pg_current_wal_insert_lsn", StringComparison.Ordinal);

        private byte[] Position()
        {
            Interlocked.Increment(ref _positionQuestions);
            return _place is null
                ? [.. PgWords.Error(('S', "ERROR"), ('V', "ERROR"), ('C', "42501"), ('M', "permission denied")), .. PgWords.Ready()]
                :
                [
                    .. PgWords.RowDescription(("a", 20), ("b", 25), ("c", 3220)),
                    .. PgWords.DataRow(Encoding.ASCII.GetBytes(Cluster), "000000010000000000000000"u8.ToArray(), Encoding.ASCII.GetBytes(_place)),
                    .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready(),
                ];
        }

        private byte[] Role() =>
        [
            .. PgWords.RowDescription(("a", 16), ("b", 25), ("c", 20), ("d", 25), ("e", 3220), ("f", 701), ("g", 23)),
            .. PgWords.DataRow(
                _isPrimary ? "f"u8.ToArray() : "t"u8.ToArray(), "off"u8.ToArray(), Encoding.ASCII.GetBytes(Cluster),
                _isPrimary ? "000000010000000000000000"u8.ToArray() : null, _place is null ? null : Encoding.ASCII.GetBytes(_place),
                _isPrimary ? null : "0"u8.ToArray(), _isPrimary ? null : "1"u8.ToArray()),
            .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready(),
        ];
    }
}
