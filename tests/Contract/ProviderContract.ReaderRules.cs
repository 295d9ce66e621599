using System.Collections;
using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

// The rules in the documentation of DbDataReader.
public abstract partial class ProviderContract
{
    [Fact]
    public async Task A_name_is_found_as_it_is_written_first_and_the_first_of_several()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1 AS \"a\", 2 AS \"A\", 3 AS \"b\", 4 AS \"b\"");
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        Assert.Equal((0, 1, 2, 2), (reader.GetOrdinal("a"), reader.GetOrdinal("A"), reader.GetOrdinal("b"), reader.GetOrdinal("B")));
        Assert.Equal(2, Convert.ToInt32(reader["A"]));
        foreach (var missing in new[] { "", " a", "c" })
            Assert.Throws<IndexOutOfRangeException>(() => reader.GetOrdinal(missing));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Columns_are_described_before_the_first_row_and_behind_the_last(bool sequential)
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1 AS number, 'text' AS word");
        await using var reader = await Mode.Reader(command, sequential ? CommandBehavior.SequentialAccess : CommandBehavior.Default);
        for (var i = 0; i < 3; i++)
        {
            Assert.Equal((2, true), (reader.FieldCount, reader.HasRows));
            Assert.Equal(("number", "word", 1), (reader.GetName(0), reader.GetName(1), reader.GetOrdinal("word")));
            Assert.Equal(typeof(string), reader.GetFieldType(1));
            Assert.Equal(typeof(string), reader.GetProviderSpecificFieldType(1));
            Assert.NotEqual("", reader.GetDataTypeName(1));
            AssertOutOfRange(() => reader.GetName(-1));
            AssertOutOfRange(() => reader.GetFieldType(2));
            AssertOutOfRange(() => reader.GetDataTypeName(2));
            Assert.Equal(i == 0, await Mode.Read(reader));
        }
    }

    [Fact]
    public async Task No_value_is_had_before_the_first_row_behind_the_last_or_of_a_closed_reader()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 'text'");
        var reader = await Mode.Reader(command);
        Action[] getters =
        [
            () => reader.GetValue(0), () => reader.GetString(0), () => reader.GetFieldValue<string>(0), () => reader.GetValues(new object[1]),
            () => _ = reader[0], () => _ = reader["text"],
            () => reader.IsDBNull(0), () => reader.GetBytes(0, 0, null, 0, 0), () => reader.GetChars(0, 0, null, 0, 0), () => reader.GetStream(0),
            () => reader.GetTextReader(0),
            () => reader.GetProviderSpecificValue(0), () => reader.GetDecimal(0), () => reader.GetDateTime(0), () => reader.GetGuid(0),
            () => reader.GetBoolean(0), () => reader.GetChar(0),
        ];
        AllRefuse();
        Assert.True(await Mode.Read(reader));
        Assert.Equal("text", reader.GetString(0));
        Assert.False(await Mode.Read(reader));
        AllRefuse();
        Assert.False(await Mode.NextResult(reader));
        AllRefuse();
        await Mode.Dispose(reader);
        AllRefuse();
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.IsDBNull(reader, 0));
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Get<string>(reader, 0));
        await Mode.Dispose(reader);
        await StillUsable(connection);

        void AllRefuse()
        {
            for (var i = 0; i < getters.Length; i++)
            {
                var error = Record.Exception(getters[i]);
                // After the last result, there are no columns and therefore no names.
                Assert.True(error is InvalidOperationException or IndexOutOfRangeException, $"getter {i}: {error?.GetType().Name ?? "nothing"} was thrown");
            }
        }
    }

    [Fact]
    public async Task No_value_is_had_of_a_column_that_is_not_there()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 'text'");
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        foreach (var ordinal in new[] { -1, 1, int.MaxValue, int.MinValue })
        {
            Func<object?>[] getters =
            [
                () => reader.GetValue(ordinal), () => reader.GetString(ordinal), () => reader.GetFieldValue<string>(ordinal), () => reader[ordinal],
                () => reader.IsDBNull(ordinal),
                () => reader.GetBytes(ordinal, 0, null, 0, 0), () => reader.GetChars(ordinal, 0, null, 0, 0), () => reader.GetStream(ordinal),
                () => reader.GetTextReader(ordinal),
                () => reader.GetProviderSpecificValue(ordinal), () => reader.GetBoolean(ordinal), () => reader.GetByte(ordinal), () => reader.GetInt16(ordinal),
                () => reader.GetInt32(ordinal),
                () => reader.GetInt64(ordinal), () => reader.GetFloat(ordinal), () => reader.GetDouble(ordinal), () => reader.GetDecimal(ordinal),
                () => reader.GetDateTime(ordinal),
                () => reader.GetGuid(ordinal), () => reader.GetChar(ordinal), () => reader.GetFieldValue<int?>(ordinal),
                () => reader.GetFieldValue<object>(ordinal),
            ];
            for (var i = 0; i < getters.Length; i++)
            {
                var error = Record.Exception(() => getters[i]());
                Assert.True(
                    error is IndexOutOfRangeException or ArgumentOutOfRangeException,
                    $"getter {i} of {ordinal}: {error?.GetType().Name ?? "nothing"} was thrown");
            }

            var late = await Record.ExceptionAsync(() => Mode.IsDBNull(reader, ordinal));
            Assert.True(late is IndexOutOfRangeException or ArgumentOutOfRangeException, $"{late?.GetType().Name ?? "nothing"} was thrown");
        }

        Assert.Equal("text", reader.GetString(0));
    }

    [Fact]
    public async Task Arrays_of_any_length_take_the_values_of_a_row()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 'a', NULL, 'c'");
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        Assert.ThrowsAny<ArgumentException>(() => reader.GetValues(null!));
        Assert.Equal(0, reader.GetValues([]));
        foreach (var length in new[] { 1, 2, 3, 5 })
        {
            var values = new object[length];
            Assert.Equal(Math.Min(length, 3), reader.GetValues(values));
            Assert.Equal(new object[] { "a", DBNull.Value, "c", null!, null! }.Take(length), values);
            Array.Clear(values);
            Assert.Equal(Math.Min(length, 3), reader.GetProviderSpecificValues(values));
            Assert.Equal("a", values[0]);
        }
    }

    [Fact]
    public async Task Bytes_and_characters_are_refused_where_no_place_for_them_is()
    {
        await using var connection = await Open();
        await using var command =
            Command(connection, "SELECT @bytes, 'abcde', @empty", ("@bytes", new byte[] { 1, 2, 3, 4, 5 }), ("@empty", Array.Empty<byte>()));
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        var (bytes, characters) = (new byte[8], new char[8]);
        foreach (var (from, at, length) in new[] { (-1L, 0, 1), (0, -1, 1), (0, 0, -1), (0, 9, 0), (0, 8, 1), (0, 0, 9), (0, 4, 5) })
        {
            Assert.ThrowsAny<ArgumentException>(() => reader.GetBytes(0, from, bytes, at, length));
            Assert.ThrowsAny<ArgumentException>(() => reader.GetChars(1, from, characters, at, length));
        }

        Assert.Throws<ArgumentOutOfRangeException>(() => reader.GetBytes(0, 0, bytes, 9, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => reader.GetChars(1, 0, characters, 9, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => reader.GetBytes(0, 1L << 32, bytes, 0, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => reader.GetChars(1, 1L << 32, characters, 0, 1));
        Assert.Equal((5, 5), (reader.GetBytes(0, 0, null, 0, 0), reader.GetChars(1, 0, null, 0, 0)));
        Assert.Equal((0, 0), (reader.GetBytes(0, 5, bytes, 0, 8), reader.GetChars(1, 5, characters, 0, 8)));
        Assert.Equal((0, 0), (reader.GetBytes(0, 100, bytes, 0, 8), reader.GetChars(1, 100, characters, 0, 8)));
        Assert.Equal((0, 0), (reader.GetBytes(0, 0, bytes, 8, 0), reader.GetChars(1, 0, characters, 8, 0)));
        Assert.Equal((3, 3), (reader.GetBytes(0, 2, bytes, 5, 3), reader.GetChars(1, 2, characters, 5, 3)));
        Assert.Equal([0, 0, 0, 0, 0, 3, 4, 5], bytes);
        Assert.Equal("\0\0\0\0\0cde", new string(characters));
        Assert.Equal((0, 0), (reader.GetBytes(2, 0, null, 0, 0), reader.GetBytes(2, 0, bytes, 0, 8)));
    }

    [Fact]
    public async Task An_unknown_type_is_no_type_of_a_value()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1, 'text'");
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        Assert.Throws<InvalidCastException>(() => reader.GetFieldValue<Version>(0));
        Assert.Throws<InvalidCastException>(() => reader.GetFieldValue<Version>(1));
        await Assert.ThrowsAsync<InvalidCastException>(() => Mode.Get<Version>(reader, 1));
        Assert.True(Record.Exception(() => reader.GetData(0)) is NotSupportedException or InvalidCastException);
        Assert.Equal("text", reader.GetString(1));
    }

    [Fact]
    public async Task A_result_that_fails_ends_the_reader_and_not_the_connection()
    {
        await using var connection = await Open();
        await using var batch = Batch(connection, "SELECT 1", "SELECT nothing FROM no_such_table", "SELECT 3");
        await using (var reader = await Mode.Reader(batch))
        {
            Assert.True(reader.HasRows);
            Assert.True(await Mode.Read(reader));
            await Assert.ThrowsAnyAsync<DbException>(async () =>
            {
                await Mode.Read(reader);
                await Mode.NextResult(reader);
            });
            Assert.False(reader.IsClosed);
            Assert.False(await Mode.Read(reader));
            Assert.False(await Mode.NextResult(reader));
            Assert.Equal((0, false), (reader.FieldCount, reader.HasRows));
            await Mode.Close(reader);
            Assert.True(reader.IsClosed);
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task Whether_there_are_rows_is_said_of_each_result()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1 WHERE 1 = 0; SELECT 2; SELECT 3 WHERE 1 = 0");
        await using var reader = await Mode.Reader(command);
        foreach (var expected in new[] { false, true, false })
        {
            Assert.Equal(expected, reader.HasRows);
            Assert.Equal(expected, await Mode.Read(reader));
            Assert.Equal(expected, reader.HasRows);
            Assert.False(await Mode.Read(reader));
            Assert.Equal(expected, reader.HasRows);
            await Mode.NextResult(reader);
        }

        Assert.False(reader.HasRows);
        Assert.Equal(-1, reader.RecordsAffected);
    }

    [Theory]
    [InlineData(CommandBehavior.SingleRow | CommandBehavior.SequentialAccess)]
    [InlineData(CommandBehavior.SingleRow | CommandBehavior.SingleResult)]
    [InlineData(CommandBehavior.SingleResult | CommandBehavior.SequentialAccess)]
    [InlineData(CommandBehavior.KeyInfo | CommandBehavior.SchemaOnly)]
    [InlineData(
        CommandBehavior.SingleRow | CommandBehavior.SingleResult | CommandBehavior.KeyInfo | CommandBehavior.SequentialAccess
            | CommandBehavior.CloseConnection)]
    public async Task Behaviors_are_combined(CommandBehavior behavior)
    {
        await using var connection = await Open();
        await using var command = Command(
            connection, (behavior & CommandBehavior.SchemaOnly) == 0 ? "SELECT 1 AS one UNION ALL SELECT 2; SELECT 3" : "SELECT 1 AS one UNION ALL SELECT 2");
        await using (var reader = await Mode.Reader(command, behavior))
        {
            Assert.Equal("one", reader.GetName(0));
            var rows = 0;
            while (await Mode.Read(reader))
                Assert.Equal(++rows, Convert.ToInt32(reader.GetValue(0)));
            Assert.Equal((behavior & CommandBehavior.SchemaOnly) != 0 ? 0 : (behavior & CommandBehavior.SingleRow) != 0 ? 1 : 2, rows);
            Assert.Equal((behavior & (CommandBehavior.SingleResult | CommandBehavior.SchemaOnly)) == 0, await Mode.NextResult(reader));
        }

        Assert.Equal((behavior & CommandBehavior.CloseConnection) != 0 ? ConnectionState.Closed : ConnectionState.Open, connection.State);
    }

    [Fact]
    public async Task A_record_of_the_enumerator_stays_when_the_reader_has_gone()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1 AS id, 'one' AS word UNION ALL SELECT 2, 'two'");
        List<DbDataRecord> records;
        var reader = await Mode.Reader(command);
        await using (reader)
            records = [.. ((IEnumerable)reader).Cast<DbDataRecord>()];
        Assert.Equal(["one", "two"], records.Select(static record => record.GetString(record.GetOrdinal("word"))));
        Assert.Equal((2, "id", 2), (records[1].FieldCount, records[1].GetName(0), Convert.ToInt32(records[1]["id"])));
        Assert.ThrowsAny<InvalidOperationException>(() => reader.GetEnumerator().MoveNext());
        await StillUsable(connection);
    }

    [Theory]
    [InlineData("error")]
    [InlineData("value")]
    public async Task CloseConnection_closes_when_there_is_no_reader_because_of_an_error(string fault)
    {
        await using var connection = await Open();
        await using var command = Command(connection, fault == "error" ? "SELECT * FROM nowhere_at_all" : "SELECT @a");
        if (fault == "value")
            Add(command, "a", new object());
        await Assert.ThrowsAnyAsync<Exception>(() => Mode.Reader(command, CommandBehavior.CloseConnection));
        Assert.Equal(ConnectionState.Closed, connection.State);
        await Mode.Open(connection);
        await Assert.ThrowsAnyAsync<Exception>(() => Mode.Reader(command));
        Assert.Equal(ConnectionState.Open, connection.State);
        await StillUsable(connection);
    }

    [Fact]
    public async Task CloseConnection_on_a_busy_connection_leaves_it_to_who_uses_it()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1");
        await using var reader = await Mode.Reader(command);
        await using var second = Command(connection, "SELECT 2");
        await ThrowsBusy(() => Mode.Reader(second, CommandBehavior.CloseConnection));
        Assert.True(await Mode.Read(reader));
        Assert.Equal(ConnectionState.Open, connection.State);
    }

    [Fact]
    public async Task A_place_outside_of_the_callers_buffer_or_of_any_value_is_out_of_range()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 'abc'");
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        Assert.Throws<ArgumentOutOfRangeException>(() => reader.GetChars(0, 0, new char[4], 5, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => reader.GetChars(0, 1L << 32, new char[4], 0, 1));
        Assert.Throws<ArgumentException>(() => reader.GetChars(0, 0, new char[4], 2, 3));
        Assert.Equal(0, reader.GetChars(0, 3, new char[4], 4, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => reader.GetBytes(0, 0, new byte[4], 5, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => reader.GetBytes(0, 1L << 32, new byte[4], 0, 1));
        Assert.Throws<ArgumentException>(() => reader.GetBytes(0, 0, new byte[4], 2, 3));
    }

    [Fact]
    public async Task The_column_schema_is_empty_where_there_is_no_result_set()
    {
        await using var table = await CreateTable("id int");
        await using var connection = await Open();
        await using (var insert = Command(connection, $"INSERT INTO {table} VALUES (1)"))
        await using (var reader = await Mode.Reader(insert))
            Assert.Empty(await Mode.ColumnSchema(reader));
        await using (var query = Command(connection, "SELECT 1"))
        await using (var reader = await Mode.Reader(query))
        {
            Assert.Single(await Mode.ColumnSchema(reader));
            Assert.False(await Mode.NextResult(reader));
            Assert.Empty(await Mode.ColumnSchema(reader));
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task The_table_of_the_schema_has_every_documented_column_with_its_type()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1 AS one; SELECT 2 AS two, 3 AS three");
        await using var reader = await Mode.Reader(command);
        using var schema = reader.GetSchemaTable()!;
        Assert.Equal("SchemaTable", schema.TableName);
        (string Name, Type Type)[] documented =
        [
            (SchemaTableColumn.ColumnName, typeof(string)), (SchemaTableColumn.ColumnOrdinal, typeof(int)), (SchemaTableColumn.ColumnSize, typeof(int)),
            (SchemaTableColumn.DataType, typeof(Type)),
            (SchemaTableColumn.ProviderType, typeof(int)), (SchemaTableColumn.IsLong, typeof(bool)), (SchemaTableColumn.AllowDBNull, typeof(bool)),
            (SchemaTableColumn.IsKey, typeof(bool)),
            (SchemaTableColumn.IsUnique, typeof(bool)), (SchemaTableColumn.IsAliased, typeof(bool)), (SchemaTableColumn.IsExpression, typeof(bool)),
            (SchemaTableColumn.BaseColumnName, typeof(string)),
            (SchemaTableColumn.BaseTableName, typeof(string)), (SchemaTableColumn.BaseSchemaName, typeof(string)),
            (SchemaTableOptionalColumn.BaseCatalogName, typeof(string)),
            (SchemaTableOptionalColumn.BaseServerName, typeof(string)), (SchemaTableOptionalColumn.IsReadOnly, typeof(bool)),
            (SchemaTableOptionalColumn.IsAutoIncrement, typeof(bool)),
            (SchemaTableOptionalColumn.IsHidden, typeof(bool)), (SchemaTableOptionalColumn.IsRowVersion, typeof(bool)),
        ];
        foreach (var (name, type) in documented)
            Assert.Equal((name, type), (name, schema.Columns[name]?.DataType));
        Assert.Equal(("one", 0), (schema.Rows[0][SchemaTableColumn.ColumnName], schema.Rows[0][SchemaTableColumn.ColumnOrdinal]));
        Assert.True(await Mode.NextResult(reader));
        using var second = reader.GetSchemaTable()!;
        Assert.Equal(["two", "three"], second.Rows.Cast<DataRow>().Select(static row => row[SchemaTableColumn.ColumnName]));
        Assert.False(await Mode.NextResult(reader));
        Assert.Null(reader.GetSchemaTable());
        await Mode.Close(reader);
        Assert.ThrowsAny<InvalidOperationException>(reader.GetSchemaTable);
    }
}
