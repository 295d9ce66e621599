namespace Slipstream.Core.Statements;

/// <summary>What one session has prepared: an array index by the statement's slot, with a budget. The least recently used is given up.</summary>
internal sealed class PreparedIds<T>(int budget = PreparedIds<T>.DefaultBudget) where T : class
{
    /// <summary>Per session: 16,382 prepared statements are a server's default limit for all its sessions together.</summary>
    public const int DefaultBudget = 64;

    private (Statement Owner, T Prepared, long LastUse)?[] _bySlot = new (Statement, T, long)?[16];
    // In multiples of the budget: how many other look-ups make an entry stale.
    private const int StaleAfter = 4;

    private long _clock;
    private long _lookAgain;

    /// <summary>How many statements are prepared.</summary>
    public int Count { get; private set; }

    /// <summary>What is prepared for a statement; null when nothing is.</summary>
    public T? Find(Statement statement)
    {
        var slot = statement.Slot;
        _clock++;
        if ((uint)slot >= (uint)_bySlot.Length || _bySlot[slot] is not { } entry || !ReferenceEquals(entry.Owner, statement))
            return null;
        _bySlot[slot] = (entry.Owner, entry.Prepared, _clock);
        return entry.Prepared;
    }

    /// <summary>Remembers <paramref name="prepared"/>; returns what had to be given up for it, to be closed on the server.</summary>
    public T? Add(Statement statement, T prepared)
    {
        if (statement.Slot < 0)
            throw new InvalidOperationException("A statement that is in no table has no slot.");
        T? evicted = null;
        if (statement.Slot >= _bySlot.Length)
            Array.Resize(ref _bySlot, Math.Max(statement.Slot + 1, _bySlot.Length * 2));
        if (_bySlot[statement.Slot] is { } stale)
        {
            evicted = stale.Prepared;
            Count--;
        }
        else if (Count >= budget)
            evicted = TakeOldest();
        _bySlot[statement.Slot] = (statement, prepared, ++_clock);
        Count++;
        return evicted;
    }

    /// <summary>Forgets a statement and returns what was prepared for it; null when nothing was.</summary>
    public T? Remove(Statement statement)
    {
        var found = Find(statement);
        if (found is not null)
        {
            _bySlot[statement.Slot] = null;
            Count--;
        }

        return found;
    }

    /// <summary>Forgets all: a reset of the session has closed them on the server.</summary>
    public void Clear()
    {
        Array.Clear(_bySlot);
        Count = 0;
    }

    /// <summary>Forgets all and hands them out, to be closed on the server.</summary>
    public List<T> TakeAll()
    {
        var all = new List<T>(Count);
        foreach (var entry in _bySlot)
            if (entry is { } taken)
                all.Add(taken.Prepared);
        Clear();
        return all;
    }

    /// <summary>
    /// Whether the least recently used one has not been asked for in so long that another deserves its place. When more statements take turns than
    /// there is room for, those that are here stay: preparing each anew at every turn would cost more than it saves.
    /// </summary>
    public bool IsOldestStale()
    {
        if (_clock < _lookAgain)
            return false;
        var stale = _clock - StaleAfter * (long)budget;
        foreach (var entry in _bySlot)
            if (entry is { } kept && kept.LastUse < stale)
                return true;
        _lookAgain = _clock + budget;
        return false;
    }

    /// <summary>Gives up the least recently used one, to be closed on the server; null when there is none.</summary>
    public T? TakeOldest()
    {
        var oldest = -1;
        for (var i = 0; i < _bySlot.Length; i++)
            if (_bySlot[i] is { } entry && (oldest < 0 || entry.LastUse < _bySlot[oldest]!.Value.LastUse))
                oldest = i;
        var evicted = oldest < 0 ? null : _bySlot[oldest]!.Value.Prepared;
        if (oldest >= 0)
        {
            _bySlot[oldest] = null;
            Count--;
        }

        return evicted;
    }
}
