using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Sessions;

/// <content>What is known about the work of an operation that failed.</content>
internal abstract partial class Session
{
    // The last operation before the lease.
    private long _operationsBefore;

    /// <summary>The lease begins.</summary>
    public void LeaseBegins() => _operationsBefore = Operation.Number;

    /// <summary>Whether the current operation, or the last one, is the first one of the lease.</summary>
    public bool IsFirstOfLease => Operation.Number == _operationsBefore + 1;

    /// <summary>
    /// The search for the primary, which shall execute the command that this session has refused; null without one. The command has not ended, although
    /// nothing runs on the session. Cancelling it ends the command.
    /// </summary>
    public CancellationTokenSource? PendingSearch { get; set; }

    /// <summary>Whether a command runs on the session, or waits for the primary.</summary>
    public bool IsInUse => Operation.IsRunning || PendingSearch is not null;

    // The BEGIN that was prepended last, and the operation that sends it.
    private SimpleExchange? _begin;
    private long _beginsIn;

    /// <summary>What may have become of the work of the transaction that the connection has begun.</summary>
    public TransactionPhase TransactionPhase { get; private set; }

    /// <summary>Whether that transaction has, or had, a savepoint: an error need not end it then.</summary>
    public bool HasSavepoint { get; set; }

    /// <summary>The connection begins a transaction. Its BEGIN may be sent later.</summary>
    public void TransactionBegins() => (TransactionPhase, HasSavepoint) = (TransactionPhase.Open, false);

    /// <summary>The BEGIN of the transaction is sent with the current operation.</summary>
    private void Begins(SimpleExchange begin) => (_begin, _beginsIn) = (begin, Operation.Number);

    /// <summary>The current operation sends what waits since an earlier command could not be encoded.</summary>
    private void RenewBegin()
    {
        if (_begin is { } begin && Queue.Holds(begin))
            Begins(begin);
    }

    /// <summary>The COMMIT of the transaction is about to be sent.</summary>
    public void CommitBegins()
    {
        WasUnready = false;
        if (TransactionPhase == TransactionPhase.Open)
            TransactionPhase = TransactionPhase.Ending;
    }

    /// <summary>Something is about to be sent that may commit what the transaction has done so far.</summary>
    public void MayCommit()
    {
        if (TransactionPhase != TransactionPhase.None)
            TransactionPhase = TransactionPhase.Doubtful;
    }

    /// <summary>The command that might have committed could not be encoded: it is not sent.</summary>
    /// <param name="before">The phase before the command.</param>
    public void RestorePhase(TransactionPhase before) => TransactionPhase = before;

    /// <summary>The transaction has ended, or its connection is closed.</summary>
    public void TransactionEnds() => TransactionPhase = TransactionPhase.None;

    /// <summary>
    /// Whether the server has reported an open transaction, and nothing has come since that may have ended it. (What was sent since is not considered.)
    /// </summary>
    protected virtual bool IsSurelyInTransaction => IsInTransaction;

    /// <summary>
    /// What is known about the current operation if the session is lost now. The server rolls back what was not committed. A BEGIN that was sent with the
    /// operation counts as executed: where the command after it could run without it, it is only sent so if the server has no reason to refuse it.
    /// </summary>
    public RetrySafety SafetyOfLoss => TransactionPhase switch
    {
        TransactionPhase.Open when IsSurelyInTransaction || (Queue.HasSent && _beginsIn == Operation.Number) => RetrySafety.RolledBack,
        TransactionPhase.Ending when IsSurelyInTransaction && !Queue.HasSent => RetrySafety.RolledBack,
        _ => Queue.HasSent ? RetrySafety.Unknown : RetrySafety.NotSent,
    };

    /// <summary>What is known about the current operation after an error with which the server rolls the transaction back.</summary>
    /// <param name="isWhole">Whether the operation, if it is not part of a transaction, is one that cannot have committed a part of its work.</param>
    /// <param name="mayContinue">Whether the transaction can continue from a savepoint.</param>
    protected RetrySafety SafetyOfRollback(bool isWhole, bool mayContinue) => TransactionPhase switch
    {
        TransactionPhase.Open when IsInTransaction || _beginsIn == Operation.Number =>
            mayContinue && HasSavepoint ? RetrySafety.NotApplicable : RetrySafety.RolledBack,
        TransactionPhase.Ending => RetrySafety.RolledBack,
        TransactionPhase.None when isWhole && Enlistment is null && !IsInTransaction => RetrySafety.RolledBack,
        _ => RetrySafety.NotApplicable,
    };

    /// <summary>Adds what is known about the current operation to the exception with which the session ended.</summary>
    public static Exception WithOutcome(Exception exception, RetrySafety safety) => exception switch
    {
        WireException lost => lost.With(safety),
        // A refused prefix has its own meaning.
        ServerRefusedException { Error: { FailedPrefix: null } error } when safety == RetrySafety.RolledBack =>
            new ServerRefusedException(error with { Safety = safety }),
        _ => exception,
    };
}
