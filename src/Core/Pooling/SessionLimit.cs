namespace Slipstream.Core.Pooling;

/// <summary>
/// Limits the number of sessions that several pools of this process have together, of one provider or several. Pass the same limit to the builder of each data
/// source.
/// </summary>
/// <remarks>
/// If a pool needs a new session at the limit, an idle session of another pool is closed. If all sessions are busy, the caller waits, and the caller that has
/// waited longest is served first. A pool with constant demand also passes places on: to callers of other pools that have waited 500 ms longer than its own.
/// </remarks>
public sealed class SessionLimit
{
    /// <summary>
    /// How much longer (in milliseconds) a caller of another pool must have waited than the callers of this pool, to get the place of a returned session. A
    /// pool with at least two sessions less, or with none, gets it at once.
    /// </summary>
    internal const int YieldBehindMilliseconds = 500;

    private readonly List<PoolState> _pools = [];
    // The pools in which callers wait.
    private readonly List<PoolState> _waiting = [];
    private int _total;
    private int _waiters;
    private int _startAt;

    /// <summary>Creates a limit without pools. Pass it to the builders of all data sources that share it.</summary>
    /// <param name="maximum">Maximum number of sessions of all pools together, including idle ones; at least 1.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maximum"/> is less than 1.</exception>
    public SessionLimit(int maximum)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maximum, 1);
        Maximum = maximum;
    }

    /// <summary>Gets the maximum number of sessions of all pools together, including idle ones.</summary>
    public int Maximum { get; private set; }

    /// <summary>Gets the number of sessions that are open or being opened, in all pools together.</summary>
    public int Total => Volatile.Read(ref _total);

    /// <summary>Gets the number of callers that wait because of this limit: those whose own pool could still grow.</summary>
    public int Waiting
    {
        get
        {
            lock (Gate)
                return _waiting.Where(static pool => pool.MayGrow).Sum(static pool => pool.Waiting);
        }
    }

    /// <summary>The lock for all decisions of the pools.</summary>
    internal Lock Gate { get; } = new();

    /// <summary>Whether a caller waits in any pool.</summary>
    internal bool HasWaiters => Volatile.Read(ref _waiters) != 0;

    internal void Add(PoolState pool)
    {
        lock (Gate)
            _pools.Add(pool);
    }

    /// <summary>Changes the maximum. If it is lower, the number of sessions decreases as they are closed. <see cref="Next"/> must follow.</summary>
    internal void Change(int maximum)
    {
        lock (Gate)
            Maximum = maximum;
    }

    /// <summary>
    /// The next action in any of the pools: a waiter gets an idle session, or a place for a new one. Called repeatedly after each event that may let a waiter
    /// continue, until there is nothing to do.
    /// </summary>
    internal PoolAction Next()
    {
        if (!HasWaiters)
            return default;
        lock (Gate)
        {
            foreach (var pool in _waiting)
                if (pool.TryTake() is { } session)
                    return pool.Decide(session);
            if (LongestWaiting() is not { } next)
                return default;
            if (TryTake())
                return next.OpenForFirst();
            // An attempt may fail, because other threads take sessions without this lock.
            for (var attempts = _pools.Count; attempts > 0 && MostIdle() is { } rich; attempts--)
                if (rich.TryTake() is { } session)
                    return rich.Decide(session);
            return default;
        }
    }

    /// <summary>Carries out all pending actions.</summary>
    internal void ExecutePending()
    {
        while (Next() is { Step: not PoolStep.None } action)
            action.Pool!.Owner.Execute(action);
    }

    // ---------------------------------------------------------------- under the lock

    internal void Remove(PoolState pool) => _pools.Remove(pool);

    /// <summary>Takes a place, if there is one.</summary>
    internal bool TryTake()
    {
        if (_total >= Maximum)
            return false;
        _total++;
        return true;
    }

    internal void Release() => _total--;

    internal void Entered(PoolState pool)
    {
        if (pool.Waiting == 1)
            _waiting.Add(pool);
        // A full fence: see PoolState.MustRecheck.
        Interlocked.Increment(ref _waiters);
    }

    internal void Left(PoolState pool)
    {
        if (pool.Waiting == 0)
            _waiting.Remove(pool);
        Interlocked.Decrement(ref _waiters);
    }

    /// <summary>
    /// The pool whose waiter gets the place of a session that is returned to <paramref name="pool"/>; null if the session stays there.
    /// </summary>
    internal PoolState? Rival(PoolState pool)
    {
        if (_total < Maximum)
            return null;
        PoolState? rival = null;
        var own = pool.FirstWaiter?.Since;
        foreach (var other in _waiting)
        {
            var since = other.FirstWaiter!.Since;
            if (other == pool || !other.MayGrow || since >= rival?.FirstWaiter!.Since)
                continue;
            if (own is null || other.Total == 0 || other.Total + 1 < pool.Total || since <= own - YieldBehindMilliseconds)
                rival = other;
        }

        return rival;
    }

    private PoolState? LongestWaiting()
    {
        PoolState? longest = null;
        foreach (var pool in _waiting)
            if (pool.MayGrow && !(pool.FirstWaiter!.Since >= longest?.FirstWaiter!.Since))
                longest = pool;
        return longest;
    }

    // The pool with the most idle sessions. Pools with more sessions than their minimum come first.
    private PoolState? MostIdle()
    {
        PoolState? mostIdle = null;
        var most = 0;
        var start = (int)((uint)_startAt++ % (uint)_pools.Count);
        for (var i = 0; i < _pools.Count; i++)
        {
            var pool = _pools[(start + i) % _pools.Count];
            var idle = pool.Idle;
            var score = idle <= 0 ? 0 : pool.Total > pool.Limits.MinSize ? idle + int.MaxValue / 2 : idle;
            if (score > most)
                (mostIdle, most) = (pool, score);
        }

        return mostIdle;
    }
}
