namespace Slipstream.Core.Pooling;

/// <summary>Callers that wait for a session, first come, first served. Looking whether there are any costs one read.</summary>
internal sealed class WaiterQueue<T> where T : class
{
    private readonly LinkedList<Waiter<T>> _waiters = new();
    private int _count;

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

    public void Add(Waiter<T> waiter)
    {
        lock (_waiters)
        {
            _waiters.AddLast(waiter);
            Volatile.Write(ref _count, _waiters.Count);
        }

        Interlocked.MemoryBarrier();
    }

    public void Remove(Waiter<T> waiter)
    {
        lock (_waiters)
        {
            _waiters.Remove(waiter);
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
