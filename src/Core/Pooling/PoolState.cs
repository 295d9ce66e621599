namespace Slipstream.Core.Pooling;

/// <summary>
/// Decides for one pool, and is the only place that does: it owns the idle sessions, the waiters, the number of sessions and the generation, and shares a limit
/// with other pools. Each event is a method that is handed the time and returns what is to be done; it opens, closes and wakes nothing, and knows neither
/// threads nor a clock. Decisions are made under the lock of the limit. In front of it, <see cref="TryTake"/> and <see cref="Park"/> hand sessions on without a
/// lock; whoever has parked one looks once more whether somebody began to wait meanwhile (<see cref="MustLook"/>).
/// </summary>
internal sealed class PoolState
{
    private readonly SessionLimit _limit;
    private readonly IdleList _idle;
    private readonly WaiterQueue _waiters = new();
    private readonly HashSet<IPooledSession> _sessions = [];
    private int _total;
    private int _generation;
    private bool _isDisposed;

    /// <param name="limits">What this pool may do.</param>
    /// <param name="owner">Carries out what is decided.</param>
    /// <param name="limit">What it may do together with other pools; null when it is alone.</param>
    public PoolState(PoolLimits limits, IPoolOwner owner, SessionLimit? limit = null)
    {
        Limits = limits;
        Owner = owner;
        _idle = new(limits.MaxSize);
        _limit = limit ?? new(int.MaxValue);
        _limit.Add(this);
    }

    /// <summary>What the pool may hold.</summary>
    public PoolLimits Limits { get; }

    /// <summary>Carries out what is decided.</summary>
    public IPoolOwner Owner { get; }

    /// <summary>Sessions that exist or are being opened.</summary>
    public int Total => Volatile.Read(ref _total);

    /// <summary>Sessions that nobody uses.</summary>
    public int Idle => _idle.Count;

    /// <summary>Callers that wait.</summary>
    public int Waiting => _waiters.Count;

    /// <summary>Counts up when the pool is cleared: sessions of earlier generations go.</summary>
    public int Generation => Volatile.Read(ref _generation);

    /// <summary>Whether the pool has been disposed.</summary>
    public bool IsDisposed => Volatile.Read(ref _isDisposed);

    /// <summary>Why sessions of an earlier generation go.</summary>
    public CloseReason Outdated => IsDisposed ? CloseReason.Disposed : CloseReason.Cleared;

    /// <summary>Whether sessions are missing below the minimum.</summary>
    public bool IsBelowMinimum => Total < Limits.MinSize && !IsDisposed;

    // For the limit, under its lock.
    internal Waiter? FirstWaiter => _waiters.First;

    internal bool MayGrow => _total < Limits.MaxSize;

    // ---------------------------------------------------------------- without the lock

    /// <summary>Takes an idle session; null when there is none.</summary>
    public IPooledSession? TryTake() => _idle.TryTake();

    /// <summary>Takes an idle session for which a condition holds; null when there is none. The condition is asked while others may take the session.</summary>
    public IPooledSession? TryTake<TState>(TState state, Func<IPooledSession, TState, bool> condition) => _idle.TryTake(state, condition);

    /// <summary>Whether a session that was given back, or lies idle, must go, and why; null to keep it.</summary>
    /// <param name="session">The session.</param>
    /// <param name="now">The time.</param>
    /// <param name="going">How many of the total are on their way out already: what is left must reach the minimum.</param>
    public CloseReason? Judge(IPooledSession session, long now, int going = 0)
    {
        if (Generation != session.Generation || IsDisposed)
            return Outdated;
        if (Limits.Lifetime > 0 && now - session.OpenedAt >= Limits.Lifetime - (long)(Limits.Lifetime * 0.1 * Jitter(session.OpenedAt)))
            return CloseReason.TooOld;
        var idle = now - session.ChangedAt;
        if (Limits.ServerIdleLimit > 0 && idle >= Limits.ServerIdleLimit * 9 / 10)
            return CloseReason.ServerIdleLimit;
        return Limits.IdleTimeout > 0 && idle >= Limits.IdleTimeout && Total - going > Limits.MinSize ? CloseReason.IdleTooLong : null;
    }

    /// <summary>0..1, by the time of its opening: spreads the end of sessions opened together over the last tenth of their lifetime.</summary>
    internal static double Jitter(long openedAt) => (openedAt * 2654435761 & 0xFFFF) / 65536.0;

    /// <summary>Whether anybody waits, in this pool or in one with the same limit: then a session is given back by <see cref="Give"/>.</summary>
    public bool HasWaiters => _limit.HasWaiters;

    /// <summary>Puts a session to the idle ones, when nobody waits.</summary>
    public void Park(IPooledSession session) => _idle.Add(session);

    /// <summary>
    /// Whether a session was parked beside a waiter, or in a pool that was cleared in the same moment. Then what is due follows: <see cref="TakeOutdated"/> and
    /// <see cref="SessionLimit.Next"/>. Parking was a full fence, and beginning to wait is one: one of the two sees the other.
    /// </summary>
    public bool MustLook(IPooledSession session) => _limit.HasWaiters || Generation != session.Generation;

    // ---------------------------------------------------------------- a caller

    /// <summary>A caller asks for a session: it is handed one, may open one, waits, or is refused.</summary>
    /// <param name="wish">What the session should be like, unless the pool cannot grow; null for any.</param>
    public PoolAction Ask(Func<IPooledSession, int, bool>? wish = null)
    {
        lock (_limit.Gate)
        {
            if (_isDisposed)
                return new(PoolStep.Refuse);
            if ((wish is null ? _idle.TryTake() : _idle.TryTake(0, wish)) is { } suitable)
                return new(PoolStep.Hand, suitable);
            if (TryReserve())
                return new(PoolStep.Open);
            return wish is not null && _idle.TryTake() is { } any ? new(PoolStep.Hand, any) : new(PoolStep.Wait);
        }
    }

    /// <summary>A caller begins to wait. False when the pool has been disposed. What is due now follows: <see cref="SessionLimit.Next"/>.</summary>
    public bool TryEnter(Waiter waiter, long now)
    {
        lock (_limit.Gate)
        {
            if (_isDisposed)
                return false;
            waiter.Since = now;
            _waiters.Add(waiter);
            _limit.Entered(this);
            return true;
        }
    }

    /// <summary>A waiter wants to wait no longer. False when its wait has ended already: what it got must be taken.</summary>
    public bool GiveUp(Waiter waiter)
    {
        lock (_limit.Gate)
        {
            if (waiter.End != PoolStep.Wait)
                return false;
            Leave(waiter, PoolStep.None);
            return true;
        }
    }

    /// <summary>Ends the waits whose time has run out, and says when the next one's has.</summary>
    public List<Waiter> Expire(long now, out long next)
    {
        List<Waiter> late = [];
        next = long.MaxValue;
        lock (_limit.Gate)
        {
            for (var waiter = _waiters.First; waiter is not null;)
            {
                var behind = waiter.Next;
                if (waiter.Due <= now)
                {
                    Leave(waiter, PoolStep.None);
                    late.Add(waiter);
                }
                else
                    next = Math.Min(next, waiter.Due);
                waiter = behind;
            }
        }

        return late;
    }

    /// <summary>
    /// A session that a caller was handed is of no use and has been closed: the caller is handed another one, opens one in its place, or is refused.
    /// </summary>
    public PoolAction Replace(IPooledSession session)
    {
        lock (_limit.Gate)
        {
            _sessions.Remove(session);
            var other = _isDisposed ? null : _idle.TryTake();
            if (other is null && !_isDisposed)
                return new(PoolStep.Open);
            FreePlace();
            return other is null ? new(PoolStep.Refuse) : new(PoolStep.Hand, other);
        }
    }

    /// <inheritdoc cref="SessionLimit.Settle"/>
    public void Settle() => _limit.Settle();

    // ---------------------------------------------------------------- sessions

    /// <summary>A caller, for whom a place was reserved, has opened a session.</summary>
    public void Opened(IPooledSession session)
    {
        lock (_limit.Gate)
            _sessions.Add(session);
    }

    /// <summary>It could not open one: its place is free. Returns the waiters that shall hear why: those that had begun to wait before a time.</summary>
    public List<Waiter> OpenFailed(long before)
    {
        lock (_limit.Gate)
        {
            FreePlace();
            return RefuseAll(before);
        }
    }

    /// <summary>A session is given back, and may stay, while somebody waits: it is handed to a waiter, closed for one of another pool, or kept.</summary>
    public PoolAction Give(IPooledSession session)
    {
        lock (_limit.Gate)
            return Decide(session);
    }

    /// <summary>A session has been closed, as decided.</summary>
    public void Closed(in PoolAction action)
    {
        lock (_limit.Gate)
        {
            _sessions.Remove(action.Session!);
            // Below the common limit its place is the waiter's, for whom it was closed.
            if (action.Waiter is null)
                FreePlace();
            else
                Volatile.Write(ref _total, _total - 1);
        }
    }

    // ---------------------------------------------------------------- the pool as a whole

    /// <summary>Begins a new generation: sessions of earlier ones go, idle ones by <see cref="TakeOutdated"/>, others when they come back.</summary>
    public void Clear() => Interlocked.Increment(ref _generation);

    /// <summary>Nothing is handed out any more. Returns the waiters, which are to be refused; the sessions go as by <see cref="Clear"/>.</summary>
    public List<Waiter> Dispose()
    {
        lock (_limit.Gate)
        {
            Volatile.Write(ref _isDisposed, true);
            Clear();
            _limit.Remove(this);
            return RefuseAll(long.MaxValue);
        }
    }

    /// <summary>The idle sessions of earlier generations.</summary>
    public List<PoolAction> TakeOutdated()
    {
        List<IPooledSession> taken = [];
        _idle.TakeAll(this, static (session, pool) => pool.Generation != session.Generation, taken);
        return taken.ConvertAll(session => CloseAs(Outdated, session));
    }

    /// <summary>Time has passed: what has been idle for too long, is too old, or was leased by a holder that is gone.</summary>
    public List<PoolAction> Sweep(long now)
    {
        List<IPooledSession> gone = [];
        _idle.TakeAll(now, (session, time) => Judge(session, time, gone.Count) is not null, gone);
        var actions = gone.ConvertAll(session => CloseAs(Judge(session, now) ?? CloseReason.IdleTooLong, session));
        lock (_limit.Gate)
        {
            List<IPooledSession> leaked = [.. _sessions.Where(static session => session.IsLeaked)];
            // Another sweep does not find them once more.
            _sessions.ExceptWith(leaked);
            actions.AddRange(leaked.ConvertAll(session => CloseAs(CloseReason.Leaked, session)));
        }

        return actions;
    }

    /// <summary>Reserves a place for a session that is missing below the minimum.</summary>
    public bool TryReserveMissing()
    {
        lock (_limit.Gate)
            return IsBelowMinimum && TryReserve();
    }

    /// <summary>For how long the session has been in use that has been so for longest; 0 when none is.</summary>
    public long LongestUse(long now)
    {
        long longest = 0;
        lock (_limit.Gate)
        {
            foreach (var session in _sessions)
                if (session.Holder is not null)
                    longest = Math.Max(longest, now - session.ChangedAt);
        }

        return longest;
    }

    // ---------------------------------------------------------------- under the lock

    /// <summary>Who gets a session that nobody uses: the waiter of another pool its place, a waiter of this one, or nobody.</summary>
    internal PoolAction Decide(IPooledSession session)
    {
        if (_generation != session.Generation || _isDisposed)
            return CloseAs(Outdated, session);
        if (_limit.Rival(this) is { } rival)
            return CloseAs(CloseReason.Evicted, session) with { Waiter = rival.OpenForFirst().Waiter };
        if (_waiters.First is { } first)
        {
            first.Session = session;
            Leave(first, PoolStep.Hand);
            return new(PoolStep.Hand, session, first, this);
        }

        _idle.Add(session);
        return default;
    }

    /// <summary>Reserves this pool's part of a place for its first waiter.</summary>
    internal PoolAction OpenForFirst()
    {
        var first = _waiters.First!;
        Volatile.Write(ref _total, _total + 1);
        Leave(first, PoolStep.Open);
        return new(PoolStep.Open, null, first, this);
    }

    private bool TryReserve()
    {
        if (!MayGrow || !_limit.TryTake())
            return false;
        Volatile.Write(ref _total, _total + 1);
        return true;
    }

    private void FreePlace()
    {
        Volatile.Write(ref _total, _total - 1);
        _limit.GiveBack();
    }

    private List<Waiter> RefuseAll(long before)
    {
        List<Waiter> refused = [];
        while (_waiters.First is { } first && first.Since < before)
        {
            Leave(first, PoolStep.Refuse);
            refused.Add(first);
        }

        return refused;
    }

    private void Leave(Waiter waiter, PoolStep end)
    {
        waiter.End = end;
        _waiters.Remove(waiter);
        _limit.Left(this);
    }

    private PoolAction CloseAs(CloseReason reason, IPooledSession session) => new(PoolStep.Close, session, null, this, reason);
}
