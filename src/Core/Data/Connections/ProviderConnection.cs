using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;

namespace Slipstream.Core.Data;

/// <summary>What every provider's connection is: a thin shell that leases a session from its data source while it is open.</summary>
public abstract partial class ProviderConnection : DbConnection
{
    private Session? _session;
    private ProviderDataSource? _source;
    private string _connectionString = "";
    private ConnectionState _state;
    private ProviderCommand? _lastCommand;
    private bool _disposed;

    /// <summary>A closed connection.</summary>
    private protected ProviderConnection() => GC.SuppressFinalize(this);

    /// <summary>A closed connection.</summary>
    private protected ProviderConnection(ProviderDataSource source, string connectionString)
        : this()
    {
        _source = source;
        _connectionString = connectionString;
    }

    /// <summary>The session while the connection is open.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    internal Session Session => _session ?? throw new InvalidOperationException($"The connection must be open for this; its state is {_state}.");

    /// <summary>The session while the connection is open; otherwise null.</summary>
    internal Session? SessionOrNull => _session;

    /// <summary>The command that began last: the only one that can be cancelled; null when that was none of the caller's. Set before its operation begins.
    /// Not the session's: the pool holds that, and would hold a forgotten connection with it.</summary>
    internal ProviderCommand? LastCommand
    {
        get => Volatile.Read(ref _lastCommand);
        set => Volatile.Write(ref _lastCommand, value);
    }

    /// <summary>A copy of a command runs in its place, unless another has begun since.</summary>
    internal void CanBeCancelledBy(ProviderCommand command, ProviderCommand copy) => Interlocked.CompareExchange(ref _lastCommand, command, copy);

    /// <summary>The reader that reads from this connection now.</summary>
    internal ProviderDataReader? ActiveReader { get; set; }

    /// <summary>The data source it was made by, or that its connection string has led to already; null while nobody has looked.</summary>
    private protected ProviderDataSource? SourceOrNull => _source;

    /// <summary>The data source that its connection string, or its maker, means.</summary>
    internal ProviderDataSource Source => _source ??= FindSource();

    /// <summary>The data source for the connection string: one lookup, cached by the connection object.</summary>
    private protected abstract ProviderDataSource ResolveSource(string connectionString);

    /// <summary>What <see cref="ConnectionString"/> shows once the connection has been opened: without secrets unless they may persist.</summary>
    private protected abstract string WithoutSecrets(string connectionString);

    /// <summary>Refuses a connection string as soon as it is set, where the provider does that; otherwise it is read when the connection is opened.</summary>
    /// <exception cref="ArgumentException">It has a keyword that is none, or a value that its option cannot have.</exception>
    private protected virtual void CheckConnectionString(string connectionString)
    {
        // Read when the connection is opened.
    }

    /// <inheritdoc/>
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

    /// <summary>The string as it was given, secrets included: for making another connection like this one.</summary>
    private protected string FullConnectionString => _connectionString;

    /// <inheritdoc/>
    public override ConnectionState State => _state;

    /// <inheritdoc/>
    public override string DataSource => _connectionString.Length == 0 && _source is null ? "" : Source.Telemetry.Host;

    /// <inheritdoc/>
    public override int ConnectionTimeout => _connectionString.Length == 0 && _source is null ? base.ConnectionTimeout : (int)(Source.ConnectTimeout / 1000);

    /// <inheritdoc/>
    public override string ServerVersion => Session.ServerVersion;

    /// <inheritdoc/>
    public override void Open()
    {
        var began = BeginOpen();
        try
        {
            TellConnecting();
            if (AmbientToJoin is { } transaction)
                OpenEnlisted(transaction);
            else
                _session = Source.Sessions.Lease(this, Source.ConnectTimeout);
        }
        catch (Exception exception)
        {
            throw OpenFailed(exception, default);
        }

        EndOpen(began);
    }

    /// <inheritdoc/>
    public override Task OpenAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        long began;
        try
        {
            began = BeginOpen();
            TellConnecting();
            if (AmbientToJoin is { } transaction)
                return OpenEnlistedAsync(transaction, began, cancellationToken);
            var lease = Source.Sessions.LeaseAsync(this, Source.ConnectTimeout, cancellationToken);
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

    /// <inheritdoc/>
    public override void Close()
    {
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

    /// <inheritdoc/>
    public override Task CloseAsync()
    {
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

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await CloseAsync().ConfigureAwait(false);
        _disposed = true;
        // Tells those who listen to Disposed.
        base.Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <inheritdoc/>
    public override void ChangeDatabase(string databaseName)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(databaseName);
        Run(Session.CreateChangeDatabase(Names.Checked(databaseName, "database's name", nameof(databaseName))));
    }

    /// <inheritdoc/>
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

    /// <summary>Runs a conversation that is answered with yes or no.</summary>
    /// <param name="exchange">The conversation.</param>
    /// <param name="timeout">Seconds; 0 is no limit, less the connection's default.</param>
    internal void Run(SimpleExchange exchange, int timeout = -1) => SimpleExecution.Run(this, exchange, timeout, null);

    /// <summary>Runs a conversation that is answered with yes or no.</summary>
    /// <param name="exchange">The conversation.</param>
    /// <param name="summary">What its span and its measurement call it; null for neither.</param>
    internal void Run(SimpleExchange exchange, QuerySummary? summary) => SimpleExecution.Run(this, exchange, -1, summary);

    /// <summary>Runs a conversation that is answered with yes or no.</summary>
    /// <param name="exchange">The conversation.</param>
    /// <param name="summary">What its span and its measurement call it; null for neither.</param>
    /// <param name="cancellationToken">Ends it.</param>
    internal ValueTask RunAsync(SimpleExchange exchange, QuerySummary? summary, CancellationToken cancellationToken) =>
        SimpleExecution.RunAsync(this, exchange, -1, summary, cancellationToken);

    /// <summary>Runs a conversation that is answered with yes or no.</summary>
    internal ValueTask RunAsync(SimpleExchange exchange, CancellationToken cancellationToken) => RunAsync(exchange, -1, cancellationToken);

    /// <summary>Runs a conversation that is answered with yes or no.</summary>
    /// <param name="exchange">The conversation.</param>
    /// <param name="timeout">Seconds; 0 is no limit, less the connection's default.</param>
    /// <param name="cancellationToken">Ends it.</param>
    internal ValueTask RunAsync(SimpleExchange exchange, int timeout, CancellationToken cancellationToken) =>
        SimpleExecution.RunAsync(this, exchange, timeout, null, cancellationToken);

    /// <summary>The order of commands that were started without awaiting the one before.</summary>
    // The session keeps it: connections are made by the thousand, and few ever need it.
    internal CommandQueue Turns => (CommandQueue)(Session.CallersOrder ??= new CommandQueue());

    /// <summary>True while one of those runs, has its reader open, or waits.</summary>
    internal bool IsTaken => _session?.CallersOrder is CommandQueue { IsBusy: true };

    /// <summary>The session for a new command: open, and nobody else uses it.</summary>
    internal Session BeginCommand(ProviderTransaction? transaction, bool hasTurn = false)
    {
        var session = Session;
        if (!hasTurn && IsTaken)
            throw new InvalidOperationException("Other commands run or wait on this connection: await them first, or use a second connection.");
        if (ActiveReader is not null)
            throw new InvalidOperationException("A data reader is still open on this connection: dispose it before running another command, or use a second connection.");
        if (session.Operation.IsRunning)
            throw new InvalidOperationException("Another command is still running on this connection: await it first, or use a second connection.");
        if (transaction is not null && !ReferenceEquals(transaction, CurrentTransaction))
            throw new InvalidOperationException(transaction.Connection is null
                ? "The transaction of this command has ended: set Transaction to null or to the current transaction."
                : "The transaction of this command belongs to another connection.");
        (session.Enlistment as TransactionBranch)?.Enter();
        return session;
    }

    /// <summary>After a failure below the server's answers: the session is gone, the connection is closed, the exception is the provider's.</summary>
    internal Exception Failed(Session session, Exception exception, CancellationToken cancellationToken)
    {
        var interruption = session.Operation.Interrupted;
        if (exception is OutOfMemoryException)
            exception = NoMemory(exception);
        else if (exception is WireException { Failure: WireFailure.Lost } or ProtocolException && interruption.Reason == Interruption.None)
            exception = session.Explain(exception);
        session.GiveUp(exception.Message);
        if (Source.Telemetry.ConnectionLog is { } log)
            Diagnostics.Log.SessionBroken(log, session.ServerId, session.Endpoint.ToString(), ServerText.OneLine(session.BrokenBecause!, Diagnostics.Log.LongestReason));
        if (ReferenceEquals(_session, session))
            Return();
        return Source.Translate(exception, interruption, "while waiting for the server", cancellationToken);
    }

    // The session stands in the midst of what could not be held.
    private static WireException NoMemory(Exception cause) => new(
        WireFailure.ValueTooLarge,
        "There is not enough memory for what the server has sent; the connection is closed. Lower Max Value Bytes and Max Row Bytes to what the process may take, or read large values with CommandBehavior.SequentialAccess.",
        cause);

    /// <summary>What a command ends with whose connection another thread has closed: what it met on a session that is no longer its own says less.</summary>
    internal Exception ClosedUnder(Exception? exception)
    {
        if (exception is DbException or OperationCanceledException or System.Transactions.TransactionException)
            return exception;
        var closed = new WireException(
            WireFailure.Lost, "The connection was closed while the command was running: await or cancel a command before its connection is closed.", exception);
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
        _state = ConnectionState.Connecting;
        return Source.Telemetry.StartWait();
    }

    private void EndOpen(long began)
    {
        _state = ConnectionState.Open;
        Source.Telemetry.EndWait(began);
        _session!.LeasedAt = Source.Telemetry.StartUse();
        TellOpen();
    }

    private Exception OpenFailed(Exception exception, CancellationToken cancellationToken)
    {
        if (_state == ConnectionState.Connecting)
        {
            _state = ConnectionState.Closed;
            TellNotOpened();
        }

        return exception is InvalidOperationException and not ProtocolException || _source is null
            ? exception
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
        // Closing under a command and that command's own failure may come here at once, and a session must not go back twice.
        // Running is asked first: a session breaks before its operation ends.
        if ((session.Operation.IsRunning || session.IsBroken) && Interlocked.CompareExchange(ref _session, null, session) != session)
            return;
        _session = null;
        _lastCommand = null;
        ActiveReader = null;
        _transaction?.Abandon();
        _transaction = null;
        if (TryLeaveSession(session))
            return;

        // A command still running on another thread, or a transaction that only SQL knows of, must not reach the next user of the session.
        if (session.Operation.IsRunning || session.Queue.HasPrefixes && session.IsBroken)
            session.Break("the connection was closed while a command was running");
        Source.Telemetry.EndUse(session.LeasedAt);
        session.Released();
        Source.Sessions.Return(session);
        EndClose();
    }
}
