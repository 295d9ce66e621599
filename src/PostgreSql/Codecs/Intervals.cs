using System.Buffers.Binary;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>
/// Converts <see cref="TimeSpan"/> to and from interval. An interval consists of separate months, days and microseconds.
/// A TimeSpan has no months, so an interval with months is an error.
/// <code>
/// microseconds (int64) | days (int32) | months (int32)
/// </code>
/// In text, with IntervalStyle postgres: "1 year 2 mons 3 days 04:05:06.5". Source: src/backend/utils/adt/timestamp.c, interval_send; PostgreSQL 18, 8.5.4.
/// </summary>
internal static class Intervals
{
    private const int Length = 16;

    public static TimeSpan ReadBinary(ReadOnlySpan<byte> value)
    {
        var parts = ReadParts(value);
        return Make(parts.Months, parts.Days, (Int128)parts.Time * TimeSpan.TicksPerMicrosecond);
    }

    public static PgInterval ReadParts(ReadOnlySpan<byte> value)
    {
        if (value.Length != Length)
            Malformed.Throw("interval", value, binary: true);
        return new(
            BinaryPrimitives.ReadInt32BigEndian(value[12..]), BinaryPrimitives.ReadInt32BigEndian(value[8..]), BinaryPrimitives.ReadInt64BigEndian(value));
    }

    public static TimeSpan ReadText(ReadOnlySpan<byte> value)
    {
        var (months, days, ticks) = ReadSums(value);
        return Make(months, days, ticks);
    }

    public static PgInterval ReadTextParts(ReadOnlySpan<byte> value)
    {
        var (months, days, ticks) = ReadSums(value);
        var microseconds = ticks / TimeSpan.TicksPerMicrosecond;
        if (months != (int)months || days != (int)days || microseconds != (long)microseconds)
            Malformed.Throw("interval", value, binary: false);
        return new((int)months, (int)days, (long)microseconds);
    }

    private static (long Months, long Days, Int128 Ticks) ReadSums(ReadOnlySpan<byte> value)
    {
        // Since PostgreSQL 17, the greatest and the smallest values of all parts mean infinity.
        if (value.SequenceEqual("infinity"u8))
            return (int.MaxValue, int.MaxValue, (Int128)long.MaxValue * TimeSpan.TicksPerMicrosecond);
        if (value.SequenceEqual("-infinity"u8))
            return (int.MinValue, int.MinValue, (Int128)long.MinValue * TimeSpan.TicksPerMicrosecond);
        var cursor = new TextCursor(value);
        long months = 0, days = 0;
        Int128 ticks = 0;
        while (!cursor.Failed && !cursor.AtEnd)
        {
            var negative = cursor.Take('-');
            if (!negative)
                cursor.Take('+');
            var number = cursor.LongNumber();
            if (cursor.Peek == ':')
            {
                var time = (Int128)number * TimeSpan.TicksPerHour + cursor.AfterHours();
                ticks += negative ? -time : time;
                break;
            }

            cursor.Expect(' ');
            number = negative ? -number : number;
            if (cursor.Take("year"u8))
                months += 12 * number;
            else if (cursor.Take("mon"u8))
                months += number;
            else if (cursor.Take("day"u8))
                days += number;
            else
                cursor.Fail();
            cursor.Take('s');
            cursor.Take(' ');
        }

        cursor.End("interval");
        return (months, days, ticks);
    }

    /// <summary>Writes the length and the value, with whole days separate from the rest, as the server shows them.</summary>
    public static void Write(ByteWriter writer, TimeSpan value)
    {
        var room = writer.Grow(4 + Length);
        BinaryPrimitives.WriteInt32BigEndian(room, Length);
        BinaryPrimitives.WriteInt64BigEndian(room[4..], value.Ticks % TimeSpan.TicksPerDay / TimeSpan.TicksPerMicrosecond);
        BinaryPrimitives.WriteInt32BigEndian(room[12..], value.Days);
        BinaryPrimitives.WriteInt32BigEndian(room[16..], 0);
    }

    /// <summary>Writes the length and the value.</summary>
    public static void Write(ByteWriter writer, PgInterval value)
    {
        var room = writer.Grow(4 + Length);
        BinaryPrimitives.WriteInt32BigEndian(room, Length);
        BinaryPrimitives.WriteInt64BigEndian(room[4..], value.Time);
        BinaryPrimitives.WriteInt32BigEndian(room[12..], value.Days);
        BinaryPrimitives.WriteInt32BigEndian(room[16..], value.Months);
    }

    private static TimeSpan Make(long months, long days, Int128 ticks)
    {
        if (months != 0)
            throw new InvalidCastException(
                "The interval has months or years, whose length TimeSpan cannot represent: read it as PgInterval, or use extract(epoch from …) in SQL.");
        ticks += (Int128)days * TimeSpan.TicksPerDay;
        return ticks >= long.MinValue && ticks <= long.MaxValue
            ? new TimeSpan((long)ticks)
            : throw TooLong();
    }

    private static InvalidCastException TooLong() => new("The interval is longer than a TimeSpan can be (about 29,000 years): cast it to text in SQL.");
}
