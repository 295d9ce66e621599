using System.Buffers.Binary;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>
/// Converts <see cref="TimeOnly"/> to and from time. In binary: microseconds since midnight. In text: "06:05:02.5". PostgreSQL has a time 24:00:00, which only
/// <see cref="TimeSpan"/> can hold. Converts timetz (microseconds, then seconds west of Greenwich) to and from <see cref="DateTimeOffset"/>. The date is then
/// 0001-01-02, so that no eastern offset leads out of the calendar.
/// </summary>
internal static class Times
{
    private const int ZonedLength = 12;

    // 16 hours in seconds. Source: src/include/datatype/timestamp.h, TZDISP_LIMIT.
    private const int OffsetLimit = 57_600;

    public static TimeSpan ReadBinary(ReadOnlySpan<byte> value)
    {
        if (value.Length != 8)
            Malformed.Throw("time", value, binary: true);
        var microseconds = BinaryPrimitives.ReadInt64BigEndian(value);
        if ((ulong)microseconds > TimeSpan.TicksPerDay / TimeSpan.TicksPerMicrosecond)
            Malformed.Throw("time", value, binary: true);
        return new(microseconds * TimeSpan.TicksPerMicrosecond);
    }

    public static TimeSpan ReadText(ReadOnlySpan<byte> value)
    {
        var cursor = new TextCursor(value);
        var ticks = cursor.Time();
        if (ticks > TimeSpan.TicksPerDay)
            cursor.Fail();
        cursor.End("time");
        return new(ticks);
    }

    /// <exception cref="InvalidCastException">The time is 24:00:00.</exception>
    public static TimeOnly ToTimeOnly(TimeSpan time) =>
        time.Ticks < TimeSpan.TicksPerDay ? new TimeOnly(time.Ticks) : throw new InvalidCastException("The time is 24:00:00, which TimeOnly cannot "
            + "represent: read it as TimeSpan.");

    public static DateTimeOffset ReadZonedBinary(ReadOnlySpan<byte> value) => Zoned(ReadZonedBinaryParts(value));

    public static DateTimeOffset ReadZonedText(ReadOnlySpan<byte> value) => Zoned(ReadZonedTextParts(value));

    /// <summary>Returns the span since midnight, and the offset in seconds, which is positive to the east.</summary>
    public static (TimeSpan Time, int Offset) ReadZonedBinaryParts(ReadOnlySpan<byte> value)
    {
        if (value.Length != ZonedLength)
            Malformed.Throw("timetz", value, binary: true);
        var west = BinaryPrimitives.ReadInt32BigEndian(value[8..]);
        if (west is <= -OffsetLimit or >= OffsetLimit)
            Malformed.Throw("timetz", value, binary: true);
        return (ReadBinary(value[..8]), -west);
    }

    /// <summary>Returns the span since midnight, and the offset in seconds, which is positive to the east.</summary>
    public static (TimeSpan Time, int Offset) ReadZonedTextParts(ReadOnlySpan<byte> value)
    {
        var cursor = new TextCursor(value);
        var ticks = cursor.Time();
        var zone = cursor.Zone();
        if (ticks > TimeSpan.TicksPerDay || Math.Abs(zone) >= OffsetLimit * TimeSpan.TicksPerSecond)
            cursor.Fail();
        cursor.End("timetz");
        return (new(ticks), (int)(zone / TimeSpan.TicksPerSecond));
    }

    /// <summary>Writes the length and the value.</summary>
    public static void Write(ByteWriter writer, TimeOnly value) => Integers.Write(writer, value.Ticks / TimeSpan.TicksPerMicrosecond);

    /// <summary>Writes the length and the value of a time that is given as the span since midnight.</summary>
    /// <exception cref="ArgumentException">The span is negative or longer than a day.</exception>
    public static void Write(ByteWriter writer, TimeSpan value) => Integers.Write(writer, (ulong)value.Ticks <= TimeSpan.TicksPerDay
        ? value.Ticks / TimeSpan.TicksPerMicrosecond
        : throw new ArgumentException("A TimeSpan for a parameter of type time must be between 00:00:00 and 24:00:00: for longer spans, use interval."));

    /// <summary>Writes the length and the value of a timetz. The date is ignored.</summary>
    public static void WriteZoned(ByteWriter writer, DateTimeOffset value)
    {
        var room = writer.Grow(4 + ZonedLength);
        BinaryPrimitives.WriteInt32BigEndian(room, ZonedLength);
        BinaryPrimitives.WriteInt64BigEndian(room[4..], value.TimeOfDay.Ticks / TimeSpan.TicksPerMicrosecond);
        BinaryPrimitives.WriteInt32BigEndian(room[12..], (int)-(value.Offset.Ticks / TimeSpan.TicksPerSecond));
    }

    // .NET's offsets are whole minutes, at most 14 hours. PostgreSQL's are whole seconds, at most 15:59:59.
    private static DateTimeOffset Zoned((TimeSpan Time, int Offset) parts) => parts.Offset % 60 == 0 && Math.Abs(parts.Offset) <= 14 * 60 * 60
        ? new DateTimeOffset(TimeSpan.TicksPerDay + parts.Time.Ticks, TimeSpan.FromSeconds(parts.Offset))
        : throw new InvalidCastException("The timetz value has an offset that DateTimeOffset cannot hold (whole minutes, at most 14 hours): cast it to text "
            + "in SQL.");
}
