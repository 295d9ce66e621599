using System.Data;
using System.Data.Common;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <summary>What every provider's command is: it encodes itself into a session's wire and lets a pump run the exchange.</summary>
public abstract partial class ProviderCommand : DbCommand
{
    private ProviderConnection? _connection;
    private ProviderTransaction? _transaction;
    private string _commandText = "";
    private int _commandTimeout = -1;
    // A CommandType, which 16 bits hold, and bits: with the timeout they are one word, and a command is made for every query.
    private short _commandType = (short)CommandType.Text;
    private Said _said;

    /// <summary>A command without text and connection.</summary>
    protected ProviderCommand() => GC.SuppressFinalize(this);

    /// <inheritdoc/>
    [AllowNull]
    public override string CommandText
    {
        get => _commandText;
        set
        {
            ThrowIfReading();
            _commandText = value ?? "";
        }
    }

    /// <summary>Seconds; 0 is no limit. Default: the connection string's.</summary>
    public override int CommandTimeout
    {
        get => _commandTimeout >= 0 ? _commandTimeout : _connection?.Source.DefaultCommandTimeout ?? 30;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _commandTimeout = value;
        }
    }

    /// <inheritdoc/>
    public override CommandType CommandType
    {
        get => (CommandType)_commandType;
        set
        {
            if (!Enum.IsDefined(value))
                throw new ArgumentOutOfRangeException(nameof(value), value, "CommandType must be Text, StoredProcedure or TableDirect.");
            _commandType = (short)value;
        }
    }

    /// <inheritdoc/>
    public override bool DesignTimeVisible
    {
        get => Has(Said.IsVisible);
        set => Set(Said.IsVisible, value);
    }

    /// <inheritdoc/>
    public override UpdateRowSource UpdatedRowSource
    {
        get => (UpdateRowSource)(_said & Said.UpdatedRowSource);
        set
        {
            if (!Enum.IsDefined(value))
                throw new ArgumentOutOfRangeException(nameof(value), value, "UpdatedRowSource must be None, OutputParameters, FirstReturnedRecord or Both.");
            _said = (_said & ~Said.UpdatedRowSource) | (Said)value;
        }
    }

    /// <summary>What looks like a parameter and has none is the server's to understand, whatever the connection string says.</summary>
    protected internal bool LeavesUnknownNames
    {
        get => Has(Said.LeavesUnknownNames);
        set => Set(Said.LeavesUnknownNames, value);
    }

    [Flags]
    private enum Said : ushort
    {
        /// <summary>The two bits of an <see cref="UpdateRowSource"/>.</summary>
        UpdatedRowSource = 3,
        IsVisible = 4,
        LeavesUnknownNames = 8,
        IsPreparedByUser = 16,
        HasAttributes = 32,
        HasTurn = 64,
        OpensItsConnection = 128,
        IsDisposed = 256,
    }

    private bool Has(Said what) => (_said & what) != 0;

    private void Set(Said what, bool value) => _said = value ? _said | what : _said & ~what;

    /// <summary>True after <c>Prepare</c>: executions use the binary protocol.</summary>
    protected bool IsPreparedByUser
    {
        get => Has(Said.IsPreparedByUser);
        set => Set(Said.IsPreparedByUser, value);
    }

    /// <summary>
    /// True once somebody asked for what travels with the command beside its text: for providers that have such a thing.
    /// Here, and not in theirs, it costs no byte.
    /// </summary>
    protected bool HasAttributes
    {
        get => Has(Said.HasAttributes);
        set => Set(Said.HasAttributes, value);
    }

    /// <summary>The connection it runs on.</summary>
    protected ProviderConnection? OwnConnection
    {
        get => _connection;
        set
        {
            ThrowIfReading();
            ThrowIfOpensItsConnection(value is null || ReferenceEquals(value, _connection));
            _connection = value;
        }
    }

    /// <summary>The transaction it names.</summary>
    protected ProviderTransaction? OwnTransaction
    {
        get => _transaction;
        set
        {
            ThrowIfOpensItsConnection(value is null);
            _transaction = value;
        }
    }

    /// <inheritdoc/>
    protected override DbConnection? DbConnection
    {
        get => _connection;
        set => OwnConnection = (ProviderConnection?)value;
    }

    /// <inheritdoc/>
    protected override DbTransaction? DbTransaction
    {
        get => OwnTransaction;
        set => OwnTransaction = (ProviderTransaction?)value;
    }

    /// <summary>
    /// Appends the command's bytes to the session's wire and begins its exchange in the session's queue. Whatever it throws leaves the
    /// session as it was.
    /// </summary>
    protected abstract void Encode(Session session, Goal goal, CommandBehavior behavior, ScalarTarget? scalar);

    /// <summary>Whether the command could see what a lease leaves that was proven to leave nothing else: then the reset is not left out.</summary>
    protected virtual bool SeesWhatIsLeft(Session session) => false;

    /// <summary>After the last answer: output parameters, last inserted id.</summary>
    protected internal virtual void Completed(ResultExchange exchange)
    {
        // Most providers have nothing to take.
    }

    /// <summary>The provider's reader of the session's exchange.</summary>
    protected abstract ProviderDataReader CreateReader(Session session, CommandBehavior behavior);

    /// <exception cref="InvalidOperationException">The command has no text.</exception>
    protected virtual void ThrowIfNothingToRun()
    {
        if (_commandText.Length == 0)
            throw new InvalidOperationException("The command has no text: set its CommandText property.");
    }

    /// <summary>The last touch on the exception of a server's refusal: a batch adds which of its commands it was.</summary>
    protected internal virtual Exception Refused(Exception refusal) => refusal;

    /// <summary>Whether a command's transaction does not matter.</summary>
    protected virtual bool IgnoresTransaction(ProviderConnection connection) => false;

    /// <summary>Whether the provider insists that a command names the connection's open transaction.</summary>
    protected virtual bool MustNameTransaction(ProviderConnection connection) => false;

    /// <inheritdoc/>
    public override object? ExecuteScalar()
    {
        if (OpensNow)
            return InOwnConnection(static command => command.ExecuteScalar());
        var session = Begin(default);
        var target = session.ScalarTarget<object>();
        Run(session, Goal.Scalar, target);
        return target.HasValue ? target.Value : null;
    }

    /// <summary>The first column of the first row as <typeparamref name="T"/>, without a box.</summary>
    /// <returns>The type's default when there is no row.</returns>
    public T? ExecuteScalar<T>()
    {
        if (OpensNow)
            return InOwnConnection(static command => command.ExecuteScalar<T>());
        var session = Begin(default);
        var target = session.ScalarTarget<T>();
        Run(session, Goal.Scalar, target);
        return target.Value;
    }

    /// <inheritdoc/>
    public override int ExecuteNonQuery()
    {
        if (OpensNow)
            return InOwnConnection(static command => command.ExecuteNonQuery());
        var session = Begin(default);
        Run(session, Goal.Count, null);
        return (int)session.Exchange.RecordsAffected;
    }

    /// <inheritdoc/>
    public override Task<object?> ExecuteScalarAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled<object?>(cancellationToken);
        if (OpensNow)
            return ScalarInOwnConnection(cancellationToken);
        if (WaitsForTurn)
            return InTurn(static (command, token) => command.ExecuteScalarAsync(token), cancellationToken);
        try
        {
            var session = Begin(cancellationToken);
            Encode(session, Goal.Scalar, session.ScalarTarget<object>());
        }
        catch (Exception exception)
        {
            return Task.FromException<object?>(exception);
        }

        return AwaitScalar();
    }

    // Few locals on purpose: the state machine is what an asynchronous scalar costs.
    private async Task<object?> AwaitScalar()
    {
        try
        {
            await RunningExchange().ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        var target = End().ScalarTargetAs<object>();
        return target.HasValue ? target.Value : null;
    }

    /// <summary>The first column of the first row as <typeparamref name="T"/>: the only asynchronous execution that allocates nothing.</summary>
    /// <returns>The type's default when there is no row.</returns>
    public ValueTask<T?> ExecuteScalarAsync<T>(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<T?>(cancellationToken);
        if (OpensNow)
            return TypedScalarInOwnConnection<T>(cancellationToken);
        if (WaitsForTurn)
            return new(InTurn(static (command, token) => command.ExecuteScalarAsync<T>(token).AsTask(), cancellationToken));
        try
        {
            var session = Begin(cancellationToken);
            Encode(session, Goal.Scalar, session.ScalarTarget<T>());
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<T?>(exception);
        }

        return AwaitTypedScalar<T>();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<T?> AwaitTypedScalar<T>()
    {
        try
        {
            await RunningExchange().ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        return End().ScalarTargetAs<T>().Value;
    }

    /// <inheritdoc/>
    public override Task<int> ExecuteNonQueryAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled<int>(cancellationToken);
        if (OpensNow)
            return CountInOwnConnection(cancellationToken);
        if (WaitsForTurn)
            return InTurn(static (command, token) => command.ExecuteNonQueryAsync(token), cancellationToken);
        try
        {
            Encode(Begin(cancellationToken), Goal.Count, null);
        }
        catch (Exception exception)
        {
            return Task.FromException<int>(exception);
        }

        return AwaitCount();
    }

    private async Task<int> AwaitCount()
    {
        try
        {
            await RunningExchange().ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        return (int)End().Exchange.RecordsAffected;
    }

    /// <inheritdoc/>
    protected override DbDataReader ExecuteDbDataReader(CommandBehavior behavior) => ExecuteProviderReader(behavior);

    /// <summary>Executes the command and returns its reader at the first result.</summary>
    protected ProviderDataReader ExecuteProviderReader(CommandBehavior behavior)
    {
        if (OpensNow)
            return ReaderInOwnConnection(behavior);
        var session = Begin(default);
        Encode(session, Goal.Rows, null, behavior);
        var reader = CreateReader(session, behavior);
        try
        {
            if (BlockingPump.Run(session.Queue, session.Wire) == Step.Described)
                reader.Start(BlockingPump.Run(session.Queue, session.Wire));
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        return Started(reader, session);
    }

    /// <inheritdoc/>
    protected override Task<DbDataReader> ExecuteDbDataReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken) =>
        ExecuteProviderReaderAsync<DbDataReader>(behavior, cancellationToken);

    /// <typeparam name="TReader">The reader's type as the caller wants it, so that no second task is needed to convert.</typeparam>
    protected Task<TReader> ExecuteProviderReaderAsync<TReader>(CommandBehavior behavior, CancellationToken cancellationToken)
        where TReader : DbDataReader
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled<TReader>(cancellationToken);
        if (OpensNow)
            return ReaderInOwnConnection<TReader>(behavior, cancellationToken);
        if (WaitsForTurn)
            return InTurn((command, token) => command.ExecuteProviderReaderAsync<TReader>(behavior, token), cancellationToken);
        try
        {
            var session = Begin(cancellationToken);
            Encode(session, Goal.Rows, null, behavior);
            return AwaitReader<TReader>(CreateReader(session, behavior));
        }
        catch (Exception exception)
        {
            return Task.FromException<TReader>(exception);
        }
    }

    private async Task<TReader> AwaitReader<TReader>(ProviderDataReader reader)
        where TReader : DbDataReader
    {
        try
        {
            if (await RunningExchange().ConfigureAwait(false) == Step.Described)
                reader.Start(await RunningExchange().ConfigureAwait(false));
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        return (TReader)(DbDataReader)Started(reader, OpenConnection.Session);
    }

    /// <summary>
    /// Asks the server to stop what this command is doing, over another connection. Returns at once; does nothing when the command is not running.
    /// </summary>
    public override void Cancel()
    {
        // The order is that of Begin turned round: which operation runs on the session, then whose command began last,
        // then whether the connection has that session still. If all are this command's, the operation is, or it has ended since. One that comes late hits
        // nothing, neither the next command nor the session's next user.
        if (_connection is not { } connection || connection.SessionOrNull is not { } session)
            return;
        var number = session.Operation.Number;
        Interlocked.MemoryBarrier();
        if (ReferenceEquals(connection.LastCommand, this) && ReferenceEquals(connection.SessionOrNull, session))
            session.Interrupt(number, Interruption.Asked);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        Set(Said.IsDisposed, true);
        if (disposing && OpensItsConnection)
            _connection?.Dispose();
        base.Dispose(disposing);
    }

    /// <summary>The connection, open.</summary>
    protected ProviderConnection OpenConnection => _connection ?? throw new InvalidOperationException("The command has no connection: set its Connection property.");

    internal ProviderConnection? ReadersConnection => _connection;

    // What the open reader reads was asked with this text on this connection.
    private void ThrowIfReading()
    {
        if (_connection?.ActiveReader is { } reader && ReferenceEquals(reader.Command, this))
            throw new InvalidOperationException("The command's data reader is still open: dispose it before changing the command's text or connection.");
    }

    // ---------------------------------------------------------------- one execution

    private Session Begin(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(Has(Said.IsDisposed), this);
        var connection = OpenConnection;
        ThrowIfNothingToRun();
        var session = connection.BeginCommand(OwnTransaction is not null && IgnoresTransaction(connection) ? null : OwnTransaction, HasTurn);
        if (OwnTransaction is null && MustNameTransaction(connection))
            connection.RequireTransaction(OwnTransaction);
        connection.LastCommand = this;
        session.Operation.Begin((_commandTimeout >= 0 ? _commandTimeout : connection.Source.DefaultCommandTimeout) * 1000L);
        session.ListenTo(cancellationToken);
        CommandTelemetry.Begin(session, connection.Source.Telemetry, this);
        return session;
    }

    private void Encode(Session session, Goal goal, ScalarTarget? scalar, CommandBehavior behavior = CommandBehavior.Default)
    {
        if (session.HasSkippedReset && SeesWhatIsLeft(session))
            session.NeedsReset = true;
        session.GluePrefixes();
        var mark = session.Wire.Out.Length;
        try
        {
            Encode(session, goal, behavior, scalar);
        }
        catch (Exception exception)
        {
            // A value that cannot be written: nothing of the command leaves, and what was glued in front of it waits for the next one.
            session.Wire.Out.Truncate(mark);
            session.StopListening();
            FailTelemetry(session, exception.GetType().Name);
            // An interruption that began meanwhile has nothing to interrupt, and nobody would settle it: the session is given up.
            if (!session.Operation.End())
                OpenConnection.Failed(session, exception, session.CallersToken);
            throw;
        }
    }

    private void Run(Session session, Goal goal, ScalarTarget? scalar)
    {
        Encode(session, goal, scalar);
        try
        {
            BlockingPump.Run(session.Queue, session.Wire);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        End();
    }

    private ValueTask<Step> RunningExchange()
    {
        var session = OpenConnection.Session;
        return AsyncPump.RunAsync(session.Queue, session.Wire);
    }

    private ProviderDataReader Started(ProviderDataReader reader, Session session)
    {
        session.StopListening();
        var exchange = session.Exchange;
        CommandTelemetry.Answered(session, OpenConnection.Source.Telemetry);
        if (session.IsBroken || exchange.Error is not null || exchange.ScalarFailure is not null || session.Operation.Interruption != Interruption.None && exchange.IsOver)
            End();
        if (exchange.IsOver)
            EndTelemetry(session, null);
        else
            session.Operation.Quiet();
        OpenConnection.ActiveReader = reader;
        return reader;
    }

    private Session End()
    {
        var connection = OpenConnection;
        var session = connection.SessionOrNull ?? throw connection.ClosedUnder(null);
        session.StopListening();
        // The ladder gave the session up before its operation ended: the connection must not stay open on it.
        if (session.IsBroken)
            throw Failed(session.CreateLost(session.Exchange.Error));
        var exchange = session.Exchange;
        if (exchange.Error is { } error)
        {
            EndTelemetry(session, error);
            throw Refused(connection.Source.Translate(error, session.Operation.Interruption, session.CallersToken));
        }

        // SLEEP and a few others answer an interruption with an ordinary result: it must not pass for a complete one.
        if (session.Operation.Interruption is Interruption.TimedOut or Interruption.Canceled)
        {
            FailTelemetry(session, nameof(Interruption));
            throw connection.Source.CreateInterrupted(session.Operation.Interruption, session.CallersToken);
        }

        if (exchange.ScalarFailure is { } failure)
        {
            FailTelemetry(session, failure.GetType().Name);
            throw failure;
        }

        EndTelemetry(session, null);
        Completed(exchange);
        return session;
    }

    private Exception Failed(Exception exception)
    {
        var connection = OpenConnection;
        if (connection.SessionOrNull is not { } session)
            return connection.ClosedUnder(exception);
        CommandTelemetry.Failed(session, connection.Source.Telemetry, exception);
        return connection.Failed(session, exception, session.CallersToken);
    }

    internal void EndTelemetry(Session session, ServerError? error) => CommandTelemetry.End(session, _connection!.Source.Telemetry, error);

    private void FailTelemetry(Session session, string exception) => CommandTelemetry.Failed(session, _connection!.Source.Telemetry, exception);

    /// <summary>What the command's span says of it: no value of a parameter, and no text with literals unless it was asked for.</summary>
    internal virtual void Describe(Activity span, Tracing tracing)
    {
        if (CommandType == CommandType.StoredProcedure)
        {
            span.DisplayName = _commandText;
            span.SetTag("db.stored_procedure.name", _commandText);
        }
        else if (tracing.QueryTexts == QueryTexts.All || tracing.QueryTexts == QueryTexts.Parameterized && DbParameterCollection.Count > 0)
            span.SetTag("db.query.text", _commandText);
    }
}
