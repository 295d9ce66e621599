using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>
/// Prepared statements behind a PgBouncer that tracks them, after a change of a table. PgBouncer knows a statement by its text, so that another statement with
/// the same text gets the same plan of the server.
/// </summary>
public class PgBouncerPlanTests : IAsyncLifetime
{
    private readonly List<LabServer> _poolers = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<bool> Ways => new() { false, true };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_statement_that_prepared_itself_has_the_columns_of_now(bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await ChangingTable.CreateAsync();
        await using var source = await SourceAsync();
        for (var i = 0; i < 12; i++)
            Assert.Equal(2, await Columns(mode, source, table.Select));
        await table.ChangeAsync("ADD w INT");
        for (var i = 0; i < 12; i++)
            Assert.Equal(3, await Columns(mode, source, table.Select));
        await using var other = await SourceAsync();
        for (var i = 0; i < 12; i++)
            Assert.Equal(3, await Columns(mode, other, table.Select));
        await table.ChangeAsync("DROP w");
        for (var i = 0; i < 12; i++)
        {
            Assert.Equal(2, await Columns(mode, source, table.Select));
            Assert.Equal(2, await Columns(mode, other, table.Select));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_statement_that_prepared_itself_does_not_fail_a_transaction(bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await ChangingTable.CreateAsync();
        await using var source = await SourceAsync("Auto Prepare Min Usages=1");
        for (var i = 0; i < 6; i++)
            Assert.Equal(2, await Columns(mode, source, table.Select));
        await table.ChangeAsync("ADD w INT");
        for (var i = 0; i < 6; i++)
        {
            await using var connection = source.CreateConnection();
            await mode.Open(connection);
            await using var transaction = await mode.Begin(connection);
            if (i > 0)
                await Execute(mode, connection, "SELECT 1");
            Assert.Equal(3, await Columns(mode, connection, table.Select));
            Assert.Equal(3, await Columns(mode, connection, table.Select));
            await mode.Commit(transaction);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_statement_that_an_earlier_caller_prepared_does_not_fail_a_transaction(bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await ChangingTable.CreateAsync();
        await using var source = await SourceAsync("Auto Prepare Min Usages=1;Maximum Pool Size=1");
        await using (var connection = source.CreateConnection())
        {
            await mode.Open(connection);
            await using var command = new PgCommand(table.Select, connection) { Parameters = { new() { Value = 1 } } };
            await mode.Prepare(command);
            for (var i = 0; i < 3; i++)
                Assert.Equal(2, await Columns(mode, command));
        }

        await table.ChangeAsync("ADD w INT");
        for (var i = 0; i < 3; i++)
        {
            await using var connection = source.CreateConnection();
            await mode.Open(connection);
            await using var transaction = await mode.Begin(connection);
            await Execute(mode, connection, "SELECT 1");
            Assert.Equal(3, await Columns(mode, connection, table.Select));
            await mode.Commit(transaction);
        }
    }

    // The first execution in a transaction may fail: the caller asked for the prepared statement.
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_statement_that_the_caller_prepared_fails_at_most_once(bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await ChangingTable.CreateAsync();
        await using var source = await SourceAsync("Auto Prepare=false;Maximum Pool Size=1");
        await using var connection = source.CreateConnection();
        await mode.Open(connection);
        await using var command = new PgCommand(table.Select, connection) { Parameters = { new() { Value = 1 } } };
        await mode.Prepare(command);
        for (var i = 0; i < 6; i++)
            Assert.Equal(2, await Columns(mode, command));
        await table.ChangeAsync("ADD w INT");
        for (var i = 0; i < 6; i++)
            Assert.Equal(3, await Columns(mode, command));

        await table.ChangeAsync("ADD x INT");
        await using var other = await SourceAsync("Auto Prepare=false");
        var failures = 0;
        for (var i = 0; i < 6; i++)
        {
            await using var fresh = other.CreateConnection();
            await mode.Open(fresh);
            await using var transaction = await mode.Begin(fresh);
            await Execute(mode, fresh, "SELECT 1");
            await using var again = new PgCommand(table.Select, fresh) { Parameters = { new() { Value = 1 } } };
            await mode.Prepare(again);
            try
            {
                Assert.Equal(4, await Columns(mode, again));
            }
            catch (PgException exception) when (exception.SqlState == "0A000")
            {
                failures++;
            }
        }

        Assert.InRange(failures, 0, 1);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_batch_has_the_columns_of_now(bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await ChangingTable.CreateAsync();
        await using var source = await SourceAsync("Auto Prepare Min Usages=1");
        for (var i = 0; i < 12; i++)
        {
            if (i == 6)
                await table.ChangeAsync("ADD w INT");
            await using var connection = source.CreateConnection();
            await mode.Open(connection);
            await using var batch = new PgBatch(connection);
            batch.BatchCommands.Add(new PgBatchCommand(table.Update) { Parameters = { new() { Value = 1 } } });
            batch.BatchCommands.Add(new PgBatchCommand(table.Select) { Parameters = { new() { Value = 1 } } });
            batch.BatchCommands.Add(new PgBatchCommand(table.Select + " LIMIT 1") { Parameters = { new() { Value = 1 } } });
            await using var reader = asynchronous ? await batch.ExecuteReaderAsync(Token) : batch.ExecuteReader();
            Assert.Equal(i < 6 ? 2 : 3, reader.FieldCount);
            Assert.True(await mode.NextResult(reader));
            Assert.Equal(i < 6 ? 2 : 3, reader.FieldCount);
        }
    }

    // The type of the parameter, which the server inferred, no longer fits the column.
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_parameter_has_the_type_of_the_column_of_now(bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await ChangingTable.CreateAsync();
        await using var source = await SourceAsync("Auto Prepare Min Usages=1");
        for (var i = 0; i < 12; i++)
        {
            if (i == 6)
                await table.ChangeAsync("ALTER id TYPE TEXT");
            await using var connection = source.CreateConnection();
            await mode.Open(connection);
            await using var command = new PgCommand(table.Update, connection) { Parameters = { new() { Value = "1", PgDbType = PgDbType.Unknown } } };
            Assert.Equal(1, await mode.NonQuery(command));
        }
    }

    // PgBouncer prepares the statement in a session of the server that does not have it yet, after the change: no error shows that the columns differ.
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_value_is_read_in_the_type_that_the_column_has_in_this_session_of_the_server(bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await ChangingTable.CreateAsync();
        await using var source = await SourceAsync("Auto Prepare Min Usages=1", sessions: 2);
        await using var connection = source.CreateConnection();
        await mode.Open(connection);
        await using var other = source.CreateConnection();
        await mode.Open(other);
        // The select runs in the session that the transaction does not hold: before the change only in one of the two, then in the other.
        await using (var transaction = await mode.Begin(other))
        {
            var held = await Pid(mode, other);
            for (var i = 0; i < 4; i++)
                Assert.Equal(2, await Columns(mode, connection, table.Select));
            Assert.Equal(held, await Pid(mode, other));
            await mode.Commit(transaction);
            await table.ChangeAsync("ALTER v TYPE REAL");
            await using var another = await OtherSessionAsync(mode, other, held);
            for (var i = 0; i < 4; i++)
                Assert.Equal(7f, await Value(mode, connection, table.Select));
            await mode.Commit(another);
        }

        for (var i = 0; i < 8; i++)
            Assert.Equal(7f, await Value(mode, connection, table.Select));
    }

    // Begins a transaction in another session of the server than the one with this process ID.
    private static async Task<PgTransaction> OtherSessionAsync(Mode mode, PgConnection connection, int pid)
    {
        while (true)
        {
            var transaction = (PgTransaction)await mode.Begin(connection);
            if (await Pid(mode, connection) != pid)
                return transaction;
            await mode.Commit(transaction);
        }
    }

    private static async Task<int> Pid(Mode mode, PgConnection connection)
    {
        await using var command = new PgCommand("SELECT pg_backend_pid()", connection);
        return (int)(await mode.Scalar(command))!;
    }

    private static async Task<object> Value(Mode mode, PgConnection connection, string sql)
    {
        await using var command = new PgCommand(sql, connection) { Parameters = { new() { Value = 1 } } };
        await using var reader = await mode.Reader(command, System.Data.CommandBehavior.Default);
        Assert.True(await mode.Read(reader));
        return reader.GetValue(1);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Tenants_with_different_tables_of_the_same_name_get_their_own_columns(bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var direct = await DirectAsync();
        var (one, two) = ($"tenant_{Guid.NewGuid():N}", $"tenant_{Guid.NewGuid():N}");
        await Execute(Mode.Async, direct, $"CREATE SCHEMA {one} CREATE TABLE u (id INT, v INT)");
        await Execute(Mode.Async, direct, $"CREATE SCHEMA {two} CREATE TABLE u (id INT, v INT, w INT)");
        await using var first = await SourceAsync($"Search Path={one}");
        await using var second = await SourceAsync($"Search Path={two}");
        for (var i = 0; i < 12; i++)
        {
            Assert.Equal(2, await Columns(mode, first, "SELECT * FROM u WHERE id = $1"));
            Assert.Equal(3, await Columns(mode, second, "SELECT * FROM u WHERE id = $1"));
        }

        await Execute(Mode.Async, direct, $"DROP SCHEMA {one} CASCADE; DROP SCHEMA {two} CASCADE");
    }

    private static async Task<int> Columns(Mode mode, PgDataSource source, string sql)
    {
        await using var connection = source.CreateConnection();
        await mode.Open(connection);
        return await Columns(mode, connection, sql);
    }

    private static async Task<int> Columns(Mode mode, PgConnection connection, string sql)
    {
        await using var command = new PgCommand(sql, connection) { Parameters = { new() { Value = 1 } } };
        return await Columns(mode, command);
    }

    private static async Task<int> Columns(Mode mode, PgCommand command)
    {
        await using var reader = await mode.Reader(command, System.Data.CommandBehavior.Default);
        while (await mode.Read(reader))
            Assert.Equal(1, reader.GetInt32(0));
        return reader.FieldCount;
    }

    private static async Task Execute(Mode mode, PgConnection connection, string sql)
    {
        await using var command = new PgCommand(sql, connection);
        await mode.NonQuery(command);
    }

    private static async Task<PgConnection> DirectAsync()
    {
        var connection = new PgConnection(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql)));
        await connection.OpenAsync(Token);
        return connection;
    }

    private async Task<PgDataSource> SourceAsync(string options = "", int sessions = 1)
    {
        // All sources of a test share the sessions of the server.
        if (_poolers.Count == 0)
        {
            string[] settings = [$"default_pool_size = {sessions}", $"min_pool_size = {sessions}"];
            _poolers.Add(await LabServer.StartPgBouncerAsync(await LiveServers.GetAsync(ServerKind.PostgreSql), 100, settings, Token));
        }

        return PgDataSource.Create(ConnectionStrings.PostgreSql(_poolers[0], options));
    }

    public ValueTask InitializeAsync() => default;

    public async ValueTask DisposeAsync()
    {
        foreach (var pooler in _poolers)
            await pooler.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    private sealed class ChangingTable : IAsyncDisposable
    {
        private readonly string _name = $"changing_{Guid.NewGuid():N}";

        private ChangingTable()
        {
        }

        public string Select => $"SELECT * FROM {_name} WHERE id = $1";

        public string Update => $"UPDATE {_name} SET v = v WHERE id = $1";

        public static async Task<ChangingTable> CreateAsync()
        {
            var table = new ChangingTable();
            await using var direct = await DirectAsync();
            await Execute(Mode.Async, direct, $"CREATE TABLE {table._name} (id INT, v INT); INSERT INTO {table._name} VALUES (1, 7)");
            return table;
        }

        public async Task ChangeAsync(string change)
        {
            await using var direct = await DirectAsync();
            await Execute(Mode.Async, direct, $"ALTER TABLE {_name} {change}");
        }

        public async ValueTask DisposeAsync()
        {
            await using var direct = await DirectAsync();
            await Execute(Mode.Async, direct, $"DROP TABLE {_name}");
        }
    }
}
