namespace Slipstream.Core.Pooling;

/// <summary>Why a session was closed.</summary>
public enum CloseReason
{
    /// <summary>The session was broken.</summary>
    Broken,
    /// <summary>Nobody needed it for the idle lifetime.</summary>
    IdleTooLong,
    /// <summary>It reached its lifetime.</summary>
    TooOld,
    /// <summary>The pool was cleared.</summary>
    Cleared,
    /// <summary>Its connection was never closed and is gone.</summary>
    Leaked,
    /// <summary>The pool is disposed of.</summary>
    Disposed,
    /// <summary>The server had ended it.</summary>
    Dead,
    /// <summary>The server would soon end it for idleness.</summary>
    ServerIdleLimit,

    /// <summary>Another pool needed its place below a limit that they share.</summary>
    Evicted,
}

/// <summary>What a pool may do. Times in milliseconds; 0 means no limit.</summary>
public sealed record PoolLimits(int MinSize = 0, int MaxSize = 100, long IdleTimeout = 180_000, long Lifetime = 0)
{
    /// <summary>The server closes sessions idle for longer; 0 when unknown. A session is closed a tenth earlier.</summary>
    public long ServerIdleLimit { get; init; }
}

/// <summary>
/// What the pool knows and decides, without sessions, threads or clocks: how many there are, whether one more may be opened, which
/// must go. Handed the time, so that tests need none.
/// </summary>
public sealed class PoolState(PoolLimits limits)
{
    private int _total;
    private int _generation;

    /// <summary>What the pool may hold.</summary>
    public PoolLimits Limits => limits;

    /// <summary>Sessions that exist or are being opened.</summary>
    public int Total => Volatile.Read(ref _total);

    /// <summary>Counts up when the pool is cleared: sessions of earlier generations go.</summary>
    public int Generation => Volatile.Read(ref _generation);

    /// <summary>Takes the right to open one more session; false when the pool is full.</summary>
    public bool TryReserve()
    {
        var total = Volatile.Read(ref _total);
        while (total < limits.MaxSize)
        {
            var seen = Interlocked.CompareExchange(ref _total, total + 1, total);
            if (seen == total)
                return true;
            total = seen;
        }

        return false;
    }

    /// <summary>A session has gone, or could not be opened.</summary>
    public void Release() => Interlocked.Decrement(ref _total);

    /// <summary>What is open now is closed when it comes back.</summary>
    public void Clear() => Interlocked.Increment(ref _generation);

    /// <summary>How many sessions the sweeper should open now to reach the minimum.</summary>
    public int Missing => Math.Max(0, limits.MinSize - Total);

    /// <summary>Whether a session that is given back or found idle must go, and why; null to keep it.</summary>
    /// <param name="now">The time.</param>
    /// <param name="openedAt">When it was opened.</param>
    /// <param name="idleSince">When it became idle; <paramref name="now"/> for one given back now.</param>
    /// <param name="generation">The pool's generation in which it was opened.</param>
    /// <param name="jitter">0..1: spreads the end of sessions opened together over the last tenth of their lifetime.</param>
    /// <param name="going">How many of the total are on their way out already: what is left must reach the minimum.</param>
    public CloseReason? MustGo(long now, long openedAt, long idleSince, int generation, double jitter, int going = 0)
    {
        if (generation != Generation)
            return CloseReason.Cleared;
        if (limits.Lifetime > 0 && now - openedAt >= limits.Lifetime - (long)(limits.Lifetime * 0.1 * jitter))
            return CloseReason.TooOld;
        if (limits.ServerIdleLimit > 0 && now - idleSince >= limits.ServerIdleLimit * 9 / 10)
            return CloseReason.ServerIdleLimit;
        return limits.IdleTimeout > 0 && now - idleSince >= limits.IdleTimeout && Total - going > limits.MinSize ? CloseReason.IdleTooLong : null;
    }
}
