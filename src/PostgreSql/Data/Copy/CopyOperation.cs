using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Sessions;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <summary>
/// An open COPY of a connection: begins it, lets the pumps run its conversation, and ends it. The importer, the exporter and the streams share it.
/// </summary>
internal sealed class CopyOperation : OpenExchange
{
    private readonly PgConnection _connection;
    private readonly PgSession _session;
    private bool _isClosed;

    // Whether an interruption has ended the COPY before its end was known: the rest of an export was dropped, even if the server sent all of it.
    private bool _isInterrupted;

    private CopyOperation(PgConnection connection, PgSession session, CopyConversation conversation, long timeout) =>
        (_connection, _session, Conversation, Timeout) = (connection, session, conversation, timeout);

    public override string Description => "A COPY";

    public CopyConversation Conversation { get; }

    /// <summary>Time limit of each wait for the server, in milliseconds; 0: no limit.</summary>
    public long Timeout { get; set; }

    /// <summary>The types of the database.</summary>
    public TypeCatalogue Types => _session.State.Types;

    /// <summary>The bytes to send.</summary>
    public ByteWriter Out => _session.Wire.Out;

    /// <summary>The received bytes.</summary>
    public byte[] In => _session.Wire.In;

    /// <summary>Whether the COPY is open: neither completed nor failed.</summary>
    public bool IsOpen => !_isClosed && ReferenceEquals(_connection.SessionOrNull, _session);

    // ---------------------------------------------------------------- beginning

    /// <summary>Executes a COPY, and returns when its data can be sent or received.</summary>
    public static CopyOperation Begin(PgConnection connection, string sql, string parameter, CopyDirection direction, bool? isBinary)
    {
        var copy = Prepare(connection, sql, parameter, direction, default);
        copy.Pump();
        if (copy.Mismatch(direction, isBinary) is { } mismatch)
        {
            copy.Abandon();
            throw mismatch;
        }

        return copy;
    }

    /// <inheritdoc cref="Begin"/>
    public static async ValueTask<CopyOperation> BeginAsync(
        PgConnection connection, string sql, string parameter, CopyDirection direction, bool? isBinary, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var copy = Prepare(connection, sql, parameter, direction, cancellationToken);
        await copy.PumpAsync().ConfigureAwait(false);
        if (copy.Mismatch(direction, isBinary) is { } mismatch)
        {
            await copy.AbandonAsync().ConfigureAwait(false);
            throw mismatch;
        }

        return copy;
    }

    private static CopyOperation Prepare(
        PgConnection connection, string sql, string parameter, CopyDirection direction, CancellationToken cancellationToken)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(sql, parameter);
        var source = connection.PgSource;
        _ = connection.Session;
        var statement = source.StatementFor(sql, ParameterNaming.None);
        if (statement.Parts.Length != 1 || !Statements.FirstWord.IsCopy(statement.Parts[0].Sql))
            throw new ArgumentException("The text must be one COPY statement with FROM STDIN or TO STDOUT.", parameter);
        var session = (PgSession)connection.BeginCommand(null);
        connection.RequireWholeTransaction(session);
        var timeout = source.DefaultCommandTimeout * 1000L;
        var isExport = direction == CopyDirection.Out && !Statements.FirstWord.CopiesFromClient(statement.Parts[0].Sql);
        var conversation = new CopyConversation(session, session.State, session.Operation, statement.Parts[0], source.Settings.MaxRowBytes, isExport);
        var copy = new CopyOperation(connection, session, conversation, timeout);
        Execution.Begin(connection, session, null, timeout, cancellationToken);
        CommandTelemetry.BeginCopy(session, source, statement.Summary, sql);
        // A COPY without a Sync follows. PgBouncer 1.18 takes the answer to the reset for the end of the transaction, and gives the server's session to another
        // client.
        if (session.State.IsBehindPooler && !isExport)
            session.Queue.SeparatePrefixes();
        Execution.Encode(connection, session, new ExchangeRequest(conversation));
        connection.OpenExchange = copy;
        return copy;
    }

    // Null if the COPY is as the caller expects it.
    private Exception? Mismatch(CopyDirection direction, bool? isBinary)
    {
        if (Conversation.Direction == CopyDirection.None)
            return new InvalidOperationException("The COPY used a file or a program of the server, and has completed: execute such a COPY as a command.");
        if (direction != CopyDirection.None && Conversation.Direction != direction)
            return new ArgumentException(direction == CopyDirection.In
                ? "The COPY sends data to the client, but an import needs COPY … FROM STDIN."
                : "The COPY waits for data of the client, but an export needs COPY … TO STDOUT.");
        if (isBinary is { } binary && Conversation.IsBinary != binary)
            return new ArgumentException(binary
                ? "The COPY uses a text format, but this method needs the binary format: add (FORMAT binary) to the statement."
                : "The COPY uses the binary format, but this method needs a text format: remove FORMAT binary from the statement.");
        return null;
    }

    // ---------------------------------------------------------------- running

    /// <summary>Runs the conversation to its next outcome.</summary>
    public Step Run()
    {
        RequireOpen();
        _session.Operation.Rearm(Timeout);
        return Pump();
    }

    /// <inheritdoc cref="Run"/>
    /// <param name="cancellationToken">Interrupts the COPY.</param>
    public ValueTask<Step> RunAsync(CancellationToken cancellationToken)
    {
        RequireOpen();
        cancellationToken.ThrowIfCancellationRequested();
        _session.Operation.Rearm(Timeout);
        _session.RegisterToken(cancellationToken);
        return PumpAsync();
    }

    /// <inheritdoc cref="CopyConversation.TryTakeArrived"/>
    public bool TryTakeArrived()
    {
        RequireOpen();
        return _session.Operation.Interruption == Interruption.None && Conversation.TryTakeArrived(_session.Wire);
    }

    private Step Pump()
    {
        Step step;
        try
        {
            step = BlockingPump.Run(_session.Queue, _session.Wire);
            if (MustEnd(step))
                step = BlockingPump.Run(_session.Queue, _session.Wire);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        return Ran(step);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<Step> PumpAsync()
    {
        Step step;
        try
        {
            step = await AsyncPump.RunAsync(_session.Queue, _session.Wire).ConfigureAwait(false);
            if (MustEnd(step))
                step = await AsyncPump.RunAsync(_session.Queue, _session.Wire).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        return Ran(step);
    }

    // An interrupted COPY ends at once: between two calls, no code waits for the end of the cancellation.
    private bool MustEnd(Step step)
    {
        if (step == Step.Completed)
            return false;
        _session.UnregisterToken();
        _session.Operation.Quiet();
        if (_session.Operation.Interruption == Interruption.None)
            return false;
        _isInterrupted = true;
        Leave("the copy was interrupted");
        return true;
    }

    private Step Ran(Step step)
    {
        if (step == Step.Completed)
            End(isWanted: true);
        return step;
    }

    /// <exception cref="InvalidOperationException">The COPY has ended.</exception>
    public void RequireOpen()
    {
        if (!IsOpen)
            throw new InvalidOperationException("The COPY has ended: it was completed, cancelled or disposed, has failed, or its connection was closed.");
    }

    // ---------------------------------------------------------------- ending

    /// <summary>Handles a failure below the server's answers.</summary>
    public Exception Failed(Exception exception)
    {
        _isClosed = true;
        return ReferenceEquals(_connection.SessionOrNull, _session)
            ? Execution.Failed(_connection, _session, exception)
            : _connection.ClosedByAnotherThread(exception);
    }

    /// <summary>Ends the COPY without completing it: no row is written, and the rest of the data is not read.</summary>
    public override void Abandon()
    {
        if (!BeginsLeaving())
            return;
        try
        {
            BlockingPump.Run(_session.Queue, _session.Wire);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        End(isWanted: false);
    }

    /// <inheritdoc/>
    public override async ValueTask AbandonAsync()
    {
        if (!BeginsLeaving())
            return;
        try
        {
            await AsyncPump.RunAsync(_session.Queue, _session.Wire).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        End(isWanted: false);
    }

    private bool BeginsLeaving()
    {
        if (!IsOpen)
            return false;
        _session.Operation.Rearm(Timeout);
        Leave("the copy was cancelled");
        return true;
    }

    /// <summary>Asks the server to stop sending the data of a COPY … TO STDOUT. The driver discards the rest.</summary>
    public void InterruptExport()
    {
        if (IsOpen && Conversation.Direction == CopyDirection.Out)
            _session.Interrupt(_session.Operation.Number, Interruption.Asked);
    }

    private void Leave(string reason)
    {
        if (Conversation.Direction == CopyDirection.In)
            Conversation.Fail(Out, reason);
        else
            Conversation.Skip();
    }

    private void End(bool isWanted)
    {
        _isClosed = true;
        if (!ReferenceEquals(_connection.SessionOrNull, _session))
            throw _connection.ClosedByAnotherThread(null);
        if (ReferenceEquals(_connection.OpenExchange, this))
            _connection.OpenExchange = null;
        var source = _connection.Source;
        Execution.End(_connection, _session, Conversation.Error);
        CommandTelemetry.End(_session, source, Conversation.Error);
        if (!isWanted)
            return;
        if (Conversation.Error is { } error)
            throw source.Translate(error, _session.Operation.Interrupted, _session.CallersToken);
        if ((_isInterrupted || !Conversation.IsComplete) && _session.Operation.Interruption is Interruption.TimedOut or Interruption.Canceled)
            throw source.CreateInterrupted(_session.Operation.Interrupted, _session.CallersToken);
    }
}
