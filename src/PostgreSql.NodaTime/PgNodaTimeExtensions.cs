using NodaTime;
using Slipstream.PostgreSql.Plugins;

namespace Slipstream.PostgreSql;

/// <summary>Adds NodaTime's types to a data source.</summary>
public static class PgNodaTimeExtensions
{
    /// <summary>
    /// Reads and writes dates, times, intervals and their ranges as NodaTime's types: timestamptz as <see cref="Instant"/>, timestamp as
    /// <see cref="LocalDateTime"/>, date as <see cref="LocalDate"/>, time as <see cref="LocalTime"/>, timetz as <see cref="OffsetTime"/>, interval as
    /// <see cref="Period"/>, tstzrange as <see cref="Interval"/>, daterange as <see cref="DateInterval"/>. GetValue returns these types; typed getters still
    /// read the types of .NET.
    /// </summary>
    /// <param name="builder">The data source's builder.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentNullException">The builder is null.</exception>
    public static PgDataSourceBuilder UseNodaTime(this PgDataSourceBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder
            .MapType("timestamp with time zone", new InstantConverter())
            .MapType("timestamp with time zone", new ZonedDateTimeConverter(), isDefault: false)
            .MapType("timestamp with time zone", new OffsetDateTimeConverter(), isDefault: false)
            .MapType("timestamp without time zone", new LocalDateTimeConverter())
            .MapType("date", new LocalDateConverter())
            .MapType("date", new DateBoundConverter(), isDefault: false)
            .MapType("time without time zone", new LocalTimeConverter())
            .MapType("time with time zone", new OffsetTimeConverter())
            .MapType("interval", new PeriodConverter())
            .MapType("interval", new DurationConverter(), isDefault: false)
            .MapType<PgRange<Instant>, Interval>("tstzrange", Ranges.ToInterval, Ranges.FromInterval)
            .RegisterRange<DateBound>()
            .MapType<PgRange<DateBound>, DateInterval>("daterange", Ranges.ToDateInterval, Ranges.FromDateInterval)
            .RegisterNullable<Instant>()
            .RegisterNullable<ZonedDateTime>()
            .RegisterNullable<OffsetDateTime>()
            .RegisterNullable<LocalDateTime>()
            .RegisterNullable<LocalDate>()
            .RegisterNullable<LocalTime>()
            .RegisterNullable<OffsetTime>()
            .RegisterNullable<Duration>()
            .RegisterNullable<Interval>()
            .RegisterRange<Instant>()
            .RegisterRange<ZonedDateTime>()
            .RegisterRange<OffsetDateTime>()
            .RegisterRange<LocalDateTime>()
            .RegisterRange<LocalDate>()
            .RegisterRange<LocalTime>();
    }
}
