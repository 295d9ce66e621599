using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.PostgreSql.Replication;

/// <summary>Converts the times of the replication protocol: microseconds since 2000-01-01 UTC.</summary>
internal static class ReplicationClock
{
    private static readonly DateTime Epoch = new(2000, 1, 1, 0, 0, 0, DateTimeKind.Utc);
    private static readonly long Least = (DateTime.MinValue - Epoch).Ticks / TimeSpan.TicksPerMicrosecond;
    private static readonly long Most = (DateTime.MaxValue - Epoch).Ticks / TimeSpan.TicksPerMicrosecond;

    /// <summary>Returns the time now.</summary>
    public static long Now() => (Clock.UtcNow - Epoch).Ticks / TimeSpan.TicksPerMicrosecond;

    /// <summary>Converts a time of the server.</summary>
    /// <exception cref="ProtocolException">The time is before the year 1 or after the year 9999.</exception>
    public static DateTime Read(long microseconds) => microseconds >= Least && microseconds <= Most
        ? Epoch.AddTicks(microseconds * TimeSpan.TicksPerMicrosecond)
        : throw new ProtocolException("a time between the years 1 and 9999 in a message of replication", $"{microseconds} microseconds since 2000");
}
