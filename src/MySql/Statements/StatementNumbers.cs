namespace Slipstream.MySql.Statements;

/// <summary>
/// Which number a server will give to the next prepared statement of a session: it counts up, SQL-level PREPARE included. A number is foretold
/// only while everything since the last PREPARE_OK is known to have prepared nothing: a foreign statement must never be executed.
/// </summary>
internal sealed class StatementNumbers
{
    // Somebody between client and server who numbers statements himself is not worth a second try.
    private const int MostMisses = 3;

    private uint _last;
    private int _unproven;
    private bool _isCertain;
    private int _misses;

    /// <summary>The number that the next PREPARE will be answered with; null when that is not certain enough.</summary>
    /// <param name="unproven">How much of what the session did is not understood: it must not have grown since the last PREPARE.</param>
    public uint? Next(int unproven) => _isCertain && _unproven == unproven && _misses < MostMisses && _last < int.MaxValue ? _last + 1 : null;

    /// <summary>True when the session has prepared something since it was opened or reset.</summary>
    public bool HasLast { get; private set; }

    /// <summary>The session was reset: the server has no statement of it any more, but counts on.</summary>
    public void ForgetLast() => HasLast = false;

    /// <summary>A PREPARE was answered: its number is the new base.</summary>
    public void Learn(uint number, int unproven)
    {
        _last = number;
        _unproven = unproven;
        _isCertain = HasLast = true;
    }

    /// <summary>A foretold number was not the one that came.</summary>
    public void Missed() => _misses++;

    /// <summary>Something may have taken numbers: the next PREPARE travels alone.</summary>
    public void Doubt() => _isCertain = false;
}
