using System.Globalization;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>START TRANSACTION ends what came before it. An unused transaction must do so, too, even if the driver would send it later.</summary>
public class UnusedTransactionTests
{
    private const int CannotExecuteInReadOnly = 1792;

    public static TheoryData<ServerKind, string> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, string>();
            foreach (var kind in new[] { ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11 })
                foreach (var options in new[] { "", "Pipelining=false;" })
                    ways.Add(kind, options);
            return ways;
        }
    }

    public static TheoryData<ServerKind> Kinds => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task It_releases_table_locks(ServerKind kind, string options)
    {
        var (locked, other) = ($"unused_locked_{kind}_{options.Length}", $"unused_other_{kind}_{options.Length}");
        string[] locks =
            [
                $"LOCK TABLES {locked} WRITE", $"SELECT 1; LOCK TABLES {locked} READ", $"FLUSH TABLES {locked} WITH READ LOCK",
                $"FLUSH TABLES {locked} FOR EXPORT"
            ];
        if (kind != ServerKind.MySql)
            locks = [.. locks, $"EXECUTE IMMEDIATE CONCAT('LO', 'CK TABLES {locked} WRITE')"];
        foreach (var mode in new[] { Mode.Sync, Mode.Async })
        {
            await using var connection = await OpenAsync(kind, options);
            await RunAsync(connection, $"CREATE TABLE IF NOT EXISTS {locked} (v INT); CREATE TABLE IF NOT EXISTS {other} (v INT)");
            foreach (var sql in locks)
                foreach (var end in Ends(mode))
                {
                    await RunAsync(connection, sql);
                    Assert.Equal(
                        (int)MySqlErrorCode.TableNotLocked,
                        (await Assert.ThrowsAsync<MySqlException>(() => RunAsync(connection, $"SELECT * FROM {other}"))).Number);
                    await end((MySqlTransaction)await mode.Begin(connection));
                    await RunAsync(connection, $"SELECT * FROM {other}");
                }

            await RunAsync(connection, $"DROP TABLE {locked}, {other}");
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_tells_of_the_last_statement_tells_of_its_end(ServerKind kind, string options)
    {
        // MariaDB keeps warnings until a statement with a table.
        var (warning, warnings) = kind == ServerKind.MySql ? (null, "0") : ("Warning", "1");
        foreach (var mode in new[] { Mode.Sync, Mode.Async })
        {
            await using var connection = await OpenAsync(kind, options);
            await RunAsync(connection, "CREATE TEMPORARY TABLE seen (v INT AUTO_INCREMENT PRIMARY KEY, n INT); SET SESSION sql_mode = ''");
            foreach (var end in Ends(mode))
            {
                foreach (var (question, expected) in new[] { ("SELECT ROW_COUNT()", "0"), ("SHOW WARNINGS", warning), ("SHOW COUNT(*) WARNINGS", warnings) })
                {
                    await RunAsync(connection, "INSERT INTO seen (n) VALUES ('none'), (2)");
                    var key = await ScalarAsync(connection, "SELECT LAST_INSERT_ID()");
                    await RunAsync(connection, "INSERT INTO seen (n) VALUES ('none'), (2)");
                    await end((MySqlTransaction)await mode.Begin(connection));
                    Assert.Equal(expected, (await ScalarAsync(connection, question))?.ToString());
                    Assert.Equal(Number(key) + 2, Number(await ScalarAsync(connection, "SELECT LAST_INSERT_ID()")));
                }

                // One after the other, and a used one after an unused one.
                await RunAsync(connection, "INSERT INTO seen (n) VALUES ('none'), (2)");
                await end((MySqlTransaction)await mode.Begin(connection));
                await end((MySqlTransaction)await mode.Begin(connection));
                await using var transaction = (MySqlTransaction)await mode.Begin(connection);
                await using var command = new MySqlCommand("SELECT ROW_COUNT()", connection, transaction);
                Assert.Equal(0L, Number(command.ExecuteScalar()));
                command.CommandText = "INSERT INTO seen (n) VALUES (3)";
                Assert.Equal(1, command.ExecuteNonQuery());
                await transaction.RollbackAsync();
                Assert.Equal(0L, Number(await ScalarAsync(connection, "SELECT COUNT(*) FROM seen WHERE n = 3")));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_tells_of_the_last_statement_tells_of_the_end_of_an_ambient_one(ServerKind kind, string options)
    {
        await using var connection = await OpenAsync(kind, options);
        await RunAsync(connection, "CREATE TEMPORARY TABLE seen (v INT)");
        foreach (var isFirst in new[] { true, false })
            foreach (var commits in new[] { true, false })
            {
                await RunAsync(connection, "INSERT INTO seen VALUES (1), (2)");
                if (!isFirst)
                    await (await connection.BeginTransactionAsync()).CommitAsync();
                using (var ambient = new System.Transactions.CommittableTransaction())
                {
                    connection.EnlistTransaction(ambient);
                    if (commits)
                        ambient.Commit();
                    else
                        ambient.Rollback();
                }

                Assert.Equal(0L, Number(await ScalarAsync(connection, "SELECT ROW_COUNT()")));
            }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Without_a_reset_the_next_lease_sees_its_end(ServerKind kind, string options)
    {
        var server = await LiveServers.GetAsync(kind);
        foreach (var mode in new[] { Mode.Sync, Mode.Async })
        {
            await using var source = new MySqlDataSource(ConnectionStrings.MySql(server, "Maximum Pool Size=1;Reset Mode=Never;" + options));
            await using (var connection = await source.OpenConnectionAsync())
                await RunAsync(connection, "CREATE TEMPORARY TABLE seen (v INT)");
            Func<MySqlTransaction, Task>[] ends = [.. Ends(mode), static _ => Task.CompletedTask];
            foreach (var end in ends)
            {
                await using (var connection = await source.OpenConnectionAsync())
                {
                    await RunAsync(connection, "INSERT INTO seen VALUES (1), (2)");
                    await end((MySqlTransaction)await mode.Begin(connection));
                }

                await using var next = await source.OpenConnectionAsync();
                Assert.Equal(0L, Number(await ScalarAsync(next, "SELECT ROW_COUNT()")));
            }
        }
    }

    // COMMIT begins the next transaction: what follows is part of it.
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Its_end_may_begin_the_transaction_of_what_follows(ServerKind kind, string options)
    {
        var table = $"unused_chain_{kind}_{options.Length}";
        foreach (var mode in new[] { Mode.Sync, Mode.Async })
        {
            await using var source = new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), options));
            await using var connection = await source.OpenConnectionAsync();
            await RunAsync(connection, $"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} (v INT)");
            // From here on, no state is left that the next BEGIN would have to end at once.
            await mode.Dispose(await mode.Begin(connection));
            await RunAsync(connection, "SET SESSION completion_type = 'CHAIN'");
            await mode.Commit((MySqlTransaction)await mode.Begin(connection));
            var copy = new MySqlBulkCopy(connection) { DestinationTableName = table };
            using var rows = new System.Data.DataTable { Columns = { { "v", typeof(int) } }, Rows = { { 1 }, { 2 } } };
            if (mode.IsAsync)
                await copy.WriteToServerAsync(rows);
            else
                copy.WriteToServer(rows);
            await RunAsync(connection, "ROLLBACK AND NO CHAIN");
            Assert.Equal(0L, Number(await ScalarAsync(connection, $"SELECT COUNT(*) FROM {table}")));

            await RunAsync(connection, "SET SESSION completion_type = 'NO_CHAIN'");
            await mode.Dispose(await mode.Begin(connection));
            await RunAsync(connection, "SET SESSION completion_type = 'CHAIN'");
            await mode.Commit((MySqlTransaction)await mode.Begin(connection));
            using (var ambient = new System.Transactions.CommittableTransaction())
                Assert.Throws<InvalidOperationException>(() => connection.EnlistTransaction(ambient));
            // SET TRANSACTION is refused inside a transaction: the open one is ended first.
            await RunAsync(connection, "ROLLBACK AND NO CHAIN; SET SESSION completion_type = 'NO_CHAIN'");
            await mode.Dispose(await mode.Begin(connection));
            await RunAsync(connection, "SET SESSION completion_type = 'CHAIN'");
            await mode.Commit((MySqlTransaction)await mode.Begin(connection));
            await mode.Dispose(connection.BeginTransaction(System.Data.IsolationLevel.ReadCommitted));
            await RunAsync(connection, $"ROLLBACK AND NO CHAIN; DROP TABLE {table}");
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task An_ambient_one_releases_table_locks_too(ServerKind kind, string options)
    {
        var locked = $"unused_ambient_{kind}_{options.Length}";
        await using var connection = await OpenAsync(kind, options + "Use XA Transactions=false;");
        await using var other = await OpenAsync(kind, options);
        await RunAsync(connection, $"CREATE TABLE IF NOT EXISTS {locked} (v INT)");
        await RunAsync(other, "SET lock_wait_timeout = 1");
        await RunAsync(connection, $"LOCK TABLES {locked} WRITE");
        await Assert.ThrowsAsync<MySqlException>(() => RunAsync(other, $"SELECT * FROM {locked}"));
        using (var ambient = new System.Transactions.CommittableTransaction())
        {
            connection.EnlistTransaction(ambient);
            await RunAsync(other, $"SELECT * FROM {locked}");
            await RunAsync(connection, $"INSERT INTO {locked} VALUES (1)");
            ambient.Commit();
        }

        await RunAsync(other, $"DROP TABLE {locked}");
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task It_begins_behind_a_refused_statement_that_has_begun_one(ServerKind kind, string options)
    {
        var (table, procedure) = ($"unused_refused_{kind}_{options.Length}", $"unused_refused_p_{kind}_{options.Length}");
        foreach (var mode in new[] { Mode.Sync, Mode.Async })
        {
            await using var connection = await OpenAsync(kind, options);
            await RunAsync(
                connection,
                $"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} (v INT PRIMARY KEY); INSERT INTO {table} VALUES (1); DROP PROCEDURE IF EXISTS "
                    + $"{procedure}");
            await RunAsync(connection, $"CREATE PROCEDURE {procedure}() BEGIN START TRANSACTION; INSERT INTO {table} VALUES (1); END");
            foreach (var (before, refused) in new[] { ("DO 0", $"CALL {procedure}()"), ("SET autocommit = 0", $"INSERT INTO {table} VALUES (1)") })
                foreach (var end in Ends(mode))
                {
                    await RunAsync(connection, before);
                    Assert.Equal((int)MySqlErrorCode.DuplicateKeyEntry, (await Assert.ThrowsAsync<MySqlException>(() => RunAsync(connection, refused))).Number);
                    await end((MySqlTransaction)await mode.Begin(connection));
                }

            await RunAsync(connection, $"DROP TABLE {table}; DROP PROCEDURE {procedure}");
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task It_is_the_one_that_a_SET_TRANSACTION_was_for(ServerKind kind, string options)
    {
        var table = $"unused_once_{kind}_{options.Length}";
        foreach (var mode in new[] { Mode.Sync, Mode.Async })
        {
            await using var connection = await OpenAsync(kind, options);
            await RunAsync(connection, $"CREATE TABLE IF NOT EXISTS {table} (v INT)");
            if (kind != ServerKind.MySql)
                await RunAsync(
                    connection,
                    $"DROP FUNCTION IF EXISTS {table}; CREATE FUNCTION {table}() RETURNS INT NO SQL BEGIN SET TRANSACTION READ ONLY; RETURN 1; END");
            foreach (var once in kind == ServerKind.MySql ? (string[])["SET TRANSACTION READ ONLY"] : ["SET TRANSACTION READ ONLY", $"SELECT {table}()"])
                foreach (var end in Ends(mode))
                {
                    await RunAsync(connection, once);
                    await end((MySqlTransaction)await mode.Begin(connection));
                    await RunAsync(connection, $"INSERT INTO {table} VALUES (1)");
                }

            await RunAsync(connection, $"DROP TABLE {table}; DROP FUNCTION IF EXISTS {table}");
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task It_is_the_one_that_a_SET_TRANSACTION_was_for_behind_an_error_too(ServerKind kind, string options)
    {
        var table = $"unused_error_{kind}_{options.Length}";
        foreach (var mode in new[] { Mode.Sync, Mode.Async })
            foreach (var autocommit in new[] { "SET autocommit = 1", "SET autocommit = 0" })
            {
                await using var connection = await OpenAsync(kind, options);
                await RunAsync(connection, $"CREATE TABLE IF NOT EXISTS {table} (v INT)");
                await RunAsync(connection, autocommit);
                await RunAsync(connection, "SET TRANSACTION READ ONLY");
                await Assert.ThrowsAsync<MySqlException>(() => RunAsync(connection, "SELECT nonsense"));
                await using (var transaction = (MySqlTransaction)await mode.Begin(connection))
                {
                    await using var insert = new MySqlCommand($"INSERT INTO {table} VALUES (1)", connection, transaction);
                    Assert.Equal(CannotExecuteInReadOnly, (await Assert.ThrowsAsync<MySqlException>(() => mode.NonQuery(insert))).Number);
                }

                await RunAsync(connection, $"DROP TABLE {table}");
            }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task An_ambient_one_is_refused_beside_one_that_only_a_refused_statement_has_begun(ServerKind kind, string options)
    {
        var table = $"unused_beside_{kind}_{options.Length}";
        foreach (var isXa in new[] { true, false })
        {
            await using var connection = await OpenAsync(kind, options + $"Use XA Transactions={isXa};");
            await using var other = await OpenAsync(kind, options);
            await RunAsync(
                connection, $"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} (v INT PRIMARY KEY); INSERT INTO {table} VALUES (1); SET autocommit = 0");
            await Assert.ThrowsAsync<MySqlException>(() => RunAsync(connection, $"INSERT INTO {table} VALUES (1)"));
            using (var ambient = new System.Transactions.CommittableTransaction())
            {
                Assert.Throws<InvalidOperationException>(() => connection.EnlistTransaction(ambient));
                // The connection has not joined the transaction in part.
                await RunAsync(connection, $"INSERT INTO {table} VALUES (2); COMMIT");
                connection.EnlistTransaction(ambient);
                await RunAsync(connection, $"INSERT INTO {table} VALUES (3)");
                ambient.Rollback();
            }

            await using var count = new MySqlCommand($"SELECT COUNT(*) FROM {table}", other);
            Assert.Equal(2L, await count.ExecuteScalarAsync());
            await RunAsync(connection, $"COMMIT; DROP TABLE {table}");
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task It_commits_what_a_procedure_began(ServerKind kind, string options)
    {
        var (table, procedure) = ($"unused_work_{kind}_{options.Length}", $"unused_begin_{kind}_{options.Length}");
        foreach (var mode in new[] { Mode.Sync, Mode.Async })
        {
            await using var connection = await OpenAsync(kind, options);
            await using var other = await OpenAsync(kind, options);
            await RunAsync(connection, $"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} (v INT); DROP PROCEDURE IF EXISTS {procedure}");
            await RunAsync(connection, $"CREATE PROCEDURE {procedure}() BEGIN START TRANSACTION; INSERT INTO {table} VALUES (1); END");
            var rows = 0L;
            foreach (var isText in new[] { true, false })
                foreach (var end in Ends(mode))
                {
                    await using (
                        var command = new MySqlCommand(isText ? $"CALL {procedure}()" : procedure, connection)
                        {
                            CommandType = isText ? System.Data.CommandType.Text : System.Data.CommandType.StoredProcedure
                        })
                        await mode.NonQuery(command);
                    await end((MySqlTransaction)await mode.Begin(connection));
                    await using var count = new MySqlCommand($"SELECT COUNT(*) FROM {table}", other);
                    Assert.Equal(++rows, await mode.Scalar(count));
                }

            await RunAsync(connection, $"DROP TABLE {table}; DROP PROCEDURE {procedure}");
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task It_costs_round_trips_only_where_something_may_be_ended(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        var direct = ConnectionStrings.MySql(server, "Maximum Pool Size=1;Auto Prepare=false;Allow User Variables=true;");
        await using var source = new MySqlDataSource(direct.Replace($"Port={server.Port}", $"Port={proxy.Port}", StringComparison.Ordinal));
        foreach (var mode in new[] { Mode.Sync, Mode.Async })
            foreach (var (before, isKnown) in new[]
                     {
                         ("SELECT 1", true), ("SELECT nonsense", true), ("SET sql_select_limit = DEFAULT", true), ("SELECT @a := 1", kind == ServerKind.MySql),
                         ("DO 0", kind == ServerKind.MySql),
                         ("START TRANSACTION; COMMIT", false), ("SET autocommit = 0", false), ("BEGIN", false), ("UNLOCK TABLES", false),
                         ("SET TRANSACTION READ WRITE", false),
                     })
            {
                await using var connection = (MySqlConnection)await mode.Open(source);
                await using (var command = new MySqlCommand(before, connection))
                {
                    if (before.Contains("nonsense", StringComparison.Ordinal))
                        await Assert.ThrowsAsync<MySqlException>(() => mode.Scalar(command));
                    else
                        await mode.Scalar(command);
                }

                proxy.Counters.Reset();
                await mode.Dispose(await mode.Begin(connection));
                Assert.Equal((before, isKnown ? 0 : 2), (before, proxy.Counters.RoundTrips));
                if (before.Contains("autocommit", StringComparison.Ordinal))
                    continue;
                // The state that might have existed is gone.
                proxy.Counters.Reset();
                await mode.Dispose(await mode.Begin(connection));
                Assert.Equal((before, 0), (before, proxy.Counters.RoundTrips));
            }
    }

    private static IEnumerable<Func<MySqlTransaction, Task>> Ends(Mode mode) => [mode.Commit, mode.Rollback, mode.Dispose];

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind, string options)
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Pooling=false;" + options));
        await connection.OpenAsync();
        return connection;
    }

    private static async Task RunAsync(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    private static async Task<object?> ScalarAsync(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        return await command.ExecuteScalarAsync();
    }

    private static long Number(object? value) => Convert.ToInt64(value, CultureInfo.InvariantCulture);
}
