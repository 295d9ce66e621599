using System.Data.Common;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <content>The transaction that was begun on it.</content>
public abstract partial class ProviderConnection
{
    private ProviderTransaction? _transaction;

    /// <summary>The transaction begun on this connection and not yet ended.</summary>
    internal ProviderTransaction? CurrentTransaction
    {
        get => _transaction is { IsOver: false } current ? current : null;
        set
        {
            _transaction?.Leave();
            _transaction = value;
        }
    }

    /// <summary>Whether it was begun on this connection, and nothing has been heard of its end.</summary>
    internal bool HasBegun(ProviderTransaction transaction) => ReferenceEquals(_transaction, transaction);

    /// <summary>It has ended.</summary>
    internal void Forget(ProviderTransaction ended)
    {
        if (ReferenceEquals(_transaction, ended))
            _transaction = null;
    }

    /// <summary>Whether a transaction is open on it.</summary>
    internal bool HasTransaction => CurrentTransaction is not null;

    /// <summary>A command of the connection's transaction is about to run, or its commit.</summary>
    /// <exception cref="DbException">The server has rolled it back by itself: the error is the one it did that with.</exception>
    internal void RequireWholeTransaction(Session session)
    {
        if (session.LostTransaction is not { } because)
            return;
        if (CurrentTransaction is not null)
            throw Source.CreateException(because with
            {
                Message = $"The server has rolled the whole transaction back, and this was not run, because it would have been committed by itself: roll the transaction back or dispose it, and begin again. The error was: {because.Message}",
            });
        // It was one that only the user's texts knew of.
        if (!IsEnlisted)
            session.LostTransaction = null;
    }

    internal void RequireTransaction(ProviderTransaction? transaction)
    {
        if (CurrentTransaction is not null && transaction is null)
            throw new InvalidOperationException("The connection has an open transaction: set the command's Transaction property to it.");
    }
}
