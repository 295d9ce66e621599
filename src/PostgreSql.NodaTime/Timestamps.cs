using NodaTime;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>
/// Converts the server's timestamps, microseconds since 2000-01-01, to and from instants. The server's years reach from 4713 BC to 294276 AD, NodaTime's from
/// -9998 to 9999. Infinity is <see cref="Instant.MaxValue"/>, and -infinity is <see cref="Instant.MinValue"/>.
/// </summary>
internal static class Timestamps
{
    private const long TicksPerMicrosecond = 10;

    private static readonly long Epoch = Instant.FromUtc(2000, 1, 1, 0, 0).ToUnixTimeTicks();
    private static readonly long Least = Microseconds(Instant.MinValue);
    private static readonly long Greatest = Microseconds(Instant.MaxValue);

    public static Instant Read(ref PgValueReader reader)
    {
        var microseconds = reader.ReadTimestamp();
        if (microseconds == long.MaxValue)
            return Instant.MaxValue;
        if (microseconds == long.MinValue)
            return Instant.MinValue;
        if (microseconds < Least || microseconds > Greatest)
            throw new InvalidCastException("The timestamp is outside the years -9998 to 9999, which NodaTime can represent: cast it to text in SQL.");
        return Instant.FromUnixTimeTicks(microseconds * TicksPerMicrosecond + Epoch);
    }

    public static void Write(ref PgValueWriter writer, Instant value) => writer.WriteInt64(
        value == Instant.MaxValue ? long.MaxValue : value == Instant.MinValue ? long.MinValue : Microseconds(value));

    // A fraction of a microsecond is cut off towards the past, also before the epoch.
    private static long Microseconds(Instant value)
    {
        var (microseconds, rest) = Math.DivRem(value.ToUnixTimeTicks() - Epoch, TicksPerMicrosecond);
        return rest < 0 ? microseconds - 1 : microseconds;
    }
}
