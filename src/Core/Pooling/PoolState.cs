namespace Slipstream.Core.Pooling;

/// <summary>
/// Makes all decisions for one pool. It owns the idle sessions, the waiters, the number of sessions and the generation, and shares a limit with other pools.
/// Each event is a method that receives the time and returns the action to take. The class itself opens, closes and wakes nothing, and knows neither threads
/// nor a clock. Decisions are made under the lock of the limit. Outside that lock, <see cref="TryTake"/> and <see cref="Park"/> hand sessions on without
/// a lock; a thread that has parked a session then checks whether a caller has begun to wait in the meantime (<see cref="MustRecheck"/>).
/// </summary>
internal sealed class PoolState
{
    private readonly SessionLimit _limit;
    private readonly IdleList _idle;
    private readonly WaiterQueue _waiters = new();
    private readonly HashSet<IPooledSession> _sessions = [];
    private int _total;
    private int _opening;
    private int _generation;
    private bool _isDisposed;

    /// <param name="limits">Limits of this pool.</param>
    /// <param name="owner">Carries out the decisions.</param>
    /// <param name="limit">Limit shared with other pools; null without one.</param>
    public PoolState(PoolLimits limits, IPoolOwner owner, SessionLimit? limit = null)
    {
        Limits = limits;
        Owner = owner;
        _idle = new(limits.MaxSize);
        _limit = limit ?? new(int.MaxValue);
        _limit.Add(this);
    }

    /// <summary>Limits of this pool.</summary>
    public PoolLimits Limits { get; }

    /// <summary>Carries out the decisions.</summary>
    public IPoolOwner Owner { get; }

    /// <summary>Number of sessions that are open or being opened.</summary>
    public int Total => Volatile.Read(ref _total);

    /// <summary>Number of sessions that are being opened.</summary>
    public int Opening => Volatile.Read(ref _opening);

    /// <summary>Number of idle sessions.</summary>
    public int Idle => _idle.Count;

    /// <summary>Number of waiting callers.</summary>
    public int Waiting => _waiters.Count;

    /// <summary>Increases when the pool is cleared: sessions of earlier generations are closed.</summary>
    public int Generation => Volatile.Read(ref _generation);

    /// <summary>Whether the pool has been disposed.</summary>
    public bool IsDisposed => Volatile.Read(ref _isDisposed);

    /// <summary>The reason for closing sessions of an earlier generation.</summary>
    public CloseReason Outdated => IsDisposed ? CloseReason.Disposed : CloseReason.Cleared;

    /// <summary>Whether the pool has fewer sessions than its minimum.</summary>
    public bool IsBelowMinimum => Total < Limits.MinSize && !IsDisposed;

    // Used by the limit, under its lock.
    internal Waiter? FirstWaiter => _waiters.First;

    internal bool MayGrow => _total < Limits.MaxSize && _opening < Limits.MaxOpening;

    // ---------------------------------------------------------------- without the lock

    /// <summary>Takes an idle session; null if there is none.</summary>
    public IPooledSession? TryTake() => _idle.TryTake();

    /// <summary>
    /// Takes an idle session for which a condition holds; null if there is none. Other threads may take the session while the condition is evaluated.
    /// </summary>
    public IPooledSession? TryTake<TState>(TState state, Func<IPooledSession, TState, bool> condition) => _idle.TryTake(state, condition);

    /// <summary>Decides whether a returned or idle session must be closed. Returns the reason, or null to keep it.</summary>
    /// <param name="session">The session.</param>
    /// <param name="now">The time.</param>
    /// <param name="going">Number of the sessions in the total that are being closed already: the rest must reach the minimum.</param>
    public CloseReason? FindCloseReason(IPooledSession session, long now, int going = 0)
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

    /// <summary>
    /// A factor from 0 to 1, derived from the time of opening. It spreads the end of sessions opened together over the last 10 % of their lifetime.
    /// </summary>
    internal static double Jitter(long openedAt) => (openedAt * 2654435761 & 0xFFFF) / 65536.0;

    /// <summary>Whether a caller waits, in this pool or in one with the same limit. Then sessions are returned by <see cref="Return"/>.</summary>
    public bool HasWaiters => _limit.HasWaiters;

    /// <summary>Adds a session to the idle ones, while no caller waits.</summary>
    public void Park(IPooledSession session) => _idle.Add(session);

    /// <summary>
    /// Whether a caller began to wait, or the pool was cleared, while a session was being parked. Then <see cref="TakeOutdated"/> and
    /// <see cref="SessionLimit.Next"/> must follow. Parking is a full fence, and so is beginning to wait: at least one of the two threads sees the other.
    /// </summary>
    public bool MustRecheck(IPooledSession session) => _limit.HasWaiters || Generation != session.Generation;

    // ---------------------------------------------------------------- a caller

    /// <summary>Handles a caller's request for a session. The caller gets one, may open one, waits, or is refused.</summary>
    /// <param name="condition">The preferred kind of session, unless the pool cannot grow; null for any.</param>
    public PoolAction Request(Func<IPooledSession, int, bool>? condition = null)
    {
        lock (_limit.Gate)
        {
            if (_isDisposed)
                return new(PoolStep.Refuse);
            if ((condition is null ? _idle.TryTake() : _idle.TryTake(0, condition)) is { } suitable)
                return new(PoolStep.Hand, suitable);
            if (TryReserve())
                return new(PoolStep.Open);
            return condition is not null && _idle.TryTake() is { } any ? new(PoolStep.Hand, any) : new(PoolStep.Wait);
        }
    }

    /// <summary>Adds a waiter. Returns false if the pool has been disposed. Afterwards <see cref="SessionLimit.Next"/> must be carried out.</summary>
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

    /// <summary>Removes a waiter whose wait is cancelled. Returns false if the wait has ended already: then its result must be taken.</summary>
    public bool TryCancelWait(Waiter waiter)
    {
        lock (_limit.Gate)
        {
            if (waiter.End != PoolStep.Wait)
                return false;
            Leave(waiter, PoolStep.None);
            return true;
        }
    }

    /// <summary>Ends the waits that have timed out. <paramref name="next"/> is the deadline of the next one.</summary>
    public List<Waiter> Expire(long now, out long next)
    {
        List<Waiter> late = [];
        next = long.MaxValue;
        lock (_limit.Gate)
        {
            for (var waiter = _waiters.First; waiter is not null;)
            {
                var following = waiter.Next;
                if (waiter.Due <= now)
                {
                    Leave(waiter, PoolStep.None);
                    late.Add(waiter);
                }
                else
                    next = Math.Min(next, waiter.Due);
                waiter = following;
            }
        }

        return late;
    }

    /// <summary>
    /// Handles a session that turned out to be unusable after the caller got it, and that has been closed. The caller gets another one, opens one in its place,
    /// or is refused.
    /// </summary>
    public PoolAction Replace(IPooledSession session)
    {
        lock (_limit.Gate)
        {
            _sessions.Remove(session);
            var other = _isDisposed ? null : _idle.TryTake();
            if (other is null && !_isDisposed)
            {
                // In the place of the unusable session, whatever else is being opened.
                _opening++;
                return new(PoolStep.Open);
            }

            FreePlace();
            return other is null ? new(PoolStep.Refuse) : new(PoolStep.Hand, other);
        }
    }

    /// <inheritdoc cref="SessionLimit.ExecutePending"/>
    public void ExecutePending() => _limit.ExecutePending();

    // ---------------------------------------------------------------- sessions

    /// <summary>
    /// Adds a session that a caller has opened in a reserved place. If it returns true, another caller may open one: <see cref="SessionLimit.Next"/> must
    /// follow.
    /// </summary>
    public bool Opened(IPooledSession session)
    {
        lock (_limit.Gate)
        {
            _opening--;
            _sessions.Add(session);
            return _waiters.First is not null;
        }
    }

    /// <summary>
    /// Frees the place of a session that could not be opened. Returns the waiters to be refused with the same cause: those that began to wait before
    /// <paramref name="before"/>.
    /// </summary>
    public List<Waiter> OpenFailed(long before)
    {
        lock (_limit.Gate)
        {
            _opening--;
            FreePlace();
            return RefuseAll(before);
        }
    }

    /// <summary>Ends the waits of all callers. Returns the waiters to be refused.</summary>
    public List<Waiter> RefuseWaiters()
    {
        lock (_limit.Gate)
            return RefuseAll(long.MaxValue);
    }

    /// <summary>Returns the open sessions at this moment.</summary>
    public List<IPooledSession> FindAll()
    {
        lock (_limit.Gate)
            return [.. _sessions];
    }

    /// <summary>Returns the sessions that are leased at this moment.</summary>
    public List<IPooledSession> FindLeased()
    {
        lock (_limit.Gate)
            return [.. _sessions.Where(static session => session.Holder is not null)];
    }

    /// <summary>Handles the return of a usable session while callers wait: it goes to a waiter, is closed for a waiter of another pool, or is kept.</summary>
    public PoolAction Return(IPooledSession session)
    {
        lock (_limit.Gate)
            return Decide(session);
    }

    /// <summary>Removes a session that has been closed as decided.</summary>
    public void Closed(in PoolAction action)
    {
        lock (_limit.Gate)
        {
            _sessions.Remove(action.Session!);
            // Under the common limit, its place now belongs to the waiter for whom it was closed.
            if (action.Waiter is null)
                FreePlace();
            else
                Volatile.Write(ref _total, _total - 1);
        }
    }

    // ---------------------------------------------------------------- the pool as a whole

    /// <summary>Begins a new generation. Idle sessions of earlier ones are closed by <see cref="TakeOutdated"/>, the others when they are returned.</summary>
    public void Clear() => Interlocked.Increment(ref _generation);

    /// <summary>
    /// Disposes the pool, which then provides no sessions. Returns the waiters to be refused. Sessions are closed as after <see cref="Clear"/>.
    /// </summary>
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

    /// <summary>Takes the idle sessions of earlier generations, to be closed.</summary>
    public List<PoolAction> TakeOutdated()
    {
        List<IPooledSession> taken = [];
        _idle.TakeAll(this, static (session, pool) => pool.Generation != session.Generation, taken);
        return taken.ConvertAll(session => CloseAs(Outdated, session));
    }

    /// <summary>Returns the sessions to be closed at this time: those idle for too long, too old, or leaked.</summary>
    public List<PoolAction> Sweep(long now)
    {
        List<IPooledSession> gone = [];
        _idle.TakeAll(now, (session, time) => FindCloseReason(session, time, gone.Count) is not null, gone);
        var actions = gone.ConvertAll(session => CloseAs(FindCloseReason(session, now) ?? CloseReason.IdleTooLong, session));
        lock (_limit.Gate)
        {
            List<IPooledSession> leaked = [.. _sessions.Where(static session => session.IsLeaked)];
            // The next sweep must not find them again.
            _sessions.ExceptWith(leaked);
            actions.AddRange(leaked.ConvertAll(session => CloseAs(CloseReason.Leaked, session)));
        }

        return actions;
    }

    /// <summary>Reserves a place for a session if the pool is below its minimum.</summary>
    public bool TryReserveMissing()
    {
        lock (_limit.Gate)
            return IsBelowMinimum && TryReserve();
    }

    /// <summary>Longest time, in milliseconds, that a session has been in use without a break; 0 if none is.</summary>
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

    /// <summary>Decides who gets a free session: a waiter of another pool (its place), a waiter of this pool, or the idle list.</summary>
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

    /// <summary>Reserves a place in this pool for its first waiter.</summary>
    internal PoolAction OpenForFirst()
    {
        var first = _waiters.First!;
        _opening++;
        Volatile.Write(ref _total, _total + 1);
        Leave(first, PoolStep.Open);
        return new(PoolStep.Open, null, first, this);
    }

    private bool TryReserve()
    {
        if (!MayGrow || !_limit.TryTake())
            return false;
        _opening++;
        Volatile.Write(ref _total, _total + 1);
        return true;
    }

    private void FreePlace()
    {
        Volatile.Write(ref _total, _total - 1);
        _limit.Release();
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
