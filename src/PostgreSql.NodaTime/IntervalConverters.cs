using NodaTime;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>
/// Converts interval to and from <see cref="Period"/>: years and months are the interval's months, weeks and days its days, and the other units its time, in
/// microseconds. Infinity, which servers have since PostgreSQL 17, is <see cref="Period.MaxValue"/>, and -infinity is <see cref="Period.MinValue"/>.
/// </summary>
internal sealed class PeriodConverter : PgConverter<Period>
{
    private const int MonthsPerYear = 12;
    private const int DaysPerWeek = 7;
    private const long NanosecondsPerMicrosecond = 1000;
    private const long MicrosecondsPerMillisecond = 1000;
    private const long MicrosecondsPerSecond = 1_000_000;
    private const long MicrosecondsPerMinute = 60 * MicrosecondsPerSecond;
    private const long MicrosecondsPerHour = 60 * MicrosecondsPerMinute;

    public override Period Read(ref PgValueReader reader)
    {
        var interval = reader.ReadInterval();
        if (interval == Intervals.Infinity)
            return Period.MaxValue;
        if (interval == Intervals.MinusInfinity)
            return Period.MinValue;
        var time = interval.Time;
        return new PeriodBuilder
        {
            Years = interval.Months / MonthsPerYear,
            Months = interval.Months % MonthsPerYear,
            Days = interval.Days,
            Hours = time / MicrosecondsPerHour,
            Minutes = time % MicrosecondsPerHour / MicrosecondsPerMinute,
            Seconds = time % MicrosecondsPerMinute / MicrosecondsPerSecond,
            Milliseconds = time % MicrosecondsPerSecond / MicrosecondsPerMillisecond,
            Nanoseconds = time % MicrosecondsPerMillisecond * NanosecondsPerMicrosecond,
        }.Build();
    }

    public override void Write(ref PgValueWriter writer, Period value)
    {
        if (value.Equals(Period.MaxValue))
        {
            Intervals.Write(ref writer, Intervals.Infinity);
            return;
        }

        if (value.Equals(Period.MinValue))
        {
            Intervals.Write(ref writer, Intervals.MinusInfinity);
            return;
        }

        var months = (long)value.Years * MonthsPerYear + value.Months;
        var days = (long)value.Weeks * DaysPerWeek + value.Days;
        var nanoseconds = (Int128)value.Hours * NodaConstants.NanosecondsPerHour + (Int128)value.Minutes * NodaConstants.NanosecondsPerMinute
            + (Int128)value.Seconds * NodaConstants.NanosecondsPerSecond + (Int128)value.Milliseconds * NodaConstants.NanosecondsPerMillisecond
            + (Int128)value.Ticks * NodaConstants.NanosecondsPerTick + value.Nanoseconds;
        var time = nanoseconds / NanosecondsPerMicrosecond;
        if (months != (int)months || days != (int)days || time != (long)time)
            throw new ArgumentException("The Period is longer than an interval of the server, which has 32 bits for months, 32 bits for days and 64 bits for "
                + "microseconds: use a shorter one.");
        Intervals.Write(ref writer, new((int)months, (int)days, (long)time));
    }
}

/// <summary>
/// Converts interval to and from <see cref="Duration"/>. A day has 24 hours, and an interval with months has no duration. Infinity is
/// <see cref="Duration.MaxValue"/>, and -infinity is <see cref="Duration.MinValue"/>.
/// </summary>
internal sealed class DurationConverter : PgConverter<Duration>
{
    private const long NanosecondsPerMicrosecond = 1000;
    private const long MicrosecondsPerDay = NodaConstants.NanosecondsPerDay / NanosecondsPerMicrosecond;

    private static readonly Int128 Least = Duration.MinValue.ToInt128Nanoseconds();
    private static readonly Int128 Greatest = Duration.MaxValue.ToInt128Nanoseconds();

    public override Duration Read(ref PgValueReader reader)
    {
        var interval = reader.ReadInterval();
        if (interval == Intervals.Infinity)
            return Duration.MaxValue;
        if (interval == Intervals.MinusInfinity)
            return Duration.MinValue;
        if (interval.Months != 0)
            throw new InvalidCastException("The interval contains months, whose length varies, so it is not a Duration: read it as Period.");
        var nanoseconds = (Int128)interval.Days * NodaConstants.NanosecondsPerDay + (Int128)interval.Time * NanosecondsPerMicrosecond;
        return nanoseconds >= Least && nanoseconds <= Greatest
            ? Duration.FromNanoseconds(nanoseconds)
            : throw new InvalidCastException("The interval is longer than a Duration can be, 16,777,215 days: read it as Period.");
    }

    public override void Write(ref PgValueWriter writer, Duration value)
    {
        if (value == Duration.MaxValue)
        {
            Intervals.Write(ref writer, Intervals.Infinity);
            return;
        }

        if (value == Duration.MinValue)
        {
            Intervals.Write(ref writer, Intervals.MinusInfinity);
            return;
        }

        // Truncated towards zero, so that days and time have the same sign.
        var (days, time) = Math.DivRem((long)(value.ToInt128Nanoseconds() / NanosecondsPerMicrosecond), MicrosecondsPerDay);
        Intervals.Write(ref writer, new(0, (int)days, time));
    }
}

/// <summary>The infinite intervals, and the binary format: time (int64), days (int32), months (int32). Source: src/include/datatype/timestamp.h.</summary>
internal static class Intervals
{
    public static readonly PgInterval Infinity = new(int.MaxValue, int.MaxValue, long.MaxValue);

    public static readonly PgInterval MinusInfinity = new(int.MinValue, int.MinValue, long.MinValue);

    public static void Write(ref PgValueWriter writer, PgInterval value)
    {
        writer.WriteInt64(value.Time);
        writer.WriteInt32(value.Days);
        writer.WriteInt32(value.Months);
    }
}
