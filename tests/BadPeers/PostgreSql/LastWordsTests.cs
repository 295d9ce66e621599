using System.Data.Common;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>
/// A server that ends the session in answer to one of the provider's own statements: the caller gets the server's reason, not only that the connection is lost.
/// </summary>
public sealed class LastWordsTests : PgPeerTests
{
    public static TheoryData<bool, string, string> Statements
    {
        get
        {
            var data = new TheoryData<bool, string, string>();
            foreach (var asynchronously in new[] { false, true })
            {
                foreach (var statement in new[] { "COMMIT", "ROLLBACK", "SAVEPOINT", "ROLLBACK TO", "RELEASE" })
                    data.Add(asynchronously, statement, "57P01");
                data.Add(asynchronously, "COMMIT", "25P03");
                data.Add(asynchronously, "COMMIT", "25P04");
            }

            return data;
        }
    }

    [Theory, MemberData(nameof(Statements))]
    public async Task A_statement_of_a_transaction_fails_with_them(bool asynchronously, string statement, string state)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([.. Begun, .. Updated, .. PgWords.Ready('T')]);
            peer.ReadToSync();
            End(peer, state);
        });
        var failure = await Connect(server, asynchronously).UseFails(async connection =>
        {
            var transaction = asynchronously ? await connection.BeginTransactionAsync() : connection.BeginTransaction();
            await Change(connection, asynchronously);
            await Run(transaction, statement, asynchronously);
        });
        AssertReported(state, failure);
        // A proxy that has lost the server reports it in this way: the COMMIT may have arrived.
        Assert.Equal(statement == "COMMIT" ? RetrySafety.Unknown : RetrySafety.RolledBack, Assert.IsType<PgException>(failure).RetrySafety);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_commit_that_was_answered_before_them_was_not_refused(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([.. Begun, .. Updated, .. PgWords.Ready('T')]);
            peer.ReadToSync();
            peer.Send(PgWords.CommandComplete("COMMIT"));
            End(peer, "57P01");
        });
        var failure = Assert.IsAssignableFrom<PgException>(await Connect(server, asynchronously).UseFails(async connection =>
        {
            var transaction = asynchronously ? await connection.BeginTransactionAsync() : connection.BeginTransaction();
            await Change(connection, asynchronously);
            await Run(transaction, "COMMIT", asynchronously);
        }));
        Assert.Equal((null, ErrorKind.ConnectionLost, RetrySafety.Unknown), (failure.SqlState, failure.Kind, failure.RetrySafety));
        Assert.Contains("the server has its reason", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(true, false)]
    public async Task The_beginning_of_a_transaction_fails_with_them(bool asynchronously, bool pipelining)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            End(peer, "57P01");
        });
        AssertReported("57P01", await Connect(server, asynchronously, $"Pipelining={pipelining}").UseFails(async connection =>
        {
            _ = asynchronously ? await connection.BeginTransactionAsync() : connection.BeginTransaction();
            await Change(connection, asynchronously);
        }));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_preparation_fails_with_them(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            End(peer, "57P01");
        });
        AssertReported("57P01", await Connect(server, asynchronously).QueryFails(prepare: true));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_batch_fails_with_them(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send(Updated);
            End(peer, "57P01");
        });
        AssertReported("57P01", await Connect(server, asynchronously).UseFails(async connection =>
        {
            var batch = connection.CreateBatch();
            foreach (var text in new[] { "UPDATE t SET a = 1", "UPDATE t SET a = 2" })
            {
                var command = batch.CreateBatchCommand();
                command.CommandText = text;
                batch.BatchCommands.Add(command);
            }

            _ = asynchronously ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery();
        }));
    }

    private static byte[] Begun => [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.CommandComplete("BEGIN")];

    private static byte[] Updated => [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.Message('n'), .. PgWords.CommandComplete("UPDATE 1")];

    private static void End(FakePeer peer, string state)
    {
        peer.Send(PgWords.Error(('S', "FATAL"), ('V', "FATAL"), ('C', state), ('M', "the server has its reason")));
        peer.Close();
    }

    private static void AssertReported(string state, Exception exception)
    {
        var failure = Assert.IsAssignableFrom<PgException>(exception);
        Assert.Equal(state, failure.SqlState);
        Assert.Contains("the server has its reason", failure.Message, StringComparison.Ordinal);
    }

    private static async Task Change(DbConnection connection, bool asynchronously)
    {
        using var command = connection.CreateCommand();
        command.CommandText = "UPDATE t SET a = 1";
        _ = asynchronously ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery();
    }

    private static Task Run(DbTransaction transaction, string statement, bool asynchronously)
    {
        switch (statement, asynchronously)
        {
            case ("COMMIT", true):
                return transaction.CommitAsync();
            case ("ROLLBACK", true):
                return transaction.RollbackAsync();
            case ("SAVEPOINT", true):
                return transaction.SaveAsync("here");
            case ("ROLLBACK TO", true):
                return transaction.RollbackAsync("here");
            case ("RELEASE", true):
                return transaction.ReleaseAsync("here");
            case ("COMMIT", _):
                transaction.Commit();
                break;
            case ("ROLLBACK", _):
                transaction.Rollback();
                break;
            case ("SAVEPOINT", _):
                transaction.Save("here");
                break;
            case ("ROLLBACK TO", _):
                transaction.Rollback("here");
                break;
            default:
                transaction.Release("here");
                break;
        }

        return Task.CompletedTask;
    }
}
