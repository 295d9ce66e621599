using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;

namespace Slipstream.Core.Data;

/// <summary>The base class of the providers' connections. While open, a connection leases a session from its data source.</summary>
public abstract partial class ProviderConnection : DbConnection
{
    private Session? _session;
    private ProviderDataSource? _source;
    private string _connectionString = "";
    private ConnectionState _state;
    private bool _isLost;
    private ProviderCommand? _lastCommand;
    private bool _disposed;

    /// <summary>Creates a closed connection.</summary>
    private protected ProviderConnection() => GC.SuppressFinalize(this);

    /// <summary>Creates a closed connection of a data source.</summary>
    private protected ProviderConnection(ProviderDataSource source, string connectionString)
        : this()
    {
        _source = source;
        _connectionString = connectionString;
    }

    /// <summary>The session of the open connection.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    internal Session Session => _session ?? throw new InvalidOperationException(
        $"The connection must be open for this operation; its state is {_state}: call Open or OpenAsync first.");

    /// <summary>The session of the open connection; null while the connection is closed.</summary>
    internal Session? SessionOrNull => _session;
    internal ref Session? SessionField => ref _session;

    /// <summary>
    /// The command that began last, which is the only one that can be cancelled; null if it was not a command of the caller. Set before its operation begins.
    /// Stored here and not in the session: the pool references sessions, and would keep a forgotten connection alive.
    /// </summary>
    internal ProviderCommand? LastCommand
    {
        get => Volatile.Read(ref _lastCommand);
        set => Volatile.Write(ref _lastCommand, value);
    }

    /// <summary>Lets <paramref name="command"/> cancel its copy, which runs in its place, unless another command has begun since.</summary>
    internal void CanBeCancelledBy(ProviderCommand command, ProviderCommand copy) => Interlocked.CompareExchange(ref _lastCommand, command, copy);

    /// <summary>The open data reader of this connection; null without one.</summary>
    internal ProviderDataReader? ActiveReader { get; set; }

    /// <summary>The exchange that stays open between calls of the application, other than a data reader: a COPY. Null without one.</summary>
    internal OpenExchange? OpenExchange { get; set; }

    /// <summary>The data source that created the connection, or that was found for its connection string; null before the first use.</summary>
    private protected ProviderDataSource? SourceOrNull => _source;

    /// <summary>The data source of the connection or of its connection string.</summary>
    internal ProviderDataSource Source => _source ??= FindSource();

    /// <summary>Finds the data source for the connection string: one lookup, whose result the connection keeps.</summary>
    private protected abstract ProviderDataSource ResolveSource(string connectionString);

    /// <summary>
    /// The connection string as <see cref="ConnectionString"/> returns it after the connection was opened: without secrets, unless they may persist.
    /// </summary>
    private protected abstract string WithoutSecrets(string connectionString);

    /// <summary>Checks a connection string when it is set, if the provider does that. Otherwise it is checked when the connection is opened.</summary>
    /// <exception cref="ArgumentException">The string has an unknown keyword, or a value that is not allowed.</exception>
    private protected virtual void CheckConnectionString(string connectionString)
    {
        // Checked when the connection is opened.
    }

    /// <summary>
    /// Gets or sets the connection string. After the connection has been opened, the value has no secrets, such as the password, unless the options keep them.
    /// </summary>
    /// <value>The connection string. The default is an empty string.</value>
    /// <exception cref="InvalidOperationException">The connection is open.</exception>
    /// <exception cref="ArgumentException">The provider checks the string at once, and it has an unknown keyword or a value that is not allowed.</exception>
    [AllowNull]
    public override string ConnectionString
    {
        get => _source is null || _connectionString.Length == 0 ? _connectionString : WithoutSecrets(_connectionString);
        set
        {
            if (_state != ConnectionState.Closed)
                throw new InvalidOperationException("The connection string cannot be changed while the connection is open.");
            if (!string.IsNullOrEmpty(value))
                CheckConnectionString(value);
            _connectionString = value ?? "";
            _source = null;
        }
    }

    /// <summary>The connection string with its secrets: for creating another connection like this one.</summary>
    private protected string FullConnectionString => _connectionString;

    /// <summary>Gets the state of the connection.</summary>
    /// <value>Closed, Connecting or Open.</value>
    public override ConnectionState State => _isLost && ReportsBroken ? ConnectionState.Broken : _state;

    /// <summary>Whether <see cref="State"/> is Broken after the session was lost, until the connection is closed or opened.</summary>
    private protected virtual bool ReportsBroken => false;

    /// <summary>Gets the host of the server.</summary>
    /// <value>The configured host; an empty string without a connection string.</value>
    public override string DataSource => _connectionString.Length == 0 && _source is null ? "" : Source.Telemetry.Host;

    /// <summary>Gets the time limit for opening the connection, which includes the wait for a pooled session, in seconds.</summary>
    /// <value>The connection string's value; 0: no limit. 15 without a connection string.</value>
    public override int ConnectionTimeout => _connectionString.Length == 0 && _source is null ? base.ConnectionTimeout : (int)(Source.ConnectTimeout / 1000);

    /// <summary>Gets the version that the server reported.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public override string ServerVersion => Session.ServerVersion;

    /// <summary>Opens the connection: leases a session from the pool, or opens a new one.</summary>
    /// <exception cref="InvalidOperationException">The connection is not closed, or has callbacks of its own and servers with roles.</exception>
    /// <exception cref="ObjectDisposedException">The connection or its data source has been disposed.</exception>
    /// <exception cref="ArgumentException">The connection string is not valid.</exception>
    /// <exception cref="DbException">No session could be opened, or none became free in time.</exception>
    public override void Open() => Open(null);

    /// <summary>Opens the connection within another time limit than that of its data source, in milliseconds.</summary>
    internal void Open(long? milliseconds)
    {
        var began = BeginOpen();
        try
        {
            RaiseConnecting();
            if (AmbientToJoin is { } transaction)
                OpenEnlisted(transaction);
            else
                _session = Source.Sessions.Lease(this, milliseconds ?? Source.ConnectTimeout);
        }
        catch (Exception exception)
        {
            throw OpenFailed(exception, default);
        }

        EndOpen(began);
    }

    /// <summary>Opens the connection asynchronously: leases a session from the pool, or opens a new one.</summary>
    /// <param name="cancellationToken">Cancels the opening.</param>
    /// <returns>A task that completes when the connection is open.</returns>
    /// <exception cref="InvalidOperationException">The connection is not closed, or has callbacks of its own and servers with roles.</exception>
    /// <exception cref="ObjectDisposedException">The connection or its data source has been disposed.</exception>
    /// <exception cref="ArgumentException">The connection string is not valid.</exception>
    /// <exception cref="DbException">No session could be opened, or none became free in time.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override Task OpenAsync(CancellationToken cancellationToken) => OpenAsync(null, cancellationToken);

    /// <inheritdoc cref="Open(long?)"/>
    internal Task OpenAsync(long? milliseconds, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        long began;
        try
        {
            began = BeginOpen();
            RaiseConnecting();
            if (AmbientToJoin is { } transaction)
                return OpenEnlistedAsync(transaction, began, cancellationToken);
            var lease = Source.Sessions.LeaseAsync(this, milliseconds ?? Source.ConnectTimeout, cancellationToken);
            if (!lease.IsCompletedSuccessfully)
                return OpenSlowAsync(lease, began, cancellationToken);
            _session = lease.Result;
        }
        catch (Exception exception)
        {
            return Task.FromException(OpenFailed(exception, cancellationToken));
        }

        EndOpen(began);
        return Task.CompletedTask;
    }

    private async Task OpenSlowAsync(ValueTask<Session> lease, long began, CancellationToken cancellationToken)
    {
        try
        {
            _session = await lease.ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw OpenFailed(exception, cancellationToken);
        }

        EndOpen(began);
    }

    /// <summary>
    /// Closes the connection and returns its session to the pool. An open reader is closed, and an open transaction is rolled back. Closing a closed connection
    /// has no effect.
    /// </summary>
    public override void Close()
    {
        _isLost = false;
        if (_session is null)
            return;
        try
        {
            if (UnfinishedWork.IsOn(this))
                UnfinishedWork.End(this);
        }
        finally
        {
            Return();
        }
    }

    /// <summary>
    /// Closes the connection asynchronously and returns its session to the pool. An open reader is closed, and an open transaction is rolled back. Closing a
    /// closed connection has no effect.
    /// </summary>
    /// <returns>A task that completes when the connection is closed.</returns>
    public override Task CloseAsync()
    {
        _isLost = false;
        if (_session is null)
            return Task.CompletedTask;
        if (UnfinishedWork.IsOn(this))
            return CloseBusyAsync();
        Return();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            Close();
            _disposed = true;
        }

        base.Dispose(disposing);
    }

    /// <summary>Closes the connection like <see cref="CloseAsync"/>, and disposes it. It cannot be opened again.</summary>
    /// <returns>A task that completes when the connection is disposed.</returns>
    public override async ValueTask DisposeAsync()
    {
        await CloseAsync().ConfigureAwait(false);
        _disposed = true;
        // Raises the event Disposed.
        base.Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Changes the default database of the open connection.</summary>
    /// <param name="databaseName">The name of the database.</param>
    /// <exception cref="ArgumentException">The name is empty or contains a zero character.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open, or it is busy.</exception>
    /// <exception cref="DbException">The server refused the change.</exception>
    public override void ChangeDatabase(string databaseName)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(databaseName);
        Run(Session.CreateChangeDatabase(Names.Checked(databaseName, "database's name", nameof(databaseName))));
    }

    /// <inheritdoc cref="ChangeDatabase"/>
    /// <param name="databaseName">The name of the database.</param>
    /// <param name="cancellationToken">Cancels the change.</param>
    /// <returns>A task that completes when the server has changed the database.</returns>
    public override Task ChangeDatabaseAsync(string databaseName, CancellationToken cancellationToken = default)
    {
        try
        {
            ArgumentException.ThrowIfNullOrWhiteSpace(databaseName);
            return RunAsync(Session.CreateChangeDatabase(Names.Checked(databaseName, "database's name", nameof(databaseName))), cancellationToken).AsTask();
        }
        catch (Exception exception)
        {
            return Task.FromException(exception);
        }
    }

    /// <summary>Runs an exchange without results.</summary>
    /// <param name="exchange">The exchange.</param>
    /// <param name="timeout">Time limit in seconds; 0: no limit; negative: the connection's default.</param>
    internal void Run(SimpleExchange exchange, int timeout = -1) => SimpleExecution.Run(this, exchange, timeout, null);

    /// <summary>Runs an exchange without results.</summary>
    /// <param name="exchange">The exchange.</param>
    /// <param name="summary">Name in spans and metrics; null for neither.</param>
    internal void Run(SimpleExchange exchange, QuerySummary? summary) => SimpleExecution.Run(this, exchange, -1, summary);

    /// <summary>Runs an exchange without results.</summary>
    /// <param name="exchange">The exchange.</param>
    /// <param name="summary">Name in spans and metrics; null for neither.</param>
    /// <param name="cancellationToken">Cancels the exchange.</param>
    internal ValueTask RunAsync(SimpleExchange exchange, QuerySummary? summary, CancellationToken cancellationToken) =>
        SimpleExecution.RunAsync(this, exchange, -1, summary, cancellationToken);

    /// <summary>Runs an exchange without results.</summary>
    internal ValueTask RunAsync(SimpleExchange exchange, CancellationToken cancellationToken) => RunAsync(exchange, -1, cancellationToken);

    /// <summary>Runs an exchange without results.</summary>
    /// <param name="exchange">The exchange.</param>
    /// <param name="timeout">Time limit in seconds; 0: no limit; negative: the connection's default.</param>
    /// <param name="cancellationToken">Cancels the exchange.</param>
    internal ValueTask RunAsync(SimpleExchange exchange, int timeout, CancellationToken cancellationToken) =>
        SimpleExecution.RunAsync(this, exchange, timeout, null, cancellationToken);

    /// <summary>The order of commands that were started without awaiting the previous one.</summary>
    // Stored in the session: connections are created by the thousand, and few ever need it.
    internal CommandQueue CommandQueue => (CommandQueue)(Session.CallersOrder ??= new CommandQueue());

    /// <summary>Whether one of those commands runs, has an open reader, or waits for its turn.</summary>
    internal bool IsTaken => _session?.CallersOrder is CommandQueue { IsBusy: true };

    /// <summary>The session for a new command, after checking that the connection is open and not busy.</summary>
    internal Session BeginCommand(ProviderTransaction? transaction, bool hasTurn = false)
    {
        var session = Session;
        if (!hasTurn && IsTaken)
            throw Busy(
                new InvalidOperationException("Other commands are running or waiting on this connection: await them first, or use a second connection."));
        if (ActiveReader is not null)
            throw Busy(new InvalidOperationException(
                "A data reader is still open on this connection: dispose it before running another command, or use a second connection."));
        if (OpenExchange is { } open)
            throw Busy(new InvalidOperationException(
                $"{open.Description} is still open on this connection: complete or dispose it before running another command, or use a second connection."));
        if (session.IsInUse)
            throw Busy(new InvalidOperationException("Another command is still running on this connection: await it first, or use a second connection."));
        if (transaction is not null && !ReferenceEquals(transaction, CurrentTransaction))
            throw new InvalidOperationException(transaction.Connection is null
                ? "The transaction of this command has ended: set Transaction to null or to the current transaction."
                : "The transaction of this command belongs to another connection.");
        (session.Enlistment as TransactionBranch)?.Enter();
        return session;
    }

    /// <summary>Returns the provider's exception for an operation on a busy connection.</summary>
    internal Exception Busy(InvalidOperationException exception) => Source.CreateBusy(exception, LastCommand);

    /// <summary>Handles a failure below the server's answers: breaks the session, closes the connection, and returns the provider's exception.</summary>
    internal Exception Failed(Session session, Exception exception, CancellationToken cancellationToken)
    {
        var interruption = session.Operation.Interrupted;
        if (exception is OutOfMemoryException)
            exception = WireException.NoMemory(exception);
        else if (exception is WireException { Failure: WireFailure.Lost } && session.IsBroken)
            // This client has shut the connection down. What the receive met then says the opposite.
            exception = session.CreateLost();
        else if (exception is WireException { Failure: WireFailure.Lost } or ProtocolException && interruption.Reason == Interruption.None)
            exception = session.Explain(exception);
        var safety = session.SafetyOfLoss;
        exception = Session.WithOutcome(exception, safety);
        session.Abort(exception, interruption.Reason);
        Lose(session);
        return Source.Translate(exception, interruption, "while waiting for the server", cancellationToken, safety);
    }

    /// <summary>Closes the connection, because its session is broken.</summary>
    internal void Lose(Session session)
    {
        if (Source.Telemetry.ConnectionLog is { } log)
            Diagnostics.Log.SessionBroken(
                log, session.ServerId, session.Endpoint.ToString(), ServerText.OneLine(session.BrokenBecause!, Diagnostics.Log.LongestReason));
        _isLost = ReferenceEquals(_session, session);
        if (_isLost)
            Return();
    }

    /// <summary>The exception for a command whose connection another thread has closed. What it met on the session is less informative.</summary>
    internal Exception ClosedByAnotherThread(Exception? exception)
    {
        if (exception is DbException or OperationCanceledException or System.Transactions.TransactionException)
            return exception;
        var closed = new WireException(
            WireFailure.Lost, "The connection was closed while the command was running: await or cancel a command before closing its connection.", exception);
        return Source.Translate(closed, Interruption.None, "while waiting for the server", default);
    }

    private ProviderDataSource FindSource()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        return ResolveSource(_connectionString);
    }

    private long BeginOpen()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        if (_state != ConnectionState.Closed)
            throw new InvalidOperationException($"The connection cannot be opened: its state is {_state}.");
        _ = Source;
        _isLost = false;
        _state = ConnectionState.Connecting;
        return Source.Telemetry.StartWait();
    }

    private void EndOpen(long began)
    {
        _state = ConnectionState.Open;
        Source.Telemetry.EndWait(began);
        SessionLease.Begin(this, _session!);
        RaiseOpened();
    }

    private Exception OpenFailed(Exception exception, CancellationToken cancellationToken)
    {
        if (_state == ConnectionState.Connecting)
        {
            _state = ConnectionState.Closed;
            RaiseOpenFailed();
        }

        return exception is InvalidOperationException and not ProtocolException || _source is null ? exception
            : Source.Translate(exception, Interruption.None, "while opening the connection", cancellationToken);
    }

    private async Task CloseBusyAsync()
    {
        try
        {
            await UnfinishedWork.EndAsync(this).ConfigureAwait(false);
        }
        finally
        {
            Return();
        }
    }

    private void Return()
    {
        if (_session is not { } session)
            return;
        // Closing the connection during a command, and that command's own failure, may call this method concurrently, and a session must not be returned twice.
        // IsRunning is checked first, because a session breaks before its operation ends.
        if ((session.Operation.IsRunning || session.IsBroken) && Interlocked.CompareExchange(ref _session, null, session) != session)
            return;
        _session = null;
        _lastCommand = null;
        ActiveReader = null;
        OpenExchange = null;
        _transaction?.Abandon(session);
        _transaction = null;
        if (TryLeaveSession(session))
            return;

        // A command that still runs on another thread, or a transaction that only SQL statements began, must not reach the next user of the session.
        if (session.Operation.IsRunning || session.Queue.HasPrefixes && session.IsBroken)
            session.Break("the connection was closed while a command was running");
        Source.Telemetry.EndUse(session.LeasedAt);
        session.Released();
        Source.Sessions.Return(session);
        EndClose();
    }
}
