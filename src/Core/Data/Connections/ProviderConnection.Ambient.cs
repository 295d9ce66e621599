using System.Data;
using System.Data.Common;
using System.Transactions;
using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <content>Ambient transactions (System.Transactions).</content>
public abstract partial class ProviderConnection
{
    /// <summary>Whether the connection takes part in a transaction of System.Transactions.</summary>
    internal bool IsEnlisted => _session?.Enlistment is TransactionBranch { HasEnded: false };

    /// <summary>
    /// Lets the open connection take part in a transaction of System.Transactions. Commands then run in the transaction, and the connection keeps its session
    /// until the transaction ends, even if the connection is closed before. This costs no round trip, because the statement that begins the transaction on the
    /// server travels with the next command. If that statement would end something (table locks), it is sent at once.
    /// </summary>
    /// <param name="transaction">The transaction. Null has no effect if the connection takes part in no transaction, or in one that has ended.</param>
    /// <exception cref="InvalidOperationException">The connection is not open, is busy, has a transaction of its own, or takes part in another
    /// transaction.</exception>
    /// <exception cref="NotSupportedException">The session would be the transaction's second one, and not both can be prepared.</exception>
    /// <exception cref="TransactionException">The transaction accepts no more participants.</exception>
    public override void EnlistTransaction(Transaction? transaction)
    {
        var session = Session;
        if (session.Enlistment is TransactionBranch { HasEnded: false } current)
        {
            if (transaction is not null && current.Transaction.Equals(transaction))
                return;
            throw new InvalidOperationException("The connection is already enlisted in a transaction: it can neither leave it nor enlist in another one "
                + "before the transaction ends.");
        }

        session.Enlistment = null;
        if (transaction is null)
            return;
        RequireNoTransaction(session);
        if (ActiveReader is not null || session.IsInUse || IsTaken)
            throw new InvalidOperationException("A command or a data reader is active on this connection: await or dispose it before enlisting the "
                + "connection in a transaction.");

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

        // The caller continues its lease with another session.
        branch.Session.LeasedAt = session.LeasedAt;
        _session = branch.Session;
        session.Released();
        Source.Sessions.Return(session);
    }

    private void RequireNoTransaction(Session session)
    {
        if (CurrentTransaction is not null || session is { IsInTransaction: true, NeedsReset: false })
            throw new InvalidOperationException("The connection has a transaction of its own: commit it or roll it back before enlisting the connection in "
                + "another one.");
    }

    // Other clients may wait for what the statement ends, such as table locks. It is therefore sent now, because a command might never follow.
    private void BeginNow(Session session)
    {
        if (session.PendingBegin is not { } begin)
            return;
        session.PendingBegin = null;
        Run(begin);
    }

    // The ambient transaction to join; read on the caller's thread, before any wait.
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

    // If there are other sessions, this one must be able to prepare, and perhaps only the server knows whether it is.
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

    // The session stays with the transaction. False if that has ended: the session is then returned as usual.
    private bool TryLeaveSession(Session session)
    {
        if (session.Enlistment is not TransactionBranch branch || !branch.TryDetach())
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
