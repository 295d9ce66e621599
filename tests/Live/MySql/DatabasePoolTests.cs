using Slipstream.Contract;
using Slipstream.Core.Pooling;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Sessions;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>One pool for many databases, and many pools below one limit: no caller ever sees another database's rows.</summary>
public sealed class DatabasePoolTests
{
    public static TheoryData<ServerKind, bool, string> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, bool, string>();
            foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11])
                foreach (var options in (string[])["", "Reset Mode=Always", "Connection Reset=false", "Pipelining Mode=Off"])
                    ways.Add(kind, options.Length % 2 == 0, options);
            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task The_same_text_reads_the_database_of_its_connection(ServerKind kind, bool asynchronous, string options)
    {
        await using var tenants = await Tenants.MakeAsync(kind, 2);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = new MySqlDataSource(tenants.String(0, $"Pool Per Server=true;Maximum Pool Size=1;Auto Prepare Min Uses=2;{options}"));
        await using var other = source.ForDatabase(tenants[1]);
        for (var i = 0; i < 12; i++)
        {
            // The same database twice, then the other one; some leases change the database themselves.
            var number = i / 2 % 2;
            await using var connection = await mode.Open(number == 0 ? source : other);
            Assert.Equal(tenants[number], connection.Database);
            for (var time = 0; time < 4; time++)
                Assert.Equal(tenants[number], await Text(mode, connection, "SELECT name FROM who"));
            Assert.Equal(tenants[number], connection.Database);
            using var prepared = connection.CreateCommand();
            prepared.CommandText = "SELECT name FROM who WHERE 1 = 1";
            prepared.Prepare();
            Assert.Equal(tenants[number], await mode.Scalar(prepared));
            if (i % 3 == 0)
                connection.ChangeDatabase(tenants[1 - number]);
            else if (i % 3 == 1)
                await Text(mode, connection, $"USE {tenants[1 - number]}");
        }

        Assert.Equal(1, source.Statistics.Opened);
    }

    [Theory, InlineData(ServerKind.MySql), InlineData(ServerKind.MariaDb), InlineData(ServerKind.MariaDb11)]
    public async Task A_database_that_is_gone_never_makes_a_command_run_in_another(ServerKind kind)
    {
        await using var tenants = await Tenants.MakeAsync(kind, 2);
        foreach (var options in (string[])["", "Connection Reset=false", "Pipelining Mode=Off"])
        {
            await using var source = new MySqlDataSource(tenants.String(0, $"Pool Per Server=true;Maximum Pool Size=1;{options}"));
            await using (var connection = await source.OpenConnectionAsync())
                Assert.Equal(tenants[0], await Text(Mode.Async, connection, "SELECT name FROM who"));
            await using var gone = source.ForDatabase(tenants[0] + "_gone");
            await using (var connection = await gone.OpenConnectionAsync())
            {
                await using var command = connection.CreateCommand();
                command.CommandText = "DELETE FROM who";
                var refusal = await Assert.ThrowsAsync<MySqlException>(() => command.ExecuteNonQueryAsync());
                Assert.Equal(MySqlErrorCode.UnknownDatabase, refusal.ErrorCode);
                Assert.Equal(System.Data.ConnectionState.Closed, connection.State);
            }

            // The next lease of the same session is in its own database.
            await using (var connection = await source.OpenConnectionAsync())
                Assert.Equal(tenants[0], await Text(Mode.Async, connection, "SELECT name FROM who"));
        }
    }

    [Theory, InlineData(ServerKind.MySql), InlineData(ServerKind.MariaDb), InlineData(ServerKind.MariaDb11)]
    public async Task A_lease_that_moves_costs_no_round_trip(ServerKind kind)
    {
        await using var tenants = await Tenants.MakeAsync(kind, 2);
        await using var proxy = LabProxy.Start(tenants.Server.Host, tenants.Server.Port);
        var text = new MySqlConnectionStringBuilder(tenants.String(0, "Pool Per Server=true;Maximum Pool Size=1"))
        {
            Server = "127.0.0.1",
            Port = (uint)proxy.Port
        }.ConnectionString;
        await using var source = new MySqlDataSource(text);
        await using var other = source.ForDatabase(tenants[1]);
        for (var i = 0; i < 14; i++)
        {
            if (i == 4)
                proxy.Counters.Reset();
            await using var connection = await (i % 2 == 0 ? source : other).OpenConnectionAsync();
            Assert.Equal(tenants[i % 2], await Text(Mode.Async, connection, "SELECT name FROM who"));
        }

        Assert.Equal((10, 10), (proxy.Counters.RoundTrips, proxy.Counters.SegmentsSent));
    }

    [Theory, InlineData(ServerKind.MySql), InlineData(ServerKind.MariaDb), InlineData(ServerKind.MariaDb11)]
    public async Task Whatever_the_first_command_is_it_finds_its_database(ServerKind kind)
    {
        await using var tenants = await Tenants.MakeAsync(kind, 2);
        for (var i = 0; i < 2; i++)
            await tenants.RunAsync(
                $"CREATE PROCEDURE {tenants[i]}.whose({(i == 0 ? "OUT owner varchar(80), IN number int" : "IN number int, OUT owner varchar(80)")}) SELECT "
                    + "CONCAT(name, number) INTO owner FROM who");
        foreach (var options in (string[])["", "Connection Reset=false", "Pipelining Mode=Off", "Auto Prepare=false;Reset Mode=Always"])
        {
            await using var source = new MySqlDataSource(tenants.String(0, $"Pool Per Server=true;Maximum Pool Size=1;Allow Load Local Infile=true;{options}"));
            await using var other = source.ForDatabase(tenants[1]);
            for (var form = 0; form < 9; form++)
            {
                for (var i = 0; i < 4; i++)
                {
                    await using var connection = await (i % 2 == 0 ? source : other).OpenConnectionAsync();
                    Assert.Equal(tenants[i % 2], await First(connection, form));
                    Assert.Equal(tenants[i % 2], connection.Database);
                }
            }

            Assert.Equal(1, source.Statistics.Opened);
        }

        static async Task<string> First(MySqlConnection connection, int form)
        {
            await using var command = new MySqlCommand("SELECT name FROM who", connection);
            switch (form)
            {
                case 0:
                    await command.PrepareAsync();
                    return (string)(await command.ExecuteScalarAsync())!;
                case 1:
                    await using (var transaction = await connection.BeginTransactionAsync())
                    {
                        command.Transaction = transaction;
                        var name = (string)(await command.ExecuteScalarAsync())!;
                        await transaction.CommitAsync();
                        return name;
                    }

                case 2:
                    await using (var transaction = await connection.BeginTransactionAsync(System.Data.IsolationLevel.Serializable))
                    {
                        command.Transaction = transaction;
                        return (string)(await command.ExecuteScalarAsync())!;
                    }

                case 3:
                    await using (var batch = new MySqlBatch(connection))
                    {
                        batch.BatchCommands.Add(new MySqlBatchCommand("UPDATE who SET name = name"));
                        batch.BatchCommands.Add(new MySqlBatchCommand("SELECT name FROM who"));
                        return (string)(await batch.ExecuteScalarAsync())!;
                    }

                case 4:
                    command.CommandType = System.Data.CommandType.StoredProcedure;
                    command.CommandText = "whose";
                    command.Parameters.AddWithValue("number", 7);
                    command.Parameters.Add(new MySqlParameter("owner", MySqlDbType.VarChar) { Direction = System.Data.ParameterDirection.Output });
                    await command.ExecuteNonQueryAsync();
                    return ((string)command.Parameters["owner"].Value!)[..^1];
                case 5:
                    var table = new System.Data.DataTable { Columns = { "name" } };
                    table.Rows.Add("copied");
                    var copied = await new MySqlBulkCopy(connection) { DestinationTableName = "who" }.WriteToServerAsync(table);
                    Assert.Equal(1, copied.RowsInserted);
                    command.CommandText = "DELETE FROM who WHERE name = 'copied'";
                    Assert.Equal(1, await command.ExecuteNonQueryAsync());
                    command.CommandText = "SELECT name FROM who";
                    return (string)(await command.ExecuteScalarAsync())!;
                case 6:
                    Assert.True(await connection.PingAsync());
                    return (string)(await command.ExecuteScalarAsync())!;
                case 7:
                    await connection.ResetConnectionAsync();
                    return (string)(await command.ExecuteScalarAsync())!;
                default:
                    await using (var reader = await command.ExecuteReaderAsync(System.Data.CommandBehavior.SequentialAccess))
                    {
                        Assert.True(await reader.ReadAsync());
                        return reader.GetString(0);
                    }
            }
        }
    }

    [Theory, InlineData(ServerKind.MySql), InlineData(ServerKind.MariaDb)]
    public async Task An_ambient_transaction_over_two_databases_is_one_in_each(ServerKind kind)
    {
        await using var tenants = await Tenants.MakeAsync(kind, 2);
        await using var source = new MySqlDataSource(tenants.String(0, "Pool Per Server=true;Use XA Transactions=true"));
        await using var other = source.ForDatabase(tenants[1]);
        foreach (var completes in (bool[])[false, true])
        {
            using (var scope = new System.Transactions.TransactionScope(System.Transactions.TransactionScopeAsyncFlowOption.Enabled))
            {
                foreach (var one in (MySqlDataSource[])[source, other])
                {
                    await using var connection = await one.OpenConnectionAsync();
                    await using var command = new MySqlCommand("UPDATE who SET name = CONCAT(name, '!')", connection);
                    Assert.Equal(1, await command.ExecuteNonQueryAsync());
                }

                if (completes)
                    scope.Complete();
            }

            for (var i = 0; i < 2; i++)
            {
                await using var connection = await (i == 0 ? source : other).OpenConnectionAsync();
                Assert.Equal(tenants[i] + (completes ? "!" : ""), await Text(Mode.Async, connection, "SELECT name FROM who"));
            }
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_session_that_is_in_the_database_already_is_preferred_and_keeps_what_it_prepared(bool asynchronous)
    {
        await using var tenants = await Tenants.MakeAsync(ServerKind.MySql, 2);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = new MySqlDataSource(tenants.String(0, "Pool Per Server=true;Maximum Pool Size=2;Auto Prepare Min Uses=1"));
        await using var other = source.ForDatabase(tenants[1]);
        var ids = new int[2];
        await using (var first = await mode.Open(source))
        {
            await using var second = await mode.Open(other);
            Assert.Equal(tenants[0], await Text(mode, first, "SELECT name FROM who"));
            Assert.Equal(tenants[1], await Text(mode, second, "SELECT name FROM who"));
            ids = [((MySqlConnection)first).ServerThread, ((MySqlConnection)second).ServerThread];
        }

        for (var i = 0; i < 12; i++)
        {
            var number = i / 3 % 2;
            await using var connection = (MySqlConnection)await mode.Open(number == 0 ? source : other);
            Assert.Equal(ids[number], connection.ServerThread);
            Assert.Equal(tenants[number], await Text(mode, connection, "SELECT name FROM who"));
            if (i > 5)
                Assert.Equal(1, connection.MySqlSession.Prepared.Count);
        }
    }

    [Fact]
    public void A_warm_lease_in_the_same_database_allocates_nothing()
    {
        using var source =
            new MySqlDataSource(ConnectionStrings.MySql(LiveServers.GetAsync(ServerKind.MySql).GetAwaiter().GetResult(), "Pool Per Server=true"));
        var holder = new object();
        using (var connection = source.OpenConnection())
            Assert.True(connection.Ping());
        for (var i = 0; i < 100; i++)
            source.Sessions.Return(source.Sessions.Lease(holder, 1000));
        // The least of several rounds, because the runtime sometimes allocates on any thread.
        var least = long.MaxValue;
        for (var round = 0; round < 20 && least > 0; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < 100; i++)
                source.Sessions.Return(source.Sessions.Lease(holder, 1000));
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, least);
    }

    [Fact]
    public async Task What_could_not_be_written_moves_nobody_to_a_database_that_is_not_his()
    {
        await using var tenants = await Tenants.MakeAsync(ServerKind.MySql, 2);
        await using var source = new MySqlDataSource(tenants.String(0, "Pool Per Server=true;Maximum Pool Size=1;Connection Reset=false"));
        await using var other = source.ForDatabase(tenants[1]);
        for (var i = 0; i < 2; i++)
        {
            await using (var connection = await source.OpenConnectionAsync())
                Assert.Equal(tenants[0], await Text(Mode.Async, connection, "SELECT name FROM who"));
            await using (var connection = await other.OpenConnectionAsync())
            {
                await using var command = connection.CreateCommand();
                command.CommandText = "SELECT @unwritable";
                command.Parameters.AddWithValue("@unwritable", new object());
                await Assert.ThrowsAnyAsync<Exception>(() => command.ExecuteScalarAsync());
            }

            await using (var connection = await source.OpenConnectionAsync())
                Assert.Equal(tenants[0], await Text(Mode.Async, connection, "SELECT name FROM who"));
        }
    }

    [Fact]
    public async Task Connection_strings_that_differ_in_the_database_share_a_pool()
    {
        await using var tenants = await Tenants.MakeAsync(ServerKind.MariaDb, 3);
        var ids = new HashSet<int>();
        for (var i = 0; i < 9; i++)
        {
            await using var connection = new MySqlConnection(tenants.String(i % 3, "Pool Per Server=true;Application Name=one for all"));
            await connection.OpenAsync();
            ids.Add(connection.ServerThread);
            Assert.Equal(tenants[i % 3], await Text(Mode.Async, connection, "SELECT name FROM who"));
        }

        Assert.Single(ids);
        await using var without = new MySqlConnection(tenants.String(0, "Pool Per Server=true;Application Name=one for all;Database="));
        await without.OpenAsync();
        // No session that was in a database can serve it.
        Assert.DoesNotContain(without.ServerThread, ids);
        Assert.Equal("", without.Database);
        var refusal = await Assert.ThrowsAsync<MySqlException>(() => Text(Mode.Async, without, "SELECT name FROM who"));
        Assert.Equal(MySqlErrorCode.NoDatabaseSelected, refusal.ErrorCode);
        await MySqlConnection.ClearPoolAsync(without);
    }

    [Fact]
    public async Task Only_a_source_that_was_made_for_it_serves_other_databases()
    {
        var server = await LiveServers.GetAsync(ServerKind.MySql);
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server));
        var refusal = Assert.Throws<InvalidOperationException>(() => source.ForDatabase("mysql"));
        Assert.Contains("Pool Per Server", refusal.Message);

        var shared = new MySqlDataSource(ConnectionStrings.MySql(server, "Pool Per Server=true"));
        var schema = shared.ForDatabase("information_schema");
        await using (var connection = await schema.OpenConnectionAsync())
            Assert.Equal("information_schema", await Text(Mode.Async, connection, "SELECT DATABASE()"));
        await schema.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await schema.OpenConnectionAsync());
        // The other data source still uses the pool.
        await using (var connection = await shared.OpenConnectionAsync())
            Assert.Equal(server.Database, await Text(Mode.Async, connection, "SELECT DATABASE()"));
        var last = shared.ForDatabase("information_schema");
        await shared.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await last.OpenConnectionAsync());
        Assert.Equal((0, 0), (shared.Statistics.Idle, shared.Statistics.Busy));
    }

    [Theory, InlineData(ServerKind.MySql, true), InlineData(ServerKind.MariaDb, false)]
    public async Task Many_workers_over_many_databases_never_read_the_wrong_one(ServerKind kind, bool onePool)
    {
        const int Workers = 64;
        const int Databases = 8;
        const int Cap = 6;
        await using var tenants = await Tenants.MakeAsync(kind, Databases);
        var limit = new SessionLimit(Cap);
        var sources = new List<MySqlDataSource>();
        var more = "Auto Prepare Min Uses=2;Connection Timeout=60;" + (onePool ? "Pool Per Server=true;" : "");
        for (var i = 0; i < Databases; i++)
            sources.Add(
                onePool && i > 0 ? sources[0].ForDatabase(tenants[i]) : new MySqlDataSourceBuilder(tenants.String(i, more)).UseConnectionLimit(limit).Build());
        var most = 0;
        using var over = new CancellationTokenSource();
        var watch = Task.Run(async () =>
        {
            await using var watcher = new MySqlConnection(ConnectionStrings.MySql(tenants.Server, "Pooling=false"));
            await watcher.OpenAsync();
            while (!over.IsCancellationRequested)
            {
                await using var count = watcher.CreateCommand();
                count.CommandText = $"SELECT COUNT(*) FROM {kind.ProcessList()} WHERE db LIKE '{tenants.Prefix}%'";
                most = Math.Max(most, Convert.ToInt32(await count.ExecuteScalarAsync()));
                // The interval between two samples.
                await Task.Delay(5);
            }
        });
        await Task.WhenAll(Enumerable.Range(0, Workers).Select(worker => Task.Run(async () =>
        {
            var random = new Random(worker);
            for (var i = 0; i < 12; i++)
            {
                var number = random.Next(Databases);
                await using var connection = await sources[number].OpenConnectionAsync();
                for (var time = random.Next(4); time >= 0; time--)
                    Assert.Equal(tenants[number], await Text(Mode.Async, connection, "SELECT name FROM who"));
                if (random.Next(8) == 0)
                    await connection.ChangeDatabaseAsync(tenants[random.Next(Databases)]);
            }
        })));
        await over.CancelAsync();
        await watch;
        Assert.InRange(limit.Total, 1, Cap);
        Assert.Equal(0, limit.Waiting);
        // The server still counts a session for a moment after it has closed; the test allows for as many as there are workers.
        Assert.InRange(most, 1, 3 * Cap);
        foreach (var source in sources.AsEnumerable().Reverse())
            await source.DisposeAsync();
        Assert.Equal(0, limit.Total);
    }

    [Fact]
    public async Task Pools_of_different_providers_may_share_a_limit()
    {
        var limit = new SessionLimit(1);
        await using var one =
            new MySqlDataSourceBuilder(ConnectionStrings.MySql(await LiveServers.GetAsync(ServerKind.MariaDb))).UseConnectionLimit(limit).Build();
        await using var other =
            new PgDataSourceBuilder(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql))).UseConnectionLimit(limit).Build();
        for (var i = 0; i < 6; i++)
        {
            await using System.Data.Common.DbConnection connection = i % 2 == 0 ? await one.OpenConnectionAsync() : await other.OpenConnectionAsync();
            Assert.Equal("here", await Text(Mode.Async, connection, "SELECT 'here'"));
            Assert.Equal(1, limit.Total);
        }

        Assert.Equal((3, 3), (one.Statistics.Opened, other.Statistics.Opened));
        Assert.Throws<ArgumentException>(() => new MySqlDataSourceBuilder("Server=x;Pooling=false").UseConnectionLimit(limit).Build());
        Assert.Throws<ArgumentException>(() => new PgDataSourceBuilder("Host=x;Pooling=false").UseConnectionLimit(limit).Build());
    }

    [Fact]
    public async Task Pools_whose_strings_say_so_have_only_so_many_together()
    {
        await using var tenants = await Tenants.MakeAsync(ServerKind.MariaDb11, 3);
        var more = "Maximum Total Connections=2;Connection Timeout=";
        await using var first = new MySqlDataSource(tenants.String(0, more + "30"));
        await using var second = new MySqlDataSource(tenants.String(1, more + "30"));
        // The timeout is short only here, where it has to pass: a busy machine needs time to open a session.
        await using var third = new MySqlDataSource(tenants.String(2, more + "3"));
        await using (var one = await first.OpenConnectionAsync())
        {
            await using (var two = await second.OpenConnectionAsync())
            {
                var failure = await Assert.ThrowsAsync<MySqlException>(async () => await third.OpenConnectionAsync());
                Assert.Contains("Maximum Total Connections", failure.Message);
            }

            await using var three = await third.OpenConnectionAsync();
            Assert.Equal(1, second.Statistics.Closed[CloseReason.Evicted]);
        }

        Assert.Equal(2, first.Statistics.Idle + second.Statistics.Idle + third.Statistics.Idle);
    }

    private static async Task<string> Text(Mode mode, System.Data.Common.DbConnection connection, string sql)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        return (string)(await mode.Scalar(command) ?? "");
    }

    /// <summary>Databases that each have a table with the same name, whose row contains the database's name.</summary>
    private sealed class Tenants : IAsyncDisposable
    {
        private static int _made;
        private int _count;

        private Tenants(LabServer server) => Server = server;

        public LabServer Server { get; }

        public string Prefix { get; } = $"tenants_{Environment.ProcessId}_{Interlocked.Increment(ref _made)}_";

        public string this[int number] => $"{Prefix}{number}";

        public static async Task<Tenants> MakeAsync(ServerKind kind, int count)
        {
            var tenants = new Tenants(await LiveServers.GetAsync(kind));
            for (; tenants._count < count; tenants._count++)
            {
                var name = tenants[tenants._count];
                await tenants.RunAsync($"CREATE DATABASE {name}; CREATE TABLE {name}.who (name varchar(80)); INSERT INTO {name}.who VALUES ('{name}')");
            }

            return tenants;
        }

        public string String(int number, string more) => ConnectionStrings.MySql(Server, $"Database={this[number]};{more}");

        public async ValueTask DisposeAsync()
        {
            for (var i = 0; i < _count; i++)
                await RunAsync($"DROP DATABASE {this[i]}");
        }

        public async Task RunAsync(string sql)
        {
            await using var connection = new MySqlConnection(ConnectionStrings.MySql(Server));
            await connection.OpenAsync();
            await using var command = connection.CreateCommand();
            command.CommandText = sql;
            await command.ExecuteNonQueryAsync();
        }
    }
}
