using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <summary>
/// Callers that wait for a session, first come, first served. Looking whether there are any costs one read. Those who do not look at the clock themselves
/// are told by the sweeper of the deadlines when their time has run out.
/// </summary>
internal sealed class WaiterQueue<T> : IDeadlined where T : class
{
    // The sweeper holds on to nothing: without this a pool that everybody has forgotten but those who wait would be garbage, and they with it, instead of
    // hearing of their time.
    private static readonly HashSet<WaiterQueue<T>> Timed = [];

    private readonly LinkedList<Waiter<T>> _waiters = new();
    private int _count;
    private long _due = Clock.Never;
    private bool _isWatched;

    /// <summary>How many wait; a full fence stands behind <see cref="Add"/>, so who shelves a session and then asks here misses nobody.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>When the first of them began to wait; null when nobody waits.</summary>
    public long? Since
    {
        get
        {
            lock (_waiters)
                return _waiters.First?.Value.Since;
        }
    }

    // Not later than the earliest; at once when there was one and all have gone, so that the sweeper need not look any more.
    long IDeadlined.Due => Volatile.Read(ref _due) is var due && due != Clock.Never && Count == 0 ? 0 : due;

    public void Add(Waiter<T> waiter)
    {
        lock (_waiters)
        {
            waiter.Place = _waiters.AddLast(waiter);
            Volatile.Write(ref _count, _waiters.Count);
            if (waiter.Due < _due)
                SetDue(waiter.Due);
        }

        Interlocked.MemoryBarrier();
        if (waiter.Due != Clock.Never)
            Deadlines.Noticed();
    }

    public void Remove(Waiter<T> waiter)
    {
        lock (_waiters)
        {
            if (waiter.Place is { List: not null } place)
                _waiters.Remove(place);
            Volatile.Write(ref _count, _waiters.Count);
        }
    }

    /// <summary>Hands the first who still waits a session, or with null the right to open one. False when nobody waits.</summary>
    public bool TryGive(T? session)
    {
        while (TakeFirst() is { } first)
            if (first.TryGive(session))
                return true;
        return false;
    }

    /// <summary>Fails all who wait now, or those of the first who began before a time.</summary>
    public void FailAll(Exception cause, long before = long.MaxValue)
    {
        while (TakeFirst(before) is { } first)
            first.TryFail(cause);
    }

    /// <summary>Ends the waits whose time has run out; they leave the queue themselves.</summary>
    public void Expire(long now)
    {
        lock (_waiters)
        {
            var due = Clock.Never;
            for (var node = _waiters.First; node is not null; node = node.Next)
            {
                if (node.Value.Due <= now)
                    node.Value.Expire();
                else
                    due = Math.Min(due, node.Value.Due);
            }

            SetDue(due);
        }
    }

    // Under the lock.
    private void SetDue(long due)
    {
        if (!_isWatched)
        {
            _isWatched = true;
            Deadlines.Watch(this);
        }

        if (_due == Clock.Never || due == Clock.Never)
        {
            lock (Timed)
                _ = due == Clock.Never ? Timed.Remove(this) : Timed.Add(this);
        }

        Volatile.Write(ref _due, due);
    }

    private Waiter<T>? TakeFirst(long before = long.MaxValue)
    {
        if (Count == 0)
            return null;
        lock (_waiters)
        {
            var first = _waiters.First?.Value;
            if (first is not null && first.Since >= before)
                return null;
            if (first is not null)
            {
                _waiters.RemoveFirst();
                Volatile.Write(ref _count, _waiters.Count);
            }

            return first;
        }
    }
}
