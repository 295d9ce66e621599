using System.Data;
using System.Data.Common;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>What batches of MySQL and MariaDB do beyond the contract: how they are sent, what is merged, and what is sent alone.</summary>
public class BatchTests
{
    private static int _tables;

    public static TheoryData<ServerKind, bool> Ways => new()
    {
        { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true }, { ServerKind.MariaDb11, false },
        { ServerKind.MariaDb11, true },
    };

    [Fact]
    public async Task A_batch_of_a_data_source_opens_its_connection_for_its_typed_reader_too()
    {
        await using (var source = new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(ServerKind.MySql))))
        {
            await using var batch = source.CreateBatch();
            batch.BatchCommands.Add(new MySqlBatchCommand("SELECT 5"));
            await using (MySqlDataReader reader = ((MySqlBatch)batch).ExecuteReader())
                Assert.True(reader.Read());
            await using (MySqlDataReader reader = await ((MySqlBatch)batch).ExecuteReaderAsync())
                Assert.True(await reader.ReadAsync());
            Assert.Equal(0, source.Statistics.Busy);
            Assert.Throws<NotSupportedException>(() => batch.Connection = new MySqlConnection());
        }

        await using (var source = PgDataSource.Create(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql))))
        {
            await using var batch = source.CreateBatch();
            batch.BatchCommands.Add(new PgBatchCommand("SELECT 5"));
            await using (PgDataReader reader = await ((PgBatch)batch).ExecuteReaderAsync())
                Assert.True(await reader.ReadAsync());
            Assert.Equal(0, source.Statistics.Busy);
        }
    }

    /// <summary>
    /// A column of an expression is named after the text. An error message may quote the name only if it is part of the command's own text, because values may
    /// be written into it.
    /// </summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_value_that_is_read_wrongly_is_called_after_its_own_command(ServerKind kind, bool asynchronous)
    {
        var lab = await LiveServers.GetAsync(kind);
        await using var table = await Table.CreateAsync(lab, "id int PRIMARY KEY AUTO_INCREMENT, v varchar(20)");
        foreach (var batching in (string[])["true", "false"])
        {
            await using var connection = new MySqlConnection(ConnectionStrings.MySql(lab, $"Batching={batching};"));
            await connection.OpenAsync();
            await using var batch = Batch(connection, $"INSERT INTO {table} (v) VALUES ('a')", "SELECT LAST_INSERT_ID()", "DO 1");
            await using var reader = asynchronous ? await batch.ExecuteReaderAsync() : batch.ExecuteReader();
            Assert.True(await reader.ReadAsync());
            Assert.Contains(
                "'LAST_INSERT_ID()'", Assert.Throws<InvalidCastException>(() => reader.GetBytes(0, 0, null, 0, 0)).Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_hundred_inserts_cost_one_round_trip(ServerKind kind, bool asynchronous)
    {
        var lab = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(lab.Host, lab.Port);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await Table.CreateAsync(lab, "id int PRIMARY KEY, v varchar(20)");
        await using var connection = new MySqlConnection(
            ConnectionStrings.MySql(lab, $"Application Name={nameof(A_hundred_inserts_cost_one_round_trip)}{asynchronous};")
                .Replace($"Port={lab.Port}", $"Port={proxy.Port}"));
        await mode.Open(connection);
        await Run(connection, mode, "SELECT 1");
        for (var round = 0; round < 3; round++)
        {
            await using var batch = Inserts(connection, table, round * 100);
            proxy.Counters.Reset();
            Assert.Equal(100, await mode.NonQuery(batch));
            Assert.Equal(1, proxy.Counters.RoundTrips);
        }

        // BEGIN is sent together with it.
        proxy.Counters.Reset();
        await using (var transaction = await mode.Begin(connection))
        {
            await using var batch = Inserts(connection, table, 300);
            batch.Transaction = (MySqlTransaction)transaction;
            Assert.Equal(100, await mode.NonQuery(batch));
            Assert.Equal(1, proxy.Counters.RoundTrips);
            Assert.All(batch.BatchCommands, command => Assert.Equal(1, command.RecordsAffected));
            await mode.Commit(transaction);
        }

        Assert.Equal(400L, await mode.Scalar(new MySqlCommand($"SELECT COUNT(*) FROM {table}", connection)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_hundred_reads_cost_one_round_trip(ServerKind kind, bool asynchronous)
    {
        var lab = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(lab.Host, lab.Port);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = new MySqlConnection(
            ConnectionStrings.MySql(lab, $"Application Name={nameof(A_hundred_reads_cost_one_round_trip)}{asynchronous};")
                .Replace($"Port={lab.Port}", $"Port={proxy.Port}"));
        await mode.Open(connection);
        await Run(connection, mode, "SELECT 1");
        for (var round = 0; round < 4; round++)
        {
            await using var batch = Reads(connection, 100);
            proxy.Counters.Reset();
            await using (var reader = await mode.Reader(batch))
            {
                for (var i = 0; i < 100; i++)
                {
                    Assert.True(await mode.Read(reader));
                    Assert.Equal(i, Convert.ToInt32(reader.GetValue(0)));
                    await mode.NextResult(reader);
                }
            }

            Assert.Equal(1, proxy.Counters.RoundTrips);
            Assert.Equal(1, proxy.Counters.SegmentsSent);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_batch_works_in_single_bytes(ServerKind kind, bool asynchronous)
    {
        var lab = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(lab.Host, lab.Port);
        proxy.SplitIntoSingleBytes = true;
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(lab, "Pooling=false;").Replace($"Port={lab.Port}", $"Port={proxy.Port}"));
        await mode.Open(connection);
        foreach (var more in new[] { "SELECT 4711", "DO 1" })
        {
            await using var batch = Reads(connection, 5);
            batch.BatchCommands.Add(new MySqlBatchCommand(more));
            await using var reader = await mode.Reader(batch);
            for (var i = 0; i < 5; i++)
            {
                Assert.True(await mode.Read(reader));
                Assert.Equal(i, Convert.ToInt32(reader.GetValue(0)));
                Assert.Equal(i < 4 || more[0] == 'S', await mode.NextResult(reader));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_refused_insert_stops_the_batch_and_keeps_the_rows_before_it_inside_a_transaction_too(ServerKind kind, bool asynchronous)
    {
        var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int PRIMARY KEY, v varchar(20)");
        await using var closing = connection;
        await using var dropping = table;
        await Run(connection, mode, $"INSERT INTO {table} VALUES (50, 'there'), (130, 'there')");
        foreach (var inTransaction in new[] { false, true })
        {
            await using var transaction = inTransaction ? await mode.Begin(connection) : null;
            await using var batch = Inserts(connection, table, inTransaction ? 100 : 0);
            batch.Transaction = (MySqlTransaction?)transaction;
            var bad = inTransaction ? 30 : 50;
            var refused = await Assert.ThrowsAsync<MySqlException>(() => mode.NonQuery(batch));
            Assert.Equal(MySqlErrorCode.DuplicateKeyEntry, refused.ErrorCode);
            Assert.Same(batch.BatchCommands[bad], refused.BatchCommand);
            Assert.NotNull(batch.BatchCommands[bad].Error);
            Assert.Equal(1, batch.BatchCommands[bad - 1].RecordsAffected);
            Assert.Equal(-1, batch.BatchCommands[bad + 1].RecordsAffected);
            if (transaction is not null)
                await mode.Commit(transaction);
        }

        Assert.Equal(82L, await mode.Scalar(new MySqlCommand($"SELECT COUNT(*) FROM {table}", connection)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_refused_row_of_merged_inserts_takes_its_statement_along(ServerKind kind, bool asynchronous)
    {
        var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int PRIMARY KEY, v varchar(20)", "Merge Inserts=true;");
        await using var closing = connection;
        await using var dropping = table;
        await Run(connection, mode, $"INSERT INTO {table} VALUES (50, 'there')");
        foreach (var inTransaction in new[] { false, true })
        {
            await using var transaction = inTransaction ? await mode.Begin(connection) : null;
            await using var batch = Inserts(connection, table, 0);
            batch.Transaction = (MySqlTransaction?)transaction;
            var refused = await Assert.ThrowsAsync<MySqlException>(() => mode.NonQuery(batch));
            Assert.Equal(MySqlErrorCode.DuplicateKeyEntry, refused.ErrorCode);
            Assert.Same(batch.BatchCommands[0], refused.BatchCommand);
            if (transaction is not null)
                await mode.Commit(transaction);
        }

        Assert.Equal(1L, await mode.Scalar(new MySqlCommand($"SELECT COUNT(*) FROM {table}", connection)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task With_the_option_inserts_are_merged_outside_a_transaction_too(ServerKind kind, bool asynchronous)
    {
        var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int PRIMARY KEY, v varchar(20)", "Merge Inserts=true;");
        await using var closing = connection;
        await using var dropping = table;
        var before = await Executed(connection);
        await using (var batch = Inserts(connection, table, 0))
        {
            batch.BatchCommands.Add(new MySqlBatchCommand($"DELETE FROM {table} WHERE id < 10"));
            Assert.Equal(110, await mode.NonQuery(batch));
            Assert.Equal(10, batch.BatchCommands[100].RecordsAffected);
        }

        Assert.Equal(1, await Executed(connection) - before);

        async Task<long> Executed(MySqlConnection on)
        {
            await using var command = new MySqlCommand("SHOW SESSION STATUS LIKE 'Com_insert'", on);
            await using var reader = await mode.Reader(command);
            Assert.True(await mode.Read(reader));
            return long.Parse(reader.GetString(1), System.Globalization.CultureInfo.InvariantCulture);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task With_continue_every_command_is_executed_and_the_first_error_thrown(ServerKind kind, bool asynchronous)
    {
        foreach (var pipelining in new[] { true, false })
        {
            var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int PRIMARY KEY, v varchar(20)", $"Pipelining={pipelining};");
            await using var closing = connection;
            await using var dropping = table;
            await Run(connection, mode, $"INSERT INTO {table} VALUES (7, 'there'), (9, 'there')");
            await using var batch = Inserts(connection, table, 0, 12);
            batch.BatchErrors = MySqlBatchErrors.Continue;
            batch.BatchCommands.Add(new MySqlBatchCommand("SET @x = 5"));
            batch.BatchCommands.Add(new MySqlBatchCommand($"SELECT COUNT(*) FROM {table}"));
            var refused = await Assert.ThrowsAsync<MySqlException>(() => mode.NonQuery(batch));
            Assert.Same(batch.BatchCommands[7], refused.BatchCommand);
            for (var i = 0; i < 12; i++)
            {
                Assert.Equal(i is 7 or 9, batch.BatchCommands[i].Error is not null);
                Assert.Equal(i is 7 or 9 ? -1 : 1, batch.BatchCommands[i].RecordsAffected);
            }

            Assert.Equal(12L, await mode.Scalar(new MySqlCommand($"SELECT COUNT(*) FROM {table}", connection)));

            await using var reader = await mode.Reader(batch);
            Assert.True(await mode.Read(reader));
            Assert.Equal(12, reader.GetInt32(0));
            refused = await Assert.ThrowsAsync<MySqlException>(async () =>
            {
                while (await mode.Read(reader))
                    ;
                await mode.NextResult(reader);
            });
            Assert.Same(batch.BatchCommands[0], refused.BatchCommand);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Texts_that_could_swallow_their_neighbours_do_not(ServerKind kind, bool asynchronous)
    {
        var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int");
        await using var closing = connection;
        await using var dropping = table;
        await using (
            var batch = Batch(
                connection, "SELECT 1 -- a comment", "SELECT 2 # another;", "SELECT 3;", "SELECT 4; ;", "SELECT ';'", "/* in front */ SELECT 6",
                "SELECT 7; SELECT 8", "SHOW TABLES LIKE 'x'", "SELECT 9"))
        {
            var values = new List<string>();
            await using var reader = await mode.Reader(batch);
            do
            {
                while (await mode.Read(reader))
                    values.Add(Convert.ToString(reader.GetValue(0))!);
            }
            while (await mode.NextResult(reader));
            Assert.Equal("1 2 3 4 ; 6 7 8 9", string.Join(' ', values));
        }

        foreach (var open in new[] { "SELECT 'open", "SELECT 1 /* open", "SELECT \"open", "SELECT `open" })
        {
            await using var batch = Batch(connection, "DO 1", open, $"INSERT INTO {table} VALUES (1) -- '\"`*/");
            var refused = await Assert.ThrowsAsync<MySqlException>(() => mode.NonQuery(batch));
            Assert.Same(batch.BatchCommands[1], refused.BatchCommand);
            Assert.Equal(0L, await mode.Scalar(new MySqlCommand($"SELECT COUNT(*) FROM {table}", connection)));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_value_is_written_by_the_rules_that_hold_when_its_command_runs(ServerKind kind, bool asynchronous)
    {
        var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int, v varchar(100)");
        await using var closing = connection;
        await using var dropping = table;
        await using var batch = Batch(connection, "SET @old = @@sql_mode", "SET sql_mode = 'NO_BACKSLASH_ESCAPES'");
        Add(batch, $"INSERT INTO {table} VALUES (1, @v)", ("@v", "a\\' OR 'b\\"));
        batch.BatchCommands.Add(new MySqlBatchCommand("SET sql_mode = ''"));
        Add(batch, $"INSERT INTO {table} VALUES (2, @v)", ("@v", "a\\' OR 'b\\"));
        Assert.Equal(2, await mode.NonQuery(batch));
        Assert.Equal(2L, await mode.Scalar(Command(connection, $"SELECT COUNT(*) FROM {table} WHERE v = @v", ("@v", "a\\' OR 'b\\"))));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_procedures_results_belong_to_its_call(ServerKind kind, bool asynchronous)
    {
        var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int");
        await using var closing = connection;
        await using var dropping = table;
        await Run(
            connection, mode, $"CREATE PROCEDURE {table}_p() BEGIN SELECT 1; INSERT INTO {table} VALUES (1), (2); SELECT 2; UPDATE {table} SET id = 3; END");
        try
        {
            await using var batch = Batch(connection, $"INSERT INTO {table} VALUES (9)", $"CALL {table}_p()", $"DELETE FROM {table} WHERE id = 3", "SELECT 5");
            var values = new List<int>();
            await using (var reader = await mode.Reader(batch))
            {
                do
                {
                    while (await mode.Read(reader))
                        values.Add(reader.GetInt32(0));
                }
                while (await mode.NextResult(reader));
            }

            Assert.Equal([1, 2, 5], values);
            Assert.Equal(1, batch.BatchCommands[0].RecordsAffected);
            Assert.Equal(3, batch.BatchCommands[2].RecordsAffected);
            Assert.Equal(-1, batch.BatchCommands[3].RecordsAffected);
        }
        finally
        {
            await Run(connection, mode, $"DROP PROCEDURE {table}_p");
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_value_that_cannot_be_written_behind_what_has_run_ends_the_batch_and_keeps_the_session(ServerKind kind, bool asynchronous)
    {
        var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int");
        await using var closing = connection;
        await using var dropping = table;
        await using var batch = Batch(connection, $"INSERT INTO {table} VALUES (1)", "SET @x = 1");
        Add(batch, $"INSERT INTO {table} VALUES (@v)", ("@v", new object()));
        await Assert.ThrowsAnyAsync<Exception>(() => mode.NonQuery(batch));
        await Assert.ThrowsAnyAsync<Exception>(() => mode.Reader(batch));
        Assert.Equal(ConnectionState.Open, connection.State);
        Assert.Equal(2L, await mode.Scalar(new MySqlCommand($"SELECT COUNT(*) FROM {table}", connection)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Merged_rows_in_front_of_a_value_that_cannot_be_written_are_all_inserted(ServerKind kind, bool asynchronous)
    {
        // The bad value is in the third flight. The forms differ: the first two executions are text, later ones are prepared.
        const int inFront = 700;
        var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int, v varchar(2000)", "Merge Inserts=true;");
        await using var closing = connection;
        await using var dropping = table;
        for (var round = 1; round <= 4; round++)
        {
            await using var batch = Batch(connection);
            for (var i = 0; i < inFront + 10; i++)
                Add(
                    batch, $"INSERT INTO {table} (id, v) VALUES (@id, @v)", ("@id", i == inFront ? new Uri("http://refused.example") : i),
                    ("@v", new string('x', 1900)));
            await Assert.ThrowsAsync<NotSupportedException>(() => mode.NonQuery(batch));
            Assert.All(batch.BatchCommands.Take(inFront), static command => Assert.Equal(1, command.RecordsAffected));
            Assert.All(batch.BatchCommands.Skip(inFront), static command => Assert.Equal(-1, command.RecordsAffected));
            Assert.Equal((long)round * inFront, await mode.Scalar(new MySqlCommand($"SELECT COUNT(*) FROM {table}", connection)));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Types_told_by_an_execution_that_was_never_sent_are_told_again(ServerKind kind, bool asynchronous)
    {
        var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int");
        await using var closing = connection;
        await using var dropping = table;
        await using var command = Command(connection, "SELECT @value", ("@value", 5L));
        await mode.Prepare(command);
        Assert.Equal(5L, Convert.ToInt64(await mode.Scalar(command)));
        Assert.Equal(5L, Convert.ToInt64(await mode.Scalar(command)));
        await using (var batch = Batch(connection))
        {
            Add(batch, "SELECT @value", ("@value", 7));
            Add(batch, "SELECT @value", ("@value", new Uri("http://refused.example")));
            await Assert.ThrowsAsync<NotSupportedException>(() => mode.NonQuery(batch));
        }

        command.Parameters[0].Value = 9;
        Assert.Equal(9L, Convert.ToInt64(await mode.Scalar(command)));
        command.Parameters[0].Value = 10L;
        Assert.Equal(10L, Convert.ToInt64(await mode.Scalar(command)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Reads_take_the_statements_that_the_session_has_prepared(ServerKind kind, bool asynchronous)
    {
        var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int");
        await using var closing = connection;
        await using var dropping = table;
        await using (var command = Command(connection, "SELECT @value", ("@value", 0L)))
        {
            await mode.Prepare(command);
            Assert.Equal(0L, await mode.Scalar(command));
        }

        await using var batch = Batch(connection);
        for (var i = 0L; i < 20; i++)
            Add(batch, i % 2 == 0 ? "SELECT @value" : "SELECT @value + 0", ("@value", i));
        await using var reader = await mode.Reader(batch);
        for (var i = 0L; i < 20; i++)
        {
            Assert.True(await mode.Read(reader));
            Assert.Equal(i, reader.GetInt64(0));
            await mode.NextResult(reader);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Reads_that_come_again_are_prepared_behind_their_batch(ServerKind kind, bool asynchronous)
    {
        var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int PRIMARY KEY, v varchar(20)");
        await using var closing = connection;
        await using var dropping = table;
        await Run(connection, mode, $"INSERT INTO {table} VALUES (1, 'one'), (2, 'two'), (3, 'three')");
        for (var round = 0; round < 5; round++)
        {
            await using var batch = Batch(connection);
            for (var i = 0; i < 10; i++)
                Add(batch, $"SELECT v, id FROM {table} WHERE id = @id", ("@id", i % 3 + 1));
            await using var reader = await mode.Reader(batch);
            for (var i = 0; i < 10; i++)
            {
                Assert.True(await mode.Read(reader));
                Assert.Equal((i % 3 + 1, i % 3 == 0 ? "one" : i % 3 == 1 ? "two" : "three"), (reader.GetInt32(1), reader.GetString(0)));
                Assert.Equal(i < 9, await mode.NextResult(reader));
            }
        }

        await using var status = new MySqlCommand("SHOW SESSION STATUS LIKE 'Com_stmt_execute'", connection);
        await using (var reader = await mode.Reader(status))
        {
            Assert.True(await mode.Read(reader));
            Assert.InRange(int.Parse(reader.GetString(1), System.Globalization.CultureInfo.InvariantCulture), 20, 50);
        }

        // The column is gone: the server refuses each prepared execution, as it would refuse the text.
        await Run(connection, mode, $"ALTER TABLE {table} DROP COLUMN v");
        await using var stale = Batch(connection);
        Add(stale, $"SELECT v, id FROM {table} WHERE id = @id", ("@id", 1));
        Add(stale, $"SELECT v, id FROM {table} WHERE id = @id", ("@id", 2));
        var refused = await Assert.ThrowsAsync<MySqlException>(() => mode.NonQuery(stale));
        Assert.Equal(1054, refused.Number);
        Assert.Equal(1, Convert.ToInt32(await mode.Scalar(new MySqlCommand("SELECT 1", connection))));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Ten_thousand_commands_of_ten_kilobytes_each_way_do_not_deadlock(ServerKind kind, bool asynchronous)
    {
        foreach (var tls in new[] { "", "SSL Mode=Required;" })
        {
            var (mode, connection, table) = await StartAsync(kind, asynchronous, "id int", tls);
            await using var closing = connection;
            await using var dropping = table;
            var text = new string('x', 10_000);
            await using var batch = Batch(connection);
            for (var i = 0; i < 10_000; i++)
                Add(batch, "SELECT @value", ("@value", text));
            var bytes = 0L;
            await using (var reader = await mode.Reader(batch))
            {
                do
                {
                    Assert.True(await mode.Read(reader));
                    bytes += reader.GetString(0).Length;
                }
                while (await mode.NextResult(reader));
            }

            Assert.Equal(100_000_000, bytes);
        }
    }

    private static async Task<(Mode Mode, MySqlConnection Connection, Table Table)> StartAsync(
        ServerKind kind, bool asynchronous, string columns, string options = "")
    {
        var lab = await LiveServers.GetAsync(kind);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        var connection = new MySqlConnection(ConnectionStrings.MySql(lab, $"Allow User Variables=true;{options}"));
        await mode.Open(connection);
        return (mode, connection, await Table.CreateAsync(lab, columns));
    }

    private static async Task Run(MySqlConnection connection, Mode mode, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await mode.NonQuery(command);
    }

    private static MySqlBatch Inserts(MySqlConnection connection, Table table, int first, int count = 100)
    {
        var batch = connection.CreateBatch();
        for (var i = 0; i < count; i++)
            Add(batch, $"INSERT INTO {table} (id, v) VALUES (@id, @v)", ("@id", first + i), ("@v", $"it's {i}"));
        return batch;
    }

    private static MySqlBatch Reads(MySqlConnection connection, int count)
    {
        var batch = connection.CreateBatch();
        for (var i = 0; i < count; i++)
            Add(batch, "SELECT @value", ("@value", i));
        return batch;
    }

    private static MySqlBatch Batch(MySqlConnection connection, params string[] texts)
    {
        var batch = connection.CreateBatch();
        foreach (var text in texts)
            batch.BatchCommands.Add(new MySqlBatchCommand(text));
        return batch;
    }

    private static void Add(MySqlBatch batch, string text, params (string Name, object Value)[] values)
    {
        var command = new MySqlBatchCommand(text);
        foreach (var (name, value) in values)
            command.Parameters.AddWithValue(name, value);
        batch.BatchCommands.Add(command);
    }

    private static MySqlCommand Command(MySqlConnection connection, string text, params (string Name, object Value)[] values)
    {
        var command = new MySqlCommand(text, connection);
        foreach (var (name, value) in values)
            command.Parameters.AddWithValue(name, value);
        return command;
    }

    private sealed class Table(LabServer lab, string name) : IAsyncDisposable
    {
        public static async Task<Table> CreateAsync(LabServer lab, string columns)
        {
            var name = $"batch_{Environment.ProcessId}_{Interlocked.Increment(ref _tables)}";
            await RunAsync(lab, $"CREATE TABLE {name} ({columns})");
            return new(lab, name);
        }

        public override string ToString() => name;

        public async ValueTask DisposeAsync() => await RunAsync(lab, $"DROP TABLE {name}");

        private static async Task RunAsync(LabServer lab, string sql)
        {
            await using var connection = new MySqlConnection(ConnectionStrings.MySql(lab));
            await connection.OpenAsync();
            await using var command = new MySqlCommand(sql, connection);
            await command.ExecuteNonQueryAsync();
        }
    }
}
