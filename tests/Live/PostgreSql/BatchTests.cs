using System.Data;
using System.Data.Common;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Batches: one round trip, one transaction, results in order.</summary>
public class BatchTests
{
    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    private static int _names;

    public static TheoryData<bool> Ways => [false, true];

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Results_come_in_order(bool asynchronous)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        for (var round = 0; round < 4; round++)
        {
            await using var batch = Batch(
                connection, "SELECT 1, 'one'", "SELECT g FROM generate_series(1, $1) g", "UPDATE pg_class SET relname = relname WHERE false",
                "SELECT 'end' WHERE false", "SELECT 'last'; SELECT 'really'");
            batch.BatchCommands[1].Parameters.Add(new PgParameter { Value = 3 });
            var seen = new List<string>();
            await using (var reader = asynchronous ? await batch.ExecuteReaderAsync(TestContext.Current.CancellationToken) : batch.ExecuteReader())
            {
                do
                {
                    seen.Add($"columns {reader.FieldCount}");
                    while (asynchronous ? await reader.ReadAsync(TestContext.Current.CancellationToken) : reader.Read())
                        seen.Add(Convert.ToString(reader.GetValue(reader.FieldCount - 1), null)!);
                }
                while (asynchronous ? await reader.NextResultAsync(TestContext.Current.CancellationToken) : reader.NextResult());
            }

            Assert.Equal(["columns 2", "one", "columns 1", "1", "2", "3", "columns 1", "columns 1", "last", "columns 1", "really"], seen);
            Assert.Equal([-1, -1, 0, -1, -1], batch.BatchCommands.Cast<PgBatchCommand>().Select(command => command.RecordsAffected));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_stands_behind_a_COPY_to_the_client_is_passed_over(bool asynchronous)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        foreach (var text in (string[])["COPY (SELECT 1) TO STDOUT; SELECT 2", "COPY (SELECT 1) TO STDOUT"])
        {
            await using var command = new PgCommand(text, connection);
            var refusal = await Assert.ThrowsAsync<PgException>(
                async () => _ = asynchronous ? await command.ExecuteReaderAsync(TestContext.Current.CancellationToken) : command.ExecuteReader());
            Assert.Equal("0A000", refusal.SqlState);
            await using var next = new PgCommand("SELECT 3", connection);
            Assert.Equal(3, asynchronous ? await next.ExecuteScalarAsync(TestContext.Current.CancellationToken) : next.ExecuteScalar());
        }
    }

    [Theory]
    [InlineData(false, false, 100)]
    [InlineData(true, false, 100)]
    [InlineData(false, true, 100)]
    [InlineData(true, true, 100)]
    [InlineData(false, true, 1)]
    public async Task A_hundred_commands_are_one_round_trip(bool asynchronous, bool reads, int count)
    {
        var server = await LiveServers.GetAsync(Kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = PgDataSource.Create(
            $"Host=127.0.0.1;Port={proxy.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Disable;Max Pool Size=1");
        await using (var connection = source.OpenConnection())
        {
            Execute(connection, "SELECT 1");
            for (var round = 0; round < 5; round++)
            {
                Execute(connection, "CREATE TEMPORARY TABLE IF NOT EXISTS many (a int, b text)");
                var sql = reads ? "SELECT $1 + 1, $2" : "INSERT INTO many VALUES ($1, $2)";
                await using var batch = Batch(connection, [.. Enumerable.Repeat(sql, count)]);
                for (var i = 0; i < count; i++)
                {
                    batch.BatchCommands[i].Parameters.Add(new PgParameter { Value = i });
                    batch.BatchCommands[i].Parameters.Add(new PgParameter { Value = $"value {i}" });
                }

                proxy.Counters.Reset();
                var affected = asynchronous ? await batch.ExecuteNonQueryAsync(TestContext.Current.CancellationToken) : batch.ExecuteNonQuery();
                Assert.Equal((1, 1), (proxy.Counters.RoundTrips, proxy.Counters.SegmentsSent));
                Assert.Equal(reads ? -1 : count, affected);
                Assert.All(batch.BatchCommands.Cast<PgBatchCommand>(), command => Assert.Equal(reads ? -1 : 1, command.RecordsAffected));
                if (!reads)
                    Assert.Equal((round + 1) * (long)count, Scalar(connection, "SELECT count(*) FROM many"));
            }
        }
    }

    [Fact]
    public async Task Opening_beginning_a_batch_and_committing_are_two_round_trips()
    {
        var server = await LiveServers.GetAsync(Kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = PgDataSource.Create(
            $"Host=127.0.0.1;Port={proxy.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Disable");
        await using (var connection = source.OpenConnection())
            Execute(connection, "SELECT 1");
        proxy.Counters.Reset();
        for (var i = 0; i < 5; i++)
        {
            await using var connection = source.OpenConnection();
            await using var transaction = connection.BeginTransaction();
            await using var batch = Batch(connection, "SELECT 1", "SELECT 2", "SELECT 3");
            batch.Transaction = transaction;
            Assert.Equal(1, batch.ExecuteScalar());
            transaction.Commit();
        }

        Assert.Equal(10, proxy.Counters.RoundTrips);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_refusal_undoes_all_and_names_the_command(bool asynchronous)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        Execute(connection, "CREATE TEMPORARY TABLE t (id int PRIMARY KEY)");
        for (var round = 0; round < 4; round++)
        {
            await using var batch =
                Batch(connection, "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (2), (3)", "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (4)");
            var exception = asynchronous
                ? await Assert.ThrowsAsync<PgException>(() => batch.ExecuteNonQueryAsync(TestContext.Current.CancellationToken))
                : Assert.Throws<PgException>(() => batch.ExecuteNonQuery());
            Assert.Equal("23505", exception.SqlState);
            Assert.Same(batch.BatchCommands[2], exception.BatchCommand);
            Assert.Same(batch.BatchCommands[2], ((DbException)exception).BatchCommand);
            Assert.Equal([null, null, "23505", null], batch.BatchCommands.Cast<PgBatchCommand>().Select(command => command.Error?.SqlState));
            Assert.Equal([1, 2, -1, -1], batch.BatchCommands.Cast<PgBatchCommand>().Select(command => command.RecordsAffected));
            Assert.Equal(0L, Scalar(connection, "SELECT count(*) FROM t"));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task In_a_transaction_a_refusal_ends_that(bool asynchronous)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        Execute(connection, "CREATE TEMPORARY TABLE t (id int PRIMARY KEY)");
        await using (var transaction = connection.BeginTransaction())
        {
            await using var batch = Batch(connection, "INSERT INTO t VALUES (1)", "SELECT 1 / 0", "INSERT INTO t VALUES (4)");
            var exception = asynchronous
                ? await Assert.ThrowsAsync<PgException>(() => batch.ExecuteScalarAsync(TestContext.Current.CancellationToken))
                : Assert.Throws<PgException>(() => batch.ExecuteScalar());
            Assert.Same(batch.BatchCommands[1], exception.BatchCommand);
            transaction.Rollback();
        }

        Assert.Equal(0L, Scalar(connection, "SELECT count(*) FROM t"));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task With_Continue_each_stands_or_falls_by_itself(bool asynchronous)
    {
        await using var source = await SourceAsync(asynchronous ? "Batch Errors=Continue" : "");
        await using var connection = source.OpenConnection();
        Execute(connection, "CREATE TEMPORARY TABLE t (id int PRIMARY KEY)");
        await using var batch = Batch(
            connection, "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (1)", "selec", "INSERT INTO t VALUES (2)", "SELECT id FROM t ORDER BY id",
            "SELECT 1 / (g - 2) FROM generate_series(1, 9) g", "SELECT 'end'");
        if (!asynchronous)
            batch.EnableErrorBarriers = true;
        var exception = asynchronous
            ? await Assert.ThrowsAsync<PgException>(() => batch.ExecuteNonQueryAsync(TestContext.Current.CancellationToken))
            : Assert.Throws<PgException>(() => batch.ExecuteNonQuery());
        Assert.Equal("23505", exception.SqlState);
        Assert.Same(batch.BatchCommands[1], exception.BatchCommand);
        Assert.Equal(
            [null, "23505", "42601", null, null, "22012", null], batch.BatchCommands.Cast<PgBatchCommand>().Select(command => command.Error?.SqlState));
        Assert.Equal(2L, Scalar(connection, "SELECT count(*) FROM t"));

        var seen = new List<object>();
        await using (var reader = batch.ExecuteReader())
        {
            exception = Assert.Throws<PgException>(() =>
            {
                do
                {
                    while (reader.Read())
                        seen.Add(reader.GetValue(0));
                }
                while (reader.NextResult());
            });
        }

        Assert.Equal([1, 2, -1, "end"], seen);
        Assert.Same(batch.BatchCommands[0], exception.BatchCommand);
        Assert.Equal(
            ["23505", "23505", "42601", "23505", null, "22012", null], batch.BatchCommands.Cast<PgBatchCommand>().Select(command => command.Error?.SqlState));
        Assert.Equal(7, Scalar(connection, "SELECT 7"));
    }

    [Theory]
    [InlineData(false, false, false)]
    [InlineData(true, false, false)]
    [InlineData(false, true, false)]
    [InlineData(true, true, false)]
    [InlineData(false, false, true)]
    [InlineData(true, false, true)]
    public async Task Ten_thousand_commands_of_ten_kilobytes_each_way_neither_deadlock_nor_fill_the_memory(bool asynchronous, bool continues, bool encrypted)
    {
        await using var source = await SourceAsync(encrypted ? "SSL Mode=Require" : "SSL Mode=Disable");
        await using var connection = source.OpenConnection();
        await using var batch = new PgBatch(connection) { EnableErrorBarriers = continues, Timeout = 30 };
        var text = new string('x', 10_000);
        for (var i = 0; i < 10_000; i++)
            batch.BatchCommands.Add(new PgBatchCommand("SELECT $1, $2") { Parameters = { new PgParameter { Value = i }, new PgParameter { Value = text } } });
        var rows = 0;
        await using (var reader = asynchronous ? await batch.ExecuteReaderAsync(TestContext.Current.CancellationToken) : batch.ExecuteReader())
        {
            do
            {
                while (asynchronous ? await reader.ReadAsync(TestContext.Current.CancellationToken) : reader.Read())
                {
                    Assert.Equal(rows++, reader.GetInt32(0));
                    Assert.Equal(10_000, reader.GetString(1).Length);
                }
            }
            while (asynchronous ? await reader.NextResultAsync(TestContext.Current.CancellationToken) : reader.NextResult());
        }

        Assert.Equal(10_000, rows);
        Assert.Equal(7, Scalar(connection, "SELECT 7"));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_long_batch_that_is_refused_early_ends(bool asynchronous)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        foreach (var at in new[] { 0, 1, 700, 2999 })
        {
            await using var batch = new PgBatch(connection);
            for (var i = 0; i < 3000; i++)
                batch.BatchCommands.Add(
                    new PgBatchCommand("SELECT 100 / $1, $2")
                    {
                        Parameters = { new PgParameter { Value = i == at ? 0 : 1 }, new PgParameter { Value = new string('y', 1000) } }
                    });
            var exception = asynchronous
                ? await Assert.ThrowsAsync<PgException>(() => batch.ExecuteNonQueryAsync(TestContext.Current.CancellationToken))
                : Assert.Throws<PgException>(() => batch.ExecuteNonQuery());
            Assert.Equal("22012", exception.SqlState);
            Assert.Same(batch.BatchCommands[at], exception.BatchCommand);

            // If the caller leaves early, the rest is skipped, but its error is not.
            var reader = batch.ExecuteReaderOrNull();
            Assert.Equal(at == 0, reader is null);
            if (reader is not null)
                Assert.Equal("22012", (await Assert.ThrowsAsync<PgException>(async () => await reader.DisposeAsync())).SqlState);

            Assert.Equal(7, Scalar(connection, "SELECT 7"));
        }
    }

    [Fact]
    public async Task A_changed_table_repeats_the_batch_while_nobody_has_seen_of_it()
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        await using var other = source.OpenConnection();
        var table = $"batch_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(connection, $"CREATE TABLE {table} (a int); CREATE TABLE {table}_log (b int)");
        try
        {
            await using var batch = Batch(
                connection, $"INSERT INTO {table}_log VALUES (1)", $"INSERT INTO {table}_log VALUES (2) RETURNING b", $"SELECT * FROM {table}",
                $"INSERT INTO {table}_log VALUES (3)");
            for (var i = 1; i <= 8; i++)
            {
                if (i % 3 == 0)
                    Execute(other, $"ALTER TABLE {table} ADD COLUMN c{i} int");
                Assert.Equal(3, batch.ExecuteNonQuery());
                Assert.Equal(i * 3L, Scalar(connection, $"SELECT count(*) FROM {table}_log"));
                Assert.Equal([1, 1, -1, 1], batch.BatchCommands.Cast<PgBatchCommand>().Select(command => command.RecordsAffected));
            }

            Assert.Equal(24L, Scalar(connection, $"SELECT count(*) FROM {table}_log"));
            Assert.Equal(3, batch.ExecuteNonQuery());
        }
        finally
        {
            Execute(other, $"DROP TABLE {table}; DROP TABLE {table}_log");
        }
    }

    [Fact]
    public async Task What_a_command_makes_is_seen_by_those_behind_it()
    {
        await using var source = await SourceAsync("Auto Prepare Min Usages=1");
        await using var connection = source.OpenConnection();
        var table = $"batch_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(connection, $"CREATE TABLE {table} (v text); INSERT INTO {table} VALUES ('lasting'); CREATE TEMPORARY TABLE {table}_warm (a int)");
        try
        {
            for (var i = 0; i < 3; i++)
                Assert.Equal("lasting", Scalar(connection, $"SELECT v FROM {table}"));
            await using var batch = Batch(
                connection, $"SELECT v FROM {table}", $"CREATE TEMPORARY TABLE {table} AS SELECT 'temporary' AS v", $"SELECT v FROM {table}",
                $"DROP TABLE pg_temp.{table}", $"SELECT v FROM {table}");
            for (var i = 0; i < 3; i++)
            {
                var seen = new List<string>();
                await using var reader = batch.ExecuteReader();
                do
                {
                    while (reader.Read())
                        seen.Add(reader.GetString(0));
                }
                while (reader.NextResult());
                Assert.Equal(["lasting", "temporary", "lasting"], seen);
            }
        }
        finally
        {
            Execute(connection, $"DROP TABLE {table}");
        }
    }

    [Fact]
    public async Task Prepare_prepares_all_with_the_first_execution()
    {
        await using var source = await SourceAsync("Auto Prepare=false");
        await using var connection = source.OpenConnection();
        await using var batch = Batch(connection, "SELECT 1", "SELECT 2", "SELECT 1");
        Assert.Equal(1, batch.ExecuteScalar());
        Assert.Equal(0L, Scalar(connection, "SELECT count(*) FROM pg_prepared_statements"));
        batch.Prepare();
        for (var i = 0; i < 3; i++)
        {
            Assert.Equal(1, batch.ExecuteScalar());
            Assert.Equal(2L, Scalar(connection, "SELECT count(*) FROM pg_prepared_statements"));
        }
    }

    [Fact]
    public async Task A_value_that_cannot_be_sent_leaves_all_as_it_was()
    {
        await using var source = await SourceAsync("Auto Prepare Min Usages=1");
        await using var connection = source.OpenConnection();
        await using var batch = Batch(connection, "SELECT $1 + 1", "SELECT $1 + 1", "SELECT $1 + 1");
        for (var i = 0; i < 3; i++)
            batch.BatchCommands[i].Parameters.Add(new PgParameter { Value = i });
        Assert.Equal(1, batch.ExecuteScalar());
        batch.BatchCommands[2].Parameters[0].Value = new PgBatch();
        Assert.ThrowsAny<Exception>(() => batch.ExecuteScalar());
        Assert.Equal(ConnectionState.Open, connection.State);
        batch.BatchCommands[2].Parameters[0].Value = 7;
        Assert.Equal(1, batch.ExecuteScalar());
        Assert.Equal(1, batch.ExecuteScalar());
    }

    [Fact]
    public async Task What_cannot_be_in_a_batch_says_so()
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        await using var batch = Batch(connection, "SELECT 1", "COPY pg_class TO STDOUT");
        Assert.Throws<NotSupportedException>(() => batch.ExecuteNonQuery());
        await using var empty = new PgBatch(connection);
        Assert.Throws<InvalidOperationException>(() => empty.ExecuteNonQuery());
        Assert.Equal(7, Scalar(connection, "SELECT 7"));
    }

    [Fact]
    public async Task The_data_source_and_the_factory_make_batches()
    {
        await using var source = await SourceAsync();
        await using (var batch = source.CreateBatch())
        {
            batch.BatchCommands.Add(new PgBatchCommand("SELECT 1"));
            Assert.Equal(1, batch.ExecuteScalar());
        }

        var made = PgFactory.Instance.CreateBatch();
        var command = PgFactory.Instance.CreateBatchCommand();
        command.CommandText = "SELECT @a";
        var parameter = command.CreateParameter();
        (parameter.ParameterName, parameter.Value) = ("a", 9);
        command.Parameters.Add(parameter);
        made.BatchCommands.Add(command);
        await using var connection = source.OpenConnection();
        made.Connection = connection;
        Assert.Equal(9, made.ExecuteScalar());
    }

    // ---------------------------------------------------------------- helpers

    private async Task<PgDataSource> SourceAsync(string options = "") =>
        PgDataSource.Create(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(Kind), options));

    private static PgBatch Batch(PgConnection connection, params string[] texts)
    {
        var batch = new PgBatch(connection);
        foreach (var text in texts)
            batch.BatchCommands.Add(new PgBatchCommand(text));
        return batch;
    }

    private static void Execute(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    private static object? Scalar(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        return command.ExecuteScalar();
    }
}

file static class Readers
{
    /// <summary>Returns null if the server refuses the first command.</summary>
    public static PgDataReader? ExecuteReaderOrNull(this PgBatch batch)
    {
        PgDataReader? reader = null;
        try
        {
            reader = batch.ExecuteReader();
            Assert.True(reader.Read());
            return reader;
        }
        catch (PgException)
        {
            reader?.Dispose();
            return null;
        }
    }
}
