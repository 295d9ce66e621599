using System.Data;
using System.Data.Common;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// A node of a Galera cluster that is not synchronised with the others, or is stopping, refuses everything with ER_UNKNOWN_COM_ERROR, even the end of a
/// transaction, and may be ready a moment later.
/// </summary>
[Collection("Outcomes")]
public sealed class UnreadyNodeTests
{
    private const string Update = "UPDATE t SET a = 1";
    private const string Begin = "START TRANSACTION";

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    // A function or trigger that the statement runs may have been refused: the statement is undone.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_refused_statement_is_rolled_back(bool asynchronously)
    {
        await using var node = new Node(static sql => sql is Update or "CALL p()");
        Assert.Equal(RetrySafety.RolledBack, await node.Fails(Update, asynchronously));
        // A procedure, and a statement before it, may have committed something.
        Assert.Equal(RetrySafety.NotApplicable, await node.Fails("CALL p()", asynchronously));
        Assert.Equal(RetrySafety.NotApplicable, await node.Fails("DELETE FROM t; " + Update, asynchronously));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task In_a_transaction_a_refused_statement_has_not_run(bool asynchronously)
    {
        await using var node = new Node(static sql => sql == Update);
        await using var connection = await node.Open();
        await using var transaction = await connection.BeginTransactionAsync(Token);
        await OutcomeTests.Execute(connection, transaction, "SELECT 1", asynchronously);
        var failure = await Assert.ThrowsAsync<MySqlException>(() => OutcomeTests.Execute(connection, transaction, Update, asynchronously));
        Assert.Equal(RetrySafety.NotSent, failure.RetrySafety);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_same_number_in_another_server_says_nothing(bool asynchronously)
    {
        await using var node = new Node(static _ => false);
        node.Peers.Script = static (_, sql) => sql == Update ? new("1047", "Unknown command") : Reply.Success;
        Assert.Equal(RetrySafety.NotApplicable, await node.Fails(Update, asynchronously));
    }

    // Otherwise the transaction would stay open, and could be committed after all.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_refused_commit_ends_the_session(bool asynchronously)
    {
        await using var node = new Node(static sql => sql == "COMMIT");
        await using var connection = await node.Open();
        var transaction = await connection.BeginTransactionAsync(Token);
        await OutcomeTests.Execute(connection, transaction, Update, asynchronously);
        var failure = await Assert.ThrowsAsync<MySqlException>(() => asynchronously ? transaction.CommitAsync(Token) : Task.Run(transaction.Commit, Token));
        Assert.Equal((RetrySafety.RolledBack, ConnectionState.Closed), (failure.RetrySafety, connection.State));
        node.BecomeReady();
        await Assert.ThrowsAnyAsync<Exception>(() => transaction.CommitAsync(Token));
        await Assert.ThrowsAnyAsync<Exception>(() => OutcomeTests.Execute(connection, transaction, Update, asynchronously));
        await (asynchronously ? transaction.RollbackAsync(Token) : Task.Run(transaction.Rollback, Token));
        await transaction.DisposeAsync();
        Assert.Single(node.Peers.Received, static one => one.EndsWith("COMMIT", StringComparison.Ordinal));
    }

    // The exception of the work is more useful than that of the rollback.
    [Theory]
    [InlineData(false, false), InlineData(true, false), InlineData(false, true), InlineData(true, true)]
    public async Task A_refused_rollback_ends_the_session_and_is_no_error(bool asynchronously, bool disposes)
    {
        await using var node = new Node(static sql => sql is Update or "ROLLBACK");
        await using var connection = await node.Open();
        var transaction = await connection.BeginTransactionAsync(Token);
        await OutcomeTests.Execute(connection, transaction, "SELECT 1", asynchronously);
        await Assert.ThrowsAsync<MySqlException>(() => OutcomeTests.Execute(connection, transaction, Update, asynchronously));
        if (disposes)
            await (asynchronously ? transaction.DisposeAsync().AsTask() : Task.Run(transaction.Dispose, Token));
        else
            await (asynchronously ? transaction.RollbackAsync(Token) : Task.Run(transaction.Rollback, Token));
        Assert.Equal(ConnectionState.Closed, connection.State);
        await connection.CloseAsync();
        node.BecomeReady();
        await connection.OpenAsync(Token);
        await OutcomeTests.Execute(connection, null, Update, asynchronously);
    }

    // Where a node has not been ready once, a command does not travel with the BEGIN before it.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_command_behind_a_refused_BEGIN_is_not_sent(bool asynchronously)
    {
        await using var node = new Node(static sql => sql == "DELETE FROM t");
        await node.Fails("DELETE FROM t", asynchronously);
        node.Refuses = static sql => sql.StartsWith(Begin, StringComparison.Ordinal);
        await using var connection = await node.Open();
        await using var transaction = await connection.BeginTransactionAsync(Token);
        var failure = await Assert.ThrowsAsync<MySqlException>(() => OutcomeTests.Execute(connection, transaction, Update, asynchronously));
        Assert.Equal(RetrySafety.NotSent, failure.RetrySafety);
        Assert.DoesNotContain(node.Peers.Received, static one => one.EndsWith(Update, StringComparison.Ordinal));
    }

    // Otherwise the command would run with the settings of the lease before.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_command_behind_a_refused_reset_is_not_sent(bool asynchronously)
    {
        await using var node = new Node(static sql => sql == "DELETE FROM t");
        await node.Fails("DELETE FROM t", asynchronously);
        await using (var first = await node.Open())
            await OutcomeTests.Execute(first, null, "SET a = 1", asynchronously);
        node.Refuses = static sql => sql == "RESET";
        Assert.Equal(RetrySafety.NotSent, await node.Fails(Update, asynchronously));
        Assert.DoesNotContain(node.Peers.Received, static one => one.EndsWith(Update, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(false, "SAVEPOINT `a`"), InlineData(true, "SAVEPOINT `a`"), InlineData(false, Begin), InlineData(true, Begin)]
    public async Task A_rollback_after_a_refused_savepoint_or_BEGIN_is_no_error(bool asynchronously, string refused)
    {
        await using var node = new Node(static sql => sql == "DELETE FROM t");
        await node.Fails("DELETE FROM t", asynchronously);
        node.Refuses = sql => sql.StartsWith(refused, StringComparison.Ordinal);
        await using var connection = await node.Open();
        var transaction = await connection.BeginTransactionAsync(Token);
        await Assert.ThrowsAsync<MySqlException>(async () =>
        {
            await OutcomeTests.Execute(connection, transaction, Update, asynchronously);
            await (asynchronously ? transaction.SaveAsync("a", Token) : Task.Run(() => transaction.Save("a"), Token));
        });
        await (asynchronously ? transaction.RollbackAsync(Token) : Task.Run(transaction.Rollback, Token));
        await Assert.ThrowsAsync<InvalidOperationException>(() => transaction.CommitAsync(Token));
        await transaction.DisposeAsync();
    }

    [Theory]
    [InlineData(false, Update), InlineData(true, Update), InlineData(false, "COMMIT"), InlineData(true, "COMMIT")]
    [InlineData(false, "SAVEPOINT `a`"), InlineData(true, "SAVEPOINT `a`")]
    [InlineData(false, "RELEASE SAVEPOINT `a`"), InlineData(true, "RELEASE SAVEPOINT `a`")]
    public async Task Refused_work_is_repeated(bool asynchronously, string refused)
    {
        var seen = 0;
        await using var node = new Node(sql => sql == refused && ++seen == 1);
        var attempts = 0;
        await node.Source.ExecuteInTransactionAsync(async (connection, transaction, _) =>
        {
            attempts++;
            await OutcomeTests.Execute(connection, transaction, "SELECT 1", asynchronously);
            await (asynchronously ? transaction.SaveAsync("a", Token) : Task.Run(() => transaction.Save("a"), Token));
            await OutcomeTests.Execute(connection, transaction, Update, asynchronously);
            await (asynchronously ? transaction.ReleaseAsync("a", Token) : Task.Run(() => transaction.Release("a"), Token));
        }, new() { FirstDelay = TimeSpan.Zero }, Token);
        Assert.Equal(2, attempts);
    }

    // Without pipelining, BEGIN is a statement of its own.
    [Fact]
    public async Task Work_whose_BEGIN_was_refused_is_repeated_without_pipelining()
    {
        var seen = 0;
        await using var node = new Node(sql => sql.Contains(Begin, StringComparison.Ordinal) && ++seen == 1, "Pipelining Mode=Off");
        var attempts = 0;
        await node.Source.ExecuteInTransactionAsync((connection, transaction, _) =>
        {
            attempts++;
            return OutcomeTests.Execute(connection, transaction, Update, true);
        }, new() { FirstDelay = TimeSpan.Zero }, Token);
        Assert.Equal((1, 2), (attempts, seen));
    }

    // The first BEGIN that a data source sees refused: the node may have become ready before the command behind it.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_command_behind_the_first_refused_BEGIN_has_an_unknown_outcome(bool asynchronously)
    {
        await using var node = new Node(static sql => sql.StartsWith(Begin, StringComparison.Ordinal));
        await using var connection = await node.Open();
        await using var transaction = await connection.BeginTransactionAsync(Token);
        var failure = await Assert.ThrowsAsync<MySqlException>(() => OutcomeTests.Execute(connection, transaction, Update, asynchronously));
        Assert.Equal(RetrySafety.Unknown, failure.RetrySafety);
    }

    // The session is not leased again, not even with a transaction that is still open.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_session_that_was_refused_is_not_reused(bool asynchronously)
    {
        await using var node = new Node(static sql => sql == Update);
        await node.Fails(Update, asynchronously);
        Assert.Equal(0, node.Source.Statistics.Idle);
    }

    private sealed class Node : IAsyncDisposable
    {
        private readonly FakeServer _server;

        public Node(Func<string, bool> refuses, string options = "")
        {
            Refuses = refuses;
            Peers.Script = (_, sql) => Refuses(sql) ? Statements.UnreadyNode : Reply.Success;
            _server = Peers.Start();
            Source = (MySqlDataSource)Peers.Connect(_server, options);
        }

        public Statements Peers { get; } = Statements.Of("MySQL");

        public MySqlDataSource Source { get; }

        public Func<string, bool> Refuses { get; set; }

        public void BecomeReady() => Refuses = static _ => false;

        public async Task<MySqlConnection> Open() => await Source.OpenConnectionAsync(Token);

        public async Task<RetrySafety> Fails(string sql, bool asynchronously)
        {
            await using var connection = await Open();
            return (await Assert.ThrowsAsync<MySqlException>(() => OutcomeTests.Execute(connection, null, sql, asynchronously))).RetrySafety;
        }

        public async ValueTask DisposeAsync()
        {
            await Source.DisposeAsync();
            _server.Dispose();
        }
    }
}
