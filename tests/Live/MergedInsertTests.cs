using System.Globalization;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Sessions;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>
/// INSERTs of a batch that are merged on request, as text and automatically prepared (MariaDB: bulk execution; MySQL: a statement with several rows). The first
/// two executions are text, the second prepares, the third is prepared: the results must be the same each time.
/// </summary>
public class MergedInsertTests
{
    private const int Executions = 4;

    private static int _tables;

    public static TheoryData<ServerKind, bool> Ways =>
        new()
        {
            { ServerKind.MySql, false },
            { ServerKind.MySql, true },
            { ServerKind.MariaDb, false },
            { ServerKind.MariaDb, true },
            { ServerKind.MariaDb11, false },
            { ServerKind.MariaDb11, true }
        };

    public static TheoryData<ServerKind> Kinds => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Each_execution_is_one_round_trip_also_the_one_that_prepares(ServerKind kind, bool asynchronous)
    {
        var lab = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(lab.Host, lab.Port);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await Table.CreateAsync(lab, "a int, b int, c int");
        var text = ConnectionStrings.MySql(
            lab, $"Application Name={nameof(Each_execution_is_one_round_trip_also_the_one_that_prepares)}{asynchronous};SslMode=None;Merge Inserts=true;");
        await using var connection = new MySqlConnection(text.Replace($"Port={lab.Port}", $"Port={proxy.Port}"));
        await mode.Open(connection);
        await using var transaction = (MySqlTransaction)await mode.Begin(connection);
        await using (var first = new MySqlCommand("SELECT 1", connection, transaction))
            await mode.Scalar(first);
        var sent = new List<long>();
        for (var execution = 0; execution < Executions; execution++)
        {
            await using var batch =
                Batch(connection, transaction, table, Enumerable.Range(0, 100).Select(i => new object?[] { i, 1_000_000_000 + i, 2_000_000_000 - i }));
            proxy.Counters.Reset();
            Assert.Equal(100, await mode.NonQuery(batch));
            Assert.Equal(1, proxy.Counters.RoundTrips);
            Assert.All(batch.BatchCommands, command => Assert.Equal(1, command.RecordsAffected));
            sent.Add(proxy.Counters.BytesSent);
        }

        Assert.True(Prepared(connection) > 0);
        // Three integers of four bytes instead of about twenty digits.
        Assert.True(sent[^1] < sent[0], $"{sent[^1]} bytes, as text {sent[0]}");
        Assert.Equal(Executions * 100L, await Count(connection, mode, table, transaction));
        await mode.Rollback(transaction);
    }

    /// <summary>Rows of values of all kinds, as text and prepared: both store the same, and the same as single commands.</summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_is_stored_is_the_same_in_all_forms(ServerKind kind, bool asynchronous)
    {
        var lab = await LiveServers.GetAsync(kind);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        const string Columns =
            "i int, l bigint unsigned, d double, f float, n decimal(20,6), t datetime(6), y date, m time(6), s varchar(200), b varbinary(200), x text";
        await using var table = await Table.CreateAsync(lab, Columns);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(lab, "SslMode=None;Merge Inserts=true;"));
        await mode.Open(connection);
        object?[][] rows =
        [
            [
                1, ulong.MaxValue, 1.5, 0.1f, 1.000001m, new DateTime(2026, 1, 2, 3, 4, 5, 678).AddMicroseconds(9), new DateOnly(2026, 2, 3),
                new TimeSpan(1, 2, 3, 4, 567), "it's \\ \"ö\" 😀", new byte[] { 0, 39, 92, 255 }, "x"
            ],
            [null, null, null, null, null, null, null, null, null, null, null],
            [
                int.MinValue, 0UL, -1e300, float.MaxValue, -99999999999999.999999m, new DateTime(1000, 1, 1), DateOnly.FromDayNumber(400_000),
                -new TimeSpan(34, 22, 59, 59), "", Array.Empty<byte>(), new string('y', 70_000 / 2)
            ],
            [
                int.MaxValue, 1UL, double.Epsilon, -0f, 0m, DateTime.MaxValue.AddYears(-1).Date, new DateOnly(9999, 12, 31), TimeSpan.Zero, "\0\n\r\u001a",
                new byte[200], null
            ],
        ];
        var (seen, executed) = (new List<string>(), new List<int>());
        for (var execution = 0; execution <= Executions; execution++)
        {
            await using var transaction = (MySqlTransaction)await mode.Begin(connection);
            // Single commands: another text in between separates them.
            await using var batch = Batch(connection, transaction, table, rows);
            if (execution == 0)
                for (var i = 1; i < rows.Length; i++)
                    batch.BatchCommands.Insert(2 * i - 1, new MySqlBatchCommand("DO 0"));
            var before = await Executed(connection, mode, transaction);
            Assert.Equal(rows.Length, await mode.NonQuery(batch));
            executed.Add(await Executed(connection, mode, transaction) - before);
            seen.Add(await Dump(connection, mode, table, transaction));
            await mode.Commit(transaction);
            await Run(connection, mode, $"DELETE FROM {table}");
        }

        Assert.True(Prepared(connection) > 0);
        Assert.Equal((0, 0, 1), (executed[0], executed[1], executed[^1]));
        Assert.All(seen, dump => Assert.Equal(seen[0], dump));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_refused_row_takes_its_statement_along_and_nothing_else(ServerKind kind, bool asynchronous)
    {
        var lab = await LiveServers.GetAsync(kind);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await Table.CreateAsync(lab, "a int PRIMARY KEY, b varchar(5) NOT NULL, c int");
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(lab, "Merge Inserts=true;"));
        await mode.Open(connection);
        await using var transaction = (MySqlTransaction)await mode.Begin(connection);
        object?[][] badRows = [[4, "four", 4], [4, "again", 4], [5, null, 5], [5, "too long for five", 5], [5, "five", 3_000_000_000L]];
        for (var execution = 0; execution < Executions; execution++)
        {
            await using var good = Batch(connection, transaction, table, Enumerable.Range(0, 3).Select(i => new object?[] { i, "ok", i }));
            Assert.Equal(3, await mode.NonQuery(good));
            await Run(connection, mode, $"DELETE FROM {table} WHERE a < 3", transaction);
        }

        Assert.True(Prepared(connection) > 0);
        await Run(connection, mode, $"INSERT INTO {table} VALUES (4, 'four', 4)", transaction);
        foreach (var bad in badRows)
        {
            var answers = new List<string>();
            foreach (var text in new[] { false, true })
            {
                // A comment makes it another text, which has not been prepared.
                await using var batch = Batch(connection, transaction, table, [[10, "ten", 10], [11, "eleve", 11], bad], text ? "  " : " ");
                var refusal = await Assert.ThrowsAsync<MySqlException>(() => mode.NonQuery(batch));
                Assert.Same(batch.BatchCommands[0], refusal.BatchCommand);
                answers.Add($"{refusal.Number} {refusal.SqlState} {refusal.Message}");
                Assert.Equal(1L, await Count(connection, mode, table, transaction));
            }

            Assert.Equal(answers[1], answers[0]);
        }

        await mode.Rollback(transaction);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Numbers_made_by_the_server_and_the_last_of_them_are_the_same_in_all_forms(ServerKind kind)
    {
        var lab = await LiveServers.GetAsync(kind);
        await using var table = await Table.CreateAsync(lab, "id bigint AUTO_INCREMENT PRIMARY KEY, v int");
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(lab, "Merge Inserts=true;"));
        await Mode.Async.Open(connection);
        await using var transaction = (MySqlTransaction)await Mode.Async.Begin(connection);
        var last = new List<long>();
        for (var execution = 0; execution < Executions; execution++)
        {
            await using var batch = Batch(connection, transaction, table, Enumerable.Range(0, 4).Select(i => new object?[] { null, i }));
            Assert.Equal(4, await Mode.Async.NonQuery(batch));
            await using var asked = new MySqlCommand(
                $"SELECT CAST(LAST_INSERT_ID() AS SIGNED) - (SELECT MIN(id) FROM {table}), MAX(id) - MIN(id), SUM(v), COUNT(*) FROM {table}", connection,
                transaction);
            await using (var reader = await asked.ExecuteReaderAsync())
            {
                Assert.True(await reader.ReadAsync());
                last.Add(reader.GetInt64(0));
                Assert.Equal((3L, 6L, 4L), (reader.GetInt64(1), reader.GetInt64(2), reader.GetInt64(3)));
            }

            await Run(connection, Mode.Async, $"DELETE FROM {table}", transaction);
        }

        Assert.All(last, offset => Assert.Equal(last[0], offset));
        await Mode.Async.Rollback(transaction);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Types_that_change_from_row_to_row_are_sent_as_text(ServerKind kind)
    {
        var lab = await LiveServers.GetAsync(kind);
        await using var table = await Table.CreateAsync(lab, "id int PRIMARY KEY, v varchar(30)");
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(lab, "Merge Inserts=true;"));
        await Mode.Async.Open(connection);
        await using var transaction = (MySqlTransaction)await Mode.Async.Begin(connection);
        object?[][] rows = [[1, "text"], [2L, 2], [3, 3.5], [4, null], [5, new DateTime(2026, 1, 2)]];
        var seen = new List<string>();
        for (var execution = 0; execution < Executions; execution++)
        {
            await using var batch = Batch(connection, transaction, table, rows);
            Assert.Equal(rows.Length, await Mode.Async.NonQuery(batch));
            seen.Add(await Dump(connection, Mode.Async, table, transaction));
            await Run(connection, Mode.Async, $"DELETE FROM {table}", transaction);
        }

        Assert.All(seen, dump => Assert.Equal(seen[0], dump));
        await Mode.Async.Rollback(transaction);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Batches_of_many_sizes_store_every_row_once(ServerKind kind)
    {
        var lab = await LiveServers.GetAsync(kind);
        await using var table = await Table.CreateAsync(lab, "id int PRIMARY KEY, v varchar(30)");
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(lab, "Auto Prepare Min Uses=1;Merge Inserts=true;"));
        await Mode.Async.Open(connection);
        await using var transaction = (MySqlTransaction)await Mode.Async.Begin(connection);
        var next = 0;
        foreach (var size in (int[])[1, 2, 3, 2, 1000, 1000, 1001, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 2, 2, 1000, 2500, 2500, 2500, 3, 3])
        {
            var begin = next;
            await using var batch = Batch(connection, transaction, table, Enumerable.Range(begin, size).Select(i => new object?[] { i, "row " + i }));
            next += size;
            Assert.Equal(size, await Mode.Async.NonQuery(batch));
            Assert.All(batch.BatchCommands, command => Assert.Equal(1, command.RecordsAffected));
        }

        await using var asked = new MySqlCommand($"SELECT COUNT(*) FROM {table} WHERE v = CONCAT('row ', id)", connection, transaction);
        Assert.Equal((long)next, await asked.ExecuteScalarAsync());
        await Mode.Async.Rollback(transaction);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Triggers_fire_for_each_row_in_all_forms(ServerKind kind)
    {
        var lab = await LiveServers.GetAsync(kind);
        await using var log = await Table.CreateAsync(lab, "id int, n int");
        await using var table = await Table.CreateAsync(lab, "id int PRIMARY KEY, v int");
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(lab, "Merge Inserts=true;"));
        await Mode.Async.Open(connection);
        await Run(
            connection, Mode.Async, $"CREATE TRIGGER {table}_t AFTER INSERT ON {table} FOR EACH ROW INSERT INTO {log} SELECT NEW.id, COUNT(*) FROM {log}");
        await using var transaction = (MySqlTransaction)await Mode.Async.Begin(connection);
        for (var execution = 0; execution < Executions; execution++)
        {
            await using var batch = Batch(connection, transaction, table, Enumerable.Range(execution * 3, 3).Select(i => new object?[] { i, i }));
            Assert.Equal(3, await Mode.Async.NonQuery(batch));
        }

        await using var asked = new MySqlCommand($"SELECT COUNT(*) FROM {log} WHERE id = n", connection, transaction);
        Assert.Equal(3L * Executions, await asked.ExecuteScalarAsync());
        await Mode.Async.Rollback(transaction);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Commands_behind_the_inserts_keep_them_text_and_one_round_trip(ServerKind kind)
    {
        var lab = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(lab.Host, lab.Port);
        await using var table = await Table.CreateAsync(lab, "id int PRIMARY KEY, v int");
        var text =
            ConnectionStrings.MySql(lab, $"Application Name={nameof(Commands_behind_the_inserts_keep_them_text_and_one_round_trip)};Merge Inserts=true;");
        await using var connection = new MySqlConnection(text.Replace($"Port={lab.Port}", $"Port={proxy.Port}"));
        await Mode.Async.Open(connection);
        await using var transaction = (MySqlTransaction)await Mode.Async.Begin(connection);
        for (var execution = 0; execution < Executions; execution++)
        {
            await using var batch = Batch(connection, transaction, table, Enumerable.Range(0, 10).Select(i => new object?[] { i, i }));
            batch.BatchCommands.Add(new MySqlBatchCommand($"DELETE FROM {table}"));
            proxy.Counters.Reset();
            Assert.Equal(20, await Mode.Async.NonQuery(batch));
            Assert.Equal(1, proxy.Counters.RoundTrips);
        }

        await Mode.Async.Rollback(transaction);
    }

    private static async Task<int> Executed(MySqlConnection connection, Mode mode, MySqlTransaction? transaction)
    {
        await using var command = new MySqlCommand("SHOW SESSION STATUS LIKE 'Com_stmt_execute'", connection, transaction);
        await using var reader = await mode.Reader(command);
        Assert.True(await mode.Read(reader));
        return int.Parse(reader.GetString(1), CultureInfo.InvariantCulture);
    }

    private static int Prepared(MySqlConnection connection) => ((MySqlSession)connection.Session).Prepared.Count;

    private static MySqlBatch Batch(MySqlConnection connection, MySqlTransaction? transaction, Table table, IEnumerable<object?[]> rows, string blank = " ")
    {
        var batch = connection.CreateBatch();
        batch.Transaction = transaction;
        foreach (var row in rows)
        {
            var command =
                new MySqlBatchCommand($"INSERT INTO {table}{blank}VALUES ({string.Join(", ", Enumerable.Range(0, row.Length).Select(i => "@p" + i))})");
            for (var i = 0; i < row.Length; i++)
                command.Parameters.AddWithValue("@p" + i, row[i]);
            batch.BatchCommands.Add(command);
        }

        return batch;
    }

    private static async Task<long> Count(MySqlConnection connection, Mode mode, Table table, MySqlTransaction? transaction = null)
    {
        await using var command = new MySqlCommand($"SELECT COUNT(*) FROM {table}", connection, transaction);
        return (long)(await mode.Scalar(command))!;
    }

    private static async Task<string> Dump(MySqlConnection connection, Mode mode, Table table, MySqlTransaction? transaction)
    {
        await using var command = new MySqlCommand($"SELECT * FROM {table}", connection, transaction);
        await using var reader = await mode.Reader(command);
        var lines = new List<string>();
        while (await mode.Read(reader))
            lines.Add(string.Join('|', Enumerable.Range(0, reader.FieldCount).Select(i => Text(reader.GetValue(i)))));
        return string.Join('\n', lines);
    }

    private static string Text(object value) => value switch
    {
        byte[] bytes => Convert.ToHexString(bytes),
        DateTime date => date.ToString("O", CultureInfo.InvariantCulture),
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };

    private static async Task Run(MySqlConnection connection, Mode mode, string sql, MySqlTransaction? transaction = null)
    {
        await using var command = new MySqlCommand(sql, connection, transaction);
        await mode.NonQuery(command);
    }

    private sealed class Table(LabServer lab, string name) : IAsyncDisposable
    {
        public static async Task<Table> CreateAsync(LabServer lab, string columns)
        {
            var name = $"merged_{Environment.ProcessId}_{Interlocked.Increment(ref _tables)}";
            await RunAsync(lab, $"CREATE TABLE {name} ({columns})");
            return new(lab, name);
        }

        public override string ToString() => name;

        public async ValueTask DisposeAsync() => await RunAsync(lab, $"DROP TABLE {name}");

        private static async Task RunAsync(LabServer lab, string sql)
        {
            await using var connection = new MySqlConnection(ConnectionStrings.MySql(lab));
            await connection.OpenAsync();
            await Run(connection, Mode.Async, sql);
        }
    }
}
