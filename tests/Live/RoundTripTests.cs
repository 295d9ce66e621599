using System.Data;
using System.Data.Common;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Which operations cost a round trip, counted by a proxy between client and server, with default settings.</summary>
public class RoundTripTests
{
    public static TheoryData<ServerKind, bool> Ways => new()
    {
        { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true }, { ServerKind.MariaDb11, false },
        { ServerKind.MariaDb11, true },
        { ServerKind.PostgreSql, false }, { ServerKind.PostgreSql, true }, { ServerKind.PostgreSql18, false }, { ServerKind.PostgreSql18, true },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Opening_and_closing_a_pooled_connection_costs_none(ServerKind kind, bool asynchronous)
    {
        await using var counted = await Counted.StartAsync(kind, asynchronous);
        Assert.Equal(0, await counted.RoundTripsOf(10, async connection =>
        {
            await counted.Mode.Open(connection);
            await counted.Mode.Close(connection);
        }));
        Assert.Equal(0, counted.Proxy.Counters.BytesSent);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Open_scalar_close_costs_one(ServerKind kind, bool asynchronous)
    {
        await using var counted = await Counted.StartAsync(kind, asynchronous);
        Assert.Equal(10, await counted.RoundTripsOf(10, async connection =>
        {
            await counted.Mode.Open(connection);
            await using var command = connection.CreateCommand();
            command.CommandText = "SELECT 42";
            Assert.Equal(42, Convert.ToInt32(await counted.Mode.Scalar(command)));
            await counted.Mode.Close(connection);
        }));
        Assert.Equal(10, counted.Proxy.Counters.SegmentsSent);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_export_of_COPY_costs_one(bool asynchronous)
    {
        await using var counted = await Counted.StartAsync(ServerKind.PostgreSql, asynchronous);
        Assert.Equal(10, await counted.RoundTripsOf(10, async connection =>
        {
            await counted.Mode.Open(connection);
            const string Sql = "COPY (SELECT 42) TO STDOUT (FORMAT binary)";
            var own = (PgConnection)connection;
            await using (var exporter = asynchronous ? await own.BeginBinaryExportAsync(Sql) : own.BeginBinaryExport(Sql))
            {
                Assert.Equal(1, exporter.StartRow());
                Assert.Equal(42, exporter.Read<int>());
                Assert.Equal(-1, exporter.StartRow());
            }

            await counted.Mode.Close(connection);
        }));
        Assert.Equal(10, counted.Proxy.Counters.SegmentsSent);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_transaction_costs_one_for_each_command_and_one_to_commit(ServerKind kind, bool asynchronous)
    {
        await using var counted = await Counted.StartAsync(kind, asynchronous);
        Assert.Equal(20, await counted.RoundTripsOf(10, async connection =>
        {
            await counted.Mode.Open(connection);
            await using (var transaction = await counted.Mode.Begin(connection))
            {
                await using var command = connection.CreateCommand();
                command.Transaction = transaction;
                command.CommandText = "SELECT 42";
                await counted.Mode.Scalar(command);
                await counted.Mode.Commit(transaction);
            }

            await counted.Mode.Close(connection);
        }));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_transaction_of_an_isolation_level_costs_one_more_where_its_beginning_can_be_refused(ServerKind kind, bool asynchronous)
    {
        await using var counted = await Counted.StartAsync(kind, asynchronous);
        Assert.Equal(kind.IsPostgreSql() ? 20 : 30, await counted.RoundTripsOf(10, async connection =>
        {
            await counted.Mode.Open(connection);
            await using (var transaction = await counted.Mode.Begin(connection, IsolationLevel.ReadCommitted))
            {
                await using var command = connection.CreateCommand();
                command.Transaction = transaction;
                command.CommandText = "SELECT 42";
                await counted.Mode.Scalar(command);
                await counted.Mode.Commit(transaction);
            }

            await counted.Mode.Close(connection);
        }));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_transaction_that_nobody_used_costs_none(ServerKind kind, bool asynchronous)
    {
        await using var counted = await Counted.StartAsync(kind, asynchronous);
        Assert.Equal(0, await counted.RoundTripsOf(10, async connection =>
        {
            await counted.Mode.Open(connection);
            await using (await counted.Mode.Begin(connection))
            {
            }

            await counted.Mode.Close(connection);
        }));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task To_commit_or_to_roll_back_what_nobody_used_sends_nothing(ServerKind kind, bool asynchronous)
    {
        await using var counted = await Counted.StartAsync(kind, asynchronous);
        await using var connection = counted.Create();
        await counted.Mode.Open(connection);
        await using (var first = connection.CreateCommand())
        {
            first.CommandText = "SELECT 1";
            await counted.Mode.Scalar(first);
        }

        counted.Proxy.Counters.Reset();
        foreach (var commits in new[] { true, false })
        {
            await using var transaction = await counted.Mode.Begin(connection);
            if (commits)
                await counted.Mode.Commit(transaction);
            else
                await counted.Mode.Rollback(transaction);
        }

        Assert.Equal((0L, 0L), (counted.Proxy.Counters.SegmentsSent, counted.Proxy.Counters.BytesSent));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_prepared_command_costs_one_for_each_execution(ServerKind kind, bool asynchronous)
    {
        await using var counted = await Counted.StartAsync(kind, asynchronous);
        await using var connection = counted.Create();
        await counted.Mode.Open(connection);
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT @value + 1";
        var parameter = command.CreateParameter();
        (parameter.ParameterName, parameter.Value) = ("@value", 1);
        command.Parameters.Add(parameter);
        await counted.Mode.Prepare(command);
        await counted.Mode.Scalar(command);
        counted.Proxy.Counters.Reset();
        for (var i = 0; i < 10; i++)
        {
            parameter.Value = i;
            Assert.Equal(i + 1, Convert.ToInt32(await counted.Mode.Scalar(command)));
        }

        Assert.Equal(10, counted.Proxy.Counters.RoundTrips);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_reader_costs_one_however_many_results(ServerKind kind, bool asynchronous)
    {
        await using var counted = await Counted.StartAsync(kind, asynchronous);
        Assert.Equal(10, await counted.RoundTripsOf(10, async connection =>
        {
            await counted.Mode.Open(connection);
            await using (var command = connection.CreateCommand())
            {
                command.CommandText = "SELECT 1; SELECT 2; SELECT 3";
                await using var reader = await counted.Mode.Reader(command);
                do
                {
                    while (await counted.Mode.Read(reader))
                        ;
                }
                while (await counted.Mode.NextResult(reader));
            }

            await counted.Mode.Close(connection);
        }));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Everything_works_in_single_bytes(ServerKind kind, bool asynchronous)
    {
        await using var counted = await Counted.StartAsync(kind, asynchronous);
        counted.Proxy.SplitIntoSingleBytes = true;
        await using var connection = counted.Create();
        await counted.Mode.Open(connection);
        foreach (var prepared in new[] { false, true })
        {
            await using var command = connection.CreateCommand();
            command.CommandText = "SELECT 1, 'text', NULL UNION ALL SELECT 2, 'more', 'x'; SELECT 3, REPEAT('y', 3000)";
            if (prepared && !kind.IsPostgreSql())
                command.CommandText = "SELECT 3, REPEAT('y', 3000)";
            if (prepared)
                await counted.Mode.Prepare(command);
            await using var reader = await counted.Mode.Reader(command);
            var rows = 0;
            do
            {
                while (await counted.Mode.Read(reader))
                    rows += Convert.ToInt32(reader.GetValue(0)) > 2 ? reader.GetString(1).Length : 1;
            }
            while (await counted.Mode.NextResult(reader));
            Assert.Equal(prepared && !kind.IsPostgreSql() ? 3000 : 3002, rows);
        }
    }

    [Theory]
    [InlineData(ServerKind.PostgreSql, false)]
    [InlineData(ServerKind.PostgreSql, true)]
    [InlineData(ServerKind.PostgreSql18, false)]
    public async Task Only_the_first_session_of_a_data_source_loads_the_types_and_in_one(ServerKind kind, bool asynchronous)
    {
        await using var counted = await Counted.StartAsync(kind, asynchronous);
        var trips = new List<long>();
        var connections = new List<DbConnection>();
        for (var i = 0; i < 3; i++)
        {
            counted.Proxy.Counters.Reset();
            connections.Add(counted.Create());
            await counted.Mode.Open(connections[i]);
            trips.Add(counted.Proxy.Counters.RoundTrips);
        }

        foreach (var connection in connections)
            await connection.DisposeAsync();

        Assert.Equal([trips[1] + 1, trips[1], trips[1]], trips);
    }

    [Theory]
    [InlineData(ServerKind.PostgreSql, false)]
    [InlineData(ServerKind.PostgreSql, true)]
    public async Task A_binary_import_costs_one_to_begin_and_one_to_complete(ServerKind kind, bool asynchronous)
    {
        await using var counted = await Counted.StartAsync(kind, asynchronous);
        await using var connection = (PgConnection)counted.Create();
        await counted.Mode.Open(connection);
        await using (var create = new PgCommand("CREATE TEMP TABLE copied (i int, t text)", connection))
            create.ExecuteNonQuery();
        counted.Proxy.Counters.Reset();
        await using (var importer = asynchronous
            ? await connection.BeginBinaryImportAsync("COPY copied FROM STDIN (FORMAT binary)")
            : connection.BeginBinaryImport("COPY copied FROM STDIN (FORMAT binary)"))
        {
            for (var i = 0; i < 1000; i++)
            {
                importer.StartRow();
                importer.Write(i);
                importer.Write("text");
            }

            Assert.Equal(1000UL, asynchronous ? await importer.CompleteAsync() : importer.Complete());
        }

        Assert.Equal(2, counted.Proxy.Counters.RoundTrips);
    }

    private sealed class Counted(LabProxy proxy, string connectionString, DbProviderFactory factory, Mode mode) : IAsyncDisposable
    {
        public LabProxy Proxy => proxy;

        public Mode Mode => mode;

        public static async Task<Counted> StartAsync(ServerKind kind, bool asynchronous)
        {
            var server = await LiveServers.GetAsync(kind);
            var proxy = LabProxy.Start(server.Host, server.Port);
            return kind.IsPostgreSql()
                ? new(
                    proxy, $"Host=127.0.0.1;Port={proxy.Port};Username={server.User};Password={server.Password};Database={server.Database}", PgFactory.Instance,
                    asynchronous ? Mode.Async : Mode.Sync)
                : new(
                    proxy, $"Server=127.0.0.1;Port={proxy.Port};User ID={server.User};Password={server.Password};Database={server.Database}",
                    MySqlConnectorFactory.Instance, asynchronous ? Mode.Async : Mode.Sync);
        }

        public DbConnection Create()
        {
            var connection = factory.CreateConnection()!;
            connection.ConnectionString = connectionString;
            return connection;
        }

        /// <summary>
        /// Runs the operation twice to warm up the pool and the cached statements, then the given number of times, and returns the round trips.
        /// </summary>
        public async Task<long> RoundTripsOf(int times, Func<DbConnection, Task> operation)
        {
            await using var connection = Create();
            for (var i = 0; i < 3; i++)
                await operation(connection);
            Assert.Equal(ConnectionState.Closed, connection.State);
            await Mode.Open(connection);
            await using (var command = connection.CreateCommand())
            {
                command.CommandText = "SELECT 1";
                await Mode.Scalar(command);
            }

            await Mode.Close(connection);
            proxy.Counters.Reset();
            for (var i = 0; i < times; i++)
                await operation(connection);
            return proxy.Counters.RoundTrips;
        }

        public ValueTask DisposeAsync() => proxy.DisposeAsync();
    }
}
