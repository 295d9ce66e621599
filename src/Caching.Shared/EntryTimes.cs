using Microsoft.Extensions.Caching.Distributed;

namespace Slipstream.Caching;

/// <summary>When a new entry expires, in microseconds. The server adds the relative times to its own clock.</summary>
/// <param name="Sliding">The time after which an unused entry expires; null if it does not slide.</param>
/// <param name="Relative">The time after which the entry expires, even if it is used; null if there is none, or if it is an instant.</param>
/// <param name="Instant">The instant at which the entry expires, since 1970 in UTC; null if there is none, or if it is relative.</param>
internal readonly record struct EntryTimes(long? Sliding, long? Relative, long? Instant)
{
    // The servers' types of time end in the year 9999 or later.
    private static readonly TimeSpan Longest = TimeSpan.FromDays(365_000);

    public static EntryTimes Of(DistributedCacheEntryOptions options, CacheSettings settings)
    {
        var sliding = options.SlidingExpiration;
        if (options.AbsoluteExpirationRelativeToNow is { } relative)
            return new(MicrosecondsOf(sliding), MicrosecondsOf(relative), null);
        if (options.AbsoluteExpiration is not { } instant)
            return new(MicrosecondsOf(sliding ?? settings.DefaultSlidingExpiration), null, null);
        if (instant <= settings.TimeProvider.GetUtcNow())
            throw new InvalidOperationException("The absolute expiration of a cache entry must be in the future: it has passed on this machine's clock.");
        return new(MicrosecondsOf(sliding), null, (instant - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond);
    }

    // Rounded up: a time of one tick is not zero.
    private static long? MicrosecondsOf(TimeSpan? time) => time is null
        ? null
        : (Math.Min(time.Value.Ticks, Longest.Ticks) + TimeSpan.TicksPerMicrosecond - 1) / TimeSpan.TicksPerMicrosecond;
}
