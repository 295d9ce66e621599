using System.Data.Common;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>ExecuteInTransaction repeats its work exactly if nothing of it was done.</summary>
[Collection("Outcomes")]
public sealed class TransactionRunTests
{
    private const string Update = "UPDATE t SET a = 1";

    private static readonly TransactionRetryPolicy AtOnce = new() { FirstDelay = TimeSpan.Zero };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task Work_is_repeated_after_a_deadlock_and_after_a_loss_before_the_commit(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        var seen = 0;
        peers.Script = (_, sql) => sql != Update ? Reply.Success : ++seen switch { 1 => peers.Deadlock, 2 => Reply.Cut, _ => Reply.Success };
        Assert.Equal(3, await Run(peers, asynchronously, (connection, transaction) => OutcomeTests.Execute(connection, transaction, Update, asynchronously)));
        Assert.Equal(3, seen);
        Assert.Single(peers.Received, static one => one.EndsWith("COMMIT", StringComparison.Ordinal));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task Work_is_not_repeated_if_the_outcome_of_the_commit_is_unknown(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        peers.Script = static (_, sql) => sql == "COMMIT" ? Reply.Cut : Reply.Success;
        var attempts = 0;
        var failure = await Assert.ThrowsAnyAsync<DbException>(() => Run(peers, asynchronously, (connection, transaction) =>
        {
            attempts++;
            return OutcomeTests.Execute(connection, transaction, Update, asynchronously);
        }));
        Assert.Equal((1, RetrySafety.Unknown), (attempts, OutcomeTests.SafetyOf(failure)));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_refused_commit_is_repeated_if_the_server_rolled_back(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        var seen = 0;
        peers.Script = (_, sql) => sql == "COMMIT" && ++seen == 1 ? peers.Deadlock : Reply.Success;
        Assert.Equal(2, await Run(peers, asynchronously, (connection, transaction) => OutcomeTests.Execute(connection, transaction, Update, asynchronously)));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task The_number_of_attempts_is_limited(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        peers.Script = (_, sql) => sql == Update ? peers.Deadlock : Reply.Success;
        var attempts = 0;
        var failure = await Assert.ThrowsAnyAsync<DbException>(() => Run(peers, asynchronously, (connection, transaction) =>
        {
            attempts++;
            return OutcomeTests.Execute(connection, transaction, Update, asynchronously);
        }, new() { FirstDelay = TimeSpan.Zero, MaxAttempts = 3 }));
        Assert.Equal((3, RetrySafety.RolledBack), (attempts, OutcomeTests.SafetyOf(failure)));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task Work_that_goes_on_after_the_end_of_its_transaction_is_not_repeated(string provider, bool asynchronously)
    {
        (string Name, Func<DbConnection, DbTransaction, Task> Leaves)[] ways =
        [
            ("commit", static (_, transaction) => transaction.CommitAsync()),
            ("rollback", static (_, transaction) => transaction.RollbackAsync()),
            ("another connection", static async (connection, _) =>
            {
                await connection.CloseAsync();
                await connection.OpenAsync();
            }),
        ];
        foreach (var (name, leaves) in ways)
        {
            var peers = Statements.Of(provider);
            var seen = 0;
            peers.Script = (_, sql) => sql == Update && ++seen == 2 ? peers.Deadlock : Reply.Success;
            var attempts = 0;
            var failure = await Record.ExceptionAsync(() => Run(peers, asynchronously, async (connection, transaction) =>
            {
                attempts++;
                await leaves(connection, transaction);
                await OutcomeTests.Execute(connection, null, Update, asynchronously);
                await using var another = await connection.BeginTransactionAsync(Token);
                await OutcomeTests.Execute(connection, another, Update, asynchronously);
            }));
            Assert.Equal((name, 1, true), (name, attempts, failure is DbException));
        }
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task Work_that_rolls_its_transaction_back_before_it_throws_is_repeated(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        var seen = 0;
        peers.Script = (_, sql) => sql == Update && ++seen == 1 ? peers.Deadlock : Reply.Success;
        Assert.Equal(2, await Run(peers, asynchronously, async (connection, transaction) =>
        {
            try
            {
                await OutcomeTests.Execute(connection, transaction, Update, asynchronously);
            }
            catch (DbException)
            {
                await transaction.RollbackAsync(Token);
                throw;
            }
        }));
    }

    // CREATE TABLE has committed what came before it.
    [Theory, InlineData(false), InlineData(true)]
    public async Task Work_that_may_have_committed_a_part_is_not_repeated(bool asynchronously)
    {
        var peers = Statements.Of("MySQL");
        peers.Script = (_, sql) => sql == Update ? peers.NotPrimary : Reply.Success;
        var attempts = 0;
        var failure = await Assert.ThrowsAsync<MySqlException>(() => Run(peers, asynchronously, async (connection, transaction) =>
        {
            attempts++;
            await OutcomeTests.Execute(connection, transaction, "CREATE TABLE t (a INT)", asynchronously);
            await OutcomeTests.Execute(connection, transaction, Update, asynchronously);
        }));
        Assert.Equal((1, ErrorKind.ReadOnly), (attempts, failure.Kind));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task The_caller_gets_the_exception_of_its_work_and_the_transaction_is_rolled_back(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        // The loss of the connection at the rollback must not make it appear repeatable.
        peers.Script = static (_, sql) => sql == "ROLLBACK" ? Reply.Cut : Reply.Success;
        var attempts = 0;
        await Assert.ThrowsAsync<InvalidDataException>(() => Run(peers, asynchronously, async (connection, transaction) =>
        {
            attempts++;
            await OutcomeTests.Execute(connection, transaction, Update, asynchronously);
            throw new InvalidDataException();
        }));
        Assert.Equal(1, attempts);
        Assert.DoesNotContain(peers.Received, static one => one.EndsWith("COMMIT", StringComparison.Ordinal));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task The_isolation_level_is_that_of_the_policy(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        await Run(
            peers, asynchronously, (connection, transaction) => OutcomeTests.Execute(connection, transaction, Update, asynchronously),
            new() { IsolationLevel = System.Data.IsolationLevel.Serializable });
        Assert.Contains(peers.Received, static one => one.Contains("SERIALIZABLE", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_cancelled_token_ends_the_pause()
    {
        var peers = Statements.Of("MySQL");
        peers.Script = (_, sql) => sql == Update ? peers.Deadlock : Reply.Success;
        using var server = peers.Start();
        await using var source = (MySqlDataSource)peers.Connect(server);
        using var cancellation = new CancellationTokenSource();
        var policy = new TransactionRetryPolicy { FirstDelay = TimeSpan.FromHours(1), MaxDelay = TimeSpan.FromHours(1) };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => source.ExecuteInTransactionAsync(async (connection, transaction, token) =>
        {
            try
            {
                await OutcomeTests.Execute(connection, transaction, Update, true);
            }
            finally
            {
                cancellation.CancelAfter(100);
            }
        }, policy, cancellation.Token));
    }

    // Returns the number of attempts.
    private static async Task<int> Run(
        Statements peers, bool asynchronously, Func<DbConnection, DbTransaction, Task> work, TransactionRetryPolicy? policy = null)
    {
        using var server = peers.Start();
        await using var source = peers.Connect(server);
        var attempts = 0;
        policy ??= AtOnce;
        return (source, asynchronously) switch
        {
            (MySqlDataSource mySql, true) => await mySql.ExecuteInTransactionAsync(
                async (connection, transaction, _) =>
                {
                    attempts++;
                    await work(connection, transaction);
                    return attempts;
                }, policy, Token),
            (PgDataSource pg, true) => await pg.ExecuteInTransactionAsync(
                async (connection, transaction, _) =>
                {
                    attempts++;
                    await work(connection, transaction);
                    return attempts;
                }, policy, Token),
            (MySqlDataSource mySql, false) => await Task.Run(() => mySql.ExecuteInTransaction(
                (connection, transaction) =>
                {
                    attempts++;
                    work(connection, transaction).GetAwaiter().GetResult();
                    return attempts;
                }, policy)),
            _ => await Task.Run(() => ((PgDataSource)source).ExecuteInTransaction(
                (connection, transaction) =>
                {
                    attempts++;
                    work(connection, transaction).GetAwaiter().GetResult();
                    return attempts;
                }, policy)),
        };
    }
}
