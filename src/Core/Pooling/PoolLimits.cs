namespace Slipstream.Core.Pooling;

/// <summary>What a pool may do. Times in milliseconds; 0 means no limit.</summary>
internal sealed record PoolLimits(int MinSize = 0, int MaxSize = 100, long IdleTimeout = 180_000, long Lifetime = 0)
{
    /// <summary>The server closes sessions idle for longer; 0 when unknown. A session is closed a tenth earlier.</summary>
    public long ServerIdleLimit { get; init; }
}
