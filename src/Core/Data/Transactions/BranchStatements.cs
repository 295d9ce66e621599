using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>What the server's refusal says about the branch of an ambient transaction.</summary>
internal enum BranchRefusal
{
    /// <summary>Not what became of it: a rollback finds out.</summary>
    Undecided,

    /// <summary>Its work is undone; a rollback clears what the server still remembers of it.</summary>
    RolledBack,

    /// <summary>The server does not know it (any more).</summary>
    Unknown,

    /// <summary>The server cannot say whether it was committed.</summary>
    InDoubt,
}

/// <summary>The statements by which a session takes part in an ambient transaction: one branch of it. None of them waits.</summary>
/// <param name="name">Names the branch for the server and for people: unique among all transactions and branches.</param>
/// <param name="canBePrepared">Whether it can promise to commit: without that a transaction has one branch at most.</param>
internal abstract class BranchStatements(string name, bool canBePrepared)
{
    /// <summary>Names the branch for the server and for people.</summary>
    public string Name => name;

    /// <summary>Whether it can promise to commit.</summary>
    public bool CanBePrepared => canBePrepared;

    /// <summary>Begins it. Travels in front of the first command, so a refusal must leave that command without effect.</summary>
    public abstract SimpleExchange Begin();

    /// <summary>Commits it, not prepared.</summary>
    public abstract SimpleExchange Commit();

    /// <summary>Makes the promise to commit.</summary>
    public abstract SimpleExchange Prepare();

    /// <summary>Keeps that promise; on the session of the branch, or on another one when that is lost.</summary>
    public abstract SimpleExchange CommitPrepared(Session on);

    /// <summary>Undoes it, not prepared.</summary>
    public abstract SimpleExchange Rollback();

    /// <summary>Undoes it after the server has refused to go on with it; null when nothing is left to do then.</summary>
    public virtual SimpleExchange? RollbackRefused() => null;

    /// <summary>Undoes it, prepared; on the session of the branch, or on another one when that is lost.</summary>
    public abstract SimpleExchange RollbackPrepared(Session on);

    /// <summary>What the server's refusal means.</summary>
    public abstract BranchRefusal MeaningOf(ServerError refusal);

    /// <summary>Where to look for a branch whose outcome is not known: a sentence.</summary>
    public abstract string HowToResolve { get; }
}
