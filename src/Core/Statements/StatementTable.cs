using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Slipstream.Core.Statements;

/// <summary>
/// SQL text → <see cref="Statement"/>, one table per data source. A text that is the same string object as last time is found by
/// reference; otherwise by hash. Bounded: the least recently used go.
/// </summary>
/// <param name="create">Scans a text.</param>
/// <param name="capacity">Most texts kept.</param>
/// <param name="table">Which of <paramref name="tables"/> tables it is that share sessions: their slots are interleaved, so that none is the same.</param>
/// <param name="tables">How many tables share sessions.</param>
internal sealed class StatementTable<T>(Func<string, T> create, int capacity = StatementTable<T>.DefaultCapacity, int table = 0, int tables = 1)
    where T : Statement
{
    /// <summary>How many texts are remembered unless it is said otherwise.</summary>
    public const int DefaultCapacity = 1024;

    // A text longer than this is scanned every time: 1,000 generated INSERTs of a megabyte must not stay in memory.
    private const int LongestKept = 1024 * 1024;

    private readonly T?[] _recent = new T?[64];
    private readonly ConcurrentDictionary<string, T> _byText = new(StringComparer.Ordinal);
    private readonly List<int> _freeSlots = [];
    private readonly Lock _gate = new();
    private long _clock;
    private int _nextSlot;

    /// <summary>How many texts it knows.</summary>
    public int Count => _byText.Count;

    /// <summary>The statement of a text; it is scanned the first time.</summary>
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

    // A tenth at a time: the scan for the oldest is then rare.
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
