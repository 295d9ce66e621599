using NodaTime;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>Converts ranges of instants and dates to and from NodaTime's intervals.</summary>
internal static class Ranges
{
    // The server's resolution: the next instant after an exclusive bound.
    private static readonly Duration Microsecond = Duration.FromNanoseconds(1000L);

    /// <summary>Returns an interval, which includes its start and excludes its end. An infinite bound is no start or no end.</summary>
    public static Interval ToInterval(PgRange<Instant> range)
    {
        if (range.IsEmpty)
            return new(default(Instant), default(Instant));
        Instant? start = range.LowerBoundInfinite ? null : range.LowerBoundIsInclusive ? range.LowerBound : After(range.LowerBound);
        Instant? end = range.UpperBoundInfinite ? null : range.UpperBoundIsInclusive ? After(range.UpperBound) : range.UpperBound;
        // Between two neighbouring microseconds, both exclusive, there is nothing.
        return start > end ? new(default(Instant), default(Instant)) : new(start, end);
    }

    public static PgRange<Instant> FromInterval(Interval interval) => new(
        interval.HasStart ? interval.Start : default, lowerBoundIsInclusive: true, lowerBoundInfinite: !interval.HasStart,
        interval.HasEnd ? interval.End : default, upperBoundIsInclusive: false, upperBoundInfinite: !interval.HasEnd);

    /// <summary>
    /// Returns an interval, which includes both dates. Without a lower bound, it begins with <see cref="LocalDate.MinIsoValue"/>, and without an upper bound,
    /// it ends with <see cref="LocalDate.MaxIsoValue"/>.
    /// </summary>
    /// <exception cref="InvalidCastException">The range is empty, or has a bound that NodaTime cannot represent.</exception>
    public static DateInterval ToDateInterval(PgRange<DateBound> range)
    {
        if (range.IsEmpty)
            throw new InvalidCastException("The range is empty, which DateInterval cannot represent: read it as PgRange<LocalDate>.");
        var start = range.LowerBoundInfinite ? LocalDate.MinIsoValue
            : range.LowerBoundIsInclusive || range.LowerBound.IsInfinity ? range.LowerBound.Date
            : new DateBound(range.LowerBound.Days + 1).Date;
        var end = range.UpperBoundInfinite ? LocalDate.MaxIsoValue
            : range.UpperBoundIsInclusive || range.UpperBound.IsInfinity ? range.UpperBound.Date
            : range.UpperBound.Date.PlusDays(-1);
        return new(start, end);
    }

    public static PgRange<DateBound> FromDateInterval(DateInterval interval) =>
        new(new(LocalDateConverter.ToDays(interval.Start)), new(LocalDateConverter.ToDays(interval.End)));

    private static Instant After(Instant instant) => instant == Instant.MaxValue || instant == Instant.MinValue ? instant
        : instant <= Instant.MaxValue - Microsecond ? instant + Microsecond
        : throw new InvalidCastException("A bound of the interval is after the year 9999, which NodaTime cannot represent: cast it to text in SQL.");
}
