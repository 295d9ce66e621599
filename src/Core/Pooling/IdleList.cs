namespace Slipstream.Core.Pooling;

/// <summary>
/// Idle sessions in an array of slots: one compare-exchange takes or returns one. The order is not defined. The search starts at a slot that depends on the
/// processor, so that threads on different processors rarely collide, and a session returns to the processor whose cache holds it.
/// </summary>
internal sealed class IdleList(int capacity)
{
    private readonly Slot[] _slots = new Slot[capacity];
    private int _count;

    /// <summary>Number of idle sessions; exact only while no thread takes or adds one.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Takes a session; null if there is none.</summary>
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

    /// <summary>Takes a session for which <paramref name="condition"/> holds; null if there is none.</summary>
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

    /// <summary>Takes all sessions for which <paramref name="condition"/> holds.</summary>
    public void TakeAll<TState>(TState state, Func<IPooledSession, TState, bool> condition, List<IPooledSession> taken)
    {
        foreach (ref var slot in _slots.AsSpan())
        {
            if (Volatile.Read(ref slot.Session) is { } session && condition(session, state) && TryTake(ref slot, session))
                taken.Add(session);
        }
    }

    /// <summary>
    /// Adds a session. There is always a free slot, because a pool never has more sessions than slots. The search may take longer while other threads take and
    /// add.
    /// </summary>
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
        // The stride spreads neighbouring processors over the array: 8 slots are one cache line of references.
        var start = Thread.GetCurrentProcessorId() * 8;
        return start < length ? start : start % length;
    }

    // In a structure, because storing into an array of references checks the element type.
    private struct Slot
    {
        public IPooledSession? Session;
    }
}
