using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <summary>Ends the waits of callers that do not watch the clock themselves, when their time has run out.</summary>
internal sealed class WaitDeadlines(PoolState state) : IDeadlined
{
    // The sweeper has only weak references. Without this set, a pool that only its waiters refer to would be garbage collected together with them, and their
    // waits would never time out.
    private static readonly HashSet<WaitDeadlines> Timed = [];

    private readonly Lock _gate = new();
    private long _due = Clock.Never;
    private bool _isWatched;

    // At most the earliest deadline. If there was one and all waiters have left, it is 0, so that the sweeper clears it.
    long IDeadlined.Due => Volatile.Read(ref _due) is var due && due != Clock.Never && state.Waiting == 0 ? 0 : due;

    /// <summary>Starts watching; called before the first caller waits.</summary>
    /// <exception cref="Errors.WireException">A thread that watching needs cannot be started, so waits could not time out.</exception>
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

    /// <summary>Adds the deadline of a waiter that has entered the queue.</summary>
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
