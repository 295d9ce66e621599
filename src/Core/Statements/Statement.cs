namespace Slipstream.Core.Statements;

/// <summary>
/// One SQL text, shared by all sessions of a data source: scanned once, its uses counted, the metadata of its last results kept. A provider derives a class
/// that holds what scanning finds.
/// </summary>
internal abstract class Statement(string sql)
{
    private int _uses;

    /// <summary>The text.</summary>
    public string Sql { get; } = sql;

    /// <summary>Index in each session's list of prepared statements. Reused after eviction, so a session also compares the statement.</summary>
    public int Slot { get; internal set; } = -1;

    /// <summary>Number of unprepared executions. Approximate under concurrency, which suffices.</summary>
    public int Uses => _uses;

    /// <summary>Whether the server has reported that it cannot prepare the statement.</summary>
    public bool IsNotPreparable { get; set; }

    /// <summary>Time of the last use, for the table's least-recently-used eviction.</summary>
    internal long LastUse { get; set; }

    /// <summary>Counts an execution.</summary>
    public void CountUse()
    {
        if (_uses < int.MaxValue)
            _uses++;
    }

    /// <summary>Marks the statement as used often enough to be prepared.</summary>
    public void ExpectManyUses() => _uses = int.MaxValue / 2;
}
