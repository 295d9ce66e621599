using Slipstream.Core.Time;

namespace Slipstream.Core.Topology;

/// <summary>
/// Decides when each server is probed next. During a search for a primary, all servers are probed often: 20 times a second at first. Otherwise, the primary is
/// probed once in each refresh interval, and other servers once in every two. Dead servers are probed more and more rarely.
/// </summary>
/// <param name="settings">The rules.</param>
/// <param name="jitter">Returns a number from 0 to below 1.</param>
internal sealed class ProbeSchedule(TopologySettings settings, Func<double> jitter)
{
    /// <summary>The interval between probes at the beginning of a search, in milliseconds.</summary>
    public const long ShortestSearchInterval = 50;

    /// <summary>When the search for a primary began; <see cref="Clock.Never"/> if there is no search.</summary>
    public long SearchedSince { get; private set; } = Clock.Never;

    /// <summary>Whether a search for a primary is under way.</summary>
    public bool IsSearching => SearchedSince != Clock.Never;

    /// <summary>Begins or ends the search for a primary.</summary>
    public void Search(bool isWanted, List<HostRecord> hosts, long now)
    {
        if (!isWanted)
        {
            SearchedSince = Clock.Never;
            return;
        }

        if (!IsSearching)
            SearchedSince = now;
        foreach (var host in hosts)
            Hurry(host, now);
    }

    /// <summary>Subtracts a pause of the caller's process from the length of the search.</summary>
    public void Forgive(long pause)
    {
        if (IsSearching)
            SearchedSince += pause;
    }

    /// <summary>Makes the next probe of a server due as early as the shortest interval allows.</summary>
    public void Hurry(HostRecord host, long now) => Hurry(host, ShortestIntervalOf(host), now);

    /// <summary>The same, as early as during a search for a primary.</summary>
    public void HurryAsInSearch(HostRecord host, long now) => Hurry(host, host.IsDenied ? settings.RefreshInterval : ShortestSearchInterval, now);

    private static void Hurry(HostRecord host, long interval, long now)
    {
        var earliest = host.ProbedAt < 0 ? now : host.ProbedAt + interval;
        host.NextProbeAt = Math.Min(host.NextProbeAt, Math.Max(now, earliest));
    }

    /// <summary>Makes the next probe of a server due after the interval of its present state, if that is earlier.</summary>
    public void Shorten(HostRecord host, bool isPrimary, long now) => host.NextProbeAt = Math.Min(host.NextProbeAt, now + IntervalOf(host, isPrimary, now));

    /// <summary>Returns the time until the next probe of a server, in milliseconds.</summary>
    public long IntervalOf(HostRecord host, bool isPrimary, long now)
    {
        var interval = IsSearching ? Math.Max(SearchInterval(now - SearchedSince), ShortestIntervalOf(host)) : SteadyInterval(host, isPrimary);
        return Math.Max(1, (long)(interval * (0.75 + 0.5 * jitter())));
    }

    // Many refused logins may lock the account, or the client's address.
    private long ShortestIntervalOf(HostRecord host) =>
        host.IsDenied ? settings.RefreshInterval : IsSearching ? ShortestSearchInterval : settings.ShortestInterval;

    private long SteadyInterval(HostRecord host, bool isPrimary) => host.State == HostState.Dead
        ? Math.Min(settings.LongestBackoff, settings.RefreshInterval << Math.Clamp(host.Misses - settings.MissesUntilDead, 0, 16))
        : isPrimary ? settings.RefreshInterval : 2 * settings.RefreshInterval;

    private static long SearchInterval(long elapsed) => elapsed switch
    {
        < 5000 => ShortestSearchInterval,
        < 30_000 => 250,
        _ => 1000,
    };
}
