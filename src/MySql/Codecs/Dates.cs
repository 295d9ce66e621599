using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// <see cref="DateTime"/>, <see cref="DateOnly"/> and <see cref="MySqlDateTime"/> ↔ DATE, DATETIME, TIMESTAMP with up to six fractional digits.
/// <code>
/// text:   YYYY-MM-DD[ hh:mm:ss[.f…]]
/// binary: year (2) | month (1) | day (1) [| hour (1) | minute (1) | second (1) [| microseconds (4)]]; trailing zero parts are left out
/// </code>
/// Source: "Binary Protocol Value" (page_protocol_binary_resultset), ProtocolBinary::MYSQL_TYPE_DATETIME.
/// </summary>
internal static class Dates
{
    // The lengths of "YYYY-MM-DD", and with " hh:mm:ss".
    private const int DateLength = 10;
    private const int SecondsLength = 19;

    /// <summary>Reads the parts without checking that they are a date of the calendar.</summary>
    public static MySqlDateTime ReadTextParts(ReadOnlySpan<byte> value)
    {
        if (value.Length < DateLength || (value[4] ^ '-' | value[7] ^ '-') != 0)
            Malformed.Throw("date", value.Length);
        var bad = 0u;
        var year = Two(value, 0, ref bad) * 100 + Two(value, 2, ref bad);
        var month = Two(value, 5, ref bad);
        var day = Two(value, 8, ref bad);
        int hour = 0, minute = 0, second = 0, microsecond = 0;
        if (value.Length > DateLength)
        {
            if (value.Length < SecondsLength || (value[13] ^ ':' | value[16] ^ ':') != 0)
                Malformed.Throw("date and time", value.Length);
            hour = Two(value, 11, ref bad);
            minute = Two(value, 14, ref bad);
            second = Two(value, 17, ref bad);
            if (value.Length > SecondsLength)
                microsecond = Fraction(value[SecondsLength..], ref bad);
        }

        if (bad > 9)
            Malformed.Throw("date", value.Length);
        return new(year, month, day, hour, minute, second, microsecond);
    }

    /// <summary>Reads the parts without checking that they are a date of the calendar.</summary>
    public static MySqlDateTime ReadBinaryParts(ReadOnlySpan<byte> value) => value.Length switch
    {
        0 => default,
        4 => new(BinaryPrimitives.ReadUInt16LittleEndian(value), value[2], value[3], 0, 0, 0, 0),
        7 => new(BinaryPrimitives.ReadUInt16LittleEndian(value), value[2], value[3], value[4], value[5], value[6], 0),
        11 => new(BinaryPrimitives.ReadUInt16LittleEndian(value), value[2], value[3], value[4], value[5], value[6], Micros(value[7..], value.Length)),
        _ => Malformed.Throw<MySqlDateTime>("date", value.Length),
    };

    /// <summary>Converts the parts to a date of the calendar.</summary>
    /// <exception cref="InvalidCastException">The value is not a date of the calendar (0000-00-00, or a month or day of zero), and no option defines its
    /// conversion.</exception>
    /// <exception cref="MySqlConversionException">The same with Allow Zero DateTime=true.</exception>
    public static DateTime ToDateTime(in MySqlDateTime parts, CodecSettings settings)
    {
        if (parts.IsInCalendar)
        {
            // One construction: adding ticks afterwards would check the range a second time.
            var ticks = new DateTime(parts.Year, parts.Month, parts.Day).Ticks
                + (parts.Hour * 3600 + parts.Minute * 60 + parts.Second) * TimeSpan.TicksPerSecond
                + parts.Microsecond * TimeSpan.TicksPerMicrosecond;
            return new(ticks, settings.DateTimeKind);
        }

        if (settings.ConvertZeroDateTime && parts is { Year: 0, Month: 0, Day: 0 })
            return DateTime.MinValue;
        // Like MySqlConnector, the driver throws one type with the option and the other without it, so existing catch blocks work.
        var message = $"'{parts}' is not a date that a DateTime can hold: set Convert Zero DateTime=true to read 0000-00-00 as DateTime.MinValue, or read it "
            + "as MySqlDateTime.";
        if (settings.AllowZeroDateTime)
            throw new MySqlConversionException(message);
        throw ThisAssembly.Conventions.RefusesPartialDatesAsFormat && parts is not { Year: 0, Month: 0, Day: 0 }
            ? new FormatException(message)
            : new InvalidCastException(message);
    }

    /// <summary>Returns the text that the server would write: GetString returns it for a binary value.</summary>
    public static string ToText(in MySqlDateTime parts, bool dateOnly, int decimals)
    {
        var date = $"{parts.Year:D4}-{parts.Month:D2}-{parts.Day:D2}";
        return dateOnly ? date : $"{date} {parts.Hour:D2}:{parts.Minute:D2}:{parts.Second:D2}{FractionText(parts.Microsecond, decimals)}";
    }

    /// <summary>
    /// Returns ".123" for three decimals, nothing for 0 decimals, and six digits if the number of decimals is not fixed and the fraction is not 0.
    /// </summary>
    public static string FractionText(int microsecond, int decimals) => decimals switch
    {
        0 => "",
        <= 6 => "." + microsecond.ToString("D6")[..decimals],
        _ => microsecond == 0 ? "" : "." + microsecond.ToString("D6"),
    };

    /// <summary>Writes a TIMESTAMP literal. A fraction of zero is left out, so that a string converted from it has no fraction either.</summary>
    public static void WriteText(ByteWriter writer, in MySqlDateTime value)
    {
        if (ThisAssembly.Conventions.WritesMySqlConnectorsLiterals)
        {
            writer.Bytes("timestamp('"u8);
            WriteDate(writer, value.Year, value.Month, value.Day);
            if (value is not { Year: 0, Month: 0, Day: 0 })
            {
                writer.Byte((byte)' ');
                Times.WriteClock(writer, value.Hour, value.Minute, value.Second);
                Times.WriteFraction(writer, value.Microsecond);
            }

            writer.Bytes("')"u8);
            return;
        }

        writer.Bytes("timestamp'"u8);
        WriteDate(writer, value.Year, value.Month, value.Day);
        writer.Byte((byte)' ');
        Times.WriteClock(writer, value.Hour, value.Minute, value.Second, value.Microsecond);
        writer.Byte((byte)'\'');
    }

    /// <summary>Writes a DATE literal.</summary>
    public static void WriteText(ByteWriter writer, DateOnly value)
    {
        writer.Bytes(ThisAssembly.Conventions.WritesMySqlConnectorsLiterals ? "timestamp('"u8 : "date'"u8);
        WriteDate(writer, value.Year, value.Month, value.Day);
        writer.Bytes(ThisAssembly.Conventions.WritesMySqlConnectorsLiterals ? "')"u8 : "'"u8);
    }

    public static void WriteBinary(ByteWriter writer, in MySqlDateTime value)
    {
        var length = value.Microsecond != 0 ? 11 : (value.Hour | value.Minute | value.Second) != 0 ? 7 : (value.Year | value.Month | value.Day) != 0 ? 4 : 0;
        var room = writer.Grow(12);
        room[0] = (byte)length;
        BinaryPrimitives.WriteUInt16LittleEndian(room[1..], (ushort)value.Year);
        room[3] = (byte)value.Month;
        room[4] = (byte)value.Day;
        room[5] = (byte)value.Hour;
        room[6] = (byte)value.Minute;
        room[7] = (byte)value.Second;
        BinaryPrimitives.WriteInt32LittleEndian(room[8..], value.Microsecond);
        writer.Shrink(11 - length);
    }

    public static void WriteBinary(ByteWriter writer, DateOnly value) => WriteBinary(writer, new MySqlDateTime(value.Year, value.Month, value.Day, 0, 0, 0, 0));

    /// <summary>Returns the parts of a <see cref="DateTime"/> that are stored, without its kind.</summary>
    /// <exception cref="ArgumentException">The option DateTimeKind requires another kind.</exception>
    public static MySqlDateTime PartsOf(DateTime value, CodecSettings settings)
    {
        if (settings.DateTimeKind != DateTimeKind.Unspecified && value.Kind != DateTimeKind.Unspecified && value.Kind != settings.DateTimeKind)
        {
            var message = $"The DateTime's Kind is {value.Kind}, but DateTime Kind={settings.DateTimeKind} is set: convert the value first.";
            throw ThisAssembly.Conventions.Misuse?.Invoke(0, message) ?? new ArgumentException(message);
        }

        return new(value);
    }

    /// <summary>Returns the value after checking that the server can store each part, whether or not the value is a date of the calendar.</summary>
    /// <exception cref="ArgumentException">A part is out of its range.</exception>
    // The application can set any numbers as parts: month 2,470 would be written as a quote and a 0, and would end the literal.
    public static MySqlDateTime RequireStorable(in MySqlDateTime value) =>
        ThisAssembly.Conventions.SendsInvalidDatesAsZero
            ? value.IsValidDateTime ? new(value.GetDateTime()) : default
            : value is
            {
                Year: >= 0 and <= 9999,
                Month: >= 0 and <= 12,
                Day: >= 0 and <= 31,
                Hour: >= 0 and <= 23,
                Minute: >= 0 and <= 59,
                Second: >= 0 and <= 59,
                Microsecond: >= 0 and <= 999_999
            }
            ? value
            : throw new ArgumentException("A part of the MySqlDateTime is out of range: the year must be 0 to 9999, the month 0 to 12, the day 0 to 31, and "
                + "the time 00:00:00.000000 to 23:59:59.999999.");

    internal static int Two(ReadOnlySpan<byte> value, int at, ref uint bad)
    {
        uint tens = (uint)(value[at] - '0'), ones = (uint)(value[at + 1] - '0');
        bad = Math.Max(bad, Math.Max(tens, ones));
        return (int)(tens * 10 + ones);
    }

    /// <summary>Reads a point and up to six digits as microseconds.</summary>
    internal static int Fraction(ReadOnlySpan<byte> value, ref uint bad)
    {
        if (value[0] != '.' || value.Length is < 2 or > 7)
            Malformed.Throw("fraction of a second", value.Length);
        var micros = 0;
        for (var i = 1; i < 7; i++)
        {
            var digit = i < value.Length ? (uint)(value[i] - '0') : 0;
            bad = Math.Max(bad, digit);
            micros = micros * 10 + (int)digit;
        }

        return micros;
    }

    internal static int Micros(ReadOnlySpan<byte> value, int length)
    {
        var micros = BinaryPrimitives.ReadUInt32LittleEndian(value);
        return micros <= 999_999 ? (int)micros : Malformed.Throw<int>("fraction of a second", length);
    }

    private static void WriteDate(ByteWriter writer, int year, int month, int day)
    {
        var room = writer.Grow(DateLength);
        Times.WriteTwo(room, year / 100);
        Times.WriteTwo(room[2..], year % 100);
        room[4] = (byte)'-';
        Times.WriteTwo(room[5..], month);
        room[7] = (byte)'-';
        Times.WriteTwo(room[8..], day);
    }
}
