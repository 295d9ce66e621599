using Slipstream.MySql.Errors;
using Slipstream.MySql.Protocol;

namespace Slipstream.MySql.State;

/// <summary>What the server has reported about the session's transaction, and what it may hide.</summary>
/// <param name="opening">The status flags of the login.</param>
internal sealed class TransactionState(ServerStatus opening)
{
    private const ServerStatus Flags = ServerStatus.Autocommit | ServerStatus.InTransaction;

    private readonly ServerStatus _opening = opening;
    private ServerStatus _status = opening;

    // What no flag shows: a transaction that a procedure has begun, table locks, SET TRANSACTION for the next one.
    private bool _mayHold;

    // An error came, which has no flags.
    private bool _mayHaveBegun;
    private bool _mayHaveEnded;

    /// <summary>Gets whether a transaction is open, according to the last status flags.</summary>
    public bool IsOpen => (_status & ServerStatus.InTransaction) != 0;

    /// <summary>Gets whether a transaction is open according to the last status flags, and no error has come since that may have ended it.</summary>
    public bool IsSurelyOpen => IsOpen && !_mayHaveEnded;

    /// <summary>Gets whether a statement commits by itself.</summary>
    public bool HasAutocommit => (_status & ServerStatus.Autocommit) != 0;

    /// <summary>Gets whether a statement commits by itself after a reset.</summary>
    public bool ResetsToAutocommit => (_opening & ServerStatus.Autocommit) != 0;

    /// <summary>Gets whether no transaction is open and the next statement commits by itself.</summary>
    public bool IsBetweenTransactions => (_status & Flags) == ServerStatus.Autocommit;

    /// <summary>Gets whether the tracker has reported neither an open transaction nor a table lock.</summary>
    public bool IsIdle { get; private set; } = true;

    /// <summary>Gets whether the server has reported REPEATABLE READ for the session since the last reset.</summary>
    public bool IsRepeatableRead { get; private set; }

    /// <summary>Gets whether START TRANSACTION ends nothing: no transaction, no table locks, no SET TRANSACTION for the next one.</summary>
    public bool HoldsNothing => !_mayHold && IsBetweenTransactions;

    /// <summary>Gets whether a transaction may be open that no flag shows: without autocommit, or in a procedure, what failed may have begun one.</summary>
    public bool MayBeHidden => !IsOpen && _mayHaveBegun;

    /// <summary>Takes note of something about to run that may begin a transaction that no flag shows, or lock tables.</summary>
    public void MarkHeld() => _mayHold = true;

    /// <summary>Takes note of the answer to START TRANSACTION: it has ended what was held before.</summary>
    public void ForgetHeld() => _mayHold = false;

    /// <summary>Takes note of the flags of an answer.</summary>
    public void Update(ServerStatus status)
    {
        _status = status;
        _mayHaveBegun = _mayHaveEnded = false;
    }

    /// <summary>Takes note of the tracker's transaction state.</summary>
    public void UpdateIdle(bool isIdle) => IsIdle = isIdle;

    /// <summary>Takes note of the tracker's isolation level.</summary>
    public void UpdateIsolation(string level) => IsRepeatableRead = level == "REPEATABLE-READ";

    /// <summary>Takes note of an error, whose packet has no flags. True if the error has ended the open transaction.</summary>
    public bool Refused(int number, bool isMariaDb)
    {
        _mayHaveBegun |= _mayHold || !HasAutocommit;
        _mayHaveEnded |= !ErrorKinds.EndsOnlyStatement(number);
        if (!IsOpen || !ErrorKinds.EndsTransaction(number, isMariaDb))
            return false;
        _status &= ~ServerStatus.InTransaction;
        return true;
    }

    /// <summary>Takes note of a reset. The flags stay as they are until its answer comes.</summary>
    public void Reset()
    {
        IsIdle = true;
        IsRepeatableRead = _mayHold = _mayHaveBegun = false;
    }
}
