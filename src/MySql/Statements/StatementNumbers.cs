namespace Slipstream.MySql.Statements;

/// <summary>
/// Predicts the ID of a session's next prepared statement. Servers count IDs up, also for PREPARE in SQL. An ID is predicted only if everything since the last
/// PREPARE_OK is known to have prepared nothing, because a wrong ID would execute another statement.
/// </summary>
internal sealed class StatementNumbers
{
    // After that many wrong predictions, the driver stops predicting: a proxy may number statements itself.
    private const int MaxMisses = 3;

    private uint _last;
    private int _unproven;
    private bool _isCertain;
    private int _misses;

    /// <summary>Returns the ID with which the server will answer the next PREPARE, or null if the ID is not certain enough.</summary>
    /// <param name="unproven">The number of executions that are not understood. It must not have grown since the last PREPARE.</param>
    public uint? Next(int unproven) => _isCertain && _unproven == unproven && _misses < MaxMisses && _last < int.MaxValue ? _last + 1 : null;

    /// <summary>Gets whether the session has prepared a statement since it was opened or reset.</summary>
    public bool HasLast { get; private set; }

    /// <summary>Records a reset of the session: the server has released its statements, but keeps counting.</summary>
    public void ForgetLast() => HasLast = false;

    /// <summary>Records the ID in the answer to a PREPARE, the new base of the count.</summary>
    public void Confirm(uint number, int unproven)
    {
        _last = number;
        _unproven = unproven;
        _isCertain = HasLast = true;
    }

    /// <summary>Records a wrong prediction.</summary>
    public void Missed() => _misses++;

    /// <summary>Records that other commands may have used IDs, so the next PREPARE is sent without an execution.</summary>
    public void Invalidate() => _isCertain = false;
}
