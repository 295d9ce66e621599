namespace Slipstream.Core.Pooling;

/// <summary>
/// Limits how many sessions several pools of this process have together, of one provider or several. Give the same limit to the builder of each data source.
/// </summary>
/// <remarks>
/// A pool that has to open a session at the limit has an idle session of another pool closed. When all sessions are busy, its caller waits; the caller who has
/// waited longest is served first. A pool that always has callers passes places on as well: to callers of other pools that have waited 500 ms longer than its
/// own.
/// </remarks>
public sealed class SessionLimit
{
    /// <summary>
    /// How much longer than its own pool's callers, in milliseconds, another pool's caller must have waited to get the place of a session that is returned.
    /// A pool with two sessions less, or with none, gets it at once.
    /// </summary>
    internal const int YieldBehindMilliseconds = 500;

    private readonly List<PoolState> _pools = [];
    // Those in which somebody waits.
    private readonly List<PoolState> _waiting = [];
    private int _total;
    private int _waiters;
    private int _startAt;

    /// <summary>Creates a limit that no pool has yet: give it to the builders of all data sources that share it.</summary>
    /// <param name="maximum">The most sessions of all pools together, idle ones included.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maximum"/> is less than 1.</exception>
    public SessionLimit(int maximum)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maximum, 1);
        Maximum = maximum;
    }

    /// <summary>Gets the most sessions of all pools together, idle ones included.</summary>
    public int Maximum { get; private set; }

    /// <summary>Gets the number of sessions that are open or are being opened, in all pools together.</summary>
    public int Total => Volatile.Read(ref _total);

    /// <summary>Gets the number of callers that wait for the limit: their own pool may still grow.</summary>
    public int Waiting
    {
        get
        {
            lock (Gate)
                return _waiting.Where(static pool => pool.MayGrow).Sum(static pool => pool.Waiting);
        }
    }

    /// <summary>The lock under which all decisions of its pools are made.</summary>
    internal Lock Gate { get; } = new();

    /// <summary>Whether anybody waits in any pool.</summary>
    internal bool HasWaiters => Volatile.Read(ref _waiters) != 0;

    internal void Add(PoolState pool)
    {
        lock (Gate)
            _pools.Add(pool);
    }

    /// <summary>Lets the pools have more sessions, or fewer as they go. What is due now follows: <see cref="Next"/>.</summary>
    internal void Change(int maximum)
    {
        lock (Gate)
            Maximum = maximum;
    }

    /// <summary>
    /// What is due now in any of the pools: a waiter gets an idle session, or a place for a new one. Asked again and again after each event that may let
    /// somebody go on, until nothing is due.
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
            // Each pool may be looked at in vain: its session is taken without this lock in the same moment.
            for (var attempts = _pools.Count; attempts > 0 && Richest() is { } rich; attempts--)
                if (rich.TryTake() is { } session)
                    return rich.Decide(session);
            return default;
        }
    }

    /// <summary>Has everything carried out that is due now.</summary>
    internal void Settle()
    {
        while (Next() is { Step: not PoolStep.None } action)
            action.Pool!.Owner.Carry(action);
    }

    // ---------------------------------------------------------------- under the lock

    internal void Remove(PoolState pool) => _pools.Remove(pool);

    /// <summary>Takes a place if there is one.</summary>
    internal bool TryTake()
    {
        if (_total >= Maximum)
            return false;
        _total++;
        return true;
    }

    internal void GiveBack() => _total--;

    internal void Entered(PoolState pool)
    {
        if (pool.Waiting == 1)
            _waiting.Add(pool);
        // A full fence: see PoolState.MustLook.
        Interlocked.Increment(ref _waiters);
    }

    internal void Left(PoolState pool)
    {
        if (pool.Waiting == 0)
            _waiting.Remove(pool);
        Interlocked.Decrement(ref _waiters);
    }

    /// <summary>
    /// The pool whose waiter is to have a session's place in its stead, now that it comes back to <paramref name="pool"/>; null when it stays there.
    /// </summary>
    internal PoolState? Rival(PoolState pool)
    {
        if (_total < Maximum)
            return null;
        PoolState? rival = null;
        var mine = pool.FirstWaiter?.Since;
        foreach (var other in _waiting)
        {
            var since = other.FirstWaiter!.Since;
            if (other == pool || !other.MayGrow || since >= rival?.FirstWaiter!.Since)
                continue;
            if (mine is null || other.Total == 0 || other.Total + 1 < pool.Total || since <= mine - YieldBehindMilliseconds)
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

    // The pool that has most to spare: before all others one that has more than its minimum.
    private PoolState? Richest()
    {
        PoolState? richest = null;
        var most = 0;
        var start = (int)((uint)_startAt++ % (uint)_pools.Count);
        for (var i = 0; i < _pools.Count; i++)
        {
            var pool = _pools[(start + i) % _pools.Count];
            var idle = pool.Idle;
            var score = idle <= 0 ? 0 : pool.Total > pool.Limits.MinSize ? idle + int.MaxValue / 2 : idle;
            if (score > most)
                (richest, most) = (pool, score);
        }

        return richest;
    }
}
