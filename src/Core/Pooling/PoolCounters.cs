namespace Slipstream.Core.Pooling;

/// <summary>The pool's running totals. Counted on the slow paths only: a lease from the shelf touches none of them.</summary>
internal sealed class PoolCounters
{
    private readonly long[] _closed = new long[(int)CloseReason.Evicted + 1];
    private readonly long[] _waits = new long[PoolStatistics.WaitBucketsMilliseconds.Count + 1];
    private long _opened;
    private long _openFailures;
    private long _waitTimeouts;

    /// <summary>Counts an opened session.</summary>
    public void Opened() => Interlocked.Increment(ref _opened);

    /// <summary>Counts one that could not be opened.</summary>
    public void OpenFailed() => Interlocked.Increment(ref _openFailures);

    /// <summary>Counts a caller who waited in vain.</summary>
    public void WaitTimedOut() => Interlocked.Increment(ref _waitTimeouts);

    /// <summary>Counts a closed session by its reason.</summary>
    public void Closed(CloseReason reason) => Interlocked.Increment(ref _closed[(int)reason]);

    /// <summary>Counts a wait into its bucket, in milliseconds.</summary>
    public void Waited(long milliseconds)
    {
        var buckets = PoolStatistics.WaitBucketsMilliseconds;
        var bucket = 0;
        while (bucket < buckets.Count && milliseconds > buckets[bucket])
            bucket++;
        Interlocked.Increment(ref _waits[bucket]);
    }

    /// <summary>What the counters and the given numbers say together.</summary>
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
