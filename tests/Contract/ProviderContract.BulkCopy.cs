using System.Data;
using System.Data.Common;
using System.Runtime.CompilerServices;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    private static readonly Type[] BulkTypes =
    [
        typeof(int), typeof(long), typeof(short), typeof(bool), typeof(double), typeof(float), typeof(decimal), typeof(string), typeof(byte[]),
        typeof(DateTime), typeof(Guid),
        typeof(DateOnly), typeof(TimeOnly),
    ];

    [Fact]
    public async Task A_bulk_copy_of_a_data_table_keeps_every_type_and_null()
    {
        using var table = BulkTable();
        await using var connection = await Open();
        var name = await CreateBulkTable(connection);
        Assert.Equal(table.Rows.Count, await Server.Bulk(new() { Table = name }).Write(Mode, connection, table));
        await AssertBulkRows(connection, name, table);
    }

    [Fact]
    public async Task A_bulk_copy_of_a_reader_keeps_every_type_and_null()
    {
        using var table = BulkTable();
        await using var connection = await Open();
        var name = await CreateBulkTable(connection);
        using var reader = table.CreateDataReader();
        Assert.Equal(table.Rows.Count, await Server.Bulk(new() { Table = name }).Write(Mode, connection, reader));
        await AssertBulkRows(connection, name, table);
    }

    [Fact]
    public async Task A_bulk_copy_reads_from_another_connection()
    {
        await using var source = await Open();
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_sink (a INT, b VARCHAR(20))");
        await using var command = Command(source, "SELECT 1, 'x' UNION ALL SELECT 2, NULL UNION ALL SELECT 3, 'z'");
        await using var reader = await Mode.Reader(command);
        Assert.Equal(3, await Server.Bulk(new() { Table = "bulk_sink" }).Write(Mode, connection, reader));
        Assert.Equal("6", await Text(connection, "SELECT SUM(a) FROM bulk_sink"));
        Assert.Equal("2", await Text(connection, "SELECT COUNT(b) FROM bulk_sink"));
    }

    [Fact]
    public async Task A_bulk_copy_of_objects_writes_many_packets()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_sink (a INT PRIMARY KEY, b VARCHAR(200))");
        var text = new string('x', 150);
        Assert.Equal(12_345, await Server.Bulk(new() { Table = "bulk_sink" }).Write(Mode, connection, Enumerable.Range(1, 12_345), (row, item) =>
        {
            row.Write(item);
            if (item % 3 == 0)
                row.WriteNull();
            else
                row.Write(text);
        }));
        Assert.Equal("12345", await Text(connection, "SELECT COUNT(*) FROM bulk_sink"));
        Assert.Equal("8230", await Text(connection, "SELECT COUNT(*) FROM bulk_sink WHERE LENGTH(b) = 150"));
        Assert.Equal("76205685", await Text(connection, "SELECT SUM(a) FROM bulk_sink"));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_bulk_copy_keeps_large_values_whose_array_is_used_again()
    {
        await using var connection = await Open();
        await Execute(connection, $"CREATE TEMPORARY TABLE bulk_sink (a INT PRIMARY KEY, b {Server.ColumnType(typeof(byte[]))})");
        var reused = new byte[300_000];
        Assert.Equal(8, await Server.Bulk(new() { Table = "bulk_sink" }).Write(Mode, connection, Enumerable.Range(1, 8), (row, item) =>
        {
            Array.Fill(reused, (byte)item);
            row.Write(item);
            row.Write(new ReadOnlyMemory<byte>(reused, 0, item * 35_000));
        }));
        await using var command = Command(connection, "SELECT a, b FROM bulk_sink ORDER BY a");
        await using var reader = await Mode.Reader(command);
        for (var i = 1; i <= 8; i++)
        {
            Assert.True(await Mode.Read(reader));
            var expected = new byte[i * 35_000];
            Array.Fill(expected, (byte)i);
            Assert.Equal(expected, reader.GetFieldValue<byte[]>(1));
        }
    }

    [Fact]
    public async Task A_bulk_copy_takes_objects_that_come_asynchronously()
    {
        if (!Mode.IsAsync)
            return;
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_sink (a INT PRIMARY KEY)");
        Assert.Equal(3000, await Server.Bulk(new() { Table = "bulk_sink" }).Write(connection, Slowly(3000), static (row, item) => row.Write(item)));
        Assert.Equal("3000", await Text(connection, "SELECT COUNT(*) FROM bulk_sink"));
    }

    [Fact]
    public async Task A_bulk_copy_of_nothing_writes_nothing()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_sink (a INT)");
        Assert.Equal(0, await Server.Bulk(new() { Table = "bulk_sink" }).Write(Mode, connection, Array.Empty<int>(), static (row, item) => row.Write(item)));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_bulk_copy_maps_values_to_columns_by_name()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_sink (a INT, b VARCHAR(20), c INT DEFAULT 7)");
        using var table = new DataTable();
        table.Columns.Add("x", typeof(string));
        table.Columns.Add("unused", typeof(string));
        table.Columns.Add("y", typeof(int));
        table.Rows.Add("text", "nobody", 5);
        Assert.Equal(1, await Server.Bulk(new() { Table = "bulk_sink", Mappings = [(2, "a"), (0, "B")] }).Write(Mode, connection, table));
        Assert.Equal("1", await Text(connection, "SELECT COUNT(*) FROM bulk_sink WHERE a = 5 AND b = 'text' AND c = 7"));
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => Server.Bulk(new() { Table = "bulk_sink", Mappings = [(3, "a")] }).Write(Mode, connection, table));
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => Server.Bulk(new() { Table = "bulk_sink", Mappings = [(0, "nowhere")] }).Write(Mode, connection, table));
        await Assert.ThrowsAnyAsync<DbException>(
            () => Server.Bulk(new() { Table = "bulk_sink", Mappings = [] }).Write(Mode, connection, new[] { 1 }, static (row, item) => row.Write(item)));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_bulk_copy_leaves_out_generated_columns_and_identities()
    {
        await using var connection = await Open();
        await Execute(connection, $"CREATE TEMPORARY TABLE bulk_sink (id {Server.Identity} PRIMARY KEY, a INT, twice INT GENERATED ALWAYS AS (a * 2) STORED)");
        using var table = new DataTable();
        table.Columns.Add("a", typeof(int));
        table.Rows.Add(5);
        table.Rows.Add(6);
        Assert.Equal(2, await Server.Bulk(new() { Table = "bulk_sink" }).Write(Mode, connection, table));
        Assert.Equal(
            "2", await Text(connection, "SELECT COUNT(*) FROM bulk_sink WHERE (id = 1 AND a = 5 AND twice = 10) OR (id = 2 AND a = 6 AND twice = 12)"));
    }

    [Fact]
    public async Task A_bad_row_of_a_bulk_copy_is_named_and_no_row_stays()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_sink (a INT PRIMARY KEY)");
        var error = await Assert.ThrowsAnyAsync<DbException>(() => Server.Bulk(new() { Table = "bulk_sink" })
            .Write(Mode, connection, Enumerable.Range(1, 5000), static (row, item) => row.Write(item == 3456 ? 3 : item)));
        Assert.Equal(Server.UniqueViolation, error.SqlState);
        Assert.Equal(3456L, error.Data["Row"]);
        Assert.StartsWith("Row 3456: ", error.Message[error.Message.IndexOf("Row", StringComparison.Ordinal)..]);
        Assert.Equal("0", await Text(connection, "SELECT COUNT(*) FROM bulk_sink"));
        Assert.Equal(2, await Server.Bulk(new() { Table = "bulk_sink" }).Write(Mode, connection, new[] { 1, 2 }, static (row, item) => row.Write(item)));
    }

    [Fact]
    public async Task A_bulk_copy_that_fails_inside_a_transaction_undoes_its_own_rows_only()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_sink (a INT PRIMARY KEY)");
        var transaction = await Mode.Begin(connection);
        await using (var command = Command(connection, "INSERT INTO bulk_sink VALUES (1)"))
        {
            command.Transaction = transaction;
            await Mode.NonQuery(command);
        }

        Assert.Equal(
            2,
            await Server.Bulk(new() { Table = "bulk_sink", Transaction = transaction })
                .Write(Mode, connection, new[] { 2, 3 }, static (row, item) => row.Write(item)));
        var error = await Assert.ThrowsAnyAsync<DbException>(() => Server.Bulk(new() { Table = "bulk_sink", Transaction = transaction })
            .Write(Mode, connection, new[] { 4, 5, 2 }, static (row, item) => row.Write(item)));
        Assert.Equal(3L, error.Data["Row"]);
        await Mode.Commit(transaction);
        Assert.Equal("6", await Text(connection, "SELECT SUM(a) FROM bulk_sink"));

        // The copy's savepoint no longer exists either.
        await using var other = await Mode.Begin(connection);
        Assert.Equal(
            1,
            await Server.Bulk(new() { Table = "bulk_sink", Transaction = other }).Write(Mode, connection, new[] { 7 }, static (row, item) => row.Write(item)));
        await using var asks = Command(connection, "ROLLBACK TO SAVEPOINT slipstream_bulk_copy");
        asks.Transaction = other;
        await Assert.ThrowsAnyAsync<DbException>(() => Mode.NonQuery(asks));
    }

    [Fact]
    public async Task What_the_source_of_a_bulk_copy_throws_comes_back_and_no_row_stays()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_sink (a INT PRIMARY KEY)");
        var error = await Assert.ThrowsAsync<InvalidDataException>(
            () => Server.Bulk(new() { Table = "bulk_sink" }).Write(Mode, connection, Broken(), static (row, item) => row.Write(item)));
        Assert.Equal("the source broke", error.Message);
        Assert.Equal("0", await Text(connection, "SELECT COUNT(*) FROM bulk_sink"));

        static IEnumerable<int> Broken()
        {
            for (var i = 0; i < 2500; i++)
                yield return i;
            throw new InvalidDataException("the source broke");
        }
    }

    [Fact]
    public async Task A_value_that_cannot_be_written_names_its_row()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_sink (a INT, b INT)");
        var error = await Assert.ThrowsAnyAsync<DbException>(
            () => Server.Bulk(new() { Table = "bulk_sink" }).Write(Mode, connection, Enumerable.Range(1, 2000), static (row, item) =>
            {
                row.Write(item);
                if (item == 1500)
                    row.Write(new object());
                else
                    row.Write(item);
            }));
        Assert.Equal(1500L, error.Data["Row"]);
        error = await Assert.ThrowsAnyAsync<DbException>(
            () => Server.Bulk(new() { Table = "bulk_sink" }).Write(Mode, connection, Enumerable.Range(1, 3), static (row, item) => row.Write(item)));
        Assert.Equal(1L, error.Data["Row"]);
        Assert.Equal("0", await Text(connection, "SELECT COUNT(*) FROM bulk_sink"));
    }

    [Fact]
    public async Task A_bulk_copy_tells_how_many_rows_and_can_be_ended()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_sink (a INT PRIMARY KEY)");
        var told = new List<long>();
        var bulk = Server.Bulk(new()
        {
            Table = "bulk_sink",
            NotifyAfter = 500,
            Copied = rows =>
            {
                told.Add(rows);
                return rows < 1500;
            },
        });
        Assert.Equal(1500, await bulk.Write(Mode, connection, Enumerable.Range(1, 5000), static (row, item) => row.Write(item)));
        Assert.Equal([500, 1000, 1500], told);
        Assert.Equal("1500", await Text(connection, "SELECT COUNT(*) FROM bulk_sink"));
    }

    [Fact]
    public async Task A_bulk_copy_can_be_cancelled_between_its_rows()
    {
        if (!Mode.IsAsync)
            return;
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_sink (a INT)");
        using var source = new CancellationTokenSource();
        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Server.Bulk(new() { Table = "bulk_sink" })
            .Write(Mode, connection, Endless(row => { if (row == 100_000) source.Cancel(); }), static (row, item) => row.Write(item), source.Token));
        Assert.Equal(source.Token, error.CancellationToken);
        SaysThatItIsUndone(error);
        Assert.Equal("0", await Text(connection, "SELECT COUNT(*) FROM bulk_sink"));
    }

    private static void SaysThatItIsUndone(Exception error)
    {
        Assert.EndsWith("No row was written.", error.Message, StringComparison.Ordinal);
        // An inner exception must not contradict this.
        for (var one = error; one is not null; one = one.InnerException)
            Assert.DoesNotContain("may have", one.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_bulk_copy_ends_when_its_time_is_over()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_sink (a INT)");
        var error = await Assert.ThrowsAnyAsync<DbException>(() => Server.Bulk(new() { Table = "bulk_sink", Timeout = 1 })
            // A source that pauses, so that the copy does not fill the disk before its time-out.
            .Write(Mode, connection, Endless(static row => { if (row % 1000 == 0) Thread.Sleep(5); }), static (row, item) => row.Write(item)));
        // The message is not the server's, which knows only that the copy was interrupted.
        Assert.Contains("The command time-out of 1 s (BulkCopyTimeout) expired", error.Message, StringComparison.Ordinal);
        SaysThatItIsUndone(error);
        Assert.Equal("0", await Text(connection, "SELECT COUNT(*) FROM bulk_sink"));
    }

    [Fact]
    public async Task A_bulk_copy_into_a_table_that_does_not_exist_is_the_servers_error()
    {
        await using var connection = await Open();
        var error = await Assert.ThrowsAnyAsync<DbException>(
            () => Server.Bulk(new() { Table = "bulk_nowhere" }).Write(Mode, connection, new[] { 1 }, static (row, item) => row.Write(item)));
        Assert.Contains("42", error.SqlState);
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_bulk_copy_opens_a_closed_connection_and_closes_it()
    {
        await using var owner = await Open();
        var name = "bulk_closed_" + Guid.NewGuid().ToString("N");
        await Execute(owner, $"CREATE TABLE {name} (a INT)");
        try
        {
            await using var connection = Server.Factory.CreateConnection()!;
            connection.ConnectionString = Server.ConnectionString;
            Assert.Equal(2, await Server.Bulk(new() { Table = name }).Write(Mode, connection, new[] { 1, 2 }, static (row, item) => row.Write(item)));
            Assert.Equal(ConnectionState.Closed, connection.State);
            Assert.Equal("2", await Text(owner, $"SELECT COUNT(*) FROM {name}"));
        }
        finally
        {
            await Execute(owner, $"DROP TABLE {name}");
        }
    }

    private static IEnumerable<int> Endless(Action<int> each)
    {
        for (var i = 1; ; i++)
        {
            each(i);
            yield return i;
        }
    }

    private static async IAsyncEnumerable<int> Slowly(int count, [EnumeratorCancellation] CancellationToken token = default)
    {
        for (var i = 1; i <= count; i++)
        {
            // Now and then a row that is not available at once.
            if (i % 700 == 0)
                await Task.Delay(1, token);
            yield return i;
        }
    }

    private static DataTable BulkTable()
    {
        var table = new DataTable();
        foreach (var type in BulkTypes)
            table.Columns.Add("c_" + type.Name.Replace("[]", "s", StringComparison.Ordinal), type);
        table.Columns.Add("id", typeof(int));
        table.Rows.Add(
            -5, long.MaxValue, (short)-3, true, 1.5, 2.25f, -12.5m, "äö'\"\\\n\t,;\u20ac\U0001F600", new byte[] { 0, 1, 39, 92, 200, 255 },
            new DateTime(2024, 2, 29, 13, 14, 15).AddTicks(123_456_0),
            new Guid("00112233-4455-6677-8899-aabbccddeeff"), new DateOnly(1999, 12, 31), new TimeOnly(23, 59, 58, 123), 1);
        table.Rows.Add(
            int.MinValue, -1L, short.MaxValue, false, -1e100, -0.5f, 0m, "", Array.Empty<byte>(), new DateTime(1970, 1, 1), Guid.Empty,
            new DateOnly(2000, 1, 1), new TimeOnly(0), 2);
        var nulls = new object[BulkTypes.Length + 1];
        Array.Fill(nulls, DBNull.Value);
        nulls[^1] = 3;
        table.Rows.Add(nulls);
        table.Rows.Add(
            7, 7L, (short)7, true, 7d, 7f, 7m, "NULL", new byte[] { 7 }, new DateTime(2024, 7, 7), Guid.Empty, new DateOnly(2007, 7, 7), new TimeOnly(7, 7), 4);
        return table;
    }

    private async Task<string> CreateBulkTable(DbConnection connection)
    {
        var columns = BulkTypes.Select(type => $"c_{type.Name.Replace("[]", "s", StringComparison.Ordinal)} {Server.ColumnType(type)} NULL");
        await Execute(connection, $"CREATE TEMPORARY TABLE bulk_types ({string.Join(", ", columns)}, id INT)");
        return "bulk_types";
    }

    private async Task AssertBulkRows(DbConnection connection, string name, DataTable expected)
    {
        await using var command = Command(connection, $"SELECT * FROM {name} ORDER BY id");
        await using var reader = await Mode.Reader(command);
        foreach (DataRow row in expected.Rows)
        {
            Assert.True(await Mode.Read(reader));
            for (var i = 0; i < BulkTypes.Length; i++)
            {
                Assert.Equal(row[i] is DBNull, reader.IsDBNull(i));
                if (row[i] is not DBNull)
                    Assert.Equal(row[i], Get(reader, i, BulkTypes[i]));
            }
        }

        Assert.False(await Mode.Read(reader));
    }

    private static object Get(DbDataReader reader, int ordinal, Type type) => type switch
    {
        _ when type == typeof(bool) => reader.GetBoolean(ordinal),
        _ when type == typeof(Guid) => reader.GetGuid(ordinal),
        _ when type == typeof(DateOnly) => reader.GetFieldValue<DateOnly>(ordinal),
        _ when type == typeof(TimeOnly) => reader.GetFieldValue<TimeOnly>(ordinal),
        _ => reader.GetValue(ordinal),
    };

    private async Task<string> Text(DbConnection connection, string sql)
    {
        await using var command = Command(connection, sql);
        return Convert.ToString(await Mode.Scalar(command), System.Globalization.CultureInfo.InvariantCulture)!;
    }
}
