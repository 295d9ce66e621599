namespace Slipstream.ScaleModel;

/// <summary>
/// What only one processor can do at a time, in microseconds per use. Two processors cannot show these figures: they are assumptions, which the sensitivity
/// of the model to them must justify.
/// </summary>
internal sealed record SerialCosts
{
    /// <summary>Gets how long a thread holds the lock of the epoll set for an event (epoll_wait returns one).</summary>
    public double Epoll { get; init; } = 0.25;

    /// <summary>Gets how long the cache line of the pool's counter of idle sessions is busy for taking and returning a session.</summary>
    public double IdleCount { get; init; } = 0.12;

    /// <summary>Gets how long the pool's lock is held for an operation that waits for a connection.</summary>
    public double PoolLock { get; init; } = 0.4;
}
