using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <summary>Ends the waits of callers that do not look at the clock themselves, when their time has run out.</summary>
internal sealed class WaitDeadlines(PoolState state) : IDeadlined
{
    // The sweeper holds on to nothing: without this a pool that only its waiters still know would be garbage, and they with it, instead of hearing that their
    // time is over.
    private static readonly HashSet<WaitDeadlines> Timed = [];

    private readonly Lock _gate = new();
    private long _due = Clock.Never;
    private bool _isWatched;

    // Not later than the earliest; at once when there was one and all have gone, so that the sweeper need not look any more.
    long IDeadlined.Due => Volatile.Read(ref _due) is var due && due != Clock.Never && state.Waiting == 0 ? 0 : due;

    /// <summary>Before anyone waits.</summary>
    /// <exception cref="Errors.WireException">The end of a wait could not be told: what that needs cannot be started.</exception>
    public void Watch()
    {
        if (Volatile.Read(ref _isWatched))
            return;
        lock (_gate)
        {
            if (!_isWatched)
                Deadlines.Watch(this);
            Volatile.Write(ref _isWatched, true);
        }
    }

    /// <summary>A waiter has entered the queue, for which this is the time.</summary>
    public void Add(long due)
    {
        lock (_gate)
        {
            if (due < _due)
                SetDue(due);
        }

        if (due != Clock.Never)
            Deadlines.Noticed();
    }

    void IDeadlined.Expire(long now)
    {
        List<Waiter> late;
        lock (_gate)
        {
            late = state.Expire(now, out var next);
            SetDue(next);
        }

        foreach (var waiter in late)
            waiter.Wake();
    }

    private void SetDue(long due)
    {
        if (_due == Clock.Never || due == Clock.Never)
        {
            lock (Timed)
                _ = due == Clock.Never ? Timed.Remove(this) : Timed.Add(this);
        }

        Volatile.Write(ref _due, due);
    }
}
