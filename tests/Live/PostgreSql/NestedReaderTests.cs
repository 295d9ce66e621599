using System.Data;
using System.Data.Common;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Nested readers: the fields of composite values, records and arrays of these as rows, from text and from the binary format.</summary>
public class NestedReaderTests
{
    // The first execution of a text receives text, later ones the binary format; a prepared one is binary, too.
    private const int Rounds = 4;

    private static readonly Lazy<Task<PgDataSource>> Source = new(CreateAsync);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_composite_value_is_a_row()
    {
        await using var connection = await (await Source.Value).OpenConnectionAsync(Token);
        await using var command = new PgCommand("SELECT ROW(1, 'a \"b\"', NULL, 2.50)::nested_readers.item, 5", connection);
        for (var round = 0; round < Rounds; round++)
        {
            await using var reader = await command.ExecuteReaderAsync(Token);
            Assert.Throws<InvalidOperationException>(() => reader.GetData(0));
            Assert.True(await reader.ReadAsync(Token));
            var nested = reader.GetData(0);
            Assert.Equal((1, 4, true, -1, false), (nested.Depth, nested.FieldCount, nested.HasRows, nested.RecordsAffected, nested.IsClosed));
            Assert.Equal(("name", 1, typeof(string)), (nested.GetName(1), nested.GetOrdinal("NAME"), nested.GetFieldType(1)));
            Assert.Equal("integer", nested.GetDataTypeName(0));
            Assert.Throws<InvalidOperationException>(() => nested.GetInt32(0));
            Assert.True(nested.Read());
            Assert.Equal((1, 1L, "a \"b\"", 2.50m), (nested.GetInt32(0), nested.GetInt64(0), nested.GetString(1), nested.GetDecimal(3)));
            Assert.Equal((1, "a \"b\""), (nested["id"], nested[1]));
            Assert.Equal((true, DBNull.Value, null), (nested.IsDBNull(2), nested.GetValue(2), nested.GetFieldValue<DateTime?>(2)));
            var values = new object[6];
            Assert.Equal(4, nested.GetValues(values));
            Assert.Equal(new object?[] { 1, "a \"b\"", DBNull.Value, 2.50m, null, null }, values);
            var bytes = new byte[3];
            Assert.Equal((5L, 2L, 0L), (nested.GetBytes(1, 0, null, 0, 0), nested.GetBytes(1, 3, bytes, 1, 2), nested.GetBytes(1, 5, bytes, 0, 3)));
            Assert.Equal("\0b\""u8, bytes);
            Assert.Equal((5L, 2L), (nested.GetChars(1, 0, null, 0, 0), nested.GetChars(1, 3, new char[2], 0, 2)));
            Assert.Equal("a \"b\"", await nested.GetTextReader(1).ReadToEndAsync(Token));
            Assert.Throws<IndexOutOfRangeException>(() => nested.GetValue(4));
            Assert.Throws<IndexOutOfRangeException>(() => nested.GetOrdinal("none"));
            Assert.Throws<InvalidCastException>(() => nested.GetInt32(2));
            Assert.Throws<InvalidCastException>(() => nested.GetData(0));
            Assert.Throws<InvalidCastException>(() => reader.GetData(1));
            Assert.False(nested.Read());
            Assert.Throws<InvalidOperationException>(() => nested.GetInt32(0));
            // The nested reader stays valid, because it has a copy.
            var kept = reader.GetData(0);
            Assert.Equal(5, reader.GetInt32(1));
            Assert.False(await reader.ReadAsync(Token));
            Assert.True(await kept.ReadAsync(Token));
            Assert.Equal(1, kept.GetInt32(0));
            Assert.False(kept.NextResult());
            Assert.Throws<InvalidOperationException>(() => kept.Read());
            kept.Close();
            Assert.True(kept.IsClosed);
            Assert.Throws<InvalidOperationException>(() => kept.FieldCount);
        }
    }

    [Fact]
    public async Task An_array_has_a_row_for_each_element()
    {
        await using var connection = await (await Source.Value).OpenConnectionAsync(Token);
        await using var command = new PgCommand(
            "SELECT ARRAY[ROW(1, 'a', '2026-01-02', 1), ROW(2, NULL, NULL, 2)]::nested_readers.item[], ARRAY[]::nested_readers.item[], "
                + "NULL::nested_readers.item, ARRAY[NULL]::nested_readers.item[], ARRAY[[ROW(1, 'a', NULL, 1)::nested_readers.item]]",
            connection);
        for (var round = 0; round < Rounds; round++)
        {
            await using var reader = await command.ExecuteReaderAsync(Token);
            Assert.True(await reader.ReadAsync(Token));
            var rows = reader.GetData(0);
            var values = new object[4];
            Assert.Equal(["id", "name", "day", "price"], Enumerable.Range(0, rows.FieldCount).Select(rows.GetName));
            Assert.Equal((true, 4), (rows.Read(), rows.GetValues(values)));
            Assert.Equal([1, "a", new DateOnly(2026, 1, 2), 1m], values);
            Assert.Equal((true, 4), (rows.Read(), rows.GetValues(values)));
            Assert.Equal([2, DBNull.Value, DBNull.Value, 2m], values);
            Assert.False(rows.Read());
            Assert.Equal([1, 2], reader.GetData(0).Cast<IDataRecord>().Select(static row => row.GetInt32(0)));
            var empty = reader.GetData(1);
            Assert.Equal((false, 4, false), (empty.HasRows, empty.FieldCount, empty.Read()));
            Assert.Throws<InvalidCastException>(() => reader.GetData(2));
            Assert.Throws<InvalidOperationException>(() => reader.GetData(3));
            Assert.Throws<InvalidOperationException>(() => reader.GetData(4));
        }
    }

    [Fact]
    public async Task Composite_values_inside_others_are_read_by_further_readers()
    {
        await using var connection = await (await Source.Value).OpenConnectionAsync(Token);
        await using var command = new PgCommand(
            "SELECT ROW(7, ROW(2, 'b', NULL, 1), ARRAY[ROW(3, 'c', NULL, 1), ROW(4, 'd', NULL, 1)]::nested_readers.item[], ROW(5, 'e', NULL, 1))"
                + "::nested_readers.pack",
            connection);
        for (var round = 0; round < Rounds; round++)
        {
            await using var reader = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess, Token);
            Assert.True(await reader.ReadAsync(Token));
            var pack = reader.GetData(0);
            Assert.True(pack.Read());
            var content = pack.GetData(1);
            Assert.True(content.Read());
            Assert.Equal((2, "b", 2), (content.GetInt32(0), content.GetString(1), content.Depth));
            var rest = ((DbDataReader)pack).GetData(2);
            Assert.Equal((true, 3, true, "d"), (rest.Read(), rest.GetInt32(0), rest.Read(), rest.GetString(1)));
            var domain = pack.GetFieldValue<DbDataReader>(3);
            Assert.Equal((true, "e", 7), (domain.Read(), domain.GetString(1), pack.GetInt32(0)));
        }
    }

    [Fact]
    public async Task The_caller_names_the_types_of_a_records_fields()
    {
        await using var connection = await (await Source.Value).OpenConnectionAsync(Token);
        await using var command = new PgCommand(
            "SELECT ROW(1, 'a', NULL, 2.5, timestamptz '2026-01-02 03:04+00', ROW(2, ARRAY[ROW(3, '(')])), ARRAY[ROW(1, 'x'), ROW(2, 'y', true)]", connection);
        for (var round = 0; round < Rounds; round++)
        {
            await using var reader = await command.ExecuteReaderAsync(Token);
            Assert.True(await reader.ReadAsync(Token));
            var record = reader.GetData(0);
            Assert.Equal((6, "?column?"), (record.FieldCount, record.GetName(0)));
            Assert.Throws<NotSupportedException>(() => record.GetOrdinal("?column?"));
            Assert.True(record.Read());
            Assert.Equal((1, 1L, "1", "1"), (record.GetInt32(0), record.GetInt64(0), record.GetString(0), record.GetValue(0)));
            Assert.Equal((2.5m, new DateTimeOffset(2026, 1, 2, 3, 4, 0, default)), (record.GetDecimal(3), record.GetFieldValue<DateTimeOffset>(4)));
            Assert.Equal((true, null), (record.IsDBNull(2), record.GetFieldValue<int?>(2)));
            Assert.Throws<InvalidCastException>(() => record.GetInt32(2));
            var inner = record.GetData(5);
            Assert.True(inner.Read());
            var innermost = inner.GetData(1);
            Assert.Equal((true, 3, "(", 3), (innermost.Read(), innermost.GetInt32(0), innermost.GetString(1), innermost.Depth));
            var rows = reader.GetData(1);
            Assert.Equal((true, 2, "x"), (rows.Read(), rows.FieldCount, rows.GetString(1)));
            Assert.Equal((true, 3, true), (rows.Read(), rows.FieldCount, rows.GetBoolean(2)));
            Assert.False(rows.Read());
        }
    }

    private static async Task<PgDataSource> CreateAsync()
    {
        var connectionString = ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql), "");
        await using (var first = PgDataSource.Create(connectionString))
        {
            await using var create = first.CreateCommand("""
                DROP SCHEMA IF EXISTS nested_readers CASCADE;
                CREATE SCHEMA nested_readers;
                CREATE TYPE nested_readers.item AS (id int, name text, day date, price numeric);
                CREATE DOMAIN nested_readers.good AS nested_readers.item CHECK ((value).id > 0);
                CREATE TYPE nested_readers.pack AS (id int, content nested_readers.item, rest nested_readers.item[], best nested_readers.good);
                """);
            await create.ExecuteNonQueryAsync();
        }

        return PgDataSource.Create(connectionString);
    }
}
