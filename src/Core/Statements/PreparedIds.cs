namespace Slipstream.Core.Statements;

/// <summary>
/// The prepared statements of one session: an array indexed by the statement's slot, with a maximum number. The least recently used entry is evicted.
/// </summary>
internal sealed class PreparedIds<T>(int budget = PreparedIds<T>.DefaultBudget) where T : class
{
    /// <summary>Default maximum per session. A server's default limit for all of its sessions together is 16,382 prepared statements.</summary>
    public const int DefaultBudget = 64;

    private (Statement Owner, T Prepared, long LastUse)?[] _bySlot = new (Statement, T, long)?[16];
    // In multiples of the budget: number of other lookups after which an entry is stale.
    private const int StaleAfter = 4;

    private long _clock;
    private long _nextCheck;

    /// <summary>Number of prepared statements.</summary>
    public int Count { get; private set; }

    /// <summary>The prepared form of a statement; null without one.</summary>
    public T? Find(Statement statement)
    {
        var slot = statement.Slot;
        _clock++;
        if ((uint)slot >= (uint)_bySlot.Length || _bySlot[slot] is not { } entry || !ReferenceEquals(entry.Owner, statement))
            return null;
        _bySlot[slot] = (entry.Owner, entry.Prepared, _clock);
        return entry.Prepared;
    }

    /// <summary>Stores <paramref name="prepared"/>. Returns the evicted entry, to be closed on the server; null without one.</summary>
    public T? Add(Statement statement, T prepared)
    {
        if (statement.Slot < 0)
            throw new InvalidOperationException("A statement that is not in a table does not have a slot.");
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

    /// <summary>Removes a statement and returns its prepared form; null without one.</summary>
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

    /// <summary>Removes all entries: a reset of the session has closed them on the server.</summary>
    public void Clear()
    {
        Array.Clear(_bySlot);
        Count = 0;
    }

    /// <summary>Removes and returns all entries, to be closed on the server.</summary>
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
    /// Whether the least recently used entry has not been used for so long that another statement may replace it. If more statements alternate than there is
    /// room for, the current entries stay: preparing each of them again at every turn would cost more than it saves.
    /// </summary>
    public bool CanEvictOldest()
    {
        if (_clock < _nextCheck)
            return false;
        var stale = _clock - StaleAfter * (long)budget;
        foreach (var entry in _bySlot)
            if (entry is { } kept && kept.LastUse < stale)
                return true;
        _nextCheck = _clock + budget;
        return false;
    }

    /// <summary>Removes the least recently used entry, to be closed on the server; null without one.</summary>
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
