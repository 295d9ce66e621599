namespace Slipstream.Core.Pooling;

/// <summary>What a pool has done and holds now: the same numbers that the metrics report.</summary>
public sealed record PoolStatistics
{
    /// <summary>Open sessions that nobody uses.</summary>
    public required int Idle { get; init; }

    /// <summary>Sessions in use.</summary>
    public required int Busy { get; init; }

    /// <summary>Callers that wait for a session now.</summary>
    public required int Waiting { get; init; }

    /// <summary>The most sessions.</summary>
    public required int MaxSize { get; init; }

    /// <summary>Sessions kept ready.</summary>
    public required int MinSize { get; init; }

    /// <summary>Sessions opened since the pool was made.</summary>
    public required long Opened { get; init; }

    /// <summary>Attempts to open one that failed.</summary>
    public required long OpenFailures { get; init; }

    /// <summary>Callers that waited in vain.</summary>
    public required long WaitTimeouts { get; init; }

    /// <summary>Sessions closed, by reason.</summary>
    public required IReadOnlyDictionary<CloseReason, long> Closed { get; init; }

    /// <summary>How long callers waited: counts per bucket, upper bounds in <see cref="WaitBucketsMilliseconds"/>, one more for longer waits.</summary>
    public required IReadOnlyList<long> Waits { get; init; }

    /// <summary>Upper bounds of the buckets of waits, in milliseconds.</summary>
    public static IReadOnlyList<int> WaitBucketsMilliseconds { get; } = [1, 5, 10, 50, 100, 500, 1000, 5000, 10000];
}
