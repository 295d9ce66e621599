using System.Globalization;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

public class BulkCopyTests
{
    public static TheoryData<ServerKind, MySqlBulkCopyMethod, bool> Wires()
    {
        var data = new TheoryData<ServerKind, MySqlBulkCopyMethod, bool>();
        foreach (var asynchronous in (bool[])[false, true])
        {
            data.Add(ServerKind.MySql, MySqlBulkCopyMethod.MultiRow, asynchronous);
            data.Add(ServerKind.MySql, MySqlBulkCopyMethod.LoadData, asynchronous);
            data.Add(ServerKind.MariaDb, MySqlBulkCopyMethod.BulkExecute, asynchronous);
            data.Add(ServerKind.MariaDb, MySqlBulkCopyMethod.MultiRow, asynchronous);
            data.Add(ServerKind.MariaDb, MySqlBulkCopyMethod.LoadData, asynchronous);
            data.Add(ServerKind.MariaDb11, MySqlBulkCopyMethod.BulkExecute, asynchronous);
            data.Add(ServerKind.MariaDb11, MySqlBulkCopyMethod.LoadData, asynchronous);
        }

        return data;
    }

    private sealed record Item(int Id, string? Name, double Score);

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Rows_arrive_as_they_were(ServerKind kind, MySqlBulkCopyMethod wire, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_rows (id INT PRIMARY KEY, name VARCHAR(100), score DOUBLE NOT NULL)");
        var items = Enumerable.Range(1, 2777).Select(static i => new Item(i, i % 7 == 0 ? null : $"näme '{i}' \\ \"x\",\n\t", i / 4.0)).ToArray();
        var copied = new List<long>();
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_rows", Method = wire, NotifyAfter = 1000 };
        bulk.MySqlRowsCopied += (_, e) => copied.Add(e.RowsCopied);
        var result = asynchronous ? await bulk.WriteToServerAsync(items, Write) : bulk.WriteToServer(items, Write);
        Assert.Equal(wire, result.Method);
        Assert.Equal(2777, result.RowsInserted);
        Assert.Empty(result.Warnings);
        Assert.Equal([1000, 2000], copied);
        await using var command = new MySqlCommand("SELECT id, name, score FROM bulk_rows ORDER BY id", connection);
        await using var reader = await command.ExecuteReaderAsync();
        foreach (var item in items)
        {
            Assert.True(await reader.ReadAsync());
            Assert.Equal(item, new(reader.GetInt32(0), reader.IsDBNull(1) ? null : reader.GetString(1), reader.GetDouble(2)));
        }

        Assert.False(await reader.ReadAsync());
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Statements_prepared_before_and_after_a_copy_are_the_right_ones(ServerKind kind, MySqlBulkCopyMethod wire, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_between (id INT PRIMARY KEY)");
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_between", Method = wire };
        await using var kept = new MySqlCommand("SELECT 'kept', @a + 1", connection);
        kept.Parameters.AddWithValue("@a", 1L);
        kept.Prepare();
        for (var i = 0; i < 4; i++)
        {
            Assert.Equal("kept", await kept.ExecuteScalarAsync());
            var items = Enumerable.Range(i * 1500, 1500);
            Assert.Equal(
                1500,
                (
                    asynchronous
                        ? await bulk.WriteToServerAsync(items, static (row, item) => row.Write(item))
                        : bulk.WriteToServer(items, static (row, item) => row.Write(item))).RowsInserted);
            await using var fresh = new MySqlCommand($"SELECT 'fresh {i}', @a", connection);
            fresh.Parameters.AddWithValue("@a", i);
            fresh.Prepare();
            Assert.Equal($"fresh {i}", await fresh.ExecuteScalarAsync());
            Assert.Equal("kept", await kept.ExecuteScalarAsync());
        }

        Assert.Equal(6000L, await Scalar(connection, "SELECT COUNT(*) FROM bulk_between"));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task A_bad_row_is_named_and_nothing_stays(ServerKind kind, MySqlBulkCopyMethod wire, bool asynchronous)
    {
        // LOAD DATA LOCAL skips such rows instead; another test checks that.
        if (wire == MySqlBulkCopyMethod.LoadData)
            return;
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_bad (id INT PRIMARY KEY, name VARCHAR(10))");
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_bad", Method = wire };
        foreach (var (bad, id, name, number) in ((int, int, string, MySqlErrorCode)[])[
            (1777, 5, "x", MySqlErrorCode.DuplicateKeyEntry), (1500, 1500, "much too long", MySqlErrorCode.DataTooLong)
        ])
        {
            var items = Enumerable.Range(1, 2777).Select(i => i == bad ? new Item(id, name, 0) : new Item(i, "x", 0));
            var error = asynchronous
                ? await Assert.ThrowsAsync<MySqlException>(async () => await bulk.WriteToServerAsync(items, Two))
                : Assert.Throws<MySqlException>(() => bulk.WriteToServer(items, Two));
            Assert.Equal(MySqlErrorCode.BulkCopyFailed, error.ErrorCode);
            Assert.Equal(number, Assert.IsType<MySqlException>(error.InnerException).ErrorCode);
            Assert.Equal((long)bad, error.Data["Row"]);
            Assert.StartsWith($"Row {bad}: ", error.Message);
            Assert.EndsWith("No row was written.", error.Message);
            Assert.Equal(0L, await Scalar(connection, "SELECT COUNT(*) FROM bulk_bad"));
        }
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Every_column_type_takes_what_a_parameter_gives_it(ServerKind kind, MySqlBulkCopyMethod wire, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, """
            CREATE TEMPORARY TABLE bulk_columns (id INT PRIMARY KEY, a TINYINT UNSIGNED, b BIGINT UNSIGNED, c DECIMAL(65,30), d FLOAT, e BIT(12), f YEAR, g TIME(6), h DATETIME(6), i TIMESTAMP(3) NULL,
                j CHAR(5) CHARACTER SET latin1, k VARCHAR(30) CHARACTER SET utf8mb4, l BINARY(4), m VARBINARY(20), n MEDIUMBLOB, o LONGTEXT, p ENUM('x','y'), q SET('r','s'), r JSON, s GEOMETRY, t BOOL, u DATE)
            """);
        object?[][] rows =
        [
            [
                1, (byte)255, ulong.MaxValue, -1234567890.123456789m, 1.5f, 0xABCUL, 2024, new TimeSpan(-5, -4, -3, -2, -123),
                new DateTime(2024, 2, 29, 1, 2, 3).AddTicks(4_567_890), new DateTime(2001, 2, 3, 4, 5, 6),
                "äöü", "'\"\\\n\t,\0\u20ac\U0001F600NULL", new byte[] { 0, 39, 92, 255 }, new byte[] { 10, 44, 0, 13 }, new byte[300], "NULL", "y", "r,s",
                "{\"a\": [1, null]}",
                new byte[] { 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0x40 }, true, new DateOnly(1999, 12, 31)],
            [2, .. Enumerable.Repeat<object?>(null, 21)],
            [
                3, 7, -0L, "12.5", 2.5, true, "1999", TimeSpan.Zero, "2020-01-02 03:04:05.5", DBNull.Value, 5, 1.5, "ab", "text"u8.ToArray(), "text", 'c', 1,
                "", "5", DBNull.Value, 0, new DateTime(2020, 5, 6)
            ],
        ];
        await using (
            var insert =
                new MySqlCommand($"INSERT INTO bulk_columns VALUES ({string.Join(", ", Enumerable.Range(0, 22).Select(static i => "@p" + i))})", connection))
        {
            foreach (var row in rows)
            {
                insert.Parameters.Clear();
                for (var i = 0; i < row.Length; i++)
                    insert.Parameters.AddWithValue("@p" + i, i == 16 && row[i] is int ? "x" : row[i]);
                insert.Prepare();
                await insert.ExecuteNonQueryAsync();
            }
        }

        var expected = await Read(connection);
        await Execute(connection, "TRUNCATE TABLE bulk_columns");
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_columns", Method = wire };
        void Write(MySqlBulkRow target, object?[] row)
        {
            for (var i = 0; i < row.Length; i++)
                target.Write(i == 16 && row[i] is int ? "x" : row[i]);
        }

        var result = asynchronous ? await bulk.WriteToServerAsync(rows, Write) : bulk.WriteToServer(rows, Write);
        Assert.Equal(3, result.RowsInserted);
        Assert.Equal(expected, await Read(connection));

        static async Task<List<string>> Read(MySqlConnection connection)
        {
            var values = new List<string>();
            await using var command = new MySqlCommand("SELECT *, HEX(s), HEX(e) FROM bulk_columns ORDER BY id", connection);
            await using var reader = await command.ExecuteReaderAsync();
            while (await reader.ReadAsync())
            {
                for (var i = 0; i < reader.FieldCount; i++)
                    values.Add(
                        $"{reader.GetName(i)}={(reader.IsDBNull(i)
                    ? "NULL"
                    : reader.GetValue(i) is byte[] bytes
                        ? Convert.ToHexString(bytes)
                        : string.Create(CultureInfo.InvariantCulture, $"{reader.GetValue(i)}"))}");
            }

            return values;
        }
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Rows_that_exist_are_replaced_left_out_or_updated(ServerKind kind, MySqlBulkCopyMethod wire, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_conflicts (id INT PRIMARY KEY, name VARCHAR(10), other INT DEFAULT 5)");
        foreach (var (option, names, other, inserted) in ((MySqlBulkLoaderConflictOption, string, long, int)[])
            [
                (MySqlBulkLoaderConflictOption.Ignore, "old,new,new", 9, 2),
                (MySqlBulkLoaderConflictOption.Replace, "new,new,new", 5, 3),
                (MySqlBulkLoaderConflictOption.Update, "new,new,new", 9, 3),
            ])
        {
            await Execute(connection, "TRUNCATE TABLE bulk_conflicts");
            await Execute(connection, "INSERT INTO bulk_conflicts VALUES (1, 'old', 9)");
            var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_conflicts", Method = wire, ConflictOption = option };
            bulk.ColumnMappings.Add(new(0, "id"));
            bulk.ColumnMappings.Add(new(1, "name"));
            if (option == MySqlBulkLoaderConflictOption.Update && wire == MySqlBulkCopyMethod.LoadData)
            {
                Assert.Throws<NotSupportedException>(() => bulk.WriteToServer(new[] { 1 }, static (row, item) => row.Write(item)));
                continue;
            }

            Item[] items = [new(1, "new", 0), new(2, "new", 0), new(3, "new", 0)];
            var result = asynchronous ? await bulk.WriteToServerAsync(items, Two) : bulk.WriteToServer(items, Two);
            Assert.Equal(inserted, result.RowsInserted);
            Assert.Equal(
                option == MySqlBulkLoaderConflictOption.Ignore ? [MySqlErrorCode.DuplicateKeyEntry] : [],
                result.Warnings.Select(static warning => warning.ErrorCode));
            Assert.Equal(names, await Scalar(connection, "SELECT GROUP_CONCAT(name ORDER BY id) FROM bulk_conflicts"));
            Assert.Equal((int)other, await Scalar(connection, "SELECT other FROM bulk_conflicts WHERE id = 1"));
        }
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Values_of_a_column_may_change_their_types(ServerKind kind, MySqlBulkCopyMethod wire, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_changing (id INT PRIMARY KEY, value VARCHAR(50))");
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_changing", Method = wire };
        void Write(MySqlBulkRow row, int item)
        {
            row.Write(item);
            row.Write((item / 100 % 4) switch
            {
                0 => (object)item,
                1 => item.ToString(System.Globalization.CultureInfo.InvariantCulture),
                2 => (long)item,
                _ => item % 3 == 0 ? DBNull.Value : (decimal)item,
            });
        }

        var result = asynchronous ? await bulk.WriteToServerAsync(Enumerable.Range(0, 3000), Write) : bulk.WriteToServer(Enumerable.Range(0, 3000), Write);
        Assert.Equal(3000, result.RowsInserted);
        Assert.Equal(
            0L, await Scalar(connection, "SELECT COUNT(*) FROM bulk_changing WHERE value <> id OR (value IS NULL) <> (id DIV 100 % 4 = 3 AND id % 3 = 0)"));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Large_values_and_small_batches_arrive_whole(ServerKind kind, MySqlBulkCopyMethod wire, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_large (id INT PRIMARY KEY, value LONGBLOB, text LONGTEXT)");
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_large", Method = wire, BatchSize = 3 };
        static byte[] Bytes(int size) => [.. Enumerable.Range(0, size).Select(static i => (byte)i)];
        var sizes = Enumerable.Range(0, 20).Select(static i => i * i * 2500).ToArray();
        var reused = new byte[1_000_000];
        void Write(MySqlBulkRow row, int item)
        {
            row.Write(item);
            // The array is reused for the next row, so the copy must have copied its content.
            Bytes(sizes[item]).CopyTo(reused, 0);
            row.Write(new ReadOnlyMemory<byte>(reused, 0, sizes[item]));
            row.Write(new string('ä', sizes[item]));
        }

        var result = asynchronous ? await bulk.WriteToServerAsync(Enumerable.Range(0, 20), Write) : bulk.WriteToServer(Enumerable.Range(0, 20), Write);
        Assert.Equal(20, result.RowsInserted);
        for (var i = 0; i < 20; i++)
        {
            Assert.Equal(Bytes(sizes[i]), await Scalar(connection, $"SELECT value FROM bulk_large WHERE id = {i}"));
            Assert.Equal(
                sizes[i],
                Convert.ToInt32(
                    await Scalar(connection, $"SELECT CHAR_LENGTH(text) FROM bulk_large WHERE id = {i}"), System.Globalization.CultureInfo.InvariantCulture));
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql, false)]
    [InlineData(ServerKind.MySql, true)]
    [InlineData(ServerKind.MariaDb, false)]
    [InlineData(ServerKind.MariaDb11, false)]
    public async Task What_LOAD_DATA_leaves_out_is_an_error(ServerKind kind, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_left_out (id INT PRIMARY KEY, name VARCHAR(10))");
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_left_out", Method = MySqlBulkCopyMethod.LoadData };
        Item[] items = [new(1, "a", 0), new(2, "b", 0), new(1, "c", 0)];
        var error = asynchronous
            ? await Assert.ThrowsAsync<MySqlException>(async () => await bulk.WriteToServerAsync(items, Two))
            : Assert.Throws<MySqlException>(() => bulk.WriteToServer(items, Two));
        Assert.Equal(MySqlErrorCode.BulkCopyFailed, error.ErrorCode);
        Assert.Contains("3 rows were copied to bulk_left_out, but only 2 were inserted", error.Message);
        Assert.Equal(MySqlErrorCode.DuplicateKeyEntry, Assert.IsType<MySqlException>(error.InnerException).ErrorCode);
        Assert.Equal(0L, await Scalar(connection, "SELECT COUNT(*) FROM bulk_left_out"));
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task A_table_without_transactions_is_said_to_keep_rows(ServerKind kind)
    {
        await using var connection = await Open(kind);
        var name = "bulk_myisam_" + Guid.NewGuid().ToString("N");
        await Execute(connection, $"CREATE TABLE {name} (id INT PRIMARY KEY) ENGINE = MyISAM");
        try
        {
            var bulk = new MySqlBulkCopy(connection) { DestinationTableName = name, Method = MySqlBulkCopyMethod.MultiRow };
            var error = Assert.Throws<MySqlException>(() => bulk.WriteToServer(new[] { 1, 2, 2 }, static (row, item) => row.Write(item)));
            Assert.Contains("a table without transactions keeps the rows", error.Message);
        }
        finally
        {
            await Execute(connection, $"DROP TABLE {name}");
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task Expressions_change_values_on_the_way(ServerKind kind)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_expressions (id INT, name VARCHAR(10))");
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_expressions" };
        bulk.ColumnMappings.Add(new(0, "id"));
        bulk.ColumnMappings.Add(new(1, "@name", "name = UPPER(@name)"));
        Assert.Equal(MySqlBulkCopyMethod.LoadData, bulk.WriteToServer(new[] { new Item(1, "abc", 0) }, Two).Method);
        Assert.Equal("ABC", await Scalar(connection, "SELECT name FROM bulk_expressions"));
        bulk.Method = MySqlBulkCopyMethod.MultiRow;
        Assert.Throws<NotSupportedException>(() => bulk.WriteToServer(new[] { new Item(1, "abc", 0) }, Two));
    }

    [Theory]
    [InlineData(ServerKind.MySql, MySqlBulkCopyMethod.MultiRow)]
    [InlineData(ServerKind.MariaDb, MySqlBulkCopyMethod.BulkExecute)]
    [InlineData(ServerKind.MariaDb11, MySqlBulkCopyMethod.BulkExecute)]
    public async Task The_copy_works_where_the_server_forbids_LOAD_DATA_LOCAL(ServerKind kind, MySqlBulkCopyMethod wire)
    {
        await using var server = await LiveServers.StartPrivateAsync(kind, "--local-infile=0");
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Allow Load Local Infile=true"));
        await connection.OpenAsync();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_forbidden (id INT)");
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_forbidden" };
        var result = await bulk.WriteToServerAsync(Enumerable.Range(0, 5000), static (row, item) => row.Write(item));
        Assert.Equal(wire, result.Method);
        Assert.Equal(5000L, await Scalar(connection, "SELECT COUNT(*) FROM bulk_forbidden"));
        bulk.Method = MySqlBulkCopyMethod.LoadData;
        Assert.ThrowsAny<Exception>(() => bulk.WriteToServer(new[] { 1 }, static (row, item) => row.Write(item)));
        Assert.Equal(5000L, await Scalar(connection, "SELECT COUNT(*) FROM bulk_forbidden"));
    }

    [Fact]
    public async Task LOAD_DATA_LOCAL_is_used_only_when_the_connection_allows_it()
    {
        var server = await LiveServers.GetAsync(ServerKind.MySql);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server));
        await connection.OpenAsync();
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_unasked (id INT)");
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_unasked" };
        Assert.Equal(MySqlBulkCopyMethod.MultiRow, bulk.WriteToServer(new[] { 1 }, static (row, item) => row.Write(item)).Method);
        bulk.Method = MySqlBulkCopyMethod.LoadData;
        Assert.Throws<NotSupportedException>(() => bulk.WriteToServer(new[] { 1 }, static (row, item) => row.Write(item)));
        await using var allowed = await Open(ServerKind.MySql);
        await Execute(allowed, "CREATE TEMPORARY TABLE bulk_unasked (id INT)");
        bulk = new MySqlBulkCopy(allowed) { DestinationTableName = "bulk_unasked" };
        Assert.Equal(MySqlBulkCopyMethod.LoadData, bulk.WriteToServer(new[] { 1 }, static (row, item) => row.Write(item)).Method);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Typed_values_are_copied_without_an_allocation_per_row(ServerKind kind, MySqlBulkCopyMethod wire, bool asynchronous)
    {
        if (asynchronous)
            return;
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_rows_free (id INT PRIMARY KEY, other BIGINT, name VARCHAR(40))");
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_rows_free", Method = wire };
        var (begin, end) = (0L, 0L);
        bulk.WriteToServer(Enumerable.Range(0, 140_001), (row, item) =>
        {
            row.Write(item);
            row.Write((long)item);
            row.Write("a name of some length");
            if (item == 60_000)
                begin = GC.GetAllocatedBytesForCurrentThread();
            else if (item == 140_000)
                end = GC.GetAllocatedBytesForCurrentThread();
        });
        // A packet costs a few hundred bytes, a row costs nothing.
        Assert.InRange((end - begin) / 80_000.0, 0, 4);
    }

    private static void Write(MySqlBulkRow row, Item item)
    {
        row.Write(item.Id);
        row.Write(item.Name);
        row.Write(item.Score);
    }

    private static void Two(MySqlBulkRow row, Item item)
    {
        row.Write(item.Id);
        row.Write(item.Name);
    }

    private static async Task<MySqlConnection> Open(ServerKind kind, string more = "")
    {
        var server = await LiveServers.GetAsync(kind);
        var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Allow Load Local Infile=true;" + more));
        await connection.OpenAsync();
        return connection;
    }

    private static async Task Execute(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    private static async Task<object?> Scalar(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        return await command.ExecuteScalarAsync();
    }
}
