using System.Data;
using System.Data.Common;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>
/// A write that a former primary refuses is executed again on the new one, if it was the first command of its connection and a single statement outside of any
/// transaction; otherwise the caller gets the refusal.
/// </summary>
[Collection("Outcomes")]
public sealed class RefusedWriteTests
{
    private const string Update = "UPDATE t SET a = 1";

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<string, bool, string> Executions
    {
        get
        {
            TheoryData<string, bool, string> data = [];
            foreach (var (provider, asynchronously) in Statements.Providers.Select(static row => row.Data))
                foreach (var how in new[] { "count", "scalar", "typed scalar", "reader", "own connection" })
                    data.Add(provider, asynchronously, how);
            return data;
        }
    }

    [Theory, MemberData(nameof(Executions))]
    public async Task The_first_command_of_a_connection_is_executed_on_the_new_primary(string provider, bool asynchronously, string how)
    {
        using var pair = await Pair.Start(provider);
        await using var connection = await pair.Open();
        pair.FailOver();
        switch (how)
        {
            case "count":
                await using (var command = Command(connection, Update))
                    Assert.Equal(1, asynchronously ? await command.ExecuteNonQueryAsync(Token) : command.ExecuteNonQuery());
                break;
            case "scalar":
                await using (var command = Command(connection, pair.Query))
                    Assert.Equal(pair.Query, asynchronously ? await command.ExecuteScalarAsync(Token) : command.ExecuteScalar());
                break;
            case "typed scalar":
                await using (var command = (ProviderCommand)Command(connection, pair.Query))
                    Assert.Equal(pair.Query, asynchronously ? await command.ExecuteScalarAsync<string>(Token) : command.ExecuteScalar<string>());
                break;
            case "reader":
                await using (var command = Command(connection, pair.Query))
                {
                    await using var reader = asynchronously ? await command.ExecuteReaderAsync(Token) : command.ExecuteReader();
                    Assert.True(asynchronously ? await reader.ReadAsync(Token) : reader.Read());
                    Assert.Equal(pair.Query, reader.GetString(0));
                    Assert.False(asynchronously ? await reader.ReadAsync(Token) : reader.Read());
                }

                break;
            default:
                await connection.CloseAsync();
                pair.FailBack();
                // The pool has a session of the first server, which is not known yet to have been demoted.
                pair.FailOver();
                await using (var command = pair.Source.CreateCommand(Update))
                    Assert.Equal(1, asynchronously ? await command.ExecuteNonQueryAsync(Token) : command.ExecuteNonQuery());
                break;
        }

        Assert.Single(pair.Second.Received, static one => one.Contains("UPDATE", StringComparison.Ordinal) || one.Contains("SELECT", StringComparison.Ordinal));
        // The connection stays with the new primary.
        if (connection.State == ConnectionState.Open)
            await OutcomeTests.Execute(connection, null, "DELETE FROM t", asynchronously);
        Assert.Equal(0, pair.Source.Statistics.Busy - (connection.State == ConnectionState.Open ? 1 : 0));
    }

    // A function or a trigger may have begun before the node refused what it does: tables without transactions keep that.
    [Theory, InlineData(false), InlineData(true)]
    public async Task What_an_unready_node_refuses_is_not_executed_again(bool asynchronously)
    {
        using var pair = await Pair.Start("MySQL");
        await using var connection = await pair.Open();
        pair.FailOver();
        pair.First.Script = static (_, sql) => sql == Update ? Statements.UnreadyNode : Reply.Success;
        var failure = await Assert.ThrowsAsync<MySqlException>(() => OutcomeTests.Execute(connection, null, Update, asynchronously));
        Assert.Equal((RetrySafety.RolledBack, true), (failure.RetrySafety, failure.IsTransient));
        Assert.Empty(pair.Second.Received);
    }

    // PgBouncer reports what the server reported when PgBouncer logged in. The connections outlive a switchover.
    [Theory, InlineData(false), InlineData(true)]
    public async Task What_a_pooler_reports_about_its_server_is_not_believed(bool asynchronously)
    {
        using var pair = await Pair.Start("PostgreSQL", first: "off", second: "on");
        await using var connection = await pair.Open();
        pair.FailOver();
        await OutcomeTests.Execute(connection, null, Update, asynchronously);
        Assert.Single(pair.Second.Received, static one => one.EndsWith(Update, StringComparison.Ordinal));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_second_command_is_refused(string provider, bool asynchronously)
    {
        using var pair = await Pair.Start(provider);
        await using var connection = await pair.Open();
        await OutcomeTests.Execute(connection, null, "SET a = 1", asynchronously);
        pair.FailOver();
        await Refused(pair, RetrySafety.NotSent, () => OutcomeTests.Execute(connection, null, Update, asynchronously));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_command_of_a_transaction_is_refused(string provider, bool asynchronously)
    {
        using var pair = await Pair.Start(provider);
        await using var connection = await pair.Open();
        pair.FailOver();
        var safety = provider == "MySQL" ? RetrySafety.NotSent : RetrySafety.RolledBack;
        await Refused(pair, safety, async () =>
        {
            await using var transaction = await connection.BeginTransactionAsync(Token);
            await OutcomeTests.Execute(connection, transaction, Update, asynchronously);
        });
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_text_of_several_statements_is_refused(string provider, bool asynchronously)
    {
        using var pair = await Pair.Start(provider);
        await using var connection = await pair.Open();
        pair.FailOver();
        var safety = provider == "MySQL" ? RetrySafety.NotSent : RetrySafety.RolledBack;
        await Refused(pair, safety, () => OutcomeTests.Execute(connection, null, $"{Update}; {Update}", asynchronously));
    }

    [Theory]
    [InlineData("MySQL", "CALL p()"), InlineData("MySQL", "CREATE TABLE t (a INT)"), InlineData("PostgreSQL", "CALL p()"), InlineData("PostgreSQL", "DO ''")]
    public async Task A_statement_that_may_do_more_is_refused(string provider, string statement)
    {
        using var pair = await Pair.Start(provider);
        await using var connection = await pair.Open();
        pair.FailOver();
        await Refused(pair, RetrySafety.NotApplicable, () => OutcomeTests.Execute(connection, null, statement, true));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_batch_is_refused(string provider, bool asynchronously)
    {
        using var pair = await Pair.Start(provider);
        await using var connection = await pair.Open();
        pair.FailOver();
        var safety = provider == "MySQL" ? RetrySafety.NotSent : RetrySafety.RolledBack;
        await Refused(pair, safety, async () =>
        {
            await using var batch = connection.CreateBatch();
            var command = batch.CreateBatchCommand();
            command.CommandText = Update;
            batch.BatchCommands.Add(command);
            _ = asynchronously ? await batch.ExecuteNonQueryAsync(Token) : batch.ExecuteNonQuery();
        });
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_value_that_cannot_be_read_twice_is_not_read_twice(string provider, bool asynchronously)
    {
        using var pair = await Pair.Start(provider);
        await using var connection = await pair.Open();
        pair.FailOver();
        await Refused(pair, RetrySafety.NotSent, async () =>
        {
            await using var command = Command(connection, "UPDATE t SET a = @a");
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.Value) = ("a", new MemoryStream([1, 2, 3]));
            command.Parameters.Add(parameter);
            _ = asynchronously ? await command.ExecuteNonQueryAsync(Token) : command.ExecuteNonQuery();
        });
    }

    // Without a new primary, the caller gets the refusal when the time for the search has passed.
    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task Without_a_new_primary_the_command_is_refused_in_time(string provider, bool asynchronously)
    {
        using var pair = await Pair.Start(provider, "Server Selection Timeout=1");
        await using var connection = await pair.Open();
        pair.Demote();
        await Refused(pair, RetrySafety.NotSent, () => OutcomeTests.Execute(connection, null, Update, asynchronously));
        Assert.Equal(ConnectionState.Open, connection.State);
    }

    [Theory, InlineData("MySQL"), InlineData("PostgreSQL")]
    public async Task A_cancelled_token_ends_the_search(string provider)
    {
        using var pair = await Pair.Start(provider);
        await using var connection = await pair.Open();
        pair.Demote();
        using var cancellation = new CancellationTokenSource();
        pair.First.Script = Cancels(pair, cancellation);
        await using var command = Command(connection, Update);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => command.ExecuteNonQueryAsync(cancellation.Token));
        Assert.Empty(pair.Second.Received);
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task Cancel_during_the_search_keeps_the_command_from_being_executed(string provider, bool asynchronously)
    {
        using var pair = await Pair.Start(provider);
        await using var connection = await pair.Open();
        await using var command = Command(connection, Update);
        var execution = await BeginSearch(pair, command, asynchronously);
        command.Cancel();
        pair.Second.IsPrimary = true;
        await Refused(pair, RetrySafety.NotSent, execution);
        Assert.Equal(ConnectionState.Open, connection.State);
        await OutcomeTests.Execute(connection, null, "SELECT 1", asynchronously);
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task Nothing_else_begins_on_the_connection_during_the_search(string provider, bool asynchronously)
    {
        using var pair = await Pair.Start(provider);
        await using var connection = await pair.Open();
        await using var command = Command(connection, Update);
        var execution = await BeginSearch(pair, command, asynchronously);
        var another = await Assert.ThrowsAnyAsync<Exception>(async () => await connection.BeginTransactionAsync(Token));
        Assert.Contains("still running", another.Message);
        another = await Assert.ThrowsAnyAsync<Exception>(() => OutcomeTests.Execute(connection, null, "SELECT 1", asynchronously));
        Assert.Contains("still running", another.Message);
        pair.Second.IsPrimary = true;
        Assert.Equal(1, await execution());
        Assert.Single(pair.Second.Received, static one => one.EndsWith(Update, StringComparison.Ordinal));
    }

    // A server that still says that it is the primary refuses because of something else, such as its own read-only default.
    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_command_is_repeated_once_only(string provider, bool asynchronously)
    {
        using var pair = await Pair.Start(provider);
        await using var connection = await pair.Open();
        pair.First.Script = pair.Second.Script = (_, sql) => sql == Update ? pair.First.NotPrimary : Reply.Success;
        await Assert.ThrowsAnyAsync<DbException>(() => OutcomeTests.Execute(connection, null, Update, asynchronously));
        Assert.InRange(pair.First.Received.Concat(pair.Second.Received).Count(static one => one.EndsWith(Update, StringComparison.Ordinal)), 1, 2);
    }

    private static Func<FakePeer, string, Reply> Cancels(Pair pair, CancellationTokenSource cancellation) => (_, sql) =>
    {
        if (!sql.Contains("UPDATE", StringComparison.Ordinal))
            return Reply.Success;
        cancellation.CancelAfter(200);
        return pair.First.NotPrimary;
    };

    // Returns the execution of a command that has been refused, and waits for a primary. Awaiting a method that returned the task itself would await it, too.
    private static async Task<Func<Task<int>>> BeginSearch(Pair pair, DbCommand command, bool asynchronously)
    {
        pair.Demote();
        using var isRefused = new ManualResetEventSlim();
        var script = pair.First.Script;
        pair.First.Script = (peer, sql) =>
        {
            if (sql.Contains("UPDATE", StringComparison.Ordinal))
                isRefused.Set();
            return script(peer, sql);
        };
        var execution = Task.Run(() => asynchronously ? command.ExecuteNonQueryAsync(Token) : Task.FromResult(command.ExecuteNonQuery()), Token);
        isRefused.Wait(Token);
        pair.First.Script = script;
        await Task.Delay(200, Token);
        return () => execution;
    }

    private static DbCommand Command(DbConnection connection, string sql)
    {
        var command = connection.CreateCommand();
        command.CommandText = sql;
        return command;
    }

    private static async Task Refused(Pair pair, RetrySafety? safety, Func<Task> execute)
    {
        var failure = await Assert.ThrowsAnyAsync<DbException>(execute);
        Assert.Equal(ErrorKind.ReadOnly, failure is MySqlException mySql ? mySql.Kind : ((PgException)failure).Kind);
        if (safety is { } expected)
            Assert.Equal(expected, OutcomeTests.SafetyOf(failure));
        Assert.Empty(pair.Second.Received);
    }

    private sealed class Pair : IDisposable
    {
        private readonly FakeServer _first;
        private readonly FakeServer _second;

        private Pair(string provider, string options, string? first, string? second)
        {
            (First, Second) = (Statements.Of(provider), Statements.Of(provider));
            foreach (var (server, standby) in (ReadOnlySpan<(Statements, string?)>)[(First, first), (Second, second)])
                if (standby is not null)
                    server.LoginSettings = [("in_hot_standby", standby), ("pgbouncer.version", "1.26.1")];
            FailBack();
            (_first, _second) = (First.Start(), Second.Start());
            Source = First.ConnectCluster([_first, _second], options);
            Query = "SELECT next()";
        }

        public Statements First { get; }

        public Statements Second { get; }

        public ProviderDataSource Source { get; }

        /// <summary>A query that changes data.</summary>
        public string Query { get; }

        /// <summary>Starts the servers.</summary>
        /// <param name="provider">The provider.</param>
        /// <param name="options">Further options of the connection string.</param>
        /// <param name="first">What a pooler in front of the first server reports at login as in_hot_standby; null: there is no pooler.</param>
        /// <param name="second">The same for the second server.</param>
        public static async Task<Pair> Start(string provider, string options = "", string? first = null, string? second = null)
        {
            var pair = new Pair(provider, options, first, second);
            await using var connection = await pair.Open();
            return pair;
        }

        public async Task<DbConnection> Open()
        {
            var connection = Source.CreateConnection();
            await connection.OpenAsync(Token);
            return connection;
        }

        public void FailBack()
        {
            (First.IsPrimary, Second.IsPrimary) = (true, false);
            First.Script = static (_, _) => Reply.Success;
        }

        public void Demote()
        {
            First.IsPrimary = false;
            string[] writes = ["UPDATE", "SELECT next", "CALL", "CREATE", "DO "];
            First.Script = (_, sql) => writes.Any(one => sql.StartsWith(one, StringComparison.Ordinal)) ? First.NotPrimary : Reply.Success;
        }

        public void FailOver()
        {
            Demote();
            Second.IsPrimary = true;
        }

        public void Dispose()
        {
            Source.Dispose();
            _first.Dispose();
            _second.Dispose();
        }
    }
}
