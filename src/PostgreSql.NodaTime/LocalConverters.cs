using NodaTime;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>
/// Converts timestamp to and from <see cref="LocalDateTime"/>. Infinity is <see cref="LocalDateTime.MaxIsoValue"/>, and -infinity is
/// <see cref="LocalDateTime.MinIsoValue"/>.
/// </summary>
internal sealed class LocalDateTimeConverter : PgConverter<LocalDateTime>
{
    // In UTC, the greatest and the smallest local times are the greatest and the smallest instants.
    public override LocalDateTime Read(ref PgValueReader reader) => Timestamps.Read(ref reader).InUtc().LocalDateTime;

    public override void Write(ref PgValueWriter writer, LocalDateTime value) => Timestamps.Write(ref writer, value.InUtc().ToInstant());
}

/// <summary>
/// Converts date to and from <see cref="LocalDate"/>. Infinity is <see cref="LocalDate.MaxIsoValue"/>, and -infinity is <see cref="LocalDate.MinIsoValue"/>.
/// </summary>
internal sealed class LocalDateConverter : PgConverter<LocalDate>
{
    private static readonly LocalDate Epoch = new(2000, 1, 1);
    private static readonly int Least = Period.DaysBetween(Epoch, LocalDate.MinIsoValue);
    private static readonly int Greatest = Period.DaysBetween(Epoch, LocalDate.MaxIsoValue);

    public override LocalDate Read(ref PgValueReader reader) => ToDate(reader.ReadDate());

    public override void Write(ref PgValueWriter writer, LocalDate value) => writer.WriteInt32(ToDays(value));

    /// <summary>Returns the date of the server's number of days since 2000-01-01.</summary>
    public static LocalDate ToDate(int days)
    {
        if (days == int.MaxValue)
            return LocalDate.MaxIsoValue;
        if (days == int.MinValue)
            return LocalDate.MinIsoValue;
        if (days < Least || days > Greatest)
            throw new InvalidCastException("The date is outside the years -9998 to 9999, which NodaTime can represent: cast it to text in SQL.");
        return Epoch.PlusDays(days);
    }

    /// <summary>Returns the server's number of days since 2000-01-01.</summary>
    public static int ToDays(LocalDate date)
    {
        var days = Period.DaysBetween(Epoch, date.WithCalendar(CalendarSystem.Iso));
        return days == Greatest ? int.MaxValue : days == Least ? int.MinValue : days;
    }
}

/// <summary>
/// A bound of a daterange as the server sends it: days since 2000-01-01. <see cref="LocalDate"/> does not distinguish 9999-12-31 from infinity.
/// </summary>
internal readonly record struct DateBound(int Days) : IComparable<DateBound>
{
    public bool IsInfinity => Days is int.MaxValue or int.MinValue;

    public LocalDate Date => LocalDateConverter.ToDate(Days);

    public int CompareTo(DateBound other) => Days.CompareTo(other.Days);
}

/// <summary>Converts date to and from <see cref="DateBound"/>.</summary>
internal sealed class DateBoundConverter : PgConverter<DateBound>
{
    public override DateBound Read(ref PgValueReader reader) => new(reader.ReadDate());

    public override void Write(ref PgValueWriter writer, DateBound value) => writer.WriteInt32(value.Days);
}

/// <summary>Converts time to and from <see cref="LocalTime"/>.</summary>
internal sealed class LocalTimeConverter : PgConverter<LocalTime>
{
    private const long TicksPerMicrosecond = 10;

    public override LocalTime Read(ref PgValueReader reader) => FromMicroseconds(reader.ReadTime());

    public override void Write(ref PgValueWriter writer, LocalTime value) => writer.WriteInt64(value.TickOfDay / TicksPerMicrosecond);

    public static LocalTime FromMicroseconds(long microseconds)
    {
        var ticks = microseconds * TicksPerMicrosecond;
        return ticks < NodaConstants.TicksPerDay
            ? LocalTime.FromTicksSinceMidnight(ticks)
            : throw new InvalidCastException("The time is 24:00:00, which LocalTime cannot represent: read a time as TimeSpan, or cast it to text in SQL.");
    }
}

/// <summary>Converts timetz to and from <see cref="OffsetTime"/>: microseconds since midnight, then seconds west of UTC.</summary>
internal sealed class OffsetTimeConverter : PgConverter<OffsetTime>
{
    private const long TicksPerMicrosecond = 10;

    public override OffsetTime Read(ref PgValueReader reader)
    {
        var time = LocalTimeConverter.FromMicroseconds(reader.ReadTimeTz(out var offset));
        return new(time, Offset.FromSeconds(offset));
    }

    public override void Write(ref PgValueWriter writer, OffsetTime value)
    {
        writer.WriteInt64(value.TickOfDay / TicksPerMicrosecond);
        writer.WriteInt32(-value.Offset.Seconds);
    }
}
