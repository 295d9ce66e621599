using System.Globalization;
using System.Text;

namespace Slipstream.PostgreSql;

/// <summary>
/// A PostgreSQL interval. Its months, days and time are separate, because a month has 28 to 31 days, and a day may have 23 or 25 hours. Use it where
/// <see cref="TimeSpan"/> is not sufficient: a TimeSpan has no months.
/// </summary>
/// <remarks>The type only carries the three parts; it does not calculate.</remarks>
public readonly struct PgInterval : IEquatable<PgInterval>
{
    private const long MicrosecondsPerSecond = 1_000_000;

    /// <summary>Creates an interval from its parts, which may have different signs.</summary>
    /// <param name="months">The months; 12 are a year.</param>
    /// <param name="days">The days.</param>
    /// <param name="time">The time in microseconds. It may be longer than a day.</param>
    public PgInterval(int months, int days, long time) => (Months, Days, Time) = (months, days, time);

    /// <summary>Gets the months. 12 months are a year.</summary>
    public int Months { get; }

    /// <summary>Gets the days, which are independent of <see cref="Time"/>.</summary>
    public int Days { get; }

    /// <summary>Gets the time in microseconds. It may be longer than a day.</summary>
    public long Time { get; }

    /// <summary>Returns whether all three parts are equal. The server also treats one month and 30 days as equal; this method does not.</summary>
    /// <param name="left">The first interval.</param>
    /// <param name="right">The second interval.</param>
    /// <returns>True if the parts are equal.</returns>
    public static bool operator ==(PgInterval left, PgInterval right) => left.Equals(right);

    /// <summary>Returns whether a part differs.</summary>
    /// <param name="left">The first interval.</param>
    /// <param name="right">The second interval.</param>
    /// <returns>True if a part differs.</returns>
    public static bool operator !=(PgInterval left, PgInterval right) => !left.Equals(right);

    /// <summary>Returns whether all three parts are equal. The server also treats one month and 30 days as equal; this method does not.</summary>
    /// <param name="other">The other interval.</param>
    /// <returns>True if the parts are equal.</returns>
    public bool Equals(PgInterval other) => Months == other.Months && Days == other.Days && Time == other.Time;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PgInterval other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Months, Days, Time);

    /// <summary>Returns the text that the server writes with IntervalStyle postgres, such as <c>1 year 2 mons -3 days +04:05:06.5</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString()
    {
        // Since PostgreSQL 17, the greatest and the smallest values of all parts mean infinity.
        if (this == new PgInterval(int.MaxValue, int.MaxValue, long.MaxValue))
            return "infinity";
        if (this == new PgInterval(int.MinValue, int.MinValue, long.MinValue))
            return "-infinity";

        // Source: src/backend/utils/adt/datetime.c, EncodeInterval. A field after a negative one shows its sign, even if it is positive.
        var text = new StringBuilder();
        var isNegative = false;
        Part(text, Months / 12, "year", ref isNegative);
        Part(text, Months % 12, "mon", ref isNegative);
        Part(text, Days, "day", ref isNegative);
        if (Time == 0 && text.Length > 0)
            return text.ToString();

        if (text.Length > 0)
            text.Append(' ');
        text.Append(Time < 0 ? "-" : isNegative ? "+" : "");
        var microseconds = UInt128.CreateChecked(Int128.Abs(Time));
        var seconds = (ulong)(microseconds / MicrosecondsPerSecond);
        text.Append(CultureInfo.InvariantCulture, $"{seconds / 3600:00}:{seconds / 60 % 60:00}:{seconds % 60:00}");
        var fraction = (int)(microseconds % MicrosecondsPerSecond);
        if (fraction != 0)
            text.Append('.').Append(fraction.ToString("000000", CultureInfo.InvariantCulture).TrimEnd('0'));
        return text.ToString();
    }

    private static void Part(StringBuilder text, int number, string unit, ref bool isNegative)
    {
        if (number == 0)
            return;
        if (text.Length > 0)
            text.Append(' ');
        text.Append(isNegative && number > 0 ? "+" : "").Append(CultureInfo.InvariantCulture, $"{number} {unit}").Append(number == 1 ? "" : "s");
        isNegative = number < 0;
    }
}
