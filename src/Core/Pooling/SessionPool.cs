using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <summary>
/// Leases sessions. <see cref="PoolState"/> decides which caller gets which session; this class opens, closes and waits. The fast path takes one slot and polls
/// the socket once: no lock, no other I/O, no allocation.
/// </summary>
internal sealed partial class SessionPool<T> : ISessionSource<T>, ISweptPool, IMeteredPool, IPoolOwner where T : class, IPooledSession
{
    // With the runtime's sockets, a socket that has once waited asynchronously makes all later blocking receives nine times as expensive. Blocking callers
    // therefore prefer sessions that never have, and asynchronous callers leave them those as long as the pool can grow.
    private static readonly Func<IPooledSession, int, bool> NeverAsynchronous = static (session, _) => !session.HasWaitedAsynchronously;
    private static readonly Func<IPooledSession, int, bool> OnceAsynchronous = static (session, _) => session.HasWaitedAsynchronously;

    private readonly ISessionFactory<T> _factory;
    private readonly SessionLimit? _limit;
    private readonly PoolState _state;
    private readonly WaitDeadlines _deadlines;
    private readonly PoolCounters _counters = new();
    private bool _hasPreferences;

    /// <param name="factory">Opens sessions.</param>
    /// <param name="limits">Limits of this pool.</param>
    /// <param name="name">Name for messages and metrics.</param>
    /// <param name="limit">Limit shared with other pools; null without one.</param>
    public SessionPool(ISessionFactory<T> factory, PoolLimits limits, string name, SessionLimit? limit = null)
    {
        _factory = factory;
        _limit = limit;
        _state = new(limits, this, limit);
        _deadlines = new(_state);
        Name = name;
        PoolSweeper.Add(this);
    }

    /// <summary>Name for messages and metrics; never contains a secret.</summary>
    public string Name { get; }

    /// <summary>Receives events about opened, closed and leaked sessions, for the log.</summary>
    public IPoolObserver? Observer { get; init; }

    /// <inheritdoc/>
    public T Lease(object holder, long milliseconds)
    {
        var idle = TakeIdle();
        return idle is not null && IsUsable(idle) ? Held(idle, holder) : LeaseSlow(idle, holder, milliseconds);
    }

    /// <inheritdoc/>
    public ValueTask<T> LeaseAsync(object holder, long milliseconds, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<T>(cancellationToken);
        var idle = TakeIdleAsynchronous();
        return idle is not null && IsUsable(idle) ? new(Held(idle, holder)) : LeaseSlowAsync(idle, holder, milliseconds, cancellationToken);
    }

    /// <inheritdoc/>
    public T? TryLease(object holder) => TryHold(TakeIdle(), holder);

    /// <inheritdoc/>
    public T? TryLeaseAsynchronous(object holder) => TryHold(TakeIdleAsynchronous(), holder);

    /// <summary>Leases an idle session for which <paramref name="condition"/> holds, without waiting or opening; null if there is none.</summary>
    /// <param name="holder">The new holder.</param>
    /// <param name="state">Argument for the condition.</param>
    /// <param name="condition">The condition. Other threads may take the session while it is evaluated, so it must not change anything and is only a
    /// preference.</param>
    public T? TryLease<TState>(object holder, TState state, Func<IPooledSession, TState, bool> condition)
    {
        while (_state.TryTake(state, condition) is { } session)
        {
            if (TryHold(session, holder) is { } held)
                return held;
        }

        return null;
    }

    /// <inheritdoc/>
    public void Return(T session)
    {
        session.Holder = null;
        var now = Clock.Now;
        session.ChangedAt = now;
        ReturnSession(session, now);
    }

    /// <inheritdoc/>
    public void Clear()
    {
        _state.Clear();
        Recheck();
    }

    /// <inheritdoc/>
    public bool SharesLimit => _limit is not null;

    /// <inheritdoc/>
    public int Capacity => _state.Limits.MaxSize;

    /// <inheritdoc/>
    public bool HasRoom => _state.Idle > 0 || _state.Total < _state.Limits.MaxSize;

    /// <inheritdoc/>
    public int Load => Math.Max(0, _state.Total - _state.Idle);

    /// <inheritdoc/>
    public void Divert(Exception cause) => Refuse(_state.RefuseWaiters(), cause);

    /// <inheritdoc/>
    public IReadOnlyList<IPooledSession> FindAll() => _state.FindAll();

    /// <inheritdoc/>
    public void Cut<TState>(string because, Func<T, TState, bool> condition, TState state)
    {
        foreach (var session in _state.FindLeased())
            if (condition(Unsafe.As<T>(session), state))
                session.Break(because);
    }

    /// <inheritdoc/>
    public PoolStatistics GetStatistics() => _counters.Report(_state.Limits, _state.Idle, _state.Total, _state.Waiting);

    /// <inheritdoc/>
    public void Dispose()
    {
        PoolSweeper.Remove(this);
        var waiting = _state.Dispose();
        (_factory as IDisposable)?.Dispose();
        Recheck();
        Refuse(waiting, new ObjectDisposedException(Name, "The data source was disposed while a caller waited for a connection."));
    }

    // ---------------------------------------------------------------- leasing

    private T LeaseSlow(IPooledSession? unusable, object holder, long milliseconds)
    {
        var due = Clock.In(milliseconds);
        var action = unusable is null ? _state.Request() : Replace(unusable);
        if (action.Step == PoolStep.Wait)
        {
            using var waiter = new BlockingWaiter();
            Enter(waiter);
            // A session that was assigned just as the time ran out must be taken.
            if (!waiter.Wait(due == Clock.Never ? -1 : (int)Math.Clamp(due - Clock.Now, 0, int.MaxValue)) && !_state.TryCancelWait(waiter))
                waiter.Wait(-1);
            action = Ended(waiter, milliseconds, CancellationToken.None);
        }

        return Held(Taken(action) ?? Open(Left(due), milliseconds, holder), holder);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<T> LeaseSlowAsync(IPooledSession? unusable, object holder, long milliseconds, CancellationToken cancellationToken)
    {
        var due = Clock.In(milliseconds);
        var action = unusable is null ? _state.Request(_hasPreferences ? OnceAsynchronous : null) : Replace(unusable);
        if (action.Step == PoolStep.Wait)
        {
            _deadlines.Watch();
            var waiter = new AsyncWaiter(_state, due);
            Enter(waiter);
            _deadlines.Add(due);
            await waiter.WaitAsync(cancellationToken).ConfigureAwait(false);
            action = Ended(waiter, milliseconds, cancellationToken);
        }

        return Held(Taken(action) ?? await OpenAsync(Left(due), milliseconds, holder, cancellationToken).ConfigureAwait(false), holder);
    }

    private IPooledSession? TakeIdle() => (_hasPreferences ? _state.TryTake(0, NeverAsynchronous) : null) ?? _state.TryTake();

    private IPooledSession? TakeIdleAsynchronous() => _hasPreferences ? _state.TryTake(0, OnceAsynchronous) : _state.TryTake();

    private T? TryHold(IPooledSession? idle, object holder)
    {
        if (idle is null)
            return null;
        if (IsUsable(idle))
            return Held(idle, holder);
        Perform(Close(idle, Unusable(idle)));
        return null;
    }

    private static long Left(long due) => due == Clock.Never ? 0 : Math.Max(1, due - Clock.Now);

    private static T Held(IPooledSession session, object holder)
    {
        session.ChangedAt = Clock.Now;
        session.Holder = holder;
        return Unsafe.As<T>(session);
    }

    // Last check before a lease: the pool may have been cleared while the session was on its way to the place where it was taken.
    private bool IsUsable(IPooledSession session) => session.Generation == _state.Generation && session.IsAliveAt(Clock.Precise);

    private CloseReason Unusable(IPooledSession session) => session.Generation == _state.Generation ? CloseReason.Dead : _state.Outdated;

    // The session that the caller got; null if it must open one.
    private T? Taken(PoolAction action)
    {
        while (action.Step == PoolStep.Hand && !IsUsable(action.Session!))
            action = Replace(action.Session!);
        return action.Step != PoolStep.Refuse ? Unsafe.As<T?>(action.Session) : throw DisposedSource.Refuse(Name);
    }

    private PoolAction Replace(IPooledSession unusable)
    {
        CloseSession(unusable, Unusable(unusable));
        var action = _state.Replace(unusable);
        if (action.Step != PoolStep.Open)
            _state.ExecutePending();
        return action;
    }

    // ---------------------------------------------------------------- opening

    private T Open(long milliseconds, long ofMilliseconds, object? holder)
    {
        T session;
        var attempt = new Attempt(Clock.Now, milliseconds, ofMilliseconds);
        // Read before opening: if the pool is cleared in the meantime, this session may belong to what was cleared.
        var generation = _state.Generation;
        try
        {
            session = _factory.Open(milliseconds, holder);
        }
        catch (Exception exception)
        {
            OpenFailed(exception, attempt);
            throw;
        }

        return Adopt(session, generation);
    }

    private async ValueTask<T> OpenAsync(long milliseconds, long ofMilliseconds, object? holder, CancellationToken cancellationToken)
    {
        T session;
        var attempt = new Attempt(Clock.Now, milliseconds, ofMilliseconds);
        var generation = _state.Generation;
        try
        {
            session = await _factory.OpenAsync(milliseconds, holder, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            OpenFailed(exception, attempt);
            throw;
        }

        return Adopt(session, generation);
    }

    private T Adopt(T session, int generation)
    {
        session.Generation = generation;
        if (!session.SupportsMixedWaits)
            _hasPreferences = true;
        if (_state.Opened(session))
            _state.ExecutePending();
        _counters.Opened();
        Observer?.Opened(Name);
        return session;
    }

    // If the server cannot be reached, the waiters are refused with the cause: waiting longer would only lead to time-outs. A server that refuses may have come
    // back since the attempt began, so only the waiters from before that are refused. A time-out of a caller whose wait had already used most of its time says
    // nothing about the server.
    private void OpenFailed(Exception exception, in Attempt attempt)
    {
        _counters.OpenFailed();
        var before = (exception as WireException)?.Failure switch
        {
            WireFailure.Refused or WireFailure.Unreachable or WireFailure.UnknownHost => attempt.Began,
            WireFailure.TimedOut when attempt.Milliseconds >= attempt.OfMilliseconds / 2 => long.MaxValue,
            _ => long.MinValue,
        };
        Refuse(_state.OpenFailed(before), exception);
        _state.ExecutePending();
    }

    // Start of the attempt, its time limit, and the time that its caller had when it began to wait.
    private readonly record struct Attempt(long Began, long Milliseconds, long OfMilliseconds);

    // ---------------------------------------------------------------- giving back

    private void ReturnSession(T session, long now)
    {
        if ((session.IsBroken ? CloseReason.Broken : _state.FindCloseReason(session, now)) is { } reason)
            Perform(Close(session, reason));
        else if (_state.HasWaiters)
            Perform(_state.Return(session));
        else
        {
            _state.Park(session);
            if (_state.MustRecheck(session))
                Recheck();
        }
    }

    // Also after parking: a caller may have begun to wait, or the pool may have been cleared or disposed, after the session was judged. No other thread would
    // notice.
    private void Recheck()
    {
        _state.TakeOutdated().ForEach(Perform);
        _state.ExecutePending();
    }

    // ---------------------------------------------------------------- carrying out

    private PoolAction Close(IPooledSession session, CloseReason reason) => new(PoolStep.Close, session, null, _state, reason);

    private void Perform(PoolAction action)
    {
        if (action.Step == PoolStep.None)
            return;
        ((IPoolOwner)this).Execute(action);
        if (action.Step == PoolStep.Close)
            _state.ExecutePending();
    }

    void IPoolOwner.Execute(in PoolAction action)
    {
        if (action.Step == PoolStep.Close)
        {
            CloseSession(action.Session!, action.Reason);
            _state.Closed(action);
        }

        action.Waiter?.Wake();
    }

    private void CloseSession(IPooledSession session, CloseReason reason)
    {
        session.Close();
        _counters.Closed(reason);
        try
        {
            if (reason == CloseReason.Leaked)
                Observer?.Leaked(Name);
            Observer?.Closed(Name, reason);
        }
        catch (Exception)
        {
            // An exception of the logger would withhold the session's place from its waiter.
        }
    }
}
