using System.Data.Common;
using Slipstream.Core.Causality;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <content>The transaction that was begun on the connection.</content>
public abstract partial class ProviderConnection
{
    private ProviderTransaction? _transaction;

    /// <summary>
    /// Gets the token of the writes that this connection has committed since it was opened. A read through <c>WithToken</c> of a data source sees them.
    /// </summary>
    /// <value>
    /// The token; null if nothing was committed, or while the connection is closed. If the position of a write is not known, it is a token that only the
    /// primary satisfies. MySQL and MariaDB report positions
    /// if the data source knows the roles of its servers, or with Track Write Token=true. PostgreSQL is asked with each commit in a causal scope, or with
    /// Track Write Token=true.
    /// </value>
    public WriteToken? LastWriteToken => _session?.Writes?.Last is { } position ? new(position) : null;

    /// <summary>The transaction that was begun on this connection and has not ended; null without one.</summary>
    internal ProviderTransaction? CurrentTransaction
    {
        get => _transaction is { HasEnded: false } current ? current : null;
        set
        {
            _transaction?.Leave();
            _transaction = value;
        }
    }

    /// <summary>Whether the transaction was begun on this connection, and its end has not been reported.</summary>
    internal bool HasBegun(ProviderTransaction transaction) => ReferenceEquals(_transaction, transaction);

    /// <summary>Removes a transaction that has ended.</summary>
    internal void Forget(ProviderTransaction ended)
    {
        if (ReferenceEquals(_transaction, ended))
            _transaction = null;
    }

    /// <summary>Whether a transaction of this connection is open.</summary>
    internal bool HasTransaction => CurrentTransaction is not null;

    /// <summary>Checks that the server has not rolled the transaction back. Called before each of its commands and its commit.</summary>
    /// <exception cref="DbException">The server has rolled the transaction back: the error with which it did so.</exception>
    internal void RequireWholeTransaction(Session session)
    {
        if (session.LostTransaction is not { } because)
            return;
        if (CurrentTransaction is not null)
            throw Source.CreateException(because with
            {
                Message = "The server has rolled back the whole transaction. The command was not run, because it would have been committed by itself: roll "
                    + $"back or dispose the transaction, and repeat its work. The error was: {because.Message}",
            });
        // The transaction was begun by a statement of the user, not by an object.
        if (!IsEnlisted)
            session.LostTransaction = null;
    }

    internal void RequireTransaction(ProviderTransaction? transaction)
    {
        if (CurrentTransaction is not null && transaction is null)
            throw new InvalidOperationException("The connection has an open transaction: set the command's Transaction property to it.");
    }
}
