using System.Text;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>
/// Reads dates and timestamps in text over the server's whole range, 4713 BC to 294276 AD (dates: 5874897 AD), for types with a wider range than .NET's own.
/// Days are counted in the proleptic Gregorian calendar, as the server does. Source: PostgreSQL 18, 8.5 "Date/Time Types".
/// </summary>
internal static class WideTimes
{
    private const long MicrosecondsPerDay = 86_400_000_000;

    /// <summary>Returns days since 2000-01-01.</summary>
    public static int Date(ReadOnlySpan<byte> value, string type)
    {
        if (value.SequenceEqual("infinity"u8))
            return int.MaxValue;
        if (value.SequenceEqual("-infinity"u8))
            return int.MinValue;
        var isBefore = TakeEra(ref value);
        var days = Day(ref value, isBefore);
        return days is > int.MinValue and < int.MaxValue && value.IsEmpty ? (int)days : throw Malformed.Of(type, value, binary: false);
    }

    /// <summary>Returns microseconds since 2000-01-01, in UTC if the text has an offset.</summary>
    public static long Timestamp(ReadOnlySpan<byte> value, string type)
    {
        if (value.SequenceEqual("infinity"u8))
            return long.MaxValue;
        if (value.SequenceEqual("-infinity"u8))
            return long.MinValue;
        var isBefore = TakeEra(ref value);
        var days = Day(ref value, isBefore);
        if (days == long.MinValue || value is not [(byte)' ', ..])
            throw Malformed.Of(type, value, binary: false);
        var cursor = new TextCursor(value[1..]);
        var ticks = cursor.Time();
        if (!cursor.AtEnd)
            ticks -= cursor.Zone();
        cursor.End(type);
        return checked(days * MicrosecondsPerDay + ticks / TimeSpan.TicksPerMicrosecond);
    }

    private static bool TakeEra(ref ReadOnlySpan<byte> value)
    {
        if (!value.EndsWith(" BC"u8))
            return false;
        value = value[..^3];
        return true;
    }

    // Takes "2026-11-21". Returns days since 2000-01-01; long.MinValue if the text is something else.
    private static long Day(ref ReadOnlySpan<byte> value, bool isBefore)
    {
        var digits = value.IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        if (digits is < 4 or > 7 || value.Length < digits + 6 || value[digits] != '-' || value[digits + 3] != '-'
            || !Number(value[..digits], out var year) || !Number(value.Slice(digits + 1, 2), out var month) || !Number(value.Slice(digits + 4, 2), out var day)
            || year == 0 || month is 0 or > 12 || day is 0 or > 31)
        {
            return long.MinValue;
        }

        value = value[(digits + 6)..];
        // The year before 1 AD is 1 BC: the astronomical year 0.
        return DaysFromCivil(isBefore ? 1 - year : year, month, day);
    }

    private static bool Number(ReadOnlySpan<byte> digits, out int number)
    {
        number = 0;
        foreach (var digit in digits)
        {
            if (digit is < (byte)'0' or > (byte)'9')
                return false;
            number = number * 10 + (digit - '0');
        }

        return true;
    }

    // Years begin in March, so that the leap day is the last one. An era has 400 years, or 146,097 days.
    private static long DaysFromCivil(long year, int month, int day)
    {
        year -= month <= 2 ? 1 : 0;
        var era = (year >= 0 ? year : year - 399) / 400;
        var yearOfEra = year - era * 400;
        var dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
        var dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        const long daysTo2000 = 730_425;
        return era * 146_097 + dayOfEra - daysTo2000;
    }
}
