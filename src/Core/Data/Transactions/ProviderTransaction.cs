using System.Data;
using System.Data.Common;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;

namespace Slipstream.Core.Data;

/// <summary>
/// The base class of the providers' transactions: a transaction on one connection. A plain BEGIN is deferred and sent together with the first command. If no
/// command has used the transaction, its end sends nothing.
/// </summary>
public abstract class ProviderTransaction : DbTransaction
{
    private const string Committing = "COMMIT";

    private ProviderConnection? _connection;
    private bool _isBegun;
    private bool _isDisposed;
    private bool _isUndone;
    private bool _mayHaveCommitted;
    private bool _wasLeft;
    private Session? _endedOn;
    private long _endedAt;

    /// <summary>Creates a transaction that has not begun.</summary>
    private protected ProviderTransaction(ProviderConnection connection, IsolationLevel isolationLevel)
    {
        _connection = connection;
        IsolationLevel = isolationLevel;
    }

    /// <summary>Gets the isolation level with which the transaction was begun.</summary>
    public override IsolationLevel IsolationLevel { get; }

    /// <inheritdoc/>
    protected override DbConnection? DbConnection => HasEnded ? null : _connection;

    /// <summary>Gets whether the transaction supports savepoints.</summary>
    /// <value>Always true.</value>
    public override bool SupportsSavepoints => ReportsSavepoints;

    /// <summary>The value of <see cref="SupportsSavepoints"/>: savepoints work in any case.</summary>
    private protected virtual bool ReportsSavepoints => true;

    /// <summary>
    /// The statement that begins the transaction, if it can precede the first command. It must not be able to fail in a way that changes the meaning of later
    /// statements, and it must not end anything earlier. Null if the statements that begin the transaction must be answered first.
    /// </summary>
    private protected abstract string? PrependedBegin { get; }

    /// <summary>The statements to run and await one by one, if <see cref="PrependedBegin"/> is null.</summary>
    private protected abstract IReadOnlyList<string> Begins { get; }

    /// <summary>Quotes a savepoint's name as an identifier of the dialect.</summary>
    private protected abstract string Quote(string name);

    /// <summary>
    /// Whether the object ends when the server reports that its transaction has ended. True where only a statement that explicitly ends a transaction does so.
    /// False where other statements, such as CREATE TABLE, implicitly end one: applications rely on using the object afterwards.
    /// </summary>
    private protected virtual bool EndsWithServerTransaction => false;

    /// <summary>
    /// Whether the server has ended the transaction, by a statement of the user or by refusing the COMMIT: later commands would not be part of it.
    /// </summary>
    internal bool HasEnded =>
        EndsWithServerTransaction
        && _connection is { ActiveReader: null, SessionOrNull: { IsBroken: false, IsInTransaction: false, PendingBegin: null } session }
        && !session.Operation.IsRunning && !session.Queue.HasPrefixes && _connection.HasBegun(this);

    /// <summary>Called when the server has answered the statements that begin the transaction.</summary>
    private protected virtual void Begun()
    {
        // Most providers do not need it.
    }

    /// <summary>Begins the transaction on its connection.</summary>
    internal void Begin()
    {
        var connection = Announce();
        if (PrependedBegin is { } prepended && connection.Session.MayPipeline)
        {
            Postpone(connection.Session, prepended);
            CommandTelemetry.Defer(connection.Session, connection.Source, KnownSummaries.Begin);
            return;
        }

        if (connection.Session.MayHideTransaction)
            connection.Run(connection.Session.CreatePing());
        foreach (var sql in Statements)
            connection.Run(connection.Session.CreateSimple(sql), KnownSummaries.Begin);
        Answered(connection);
    }

    /// <summary>Begins the transaction on its connection.</summary>
    internal async ValueTask BeginAsync(CancellationToken cancellationToken)
    {
        var connection = Announce();
        if (PrependedBegin is { } prepended && connection.Session.MayPipeline)
        {
            Postpone(connection.Session, prepended);
            CommandTelemetry.Defer(connection.Session, connection.Source, KnownSummaries.Begin);
            return;
        }

        if (connection.Session.MayHideTransaction)
            await connection.RunAsync(connection.Session.CreatePing(), cancellationToken).ConfigureAwait(false);
        foreach (var sql in Statements)
            await connection.RunAsync(connection.Session.CreateSimple(sql), KnownSummaries.Begin, cancellationToken).ConfigureAwait(false);
        Answered(connection);
    }

    /// <summary>Commits the transaction. Sends nothing if no command has used the transaction.</summary>
    /// <exception cref="InvalidOperationException">The transaction has ended already, or its connection is closed or busy.</exception>
    /// <exception cref="ObjectDisposedException">The transaction has been disposed.</exception>
    /// <exception cref="DbException">The server refused the commit, has rolled the transaction back before, or the connection was lost.</exception>
    public override void Commit()
    {
        RequireWhole();
        End(Committing, KnownSummaries.Commit);
    }

    /// <summary>Commits the transaction asynchronously. Sends nothing if no command has used the transaction.</summary>
    /// <param name="cancellationToken">Cancels the commit.</param>
    /// <returns>A task that completes when the server has committed the transaction.</returns>
    /// <exception cref="InvalidOperationException">The transaction has ended already, or its connection is closed or busy.</exception>
    /// <exception cref="ObjectDisposedException">The transaction has been disposed.</exception>
    /// <exception cref="DbException">The server refused the commit, has rolled the transaction back before, or the connection was lost.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override async Task CommitAsync(CancellationToken cancellationToken = default)
    {
        RequireWhole();
        await EndAsync(Committing, KnownSummaries.Commit, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Rolls the transaction back. Sends nothing if no command has used the transaction. Does nothing if the server rolled the transaction back when it refused
    /// the commit.
    /// </summary>
    /// <exception cref="InvalidOperationException">The transaction has ended already, or its connection is closed or busy.</exception>
    /// <exception cref="ObjectDisposedException">The transaction has been disposed.</exception>
    /// <exception cref="DbException">The server refused the rollback, or the connection was lost.</exception>
    public override void Rollback()
    {
        if (!WasUndone())
            End("ROLLBACK", KnownSummaries.Rollback);
    }

    /// <summary>
    /// Rolls the transaction back asynchronously. Sends nothing if no command has used the transaction. Does nothing if the server rolled the transaction back
    /// when it refused the commit.
    /// </summary>
    /// <param name="cancellationToken">Cancels the rollback.</param>
    /// <returns>A task that completes when the server has rolled the transaction back.</returns>
    /// <exception cref="InvalidOperationException">The transaction has ended already, or its connection is closed or busy.</exception>
    /// <exception cref="ObjectDisposedException">The transaction has been disposed.</exception>
    /// <exception cref="DbException">The server refused the rollback, or the connection was lost.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override Task RollbackAsync(CancellationToken cancellationToken = default) =>
        WasUndone() ? Task.CompletedTask : EndAsync("ROLLBACK", KnownSummaries.Rollback, cancellationToken);

    /// <summary>Creates a savepoint.</summary>
    /// <param name="savepointName">The name of the savepoint. The driver quotes it.</param>
    /// <exception cref="ArgumentException">The name is empty or contains a zero character.</exception>
    /// <exception cref="InvalidOperationException">The transaction has ended already, or its connection is closed or busy.</exception>
    /// <exception cref="DbException">The server refused the statement, or the connection was lost.</exception>
    public override void Save(string savepointName) => Run("SAVEPOINT " + Named(savepointName), KnownSummaries.Savepoint);

    /// <inheritdoc cref="Save"/>
    /// <param name="savepointName">The name of the savepoint. The driver quotes it.</param>
    /// <param name="cancellationToken">Cancels the statement.</param>
    /// <returns>A task that completes when the server has created the savepoint.</returns>
    public override Task SaveAsync(string savepointName, CancellationToken cancellationToken = default) =>
        RunAsync("SAVEPOINT " + Named(savepointName), KnownSummaries.Savepoint, cancellationToken);

    /// <summary>Rolls back to a savepoint: undoes the changes since it was created. The transaction continues.</summary>
    /// <param name="savepointName">The name of the savepoint. The driver quotes it.</param>
    /// <exception cref="ArgumentException">The name is empty or contains a zero character.</exception>
    /// <exception cref="InvalidOperationException">The transaction has ended already, or its connection is closed or busy.</exception>
    /// <exception cref="DbException">The savepoint does not exist, or the connection was lost.</exception>
    public override void Rollback(string savepointName) => Run("ROLLBACK TO SAVEPOINT " + Named(savepointName), KnownSummaries.RollbackToSavepoint);

    /// <inheritdoc cref="Rollback(string)"/>
    /// <param name="savepointName">The name of the savepoint. The driver quotes it.</param>
    /// <param name="cancellationToken">Cancels the statement.</param>
    /// <returns>A task that completes when the server has rolled back to the savepoint.</returns>
    public override Task RollbackAsync(string savepointName, CancellationToken cancellationToken = default) =>
        RunAsync("ROLLBACK TO SAVEPOINT " + Named(savepointName), KnownSummaries.RollbackToSavepoint, cancellationToken);

    /// <summary>Releases a savepoint, and keeps the changes since it was created.</summary>
    /// <param name="savepointName">The name of the savepoint. The driver quotes it.</param>
    /// <exception cref="ArgumentException">The name is empty or contains a zero character.</exception>
    /// <exception cref="InvalidOperationException">The transaction has ended already, or its connection is closed or busy.</exception>
    /// <exception cref="DbException">The savepoint does not exist, or the connection was lost.</exception>
    public override void Release(string savepointName) => Run("RELEASE SAVEPOINT " + Named(savepointName), KnownSummaries.ReleaseSavepoint);

    /// <inheritdoc cref="Release"/>
    /// <param name="savepointName">The name of the savepoint. The driver quotes it.</param>
    /// <param name="cancellationToken">Cancels the statement.</param>
    /// <returns>A task that completes when the server has released the savepoint.</returns>
    public override Task ReleaseAsync(string savepointName, CancellationToken cancellationToken = default) =>
        RunAsync("RELEASE SAVEPOINT " + Named(savepointName), KnownSummaries.ReleaseSavepoint, cancellationToken);

    /// <summary>Whether a statement was sent in the transaction that may have committed a part of its work.</summary>
    internal bool MayHaveCommitted => _mayHaveCommitted || _connection?.SessionOrNull is { TransactionPhase: TransactionPhase.Doubtful };

    /// <summary>
    /// Whether something may have been done that a rollback of this transaction does not undo: the caller has committed it, has begun another one in its place,
    /// has closed its connection, or has run a command after a rollback.
    /// </summary>
    internal bool HasLaterWork(ProviderConnection connection) => _wasLeft
        || (_endedOn is { } session ? !ReferenceEquals(connection.SessionOrNull, session) || session.Operation.Number != _endedAt
            : connection.SessionOrNull is not null && !connection.HasBegun(this));

    /// <summary>Ends the object when its connection is closed.</summary>
    /// <param name="session">The session that the connection had.</param>
    internal void Abandon(Session session)
    {
        _mayHaveCommitted |= session.TransactionPhase == TransactionPhase.Doubtful;
        _wasLeft |= !session.IsBroken;
        _connection = null;
        // A rollback for that reason must not throw another error.
        _isUndone = session.HasEndedUnready;
        _isDisposed = !_isUndone;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && _connection?.ActiveReader is { } reader)
            CloseQuietly(reader);
        DetachIfEnded();
        if (disposing && _connection?.SessionOrNull is { IsBroken: false })
            End("ROLLBACK", KnownSummaries.Rollback);
        _connection = null;
        _isDisposed = true;
        base.Dispose(disposing);
    }

    /// <summary>Disposes the transaction. One that has not ended is rolled back, after an open reader was closed.</summary>
    /// <returns>A task that completes when the transaction has ended.</returns>
    public override async ValueTask DisposeAsync()
    {
        if (_connection?.ActiveReader is { } reader)
            await CloseQuietlyAsync(reader).ConfigureAwait(false);
        DetachIfEnded();
        if (_connection?.SessionOrNull is { IsBroken: false })
            await EndAsync("ROLLBACK", KnownSummaries.Rollback, default).ConfigureAwait(false);
        _connection = null;
        _isDisposed = true;
        GC.SuppressFinalize(this);
    }

    private IReadOnlyList<string> Statements => PrependedBegin is { } prepended ? [prepended] : Begins;

    // Often another exception is being thrown and must not be hidden. The effects of the reader's error are rolled back in a moment, or the connection is lost.
    private static void CloseQuietly(ProviderDataReader reader)
    {
        try
        {
            reader.Close();
        }
        catch (Exception exception) when (exception is DbException or OperationCanceledException)
        {
            // See above.
        }
    }

    private static async ValueTask CloseQuietlyAsync(ProviderDataReader reader)
    {
        try
        {
            await reader.CloseAsync().ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is DbException or OperationCanceledException)
        {
            // See above.
        }
    }

    private void Answered(ProviderConnection connection)
    {
        _isBegun = true;
        connection.Session.TransactionBegins();
        connection.CurrentTransaction = this;
        Begun();
    }

    private ProviderConnection Announce()
    {
        var connection = Usable();
        if (connection.CurrentTransaction is not null)
            throw new InvalidOperationException("The connection has an open transaction: transactions cannot be nested; use a savepoint.");
        if (connection.IsEnlisted)
            throw new InvalidOperationException("The connection is enlisted in an ambient transaction: it cannot begin a transaction of its own until the "
                + "ambient one ends.");
        if (connection.ActiveReader is not null)
            throw connection.Busy(
                new InvalidOperationException("A data reader is still open on this connection: dispose it before beginning a transaction."));
        if (connection.Session.IsInUse || connection.IsTaken)
            throw connection.Busy(
                new InvalidOperationException("Another command is still running on this connection: await it before beginning a transaction."));
        if (EndsWithServerTransaction && connection.Session is { IsInTransaction: true, NeedsReset: false })
            throw new InvalidOperationException("A statement has begun a transaction on this connection: end it with the statement COMMIT or ROLLBACK before "
                + "beginning another one.");
        connection.Session.LostTransaction = null;
        if (PrependedBegin is not null && connection.Session.MayPipeline)
            connection.CurrentTransaction = this;
        return connection;
    }

    // No command was sent since BEGIN was deferred, so there is nothing to end on the server.
    private bool WasNeverUsed(ProviderConnection connection, string end)
    {
        if (_isBegun || connection.Session.PendingBegin is null || connection.IsTaken)
            return false;
        var session = connection.Session;
        session.PendingBegin = null;
        session.PendingEnd = session.CanQueryLastStatement ? session.CreateSimple(end) : null;
        return true;
    }

    // The new BEGIN replaces the deferred end of an unused transaction.
    private static void Postpone(Session session, string begin)
    {
        session.PendingEnd = null;
        session.PendingBegin = session.CreateSimple(begin);
        session.TransactionBegins();
    }

    private void End(string sql, QuerySummary summary)
    {
        var connection = Usable();
        var session = connection.Session;
        try
        {
            Announce(sql, session);
            if (!WasNeverUsed(connection, sql))
                connection.Run(session.CreateSimple(sql), summary);
        }
        catch (DbException) when (sql != Committing && session.HasEndedUnready)
        {
            // Rolled back.
        }
        catch (DbException)
        {
            _isUndone |= HasEnded;
            throw;
        }

        Ended(connection);
    }

    private async Task EndAsync(string sql, QuerySummary summary, CancellationToken cancellationToken)
    {
        var connection = Usable();
        // A cancelled token always throws, even if there is nothing to send.
        cancellationToken.ThrowIfCancellationRequested();
        var session = connection.Session;
        try
        {
            Announce(sql, session);
            if (!WasNeverUsed(connection, sql))
                await connection.RunAsync(session.CreateSimple(sql), summary, cancellationToken).ConfigureAwait(false);
        }
        catch (DbException) when (sql != Committing && session.HasEndedUnready)
        {
            // Rolled back.
        }
        catch (DbException)
        {
            _isUndone |= HasEnded;
            throw;
        }

        Ended(connection);
    }

    // The server rolled the transaction back when it refused the COMMIT. A rollback for that reason must not throw another error.
    private bool WasUndone()
    {
        DetachIfEnded();
        var wasUndone = _isUndone && !_isDisposed;
        _isUndone = false;
        return wasUndone;
    }

    private void DetachIfEnded()
    {
        if (HasEnded)
            Ended(_connection!);
    }

    // The server has rolled everything back: the transaction must not appear to continue or to commit.
    private void RequireWhole()
    {
        if (_connection is { SessionOrNull: { } session } connection)
            connection.RequireWholeTransaction(session);
    }

    private void Ended(ProviderConnection connection)
    {
        if (connection.SessionOrNull is { } session)
        {
            _mayHaveCommitted |= session.TransactionPhase == TransactionPhase.Doubtful;
            (_endedOn, _endedAt) = (session, session.Operation.Number);
            session.LostTransaction = null;
            session.TransactionEnds();
        }

        connection.Forget(this);
        _connection = null;
    }

    /// <summary>Detaches the object when another transaction has begun in its place.</summary>
    internal void Leave()
    {
        _wasLeft = true;
        _connection = null;
    }

    private void Run(string sql, QuerySummary summary)
    {
        var connection = Usable();
        RequireWhole();
        connection.Session.HasSavepoint = true;
        connection.Run(connection.Session.CreateSimple(sql), summary);
    }

    private async Task RunAsync(string sql, QuerySummary summary, CancellationToken cancellationToken)
    {
        var connection = Usable();
        RequireWhole();
        connection.Session.HasSavepoint = true;
        await connection.RunAsync(connection.Session.CreateSimple(sql), summary, cancellationToken).ConfigureAwait(false);
    }

    private string Named(string savepointName)
    {
        ArgumentException.ThrowIfNullOrEmpty(savepointName);
        return Quote(Names.Checked(savepointName, "savepoint's name", nameof(savepointName)));
    }

    // Without an answer to it, nobody knows whether the transaction was committed.
    private void Announce(string end, Session session)
    {
        if (end != Committing)
            return;
        _wasLeft = true;
        session.CommitBegins();
    }

    private ProviderConnection Usable()
    {
        DetachIfEnded();
        return _connection switch
        {
            null when _isDisposed =>
                throw new ObjectDisposedException(
                    GetType().Name, "The transaction has been disposed, or its connection closed: it can be neither committed nor rolled back."),
            null => throw new InvalidOperationException("The transaction has already been committed, rolled back or disposed."),
            { SessionOrNull: null } => throw new InvalidOperationException("The transaction's connection is no longer open."),
            var connection => connection,
        };
    }
}
