using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    private const string ThousandRows =
        "WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1000) SELECT number FROM numbers";

    [Fact]
    public async Task A_reader_describes_its_columns()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1 AS number, 'text' AS word, NULL AS nothing");
        await using var reader = await Mode.Reader(command);
        Assert.Equal(
            (3, 3, 0, true, false, -1), (reader.FieldCount, reader.VisibleFieldCount, reader.Depth, reader.HasRows, reader.IsClosed, reader.RecordsAffected));
        Assert.Equal(("number", "word"), (reader.GetName(0), reader.GetName(1)));
        Assert.Equal((0, 1, 2), (reader.GetOrdinal("number"), reader.GetOrdinal("WORD"), reader.GetOrdinal("nothing")));
        Assert.Equal(typeof(string), reader.GetFieldType(1));
        Assert.NotEqual("", reader.GetDataTypeName(0));
        Assert.Throws<IndexOutOfRangeException>(() => reader.GetOrdinal("missing"));
        Assert.ThrowsAny<ArgumentException>(() => reader.GetOrdinal(null!));
        AssertOutOfRange(() => reader.GetName(3));
        AssertOutOfRange(() => reader.GetFieldType(-1));
        Assert.True(await Mode.Read(reader));
        AssertOutOfRange(() => reader.GetValue(3));
        AssertOutOfRange(() => reader.GetInt32(-1));
        AssertOutOfRange(() => reader.IsDBNull(3));
        Assert.Throws<IndexOutOfRangeException>(() => reader["missing"]);
        Assert.Equal("text", reader["word"]);
        Assert.Equal("text", reader[1]);
    }

    [Fact]
    public async Task Values_exist_only_on_a_row()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1");
        await using var reader = await Mode.Reader(command);
        Assert.Throws<InvalidOperationException>(() => reader.GetValue(0));
        Assert.True(await Mode.Read(reader));
        Assert.Equal(1, Convert.ToInt32(reader.GetValue(0)));
        Assert.False(await Mode.Read(reader));
        Assert.False(await Mode.Read(reader));
        Assert.Throws<InvalidOperationException>(() => reader.GetValue(0));
        Assert.Throws<InvalidOperationException>(() => reader.GetInt32(0));
        Assert.Throws<InvalidOperationException>(() => reader.IsDBNull(0));
        Assert.True(reader.HasRows);
        Assert.Equal(1, reader.FieldCount);
    }

    [Fact]
    public async Task A_closed_reader_answers_nothing()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1");
        var reader = await Mode.Reader(command);
        await Mode.Close(reader);
        await Mode.Close(reader);
        Assert.True(reader.IsClosed);
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Read(reader));
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.NextResult(reader));
        Assert.ThrowsAny<InvalidOperationException>(() => reader.GetValue(0));
        Assert.ThrowsAny<InvalidOperationException>(() => reader.FieldCount);
        Assert.ThrowsAny<InvalidOperationException>(() => reader.HasRows);
        Assert.ThrowsAny<InvalidOperationException>(() => reader.GetName(0));
        Assert.Equal(-1, reader.RecordsAffected);
        await Mode.Dispose(reader);
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_result_without_rows_still_has_columns()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1 AS number WHERE 1 = 0");
        await using var reader = await Mode.Reader(command);
        Assert.False(reader.HasRows);
        Assert.Equal((1, "number"), (reader.FieldCount, reader.GetName(0)));
        Assert.False(await Mode.Read(reader));
        Assert.False(await Mode.NextResult(reader));
        Assert.Equal(0, reader.FieldCount);
    }

    [Fact]
    public async Task A_command_without_a_result_has_no_columns()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE silent (id int)");
        await using var command = Command(connection, "INSERT INTO silent VALUES (1), (2)");
        await using var reader = await Mode.Reader(command);
        Assert.Equal((0, false), (reader.FieldCount, reader.HasRows));
        Assert.False(await Mode.Read(reader));
        Assert.False(await Mode.NextResult(reader));
        await Mode.Close(reader);
        Assert.Equal(2, reader.RecordsAffected);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Every_row_is_read_in_order(bool prepared)
    {
        await using var connection = await Open();
        await using var command = Command(connection, ThousandRows);
        if (prepared)
            await Mode.Prepare(command);
        for (var round = 0; round < 3; round++)
        {
            await using var reader = await Mode.Reader(command);
            var expected = 0;
            while (await Mode.Read(reader))
                Assert.Equal(++expected, Convert.ToInt32(reader.GetValue(0)));
            Assert.Equal(1000, expected);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(500)]
    public async Task A_reader_closed_in_the_middle_leaves_the_connection_in_order(int rows)
    {
        await using var connection = await Open();
        await using var command =
            Command(connection, ThousandRows.Replace("SELECT number FROM", "SELECT number, REPEAT('x', 1000) FROM") + "; SELECT 'another'");
        await using (var reader = await Mode.Reader(command))
        {
            for (var i = 0; i < rows; i++)
                Assert.True(await Mode.Read(reader));
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task All_values_of_a_row_are_had_at_once()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 'a', 'b', NULL");
        await using var reader = await Mode.Reader(command);
        await Mode.Read(reader);
        var all = new object[5];
        Assert.Equal(3, reader.GetValues(all));
        Assert.Equal(["a", "b", DBNull.Value, null!, null!], all);
        var one = new object[1];
        Assert.Equal(1, reader.GetValues(one));
        Assert.Equal("a", one[0]);
    }

    [Fact]
    public async Task A_reader_can_be_enumerated_and_loaded()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1 AS id, 'one' AS word UNION ALL SELECT 2, 'two'");
        await using (var reader = await Mode.Reader(command))
            Assert.Equal(["one", "two"], reader.Cast<IDataRecord>().Select(record => record.GetString(1)));
        await using (var reader = await Mode.Reader(command))
        {
            using var table = new DataTable();
            table.Load(reader);
            Assert.Equal(2, table.Rows.Count);
            Assert.Equal(["id", "word"], table.Columns.Cast<DataColumn>().Select(column => column.ColumnName));
            Assert.Equal("two", table.Rows[1]["word"]);
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task The_schema_is_had_in_both_forms()
    {
        await using var connection = await Open();
        await using var table = await CreateTable("id int NOT NULL PRIMARY KEY, word varchar(20), amount decimal(10,3)");
        await using var command = Command(connection, $"SELECT id, word AS name, amount, 1 + 1 AS sum FROM {table}");
        await using var reader = await Mode.Reader(command);
        var columns = Mode.IsAsync ? await reader.GetColumnSchemaAsync() : ((IDbColumnSchemaGenerator)reader).GetColumnSchema();
        Assert.Equal(["id", "name", "amount", "sum"], columns.Select(column => column.ColumnName));
        Assert.Equal([0, 1, 2, 3], columns.Select(column => column.ColumnOrdinal!.Value));
        Assert.Equal([typeof(int), typeof(string), typeof(decimal)], columns.Take(3).Select(column => column.DataType));
        Assert.Equal((10, 3), (columns[2].NumericPrecision, columns[2].NumericScale));
        Assert.Equal(20, columns[1].ColumnSize);

        var schema = (Mode.IsAsync ? await reader.GetSchemaTableAsync() : reader.GetSchemaTable())!;
        Assert.Equal(4, schema.Rows.Count);
        // All columns of SchemaTableColumn, and those of SchemaTableOptionalColumn for which a server provides information.
        var awaited = typeof(SchemaTableColumn).GetFields().Select(static field => (string)field.GetValue(null)!)
            .Concat(
                [
                    "BaseServerName", "BaseCatalogName", "IsAutoIncrement", "IsHidden", "IsReadOnly", "IsRowVersion", "ProviderSpecificDataType", "IsIdentity",
                    "DataTypeName"
                ]);
        Assert.Empty(awaited.Where(name => !schema.Columns.Contains(name)));
        Assert.Equal("name", schema.Rows[1]["ColumnName"]);
        Assert.Equal(typeof(decimal), schema.Rows[2]["DataType"]);
        Assert.Equal(10, Convert.ToInt32(schema.Rows[2]["NumericPrecision"]));
    }

    [Fact]
    public async Task Bytes_are_copied_in_pieces()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT @bytes", ("@bytes", new byte[] { 1, 2, 3, 4, 5 }));
        await using var reader = await Mode.Reader(command);
        await Mode.Read(reader);
        Assert.Equal(5, reader.GetBytes(0, 0, null, 0, 0));
        var target = new byte[4];
        Assert.Equal(2, reader.GetBytes(0, 3, target, 1, 3));
        Assert.Equal([0, 4, 5, 0], target);
        Assert.Equal(0, reader.GetBytes(0, 5, target, 0, 4));
        Assert.ThrowsAny<ArgumentException>(() => reader.GetBytes(0, 0, target, 2, 3));
        Assert.ThrowsAny<ArgumentException>(() => reader.GetBytes(0, 0, target, -1, 1));
        await using var stream = reader.GetStream(0);
        var read = new byte[10];
        Assert.Equal(5, await Mode.ReadStream(stream, read));
        Assert.Equal(0, await Mode.ReadStream(stream, read));
    }

    [Fact]
    public async Task Characters_are_copied_in_pieces()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 'abcäö€'");
        await using var reader = await Mode.Reader(command);
        await Mode.Read(reader);
        Assert.Equal(6, reader.GetChars(0, 0, null, 0, 0));
        var target = new char[4];
        Assert.Equal(3, reader.GetChars(0, 3, target, 1, 3));
        Assert.Equal("\0äö€", new string(target));
        using var text = reader.GetTextReader(0);
        Assert.Equal("abcäö€", await text.ReadToEndAsync());
    }

    [Fact]
    public async Task A_getter_that_does_not_fit_says_so_and_harms_nothing()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 'not a number', 1");
        await using var reader = await Mode.Reader(command);
        await Mode.Read(reader);
        foreach (var get in new Action[]
        {
            () => reader.GetInt32(0),
            () => reader.GetDateTime(0),
            () => reader.GetGuid(0),
            () => reader.GetDouble(0),
            () => reader.GetBoolean(0)
        })
        {
            var error = Record.Exception(get);
            Assert.True(error is InvalidCastException or FormatException, $"{error?.GetType().Name ?? "nothing"} was thrown");
        }

        Assert.Equal("not a number", reader.GetString(0));
        Assert.Equal(1, reader.GetInt32(1));
        Assert.False(await Mode.Read(reader));
    }

    [Fact]
    public async Task Behavior_SingleRow_gives_one_row()
    {
        await using var connection = await Open();
        await using var command = Command(connection, ThousandRows);
        await using (var reader = await Mode.Reader(command, CommandBehavior.SingleRow))
        {
            Assert.True(await Mode.Read(reader));
            Assert.Equal(1, Convert.ToInt32(reader.GetValue(0)));
            Assert.False(await Mode.Read(reader));
        }

        await StillUsable(connection);
    }

    [Theory, InlineData(0), InlineData(1), InlineData(2)]
    public async Task Behavior_SingleRow_gives_the_first_row_of_each_result_however_often_the_caller_has_read(int reads)
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1 UNION ALL SELECT 2; SELECT 3 UNION ALL SELECT 4");
        await using (var reader = await Mode.Reader(command, CommandBehavior.SingleRow))
        {
            for (var read = 0; read < reads; read++)
                Assert.Equal(read == 0, await Mode.Read(reader));
            Assert.True(await Mode.NextResult(reader));
            Assert.True(await Mode.Read(reader));
            Assert.Equal(3, Convert.ToInt32(reader.GetValue(0)));
            Assert.False(await Mode.Read(reader));
            Assert.False(await Mode.NextResult(reader));
        }

        await StillUsable(connection);
    }

    [Theory, InlineData(0), InlineData(1), InlineData(2)]
    public async Task Behavior_SingleRow_hides_no_error_of_a_later_statement_from_NextResult(int reads)
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1; SELECT (SELECT 2 UNION ALL SELECT 3)");
        await using (var reader = await Mode.Reader(command, CommandBehavior.SingleRow))
        {
            for (var read = 0; read < reads; read++)
                Assert.Equal(read == 0, await Mode.Read(reader));
            await Assert.ThrowsAnyAsync<DbException>(() => Mode.NextResult(reader));
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task Behavior_SingleResult_gives_one_result()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1; SELECT 2");
        await using (var reader = await Mode.Reader(command, CommandBehavior.SingleResult))
        {
            Assert.True(await Mode.Read(reader));
            Assert.False(await Mode.NextResult(reader));
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task Behavior_SchemaOnly_gives_columns_and_no_rows()
    {
        await using var connection = await Open();
        await using var table = await CreateTable("id int NOT NULL PRIMARY KEY, word varchar(20)");
        await Execute(connection, $"INSERT INTO {table} VALUES (1, 'a')");
        await using var command = Command(connection, $"SELECT id, word FROM {table}");
        await using (var reader = await Mode.Reader(command, CommandBehavior.SchemaOnly))
        {
            Assert.Equal((2, "word"), (reader.FieldCount, reader.GetName(1)));
            Assert.False(await Mode.Read(reader));
        }

        Assert.Equal(1, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
        Assert.Equal(1, await Number(connection, $"SELECT id FROM {table}"));
    }

    [Fact]
    public async Task Behavior_KeyInfo_gives_rows_all_the_same()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1");
        await using var reader = await Mode.Reader(command, CommandBehavior.KeyInfo);
        Assert.True(await Mode.Read(reader));
    }

    [Fact]
    public async Task Behavior_CloseConnection_closes_it_with_the_reader()
    {
        await using var connection = await Open();
        await using var command = Command(connection, ThousandRows);
        var reader = await Mode.Reader(command, CommandBehavior.CloseConnection);
        Assert.True(await Mode.Read(reader));
        Assert.Equal(ConnectionState.Open, connection.State);
        await Mode.Dispose(reader);
        Assert.Equal(ConnectionState.Closed, connection.State);
        await Mode.Open(connection);
        await StillUsable(connection);
    }

    [Fact]
    public async Task Closing_the_connection_closes_its_reader()
    {
        await using var connection = await Open();
        await using var command = Command(connection, ThousandRows);
        var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        await Mode.Close(connection);
        Assert.True(reader.IsClosed);
        await Mode.Open(connection);
        await StillUsable(connection);
    }

    [Fact]
    public async Task Behavior_SequentialAccess_reads_columns_forward()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1, 'two', @three, NULL, 5", ("@three", new byte[] { 3, 3, 3 }));
        await using var reader = await Mode.Reader(command, CommandBehavior.SequentialAccess);
        Assert.True(await Mode.Read(reader));
        Assert.Equal(1, Convert.ToInt32(reader.GetValue(0)));
        Assert.Equal("two", await Mode.Get<string>(reader, 1));
        Assert.Equal([3, 3, 3], await Mode.Get<byte[]>(reader, 2));
        Assert.True(await Mode.IsDBNull(reader, 3));
        Assert.Equal(5, reader.GetInt32(4));
        Assert.False(await Mode.Read(reader));
    }

    private static void AssertOutOfRange(Func<object?> get)
    {
        var error = Record.Exception(get);
        Assert.True(error is IndexOutOfRangeException or ArgumentOutOfRangeException, $"{error?.GetType().Name ?? "nothing"} was thrown");
    }
}
