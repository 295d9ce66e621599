using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <summary>
/// Leases sessions. The fast path is one slot and one look at the socket: no lock, no I/O, no allocation. Two shelves, because a socket
/// that has waited asynchronously once makes blocking receives nine times as expensive for ever: synchronous callers prefer the one whose
/// sessions never did, asynchronous callers take from it only when the pool cannot grow.
/// </summary>
public sealed partial class SessionPool<T> : ISessionSource<T>, ISweptPool, IMeteredPool, ILimitedPool where T : class, IPooledSession
{
    private readonly ISessionFactory<T> _factory;
    private readonly PoolState _state;
    private readonly PoolCounters _counters = new();
    private readonly IdleShelf<T> _neverAsync;
    private readonly IdleShelf<T> _onceAsync;
    private readonly Lock _gate = new();
    private readonly WaiterQueue<T> _waiters = new();
    private readonly HashSet<T> _sessions = [];
    private readonly SessionLimit? _limit;
    private volatile bool _disposed;

    /// <param name="factory">Opens sessions.</param>
    /// <param name="limits">What this pool may do.</param>
    /// <param name="name">For messages and metrics.</param>
    /// <param name="limit">What it may do together with others; null when it is alone.</param>
    public SessionPool(ISessionFactory<T> factory, PoolLimits limits, string name, SessionLimit? limit = null)
    {
        _factory = factory;
        _state = new PoolState(limits);
        _neverAsync = new(limits.MaxSize);
        _onceAsync = new(limits.MaxSize);
        Name = name;
        _limit = limit;
        limit?.Add(this);
        PoolSweeper.Add(this);
    }

    /// <summary>For messages and metrics; never holds a secret.</summary>
    public string Name { get; }

    /// <summary>Told about sessions opened, closed and leaked, for the log.</summary>
    public IPoolObserver? Observer { get; init; }

    /// <inheritdoc/>
    public T Lease(object holder, long milliseconds)
    {
        return Held(TakeUsable(_neverAsync) ?? TakeUsable(_onceAsync) ?? LeaseSlow(holder, milliseconds), holder);
    }

    /// <inheritdoc/>
    public ValueTask<T> LeaseAsync(object holder, long milliseconds, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<T>(cancellationToken);
        return TakeUsable(_onceAsync) is { } session ? new(Held(session, holder)) : LeaseSlowAsync(holder, milliseconds, cancellationToken);
    }

    /// <summary>Leases an idle session for which <paramref name="condition"/> holds, without waiting or opening; null when there is none.</summary>
    /// <param name="holder">Who leases it.</param>
    /// <param name="asynchronous">Who leases it waits asynchronously.</param>
    /// <param name="state">Handed to the condition.</param>
    /// <param name="condition">Asked while others may take the session: it changes nothing, and is a wish only.</param>
    public T? TryLease<TState>(object holder, bool asynchronous, TState state, Func<T, TState, bool> condition)
    {
        while (((asynchronous ? null : _neverAsync.TryTake(state, condition)) ?? _onceAsync.TryTake(state, condition)) is { } session)
        {
            if (IsUsable(session))
                return Held(session, holder);
        }

        return null;
    }

    /// <inheritdoc/>
    public void Return(T session)
    {
        session.Holder = null;
        var now = Clock.Now;
        session.ChangedAt = now;
        var reason = session.IsBroken ? CloseReason.Broken
            : _disposed ? CloseReason.Disposed
            : _state.MustGo(now, session.OpenedAt, now, session.Generation, Jitter(session));
        if (reason is { } gone)
            Close(session, gone);
        else
            Shelve(session);
    }

    /// <inheritdoc/>
    public void Clear()
    {
        _state.Clear();
        CloseIdle(static (_, _) => true, CloseReason.Cleared);
    }

    /// <inheritdoc/>
    public PoolStatistics GetStatistics() => _counters.Report(_state.Limits, _neverAsync.Count + _onceAsync.Count, _state.Total, _waiters.Count);

    /// <inheritdoc/>
    public void Dispose()
    {
        _disposed = true;
        PoolSweeper.Remove(this);
        // What is on its way to a shelf just now is not leased from there.
        _state.Clear();
        (_factory as IDisposable)?.Dispose();
        CloseIdle(static (_, _) => true, CloseReason.Disposed);
        // What is leased still gives its places back.
        _limit?.Remove(this);
        _waiters.FailAll(DisposedMeanwhile());
    }

    // ---------------------------------------------------------------- taking

    private T? TakeUsable(IdleShelf<T> shelf)
    {
        while (shelf.TryTake() is { } session)
            if (IsUsable(session))
                return session;
        return null;
    }

    // The last look before a lease: the pool may have been cleared while the session was on its way to where it was taken from. What is not usable is closed.
    private bool IsUsable(T session)
    {
        var isCurrent = session.Generation == _state.Generation;
        if (isCurrent && session.IsAlive)
            return true;
        Close(session, isCurrent ? CloseReason.Dead : Outdated);
        return false;
    }

    private CloseReason Outdated => _disposed ? CloseReason.Disposed : CloseReason.Cleared;

    private T LeaseSlow(object holder, long milliseconds)
    {
        var due = Clock.In(milliseconds);
        var began = Clock.Now;
        var hasPlace = false;
        while (true)
        {
            ThrowIfDisposed(hasPlace);
            if (TryReserve(hasPlace))
                return OpenReserved(Left(due), milliseconds, holder);
            using var waiter = new BlockingWaiter<T>(holder) { Since = began };
            if ((Enqueue(waiter, asynchronous: false) ?? (waiter.Wait(WaitTime(due)) || !waiter.TryGiveUp() ? Given(waiter) : TimedOut(waiter, milliseconds))) is { } session)
            {
                _counters.Waited(Clock.Now - began);
                return session;
            }

            hasPlace = waiter.HasPlace;
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<T> LeaseSlowAsync(object holder, long milliseconds, CancellationToken cancellationToken)
    {
        var due = Clock.In(milliseconds);
        var began = Clock.Now;
        var hasPlace = false;
        while (true)
        {
            ThrowIfDisposed(hasPlace);
            if (TryReserve(hasPlace))
                return Held(await OpenReservedAsync(Left(due), milliseconds, holder, cancellationToken).ConfigureAwait(false), holder);
            if (TakeUsable(_neverAsync) is { } idle)
                return Held(idle, holder);

            var waiter = new AsyncWaiter<T>(holder, due) { Since = began };
            if (Enqueue(waiter, asynchronous: true) is not { } session)
            {
                if (!await waiter.WaitAsync(cancellationToken).ConfigureAwait(false))
                {
                    if (cancellationToken.IsCancellationRequested)
                    {
                        Remove(waiter);
                        throw new OperationCanceledException("Waiting for a pooled connection was cancelled.", cancellationToken);
                    }

                    TimedOut(waiter, milliseconds);
                }

                session = Given(waiter);
            }

            if (session is null)
            {
                hasPlace = waiter.HasPlace;
                continue;
            }

            _counters.Waited(Clock.Now - began);
            return Held(session, holder);
        }
    }

    private static T Held(T session, object holder)
    {
        session.ChangedAt = Clock.Now;
        session.Holder = holder;
        return session;
    }

    // A session given to a waiter that had just been taken by somebody else does not happen: giving and giving up exclude each other.
    private T? Given(Waiter<T> waiter)
    {
        _limit?.End(waiter);
        if (waiter.Failure is { } failure)
            throw failure;
        return waiter.Session is { } session && IsUsable(session) ? session : null;
    }

    // ---------------------------------------------------------------- opening

    private T OpenReserved(long milliseconds, long ofMilliseconds, object? holder)
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

    private async ValueTask<T> OpenReservedAsync(long milliseconds, long ofMilliseconds, object? holder, CancellationToken cancellationToken)
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
        _counters.Opened();
        lock (_gate)
            _sessions.Add(session);
        Observer?.Opened(Name);
        return session;
    }

    // A server that cannot be reached fails those who wait with the cause: waiting longer would only turn it into time-outs. One that refuses may have come
    // back since the attempt began: who came later hears of a later one. And that somebody who had waited already found too little time left says nothing about
    // the server.
    private void OpenFailed(Exception exception, in Attempt attempt)
    {
        _state.Release();
        _limit?.GiveBack();
        _counters.OpenFailed();
        switch ((exception as WireException)?.Failure)
        {
            case WireFailure.Refused or WireFailure.Unreachable or WireFailure.UnknownHost:
                _waiters.FailAll(exception, attempt.Began);
                break;
            case WireFailure.TimedOut when attempt.Milliseconds >= attempt.OfMilliseconds / 2:
                _waiters.FailAll(exception);
                break;
        }

        _waiters.TryGive(null);
    }

    // When it began, the time that it has, and what its caller had when he began to wait.
    private readonly record struct Attempt(long Began, long Milliseconds, long OfMilliseconds);

    // ---------------------------------------------------------------- giving back

    private void Shelve(T session)
    {
        if (_limit is { Waiting: > 0 } && TryYield(session))
            return;
        if (_waiters.TryGive(session))
            return;
        if (!ShelfOf(session).TryGive(session))
        {
            Close(session, CloseReason.Broken);
            return;
        }

        // Somebody may have begun to wait after the look above and before the session lay on the shelf. The exchange in TryGive is the fence.
        // Again and again, because somebody else may while the one has gone for whom it was taken from there.
        while (_waiters.Count > 0 && (_neverAsync.TryTake() ?? _onceAsync.TryTake()) is { } again)
            if (!_waiters.TryGive(again))
                ShelfOf(again).TryGive(again);
        if (_limit is { Waiting: > 0 })
            TryEvictForOthers();
        // Cleared, or disposed of, after the look in Return and before it lay there: nobody else would look.
        if (session.Generation != _state.Generation)
            CloseIdle(static (each, pool) => each.Generation != pool._state.Generation, Outdated);
    }

    // Synchronous callers look on both shelves, asynchronous ones on this: what suits both lies here.
    private IdleShelf<T> ShelfOf(T session) => session.HasWaitedAsynchronously || session.SuitsBothWays ? _onceAsync : _neverAsync;

    private void Close(T session, CloseReason reason)
    {
        Forget(session, reason);
        _limit?.GiveBack();
        _waiters.TryGive(null);
    }

    private void Forget(T session, CloseReason reason)
    {
        session.Close();
        lock (_gate)
            _sessions.Remove(session);
        _state.Release();
        _counters.Closed(reason);
        Observer?.Closed(Name, reason);
    }

    // ---------------------------------------------------------------- waiting

    private static long Left(long due) => due == Clock.Never ? 0 : Math.Max(1, due - Clock.Now);

    private static int WaitTime(long due) => due == Clock.Never ? -1 : (int)Math.Clamp(due - Clock.Now, 0, int.MaxValue);

    private static double Jitter(T session) => (session.OpenedAt * 2654435761 & 0xFFFF) / 65536.0;
}
