using System.Collections.Concurrent;
using System.Data.Common;
using System.Transactions;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.WithTransactions;

/// <summary>Ambient transactions over several sessions leave nothing on the servers.</summary>
public sealed class ScopeTests
{
    private static int _tables;

    public static TheoryData<ServerKind, bool> MySqlWays => new()
    {
        { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true },
    };

    [Theory]
    [MemberData(nameof(MySqlWays))]
    public async Task Two_connections_are_two_branches_that_end_together(ServerKind kind, bool asynchronous)
    {
        await using var here = await Place.CreateAsync(kind, asynchronous);
        foreach (var (completes, expected) in new[] { (false, 0L), (true, 3L) })
        {
            var mark = "";
            using (var scope = Scope())
            {
                await using var one = await here.Open();
                await using var two = await here.Open();
                await here.Execute(one, $"INSERT INTO {here.Table} (id) VALUES (1)");
                await here.Execute(two, $"INSERT INTO {here.Table} (id) VALUES (2)");
                Assert.NotEqual(await here.Number(one, "SELECT CONNECTION_ID()"), await here.Number(two, "SELECT CONNECTION_ID()"));
                mark = Transaction.Current!.TransactionInformation.LocalIdentifier;
                if (completes)
                    scope.Complete();
            }

            Assert.Equal(expected, await here.Sum());
            Assert.Empty(await here.Prepared(mark));
            Assert.Equal(0, here.Source.Statistics.Busy);
            Assert.Equal(0, await here.OpenTransactions());
        }

        Assert.Equal(2, here.Source.Statistics.Idle);
    }

    [Theory]
    [MemberData(nameof(MySqlWays))]
    public async Task Without_XA_a_second_session_is_refused_and_the_first_goes_on(ServerKind kind, bool asynchronous)
    {
        await using var here = await Place.CreateAsync(kind, asynchronous, "Use XA Transactions=false");
        using (var scope = Scope())
        {
            await using var one = await here.Open();
            await here.Execute(one, $"INSERT INTO {here.Table} (id) VALUES (1)");
            var refusal = await Assert.ThrowsAsync<NotSupportedException>(here.Open);
            Assert.Contains("Use XA Transactions=true", refusal.Message);
            await here.Execute(one, $"INSERT INTO {here.Table} (id) VALUES (2)");
            scope.Complete();
        }

        Assert.Equal(3, await here.Sum());
        using (Scope())
        {
            await using var one = await here.Open();
            await here.Execute(one, $"INSERT INTO {here.Table} (id) VALUES (4)");
        }

        Assert.Equal(3, await here.Sum());
        Assert.Equal(0, here.Source.Statistics.Busy);
        Assert.Equal(0, await here.OpenTransactions());
    }

    [Theory]
    [MemberData(nameof(MySqlWays))]
    public async Task A_deadlock_rolls_one_scope_back_and_lets_the_other_go_on(ServerKind kind, bool asynchronous)
    {
        await using var here = await Place.CreateAsync(kind, asynchronous);
        await using (var connection = await here.Open())
            await here.Execute(connection, $"INSERT INTO {here.Table} (id) VALUES (1), (2)");
        using var both = new Barrier(2);
        var ended = await Task.WhenAll(Task.Run(() => Update(1, 2)), Task.Run(() => Update(2, 1)));
        Assert.Equal([false, true], ended.Order());
        Assert.Equal(0, here.Source.Statistics.Busy);
        Assert.Equal(0, await here.OpenTransactions());

        async Task<bool> Update(int first, int second)
        {
            try
            {
                using var scope = Scope();
                await using var connection = await here.Open();
                await here.Execute(connection, $"UPDATE {here.Table} SET other = other + 1 WHERE id = {first}");
                Assert.True(both.SignalAndWait(TimeSpan.FromSeconds(60)), "The other scope has not come so far.");
                try
                {
                    await here.Execute(connection, $"UPDATE {here.Table} SET other = other + 1 WHERE id = {second}");
                }
                catch (MySqlException deadlock) when (deadlock.ErrorCode is MySqlErrorCode.LockDeadlock or MySqlErrorCode.XARBDeadlock)
                {
                    // The scope is completed nevertheless, but must not count as a success.
                }

                scope.Complete();
                return true;
            }
            catch (TransactionAbortedException)
            {
                return false;
            }
        }
    }

    [Theory]
    [MemberData(nameof(MySqlWays))]
    public async Task A_scope_costs_one_round_trip_to_commit_and_none_when_nobody_used_it(ServerKind kind, bool asynchronous)
    {
        foreach (var options in new[] { "", "Use XA Transactions=false" })
        {
            await using var here = await Place.CreateAsync(kind, asynchronous, options, counted: true);
            for (var i = 0; i < 3; i++)
                await Once();
            here.Proxy!.Counters.Reset();
            for (var i = 0; i < 10; i++)
                await Once();
            Assert.Equal(20, here.Proxy.Counters.RoundTrips);
            here.Proxy.Counters.Reset();
            for (var i = 0; i < 10; i++)
            {
                using var scope = Scope();
                await using (await here.Open())
                    scope.Complete();
            }

            Assert.Equal(0, here.Proxy.Counters.BytesSent);

            async Task Once()
            {
                using var scope = Scope();
                await using var connection = await here.Open();
                await here.Number(connection, "SELECT 42");
                await here.Mode.Close(connection);
                scope.Complete();
            }
        }
    }

    [Theory]
    [MemberData(nameof(MySqlWays))]
    public async Task A_commands_transaction_can_be_ignored(ServerKind kind, bool asynchronous)
    {
        await using var here = await Place.CreateAsync(kind, asynchronous, "Ignore Command Transaction=true");
        await using var one = await here.Open();
        await using var two = await here.Open();
        var transaction = await here.Mode.Begin(one);
        await using var command = two.CreateCommand();
        command.CommandText = $"INSERT INTO {here.Table} (id) VALUES (1)";
        command.Transaction = transaction;
        await here.Mode.NonQuery(command);
        await here.Execute(one, $"INSERT INTO {here.Table} (id) VALUES (2)");
        await here.Mode.Rollback(transaction);
        Assert.Equal(1, await here.Sum());
        command.CommandText = $"INSERT INTO {here.Table} (id) VALUES (4)";
        await here.Mode.NonQuery(command);
        Assert.Equal(5, await here.Sum());
    }

    [Theory]
    [MemberData(nameof(MySqlWays))]
    public async Task A_session_is_the_same_after_a_scope_as_before(ServerKind kind, bool asynchronous)
    {
        await using var here = await Place.CreateAsync(kind, asynchronous, "Connection Reset=false");
        await using var connection = await here.Open();
        var state = $"SELECT CONCAT_WS('/', @@autocommit, {(kind == ServerKind.MySql ? "@@transaction_isolation" : "@@tx_isolation")}, @@sql_mode, DATABASE())";
        var before = await here.Text(connection, state);
        foreach (var completes in new[] { true, false })
        {
            using (var scope = Scope())
            {
                connection.EnlistTransaction(Transaction.Current);
                await here.Execute(connection, $"INSERT INTO {here.Table} (id) VALUES ({(completes ? 1 : 2)})");
                if (completes)
                    scope.Complete();
            }

            Assert.Equal(before, await here.Text(connection, state));
            Assert.Equal(1, await here.Sum());
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task PostgreSql_refuses_a_second_session_when_nothing_may_be_prepared(bool asynchronous)
    {
        await using var server = await LiveServers.StartPrivateAsync(ServerKind.PostgreSql, "-c", "max_prepared_transactions=0");
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server, "Application Name=second session;"));
        using (Scope())
        {
            await using var one = source.CreateConnection();
            await mode.Open(one);
            await using var two = source.CreateConnection();
            var refusal = await Assert.ThrowsAsync<NotSupportedException>(() => mode.Open(two));
            Assert.Contains("max_prepared_transactions", refusal.Message);
            await using var command = one.CreateCommand();
            command.CommandText = "SELECT 1";
            Assert.Equal(1, await mode.Scalar(command));
        }

        Assert.Equal(0, source.Statistics.Busy);
    }

    [Fact]
    public async Task Sessions_of_both_providers_end_together()
    {
        await using var willing = await LiveServers.StartPrivateAsync(ServerKind.PostgreSql, "-c", "max_prepared_transactions=5");
        await using var postgres = PgDataSource.Create(ConnectionStrings.PostgreSql(willing));
        await using var keeper = await postgres.OpenConnectionAsync();
        await Execute(Mode.Async, keeper, "CREATE TABLE scoped (id int)");
        foreach (var mode in new[] { Mode.Sync, Mode.Async })
        {
            await using var here = await Place.CreateAsync(ServerKind.MariaDb, mode.IsAsync);
            await Execute(mode, keeper, "DELETE FROM scoped");
            foreach (var (completes, expected) in new[] { (false, 0), (true, 2) })
            {
                using (var scope = Scope())
                {
                    await using var third = await here.Open();
                    await here.Execute(third, $"INSERT INTO {here.Table} (id) VALUES (1)");
                    for (var i = 0; i < 2; i++)
                    {
                        var connection = postgres.CreateConnection();
                        await mode.Open(connection);
                        await Execute(mode, connection, "INSERT INTO scoped VALUES (1)");
                        if (i == 1)
                            await mode.Dispose(connection);
                    }

                    if (completes)
                        scope.Complete();
                }

                await using var count = keeper.CreateCommand();
                count.CommandText = "SELECT (SELECT COUNT(*) FROM scoped)::int + 100 * (SELECT COUNT(*) FROM pg_prepared_xacts)::int";
                Assert.Equal(expected, await mode.Scalar(count));
                Assert.Equal(expected / 2, await here.Sum());
            }
        }

        static async Task Execute(Mode mode, DbConnection connection, string sql)
        {
            await using var command = connection.CreateCommand();
            command.CommandText = sql;
            await mode.NonQuery(command);
        }
    }

    private static TransactionScope Scope() => new(TransactionScopeAsyncFlowOption.Enabled);

    /// <summary>A table of its own, and a data source without other users.</summary>
    private sealed class Place(MySqlDataSource source, Mode mode, string table, LabProxy? proxy) : IAsyncDisposable
    {
        private readonly ConcurrentBag<int> _sessions = [];

        public MySqlDataSource Source => source;

        public Mode Mode => mode;

        public string Table => table;

        public LabProxy? Proxy => proxy;

        public static async Task<Place> CreateAsync(ServerKind kind, bool asynchronous, string options = "", bool counted = false)
        {
            var server = await LiveServers.GetAsync(kind);
            var proxy = counted ? LabProxy.Start(server.Host, server.Port) : null;
            var text = ConnectionStrings.MySql(server, options);
            if (proxy is not null)
                text = text.Replace($"Port={server.Port}", $"Port={proxy.Port}");
            var place = new Place(
                new MySqlDataSource(text), asynchronous ? Mode.Async : Mode.Sync, $"scoped_{Environment.ProcessId}_{Interlocked.Increment(ref _tables)}",
                proxy);
            await using var connection = await place.Open();
            await place.Execute(connection, $"CREATE TABLE {place.Table} (id int PRIMARY KEY, other int NOT NULL DEFAULT 0)");
            return place;
        }

        public async Task<DbConnection> Open()
        {
            var connection = source.CreateConnection();
            try
            {
                await mode.Open(connection);
                _sessions.Add(connection.ServerThread);
                return connection;
            }
            catch
            {
                await connection.DisposeAsync();
                throw;
            }
        }

        public async Task Execute(DbConnection connection, string sql)
        {
            await using var command = connection.CreateCommand();
            command.CommandText = sql;
            await mode.NonQuery(command);
        }

        public async Task<string?> Text(DbConnection connection, string sql)
        {
            await using var command = connection.CreateCommand();
            command.CommandText = sql;
            return Convert.ToString(await mode.Scalar(command), System.Globalization.CultureInfo.InvariantCulture);
        }

        public async Task<long> Number(DbConnection connection, string sql) =>
            Convert.ToInt64(await Text(connection, sql), System.Globalization.CultureInfo.InvariantCulture);

        public async Task<long> Sum()
        {
            await using var connection = await Open();
            return await Number(connection, $"SELECT COALESCE(SUM(id), 0) FROM {table}");
        }

        public async Task<List<string>> Prepared(string mark)
        {
            await using var connection = await Open();
            await using var command = connection.CreateCommand();
            command.CommandText = "XA RECOVER";
            await using var reader = await command.ExecuteReaderAsync();
            List<string> found = [];
            while (await reader.ReadAsync())
                if (reader.GetString(3).StartsWith(mark, StringComparison.Ordinal))
                    found.Add(reader.GetString(3));
            return found;
        }

        /// <summary>Counts the open transactions of the pool's sessions. The delay is necessary because InnoDB caches its list for a moment.</summary>
        public Task<long> OpenTransactions() => Undisturbed.Look(
            async () =>
            {
                await Task.Delay(150);
                await using var connection = await Open();
                return await Number(
                    connection, $"SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_mysql_thread_id IN ({string.Join(',', _sessions)})");
            },
            // MySQL cannot list them while any session runs a text that utf8mb3 cannot represent.
            static error => error is MySqlException { Number: 3854 });

        public async ValueTask DisposeAsync()
        {
            await using (var connection = await Open())
                await Execute(connection, $"DROP TABLE {table}");
            await source.DisposeAsync();
            if (proxy is not null)
                await proxy.DisposeAsync();
        }
    }
}
