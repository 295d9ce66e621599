using System.Globalization;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql;

/// <summary>
/// A DATE, DATETIME or TIMESTAMP as the server stores it. Unlike <see cref="DateTime"/>, it can represent 0000-00-00 and dates whose month or day is zero.
/// </summary>
public struct MySqlDateTime : IComparable, IComparable<MySqlDateTime>, IConvertible, IEquatable<MySqlDateTime>
{
    private const int MicrosecondsPerMillisecond = 1000;

    /// <summary>Creates a value from its parts, without checking that they are a date of the calendar.</summary>
    /// <param name="year">The year, 0 to 9999.</param>
    /// <param name="month">The month, 0 to 12.</param>
    /// <param name="day">The day, 0 to 31.</param>
    /// <param name="hour">The hour, 0 to 23.</param>
    /// <param name="minute">The minute, 0 to 59.</param>
    /// <param name="second">The second, 0 to 59.</param>
    /// <param name="microsecond">The microsecond, 0 to 999,999.</param>
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

    /// <summary>Creates a value from a <see cref="DateTime"/>, without its kind.</summary>
    /// <param name="dt">The date and time.</param>
    public MySqlDateTime(DateTime dt)
        : this(dt.Year, dt.Month, dt.Day, dt.Hour, dt.Minute, dt.Second, (int)(dt.Ticks % TimeSpan.TicksPerSecond / TimeSpan.TicksPerMicrosecond))
    {
    }

    /// <summary>Creates a copy of a value.</summary>
    /// <param name="other">The value.</param>
    public MySqlDateTime(MySqlDateTime other) => this = other;

    /// <summary>Gets or sets the year, 0 to 9999. With year, month and day 0, the value is MySQL's zero date.</summary>
    public int Year { get; set; }

    /// <summary>Gets or sets the month, 0 to 12; 0 is an unknown month.</summary>
    public int Month { get; set; }

    /// <summary>Gets or sets the day, 0 to 31; 0 is an unknown day.</summary>
    public int Day { get; set; }

    /// <summary>Gets or sets the hour, 0 to 23.</summary>
    public int Hour { get; set; }

    /// <summary>Gets or sets the minute, 0 to 59.</summary>
    public int Minute { get; set; }

    /// <summary>Gets or sets the second, 0 to 59.</summary>
    public int Second { get; set; }

    /// <summary>Gets or sets the microsecond, 0 to 999,999. It includes the milliseconds.</summary>
    public int Microsecond { get; set; }

    /// <summary>Gets or sets the whole milliseconds of <see cref="Microsecond"/>. Setting it sets the smaller digits to 0.</summary>
    public int Millisecond
    {
        readonly get => Microsecond / MicrosecondsPerMillisecond;
        set => Microsecond = value * MicrosecondsPerMillisecond;
    }

    /// <summary>Gets whether a <see cref="DateTime"/> can represent the value.</summary>
    public readonly bool IsValidDateTime => ThisAssembly.Conventions.TrustsMonthsAndDays ? Year != 0 && Month != 0 && Day != 0 : IsInCalendar;

    /// <summary>Gets whether the value is a date and time of the calendar.</summary>
    internal readonly bool IsInCalendar =>
        Year is >= 1 and <= 9999 && Month is >= 1 and <= 12 && Day >= 1 && Day <= DateTime.DaysInMonth(Year, Month)
        && Hour is >= 0 and <= 23 && Minute is >= 0 and <= 59 && Second is >= 0 and <= 59 && Microsecond is >= 0 and <= 999_999;

    /// <summary>Converts the value to a <see cref="DateTime"/> of unspecified kind. All six fractional digits are kept.</summary>
    /// <returns>The date and time.</returns>
    /// <exception cref="MySqlConversionException">The value is not a date of the calendar.</exception>
    public readonly DateTime GetDateTime() => IsValidDateTime
        ? new DateTime(Year, Month, Day, Hour, Minute, Second, DateTimeKind.Unspecified).AddTicks(Microsecond * TimeSpan.TicksPerMicrosecond)
        : throw new MySqlConversionException($"'{this}' is not a date that a DateTime can hold: read it as MySqlDateTime, or set Convert Zero DateTime=true.");

    /// <summary>Returns the value in the server's format: 2001-02-03 04:05:06, with six fractional digits if the fraction is not 0.</summary>
    /// <returns>The text.</returns>
    public override readonly string ToString() => ThisAssembly.Conventions.FormatsDatesByCulture
        ? IsInCalendar ? GetDateTime().ToString(CultureInfo.CurrentCulture) : "0000-00-00"
        : Microsecond == 0
        ? string.Create(CultureInfo.InvariantCulture, $"{Year:D4}-{Month:D2}-{Day:D2} {Hour:D2}:{Minute:D2}:{Second:D2}")
        : string.Create(CultureInfo.InvariantCulture, $"{Year:D4}-{Month:D2}-{Day:D2} {Hour:D2}:{Minute:D2}:{Second:D2}.{Microsecond:D6}");

    /// <summary>Returns whether all parts are equal.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>True if they are equal.</returns>
    public readonly bool Equals(MySqlDateTime other) => CompareTo(other) == 0;

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is MySqlDateTime other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => HashCode.Combine(Year, Month, Day, Hour, Minute, Second, Microsecond);

    /// <summary>Compares two values part by part, beginning with the year. The zero date is less than all other values.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>A negative number, zero or a positive number if this value is less than, equal to or greater than the other one.</returns>
    public readonly int CompareTo(MySqlDateTime other) =>
        (Year, Month, Day, Hour, Minute, Second, Microsecond)
            .CompareTo((other.Year, other.Month, other.Day, other.Hour, other.Minute, other.Second, other.Microsecond));

    readonly int IComparable.CompareTo(object? obj) => obj switch
    {
        null when !ThisAssembly.Conventions.RefusesToCompareWithNull => 1,
        MySqlDateTime other => CompareTo(other),
        _ => throw new ArgumentException("A MySqlDateTime can only be compared with another one.", nameof(obj)),
    };

    /// <summary>Returns whether all parts are equal.</summary>
    /// <param name="left">The left value.</param>
    /// <param name="right">The right value.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(MySqlDateTime left, MySqlDateTime right) => left.Equals(right);

    /// <summary>Returns whether a part differs.</summary>
    /// <param name="left">The left value.</param>
    /// <param name="right">The right value.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(MySqlDateTime left, MySqlDateTime right) => !left.Equals(right);

    /// <summary>Returns whether the left value is earlier.</summary>
    /// <param name="left">The left value.</param>
    /// <param name="right">The right value.</param>
    /// <returns>True if it is earlier.</returns>
    public static bool operator <(MySqlDateTime left, MySqlDateTime right) => left.CompareTo(right) < 0;

    /// <summary>Returns whether the left value is not later.</summary>
    /// <param name="left">The left value.</param>
    /// <param name="right">The right value.</param>
    /// <returns>True if it is earlier or equal.</returns>
    public static bool operator <=(MySqlDateTime left, MySqlDateTime right) => left.CompareTo(right) <= 0;

    /// <summary>Returns whether the left value is later.</summary>
    /// <param name="left">The left value.</param>
    /// <param name="right">The right value.</param>
    /// <returns>True if it is later.</returns>
    public static bool operator >(MySqlDateTime left, MySqlDateTime right) => left.CompareTo(right) > 0;

    /// <summary>Returns whether the left value is not earlier.</summary>
    /// <param name="left">The left value.</param>
    /// <param name="right">The right value.</param>
    /// <returns>True if it is later or equal.</returns>
    public static bool operator >=(MySqlDateTime left, MySqlDateTime right) => left.CompareTo(right) >= 0;

    /// <summary>
    /// Converts the value to a <see cref="DateTime"/>. Unlike <see cref="GetDateTime"/>, it returns <see cref="DateTime.MinValue"/> if the value is not a date
    /// of the calendar.
    /// </summary>
    /// <param name="val">The value.</param>
    /// <returns>The date and time.</returns>
    public static explicit operator DateTime(MySqlDateTime val) => val.IsValidDateTime ? val.GetDateTime() : DateTime.MinValue;

    readonly TypeCode IConvertible.GetTypeCode() => TypeCode.Object;

    readonly DateTime IConvertible.ToDateTime(IFormatProvider? provider) => IsValidDateTime ? GetDateTime() : throw NotConvertible(nameof(DateTime));

    readonly string IConvertible.ToString(IFormatProvider? provider) => ToString();

    readonly object IConvertible.ToType(Type conversionType, IFormatProvider? provider) =>
        conversionType == typeof(DateTime)
            ? ((IConvertible)this).ToDateTime(provider)
            : conversionType == typeof(string)
            ? ToString()
            : throw NotConvertible(conversionType.Name);

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
