using System.Globalization;

namespace Slipstream.MySql;

/// <summary>
/// A DATE, DATETIME or TIMESTAMP as the server stores it: unlike <see cref="DateTime"/> it can hold 0000-00-00 and dates with a zero month or day.
/// </summary>
public struct MySqlDateTime : IComparable, IComparable<MySqlDateTime>, IConvertible, IEquatable<MySqlDateTime>
{
    private const int MicrosecondsPerMillisecond = 1000;

    /// <summary>Takes the parts as they are: no calendar is asked.</summary>
    public MySqlDateTime(int year, int month, int day, int hour, int minute, int second, int microsecond)
    {
        Year = year;
        Month = month;
        Day = day;
        Hour = hour;
        Minute = minute;
        Second = second;
        Microsecond = microsecond;
    }

    /// <summary>The same moment; its kind is left out.</summary>
    public MySqlDateTime(DateTime dt)
        : this(dt.Year, dt.Month, dt.Day, dt.Hour, dt.Minute, dt.Second, (int)(dt.Ticks % TimeSpan.TicksPerSecond / TimeSpan.TicksPerMicrosecond))
    {
    }

    /// <summary>The same value.</summary>
    public MySqlDateTime(MySqlDateTime other) => this = other;

    /// <summary>0 to 9999; 0 with the month and day 0 is MySQL's zero date.</summary>
    public int Year { get; set; }

    /// <summary>0 to 12; 0 is an unknown month.</summary>
    public int Month { get; set; }

    /// <summary>0 to 31; 0 is an unknown day.</summary>
    public int Day { get; set; }

    /// <summary>0 to 23.</summary>
    public int Hour { get; set; }

    /// <summary>0 to 59.</summary>
    public int Minute { get; set; }

    /// <summary>0 to 59.</summary>
    public int Second { get; set; }

    /// <summary>0 to 999,999: includes the milliseconds.</summary>
    public int Microsecond { get; set; }

    /// <summary>The whole milliseconds of <see cref="Microsecond"/>; setting it clears what is smaller.</summary>
    public int Millisecond
    {
        readonly get => Microsecond / MicrosecondsPerMillisecond;
        set => Microsecond = value * MicrosecondsPerMillisecond;
    }

    /// <summary>True when a <see cref="DateTime"/> can hold it.</summary>
    public readonly bool IsValidDateTime =>
        Year is >= 1 and <= 9999 && Month is >= 1 and <= 12 && Day >= 1 && Day <= DateTime.DaysInMonth(Year, Month)
        && Hour is >= 0 and <= 23 && Minute is >= 0 and <= 59 && Second is >= 0 and <= 59 && Microsecond is >= 0 and <= 999_999;

    /// <summary>Converts the value to a <see cref="DateTime"/> of unspecified kind. All six digits of the fraction are kept.</summary>
    /// <exception cref="MySqlConversionException">It is no date of the calendar.</exception>
    public readonly DateTime GetDateTime() => IsValidDateTime
        ? new DateTime(Year, Month, Day, Hour, Minute, Second, DateTimeKind.Unspecified).AddTicks(Microsecond * TimeSpan.TicksPerMicrosecond)
        : throw new MySqlConversionException($"'{this}' is not a date that a DateTime can hold: read it as MySqlDateTime, or set Convert Zero DateTime=true.");

    /// <summary>As the server writes it: 2001-02-03 04:05:06, with six digits of fraction when there is one.</summary>
    public override readonly string ToString() => Microsecond == 0
        ? string.Create(CultureInfo.InvariantCulture, $"{Year:D4}-{Month:D2}-{Day:D2} {Hour:D2}:{Minute:D2}:{Second:D2}")
        : string.Create(CultureInfo.InvariantCulture, $"{Year:D4}-{Month:D2}-{Day:D2} {Hour:D2}:{Minute:D2}:{Second:D2}.{Microsecond:D6}");

    /// <summary>Whether all parts are equal.</summary>
    public readonly bool Equals(MySqlDateTime other) => CompareTo(other) == 0;

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is MySqlDateTime other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => HashCode.Combine(Year, Month, Day, Hour, Minute, Second, Microsecond);

    /// <summary>Compares part by part, the year first: a zero date comes before all others.</summary>
    public readonly int CompareTo(MySqlDateTime other) =>
        (Year, Month, Day, Hour, Minute, Second, Microsecond).CompareTo((other.Year, other.Month, other.Day, other.Hour, other.Minute, other.Second, other.Microsecond));

    readonly int IComparable.CompareTo(object? obj) => obj switch
    {
        null => 1,
        MySqlDateTime other => CompareTo(other),
        _ => throw new ArgumentException("A MySqlDateTime can only be compared with another one.", nameof(obj)),
    };

    /// <summary>Whether all parts are equal.</summary>
    public static bool operator ==(MySqlDateTime left, MySqlDateTime right) => left.Equals(right);

    /// <summary>Whether a part differs.</summary>
    public static bool operator !=(MySqlDateTime left, MySqlDateTime right) => !left.Equals(right);

    /// <summary>Whether the left one is the earlier.</summary>
    public static bool operator <(MySqlDateTime left, MySqlDateTime right) => left.CompareTo(right) < 0;

    /// <summary>Whether the left one is not the later.</summary>
    public static bool operator <=(MySqlDateTime left, MySqlDateTime right) => left.CompareTo(right) <= 0;

    /// <summary>Whether the left one is the later.</summary>
    public static bool operator >(MySqlDateTime left, MySqlDateTime right) => left.CompareTo(right) > 0;

    /// <summary>Whether the left one is not the earlier.</summary>
    public static bool operator >=(MySqlDateTime left, MySqlDateTime right) => left.CompareTo(right) >= 0;

    /// <summary>The same moment; <see cref="DateTime.MinValue"/> for what is no date of the calendar, where <see cref="GetDateTime"/> throws.</summary>
    public static explicit operator DateTime(MySqlDateTime val) => val.IsValidDateTime ? val.GetDateTime() : DateTime.MinValue;

    readonly TypeCode IConvertible.GetTypeCode() => TypeCode.Object;

    readonly DateTime IConvertible.ToDateTime(IFormatProvider? provider) => IsValidDateTime ? GetDateTime() : throw NotConvertible(nameof(DateTime));

    readonly string IConvertible.ToString(IFormatProvider? provider) => ToString();

    readonly object IConvertible.ToType(Type conversionType, IFormatProvider? provider) =>
        conversionType == typeof(DateTime) ? ((IConvertible)this).ToDateTime(provider) : conversionType == typeof(string) ? ToString() : throw NotConvertible(conversionType.Name);

    readonly bool IConvertible.ToBoolean(IFormatProvider? provider) => throw NotConvertible(nameof(Boolean));

    readonly char IConvertible.ToChar(IFormatProvider? provider) => throw NotConvertible(nameof(Char));

    readonly sbyte IConvertible.ToSByte(IFormatProvider? provider) => throw NotConvertible(nameof(SByte));

    readonly byte IConvertible.ToByte(IFormatProvider? provider) => throw NotConvertible(nameof(Byte));

    readonly short IConvertible.ToInt16(IFormatProvider? provider) => throw NotConvertible(nameof(Int16));

    readonly ushort IConvertible.ToUInt16(IFormatProvider? provider) => throw NotConvertible(nameof(UInt16));

    readonly int IConvertible.ToInt32(IFormatProvider? provider) => throw NotConvertible(nameof(Int32));

    readonly uint IConvertible.ToUInt32(IFormatProvider? provider) => throw NotConvertible(nameof(UInt32));

    readonly long IConvertible.ToInt64(IFormatProvider? provider) => throw NotConvertible(nameof(Int64));

    readonly ulong IConvertible.ToUInt64(IFormatProvider? provider) => throw NotConvertible(nameof(UInt64));

    readonly float IConvertible.ToSingle(IFormatProvider? provider) => throw NotConvertible(nameof(Single));

    readonly double IConvertible.ToDouble(IFormatProvider? provider) => throw NotConvertible(nameof(Double));

    readonly decimal IConvertible.ToDecimal(IFormatProvider? provider) => throw NotConvertible(nameof(Decimal));

    private static InvalidCastException NotConvertible(string type) => new($"A MySqlDateTime cannot be converted to {type}.");
}
