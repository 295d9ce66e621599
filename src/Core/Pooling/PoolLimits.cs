namespace Slipstream.Core.Pooling;

/// <summary>The limits of a pool. Times are in milliseconds; 0: no limit.</summary>
internal sealed record PoolLimits(int MinSize = 0, int MaxSize = 100, long IdleTimeout = 180_000, long Lifetime = 0)
{
    /// <summary>Time in milliseconds after which the server closes an idle session; 0 if unknown. The pool closes the session 10 % earlier.</summary>
    public long ServerIdleLimit { get; init; }
}
