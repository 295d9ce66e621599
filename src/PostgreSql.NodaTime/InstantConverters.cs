using NodaTime;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>Converts timestamptz to and from <see cref="Instant"/>.</summary>
internal sealed class InstantConverter : PgConverter<Instant>
{
    public override Instant Read(ref PgValueReader reader) => Timestamps.Read(ref reader);

    public override void Write(ref PgValueWriter writer, Instant value) => Timestamps.Write(ref writer, value);
}

/// <summary>Converts timestamptz to and from <see cref="ZonedDateTime"/> in UTC: the server does not store a time zone.</summary>
internal sealed class ZonedDateTimeConverter : PgConverter<ZonedDateTime>
{
    public override ZonedDateTime Read(ref PgValueReader reader) => Timestamps.Read(ref reader).InUtc();

    public override void Write(ref PgValueWriter writer, ZonedDateTime value)
    {
        if (value.Zone != DateTimeZone.Utc)
            throw new ArgumentException($"A ZonedDateTime in the time zone {value.Zone.Id} cannot be sent as timestamp with time zone, which does not store a "
                + "time zone: call ToInstant.");
        Timestamps.Write(ref writer, value.ToInstant());
    }
}

/// <summary>Converts timestamptz to and from <see cref="OffsetDateTime"/> with offset zero: the server does not store an offset.</summary>
internal sealed class OffsetDateTimeConverter : PgConverter<OffsetDateTime>
{
    public override OffsetDateTime Read(ref PgValueReader reader) => Timestamps.Read(ref reader).WithOffset(Offset.Zero);

    public override void Write(ref PgValueWriter writer, OffsetDateTime value)
    {
        if (value.Offset != Offset.Zero)
            throw new ArgumentException($"An OffsetDateTime with the offset {value.Offset} cannot be sent as timestamp with time zone, which does not store an "
                + "offset: call ToInstant.");
        Timestamps.Write(ref writer, value.ToInstant());
    }
}
