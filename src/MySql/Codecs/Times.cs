using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// <see cref="TimeSpan"/> and <see cref="TimeOnly"/> ↔ TIME, −838:59:59 to 838:59:59 with up to six fractional digits.
/// <code>
/// text:   [-]hh:mm:ss[.f…], the hours with two digits or more
/// binary: is_negative (1) | days (4) | hour (1) | minute (1) | second (1) [| microseconds (4)]; empty for zero
/// </code>
/// Source: "Binary Protocol Value" (page_protocol_binary_resultset), ProtocolBinary::MYSQL_TYPE_TIME.
/// </summary>
internal static class Times
{
    public static TimeSpan ReadText(ReadOnlySpan<byte> value)
    {
        var rest = value;
        var negative = rest.StartsWith("-"u8);
        if (negative)
            rest = rest[1..];
        var colon = rest.IndexOf((byte)':');
        if (colon is < 2 or > 4 || rest.Length < colon + 6 || rest[colon + 3] != ':')
            Malformed.Throw("TIME", value.Length);
        var bad = 0u;
        long hours = 0;
        for (var i = 0; i < colon; i++)
        {
            var digit = (uint)(rest[i] - '0');
            bad = Math.Max(bad, digit);
            hours = hours * 10 + digit;
        }

        var minutes = Dates.Two(rest, colon + 1, ref bad);
        var seconds = Dates.Two(rest, colon + 4, ref bad);
        var micros = rest.Length > colon + 6 ? Dates.Fraction(rest[(colon + 6)..], ref bad) : 0;
        if (bad > 9)
            Malformed.Throw("TIME", value.Length);
        return Span(negative, hours, minutes, seconds, micros, value.Length);
    }

    public static TimeSpan ReadBinary(ReadOnlySpan<byte> value)
    {
        if (value.IsEmpty)
            return TimeSpan.Zero;
        if (value.Length is not (8 or 12))
            Malformed.Throw("TIME", value.Length);
        var days = BinaryPrimitives.ReadUInt32LittleEndian(value[1..]);
        var micros = value.Length == 12 ? Dates.Micros(value[8..], value.Length) : 0;
        return Span(value[0] != 0, days * 24L + value[5], value[6], value[7], micros, value.Length);
    }

    /// <summary>Returns the text that the server would write: GetString returns it for a binary value.</summary>
    public static string ToText(TimeSpan value, int decimals)
    {
        var positive = value.Duration();
        return $"{(value < TimeSpan.Zero ? "-" : "")}{(long)positive.TotalHours:D2}:{positive.Minutes:D2}:{positive.Seconds:D2}"
            + $"{Dates.FractionText(MicrosOf(positive), decimals)}";
    }

    /// <summary>Writes a TIME literal.</summary>
    /// <exception cref="ArgumentException">The value is outside the range of TIME.</exception>
    public static void WriteText(ByteWriter writer, TimeSpan value)
    {
        var positive = Positive(value);
        if (ThisAssembly.Conventions.WritesMySqlConnectorsLiterals)
        {
            writer.Bytes(value < TimeSpan.Zero ? "time '-"u8 : "time '"u8);
            // The column of an unnamed expression has the literal as its name, so its digits matter.
            Integers.WriteText(writer, (ulong)(long)positive.TotalHours);
            WriteRest(writer, positive.Minutes, positive.Seconds);
            WriteFraction(writer, MicrosOf(positive));
        }
        else
        {
            writer.Bytes(value < TimeSpan.Zero ? "time'-"u8 : "time'"u8);
            WriteClock(writer, (int)positive.TotalHours, positive.Minutes, positive.Seconds, MicrosOf(positive));
        }

        writer.Byte((byte)'\'');
    }

    /// <summary>Writes a TIME literal for a time of day.</summary>
    public static void WriteText(ByteWriter writer, TimeOnly value)
    {
        if (!ThisAssembly.Conventions.WritesMySqlConnectorsLiterals)
        {
            WriteText(writer, value.ToTimeSpan());
            return;
        }

        writer.Bytes("time '"u8);
        WriteClock(writer, value.Hour, value.Minute, value.Second);
        WriteFraction(writer, MicrosOf(value.ToTimeSpan()));
        writer.Byte((byte)'\'');
    }

    public static void WriteBinary(ByteWriter writer, TimeSpan value)
    {
        var positive = Positive(value);
        var micros = MicrosOf(positive);
        // Fractions below a microsecond are not stored, and zero has no sign.
        var length = micros != 0 ? 12 : positive.Ticks >= TimeSpan.TicksPerSecond ? 8 : 0;
        var room = writer.Grow(13);
        room[0] = (byte)length;
        room[1] = value < TimeSpan.Zero ? (byte)1 : (byte)0;
        BinaryPrimitives.WriteInt32LittleEndian(room[2..], positive.Days);
        room[6] = (byte)positive.Hours;
        room[7] = (byte)positive.Minutes;
        room[8] = (byte)positive.Seconds;
        BinaryPrimitives.WriteInt32LittleEndian(room[9..], micros);
        writer.Shrink(12 - length);
    }

    /// <summary>Writes hh:mm:ss[.ffffff], the hours with as many digits as necessary.</summary>
    internal static void WriteClock(ByteWriter writer, int hours, int minutes, int seconds, int micros)
    {
        WriteClock(writer, hours, minutes, seconds);
        if (micros != 0)
            WriteFraction(writer, micros);
    }

    /// <summary>Writes hh:mm:ss, the hours with as many digits as necessary.</summary>
    internal static void WriteClock(ByteWriter writer, int hours, int minutes, int seconds)
    {
        if (hours < 100)
            WriteTwo(writer.Grow(2), hours);
        else
            Integers.WriteText(writer, (ulong)hours);
        WriteRest(writer, minutes, seconds);
    }

    /// <summary>Writes .ffffff.</summary>
    internal static void WriteFraction(ByteWriter writer, int micros)
    {
        var room = writer.Grow(7);
        room[0] = (byte)'.';
        WriteTwo(room[1..], micros / 10000);
        WriteTwo(room[3..], micros / 100 % 100);
        WriteTwo(room[5..], micros % 100);
    }

    private static void WriteRest(ByteWriter writer, int minutes, int seconds)
    {
        var room = writer.Grow(6);
        room[0] = (byte)':';
        WriteTwo(room[1..], minutes);
        room[3] = (byte)':';
        WriteTwo(room[4..], seconds);
    }

    internal static void WriteTwo(Span<byte> target, int number)
    {
        target[1] = (byte)('0' + number % 10);
        target[0] = (byte)('0' + number / 10);
    }

    // Without a range check, the days of TimeSpan.MaxValue would be sent, and the server would return another value.
    private static TimeSpan Positive(TimeSpan value)
    {
        // MySqlConnector lets the server decide.
        if (!ThisAssembly.Conventions.WritesMySqlConnectorsLiterals && (value <= TimeSpan.FromHours(-839) || value >= TimeSpan.FromHours(839)))
            throw new ArgumentException($"A TIME value must be between −838:59:59 and 838:59:59, not {value}: send a longer time as a number (TotalSeconds, "
                + "Ticks).");
        return value.Duration();
    }

    private static int MicrosOf(TimeSpan positive) => (int)(positive.Ticks % TimeSpan.TicksPerSecond / TimeSpan.TicksPerMicrosecond);

    private static TimeSpan Span(bool negative, long hours, int minutes, int seconds, int micros, int length)
    {
        // Far beyond the range of TIME, but small enough to prevent an overflow below.
        if (minutes > 59 || seconds > 59 || hours > 100_000_000)
            Malformed.Throw("TIME", length);
        var ticks = (hours * 3600 + minutes * 60 + seconds) * TimeSpan.TicksPerSecond + micros * TimeSpan.TicksPerMicrosecond;
        return new(negative ? -ticks : ticks);
    }
}
