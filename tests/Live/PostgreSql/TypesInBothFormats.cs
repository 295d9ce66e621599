using System.Data;
using System.Numerics;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>
/// Every type × every typed getter, in the four forms of a value: text (the first execution of a text), binary (the next one), and both again from a prepared
/// statement. They must agree: the same CLR type and value, or the same kind of exception.
/// </summary>
public class TypesInBothFormats
{
    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    private const string Long = "'0123456789abcdef'";

    public static readonly TheoryData<string, Type, object?> Values = new()
    {
        { "true", typeof(bool), true },
        { "false", typeof(bool), false },
        { "null::bool", typeof(bool), null },
        { "'-32768'::int2", typeof(short), short.MinValue },
        { "32767::int2", typeof(short), short.MaxValue },
        { "0::int4", typeof(int), 0 },
        { "'-2147483648'::int4", typeof(int), int.MinValue },
        { "2147483647", typeof(int), int.MaxValue },
        { "null::int4", typeof(int), null },
        { "'-9223372036854775808'::int8", typeof(long), long.MinValue },
        { "9223372036854775807", typeof(long), long.MaxValue },
        { "4294967295::oid", typeof(uint), uint.MaxValue },
        { "'7'::xid", typeof(uint), 7u },
        { "0.1::float4", typeof(float), 0.1f },
        { "'NaN'::float4", typeof(float), float.NaN },
        { "'-Infinity'::float4", typeof(float), float.NegativeInfinity },
        { "3.4028235e38::float4", typeof(float), float.MaxValue },
        { "0.1::float8", typeof(double), 0.1 },
        { "2.2250738585072014e-308::float8", typeof(double), 2.2250738585072014e-308 },
        { "'Infinity'::float8", typeof(double), double.PositiveInfinity },
        { "0::numeric", typeof(decimal), 0m },
        { "0.00::numeric", typeof(decimal), 0.00m },
        { "1.50::numeric", typeof(decimal), 1.50m },
        { "'-1234567890123456789012345678'::numeric", typeof(decimal), -1234567890123456789012345678m },
        { "0.0000000000000000000000000001::numeric", typeof(decimal), 0.0000000000000000000000000001m },
        { "79228162514264337593543950335::numeric", typeof(decimal), decimal.MaxValue },
        { "10000::numeric", typeof(decimal), 10000m },
        { "1::numeric(65,30)", typeof(decimal), 1.0000000000000000000000000000m },
        { "1/3::numeric", typeof(decimal), 0.33333333333333333333m },
        { "'NaN'::numeric", typeof(decimal), typeof(OverflowException) },
        { "'Infinity'::numeric", typeof(decimal), typeof(OverflowException) },
        { "1e40::numeric", typeof(decimal), typeof(OverflowException) },
        { "''::text", typeof(string), "" },
        { "'größe 日本 🐘'::text", typeof(string), "größe 日本 🐘" },
        { $"{Long}::varchar(20)", typeof(string), "0123456789abcdef" },
        { "'ab'::char(4)", typeof(string), "ab  " },
        { "'n'::name", typeof(string), "n" },
        { "'{\"b\": 1, \"a\": [2]}'::json", typeof(string), "{\"b\": 1, \"a\": [2]}" },
        { "'{\"b\": 1, \"a\": [2]}'::jsonb", typeof(string), "{\"a\": [2], \"b\": 1}" },
        { "'<a/>'::xml", typeof(string), "<a/>" },
        { "'x'::\"char\"", typeof(char), 'x' },
        { "''::bytea", typeof(byte[]), Array.Empty<byte>() },
        { "'\\x00ff5c27'::bytea", typeof(byte[]), new byte[] { 0, 255, 92, 39 } },
        { "date '2026-11-21'", typeof(DateOnly), new DateOnly(2026, 11, 21) },
        { "date '0001-01-02'", typeof(DateOnly), new DateOnly(1, 1, 2) },
        { "date 'infinity'", typeof(DateOnly), DateOnly.MaxValue },
        { "date '0044-03-15 BC'", typeof(DateOnly), typeof(InvalidCastException) },
        { "date '12026-01-01'", typeof(DateOnly), typeof(InvalidCastException) },
        { "timestamp '2026-11-21 06:05:02.123456'", typeof(DateTime), new DateTime(2026, 11, 21, 6, 5, 2).AddTicks(1234560) },
        { "timestamp '1999-12-31 23:59:59.999999'", typeof(DateTime), new DateTime(1999, 12, 31, 23, 59, 59).AddTicks(9999990) },
        { "timestamp '-infinity'", typeof(DateTime), DateTime.MinValue },
        { "timestamp '294276-01-01'", typeof(DateTime), typeof(InvalidCastException) },
        { "timestamptz '2026-11-21 06:05:02.5+05:30'", typeof(DateTime), new DateTime(2026, 11, 21, 0, 35, 2, 500, DateTimeKind.Utc) },
        { "timestamptz '1850-01-01 00:00:00 UTC'", typeof(DateTime), new DateTime(1850, 1, 1, 0, 0, 0, DateTimeKind.Utc) },
        { "time '06:05:02.123456'", typeof(TimeOnly), new TimeOnly(6, 5, 2).Add(TimeSpan.FromTicks(1234560)) },
        { "time '24:00:00'", typeof(TimeOnly), typeof(InvalidCastException) },
        { "timetz '06:05:02-03:30'", typeof(DateTimeOffset), new DateTimeOffset(1, 1, 2, 6, 5, 2, new TimeSpan(-3, -30, 0)) },
        { "interval '0'", typeof(TimeSpan), TimeSpan.Zero },
        { "interval '3 days 04:05:06.789'", typeof(TimeSpan), new TimeSpan(3, 4, 5, 6, 789) },
        { "interval '-1 days -00:00:00.000001'", typeof(TimeSpan), new TimeSpan(-TimeSpan.TicksPerDay - 10) },
        { "interval '-1 days +02:00:00'", typeof(TimeSpan), TimeSpan.FromHours(-22) },
        { "interval '100 hours'", typeof(TimeSpan), TimeSpan.FromHours(100) },
        { "interval '1 mon 2 days'", typeof(TimeSpan), typeof(InvalidCastException) },
        { "'00112233-4455-6677-8899-aabbccddeeff'::uuid", typeof(Guid), Guid.Parse("00112233-4455-6677-8899-aabbccddeeff") },
        { "array[1,2,3]", typeof(Array), new[] { 1, 2, 3 } },
        { "'10.0.0.1/8'::inet", typeof(System.Net.IPAddress), System.Net.IPAddress.Parse("10.0.0.1") },
        { "'1,2'::point", typeof(PgPoint), new PgPoint(1, 2) },
        { "'[1,5)'::int4range", typeof(PgRange<int>), new PgRange<int>(1, true, 5, false) },
        { "1.5::money", typeof(decimal), 1.50m },
        { "'1'::bit(1)", typeof(bool), true },
        { "'7'::xid8", typeof(ulong), 7ul },
        { "'$.a'::jsonpath", typeof(string), "$.\"a\"" },
        { "'16/B374D848'::pg_lsn", typeof(PgLogSequenceNumber), new PgLogSequenceNumber(0x16_B374D848) },
    };

    private static readonly (string Name, Func<PgDataReader, object?> Get)[] Getters =
    [
        ("IsDBNull", static reader => reader.IsDBNull(0)),
        ("GetValue", static reader => reader.GetValue(0)),
        ("GetBoolean", static reader => reader.GetBoolean(0)),
        ("GetByte", static reader => reader.GetByte(0)),
        ("GetInt16", static reader => reader.GetInt16(0)),
        ("GetInt32", static reader => reader.GetInt32(0)),
        ("GetInt64", static reader => reader.GetInt64(0)),
        ("GetFloat", static reader => reader.GetFloat(0)),
        ("GetDouble", static reader => reader.GetDouble(0)),
        ("GetDecimal", static reader => reader.GetDecimal(0)),
        ("GetDateTime", static reader => reader.GetDateTime(0)),
        ("GetTimeSpan", static reader => reader.GetTimeSpan(0)),
        ("GetGuid", static reader => reader.GetGuid(0)),
        ("GetString", static reader => reader.GetString(0)),
        ("GetChar", static reader => reader.GetChar(0)),
        ("GetBytes", static reader => reader.GetBytes(0, 0, new byte[8], 0, 8)),
        ("GetChars", static reader => reader.GetChars(0, 0, new char[8], 0, 8)),
        ("GetStream", static reader => ((MemoryStream)reader.GetStream(0)).ToArray()),
        ("GetTextReader", static reader => reader.GetTextReader(0).ReadToEnd()),
        ("bool?", static reader => reader.GetFieldValue<bool?>(0)),
        ("int?", static reader => reader.GetFieldValue<int?>(0)),
        ("sbyte", static reader => reader.GetFieldValue<sbyte>(0)),
        ("ushort", static reader => reader.GetFieldValue<ushort>(0)),
        ("uint", static reader => reader.GetFieldValue<uint>(0)),
        ("ulong", static reader => reader.GetFieldValue<ulong>(0)),
        ("DayOfWeek", static reader => reader.GetFieldValue<DayOfWeek>(0)),
        ("BigInteger", static reader => reader.GetFieldValue<BigInteger>(0)),
        ("DateOnly", static reader => reader.GetFieldValue<DateOnly>(0)),
        ("TimeOnly?", static reader => reader.GetFieldValue<TimeOnly?>(0)),
        ("DateTimeOffset", static reader => reader.GetFieldValue<DateTimeOffset>(0)),
        ("byte[]", static reader => reader.GetFieldValue<byte[]>(0)),
        ("memory", static reader => reader.GetFieldValue<ReadOnlyMemory<byte>>(0).ToArray()),
        ("object", static reader => reader.GetFieldValue<object>(0)),
    ];

    [Theory]
    [MemberData(nameof(Values))]
    public async Task Agree_in_text_and_binary(string expression, Type type, object? expected)
    {
        var server = await LiveServers.GetAsync(Kind);
        await using var connection = new PgConnection(ConnectionStrings.PostgreSql(server, "Timezone=Africa/Monrovia"));
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        using (var currency = new PgCommand("set lc_monetary = 'C'", connection))
            currency.ExecuteNonQuery();

        // A text that was never executed before, so the driver knows nothing about its result.
        using var command = new PgCommand($"select {expression} as v -- {Guid.NewGuid()}", connection);
        var asText = Read(command, type);
        Check(expected, asText["GetValue"]);
        Same(asText, Read(command, type), "binary");
        command.Prepare();
        Same(asText, Read(command, type), "prepared");
        Same(asText, Read(command, type), "prepared, described");
        using var scalar = new PgCommand($"select {expression} as v -- {Guid.NewGuid()}", connection);
        if (expected is not Type)
            Assert.Equal(expected ?? DBNull.Value, scalar.ExecuteScalar());
    }

    private static Dictionary<string, object?> Read(PgCommand command, Type type)
    {
        using var reader = command.ExecuteReader();
        Assert.True(reader.Read());
        Assert.Equal(type, reader.GetFieldType(0));
        var values = new Dictionary<string, object?>();
        foreach (var (name, get) in Getters)
        {
            try
            {
                values[name] = get(reader);
            }
            catch (Exception exception) when (exception is InvalidCastException or OverflowException or FormatException)
            {
                values[name] = exception.GetType();
            }
        }

        return values;
    }

    private static void Check(object? expected, object? value)
    {
        Assert.Equal(expected ?? DBNull.Value, value);
        if (expected is DateTime time)
            Assert.Equal(time.Kind, ((DateTime)value!).Kind);
        if (expected is decimal number)
            Assert.Equal(number.ToString(), ((decimal)value!).ToString());
    }

    private static void Same(Dictionary<string, object?> expected, Dictionary<string, object?> values, string form)
    {
        foreach (var (name, value) in expected)
        {
            Assert.True(Equals(value?.GetType(), values[name]?.GetType()), $"{name}: {value?.GetType()} in text, {values[name]?.GetType()} {form}");
            if (value is Array)
                Assert.Equal(value, values[name]);
            else
                Assert.True(Equals(value, values[name]), $"{name}: {value} in text, {values[name]} {form}");
        }
    }

    [Theory]
    [MemberData(nameof(Values))]
    public async Task Values_come_back_as_they_were_sent(string expression, Type type, object? expected)
    {
        // Values without their own parameter type, and things that are not values, are part of the test above only.
        if (expected is null or Type
            || type == typeof(string) && expression.Contains('[')
            || type == typeof(uint)
            || type == typeof(ulong)
            || type == typeof(char)
            || type == typeof(DateTimeOffset))
            return;
        var server = await LiveServers.GetAsync(Kind);
        await using var connection = new PgConnection(ConnectionStrings.PostgreSql(server));
        connection.Open();
        using var command = new PgCommand("select @v", connection);
        command.Parameters.AddWithValue("v", expected);
        Check(expected, command.ExecuteScalar());
        command.Prepare();
        Check(expected, command.ExecuteScalar());
        command.Parameters["v"].Value = DBNull.Value;
        Assert.Equal(DBNull.Value, command.ExecuteScalar());
    }

    [Fact]
    public async Task A_style_that_is_not_iso_is_an_error_and_no_wrong_date()
    {
        var server = await LiveServers.GetAsync(Kind);
        await using var connection = new PgConnection(ConnectionStrings.PostgreSql(server));
        connection.Open();
        using (var style = new PgCommand("set DateStyle = 'SQL, DMY'; set IntervalStyle = 'iso_8601'", connection))
            style.ExecuteNonQuery();
        foreach (var expression in new[] { "date '2026-11-21'", "timestamp '2026-11-21 06:05:02'", "interval '1 day 2 hours'" })
        {
            using var command = new PgCommand($"select {expression} -- {Guid.NewGuid()}", connection);
            using (var reader = command.ExecuteReader())
            {
                reader.Read();
                Assert.Contains("DateStyle ISO", Assert.Throws<FormatException>(() => reader.GetValue(0)).Message);
            }

            // The binary format has no style.
            Assert.NotNull(command.ExecuteScalar());
        }
    }
}
