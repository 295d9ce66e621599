using System.Data;
using System.Data.Common;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;

namespace Slipstream.Core.Data;

/// <summary>
/// A transaction on one connection. A plain BEGIN is owed until the first command and travels in front of it; ending a transaction that no
/// command has used sends nothing.
/// </summary>
public abstract class ProviderTransaction : DbTransaction
{
    private ProviderConnection? _connection;
    private bool _isBegun;
    private bool _isDisposed;
    private bool _isUndone;

    /// <summary>A transaction that has not begun yet.</summary>
    private protected ProviderTransaction(ProviderConnection connection, IsolationLevel isolationLevel)
    {
        _connection = connection;
        IsolationLevel = isolationLevel;
    }

    /// <inheritdoc/>
    public override IsolationLevel IsolationLevel { get; }

    /// <inheritdoc/>
    protected override DbConnection? DbConnection => IsOver ? null : _connection;

    /// <inheritdoc/>
    public override bool SupportsSavepoints => true;

    /// <summary>
    /// The statement that begins the transaction, cannot fail in a way that changes the meaning of what follows, and ends nothing that came before;
    /// null when what begins it must be answered first.
    /// </summary>
    private protected abstract string? PrependedBegin { get; }

    /// <summary>Statements to run, each answered, when <see cref="PrependedBegin"/> is null.</summary>
    private protected abstract IReadOnlyList<string> Begins { get; }

    /// <summary>A savepoint's name as an identifier of the dialect.</summary>
    private protected abstract string Quote(string name);

    /// <summary>
    /// Whether it ends here when the server says that it has ended: where only a statement that says so ends a transaction. Where other statements end one in
    /// passing, too, as CREATE TABLE does, programs rely on going on with the object.
    /// </summary>
    private protected virtual bool EndsWithTheServers => false;

    /// <summary>The server has ended it, by a statement of the user's or because it refused the COMMIT: nothing that ran now would be part of it.</summary>
    internal bool IsOver =>
        EndsWithTheServers && _connection is { ActiveReader: null, SessionOrNull: { IsBroken: false, IsInTransaction: false, PendingBegin: null } session }
        && !session.Operation.IsRunning && !session.Queue.HasPrefixes && _connection.HasBegun(this);

    /// <summary>The server has answered the statements that begin it.</summary>
    private protected virtual void Begun()
    {
        // Most providers have learned nothing from that.
    }

    /// <summary>Begins it on its connection.</summary>
    internal void Begin()
    {
        var connection = Announce();
        if (PrependedBegin is { } glued && connection.Session.MayPipeline)
        {
            Postpone(connection.Session, glued);
            CommandTelemetry.Defer(connection.Source, KnownSummaries.Begin);
            return;
        }

        if (connection.Session.MayHideTransaction)
            connection.Run(connection.Session.CreatePing());
        foreach (var sql in Statements)
            connection.Run(connection.Session.CreateSimple(sql), KnownSummaries.Begin);
        Answered(connection);
    }

    /// <summary>Begins it on its connection.</summary>
    internal async ValueTask BeginAsync(CancellationToken cancellationToken)
    {
        var connection = Announce();
        if (PrependedBegin is { } glued && connection.Session.MayPipeline)
        {
            Postpone(connection.Session, glued);
            CommandTelemetry.Defer(connection.Source, KnownSummaries.Begin);
            return;
        }

        if (connection.Session.MayHideTransaction)
            await connection.RunAsync(connection.Session.CreatePing(), cancellationToken).ConfigureAwait(false);
        foreach (var sql in Statements)
            await connection.RunAsync(connection.Session.CreateSimple(sql), KnownSummaries.Begin, cancellationToken).ConfigureAwait(false);
        Answered(connection);
    }

    /// <inheritdoc/>
    public override void Commit()
    {
        RequireWhole();
        End("COMMIT", KnownSummaries.Commit);
    }

    /// <inheritdoc/>
    public override async Task CommitAsync(CancellationToken cancellationToken = default)
    {
        RequireWhole();
        await EndAsync("COMMIT", KnownSummaries.Commit, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override void Rollback()
    {
        if (!WasUndone())
            End("ROLLBACK", KnownSummaries.Rollback);
    }

    /// <inheritdoc/>
    public override Task RollbackAsync(CancellationToken cancellationToken = default) =>
        WasUndone() ? Task.CompletedTask : EndAsync("ROLLBACK", KnownSummaries.Rollback, cancellationToken);

    /// <inheritdoc/>
    public override void Save(string savepointName) => Run("SAVEPOINT " + Named(savepointName), KnownSummaries.Savepoint);

    /// <inheritdoc/>
    public override Task SaveAsync(string savepointName, CancellationToken cancellationToken = default) =>
        RunAsync("SAVEPOINT " + Named(savepointName), KnownSummaries.Savepoint, cancellationToken);

    /// <inheritdoc/>
    public override void Rollback(string savepointName) => Run("ROLLBACK TO SAVEPOINT " + Named(savepointName), KnownSummaries.RollbackToSavepoint);

    /// <inheritdoc/>
    public override Task RollbackAsync(string savepointName, CancellationToken cancellationToken = default) =>
        RunAsync("ROLLBACK TO SAVEPOINT " + Named(savepointName), KnownSummaries.RollbackToSavepoint, cancellationToken);

    /// <inheritdoc/>
    public override void Release(string savepointName) => Run("RELEASE SAVEPOINT " + Named(savepointName), KnownSummaries.ReleaseSavepoint);

    /// <inheritdoc/>
    public override Task ReleaseAsync(string savepointName, CancellationToken cancellationToken = default) =>
        RunAsync("RELEASE SAVEPOINT " + Named(savepointName), KnownSummaries.ReleaseSavepoint, cancellationToken);

    /// <summary>The connection has gone: the transaction with it.</summary>
    internal void Abandon()
    {
        _connection = null;
        _isDisposed = true;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && _connection?.ActiveReader is { } reader)
            CloseQuietly(reader);
        LeaveIfOver();
        if (disposing && _connection?.SessionOrNull is { IsBroken: false })
            End("ROLLBACK", KnownSummaries.Rollback);
        _connection = null;
        _isDisposed = true;
        base.Dispose(disposing);
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        if (_connection?.ActiveReader is { } reader)
            await CloseQuietlyAsync(reader).ConfigureAwait(false);
        LeaveIfOver();
        if (_connection?.SessionOrNull is { IsBroken: false })
            await EndAsync("ROLLBACK", KnownSummaries.Rollback, default).ConfigureAwait(false);
        _connection = null;
        _isDisposed = true;
        GC.SuppressFinalize(this);
    }

    private IReadOnlyList<string> Statements => PrependedBegin is { } glued ? [glued] : Begins;

    // Often an exception is on its way that must not be hidden: what the reader has to tell is undone in a moment, or the connection is lost.
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
        connection.CurrentTransaction = this;
        Begun();
    }

    private ProviderConnection Announce()
    {
        var connection = Usable();
        if (connection.CurrentTransaction is not null)
            throw new InvalidOperationException("The connection has an open transaction: transactions cannot be nested; use a savepoint.");
        if (connection.IsEnlisted)
            throw new InvalidOperationException("The connection takes part in an ambient transaction: it cannot have one of its own until that has ended.");
        if (connection.ActiveReader is not null)
            throw new InvalidOperationException("A data reader is still open on this connection: dispose it before beginning a transaction.");
        if (connection.Session.Operation.IsRunning || connection.IsTaken)
            throw new InvalidOperationException("Another command is still running on this connection: await it before beginning a transaction.");
        if (EndsWithTheServers && connection.Session is { IsInTransaction: true, NeedsReset: false })
            throw new InvalidOperationException("A statement has begun a transaction on this connection: end it with a statement, COMMIT or ROLLBACK, before another begins.");
        connection.Session.LostTransaction = null;
        if (PrependedBegin is not null && connection.Session.MayPipeline)
            connection.CurrentTransaction = this;
        return connection;
    }

    // Nothing was sent since the BEGIN was owed: there is nothing to end on the server.
    private bool WasNeverUsed(ProviderConnection connection, string end)
    {
        if (_isBegun || connection.Session.PendingBegin is null || connection.IsTaken)
            return false;
        var session = connection.Session;
        session.PendingBegin = null;
        session.PendingEnd = session.TellsOfLastStatement ? session.CreateSimple(end) : null;
        return true;
    }

    // The beginning stands in for the end of one that was not used.
    private static void Postpone(Session session, string begin)
    {
        session.PendingEnd = null;
        session.PendingBegin = session.CreateSimple(begin);
    }

    private void End(string sql, QuerySummary summary)
    {
        var connection = Usable();
        try
        {
            if (!WasNeverUsed(connection, sql))
                connection.Run(connection.Session.CreateSimple(sql), summary);
        }
        catch (DbException)
        {
            _isUndone = IsOver;
            throw;
        }

        Ended(connection);
    }

    private async Task EndAsync(string sql, QuerySummary summary, CancellationToken cancellationToken)
    {
        var connection = Usable();
        // Whether there is something to send decides nothing here.
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            if (!WasNeverUsed(connection, sql))
                await connection.RunAsync(connection.Session.CreateSimple(sql), summary, cancellationToken).ConfigureAwait(false);
        }
        catch (DbException)
        {
            _isUndone = IsOver;
            throw;
        }

        Ended(connection);
    }

    // The server has undone it when it refused the COMMIT. Who rolls back for that reason must not hear of another error instead.
    private bool WasUndone()
    {
        LeaveIfOver();
        var wasUndone = _isUndone && !_isDisposed;
        _isUndone = false;
        return wasUndone;
    }

    private void LeaveIfOver()
    {
        if (IsOver)
            Ended(_connection!);
    }

    // Nothing of it is left on the server: it must not seem to go on, or to be committed.
    private void RequireWhole()
    {
        if (_connection is { SessionOrNull: { } session } connection)
            connection.RequireWholeTransaction(session);
    }

    private void Ended(ProviderConnection connection)
    {
        if (connection.SessionOrNull is { } session)
            session.LostTransaction = null;
        connection.Forget(this);
        _connection = null;
    }

    /// <summary>Another one has begun in its place.</summary>
    internal void Leave() => _connection = null;

    private void Run(string sql, QuerySummary summary)
    {
        var connection = Usable();
        RequireWhole();
        connection.Run(connection.Session.CreateSimple(sql), summary);
    }

    private async Task RunAsync(string sql, QuerySummary summary, CancellationToken cancellationToken)
    {
        var connection = Usable();
        RequireWhole();
        await connection.RunAsync(connection.Session.CreateSimple(sql), summary, cancellationToken).ConfigureAwait(false);
    }

    private string Named(string savepointName)
    {
        ArgumentException.ThrowIfNullOrEmpty(savepointName);
        return Quote(Names.Checked(savepointName, "savepoint's name", nameof(savepointName)));
    }

    private ProviderConnection Usable()
    {
        LeaveIfOver();
        return _connection switch
        {
            null when _isDisposed => throw new ObjectDisposedException(GetType().Name, "The transaction has been disposed, or its connection closed: it can be neither committed nor rolled back."),
            null => throw new InvalidOperationException("The transaction has been committed, rolled back or disposed already."),
            { SessionOrNull: null } => throw new InvalidOperationException("The transaction's connection is no longer open."),
            var connection => connection,
        };
    }
}
