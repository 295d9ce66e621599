using System.Transactions;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Data;

/// <summary>
/// Commits the branches of a transaction together. A single branch is committed in one phase. Several branches are first all prepared, then all committed. If
/// one cannot be prepared, all are rolled back. After the first commit was sent, all branches are committed, and a lost answer makes the outcome doubtful, not
/// wrong.
/// </summary>
internal sealed class BranchCommit(List<TransactionBranch> branches)
{
    /// <summary>The branches that have begun on the server.</summary>
    public List<TransactionBranch> Branches => branches;

    /// <summary>Why the transaction was not committed, or is in doubt.</summary>
    public Exception? Failure { get; private set; }

    public TransactionStatus Run() => branches.Count switch
    {
        0 => TransactionStatus.Committed,
        1 => CommitSingle(branches[0]),
        _ => Prepare() ? CommitAll() : TransactionStatus.Aborted,
    };

    /// <summary>Prepares all branches. Returns false if one could not be prepared; then all are rolled back.</summary>
    public bool Prepare()
    {
        foreach (var branch in branches)
        {
            if (!branch.Statements.CanBePrepared)
            {
                // The only such branch, beside participants that are not our databases: it can promise only that its session is alive.
                if (branch.Session.IsAlive)
                    continue;
                Failure = Lost(branch);
            }
            else if (branch.Run(branch.Statements.Prepare(), out var refusal, out var mayHaveRun) is not { } failure)
            {
                branch.IsPrepared = true;
                continue;
            }
            else
            {
                Failure = Undone(branch, failure, refusal, mayHaveRun);
            }

            foreach (var other in branches)
                if (!ReferenceEquals(other, branch))
                    Undo(other);
            return false;
        }

        return true;
    }

    /// <summary>Commits all prepared branches.</summary>
    public TransactionStatus CommitAll()
    {
        var outcome = TransactionStatus.Committed;
        foreach (var branch in branches)
        {
            if (!branch.IsPrepared)
            {
                if (CommitSingle(branch) != TransactionStatus.Committed)
                    outcome = TransactionStatus.InDoubt;
                continue;
            }

            if (branch.Run(branch.Statements.CommitPrepared(branch.Session), out var refusal, out _) is not { } failure)
                continue;
            // A prepared branch waits on the server, whatever happened to its session.
            if (refusal is null && branch.TryOnAnotherSession(branch.Statements.CommitPrepared))
                continue;
            outcome = TransactionStatus.InDoubt;
            Failure = InDoubt(branch, refusal is null ? "its commit was not answered" : "the server refused to commit the prepared branch", failure);
            branch.Session.Break("a prepared transaction could not be committed on it");
        }

        return outcome;
    }

    /// <summary>Rolls back a branch that has not been committed.</summary>
    public static void Undo(TransactionBranch branch)
    {
        var statements = branch.Statements;
        if (branch.IsPrepared)
        {
            // If the rollback failed and was dropped, the branch would stay prepared for ever, with all its locks.
            if (branch.Run(statements.RollbackPrepared(branch.Session), out _, out _) is null)
                return;
            if (!branch.TryOnAnotherSession(statements.RollbackPrepared) && branch.Source.Telemetry.ConnectionLog is { } log)
                Diagnostics.Log.TransactionInDoubt(log, $"Branch {statements.Name} stays prepared, but should have been rolled back. "
                    + $"{statements.HowToResolve}", null);
            branch.Session.Break("a prepared transaction could not be rolled back on it");
            return;
        }

        if (branch.Run(statements.Rollback(), out var refusal, out _) is null)
            return;
        if (refusal is not null)
            UndoRefused(branch);
        else
            branch.Session.Break(CannotRollBack);
    }

    // Whatever the server no longer accepts: it rolls back an unprepared branch when the session ends.
    private const string CannotRollBack = "its transaction could not be rolled back";

    private static BranchRefusal UndoRefused(TransactionBranch branch)
    {
        if (branch.Statements.RollbackRefused() is not { } again)
            return BranchRefusal.RolledBack;
        if (branch.Run(again, out var refusal, out _) is null)
            return BranchRefusal.RolledBack;
        branch.Session.Break(CannotRollBack);
        return refusal is null ? BranchRefusal.Undecided : branch.Statements.MeaningOf(refusal);
    }

    private TransactionStatus CommitSingle(TransactionBranch branch)
    {
        if (branch.Run(branch.Statements.Commit(), out var refusal, out var mayHaveRun) is not { } failure)
            return TransactionStatus.Committed;
        Failure = failure;
        if (refusal is null)
        {
            if (!mayHaveRun)
                return TransactionStatus.Aborted;
            Failure = InDoubt(branch, "its commit was not answered", failure);
            return TransactionStatus.InDoubt;
        }

        // The session has ended, and the branch with it.
        if (branch.Session.MeansUnready(refusal))
            return TransactionStatus.Aborted;
        switch (branch.Statements.MeaningOf(refusal))
        {
            case BranchRefusal.InDoubt:
                Failure = InDoubt(branch, "the server does not know whether it was committed", failure);
                branch.Session.Break("the outcome of its transaction is in doubt");
                return TransactionStatus.InDoubt;
            case BranchRefusal.RolledBack or BranchRefusal.Unknown:
                _ = UndoRefused(branch);
                return TransactionStatus.Aborted;
            default:
                // If the branch can still be rolled back, it was not committed.
                if (UndoRefused(branch) == BranchRefusal.RolledBack)
                    return TransactionStatus.Aborted;
                Failure = InDoubt(branch, "its commit was refused and could not be rolled back", failure);
                return TransactionStatus.InDoubt;
        }
    }

    private static Exception Undone(TransactionBranch branch, Exception failure, ServerError? refusal, bool mayHaveRun)
    {
        if (refusal is not null)
            _ = UndoRefused(branch);
        else if (mayHaveRun && !branch.TryOnAnotherSession(branch.Statements.RollbackPrepared))
        {
            // The branch may have been prepared, and its session is lost.
            return new TransactionException($"The request to prepare branch {branch.Statements.Name} of the transaction at {branch.Session.Endpoint} was not "
                + $"answered: the transaction is rolled back, but the branch may still be prepared. {branch.Statements.HowToResolve}", failure);
        }

        return failure;
    }

    private static TransactionException Lost(TransactionBranch branch) => new(
        $"The session of the transaction at {branch.Session.Endpoint} was lost ({branch.Session.BrokenBecause ?? "its peer has closed it"}): the server has "
            + "rolled it back.");

    private static TransactionException InDoubt(TransactionBranch branch, string why, Exception failure) => new(
        !branch.IsPrepared && !branch.Statements.IsNamedUnprepared
            ? $"The transaction is in doubt: it is not known whether it was committed at {branch.Session.Endpoint} ({why}). Check whether its changes exist."
        : $"The transaction is in doubt: it is not known whether branch {branch.Statements.Name} at {branch.Session.Endpoint} was committed ({why}). "
            + $"{branch.Statements.HowToResolve}",
        failure);
}
