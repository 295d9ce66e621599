using System.Data;
using System.Data.Common;
using System.Transactions;
using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <content>Ambient transactions (System.Transactions).</content>
public abstract partial class ProviderConnection
{
    /// <summary>True while the connection takes part in a transaction of System.Transactions.</summary>
    internal bool IsEnlisted => _session?.Enlistment is TransactionBranch { IsOver: false };

    /// <summary>
    /// Lets the open connection take part in a transaction: commands run in it from now on, and it keeps the session until it ends,
    /// even when the connection is closed before. Costs no round trip, because what begins it on the server travels with the next command; where that
    /// ends something (table locks), it is sent at once.
    /// </summary>
    /// <param name="transaction">Null leaves everything as it is when the connection takes part in none, or in one that has ended.</param>
    /// <exception cref="InvalidOperationException">The connection is not open, is busy, has a transaction of its own, or takes part in another one.</exception>
    /// <exception cref="NotSupportedException">It would be the transaction's second session, and not both can prepare.</exception>
    /// <exception cref="TransactionException">The transaction takes no participants any more.</exception>
    public override void EnlistTransaction(Transaction? transaction)
    {
        var session = Session;
        if (session.Enlistment is TransactionBranch { IsOver: false } current)
        {
            if (transaction is not null && current.Transaction.Equals(transaction))
                return;
            throw new InvalidOperationException("The connection takes part in a transaction already: it cannot leave that one, or join another, before it has ended.");
        }

        session.Enlistment = null;
        if (transaction is null)
            return;
        RequireNoTransaction(session);
        if (ActiveReader is not null || session.Operation.IsRunning || IsTaken)
            throw new InvalidOperationException("A command or a data reader is at work on this connection: end it before the connection takes part in a transaction.");

        if (session.MayHideTransaction)
        {
            Run(session.CreatePing());
            RequireNoTransaction(session);
        }

        var ambient = AmbientTransaction.Of(transaction);
        if (ambient.TakeIdle(this) is not { } branch)
        {
            Check(ambient);
            var endsSomething = !session.HoldsNothing;
            ambient.Add(this);
            if (endsSomething)
                BeginNow(session);
            return;
        }

        // The caller goes on with its lease, in another session.
        branch.Session.LeasedAt = session.LeasedAt;
        _session = branch.Session;
        session.Released();
        Source.Sessions.Return(session);
    }

    private void RequireNoTransaction(Session session)
    {
        if (CurrentTransaction is not null || session is { IsInTransaction: true, NeedsReset: false })
            throw new InvalidOperationException("The connection has a transaction of its own: commit it or roll it back before the connection takes part in another one.");
    }

    // What the beginning ends, table locks for one, others may wait for: it is ended now, and even if no command follows.
    private void BeginNow(Session session)
    {
        if (session.PendingBegin is not { } begin)
            return;
        session.PendingBegin = null;
        Run(begin);
    }

    // Where a transaction is ambient; read on the caller's thread, before anything is waited for.
    private Transaction? AmbientToJoin => Source.EnlistsAutomatically ? Transaction.Current : null;

    private void OpenEnlisted(Transaction transaction)
    {
        var ambient = AmbientTransaction.Of(transaction);
        if ((_session = ambient.TakeIdle(this)?.Session) is not null)
            return;
        ambient.RequireRoom(Source);
        _session = Source.Sessions.Lease(this, Source.ConnectTimeout);
        try
        {
            Check(ambient);
            ambient.Add(this);
        }
        catch
        {
            Return();
            throw;
        }
    }

    private async Task OpenEnlistedAsync(Transaction transaction, long began, CancellationToken cancellationToken)
    {
        try
        {
            var ambient = AmbientTransaction.Of(transaction);
            if ((_session = ambient.TakeIdle(this)?.Session) is null)
            {
                ambient.RequireRoom(Source);
                _session = await Source.Sessions.LeaseAsync(this, Source.ConnectTimeout, cancellationToken).ConfigureAwait(false);
                await CheckAsync(ambient, cancellationToken).ConfigureAwait(false);
                ambient.Add(this);
            }
        }
        catch (Exception exception)
        {
            Return();
            throw OpenFailed(exception, cancellationToken);
        }

        EndOpen(began);
    }

    // Beside others the session must be able to prepare, and only the server may know whether it is.
    private void Check(AmbientTransaction ambient)
    {
        if (!ambient.HasBranches || Source.CheckBranches(Session) is not { } check)
            return;
        try
        {
            Run(check);
        }
        catch (DbException refusal) when (check.Error is not null)
        {
            throw ambient.NoRoom(Source, refusal);
        }
    }

    private async ValueTask CheckAsync(AmbientTransaction ambient, CancellationToken cancellationToken)
    {
        if (!ambient.HasBranches || Source.CheckBranches(Session) is not { } check)
            return;
        try
        {
            await RunAsync(check, cancellationToken).ConfigureAwait(false);
        }
        catch (DbException refusal) when (check.Error is not null)
        {
            throw ambient.NoRoom(Source, refusal);
        }
    }

    // The session stays with the transaction. False when that has ended: then it goes where it came from.
    private bool TryLeaveSession(Session session)
    {
        if (session.Enlistment is not TransactionBranch branch || !branch.TryLetGo())
            return false;
        Source.Telemetry.EndUse(session.LeasedAt);
        EndClose();
        return true;
    }

    private void EndClose()
    {
        var wasOpen = _state == ConnectionState.Open;
        _state = ConnectionState.Closed;
        if (wasOpen)
            OnStateChange(ToClosed);
    }
}
