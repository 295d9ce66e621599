namespace Slipstream.Core.Pooling;

/// <summary>The limits of a pool. Times are in milliseconds; 0: no limit.</summary>
internal sealed record PoolLimits(int MinSize = 0, int MaxSize = 100, long IdleTimeout = 180_000, long Lifetime = 0)
{
    /// <summary>Time in milliseconds after which the server closes an idle session; 0 if unknown. The pool closes the session 10 % earlier.</summary>
    public long ServerIdleLimit { get; init; }

    /// <summary>Maximum number of sessions that are being opened at the same time. Other callers wait for one of these, or for a returned session.</summary>
    public int MaxOpening { get; init; } = int.MaxValue;

    /// <summary>
    /// The limits for a server of a cluster. All clients of a lost primary come to the next one at the same moment, and a login costs a server more than a
    /// query. Therefore, each client opens an eighth of its sessions at a time, and at least four.
    /// </summary>
    public PoolLimits OfMember() => this with { MaxOpening = Math.Max(4, MaxSize / 8) };
}
