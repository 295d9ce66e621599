namespace Slipstream.Core.Pooling;

/// <summary>
/// Idle sessions in an array of slots: one compare-exchange takes one or puts one back. Which one is taken is not promised: the search starts at a place that
/// depends on the processor, so that threads on different processors rarely meet, and a session comes back to the processor whose cache knows it.
/// </summary>
internal sealed class IdleList(int capacity)
{
    private readonly Slot[] _slots = new Slot[capacity];
    private int _count;

    /// <summary>About how many there are: exact when nobody takes or adds.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Takes one; null when there is none.</summary>
    public IPooledSession? TryTake()
    {
        if (Volatile.Read(ref _count) == 0)
            return null;
        var slots = _slots;
        var at = Start(slots.Length);
        for (var i = 0; i < slots.Length; i++)
        {
            if (TryTake(ref slots[at]) is { } session)
                return session;
            if (++at == slots.Length)
                at = 0;
        }

        return null;
    }

    /// <summary>Takes one for which <paramref name="condition"/> holds; null when there is none.</summary>
    public IPooledSession? TryTake<TState>(TState state, Func<IPooledSession, TState, bool> condition)
    {
        if (Volatile.Read(ref _count) == 0)
            return null;
        foreach (ref var slot in _slots.AsSpan())
        {
            if (Volatile.Read(ref slot.Session) is { } session && condition(session, state) && TryTake(ref slot, session))
                return session;
        }

        return null;
    }

    /// <summary>Takes all for which <paramref name="condition"/> holds.</summary>
    public void TakeAll<TState>(TState state, Func<IPooledSession, TState, bool> condition, List<IPooledSession> taken)
    {
        foreach (ref var slot in _slots.AsSpan())
        {
            if (Volatile.Read(ref slot.Session) is { } session && condition(session, state) && TryTake(ref slot, session))
                taken.Add(session);
        }
    }

    /// <summary>Adds one. There is a free slot, because a pool has no more sessions than slots; while others take and add, it may be found late.</summary>
    public void Add(IPooledSession session)
    {
        var slots = _slots;
        var at = Start(slots.Length);
        while (Volatile.Read(ref slots[at].Session) is not null || Interlocked.CompareExchange(ref slots[at].Session, session, null) is not null)
        {
            if (++at == slots.Length)
                at = 0;
        }

        Interlocked.Increment(ref _count);
    }

    private IPooledSession? TryTake(ref Slot slot) => Volatile.Read(ref slot.Session) is { } session && TryTake(ref slot, session) ? session : null;

    private bool TryTake(ref Slot slot, IPooledSession session)
    {
        if (Interlocked.CompareExchange(ref slot.Session, null, session) != session)
            return false;
        Interlocked.Decrement(ref _count);
        return true;
    }

    private static int Start(int length)
    {
        // A stride that spreads neighbours over the array; 8 slots are one cache line of references.
        var start = Thread.GetCurrentProcessorId() * 8;
        return start < length ? start : start % length;
    }

    // In a structure, because an array of references checks the type of what is stored.
    private struct Slot
    {
        public IPooledSession? Session;
    }
}
