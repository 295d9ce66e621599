namespace Slipstream.Core.Pooling;

/// <summary>What a pool holds now, and what it has done since it was created. The metrics report the same numbers.</summary>
public sealed record PoolStatistics
{
    /// <summary>Gets the number of open sessions that no connection uses.</summary>
    public required int Idle { get; init; }

    /// <summary>Gets the number of sessions that connections use, or that are being opened for them.</summary>
    public required int Busy { get; init; }

    /// <summary>Gets the number of callers that are waiting for a session.</summary>
    public required int Waiting { get; init; }

    /// <summary>Gets the most sessions that the pool may have: the option Maximum Pool Size.</summary>
    public required int MaxSize { get; init; }

    /// <summary>Gets the number of sessions that the pool keeps open while nobody needs them: the option Minimum Pool Size.</summary>
    public required int MinSize { get; init; }

    /// <summary>Gets the number of sessions that were opened.</summary>
    public required long Opened { get; init; }

    /// <summary>Gets the number of attempts to open a session that failed.</summary>
    public required long OpenFailures { get; init; }

    /// <summary>Gets the number of callers that gave up waiting for a session when their time was up.</summary>
    public required long WaitTimeouts { get; init; }

    /// <summary>Gets the number of sessions that were closed, for each reason.</summary>
    public required IReadOnlyDictionary<CloseReason, long> Closed { get; init; }

    /// <summary>
    /// Gets the number of waits for a session, by their duration: one count for each bucket of <see cref="WaitBucketsMilliseconds"/>, and one more for longer
    /// waits.
    /// </summary>
    public required IReadOnlyList<long> Waits { get; init; }

    /// <summary>Gets the upper bounds of the buckets of <see cref="Waits"/>, in milliseconds.</summary>
    public static IReadOnlyList<int> WaitBucketsMilliseconds { get; } = [1, 5, 10, 50, 100, 500, 1000, 5000, 10000];
}
