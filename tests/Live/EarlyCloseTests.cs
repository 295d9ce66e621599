using System.Data;
using System.Data.Common;
using System.Diagnostics;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>A reader that is closed before its end, and a server error after the rows that were read.</summary>
public sealed class EarlyCloseTests
{
    private const string Deferred =
        "DROP TABLE IF EXISTS early_kid; DROP TABLE IF EXISTS early_dad; CREATE TABLE early_dad (id int PRIMARY KEY); CREATE TABLE early_kid (id int, dad int "
            + "REFERENCES early_dad (id) DEFERRABLE INITIALLY DEFERRED)";

    public static TheoryData<string> Ways => ["close", "close async", "dispose", "dispose async", "connection", "connection async"];

    [Theory, MemberData(nameof(Ways))]
    public async Task PostgreSql_tells_of_a_constraint_that_fails_behind_the_rows(string way)
    {
        await using var source = PgDataSource.Create(
            ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql)) + ";Application Name=early" + way.Replace(' ', '_'));
        await using var connection = source.OpenConnection();
        // The tests of a class run one after the other.
        await Execute(connection, Deferred);
        await using var command = new PgCommand("INSERT INTO early_kid VALUES (1, 99) RETURNING id", connection);
        var reader = command.ExecuteReader();
        Assert.True(reader.Read());
        Assert.Equal(1, reader.GetInt32(0));
        var error = await Assert.ThrowsAsync<PgException>(() => End(connection, reader, way));
        Assert.Equal("23503", error.SqlState);
        Assert.True(reader.IsClosed);
        // The error is reported once: the following calls do not repeat it.
        reader.Dispose();
        if (connection.State == ConnectionState.Closed)
            connection.Open();
        command.CommandText = "SELECT COUNT(*)::int FROM early_kid";
        Assert.Equal(0, command.ExecuteScalar<int>());
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task PostgreSql_tells_of_a_statement_that_fails_behind_the_one_that_was_read(bool batch, bool asynchronous)
    {
        await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql)));
        await using var connection = source.OpenConnection();
        var reader = await Begin(connection, batch, asynchronous, "SELECT 1", "SELECT 1/0");
        Assert.True(reader.Read());
        var error = await Assert.ThrowsAsync<PgException>(() => End(connection, reader, asynchronous ? "dispose async" : "dispose"));
        Assert.Equal("22012", error.SqlState);
        Assert.Equal(1, new PgCommand("SELECT 1", connection).ExecuteScalar());
    }

    [Fact]
    public async Task PostgreSql_tells_once_what_the_caller_has_heard_already()
    {
        await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql)));
        await using var connection = source.OpenConnection();
        using (var reader = new PgCommand("SELECT 1; SELECT 1/0", connection).ExecuteReader())
            Assert.Throws<PgException>(() => reader.NextResult());
        using (var reader = new PgCommand("SELECT generate_series(1, 100000000)", connection).ExecuteReader())
        {
            Assert.True(reader.Read());
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reader.ReadAsync(new CancellationToken(canceled: true)));
        }

        Assert.Equal(1, new PgCommand("SELECT 1", connection).ExecuteScalar());
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task MySql_keeps_silent_as_MySqlConnector_does(string way)
    {
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(ServerKind.MySql)));
        await using var connection = source.OpenConnection();
        var reader = await Begin(connection, batch: false, asynchronous: false, "SELECT 1", "SELECT * FROM nowhere_at_all");
        Assert.True(reader.Read());
        await End(connection, reader, way);
        if (connection.State == ConnectionState.Closed)
            connection.Open();
        Assert.Equal(1L, Convert.ToInt64(new MySqlCommand("SELECT 1", connection).ExecuteScalar(), null));
    }

    [Theory, InlineData(ServerKind.MySql), InlineData(ServerKind.PostgreSql)]
    public async Task Telemetry_hears_of_the_error_on_both(ServerKind kind)
    {
        using var parent = new Activity(nameof(Telemetry_hears_of_the_error_on_both)).Start();
        List<Activity> ended = [];
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name.StartsWith("Slipstream", StringComparison.Ordinal),
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = activity =>
            {
                if (activity.TraceId == parent.TraceId)
                    lock (ended)
                        ended.Add(activity);
            },
        };
        ActivitySource.AddActivityListener(listener);
        var server = await LiveServers.GetAsync(kind);
        await using DbDataSource source =
            kind.IsPostgreSql() ? PgDataSource.Create(ConnectionStrings.PostgreSql(server)) : new MySqlDataSource(ConnectionStrings.MySql(server));
        await using var connection = source.OpenConnection();
        var reader = await Begin(connection, batch: false, asynchronous: false, "SELECT 1", "SELECT * FROM nowhere_at_all");
        try
        {
            Assert.True(reader.Read());
            reader.Close();
        }
        catch (DbException)
        {
            // PostgreSQL refuses a missing object at the first statement, or reports it at the end.
        }

        lock (ended)
            Assert.Contains(ended, static activity => activity.Status == ActivityStatusCode.Error);
    }

    private static async Task<DbDataReader> Begin(DbConnection connection, bool batch, bool asynchronous, params string[] texts)
    {
        if (!batch)
        {
            var command = connection.CreateCommand();
            command.CommandText = string.Join("; ", texts);
            return asynchronous ? await command.ExecuteReaderAsync() : command.ExecuteReader();
        }

        var all = connection.CreateBatch();
        foreach (var text in texts)
        {
            var one = all.CreateBatchCommand();
            one.CommandText = text;
            all.BatchCommands.Add(one);
        }

        return asynchronous ? await all.ExecuteReaderAsync() : all.ExecuteReader();
    }

    private static async Task End(DbConnection connection, DbDataReader reader, string way)
    {
        switch (way)
        {
            case "close": reader.Close(); break;
            case "close async": await reader.CloseAsync(); break;
            case "dispose": reader.Dispose(); break;
            case "dispose async": await reader.DisposeAsync(); break;
            case "connection": connection.Close(); break;
            default: await connection.CloseAsync(); break;
        }
    }

    private static async Task Execute(DbConnection connection, string sql)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        await command.ExecuteNonQueryAsync();
    }
}
