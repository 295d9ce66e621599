using System.Buffers.Binary;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Tests.Codecs;

/// <summary>The same value in text and binary, in both directions. The texts are those of PostgreSQL 15.</summary>
public class CodecTests
{
    private delegate T Reader<T>(ReadOnlySpan<byte> value);

    private static void Agree<T>(T value, string text, Action<ByteWriter, T> write, Reader<T> readBinary, Reader<T> readText)
    {
        Assert.Equal(value, readText(Encoding.UTF8.GetBytes(text)));
        var writer = new ByteWriter();
        write(writer, value);
        Assert.Equal(writer.Length - 4, BinaryPrimitives.ReadInt32BigEndian(writer.Written));
        Assert.Equal(value, readBinary(writer.Written[4..]));
        for (var length = 0; length < writer.Length - 4; length++)
            Assert.ThrowsAny<FormatException>(() => readBinary(writer.Written[4..(4 + length)]));
    }

    [Theory]
    [InlineData(true, "t")]
    [InlineData(false, "f")]
    public void Booleans_agree(bool value, string text) => Agree(value, text, Booleans.Write, Booleans.ReadBinary, Booleans.ReadText);

    [Theory]
    [InlineData(0)]
    [InlineData(-32768)]
    [InlineData(32767)]
    public void Smallints_agree(short value) => Agree(value, $"{value}", Integers.Write, Integers.ReadInt16Binary, text => (short)Integers.ReadText(text));

    [Theory]
    [InlineData(0)]
    [InlineData(int.MinValue)]
    [InlineData(int.MaxValue)]
    public void Integers_agree(int value) => Agree(value, $"{value}", Integers.Write, Integers.ReadInt32Binary, text => (int)Integers.ReadText(text));

    [Theory]
    [InlineData(0)]
    [InlineData(999999999999999999)]
    [InlineData(long.MinValue)]
    [InlineData(long.MaxValue)]
    public void Bigints_agree(long value) => Agree(value, $"{value}", Integers.Write, Integers.ReadInt64Binary, Integers.ReadText);

    [Theory]
    [InlineData("")]
    [InlineData("-")]
    [InlineData("1x")]
    [InlineData("9223372036854775808")]
    public void Text_that_is_no_integer_is_refused(string text) => Assert.Throws<FormatException>(() => Integers.ReadText(Encoding.UTF8.GetBytes(text)));

    [Theory]
    [InlineData(0.1, "0.1")]
    [InlineData(-1e-300, "-1e-300")]
    [InlineData(double.NaN, "NaN")]
    [InlineData(double.PositiveInfinity, "Infinity")]
    [InlineData(double.NegativeInfinity, "-Infinity")]
    public void Doubles_agree(double value, string text) => Agree(value, text, Floats.Write, Floats.ReadDoubleBinary, Floats.ReadDoubleText);

    [Theory]
    [InlineData(0.1f, "0.1")]
    [InlineData(3.4028235E+38f, "3.4028235e+38")]
    [InlineData(float.NegativeInfinity, "-Infinity")]
    public void Floats_agree(float value, string text) => Agree(value, text, Floats.Write, Floats.ReadSingleBinary, Floats.ReadSingleText);

    [Theory]
    [InlineData("0")]
    [InlineData("0.00")]
    [InlineData("1.50")]
    [InlineData("-1.5")]
    [InlineData("10000")]
    [InlineData("9999.9999")]
    [InlineData("0.0001")]
    [InlineData("0.00000001")]
    [InlineData("0.0000000000000000000000000001")]
    [InlineData("123456789012.345678")]
    [InlineData("100000000000000000000")]
    [InlineData("79228162514264337593543950335")]
    [InlineData("-79228162514264337593543950335")]
    [InlineData("7922816251426433759354395.0335")]
    public void Numerics_agree_digit_by_digit(string text)
    {
        var value = decimal.Parse(text, System.Globalization.CultureInfo.InvariantCulture);
        Agree(value, text, Numerics.Write, Numerics.ReadBinary, Numerics.ReadText);
        var writer = new ByteWriter();
        Numerics.Write(writer, value);
        Assert.Equal(text, Numerics.ToText(writer.Written[4..]));
        Assert.Equal(text, Numerics.ReadBinary(writer.Written[4..]).ToString(System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal(text, Numerics.ReadText(Encoding.UTF8.GetBytes(text)).ToString(System.Globalization.CultureInfo.InvariantCulture));
    }

    // Digits, weight, sign, scale, groups: as numeric_send sends them.
    [Theory]
    [InlineData(new int[] { 0, 0, 0xC000, 0 }, "NaN")]
    [InlineData(new int[] { 0, 0, 0xD000, 0 }, "Infinity")]
    [InlineData(new int[] { 0, 0, 0xF000, 0 }, "-Infinity")]
    [InlineData(new int[] { 8, 7, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8 }, "10002000300040005000600070008")]
    [InlineData(new int[] { 1, 8, 0, 0, 1 }, "100000000000000000000000000000000")]
    [InlineData(new int[] { 2, 0, 0, 30, 1, 0 }, "1.000000000000000000000000000000")]
    public void Numerics_outside_decimal_are_an_error_and_still_readable_as_text(int[] words, string text)
    {
        var bytes = Words(words);
        Assert.Equal(text, Numerics.ToText(bytes));
        if (text.StartsWith("1.0", StringComparison.Ordinal))
        {
            Assert.Equal(Numerics.ReadText(Encoding.UTF8.GetBytes(text)).ToString(), Numerics.ReadBinary(bytes).ToString());
            return;
        }

        if (text.Length == 29)
        {
            Assert.Equal(decimal.Parse(text), Numerics.ReadBinary(bytes));
            Assert.Equal(decimal.Parse(text), Numerics.ReadText(Encoding.UTF8.GetBytes(text)));
            return;
        }

        Assert.Throws<OverflowException>(() => Numerics.ReadBinary(bytes));
        Assert.Throws<OverflowException>(() => Numerics.ReadText(Encoding.UTF8.GetBytes(text)));
    }

    [Theory]
    [InlineData(new int[] { 1, 0, 0, 0, 10000 })]
    [InlineData(new int[] { 2, 0, 0, 0, 1 })]
    [InlineData(new int[] { 1, 0, 1, 0, 1 })]
    [InlineData(new int[] { 0xFFFF, 0, 0, 0 })]
    public void Numerics_that_lie_are_refused(int[] words) => Assert.Throws<FormatException>(() => Numerics.ReadBinary(Words(words)));

    [Theory]
    [InlineData("")]
    [InlineData("-")]
    [InlineData("1.2.3")]
    [InlineData("1e5")]
    public void Text_that_is_no_numeric_is_refused(string text) => Assert.Throws<FormatException>(() => Numerics.ReadText(Encoding.UTF8.GetBytes(text)));

    [Theory]
    [InlineData("2026-11-21")]
    [InlineData("0001-01-02")]
    [InlineData("9999-12-30")]
    [InlineData("1999-12-31")]
    public void Dates_agree(string text) => Agree(DateOnly.ParseExact(text, "yyyy-MM-dd"), text, Dates.Write, Dates.ReadBinary, Dates.ReadText);

    [Fact]
    public void Infinite_dates_are_the_calendars_ends()
    {
        Agree(DateOnly.MaxValue, "infinity", Dates.Write, Dates.ReadBinary, Dates.ReadText);
        Agree(DateOnly.MinValue, "-infinity", Dates.Write, Dates.ReadBinary, Dates.ReadText);
        Agree(DateTime.MaxValue, "infinity", Timestamps.Write, value => Timestamps.ReadBinary(value, DateTimeKind.Unspecified), Timestamps.ReadText);
        Agree(DateTime.MinValue, "-infinity", Timestamps.Write, value => Timestamps.ReadBinary(value, DateTimeKind.Unspecified), Timestamps.ReadText);
    }

    [Theory]
    [InlineData("0044-03-15 BC")]
    [InlineData("12026-01-01")]
    public void Dates_beyond_the_calendar_are_an_error(string text) => Assert.Throws<InvalidCastException>(() => Dates.ReadText(Encoding.UTF8.GetBytes(text)));

    [Fact]
    public void Binary_dates_beyond_the_calendar_are_an_error()
    {
        Assert.Throws<InvalidCastException>(() => Dates.ReadBinary([0x7F, 0xFF, 0xFF, 0xFE]));
        Assert.Throws<InvalidCastException>(() => Timestamps.ReadBinary([0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE], DateTimeKind.Utc));
        Assert.Throws<InvalidCastException>(() => Timestamps.ReadBinary([0x80, 0, 0, 0, 0, 0, 0, 1], DateTimeKind.Utc));
    }

    // In each time zone that a session may have: an instant within the calendar in UTC is read; one outside it is refused like other dates beyond the calendar.
    [Theory]
    [InlineData("0001-01-01 00:00:01+00", 1L)]
    [InlineData("0001-01-01 05:30:01+05:30", 1L)]
    [InlineData("0001-01-01 00:00:00-08", 8 * 3600L)]
    [InlineData("0001-01-01 00:53:29+00:53:28", 1L)]
    [InlineData("0001-01-01 00:00:00+00:00:01", -1L)]
    [InlineData("0001-01-01 00:00:00+14", -1L)]
    [InlineData("9999-12-31 23:59:59+00", 315537897599L)]
    [InlineData("9999-12-31 15:59:59-08", 315537897599L)]
    [InlineData("9999-12-31 23:59:59-00:00:01", -1L)]
    [InlineData("9999-12-31 23:59:59-12", -1L)]
    public void Instants_at_the_calendars_ends_are_read_or_refused(string text, long seconds)
    {
        if (seconds >= 0)
        {
            var instant = DateTime.SpecifyKind(new DateTime(seconds * TimeSpan.TicksPerSecond), DateTimeKind.Utc);
            Agree(instant, text, Timestamps.Write, value => Timestamps.ReadBinary(value, DateTimeKind.Utc), Timestamps.ReadTextWithZone);
            Assert.Equal(TimeSpan.Zero, new DateTimeOffset(Timestamps.ReadTextWithZone(Encoding.ASCII.GetBytes(text))).Offset);
        }
        else
            Assert.Throws<InvalidCastException>(() => Timestamps.ReadTextWithZone(Encoding.ASCII.GetBytes(text)));
    }

    [Theory]
    [InlineData("21/11/2026")]
    [InlineData("2026-13-01")]
    [InlineData("2026-02-30")]
    [InlineData("2026-11-2")]
    public void Dates_in_another_style_are_refused(string text) => Assert.Throws<FormatException>(() => Dates.ReadText(Encoding.UTF8.GetBytes(text)));

    [Theory]
    [InlineData("2026-11-21 06:05:02.123456", "2026-11-21T06:05:02.1234560")]
    [InlineData("2026-11-21 06:05:02", "2026-11-21T06:05:02.0000000")]
    [InlineData("1999-12-31 23:59:59.999999", "1999-12-31T23:59:59.9999990")]
    public void Timestamps_agree(string text, string value)
    {
        var time = DateTime.ParseExact(value, "O", null, System.Globalization.DateTimeStyles.RoundtripKind);
        Agree(time, text, Timestamps.Write, bytes => Timestamps.ReadBinary(bytes, DateTimeKind.Unspecified), Timestamps.ReadText);
        Assert.Equal(DateTimeKind.Unspecified, Timestamps.ReadText(Encoding.UTF8.GetBytes(text)).Kind);
    }

    [Theory]
    [InlineData("2026-11-21 06:05:02+00", 6, 5, 2)]
    [InlineData("2026-11-21 08:35:02+02:30", 6, 5, 2)]
    [InlineData("2026-11-21 02:05:02-04", 6, 5, 2)]
    [InlineData("2026-11-21 06:24:34+00:19:32", 6, 5, 2)]
    public void Instants_are_read_as_utc_whatever_the_sessions_zone(string text, int hour, int minute, int second)
    {
        var expected = new DateTime(2026, 11, 21, hour, minute, second, DateTimeKind.Utc);
        var read = Timestamps.ReadTextWithZone(Encoding.UTF8.GetBytes(text));
        Assert.Equal(expected, read);
        Assert.Equal(DateTimeKind.Utc, read.Kind);
    }

    [Theory]
    [InlineData("06:05:02.5", 6, 5, 2, 500)]
    [InlineData("00:00:00", 0, 0, 0, 0)]
    [InlineData("24:00:00", 24, 0, 0, 0)]
    public void Times_agree(string text, int hours, int minutes, int seconds, int milliseconds) =>
        Agree(new TimeSpan(0, hours, minutes, seconds, milliseconds), text, Times.Write, Times.ReadBinary, Times.ReadText);

    [Fact]
    public void Only_a_time_span_holds_midnight_at_the_days_end()
    {
        Assert.Throws<InvalidCastException>(() => Times.ToTimeOnly(TimeSpan.FromHours(24)));
        Assert.Throws<ArgumentException>(() => Times.Write(new ByteWriter(), TimeSpan.FromHours(25)));
        Assert.Throws<ArgumentException>(() => Times.Write(new ByteWriter(), TimeSpan.FromHours(-1)));
    }

    [Theory]
    [InlineData("06:05:02+02", 2, 0)]
    [InlineData("06:05:02-03:30", -3, -30)]
    public void Zoned_times_agree(string text, int hours, int minutes) => Agree(
        new DateTimeOffset(1, 1, 2, 6, 5, 2, new TimeSpan(hours, minutes, 0)), text, Times.WriteZoned, Times.ReadZonedBinary, Times.ReadZonedText);

    [Theory]
    [InlineData("00:00:00", 0)]
    [InlineData("04:05:06.789", 147067890000)]
    [InlineData("-04:05:06.789", -147067890000)]
    [InlineData("3 days", 2592000000000)]
    [InlineData("1 day 02:00:00", 936000000000)]
    [InlineData("-1 days -02:00:00", -936000000000)]
    public void Intervals_agree(string text, long ticks) => Agree(new TimeSpan(ticks), text, Intervals.Write, Intervals.ReadBinary, Intervals.ReadText);

    [Theory]
    [InlineData("-1 days +02:00:00", -792000000000)]
    [InlineData("100:00:00", 3600000000000)]
    [InlineData("256204778:48:05.47758", 9223372036854775800)]
    [InlineData("-256204778:48:05.47758", -9223372036854775800)]
    public void Intervals_of_mixed_signs_and_long_hours_are_summed(string text, long ticks) =>
        Assert.Equal(new TimeSpan(ticks), Intervals.ReadText(Encoding.UTF8.GetBytes(text)));

    [Fact]
    public void The_error_for_months_names_the_type_that_can_hold_them()
    {
        var error = Assert.Throws<InvalidCastException>(static () => Intervals.ReadText("1 mon"u8));
        Assert.Contains("read it as PgInterval", error.Message, StringComparison.Ordinal);
        Assert.Equal(new PgInterval(1, 0, 0), Intervals.ReadTextParts("1 mon"u8));
    }

    [Theory]
    [InlineData("256204778:48:05.477581")]
    [InlineData("2562047788:00:54.775807")]
    [InlineData("512409557:00:00")]
    [InlineData("-999999999:59:59")]
    public void Intervals_longer_than_a_TimeSpan_are_an_error_as_they_are_in_binary(string text)
    {
        Assert.Throws<InvalidCastException>(() => Intervals.ReadText(Encoding.UTF8.GetBytes(text)));
        Assert.Throws<InvalidCastException>(() => Intervals.ReadBinary([0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0]));
    }

    [Theory]
    [InlineData("512409557:00:00")]
    [InlineData("999999999:00:00")]
    public void Times_of_more_hours_than_a_number_holds_are_refused(string text) =>
        Assert.Throws<FormatException>(() => Times.ReadText(Encoding.UTF8.GetBytes(text)));

    [Theory]
    [InlineData("2147483647 days", 0, int.MaxValue, 0L)]
    [InlineData("-178956970 years -8 mons", int.MinValue, 0, 0L)]
    [InlineData("2562047788:00:54.775807", 0, 0, long.MaxValue)]
    [InlineData("-2562047788:00:54.775808", 0, 0, long.MinValue)]
    [InlineData("infinity", int.MaxValue, int.MaxValue, long.MaxValue)]
    [InlineData("-infinity", int.MinValue, int.MinValue, long.MinValue)]
    public void Parts_of_intervals_have_the_servers_range(string text, int months, int days, long time) =>
        Assert.Equal(new PgInterval(months, days, time), Intervals.ReadTextParts(Encoding.UTF8.GetBytes(text)));

    [Theory]
    [InlineData("2147483648 days")]
    [InlineData("178956970 years 8 mons")]
    [InlineData("2562047788:00:54.775808")]
    [InlineData("9999999999:00:00")]
    [InlineData("99999999999 days")]
    public void Parts_of_intervals_outside_the_servers_range_are_refused(string text) =>
        Assert.Throws<FormatException>(() => Intervals.ReadTextParts(Encoding.UTF8.GetBytes(text)));

    [Fact]
    public void Infinite_intervals_are_not_a_TimeSpan() => Assert.Throws<InvalidCastException>(() => Intervals.ReadText("infinity"u8));

    [Fact]
    public void Intervals_with_months_are_an_error()
    {
        Assert.Throws<InvalidCastException>(() => Intervals.ReadText("1 year 2 mons 3 days 04:05:06"u8));
        Assert.Throws<InvalidCastException>(() => Intervals.ReadBinary([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
    }

    [Theory]
    [InlineData("@ 1 day")]
    [InlineData("P1DT2H")]
    [InlineData("1")]
    public void Intervals_in_another_style_are_refused(string text) => Assert.Throws<FormatException>(() => Intervals.ReadText(Encoding.UTF8.GetBytes(text)));

    [Fact]
    public void Guids_agree()
    {
        var guid = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff");
        Agree(guid, guid.ToString(), Guids.Write, Guids.ReadBinary, Guids.ReadText);
        var writer = new ByteWriter();
        Guids.Write(writer, guid);
        Assert.Equal([0x00, 0x11, 0x22, 0x33], writer.Written[4..8].ToArray());
    }

    [Theory]
    [InlineData("\\x", new byte[0])]
    [InlineData("\\x00ff10", new byte[] { 0, 255, 16 })]
    [InlineData("a\\\\b\\000\\377", new byte[] { 97, 92, 98, 0, 255 })]
    public void Bytea_is_read_in_both_of_its_texts(string text, byte[] value) =>
        Assert.Equal(value, Slipstream.PostgreSql.Codecs.Bytes.ReadText(Encoding.UTF8.GetBytes(text)));

    [Theory]
    [InlineData("\\x0")]
    [InlineData("\\xzz")]
    [InlineData("a\\9")]
    public void Bytea_that_is_neither_is_refused(string text) =>
        Assert.Throws<FormatException>(() => Slipstream.PostgreSql.Codecs.Bytes.ReadText(Encoding.UTF8.GetBytes(text)));

    [Fact]
    public void Text_is_measured_after_encoding()
    {
        var writer = new ByteWriter();
        Texts.Write(writer, "größe");
        Assert.Equal([0, 0, 0, 7, .. "größe"u8], writer.Written.ToArray());
        Assert.Throws<ArgumentException>(() => Texts.Write(writer, "a\0b"));
    }

    [Fact]
    public void Jsonb_has_a_version_in_front()
    {
        var writer = new ByteWriter();
        Texts.WriteJsonb(writer, "{}");
        Assert.Equal([0, 0, 0, 3, 1, .. "{}"u8], writer.Written.ToArray());
        Assert.Equal("{}", Encoding.UTF8.GetString(Texts.Jsonb(writer.Written[4..])));
        Assert.Throws<FormatException>(() => Texts.Jsonb([2, 0x7B]).ToArray());
    }

    private static byte[] Words(int[] words)
    {
        var bytes = new byte[words.Length * 2];
        for (var i = 0; i < words.Length; i++)
            BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(i * 2), (ushort)words[i]);
        return bytes;
    }
}
