using System.Globalization;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>
/// Every column type of the servers: the text and the binary protocol return the same CLR type and the same value through every getter, or refuse with the same
/// exception.
/// </summary>
public class ColumnTypeTests
{
    private sealed record Case(string Type, Type ClrType, params (string Sql, object Value)[] Values)
    {
        public bool OnMySql { get; init; } = true;

        public bool OnMariaDb { get; init; } = true;
    }

    private static readonly Guid SomeGuid = new("00112233-4455-6677-8899-aabbccddeeff");

    private static readonly Case[] Cases =
    [
        new("tinyint", typeof(sbyte), ("-128", sbyte.MinValue), ("0", (sbyte)0), ("127", sbyte.MaxValue)),
        new("tinyint unsigned", typeof(byte), ("0", (byte)0), ("255", byte.MaxValue)),
        new("tinyint(1)", typeof(bool), ("0", false), ("1", true), ("-5", true)),
        new("tinyint(3) unsigned zerofill", typeof(byte), ("7", (byte)7)),
        new("smallint", typeof(short), ("-32768", short.MinValue), ("32767", short.MaxValue)),
        new("smallint unsigned", typeof(ushort), ("0", ushort.MinValue), ("65535", ushort.MaxValue)),
        new("mediumint", typeof(int), ("-8388608", -8388608), ("8388607", 8388607)),
        new("mediumint unsigned", typeof(uint), ("0", 0u), ("16777215", 16777215u)),
        new("int", typeof(int), ("-2147483648", int.MinValue), ("0", 0), ("2147483647", int.MaxValue)),
        new("int unsigned", typeof(uint), ("0", 0u), ("4294967295", uint.MaxValue)),
        new("int(10) unsigned zerofill", typeof(uint), ("42", 42u)),
        new("bigint", typeof(long), ("-9223372036854775808", long.MinValue), ("9223372036854775807", long.MaxValue), ("1", 1L)),
        new("bigint unsigned", typeof(ulong), ("0", 0ul), ("18446744073709551615", ulong.MaxValue)),
        new("decimal(10,0)", typeof(decimal), ("-9999999999", -9999999999m), ("0", 0m)),
        new(
            "decimal(30,10)", typeof(decimal), ("12345678901234567890.0123456789", 12345678901234567890.0123456789m), ("-0.0000000001", -0.0000000001m),
            ("5", 5.0000000000m)),
        new("decimal(65,30)", typeof(decimal), ("0", 0.0000000000000000000000000000m), ("1e-28", 1e-28m)),
        new("numeric(5,2) unsigned", typeof(decimal), ("1.25", 1.25m)),
        new("float", typeof(float), ("1.5", 1.5f), ("-0.1", -0.1f), ("1e30", 1e30f), ("0", 0f)),
        new("double", typeof(double), ("1.5", 1.5), ("-0.1", -0.1), ("1.7976931348623157e308", double.MaxValue), ("1e-300", 1e-300), ("0", 0d)),
        new("real", typeof(double), ("3.25", 3.25)),
        new("bit(1)", typeof(ulong), ("b'1'", 1ul), ("b'0'", 0ul)),
        new("bit(8)", typeof(ulong), ("b'10100101'", 0xA5ul)),
        new("bit(13)", typeof(ulong), ("b'1000000000001'", 0x1001ul)),
        new("bit(64)", typeof(ulong), ("0xFFFFFFFFFFFFFFFF", ulong.MaxValue), ("0x0102030405060708", 0x0102030405060708ul)),
        new(
            "date", typeof(DateTime), ("'2024-02-29'", new DateTime(2024, 2, 29)), ("'1000-01-01'", new DateTime(1000, 1, 1)),
            ("'9999-12-31'", new DateTime(9999, 12, 31))),
        new("datetime", typeof(DateTime), ("'2024-02-29 23:59:58'", new DateTime(2024, 2, 29, 23, 59, 58)), ("'2024-02-29'", new DateTime(2024, 2, 29))),
        new("datetime(1)", typeof(DateTime), ("'2024-02-29 23:59:58.1'", new DateTime(2024, 2, 29, 23, 59, 58, 100))),
        new("datetime(3)", typeof(DateTime), ("'2024-02-29 23:59:58.123'", new DateTime(2024, 2, 29, 23, 59, 58, 123))),
        new(
            "datetime(6)", typeof(DateTime), ("'2024-02-29 23:59:58.123456'", new DateTime(2024, 2, 29, 23, 59, 58, 123, 456)),
            ("'9999-12-31 23:59:59.999999'", new DateTime(9999, 12, 31, 23, 59, 59, 999, 999))),
        new("timestamp NULL", typeof(DateTime), ("'2024-02-29 13:14:15'", new DateTime(2024, 2, 29, 13, 14, 15))),
        new("timestamp(6) NULL", typeof(DateTime), ("'2024-02-29 13:14:15.000001'", new DateTime(2024, 2, 29, 13, 14, 15).AddMicroseconds(1))),
        new(
            "time", typeof(TimeSpan), ("'12:34:56'", new TimeSpan(12, 34, 56)), ("'-838:59:59'", -new TimeSpan(838, 59, 59)),
            ("'838:59:59'", new TimeSpan(838, 59, 59)), ("'00:00:00'", TimeSpan.Zero)),
        new("time(1)", typeof(TimeSpan), ("'-00:00:00.5'", TimeSpan.FromMilliseconds(-500))),
        new(
            "time(6)", typeof(TimeSpan), ("'25:00:00.000001'", new TimeSpan(25, 0, 0) + TimeSpan.FromMicroseconds(1)),
            ("'-25:00:00.123456'", -(new TimeSpan(25, 0, 0) + TimeSpan.FromMicroseconds(123456)))),
        new("year", typeof(int), ("2024", 2024), ("1901", 1901), ("0", 0)),
        new("char(10)", typeof(string), ("'text'", "text"), ("''", "")),
        new("char(255) CHARACTER SET utf8mb4", typeof(string), ("'ä€😀'", "ä€😀")),
        new("varchar(100)", typeof(string), ("'text'", "text"), ("''", ""), ("'123'", "123"), ("'2024-02-29'", "2024-02-29"), ("'1'", "1")),
        new("varchar(100) CHARACTER SET latin1", typeof(string), ("'äöü'", "äöü")),
        new("varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", typeof(string), ("'binary collation'", "binary collation")),
        new("tinytext", typeof(string), ("'tiny'", "tiny")),
        new("text", typeof(string), ("'text'", "text"), ("REPEAT('x', 60000)", new string('x', 60000))),
        new("mediumtext", typeof(string), ("REPEAT('y', 100000)", new string('y', 100000))),
        new("longtext", typeof(string), ("'long'", "long")),
        new("binary(4)", typeof(byte[]), ("0x01020304", new byte[] { 1, 2, 3, 4 }), ("0x01", new byte[] { 1, 0, 0, 0 })),
        new("varbinary(20)", typeof(byte[]), ("0x00FF", new byte[] { 0, 255 }), ("''", Array.Empty<byte>())),
        new("tinyblob", typeof(byte[]), ("'abc'", new byte[] { 97, 98, 99 })),
        new("blob", typeof(byte[]), ("0xFFFE", new byte[] { 255, 254 })),
        new("mediumblob", typeof(byte[]), ("'m'", new byte[] { 109 })),
        new("longblob", typeof(byte[]), ("''", Array.Empty<byte>())),
        new("enum('red','green','blue')", typeof(string), ("'green'", "green"), ("1", "red")),
        new("set('a','b','c')", typeof(string), ("'a,c'", "a,c"), ("''", "")),
        new("json", typeof(string), ("'[1]'", "[1]"), ("'{}'", "{}")),
        new("char(36)", typeof(Guid), ("'00112233-4455-6677-8899-aabbccddeeff'", SomeGuid)),
        new("uuid", typeof(Guid), ("'00112233-4455-6677-8899-aabbccddeeff'", SomeGuid)) { OnMySql = false },
        new("inet6", typeof(string), ("'::1'", "::1"), ("'2001:db8::ff00:42:8329'", "2001:db8::ff00:42:8329")) { OnMySql = false },
        new("inet4", typeof(string), ("'192.168.0.1'", "192.168.0.1")) { OnMySql = false },
        new("point", typeof(byte[]), ("ST_GeomFromText('POINT(1 2)')", Convert.FromHexString("000000000101000000000000000000F03F0000000000000040"))),
        new(
            "geometry", typeof(byte[]),
            (
                "ST_GeomFromText('LINESTRING(0 0,1 1)')",
                Convert.FromHexString("0000000001020000000200000000000000000000000000000000000000000000000000F03F000000000000F03F"))),
        new("vector(2)", typeof(float[]), ("STRING_TO_VECTOR('[1.5,-2]')", new[] { 1.5f, -2f })) { OnMariaDb = false },
    ];

    private static readonly (string Name, Func<MySqlDataReader, object?> Get)[] Getters =
    [
        ("GetValue", r => r.GetValue(0)), ("GetBoolean", r => r.GetBoolean(0)), ("GetByte", r => r.GetByte(0)), ("GetSByte", r => r.GetSByte(0)),
        ("GetInt16", r => r.GetInt16(0)),
        ("GetUInt16", r => r.GetUInt16(0)), ("GetInt32", r => r.GetInt32(0)), ("GetUInt32", r => r.GetUInt32(0)), ("GetInt64", r => r.GetInt64(0)),
        ("GetUInt64", r => r.GetUInt64(0)),
        ("GetFloat", r => r.GetFloat(0)), ("GetDouble", r => r.GetDouble(0)), ("GetDecimal", r => r.GetDecimal(0)), ("GetDateTime", r => r.GetDateTime(0)),
        ("GetDateOnly", r => r.GetDateOnly(0)),
        ("GetTimeOnly", r => r.GetTimeOnly(0)), ("GetTimeSpan", r => r.GetTimeSpan(0)), ("GetDateTimeOffset", r => r.GetDateTimeOffset(0)),
        ("GetGuid", r => r.GetGuid(0)), ("GetChar", r => r.GetChar(0)),
        ("GetString", r => r.GetString(0)), ("GetMySqlDateTime", r => r.GetMySqlDateTime(0)), ("GetMySqlDecimal", r => r.GetMySqlDecimal(0)),
        ("GetMySqlGeometry", r => r.GetMySqlGeometry(0).Value),
        ("IsDBNull", r => r.IsDBNull(0)), ("GetFieldType", r => r.GetFieldType(0)), ("GetDataTypeName", r => r.GetDataTypeName(0)),
        ("bool", r => r.GetFieldValue<bool>(0)), ("byte", r => r.GetFieldValue<byte>(0)), ("sbyte", r => r.GetFieldValue<sbyte>(0)),
        ("short", r => r.GetFieldValue<short>(0)),
        ("ushort", r => r.GetFieldValue<ushort>(0)), ("int", r => r.GetFieldValue<int>(0)), ("uint", r => r.GetFieldValue<uint>(0)),
        ("long", r => r.GetFieldValue<long>(0)), ("ulong", r => r.GetFieldValue<ulong>(0)),
        ("float", r => r.GetFieldValue<float>(0)), ("double", r => r.GetFieldValue<double>(0)), ("decimal", r => r.GetFieldValue<decimal>(0)),
        ("string", r => r.GetFieldValue<string>(0)),
        ("char", r => r.GetFieldValue<char>(0)), ("DateTime", r => r.GetFieldValue<DateTime>(0)), ("DateOnly", r => r.GetFieldValue<DateOnly>(0)),
        ("TimeOnly", r => r.GetFieldValue<TimeOnly>(0)),
        ("TimeSpan", r => r.GetFieldValue<TimeSpan>(0)), ("DateTimeOffset", r => r.GetFieldValue<DateTimeOffset>(0)), ("Guid", r => r.GetFieldValue<Guid>(0)),
        ("object", r => r.GetFieldValue<object>(0)),
        ("int?", r => r.GetFieldValue<int?>(0)), ("DateTime?", r => r.GetFieldValue<DateTime?>(0)), ("decimal?", r => r.GetFieldValue<decimal?>(0)),
        ("Guid?", r => r.GetFieldValue<Guid?>(0)),
        ("DayOfWeek", r => r.GetFieldValue<DayOfWeek>(0)), ("float[]", r => r.GetFieldValue<float[]>(0)),
    ];

    // Getters that read a value's bytes: for a number these are the bytes of the protocol's own form, so the two protocols differ by nature.
    private static readonly (string Name, Func<MySqlDataReader, object?> Get)[] ByteGetters =
    [
        ("GetBytes", r => Bytes(r)), ("GetStream", r => Streamed(r)), ("GetTextReader", r => r.GetTextReader(0).ReadToEnd()), ("GetChars", r => Characters(r)),
        ("byte[]", r => r.GetFieldValue<byte[]>(0)), ("ReadOnlyMemory", r => r.GetFieldValue<ReadOnlyMemory<byte>>(0).ToArray()),
    ];

    public static TheoryData<ServerKind, string> Types
    {
        get
        {
            var types = new TheoryData<ServerKind, string>();
            foreach (var one in Cases)
            {
                if (one.OnMySql)
                    types.Add(ServerKind.MySql, one.Type);
                if (one.OnMariaDb)
                {
                    types.Add(ServerKind.MariaDb, one.Type);
                    types.Add(ServerKind.MariaDb11, one.Type);
                }
            }

            return types;
        }
    }

    [Theory]
    [MemberData(nameof(Types))]
    public async Task Text_and_binary_agree(ServerKind kind, string type)
    {
        var one = Cases.Single(candidate => candidate.Type == type);
        var server = await LiveServers.GetAsync(kind);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server));
        await connection.OpenAsync();
        await ExecuteAsync(connection, "SET sql_mode = ''");
        await ExecuteAsync(connection, $"CREATE TEMPORARY TABLE typed (id int PRIMARY KEY AUTO_INCREMENT, value {type})");
        foreach (var (sql, _) in one.Values)
            await ExecuteAsync(connection, $"INSERT INTO typed (value) VALUES ({sql})");
        await ExecuteAsync(connection, "INSERT INTO typed (value) VALUES (NULL)");

        var isOfBytes = one.ClrType == typeof(string) || one.ClrType == typeof(byte[]);
        var text = await OutcomesAsync(connection, prepared: false, isOfBytes);
        var binary = await OutcomesAsync(connection, prepared: true, isOfBytes);

        Assert.Equal(one.Values.Length + 1, text.Count);
        for (var row = 0; row < one.Values.Length; row++)
        {
            Assert.Equal($"value of row {row}: {Show(one.Values[row].Value)}", $"value of row {row}: {text[row]["GetValue"]}");
            Assert.Equal(Show(one.ClrType), text[row]["GetFieldType"]);
        }

        Assert.Equal(Show(DBNull.Value), text[^1]["GetValue"]);
        var differences =
            from row in Enumerable.Range(0, text.Count)
            from getter in text[row].Keys
            where text[row][getter] != binary[row][getter]
            select $"row {row}, {getter}: text {text[row][getter]}, binary {binary[row][getter]}";
        Assert.Equal("", string.Join('\n', differences));
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task Zero_dates_are_read_as_the_options_say(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        foreach (var (options, expected) in new[]
        {
            ("", "InvalidCast"),
            ("Convert Zero DateTime=true", "DateTime 0001-01-01T00:00:00.0000000"),
            ("Allow Zero DateTime=true", "MySqlDateTime")
        })
        {
            await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, options));
            await connection.OpenAsync();
            await ExecuteAsync(connection, "SET sql_mode = ''");
            await ExecuteAsync(connection, "CREATE TEMPORARY TABLE zeros (d date, t datetime(6), s timestamp NULL)");
            await ExecuteAsync(connection, "INSERT INTO zeros VALUES ('0000-00-00', '0000-00-00', '0000-00-00')");
            foreach (var column in new[] { "d", "t", "s" })
            {
                foreach (var prepared in new[] { false, true })
                {
                    await using var command = new MySqlCommand($"SELECT {column} FROM zeros", connection);
                    if (prepared)
                        await command.PrepareAsync();
                    await using var reader = await command.ExecuteReaderAsync();
                    Assert.True(await reader.ReadAsync());
                    Assert.StartsWith(expected, Outcome(() => reader.GetValue(0)));
                    Assert.False(reader.IsDBNull(0));
                    if (options.StartsWith("Allow", StringComparison.Ordinal))
                        Assert.False(reader.GetMySqlDateTime(0).IsValidDateTime);
                }
            }
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql, "Char36", "char(36)", "'00112233-4455-6677-8899-aabbccddeeff'")]
    [InlineData(ServerKind.MariaDb, "Char36", "char(36)", "'00112233-4455-6677-8899-aabbccddeeff'")]
    [InlineData(ServerKind.MariaDb11, "Char36", "char(36)", "'00112233-4455-6677-8899-aabbccddeeff'")]
    [InlineData(ServerKind.MySql, "Char32", "char(32)", "'00112233445566778899aabbccddeeff'")]
    [InlineData(ServerKind.MariaDb, "Char32", "char(32)", "'00112233445566778899aabbccddeeff'")]
    [InlineData(ServerKind.MariaDb11, "Char32", "char(32)", "'00112233445566778899aabbccddeeff'")]
    [InlineData(ServerKind.MySql, "Binary16", "binary(16)", "0x00112233445566778899aabbccddeeff")]
    [InlineData(ServerKind.MySql, "TimeSwapBinary16", "binary(16)", "UUID_TO_BIN('00112233-4455-6677-8899-aabbccddeeff', 1)")]
    [InlineData(ServerKind.MySql, "LittleEndianBinary16", "binary(16)", "0x33221100554477668899aabbccddeeff")]
    [InlineData(ServerKind.MariaDb, "LittleEndianBinary16", "binary(16)", "0x33221100554477668899aabbccddeeff")]
    [InlineData(ServerKind.MariaDb11, "LittleEndianBinary16", "binary(16)", "0x33221100554477668899aabbccddeeff")]
    public async Task A_guid_has_the_form_that_the_option_says(ServerKind kind, string format, string type, string sql)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, $"GUID Format={format}"));
        await connection.OpenAsync();
        await ExecuteAsync(connection, $"CREATE TEMPORARY TABLE guids (value {type})");
        await ExecuteAsync(connection, $"INSERT INTO guids VALUES ({sql})");
        foreach (var prepared in new[] { false, true })
        {
            await using var command = new MySqlCommand("SELECT value FROM guids WHERE value = @guid", connection);
            command.Parameters.AddWithValue("@guid", SomeGuid);
            if (prepared)
                await command.PrepareAsync();
            await using var reader = await command.ExecuteReaderAsync();
            Assert.True(await reader.ReadAsync());
            Assert.Equal(SomeGuid, reader.GetValue(0));
            Assert.Equal(SomeGuid, reader.GetGuid(0));
            Assert.Equal(SomeGuid, reader.GetFieldValue<Guid>(0));
            Assert.Equal(typeof(Guid), reader.GetFieldType(0));
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task A_decimal_of_65_digits_is_read_as_the_providers_own(ServerKind kind)
    {
        const string Digits = "12345678901234567890123456789012345.123456789012345678901234567890";
        var server = await LiveServers.GetAsync(kind);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server));
        await connection.OpenAsync();
        await using var command = new MySqlCommand($"SELECT CAST('{Digits}' AS DECIMAL(65,30))", connection);
        foreach (var prepared in new[] { false, true })
        {
            if (prepared)
                await command.PrepareAsync();
            await using var reader = await command.ExecuteReaderAsync();
            Assert.True(await reader.ReadAsync());
            Assert.Equal(Digits, reader.GetMySqlDecimal(0).ToString());
            Assert.Equal(Digits, reader.GetString(0));
            Assert.ThrowsAny<Exception>(() => reader.GetDecimal(0));
            Assert.Equal(Digits, reader.GetString(0));
        }
    }

    private static async Task<List<Dictionary<string, string>>> OutcomesAsync(MySqlConnection connection, bool prepared, bool ofBytes)
    {
        await using var command = new MySqlCommand("SELECT value FROM typed ORDER BY id", connection);
        if (prepared)
            await command.PrepareAsync();
        await using var reader = await command.ExecuteReaderAsync();
        var rows = new List<Dictionary<string, string>>();
        while (await reader.ReadAsync())
            rows.Add((ofBytes ? Getters.Concat(ByteGetters) : Getters).ToDictionary(getter => getter.Name, getter => Outcome(() => getter.Get(reader))));
        return rows;
    }

    private static string Outcome(Func<object?> get)
    {
        try
        {
            return Show(get());
        }
        catch (InvalidCastException)
        {
            return "InvalidCast";
        }
        catch (OverflowException)
        {
            return "Overflow";
        }
        catch (FormatException)
        {
            return "Format";
        }
    }

    private static string Show(object? value) => value switch
    {
        null => "null",
        byte[] bytes => "Byte[] " + (bytes.Length > 100 ? $"{bytes.Length}" : Convert.ToHexString(bytes)),
        float[] floats => "Single[] " + string.Join(' ', floats.Select(item => item.ToString("R", CultureInfo.InvariantCulture))),
        string { Length: > 200 } text => $"String of {text.Length}, {text.GetHashCode(StringComparison.Ordinal)}",
        DateTime time => $"DateTime {time:O}",
        DateTimeOffset time => $"DateTimeOffset {time:O}",
        _ => $"{value.GetType().Name} {Convert.ToString(value, CultureInfo.InvariantCulture)}",
    };

    private static byte[] Bytes(MySqlDataReader reader)
    {
        var bytes = new byte[reader.GetBytes(0, 0, null, 0, 0)];
        reader.GetBytes(0, 0, bytes, 0, bytes.Length);
        return bytes;
    }

    private static byte[] Streamed(MySqlDataReader reader)
    {
        using var target = new MemoryStream();
        reader.GetStream(0).CopyTo(target);
        return target.ToArray();
    }

    private static string Characters(MySqlDataReader reader)
    {
        var characters = new char[reader.GetChars(0, 0, null, 0, 0)];
        reader.GetChars(0, 0, characters, 0, characters.Length);
        return new string(characters);
    }

    private static async Task ExecuteAsync(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}
