using System.Data.Common;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary><c>Strict Conversions</c>: a typed getter returns what its column contains, and converts nothing.</summary>
public class StrictConversionTests
{
    private static readonly (string Column, object Value)[] Columns =
    [
        ("tinyint(1)", true), ("tinyint", (sbyte)-3), ("tinyint unsigned", (byte)200), ("smallint", (short)-300), ("smallint unsigned", (ushort)60_000),
        ("int", 70_000), ("int unsigned", 4_000_000_000),
        ("bigint", -5L), ("bigint unsigned", ulong.MaxValue), ("bit(10)", 513ul), ("float", 1.5f), ("double", -2.25), ("decimal(10,2)", 12.5m),
        ("varchar(20)", "42"), ("varbinary(20)", new byte[] { 1, 2 }),
        ("datetime", new DateTime(2024, 2, 29, 1, 2, 3)), ("date", new DateTime(2024, 2, 29)), ("time", new TimeSpan(1, 2, 3)),
        ("char(36)", new Guid("00112233-4455-6677-8899-aabbccddeeff")),
    ];

    private static readonly (Type Type, Func<DbDataReader, int, object> Get)[] Getters =
    [
        (typeof(bool), static (reader, i) => reader.GetBoolean(i)),
        (typeof(sbyte), static (reader, i) => reader.GetFieldValue<sbyte>(i)),
        (typeof(byte), static (reader, i) => reader.GetByte(i)),
        (typeof(short), static (reader, i) => reader.GetInt16(i)),
        (typeof(ushort), static (reader, i) => reader.GetFieldValue<ushort>(i)),
        (typeof(int), static (reader, i) => reader.GetInt32(i)),
        (typeof(uint), static (reader, i) => reader.GetFieldValue<uint>(i)),
        (typeof(long), static (reader, i) => reader.GetInt64(i)),
        (typeof(ulong), static (reader, i) => reader.GetFieldValue<ulong>(i)),
        (typeof(float), static (reader, i) => reader.GetFloat(i)),
        (typeof(double), static (reader, i) => reader.GetDouble(i)),
        (typeof(decimal), static (reader, i) => reader.GetDecimal(i)),
        (typeof(byte[]), static (reader, i) => reader.GetFieldValue<byte[]>(i)),
        (typeof(DateTime), static (reader, i) => reader.GetDateTime(i)),
        (typeof(TimeSpan), static (reader, i) => reader.GetFieldValue<TimeSpan>(i)),
        (typeof(Guid), static (reader, i) => reader.GetGuid(i)),
        (typeof(string), static (reader, i) => reader.GetString(i)),
    ];

    [Theory]
    [InlineData(ServerKind.MySql, false)]
    [InlineData(ServerKind.MySql, true)]
    [InlineData(ServerKind.MariaDb, false)]
    [InlineData(ServerKind.MariaDb, true)]
    public async Task A_column_is_read_as_what_it_holds_and_a_number_as_one_that_holds_it(ServerKind kind, bool prepared)
    {
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Strict Conversions=true"));
        await connection.OpenAsync();
        await using (
            var create =
                new MySqlCommand($"CREATE TEMPORARY TABLE strict ({string.Join(", ", Columns.Select((column, i) => $"c{i} {column.Column}"))})", connection))
            await create.ExecuteNonQueryAsync();
        await using (
            var insert = new MySqlCommand(
                $"INSERT INTO strict VALUES ({string.Join(", ", Columns.Select((_, i) => $"@p{i}"))}), ({string.Join(", ", Columns.Select(_ => "NULL"))})",
                connection))
        {
            for (var i = 0; i < Columns.Length; i++)
                insert.Parameters.AddWithValue($"@p{i}", Columns[i].Value);
            await insert.ExecuteNonQueryAsync();
        }

        await using var select = new MySqlCommand("SELECT * FROM strict ORDER BY c0 IS NULL", connection);
        if (prepared)
            await select.PrepareAsync();
        await using var reader = await select.ExecuteReaderAsync();
        Assert.True(await reader.ReadAsync());
        for (var i = 0; i < Columns.Length; i++)
        {
            Assert.Equal(Columns[i].Value, reader.GetValue(i));
            foreach (var (type, get) in Getters)
            {
                // A Guid is stored as text, so it can also be read as text.
                if (type == Columns[i].Value.GetType() || type == typeof(string) && Columns[i].Value is Guid)
                    Assert.Equal(type == typeof(string) ? Columns[i].Value.ToString() : Columns[i].Value, get(reader, i));
                else if (IsNumber(type) && IsInteger(Columns[i].Value) || type == typeof(double) && Columns[i].Value is float)
                    Assert.Equal(Converted(Columns[i].Value, type), Said(() => get(reader, i)));
                else
                    Assert.Contains($"'c{i}'", Assert.Throws<InvalidCastException>(() => get(reader, i)).Message);
            }
        }

        Assert.True(await reader.ReadAsync());
        for (var i = 0; i < Columns.Length; i++)
            Assert.Contains("NULL", Assert.Throws<InvalidCastException>(() => reader.GetInt32(i)).Message);
    }

    [Fact]
    public async Task The_type_that_a_server_chose_for_a_number_does_not_matter()
    {
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(ServerKind.MariaDb), "Strict Conversions=true"));
        await connection.OpenAsync();
        await using var select = new MySqlCommand("SELECT 0, 1, 5000000000, CAST(-1 AS SIGNED)", connection);
        await using var reader = await select.ExecuteReaderAsync();
        Assert.True(await reader.ReadAsync());
        Assert.Equal((0, 1L, 5_000_000_000), (reader.GetInt32(0), reader.GetInt64(1), reader.GetInt64(2)));
        Assert.Throws<OverflowException>(() => reader.GetInt32(2));
        Assert.Throws<OverflowException>(() => reader.GetUInt64(3));
    }

    [Fact]
    public async Task Without_it_numbers_are_converted()
    {
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(ServerKind.MariaDb)));
        await connection.OpenAsync();
        await using var select = new MySqlCommand("SELECT 5, 12.7, '2024-02-29'", connection);
        await using var reader = await select.ExecuteReaderAsync();
        Assert.True(await reader.ReadAsync());
        Assert.Equal((5m, "5", true), (reader.GetDecimal(0), reader.GetString(0), reader.GetBoolean(0)));
        Assert.Equal((12, new DateTime(2024, 2, 29)), (reader.GetInt32(1), reader.GetDateTime(2)));
    }

    private static bool IsInteger(object value) => value is sbyte or byte or short or ushort or int or uint or long or ulong;

    private static bool IsNumber(Type type) => type == typeof(decimal) || (type.IsPrimitive && type != typeof(bool) && type != typeof(char));

    private static object Converted(object value, Type type) => Said(() => Convert.ChangeType(value, type, System.Globalization.CultureInfo.InvariantCulture));

    private static object Said(Func<object> ask)
    {
        try
        {
            return ask();
        }
        catch (OverflowException)
        {
            return typeof(OverflowException);
        }
    }
}
