using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Slipstream.Core.Statements;

/// <summary>
/// Maps SQL texts to <see cref="Statement"/>s; one table per data source. A text that is the same string object as last time is found by reference, others by
/// hash. The size is limited: the least recently used texts are evicted.
/// </summary>
/// <param name="create">Scans a text.</param>
/// <param name="capacity">Maximum number of texts.</param>
/// <param name="table">Index of this table among <paramref name="tables"/> tables that share sessions. Their slots are interleaved, so that each is
/// unique.</param>
/// <param name="tables">Number of tables that share sessions.</param>
internal sealed class StatementTable<T>(Func<string, T> create, int capacity = StatementTable<T>.DefaultCapacity, int table = 0, int tables = 1)
    where T : Statement
{
    /// <summary>Default number of texts.</summary>
    public const int DefaultCapacity = 1024;

    // A text longer than this (in characters) is scanned every time: 1,000 generated INSERTs of 1 MiB must not stay in memory.
    private const int LongestKept = 1024 * 1024;

    private readonly T?[] _recent = new T?[64];
    private readonly ConcurrentDictionary<string, T> _byText = new(StringComparer.Ordinal);
    private readonly List<int> _freeSlots = [];
    private readonly Lock _gate = new();
    private long _clock;
    private int _nextSlot;

    /// <summary>Number of texts in the table.</summary>
    public int Count => _byText.Count;

    /// <summary>The statement of a text, which is scanned at its first use.</summary>
    public T Get(string sql)
    {
        var recent = _recent[RuntimeHelpers.GetHashCode(sql) & 63];
        if (recent is not null && ReferenceEquals(recent.Sql, sql))
            return recent;
        return Find(sql);
    }

    private T Find(string sql)
    {
        if (sql.Length > LongestKept)
            return create(sql);
        if (!_byText.TryGetValue(sql, out var statement))
            statement = Add(sql);
        statement.LastUse = ++_clock;
        if (ReferenceEquals(statement.Sql, sql))
            _recent[RuntimeHelpers.GetHashCode(sql) & 63] = statement;
        return statement;
    }

    private T Add(string sql)
    {
        var created = create(sql);
        lock (_gate)
        {
            if (_byText.TryGetValue(sql, out var other))
                return other;
            if (_byText.Count >= capacity)
                Evict();
            created.Slot = TakeSlot();
            _byText[sql] = created;
            return created;
        }
    }

    private int TakeSlot()
    {
        if (_freeSlots.Count == 0)
            return _nextSlot++ * tables + table;
        var slot = _freeSlots[^1];
        _freeSlots.RemoveAt(_freeSlots.Count - 1);
        return slot;
    }

    // Evicts 10 % at a time, so that the search for the oldest is rare.
    private void Evict()
    {
        foreach (var oldest in _byText.Values.OrderBy(statement => statement.LastUse).Take(Math.Max(1, capacity / 10)))
        {
            _byText.TryRemove(oldest.Sql, out _);
            _freeSlots.Add(oldest.Slot);
            for (var i = 0; i < _recent.Length; i++)
                if (ReferenceEquals(_recent[i], oldest))
                    _recent[i] = null;
        }
    }
}
