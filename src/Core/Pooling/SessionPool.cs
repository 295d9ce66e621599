using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <summary>
/// Leases sessions. <see cref="PoolState"/> decides who gets which session; this opens, closes and waits. The fast path is one slot and one look at the socket:
/// no lock, no I/O, no allocation.
/// </summary>
internal sealed partial class SessionPool<T> : ISessionSource<T>, ISweptPool, IMeteredPool, IPoolOwner where T : class, IPooledSession
{
    // Where a socket that has waited asynchronously once makes blocking receives nine times as expensive for ever (the runtime's sockets), blocking callers
    // prefer sessions that never have, and asynchronous callers leave them those as long as the pool can grow.
    private static readonly Func<IPooledSession, int, bool> NeverAsynchronous = static (session, _) => !session.HasWaitedAsynchronously;
    private static readonly Func<IPooledSession, int, bool> OnceAsynchronous = static (session, _) => session.HasWaitedAsynchronously;

    private readonly ISessionFactory<T> _factory;
    private readonly SessionLimit? _limit;
    private readonly PoolState _state;
    private readonly WaitDeadlines _deadlines;
    private readonly PoolCounters _counters = new();
    private bool _hasPreferences;

    /// <param name="factory">Opens sessions.</param>
    /// <param name="limits">What this pool may do.</param>
    /// <param name="name">For messages and metrics.</param>
    /// <param name="limit">What it may do together with others; null when it is alone.</param>
    public SessionPool(ISessionFactory<T> factory, PoolLimits limits, string name, SessionLimit? limit = null)
    {
        _factory = factory;
        _limit = limit;
        _state = new(limits, this, limit);
        _deadlines = new(_state);
        Name = name;
        PoolSweeper.Add(this);
    }

    /// <summary>For messages and metrics; never holds a secret.</summary>
    public string Name { get; }

    /// <summary>Told about sessions opened, closed and leaked, for the log.</summary>
    public IPoolObserver? Observer { get; init; }

    /// <inheritdoc/>
    public T Lease(object holder, long milliseconds)
    {
        var idle = (_hasPreferences ? _state.TryTake(0, NeverAsynchronous) : null) ?? _state.TryTake();
        return idle is not null && IsUsable(idle) ? Held(idle, holder) : LeaseSlow(idle, holder, milliseconds);
    }

    /// <inheritdoc/>
    public ValueTask<T> LeaseAsync(object holder, long milliseconds, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<T>(cancellationToken);
        var idle = _hasPreferences ? _state.TryTake(0, OnceAsynchronous) : _state.TryTake();
        return idle is not null && IsUsable(idle) ? new(Held(idle, holder)) : LeaseSlowAsync(idle, holder, milliseconds, cancellationToken);
    }

    /// <summary>Leases an idle session for which <paramref name="condition"/> holds, without waiting or opening; null when there is none.</summary>
    /// <param name="holder">Who leases it.</param>
    /// <param name="state">Handed to the condition.</param>
    /// <param name="condition">Asked while others may take the session: it changes nothing, and is a wish only.</param>
    public T? TryLease<TState>(object holder, TState state, Func<IPooledSession, TState, bool> condition)
    {
        while (_state.TryTake(state, condition) is { } session)
        {
            if (IsUsable(session))
                return Held(session, holder);
            Perform(Close(session, Unusable(session)));
        }

        return null;
    }

    /// <inheritdoc/>
    public void Return(T session)
    {
        session.Holder = null;
        var now = Clock.Now;
        session.ChangedAt = now;
        GiveBack(session, now);
    }

    /// <inheritdoc/>
    public void Clear()
    {
        _state.Clear();
        Look();
    }

    /// <inheritdoc/>
    public PoolStatistics GetStatistics() => _counters.Report(_state.Limits, _state.Idle, _state.Total, _state.Waiting);

    /// <inheritdoc/>
    public void Dispose()
    {
        PoolSweeper.Remove(this);
        var waiting = _state.Dispose();
        (_factory as IDisposable)?.Dispose();
        Look();
        Refuse(waiting, new ObjectDisposedException(Name, "The data source was disposed while a caller waited for a connection."));
    }

    // ---------------------------------------------------------------- leasing

    private T LeaseSlow(IPooledSession? unusable, object holder, long milliseconds)
    {
        var due = Clock.In(milliseconds);
        var action = unusable is null ? _state.Ask() : Replace(unusable);
        if (action.Step == PoolStep.Wait)
        {
            using var waiter = new BlockingWaiter();
            Enter(waiter);
            // What is given in the moment in which the time runs out must be taken, when it is ready.
            if (!waiter.Wait(due == Clock.Never ? -1 : (int)Math.Clamp(due - Clock.Now, 0, int.MaxValue)) && !_state.GiveUp(waiter))
                waiter.Wait(-1);
            action = Ended(waiter, milliseconds, CancellationToken.None);
        }

        return Held(Taken(action) ?? Open(Left(due), milliseconds, holder), holder);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<T> LeaseSlowAsync(IPooledSession? unusable, object holder, long milliseconds, CancellationToken cancellationToken)
    {
        var due = Clock.In(milliseconds);
        var action = unusable is null ? _state.Ask(_hasPreferences ? OnceAsynchronous : null) : Replace(unusable);
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

    private static long Left(long due) => due == Clock.Never ? 0 : Math.Max(1, due - Clock.Now);

    private static T Held(IPooledSession session, object holder)
    {
        session.ChangedAt = Clock.Now;
        session.Holder = holder;
        return Unsafe.As<T>(session);
    }

    // The last look before a lease: the pool may have been cleared while the session was on its way to where it was taken from.
    private bool IsUsable(IPooledSession session) => session.Generation == _state.Generation && session.IsAlive;

    private CloseReason Unusable(IPooledSession session) => session.Generation == _state.Generation ? CloseReason.Dead : _state.Outdated;

    // The session that the caller got; null when the caller shall open one.
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
            _state.Settle();
        return action;
    }

    // ---------------------------------------------------------------- opening

    private T Open(long milliseconds, long ofMilliseconds, object? holder)
    {
        T session;
        var attempt = new Attempt(Clock.Now, milliseconds, ofMilliseconds);
        // Before it is opened: what is cleared meanwhile may be what this session is with.
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
        if (!session.SuitsBothWays)
            _hasPreferences = true;
        _state.Opened(session);
        _counters.Opened();
        Observer?.Opened(Name);
        return session;
    }

    // A server that cannot be reached fails those who wait with the cause: waiting longer would only turn it into time-outs. One that refuses may have come
    // back since the attempt began: who came later hears of a later one. And that somebody who had waited already found too little time left says nothing about
    // the server.
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
        _state.Settle();
    }

    // When it began, the time that it has, and what its caller had when he began to wait.
    private readonly record struct Attempt(long Began, long Milliseconds, long OfMilliseconds);

    // ---------------------------------------------------------------- giving back

    private void GiveBack(T session, long now)
    {
        if ((session.IsBroken ? CloseReason.Broken : _state.Judge(session, now)) is { } reason)
            Perform(Close(session, reason));
        else if (_state.HasWaiters)
            Perform(_state.Give(session));
        else
        {
            _state.Park(session);
            if (_state.MustLook(session))
                Look();
        }
    }

    // After a session was parked, too: somebody began to wait, or the pool was cleared or disposed, after it was judged, and nobody else would look.
    private void Look()
    {
        _state.TakeOutdated().ForEach(Perform);
        _state.Settle();
    }

    // ---------------------------------------------------------------- carrying out

    private PoolAction Close(IPooledSession session, CloseReason reason) => new(PoolStep.Close, session, null, _state, reason);

    private void Perform(PoolAction action)
    {
        if (action.Step == PoolStep.None)
            return;
        ((IPoolOwner)this).Carry(action);
        if (action.Step == PoolStep.Close)
            _state.Settle();
    }

    void IPoolOwner.Carry(in PoolAction action)
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
            // A log that throws here would keep the session's place from whoever waits for it.
        }
    }
}
