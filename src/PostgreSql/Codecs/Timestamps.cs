using System.Buffers.Binary;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>
/// Converts <see cref="DateTime"/> to and from timestamp (kind Unspecified) and timestamptz (an instant: kind Utc). In binary: microseconds since 2000-01-01.
/// In text: "2026-11-21 06:05:02.5", for timestamptz followed by the session's offset. Infinity is read and written as <see cref="DateTime.MaxValue"/>,
/// -infinity as <see cref="DateTime.MinValue"/>.
/// </summary>
internal static class Timestamps
{
    private static readonly long Epoch = new DateTime(2000, 1, 1).Ticks;

    public static DateTime ReadBinary(ReadOnlySpan<byte> value, DateTimeKind kind)
    {
        if (value.Length != 8)
            Malformed.Throw("timestamp", value, binary: true);
        var microseconds = BinaryPrimitives.ReadInt64BigEndian(value);
        if (microseconds == long.MaxValue)
            return DateTime.SpecifyKind(DateTime.MaxValue, kind);
        if (microseconds == long.MinValue)
            return DateTime.SpecifyKind(DateTime.MinValue, kind);

        // One unsigned comparison checks both ends, because the sum of a value in range cannot wrap.
        var ticks = unchecked(microseconds * TimeSpan.TicksPerMicrosecond + Epoch);
        return microseconds is > -100_000_000_000_000_000 and < 400_000_000_000_000_000 && (ulong)ticks <= (ulong)DateTime.MaxValue.Ticks
            ? new DateTime(ticks, kind)
            : throw Dates.OutOfRange("timestamp");
    }

    public static DateTime ReadText(ReadOnlySpan<byte> value) => Read(value, "timestamp", DateTimeKind.Unspecified, zone: false);

    public static DateTime ReadTextWithZone(ReadOnlySpan<byte> value) => Read(value, "timestamptz", DateTimeKind.Utc, zone: true);

    /// <summary>Writes the length and the value. Fractions of a microsecond are cut off, as in .NET's own conversions.</summary>
    public static void Write(ByteWriter writer, DateTime value) => Integers.Write(writer,
        value.Ticks == DateTime.MaxValue.Ticks ? long.MaxValue
        : value.Ticks == DateTime.MinValue.Ticks ? long.MinValue
        : FloorToMicroseconds(value.Ticks - Epoch));

    private static long FloorToMicroseconds(long ticks)
    {
        var (microseconds, rest) = Math.DivRem(ticks, TimeSpan.TicksPerMicrosecond);
        return rest < 0 ? microseconds - 1 : microseconds;
    }

    private static DateTime Read(ReadOnlySpan<byte> value, string type, DateTimeKind kind, bool zone)
    {
        if (value.SequenceEqual("infinity"u8))
            return DateTime.SpecifyKind(DateTime.MaxValue, kind);
        if (value.SequenceEqual("-infinity"u8))
            return DateTime.SpecifyKind(DateTime.MinValue, kind);
        var cursor = new TextCursor(value);
        var ticks = cursor.Date();
        cursor.Expect(' ');
        ticks += cursor.Time();
        if (zone)
            ticks -= cursor.Zone();
        cursor.End(type);
        return (ulong)ticks <= (ulong)DateTime.MaxValue.Ticks ? new DateTime(ticks, kind) : throw Dates.OutOfRange(type);
    }
}
