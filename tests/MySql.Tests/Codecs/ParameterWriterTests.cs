using System.Globalization;
using System.Numerics;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.Testing;

namespace Slipstream.MySql.Tests.Codecs;

public class ParameterWriterTests
{
    private static readonly Guid SomeGuid = new("00112233-4455-6677-8899-aabbccddeeff");

    private enum Small : byte
    {
        One = 1,
    }

    private enum Large : ulong
    {
        Most = ulong.MaxValue,
    }

    // Value, literal, wire type (hexadecimal, high byte first), binary value.
    private static readonly (object Value, string Literal, string Type, string Binary)[] Values =
    [
        (true, "1", "0001", "01"),
        (false, "0", "0001", "00"),
        ((sbyte)-5, " -5", "0001", "FB"),
        ((byte)200, "200", "0002", "C800"),
        (short.MinValue, " -32768", "0002", "0080"),
        (ushort.MaxValue, "65535", "0003", "FFFF0000"),
        (int.MinValue, " -2147483648", "0003", "00000080"),
        (42, "42", "0003", "2A000000"),
        (uint.MaxValue, "4294967295", "0008", "FFFFFFFF00000000"),
        (long.MinValue, " -9223372036854775808", "0008", "0000000000000080"),
        (ulong.MaxValue, "18446744073709551615", "8008", "FFFFFFFFFFFFFFFF"),
        (1.1f, "1.1e0", "0005", "9A9999999999F13F"),
        (0.1, "0.1e0", "0005", "9A9999999999B93F"),
        (-1e300, " -1E+300", "0005", "9C7500883CE437FE"),
        (double.MaxValue, "1.7976931348623157E+308", "0005", "FFFFFFFFFFFFEF7F"),
        (-12.50m, " -12.50", "00F6", Counted("-12.50")),
        (decimal.MaxValue, "79228162514264337593543950335", "00F6", Counted("79228162514264337593543950335")),
        (0.0000000000000000000000000001m, "0.0000000000000000000000000001", "00F6", Counted("0.0000000000000000000000000001")),
        (
            BigInteger.Parse("-123456789012345678901234567890123456789012345", CultureInfo.InvariantCulture), " -123456789012345678901234567890123456789012345",
            "00F6", Counted("-123456789012345678901234567890123456789012345")),
        ("it's \\ ü", "'it''s \\\\ ü'", "00FD", Counted("it's \\ ü")),
        ("", "''", "00FD", "00"),
        ('\'', "''''", "00FD", Counted("'")),
        ("ab".ToCharArray(), "'ab'", "00FD", Counted("ab")),
        ("ab".AsMemory(), "'ab'", "00FD", Counted("ab")),
        (new Memory<char>("ab".ToCharArray()), "'ab'", "00FD", Counted("ab")),
        (new StringBuilder("a").Append('b'), "'ab'", "00FD", Counted("ab")),
        (new byte[] { 0x61, 0x27, 0x5C, 0x62 }, "_binary'a''\\\\b'", "00FC", "0461275C62"),
        (new ReadOnlyMemory<byte>([0x61]), "_binary'a'", "00FC", "0161"),
        (new Memory<byte>([0x61]), "_binary'a'", "00FC", "0161"),
        (new ArraySegment<byte>([0x60, 0x61], 1, 1), "_binary'a'", "00FC", "0161"),
        (new MemoryStream([0x61]), "_binary'a'", "00FC", "0161"),
        (new[] { 1f, -2f }, "_binary'\0\0\u0080?\0\0\0\u00C0'", "00FC", "080000803F000000C0"),
        (new DateTime(2001, 2, 3, 4, 5, 6), "timestamp'2001-02-03 04:05:06'", "000C", "07D1070203040506"),
        (new DateTime(2001, 2, 3), "timestamp'2001-02-03 00:00:00'", "000C", "04D1070203"),
        (new DateTime(2001, 2, 3, 4, 5, 6).AddTicks(1_234_567), "timestamp'2001-02-03 04:05:06.123456'", "000C", "0BD107020304050640E20100"),
        (new DateTimeOffset(2001, 2, 3, 4, 5, 6, TimeSpan.FromHours(1)), "timestamp'2001-02-03 03:05:06'", "000C", "07D1070203030506"),
        (new MySqlDateTime(0, 0, 0, 0, 0, 0, 0), "timestamp'0000-00-00 00:00:00'", "000C", "00"),
        (new DateOnly(9999, 12, 31), "date'9999-12-31'", "000A", "040F270C1F"),
        (new TimeOnly(23, 59, 59, 999, 999), "time'23:59:59.999999'", "000B", "0C0000000000173B3B3F420F00"),
        (TimeSpan.Zero, "time'00:00:00'", "000B", "00"),
        (-new TimeSpan(838, 59, 59), "time'-838:59:59'", "000B", "080122000000163B3B"),
        (TimeSpan.FromMicroseconds(-1), "time'-00:00:00.000001'", "000B", "0C010000000000000001000000"),
        (SomeGuid, "'00112233-4455-6677-8899-aabbccddeeff'", "00FD", Counted(SomeGuid.ToString())),
        (DayOfWeek.Friday, "5", "0003", "05000000"),
        (Small.One, "1", "0002", "0100"),
        (Large.Most, "18446744073709551615", "8008", "FFFFFFFFFFFFFFFF"),
    ];

    public static TheoryData<int> Indexes => new(Enumerable.Range(0, Values.Length));

    [Theory]
    [MemberData(nameof(Indexes))]
    public void A_boxed_value_is_written(int index)
    {
        var (value, literal, type, binary) = Values[index];
        Check(value, literal, type, binary);
    }

    [Theory]
    [MemberData(nameof(Indexes))]
    public void A_typed_value_is_written_the_same(int index)
    {
        var (value, literal, type, binary) = Values[index];
        var check = GetType().GetMethod(nameof(Check), System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Static)!;
        check.MakeGenericMethod(value.GetType()).Invoke(null, [value, literal, type, binary]);
        if (value.GetType().IsValueType)
            check.MakeGenericMethod(typeof(Nullable<>).MakeGenericType(value.GetType())).Invoke(null, [value, literal, type, binary]);
    }

    [Fact]
    public void Null_is_null()
    {
        Assert.True(ParameterWriter.IsNull<object?>(null));
        Assert.True(ParameterWriter.IsNull(DBNull.Value));
        Assert.True(ParameterWriter.IsNull<int?>(null));
        Assert.False(ParameterWriter.IsNull(0));
        Assert.Equal("NULL", Literal<object?>(null));
        Assert.Equal("NULL", Literal<int?>(null));
        Assert.Equal("NULL", Literal(DBNull.Value));
        Assert.Equal((ushort)ColumnType.Null, ParameterWriter.WireType<string?>(null, CodecSettings.Default));
    }

    [Theory]
    [InlineData(@"a\", (int)LiteralRules.None, @"'a\\'")]
    [InlineData(@"a\", (int)LiteralRules.NoBackslashEscapes, @"'a\'")]
    [InlineData(@"\'", (int)LiteralRules.None, @"'\\'''")]
    [InlineData(@"\'", (int)LiteralRules.NoBackslashEscapes, @"'\'''")]
    [InlineData("a\"`", (int)LiteralRules.None, "'a\"`'")]
    [InlineData("'';--", (int)LiteralRules.None, "''''';--'")]
    [InlineData("*/ü", (int)LiteralRules.InComment, "_utf8mb4 X'2A2FC3BC'")]
    [InlineData("/*", (int)(LiteralRules.InComment | LiteralRules.NoBackslashEscapes), "_utf8mb4 X'2F2A'")]
    [InlineData("", (int)LiteralRules.InComment, "_utf8mb4 X''")]
    public void A_string_cannot_end_its_literal(string value, int flags, string literal)
    {
        var rules = (LiteralRules)flags;
        Assert.Equal(literal, Literal(value, rules));
        Assert.Equal(literal.Replace("_utf8mb4", "_binary", StringComparison.Ordinal), (rules & LiteralRules.InComment) == 0
            ? Literal(Encoding.UTF8.GetBytes(value), rules)["_binary".Length..]
            : Literal(Encoding.UTF8.GetBytes(value), rules));
    }

    // An independent implementation of a server's lexer for literals: it must return the value and end where the literal ends.
    [Theory]
    [InlineData((int)LiteralRules.None)]
    [InlineData((int)LiteralRules.NoBackslashEscapes)]
    public void Any_string_survives_the_lexer(int flags)
    {
        var rules = (LiteralRules)flags;
        var random = new Random(4);
        const string Alphabet = "'\\\"`ab\0\n\u001Aü€%_*/-#;?@";
        for (var round = 0; round < 3000; round++)
        {
            var value = string.Concat(Enumerable.Range(0, random.Next(12)).Select(_ => Alphabet[random.Next(Alphabet.Length)]));
            Assert.Equal(value, Lex(Literal(value, rules), rules));
        }

        var large = string.Concat(Enumerable.Repeat("x'\\€", 5000));
        Assert.Equal(large, Lex(Literal(large, rules), rules));
    }

    [Theory]
    [InlineData(MySqlGuidFormat.Char36, "'00112233-4455-6677-8899-aabbccddeeff'", "00FD")]
    [InlineData(MySqlGuidFormat.None, "'00112233-4455-6677-8899-aabbccddeeff'", "00FD")]
    [InlineData(MySqlGuidFormat.Char32, "'00112233445566778899aabbccddeeff'", "00FD")]
    [InlineData(MySqlGuidFormat.Binary16, "00112233445566778899AABBCCDDEEFF", "00FC")]
    [InlineData(MySqlGuidFormat.TimeSwapBinary16, "66774455001122338899AABBCCDDEEFF", "00FC")]
    [InlineData(MySqlGuidFormat.LittleEndianBinary16, "33221100554477668899AABBCCDDEEFF", "00FC")]
    public void Guids_follow_the_format(MySqlGuidFormat format, string stored, string type)
    {
        var settings = new CodecSettings { GuidFormat = format };
        Assert.Equal(type, ParameterWriter.WireType(SomeGuid, settings).ToString("X4", CultureInfo.InvariantCulture));
        var binary = new ByteWriter();
        ParameterWriter.WriteBinary(binary, SomeGuid, settings);
        var text = new ByteWriter();
        ParameterWriter.WriteText(text, SomeGuid, settings, LiteralRules.InComment);
        if (stored[0] == '\'')
        {
            Assert.Equal(stored, Encoding.UTF8.GetString(text.Written));
            Assert.Equal(stored[1..^1], Encoding.UTF8.GetString(binary.Written[1..]));
        }
        else
        {
            Assert.Equal($"_binary X'{stored}'", Encoding.UTF8.GetString(text.Written));
            Assert.Equal("10" + stored, Convert.ToHexString(binary.Written));
        }
    }

    [Theory]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(double.NegativeInfinity)]
    public void Numbers_that_mysql_does_not_have_are_refused(double value)
    {
        foreach (var boxed in new object[] { value, (float)value })
        {
            Assert.Throws<ArgumentException>(() => Literal(boxed));
            Assert.Throws<ArgumentException>(() => ParameterWriter.WriteBinary(new ByteWriter(), boxed, CodecSettings.Default));
        }
    }

    // MariaDB stores them; MySQL refuses them with its own error.
    [Fact]
    public void Times_between_the_last_second_and_839_hours_are_left_to_the_server() =>
        Assert.Equal("time'838:59:59.900000'", Literal(new TimeSpan(34, 22, 59, 59, 900)));

    [Fact]
    public void Times_that_time_cannot_hold_are_refused()
    {
        foreach (var time in new[] { TimeSpan.MaxValue, TimeSpan.MinValue, TimeSpan.FromHours(839), TimeSpan.FromHours(-839) })
        {
            Assert.Throws<ArgumentException>(() => Literal(time));
            Assert.Throws<ArgumentException>(() => ParameterWriter.WriteBinary(new ByteWriter(), time, CodecSettings.Default));
        }
    }

    [Fact]
    public void A_date_of_another_kind_than_demanded_is_refused()
    {
        var settings = new CodecSettings { DateTimeKind = DateTimeKind.Utc };
        Assert.Throws<ArgumentException>(() => ParameterWriter.WriteText(new ByteWriter(), DateTime.Now, settings, LiteralRules.None));
        Assert.Throws<ArgumentException>(() => ParameterWriter.WriteBinary(new ByteWriter(), (object)DateTime.Now, settings));
        ParameterWriter.WriteBinary(new ByteWriter(), DateTime.UtcNow, settings);
        ParameterWriter.WriteBinary(new ByteWriter(), new DateTime(2001, 1, 1), settings);
    }

    [Fact]
    public void Other_types_are_refused_by_name()
    {
        var error = Assert.Throws<NotSupportedException>(() => Literal(new Uri("http://x")));
        Assert.Contains("System.Uri", error.Message, StringComparison.Ordinal);
        Assert.Throws<NotSupportedException>(() => ParameterWriter.WriteBinary(new ByteWriter(), new Version(1, 2), CodecSettings.Default));
        Assert.Throws<NotSupportedException>(() => ParameterWriter.WireType<object>(new Version(1, 2), CodecSettings.Default));
        Assert.Contains("Prepare", Assert.Throws<NotSupportedException>(() => Literal(Stream.Null)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Typed_values_allocate_nothing()
    {
        var writer = new ByteWriter(4096);
        Write(writer);
        Assert.Equal(0, Allocations.Of(() =>
        {
            writer.Clear();
            Write(writer);
        }));

        static void Write(ByteWriter writer)
        {
            One(writer, 1);
            One(writer, 1L);
            One(writer, true);
            One(writer, 1.5);
            One(writer, 1.5m);
            One(writer, new DateTime(2001, 2, 3, 4, 5, 6));
            One(writer, new DateOnly(2001, 2, 3));
            One(writer, new TimeSpan(1, 2, 3));
            One(writer, SomeGuid);
            One(writer, "text");
        }

        static void One<T>(ByteWriter writer, T value)
        {
            ParameterWriter.WireType(value, CodecSettings.Default);
            ParameterWriter.WriteBinary(writer, value, CodecSettings.Default);
            ParameterWriter.WriteText(writer, value, CodecSettings.Default, LiteralRules.None);
        }
    }

    private static void Check<T>(T value, string literal, string type, string binary)
    {
        Assert.Equal(literal, value is float[] ? Latin(value) : Literal(value));
        Assert.Equal(type, ParameterWriter.WireType(value, CodecSettings.Default).ToString("X4", CultureInfo.InvariantCulture));
        var writer = new ByteWriter();
        ParameterWriter.WriteBinary(writer, value, CodecSettings.Default);
        Assert.Equal(binary, Convert.ToHexString(writer.Written));
    }

    private static string Counted(string text) => Convert.ToHexString([(byte)Encoding.UTF8.GetByteCount(text), .. Encoding.UTF8.GetBytes(text)]);

    private static string Literal<T>(T value, LiteralRules rules = LiteralRules.None)
    {
        var writer = new ByteWriter();
        ParameterWriter.WriteText(writer, value, CodecSettings.Default, rules);
        return Encoding.UTF8.GetString(writer.Written);
    }

    private static string Latin<T>(T value)
    {
        var writer = new ByteWriter();
        ParameterWriter.WriteText(writer, value, CodecSettings.Default, LiteralRules.None);
        return Encoding.Latin1.GetString(writer.Written);
    }

    private static string Lex(string literal, LiteralRules rules)
    {
        Assert.Equal('\'', literal[0]);
        var value = new StringBuilder();
        for (var i = 1; i < literal.Length; i++)
        {
            if (literal[i] == '\\' && rules == LiteralRules.None)
                value.Append(literal[++i]);
            else if (literal[i] != '\'')
                value.Append(literal[i]);
            else if (i + 1 < literal.Length && literal[i + 1] == '\'')
                value.Append(literal[++i]);
            else
            {
                Assert.Equal(literal.Length - 1, i);
                return value.ToString();
            }
        }

        Assert.Fail("the literal does not end");
        return "";
    }

    // Month 2,470 was once written as a quote and a 0, which ended the literal.
    [Theory]
    [InlineData(10000, 1, 1, 0, 0, 0, 0)]
    [InlineData(-1, 1, 1, 0, 0, 0, 0)]
    [InlineData(2000, 13, 1, 0, 0, 0, 0)]
    [InlineData(2000, 2470, 1, 0, 0, 0, 0)]
    [InlineData(2000, 1, 32, 0, 0, 0, 0)]
    [InlineData(2000, 1, 1, 24, 0, 0, 0)]
    [InlineData(2000, 1, 1, 0, -9, 0, 0)]
    [InlineData(2000, 1, 1, 0, 0, 60, 0)]
    [InlineData(2000, 1, 1, 0, 0, 0, 1_000_000)]
    public void A_part_of_a_date_that_no_date_has_is_refused(int year, int month, int day, int hour, int minute, int second, int microsecond)
    {
        object date = new MySqlDateTime(year, month, day, hour, minute, second, microsecond);
        Assert.Throws<ArgumentException>(() => Literal(date));
        Assert.Throws<ArgumentException>(() => ParameterWriter.WriteBinary(new ByteWriter(), date, CodecSettings.Default));
        Assert.Throws<ArgumentException>(() => ParameterWriter.WriteText(new ByteWriter(), (MySqlDateTime)date, CodecSettings.Default, LiteralRules.None));
    }
}
