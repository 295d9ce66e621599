namespace Slipstream.Core.Statements;

/// <summary>
/// One SQL text as a whole data source knows it: scanned once, its uses counted, its last results' metadata kept, shared by all
/// sessions. A provider derives what scanning finds.
/// </summary>
internal abstract class Statement(string sql)
{
    private int _uses;

    /// <summary>Its text.</summary>
    public string Sql { get; } = sql;

    /// <summary>The place in each session's list of prepared ids; reused after eviction, so a session compares the statement too.</summary>
    public int Slot { get; internal set; } = -1;

    /// <summary>How often it was executed, as text; approximate under concurrency, which is enough.</summary>
    public int Uses => _uses;

    /// <summary>Remembered when the server said that it cannot be prepared.</summary>
    public bool IsNotPreparable { get; set; }

    /// <summary>For the table's least-recently-used eviction.</summary>
    internal long LastUse { get; set; }

    /// <summary>One more execution.</summary>
    public void CountUse()
    {
        if (_uses < int.MaxValue)
            _uses++;
    }

    /// <summary>It will be executed often: it counts as used enough to be prepared.</summary>
    public void ExpectManyUses() => _uses = int.MaxValue / 2;
}
