using System.Collections.Concurrent;
using System.Transactions;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Data;

/// <summary>
/// One transaction of System.Transactions, and the sessions of this process that take part in it. They are a single participant, whatever their number and
/// their providers. Only a single participant is asked to commit in one phase, and can therefore report that the outcome is in doubt; a participant that is
/// asked in two phases cannot.
/// </summary>
internal sealed class AmbientTransaction : ISinglePhaseNotification
{
    private static readonly ConcurrentDictionary<Transaction, AmbientTransaction> All = new();

    private readonly Lock _gate = new();
    private readonly List<TransactionBranch> _branches = [];
    private bool _isEnlisted;
    private bool _isClosed;

    private AmbientTransaction(Transaction transaction) => Transaction = transaction;

    /// <summary>A clone of the transaction, because the caller may dispose its own at any time.</summary>
    public Transaction Transaction { get; }

    /// <summary>The participant of a transaction. The first call for a transaction enlists it.</summary>
    /// <exception cref="TransactionException">The transaction accepts no more participants.</exception>
    public static AmbientTransaction Of(Transaction transaction)
    {
        if (!All.TryGetValue(transaction, out var ambient))
        {
            var clone = transaction.Clone();
            ambient = All.GetOrAdd(clone, static clone => new(clone));
            if (!ReferenceEquals(ambient.Transaction, clone))
                clone.Dispose();
        }

        ambient.Enlist();
        return ambient;
    }

    /// <summary>Gives the connection the session of an earlier, closed connection of the same data source; null without one.</summary>
    public TransactionBranch? TakeIdle(ProviderConnection connection)
    {
        lock (_gate)
        {
            foreach (var branch in _branches)
                if (ReferenceEquals(branch.Source, connection.Source) && branch.TryTake(connection))
                    return branch;
        }

        return null;
    }

    /// <summary>Checks that another session may take part.</summary>
    /// <exception cref="NotSupportedException">Several sessions must be prepared, and not all of them can be.</exception>
    public void RequireRoom(ProviderDataSource source)
    {
        lock (_gate)
        {
            if (_branches.Count == 0 || source.BranchesCanBePrepared && _branches.TrueForAll(static branch => branch.Statements.CanBePrepared))
                return;
            throw NoRoom(source, null);
        }
    }

    /// <summary>The exception that explains why another session may not take part.</summary>
    public NotSupportedException NoRoom(ProviderDataSource source, Exception? because) => new(
        $"The transaction already has a session of {_branches[0].Session.Endpoint}, and this would be a second one (of {source.Telemetry.Host}): two "
        + "sessions can commit together only if both can be prepared. " +
        source.PrepareBranchesAdvice + " Or close the first connection before opening the second one with the same connection string: the second one then "
            + "gets the same session.", because);

    /// <summary>Whether other sessions take part already.</summary>
    public bool HasBranches => _branches.Count > 0;

    /// <summary>Adds the connection's session to the transaction.</summary>
    public void Add(ProviderConnection connection)
    {
        RequireRoom(connection.Source);
        lock (_gate)
        {
            if (_isClosed)
                throw new TransactionAbortedException("The transaction ended while a connection was being opened in it.");
            var session = connection.Session;
            var statements =
                connection.Source.CreateBranch(session, Transaction.TransactionInformation.LocalIdentifier, _branches.Count + 1, Transaction.IsolationLevel);
            var branch = new TransactionBranch(this, connection.Source, session, statements);
            branch.Start(connection);
            _branches.Add(branch);
        }
    }

    private void Enlist()
    {
        lock (_gate)
        {
            if (_isEnlisted)
                return;
            try
            {
                Transaction.EnlistVolatile(this, EnlistmentOptions.None);
                _isEnlisted = true;
            }
            catch
            {
                Forget();
                throw;
            }
        }
    }

    private void Forget()
    {
        if (All.TryRemove(Transaction, out _))
            Transaction.Dispose();
    }

    // ---------------------------------------------------------------- what the transaction manager asks for

    void ISinglePhaseNotification.SinglePhaseCommit(SinglePhaseEnlistment singlePhaseEnlistment)
    {
        if (BeginEnd() is { } obstacle)
        {
            Undo();
            singlePhaseEnlistment.Aborted(obstacle);
            return;
        }

        var commit = new BranchCommit(Begun());
        var outcome = commit.Run();
        Leave(outcome == TransactionStatus.Committed);
        switch (outcome)
        {
            case TransactionStatus.Committed: singlePhaseEnlistment.Committed(); break;
            case TransactionStatus.InDoubt: singlePhaseEnlistment.InDoubt(commit.Failure!); break;
            default: singlePhaseEnlistment.Aborted(commit.Failure!); break;
        }
    }

    void IEnlistmentNotification.Prepare(PreparingEnlistment preparingEnlistment)
    {
        if (BeginEnd() is { } obstacle)
        {
            Undo();
            preparingEnlistment.ForceRollback(obstacle);
            return;
        }

        var commit = new BranchCommit(Begun());
        if (commit.Branches.Count == 0)
        {
            Leave(true);
            preparingEnlistment.Done();
        }
        else if (commit.Prepare())
            preparingEnlistment.Prepared();
        else
        {
            Leave(false);
            preparingEnlistment.ForceRollback(commit.Failure!);
        }
    }

    // The transaction manager has promised the commit to all participants. The only possible answer is "done", and an exception would keep the other
    // participants from being notified.
    void IEnlistmentNotification.Commit(Enlistment enlistment)
    {
        var commit = new BranchCommit(Begun());
        if (commit.CommitAll() != TransactionStatus.Committed && Log is { } log)
            Diagnostics.Log.TransactionInDoubt(log, ServerText.OneLine(commit.Failure!.Message, Diagnostics.Log.LongestReason), commit.Failure);
        Leave(true);
        enlistment.Done();
    }

    void IEnlistmentNotification.Rollback(Enlistment enlistment)
    {
        Undo();
        enlistment.Done();
    }

    // Another participant's outcome is unknown, so the right outcome of this one cannot be decided. A prepared branch waits for an administrator; others are
    // rolled back.
    void IEnlistmentNotification.InDoubt(Enlistment enlistment)
    {
        foreach (var branch in Begun())
        {
            if (branch.IsPrepared && Log is { } log)
                Diagnostics.Log.TransactionInDoubt(
                    log,
                    $"Branch {branch.Statements.Name} stays prepared, because another participant of its transaction is in doubt. "
                        + $"{branch.Statements.HowToResolve}",
                    null);
            branch.Session.Break("the outcome of its transaction is in doubt");
        }

        Leave(false);
        enlistment.Done();
    }

    private Microsoft.Extensions.Logging.ILogger? Log => _branches.Count > 0 ? _branches[0].Source.Telemetry.ConnectionLog : null;

    private List<TransactionBranch> Begun() => _branches.FindAll(static branch => branch.IsBegun);

    // Null if every session is free and the server has not rolled back any of their work.
    private Exception? BeginEnd()
    {
        lock (_gate)
        {
            _isClosed = true;
            foreach (var branch in _branches)
                if (!branch.TryBeginEnd())
                    return new InvalidOperationException("A command or a data reader is still active on a connection of the transaction: await or dispose it "
                        + "before completing the transaction. The transaction was rolled back.");
            foreach (var branch in _branches)
                if (branch.Loss is { } loss)
                    return loss;
            return null;
        }
    }

    private void Undo()
    {
        lock (_gate)
            _isClosed = true;
        foreach (var branch in _branches)
        {
            if (!branch.TryBeginEnd())
                branch.Abandon();
            else if (branch.IsBegun)
                BranchCommit.Undo(branch);
        }

        Leave(false);
    }

    private void Leave(bool committed)
    {
        foreach (var branch in _branches)
            branch.End(committed);
        Forget();
    }
}
