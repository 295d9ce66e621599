using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>What an error of the server means for the branch of an ambient transaction.</summary>
internal enum BranchRefusal
{
    /// <summary>The state of the branch is unknown; a rollback will show it.</summary>
    Undecided,

    /// <summary>The branch is rolled back. A ROLLBACK removes what the server still stores about it.</summary>
    RolledBack,

    /// <summary>The server does not know the branch, or no longer knows it.</summary>
    Unknown,

    /// <summary>The server does not know whether the branch was committed.</summary>
    InDoubt,
}

/// <summary>The statements with which a session takes part in an ambient transaction, as one branch of it. None of them waits.</summary>
/// <param name="name">Name of the branch for the server and for people; unique among all transactions and branches.</param>
/// <param name="canBePrepared">Whether the branch can be prepared. Without that, a transaction may have only one branch.</param>
internal abstract class BranchStatements(string name, bool canBePrepared)
{
    /// <summary>Name of the branch for the server and for people.</summary>
    public string Name => name;

    /// <summary>Whether the branch can be prepared.</summary>
    public bool CanBePrepared => canBePrepared;

    /// <summary>Begins the branch. Sent before the first command, so if the server refuses it, that command must have no effect.</summary>
    public abstract SimpleExchange Begin();

    /// <summary>Commits an unprepared branch.</summary>
    public abstract SimpleExchange Commit();

    /// <summary>Prepares the branch: the server then promises to commit it.</summary>
    public abstract SimpleExchange Prepare();

    /// <summary>Commits a prepared branch, on its session, or on another one if that is lost.</summary>
    public abstract SimpleExchange CommitPrepared(Session on);

    /// <summary>Rolls back an unprepared branch.</summary>
    public abstract SimpleExchange Rollback();

    /// <summary>Rolls back a branch after the server has refused a statement; null if nothing is left to do.</summary>
    public virtual SimpleExchange? RollbackRefused() => null;

    /// <summary>Rolls back a prepared branch, on its session, or on another one if that is lost.</summary>
    public abstract SimpleExchange RollbackPrepared(Session on);

    /// <summary>The meaning of an error of the server.</summary>
    public abstract BranchRefusal MeaningOf(ServerError refusal);

    /// <summary>Whether the server knows the name of a branch that was not prepared.</summary>
    public virtual bool IsNamedUnprepared => true;

    /// <summary>How to find a branch with an unknown outcome: a sentence.</summary>
    public abstract string HowToResolve { get; }
}
