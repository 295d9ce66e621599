namespace Slipstream.Core.Pooling;

/// <summary>The current state of a pool, and its totals since it was created. Metrics report the same numbers.</summary>
public sealed record PoolStatistics
{
    /// <summary>Gets the number of open sessions that no connection uses.</summary>
    public required int Idle { get; init; }

    /// <summary>Gets the number of sessions that connections use, or that are being opened for them.</summary>
    public required int Busy { get; init; }

    /// <summary>Gets the number of callers that are waiting for a session.</summary>
    public required int Waiting { get; init; }

    /// <summary>Gets the maximum number of sessions: the option Maximum Pool Size.</summary>
    public required int MaxSize { get; init; }

    /// <summary>Gets the number of sessions that the pool keeps open even if they are idle: the option Minimum Pool Size.</summary>
    public required int MinSize { get; init; }

    /// <summary>Gets the number of sessions opened so far.</summary>
    public required long Opened { get; init; }

    /// <summary>Gets the number of failed attempts to open a session.</summary>
    public required long OpenFailures { get; init; }

    /// <summary>Gets the number of callers whose wait for a session timed out.</summary>
    public required long WaitTimeouts { get; init; }

    /// <summary>Gets the number of closed sessions, by reason.</summary>
    public required IReadOnlyDictionary<CloseReason, long> Closed { get; init; }

    /// <summary>
    /// Gets the number of waits for a session, by duration: one count for each bucket of <see cref="WaitBucketsMilliseconds"/>, and a last one for longer
    /// waits.
    /// </summary>
    public required IReadOnlyList<long> Waits { get; init; }

    /// <summary>Returns the statistics of several pools together.</summary>
    /// <param name="all">The statistics of each; none for a cluster whose servers are not known yet.</param>
    internal static PoolStatistics Sum(PoolStatistics[] all) => new()
    {
        Idle = all.Sum(static one => one.Idle),
        Busy = all.Sum(static one => one.Busy),
        Waiting = all.Sum(static one => one.Waiting),
        MaxSize = (int)Math.Min(int.MaxValue, all.Sum(static one => (long)one.MaxSize)),
        MinSize = (int)Math.Min(int.MaxValue, all.Sum(static one => (long)one.MinSize)),
        Opened = all.Sum(static one => one.Opened),
        OpenFailures = all.Sum(static one => one.OpenFailures),
        WaitTimeouts = all.Sum(static one => one.WaitTimeouts),
        Closed = all.SelectMany(static one => one.Closed).GroupBy(static pair => pair.Key).ToDictionary(
            static group => group.Key, static group => group.Sum(static pair => pair.Value)),
        Waits = [.. Enumerable.Range(0, WaitBucketsMilliseconds.Count + 1).Select(bucket => all.Sum(one => one.Waits[bucket]))],
    };

    /// <summary>Gets the upper bounds of the buckets of <see cref="Waits"/>, in milliseconds.</summary>
    public static IReadOnlyList<int> WaitBucketsMilliseconds { get; } = [1, 5, 10, 50, 100, 500, 1000, 5000, 10000];
}
