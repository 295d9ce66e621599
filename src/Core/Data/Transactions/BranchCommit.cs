using System.Transactions;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Data;

/// <summary>
/// Commits the branches of a transaction together. One alone is committed in one phase; several are all prepared first, and then all committed.
/// What could not be prepared, and all else with it, is undone. Once one has been told to commit, all are,
/// and an answer that is lost makes the outcome doubtful and not wrong.
/// </summary>
internal sealed class BranchCommit(List<TransactionBranch> branches)
{
    /// <summary>Those of which the server knows.</summary>
    public List<TransactionBranch> Branches => branches;

    /// <summary>Why it was not committed, or is in doubt.</summary>
    public Exception? Failure { get; private set; }

    public TransactionStatus Run() => branches.Count switch
    {
        0 => TransactionStatus.Committed,
        1 => CommitAlone(branches[0]),
        _ => Prepare() ? CommitAll() : TransactionStatus.Aborted,
    };

    /// <summary>Every one promises to commit. False when one did not: then all are undone.</summary>
    public bool Prepare()
    {
        foreach (var branch in branches)
        {
            if (!branch.Statements.CanBePrepared)
            {
                // Alone of its kind beside participants that are not databases of ours: it can promise no more than that its session still lives.
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

    /// <summary>Keeps every promise.</summary>
    public TransactionStatus CommitAll()
    {
        var outcome = TransactionStatus.Committed;
        foreach (var branch in branches)
        {
            if (!branch.IsPrepared)
            {
                if (CommitAlone(branch) != TransactionStatus.Committed)
                    outcome = TransactionStatus.InDoubt;
                continue;
            }

            if (branch.Run(branch.Statements.CommitPrepared(branch.Session), out var refusal, out _) is not { } failure)
                continue;
            // Prepared, it waits on the server, whatever became of its session.
            if (refusal is null && branch.TryElsewhere(branch.Statements.CommitPrepared))
                continue;
            outcome = TransactionStatus.InDoubt;
            Failure = InDoubt(branch, refusal is null ? "its commit was not answered" : "the server refused the commit that it had promised", failure);
            branch.Session.Break("a prepared transaction could not be committed on it");
        }

        return outcome;
    }

    /// <summary>Undoes what has not been committed.</summary>
    public static void Undo(TransactionBranch branch)
    {
        var statements = branch.Statements;
        if (branch.IsPrepared)
        {
            // Lost with its session it would stay prepared for ever, with all its locks.
            if (branch.Run(statements.RollbackPrepared(branch.Session), out _, out _) is null)
                return;
            if (!branch.TryElsewhere(statements.RollbackPrepared) && branch.Source.Telemetry.ConnectionLog is { } log)
                Diagnostics.Log.TransactionInDoubt(log, $"Branch {statements.Name} stays prepared, and should have been rolled back. {statements.HowToResolve}", null);
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

    // Whatever the server does not take any more: it undoes what was not prepared when the session ends.
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

    private TransactionStatus CommitAlone(TransactionBranch branch)
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

        switch (branch.Statements.MeaningOf(refusal))
        {
            case BranchRefusal.InDoubt:
                Failure = InDoubt(branch, "the server cannot say whether it was committed", failure);
                branch.Session.Break("the outcome of its transaction is in doubt");
                return TransactionStatus.InDoubt;
            case BranchRefusal.RolledBack or BranchRefusal.Unknown:
                _ = UndoRefused(branch);
                return TransactionStatus.Aborted;
            default:
                // What can be undone was not committed.
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
        else if (mayHaveRun && !branch.TryElsewhere(branch.Statements.RollbackPrepared))
        {
            // It was perhaps prepared, and its session is lost.
            return new TransactionException($"Preparing branch {branch.Statements.Name} of the transaction at {branch.Session.Endpoint} was not answered: the transaction is rolled back, but the branch may have stayed prepared. {branch.Statements.HowToResolve}", failure);
        }

        return failure;
    }

    private static TransactionException Lost(TransactionBranch branch) => new(
        $"The session of the transaction at {branch.Session.Endpoint} was lost ({branch.Session.BrokenBecause ?? "its peer has closed it"}): the server has rolled it back.");

    private static TransactionException InDoubt(TransactionBranch branch, string why, Exception failure) => new(
        $"The transaction is in doubt: it is not known whether branch {branch.Statements.Name} at {branch.Session.Endpoint} was committed ({why}). {branch.Statements.HowToResolve}", failure);
}
