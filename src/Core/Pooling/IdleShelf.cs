namespace Slipstream.Core.Pooling;

/// <summary>
/// Idle sessions in an array of slots: one compare-exchange takes or gives back. The start depends on the processor, so that threads on
/// different cores meet rarely and a session comes back to the core whose cache knows it.
/// </summary>
public sealed class IdleShelf<T>(int capacity) where T : class
{
    private readonly T?[] _slots = new T?[capacity];
    private int _count;

    /// <summary>About how many there are: exact when nobody is taking or giving.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Takes the session that was used last; null when there is none.</summary>
    public T? TryTake()
    {
        if (Volatile.Read(ref _count) == 0)
            return null;
        var slots = _slots;
        var start = Start(slots.Length);
        for (var i = 0; i < slots.Length; i++)
        {
            var at = start + i;
            if (at >= slots.Length)
                at -= slots.Length;
            var session = Volatile.Read(ref slots[at]);
            if (session is not null && Interlocked.CompareExchange(ref slots[at], null, session) == session)
            {
                Interlocked.Decrement(ref _count);
                return session;
            }
        }

        return null;
    }

    /// <summary>Takes one for which <paramref name="condition"/> holds; null when there is none.</summary>
    public T? TryTake<TState>(TState state, Func<T, TState, bool> condition)
    {
        if (Volatile.Read(ref _count) == 0)
            return null;
        for (var i = 0; i < _slots.Length; i++)
        {
            var session = Volatile.Read(ref _slots[i]);
            if (session is null || !condition(session, state) || Interlocked.CompareExchange(ref _slots[i], null, session) != session)
                continue;
            Interlocked.Decrement(ref _count);
            return session;
        }

        return null;
    }

    /// <summary>False when there is no free slot, which a pool that counts its sessions never sees.</summary>
    public bool TryGive(T session)
    {
        var slots = _slots;
        var start = Start(slots.Length);
        for (var i = 0; i < slots.Length; i++)
        {
            var at = start + i;
            if (at >= slots.Length)
                at -= slots.Length;
            if (Volatile.Read(ref slots[at]) is null && Interlocked.CompareExchange(ref slots[at], session, null) is null)
            {
                Interlocked.Increment(ref _count);
                return true;
            }
        }

        return false;
    }

    /// <summary>Takes every session for which <paramref name="condition"/> holds: the sweeper's verb.</summary>
    public void TakeAll<TState>(TState state, Func<T, TState, bool> condition, List<T> taken)
    {
        for (var i = 0; i < _slots.Length; i++)
        {
            var session = Volatile.Read(ref _slots[i]);
            if (session is null || !condition(session, state) || Interlocked.CompareExchange(ref _slots[i], null, session) != session)
                continue;
            Interlocked.Decrement(ref _count);
            taken.Add(session);
        }
    }

    private static int Start(int length)
    {
        // A stride that spreads neighbours over the array; 8 slots are one cache line of references.
        var start = Thread.GetCurrentProcessorId() * 8;
        return start < length ? start : start % length;
    }
}
