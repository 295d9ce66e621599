namespace Slipstream.Core.Pooling;

/// <summary>The totals of a pool. Only slow paths count: a lease of an idle session changes none of them.</summary>
internal sealed class PoolCounters
{
    private readonly long[] _closed = new long[(int)CloseReason.Evicted + 1];
    private readonly long[] _waits = new long[PoolStatistics.WaitBucketsMilliseconds.Count + 1];
    private long _opened;
    private long _openFailures;
    private long _waitTimeouts;

    /// <summary>Counts an opened session.</summary>
    public void Opened() => Interlocked.Increment(ref _opened);

    /// <summary>Counts a session that could not be opened.</summary>
    public void OpenFailed() => Interlocked.Increment(ref _openFailures);

    /// <summary>Counts a caller whose wait timed out.</summary>
    public void WaitTimedOut() => Interlocked.Increment(ref _waitTimeouts);

    /// <summary>Counts a closed session by reason.</summary>
    public void Closed(CloseReason reason) => Interlocked.Increment(ref _closed[(int)reason]);

    /// <summary>Counts a wait of <paramref name="milliseconds"/> in its bucket.</summary>
    public void Waited(long milliseconds)
    {
        var buckets = PoolStatistics.WaitBucketsMilliseconds;
        var bucket = 0;
        while (bucket < buckets.Count && milliseconds > buckets[bucket])
            bucket++;
        Interlocked.Increment(ref _waits[bucket]);
    }

    /// <summary>The statistics: these totals and the given numbers.</summary>
    public PoolStatistics Report(PoolLimits limits, int idle, int total, int waiting) => new()
    {
        Idle = idle,
        Busy = Math.Max(0, total - idle),
        Waiting = waiting,
        MaxSize = limits.MaxSize,
        MinSize = limits.MinSize,
        Opened = Volatile.Read(ref _opened),
        OpenFailures = Volatile.Read(ref _openFailures),
        WaitTimeouts = Volatile.Read(ref _waitTimeouts),
        Closed = Enum.GetValues<CloseReason>().ToDictionary(reason => reason, reason => Volatile.Read(ref _closed[(int)reason])),
        Waits = [.. _waits],
    };
}
