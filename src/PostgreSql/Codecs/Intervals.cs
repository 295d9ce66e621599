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
        if (value.Length != Length)
            Malformed.Throw("interval", value, binary: true);
        var microseconds = BinaryPrimitives.ReadInt64BigEndian(value);
        var days = BinaryPrimitives.ReadInt32BigEndian(value[8..]);
        var months = BinaryPrimitives.ReadInt32BigEndian(value[12..]);
        return Make(months, days, (Int128)microseconds * TimeSpan.TicksPerMicrosecond);
    }

    public static TimeSpan ReadText(ReadOnlySpan<byte> value)
    {
        var cursor = new TextCursor(value);
        long months = 0, days = 0;
        Int128 ticks = 0;
        while (!cursor.Failed && !cursor.AtEnd)
        {
            var negative = cursor.Take('-');
            if (!negative)
                cursor.Take('+');
            var mark = cursor;
            long number = cursor.Number();
            if (cursor.Peek == ':')
            {
                cursor = mark;
                number = cursor.Time();
                if (cursor.TooLong)
                    throw TooLong();
                ticks += negative ? -number : number;
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
        return Make(months, days, ticks);
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

    private static TimeSpan Make(long months, long days, Int128 ticks)
    {
        if (months != 0)
            throw new InvalidCastException("The interval has months or years, whose length TimeSpan cannot represent: use extract(epoch from …), justify it, "
                + "or cast it to text in SQL.");
        ticks += (Int128)days * TimeSpan.TicksPerDay;
        return ticks >= long.MinValue && ticks <= long.MaxValue
            ? new TimeSpan((long)ticks)
            : throw TooLong();
    }

    private static InvalidCastException TooLong() => new("The interval is longer than a TimeSpan can be (about 29,000 years): cast it to text in SQL.");
}
