using System.Data.Common;
using System.Transactions;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;
using IsolationLevel = System.Data.IsolationLevel;

namespace Slipstream.Live.PostgreSql;

/// <summary>An automatically prepared statement that another session has since changed never costs a transaction.</summary>
public class StaleInTransactionTests
{
    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    private static int _names;

    // How a transaction begins, and what runs in it before the table is changed.
    public static TheoryData<string, string, string> Ways
    {
        get
        {
            var ways = new TheoryData<string, string, string>();
            foreach (var way in new[] { "first", "second", "by text", "savepoint", "rolled back", "chained", "ambient first", "ambient second", "unglued" })
                foreach (var sql in new[]
                {
                    "SELECT * FROM {t}",
                    "INSERT INTO {t} (a) VALUES (7) RETURNING *",
                    "UPDATE {t} SET a = $1",
                    "SELECT a FROM {t} WHERE a = $1"
                })
                    foreach (var options in new[] { "", "Auto Prepare=false" })
                        ways.Add(way, sql, options);
            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_table_that_another_session_changes_costs_no_transaction(string way, string sql, string options)
    {
        await using var source = await SourceAsync(way == "unglued" ? options + ";Pipelining=false" : options);
        await using var other = await (await SourceAsync("Pooling=false")).OpenConnectionAsync(TestContext.Current.CancellationToken);
        var table = $"stale_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(other, $"CREATE TABLE {table} (a int); INSERT INTO {table} VALUES (1)");
        sql = sql.Replace("{t}", table);
        try
        {
            await using (var warm = source.OpenConnection())
                for (var i = 0; i < 4; i++)
                    Run(warm, sql);
            using var scope = way.StartsWith("ambient", StringComparison.Ordinal) ? new TransactionScope(TransactionScopeAsyncFlowOption.Enabled) : null;
            await using (var connection = source.OpenConnection())
            {
                var transaction = way is "by text" || scope is not null ? null : connection.BeginTransaction(IsolationLevel.ReadCommitted);
                if (way == "by text")
                    Execute(connection, "BEGIN");
                if (way is "second" or "savepoint" or "rolled back" or "ambient second")
                    Execute(connection, "SELECT 1");
                if (way == "savepoint")
                    transaction!.Save("here");
                if (way == "rolled back")
                {
                    // The savepoint's rollback also releases the lock.
                    transaction!.Save("here");
                    Run(connection, sql);
                    transaction.Rollback("here");
                }

                if (way == "chained")
                {
                    Run(connection, sql);
                    Execute(connection, "ROLLBACK AND CHAIN");
                    Run(connection, sql);
                    Execute(connection, "COMMIT AND CHAIN");
                }

                Execute(other, $"SET lock_timeout = '5s'; ALTER TABLE {table} ADD COLUMN b int; ALTER TABLE {table} ALTER COLUMN a TYPE text USING a::text");
                for (var i = 0; i < 3; i++)
                    Assert.Equal(sql.Contains('*') ? 2 : sql.Contains("UPDATE") ? 0 : 1, Run(connection, sql, "1"));
                if (way == "by text")
                    Execute(connection, "COMMIT");
                transaction?.Commit();
                transaction?.Dispose();
            }

            scope?.Complete();
        }
        finally
        {
            Execute(other, $"DROP TABLE {table}");
        }
    }

    [Theory]
    [InlineData(false, "")]
    [InlineData(true, "")]
    [InlineData(false, "Auto Prepare=false")]
    public async Task Nor_does_it_cost_a_batch_of_which_something_has_been_seen(bool inTransaction, string options)
    {
        await using var source = await SourceAsync(options);
        await using var connection = source.OpenConnection();
        await using var other = await (await SourceAsync("Pooling=false")).OpenConnectionAsync(TestContext.Current.CancellationToken);
        var table = $"stale_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(other, $"CREATE TABLE {table} (a int); CREATE TABLE {table}_log (a int); INSERT INTO {table} VALUES (1)");
        try
        {
            for (var i = 0; i < 6; i++)
            {
                if (i > 3)
                    Execute(other, $"ALTER TABLE {table} ADD COLUMN c{i} int");
                var transaction = inTransaction ? connection.BeginTransaction() : null;
                await using var batch = new PgBatch(connection, transaction)
                {
                    BatchCommands =
                    {
                        new PgBatchCommand($"INSERT INTO {table}_log VALUES (1) RETURNING a"), new PgBatchCommand($"SELECT * FROM {table}"),
                        new PgBatchCommand($"SELECT * FROM {table} "), new PgBatchCommand($"SELECT * FROM {table}"),
                        new PgBatchCommand($"INSERT INTO {table}_log VALUES (2)"),
                    },
                };
                var columns = new List<int>();
                await using (var reader = batch.ExecuteReader())
                {
                    do
                    {
                        Assert.True(reader.Read());
                        columns.Add(reader.FieldCount);
                    }
                    while (reader.NextResult());
                }

                var count = i > 3 ? i - 2 : 1;
                Assert.Equal([1, count, count, count], columns);
                transaction?.Commit();
                transaction?.Dispose();
            }

            Assert.Equal(12L, Run(connection, $"SELECT count(*) FROM {table}_log", value: true));
        }
        finally
        {
            Execute(other, $"DROP TABLE {table}; DROP TABLE {table}_log");
        }
    }

    [Theory]
    [InlineData(IsolationLevel.ReadUncommitted, "read uncommitted")]
    [InlineData(IsolationLevel.ReadCommitted, "read committed")]
    [InlineData(IsolationLevel.RepeatableRead, "repeatable read")]
    [InlineData(IsolationLevel.Serializable, "serializable")]
    public async Task The_transaction_that_begins_anew_keeps_its_isolation_level(IsolationLevel level, string name)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        await using var other = await (await SourceAsync("Pooling=false")).OpenConnectionAsync(TestContext.Current.CancellationToken);
        var table = $"stale_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(other, $"CREATE TABLE {table} (a int)");
        try
        {
            for (var i = 0; i < 4; i++)
                Run(connection, $"SELECT * FROM {table}");
            Execute(connection, "SET default_transaction_read_only = on; SET default_transaction_deferrable = on");
            for (var i = 2; i < 6; i++)
            {
                Execute(other, $"ALTER TABLE {table} ADD COLUMN c{i} int");
                await using var transaction = connection.BeginTransaction(level);
                if (i % 2 == 0)
                    Assert.Equal(i, Run(connection, $"SELECT * FROM {table}"));
                else
                {
                    await using var batch = new PgBatch(connection, transaction)
                    {
                        BatchCommands = { new PgBatchCommand($"SELECT * FROM {table}"), new PgBatchCommand("SELECT 1") }
                    };
                    await using var reader = await batch.ExecuteReaderAsync(TestContext.Current.CancellationToken);
                    Assert.Equal(i, reader.FieldCount);
                }

                Assert.Equal(name, Scalar(connection, "SHOW transaction_isolation"));
                Assert.Equal("on", Scalar(connection, "SHOW transaction_read_only"));
                Assert.Equal("on", Scalar(connection, "SHOW transaction_deferrable"));
                transaction.Commit();
            }
        }
        finally
        {
            Execute(other, $"DROP TABLE {table}");
        }
    }

    // A rollback releases neither a session's lock nor a sequence's number.
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task A_batch_calls_no_function_twice(bool inTransaction, bool scalar)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        await using var other = await (await SourceAsync("Pooling=false")).OpenConnectionAsync(TestContext.Current.CancellationToken);
        var number = Interlocked.Increment(ref _names);
        var table = $"stale_{Environment.ProcessId}_{number}";
        Execute(other, $"CREATE TABLE {table} (a int)");
        try
        {
            for (var i = 0; i < 6; i++)
            {
                if (i > 3)
                    Execute(other, $"ALTER TABLE {table} ADD COLUMN c{i} int");
                var transaction = inTransaction ? connection.BeginTransaction() : null;
                await using (var batch = new PgBatch(connection, transaction)
                    { BatchCommands = { new PgBatchCommand($"SELECT pg_advisory_lock({number}, 14)"), new PgBatchCommand($"SELECT * FROM {table}") } })
                    _ = scalar ? batch.ExecuteScalar() : batch.ExecuteNonQuery();
                transaction?.Commit();
                transaction?.Dispose();
                Execute(connection, $"SELECT pg_advisory_unlock({number}, 14)");
                Assert.Equal(true, Scalar(other, $"SELECT pg_try_advisory_lock({number}, 14)"));
                Execute(other, $"SELECT pg_advisory_unlock({number}, 14)");
            }
        }
        finally
        {
            Execute(other, $"DROP TABLE {table}");
        }
    }

    // The server does not plan what follows the stale statement, so the driver cannot send the batch again.
    [Fact]
    public async Task Nor_a_batch_that_cannot_be_repeated()
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        await using var other = await (await SourceAsync("Pooling=false")).OpenConnectionAsync(TestContext.Current.CancellationToken);
        var table = $"stale_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(other, $"CREATE TABLE {table} (a int)");
        try
        {
            for (var i = 0; i < 6; i++)
            {
                if (i > 3)
                    Execute(other, $"ALTER TABLE {table} ADD COLUMN c{i} int");
                await using var batch = new PgBatch(connection)
                {
                    BatchCommands = { new PgBatchCommand($"SELECT * FROM {table}"), new PgBatchCommand("SET statement_timeout = 10000") }
                };
                Assert.Equal(-1, batch.ExecuteNonQuery());
            }
        }
        finally
        {
            Execute(other, $"DROP TABLE {table}");
        }
    }

    [Theory]
    [InlineData(100)]
    [InlineData(20_000)]
    [InlineData(200_000)]
    public async Task Nor_a_command_whose_values_are_too_large_to_keep(int length)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        await using var other = await (await SourceAsync("Pooling=false")).OpenConnectionAsync(TestContext.Current.CancellationToken);
        var table = $"stale_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(other, $"CREATE TABLE {table} (a int); INSERT INTO {table} VALUES (1)");
        try
        {
            for (var i = 0; i < 9; i++)
            {
                if (i > 3)
                    Execute(other, $"ALTER TABLE {table} ADD COLUMN c{i} int");
                var bytes = new byte[length];
                object value = i % 3 == 0 ? bytes : i % 3 == 1 ? new MemoryStream(bytes) : new BufferedStream(new MemoryStream(bytes));
                using var command = new PgCommand($"SELECT *, length($1) FROM {table}", connection) { Parameters = { new PgParameter { Value = value } } };
                using var reader = command.ExecuteReader();
                Assert.True(reader.Read());
                Assert.Equal(length, reader.GetInt32(reader.FieldCount - 1));
            }
        }
        finally
        {
            Execute(other, $"DROP TABLE {table}");
        }
    }

    [Fact]
    public async Task What_is_parsed_anew_costs_no_round_trip_and_only_the_first_time()
    {
        var server = await LiveServers.GetAsync(Kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = PgDataSource.Create(
            $"Host=127.0.0.1;Port={proxy.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Disable;Max Pool Size=1");
        await using var connection = source.OpenConnection();
        var sql = $"SELECT {string.Join(" + ", Enumerable.Repeat("1", 200))}";
        var second = $"SELECT {string.Join(" + ", Enumerable.Repeat("2", 200))}";
        for (var i = 0; i < 4; i++)
            Assert.Equal((200, 400), ((int)Scalar(connection, sql)!, (int)Scalar(connection, second)!));
        for (var i = 0; i < 2; i++)
        {
            var sent = new List<bool>();
            using var transaction = connection.BeginTransaction();
            foreach (var text in new[] { sql, second, sql, second, second })
            {
                proxy.Counters.Reset();
                Scalar(connection, text);
                Assert.Equal((1, 1), (proxy.Counters.RoundTrips, proxy.Counters.SegmentsSent));
                sent.Add(proxy.Counters.BytesSent > 800);
            }

            Assert.Equal([false, true, false, false, false], sent);
            transaction.Commit();
        }

        Assert.Equal(2L, Scalar(connection, "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT _ + _ +%'"));
    }

    [Theory]
    [InlineData(false, "")]
    [InlineData(true, "")]
    [InlineData(false, "Pipelining=false")]
    [InlineData(true, "Pipelining=false")]
    [InlineData(false, "Auto Prepare=false")]
    [InlineData(true, "Auto Prepare=false;Pipelining=false")]
    public async Task What_an_earlier_lease_has_prepared_is_not_told_stale_to_one_that_asks_to_prepare(bool isBatch, string options)
    {
        await using var source = await SourceAsync(options + ";Max Pool Size=1");
        await using var other = await (await SourceAsync("Pooling=false")).OpenConnectionAsync(TestContext.Current.CancellationToken);
        var table = $"stale_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(other, $"CREATE TABLE {table} (a int, b int); INSERT INTO {table} VALUES (1, 2)");
        var sql = $"SELECT * FROM {table}";
        try
        {
            await using (var first = source.OpenConnection())
            {
                Execute(first, $"CREATE TEMP TABLE {table} AS SELECT 7::text AS a");
                for (var i = 0; i < 4; i++)
                    Assert.Equal(1, Columns(first, null, prepares: options.StartsWith("Auto", StringComparison.Ordinal)));
            }

            await using var connection = source.OpenConnection();
            await using var transaction = connection.BeginTransaction();
            Assert.Equal(2, Columns(connection, transaction, prepares: true));
            Assert.Equal(2, Columns(connection, transaction, prepares: true));
            transaction.Commit();
        }
        finally
        {
            Execute(other, $"DROP TABLE {table}");
        }

        int Columns(PgConnection connection, PgTransaction? transaction, bool prepares)
        {
            if (!isBatch)
            {
                using var command = new PgCommand(sql, connection, transaction);
                if (prepares)
                    command.Prepare();
                using var rows = command.ExecuteReader();
                return rows.FieldCount;
            }

            using var batch = new PgBatch(connection, transaction);
            batch.BatchCommands.Add(new PgBatchCommand(sql));
            if (prepares)
                batch.Prepare();
            using var reader = batch.ExecuteReader();
            return reader.FieldCount;
        }
    }

    // The prepared statement is closed by then, and its earlier result columns no longer apply.
    [Theory]
    [InlineData("real")]
    [InlineData("bigint")]
    [InlineData("date")]
    [InlineData("text")]
    [InlineData("int, b text DEFAULT 'x'")]
    public async Task What_could_not_be_parsed_anew_is_described_when_it_can(string type)
    {
        await using var source = await SourceAsync();
        await using var plain = await SourceAsync("Auto Prepare=false");
        await using var connection = source.OpenConnection();
        await using var other = plain.OpenConnection();
        var table = $"stale_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(other, $"CREATE TABLE {table} (a int); INSERT INTO {table} VALUES (7)");
        var sql = $"SELECT * FROM {table}";
        try
        {
            for (var i = 0; i < 4; i++)
                Assert.Equal(7, Run(connection, sql, value: true));
            using (connection.BeginTransaction())
            {
                Execute(connection, "SELECT 1");
                Execute(other, $"ALTER TABLE {table} RENAME TO {table}_old");
                Assert.Equal("42P01", Assert.Throws<PgException>(() => Run(connection, sql)).SqlState);
            }

            Execute(other, $"CREATE TABLE {table} (a {type}); INSERT INTO {table} (a) VALUES ({(type == "date" ? "'2000-01-08'" : "7")})");
            for (var i = 0; i < 3; i++)
            {
                Assert.Equal(Run(other, sql, value: true), Run(connection, sql, value: true));
                Assert.Equal(Run(other, sql), Run(connection, sql));
            }
        }
        finally
        {
            Execute(other, $"DROP TABLE IF EXISTS {table}, {table}_old");
        }
    }

    // After a query, an INSERT is not parsed again, because the server plans it again; but the server can refuse it. A statement that the caller has prepared
    // is executed unchanged.
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task A_batch_calls_no_function_twice_for_a_refusal_behind_it(bool isPrepared, bool scalar)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        await using var other = await (await SourceAsync("Pooling=false")).OpenConnectionAsync(TestContext.Current.CancellationToken);
        var table = $"stale_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(other, $"CREATE TABLE {table} (a int); CREATE SEQUENCE {table}_s");
        try
        {
            var second = isPrepared ? $"SELECT * FROM {table}" : $"INSERT INTO {table} VALUES (1)";
            await using var batch = new PgBatch(connection)
                { BatchCommands = { new PgBatchCommand($"SELECT nextval('{table}_s')"), new PgBatchCommand(second) } };
            if (isPrepared)
                batch.Prepare();
            for (var i = 0; i < 4; i++)
                _ = scalar ? batch.ExecuteScalar() : batch.ExecuteNonQuery();
            Execute(other, isPrepared ? $"ALTER TABLE {table} ADD COLUMN b int" : $"ALTER TABLE {table} RENAME TO {table}_old");
            var refusal = Assert.Throws<PgException>(() => _ = scalar ? batch.ExecuteScalar() : batch.ExecuteNonQuery());
            Assert.Equal(isPrepared ? "0A000" : "42P01", refusal.SqlState);
            Assert.Equal(5L, Scalar(other, $"SELECT last_value FROM {table}_s"));
            if (isPrepared)
                _ = scalar ? batch.ExecuteScalar() : batch.ExecuteNonQuery();
        }
        finally
        {
            Execute(other, $"DROP TABLE IF EXISTS {table}, {table}_old; DROP SEQUENCE {table}_s");
        }
    }

    [Fact]
    public async Task A_batch_whose_statements_have_all_been_lost_is_repeated_once()
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        var name = $"stale_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(connection, $"CREATE TEMP TABLE {name} (a int)");
        Execute(connection, $"CREATE FUNCTION pg_temp.{name}() RETURNS void LANGUAGE plpgsql AS $$BEGIN EXECUTE 'DEALLOCATE ALL'; END$$");
        await using var batch = new PgBatch(connection) { BatchCommands = { new PgBatchCommand("SELECT 1") } };
        for (var i = 1; i <= 2; i++)
            batch.BatchCommands.Add(new PgBatchCommand($"INSERT INTO {name} VALUES ({i})"));
        for (var i = 0; i < 4; i++)
            Assert.Equal(2, batch.ExecuteNonQuery());
        Execute(connection, $"SELECT pg_temp.{name}()");
        Assert.Equal(2, batch.ExecuteNonQuery());
        Assert.Equal(10L, Scalar(connection, $"SELECT count(*) FROM {name}"));
    }

    // ---------------------------------------------------------------- helpers

    private async Task<PgDataSource> SourceAsync(string options = "") =>
        PgDataSource.Create(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(Kind), options));

    private static void Execute(DbConnection connection, string sql)
    {
        using var command = connection.CreateCommand();
        command.CommandText = sql;
        command.ExecuteNonQuery();
    }

    private static object? Scalar(DbConnection connection, string sql)
    {
        using var command = connection.CreateCommand();
        command.CommandText = sql;
        return command.ExecuteScalar();
    }

    // Returns the number of columns, or the first value.
    private static object Run(PgConnection connection, string sql, string parameter = "1", bool value = false)
    {
        using var command = new PgCommand(sql, connection);
        if (sql.Contains('$'))
            command.Parameters.Add(new PgParameter { PgDbType = PgDbType.Unknown, Value = parameter });
        using var reader = command.ExecuteReader();
        if (!value)
            return reader.FieldCount;
        Assert.True(reader.Read());
        return reader.GetValue(0);
    }
}
