using System.Runtime.CompilerServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Time;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol.Replication;
using Slipstream.PostgreSql.Sessions;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Replication;

/// <summary>
/// An open replication stream of a connection. Either the consumer's thread runs its conversation, while it waits for the next message, or a thread of the pool
/// runs it to send a status update, while the consumer is busy. Only the thread that has entered uses the session.
/// </summary>
internal sealed class ReplicationOperation : OpenExchange, IDeadlined
{
    private readonly ReplicationConnection _owner;
    private readonly PgConnection _connection;
    private readonly PgSession _session;
    private readonly ReplicationStream _stream;
    private readonly CancellationToken _token;
    private readonly Func<CancellationToken> _cancelled;
    private readonly CancellationTokenRegistration _registration;
    private int _isEntered;
    private Signal? _sending;
    private volatile bool _isReading;
    private volatile bool _isClosed;
    private volatile bool _isTimedOut;
    private Exception? _failure;
    private long _statusDue;
    private long _checkDue;
    private long _heardAt;
    private long _received;
    private bool _hasAsked;

    private ReplicationOperation(
        ReplicationConnection owner, PgConnection connection, PgSession session, ReplicationStream stream,
        Func<CancellationToken> cancelled, CancellationToken token)
    {
        (_owner, _connection, _session, _stream, _token, _cancelled) = (owner, connection, session, stream, token, cancelled);
        _registration = token.UnsafeRegister(static operation => ((ReplicationOperation)operation!)._stream.Pause(), this);
    }

    public override string Description => "A replication stream";

    /// <summary>Gets the buffer of the current message.</summary>
    public WalBuffer Buffer { get; } = new();

    /// <summary>Gets the types of the database.</summary>
    public TypeCatalogue Types => _session.State.Types;

    /// <summary>Gets the fields before the data of the current message.</summary>
    public XLogData Current => _stream.Current;

    /// <summary>Gets where the data of the current message begins in the buffer.</summary>
    public int Start => _stream.DataStart;

    /// <summary>Gets where the data of the current message ends in the buffer.</summary>
    public int End => _stream.DataEnd;

    /// <summary>Gets whether the server sends data.</summary>
    public bool IsOpen => !_isClosed;

    // ---------------------------------------------------------------- beginning

    /// <summary>Executes START_REPLICATION. Returns null if the stream has ended at once, because the timeline has no more data.</summary>
    /// <param name="owner">The replication connection.</param>
    /// <param name="connection">Its connection; open and not busy.</param>
    /// <param name="command">The START_REPLICATION.</param>
    /// <param name="cancelled">Returns the caller's token that was cancelled.</param>
    /// <param name="cancellationToken">Ends the stream.</param>
    public static async ValueTask<ReplicationOperation?> BeginAsync(
        ReplicationConnection owner, PgConnection connection, string command, Func<CancellationToken> cancelled, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var session = (PgSession)connection.BeginCommand(null);
        owner.Progress.Restart();
        var stream = new ReplicationStream(
            session, session.State, command, owner.Progress, ReplicationClock.Now, connection.PgSource.Settings.MaxRowBytes);
        Execution.Begin(connection, session, null, owner.CommandSeconds * 1000L, cancellationToken);
        if (ReplicationConnection.SummaryOf(connection, command) is { } summary)
            CommandTelemetry.Begin(session, connection.Source, summary);
        Execution.Encode(connection, session, new ExchangeRequest(stream));
        try
        {
            await AsyncPump.RunAsync(session.Queue, session.Wire).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Execution.Failed(connection, session, exception);
        }

        if (stream.HasEnded)
        {
            Execution.End(connection, session, stream.Error);
            CommandTelemetry.End(session, connection.Source, stream.Error);
            if (stream.Error is { } error)
                throw connection.Source.Translate(error, session.Operation.Interrupted, cancellationToken);
            owner.RequireFirstStream();
            return null;
        }

        // A stream may last for months. The span is that of the command, which the server has accepted.
        CommandTelemetry.End(session, connection.Source, null);
        // From now on, the token ends the stream in step with the server.
        session.UnregisterToken();
        session.Operation.Quiet();
        var operation = new ReplicationOperation(owner, connection, session, stream, cancelled, cancellationToken);
        connection.OpenExchange = operation;
        owner.Operation = operation;
        if (session.Operation.Interruption != Interruption.None)
        {
            await operation.AbandonAsync().ConfigureAwait(false);
            throw connection.Source.CreateInterrupted(session.Operation.Interrupted, cancellationToken);
        }

        operation._heardAt = Clock.Now;
        Deadlines.Watch(operation);
        operation.Reschedule();
        return operation;
    }

    // ---------------------------------------------------------------- reading

    /// <summary>Waits for the next message. Returns false at the end of the stream.</summary>
    /// <exception cref="OperationCanceledException">The token was cancelled. The stream has ended in step with the server.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<bool> NextAsync()
    {
        if (_isClosed)
            return _failure is { } failed ? throw failed : false;
        await EnterAsync().ConfigureAwait(false);
        _isReading = true;
        try
        {
            if (_failure is { } failure)
                throw failure;
            Buffer.Next();
            switch (_token.IsCancellationRequested ? Step.Metadata : await PumpAsync().ConfigureAwait(false))
            {
                case Step.Row:
                    Buffer.Bytes = _session.Wire.In;
                    return true;
                case Step.Completed:
                    Close(isWanted: true);
                    _owner.RequireFirstStream();
                    return false;
                default:
                    await LeaveAsync().ConfigureAwait(false);
                    throw new OperationCanceledException("The replication stream was cancelled.", _cancelled()) { HelpLink = ErrorPages.Canceled };
            }
        }
        finally
        {
            _isReading = false;
            Exit();
        }
    }

    /// <summary>Ends the stream because of a message that cannot be decoded: the session is broken.</summary>
    public async ValueTask<Exception> RefusedAsync(Exception exception)
    {
        await EnterAsync().ConfigureAwait(false);
        try
        {
            return Failed(exception);
        }
        finally
        {
            Exit();
        }
    }

    private async ValueTask<Step> PumpAsync()
    {
        try
        {
            return await AsyncPump.RunAsync(_session.Queue, _session.Wire).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }
    }

    // ---------------------------------------------------------------- status updates

    /// <summary>Sends a status update.</summary>
    /// <exception cref="InvalidOperationException">The stream has ended.</exception>
    public async Task SendStatusAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var sent = _stream.RequestStatus(requestsReply: false);
        Nudge();
        await sent.WaitAsync().AsTask().WaitAsync(cancellationToken).ConfigureAwait(false);
        if (_failure is { } failure)
            throw failure;
    }

    /// <summary>Applies changed intervals.</summary>
    public void Reschedule()
    {
        var now = Clock.Now;
        Volatile.Write(ref _statusDue, After(now, _owner.StatusMilliseconds));
        Volatile.Write(ref _checkDue, After(now, CheckMilliseconds));
        Deadlines.Noticed();
    }

    // The time-out is noticed late by at most a twentieth of it.
    private long CheckMilliseconds => _owner.TimeoutMilliseconds is var timeout and > 0 ? Math.Max(timeout / 20, Deadlines.TickMilliseconds) : 0;

    private static long After(long now, long milliseconds) => milliseconds > 0 ? now + milliseconds : Clock.Never;

    long IDeadlined.Due => _isClosed ? Clock.Never : Math.Min(Volatile.Read(ref _statusDue), Volatile.Read(ref _checkDue));

    void IDeadlined.Expire(long now)
    {
        var (wantsStatus, asks) = (false, false);
        if (now >= Volatile.Read(ref _statusDue))
        {
            Volatile.Write(ref _statusDue, After(now, _owner.StatusMilliseconds));
            wantsStatus = true;
        }

        if (now >= Volatile.Read(ref _checkDue))
        {
            Volatile.Write(ref _checkDue, After(now, CheckMilliseconds));
            asks = Check(now);
        }

        if (_isClosed || (!wantsStatus && !asks))
            return;
        _stream.RequestStatus(asks);
        Nudge();
    }

    // Returns true if the server should be asked for a sign of life: after half of the time-out, once. While the consumer does not read, nothing can arrive.
    private bool Check(long now)
    {
        var timeout = _owner.TimeoutMilliseconds;
        if (timeout <= 0)
            return false;
        var received = _session.Wire.Received;
        if (!_isReading || received != _received)
        {
            (_received, _heardAt, _hasAsked) = (received, now, false);
            return false;
        }

        if (now - _heardAt >= timeout)
        {
            _isTimedOut = true;
            _session.Break($"the server has sent nothing for {timeout / 1000.0:0.###} s");
            return false;
        }

        if (_hasAsked || now - _heardAt < timeout / 2)
            return false;
        _hasAsked = true;
        return true;
    }

    // The thread that runs the conversation sends what is requested. If there is none, a thread of the pool does it.
    private void Nudge()
    {
        if (_isClosed)
        {
            _stream.Release();
            return;
        }

        if (!TryEnter())
        {
            _stream.Wake();
            return;
        }

        Volatile.Write(ref _sending, new());
        ThreadPool.UnsafeQueueUserWorkItem(static operation => _ = operation.SendAsync(), this, preferLocal: false);
    }

    // Never throws: the consumer gets the failure with its next call.
    private async Task SendAsync()
    {
        var sending = _sending!;
        try
        {
            if (!_isClosed && _stream.IsStreaming)
            {
                _stream.SendsOnly = true;
                await PumpAsync().ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            _failure ??= exception;
        }
        finally
        {
            _stream.SendsOnly = false;
            if (_isClosed)
                _stream.Release();
            Exit();
            sending.Set();
        }
    }

    // ---------------------------------------------------------------- entering

    private bool TryEnter() => Interlocked.CompareExchange(ref _isEntered, 1, 0) == 0;

    private async ValueTask EnterAsync()
    {
        while (!TryEnter())
        {
            if (_isReading)
                throw new InvalidOperationException("Another call waits for the next message of this replication stream: await it first.");
            if (Volatile.Read(ref _sending) is { } sending)
                await sending.WaitAsync().ConfigureAwait(false);
        }
    }

    private void Exit()
    {
        Interlocked.Exchange(ref _isEntered, 0);
        // A request between the last look and the exit would otherwise wait for the next message.
        if (_stream.WantsStatus)
            Nudge();
    }

    // ---------------------------------------------------------------- ending

    /// <inheritdoc/>
    // Only the blocking methods of the connection call it, and the connection is not visible outside of the replication connection.
    public override void Abandon()
    {
        _session.Break("the connection was closed while a replication stream was open");
        Closed();
    }

    /// <summary>Ends the stream in step with the server: the connection can be used for other commands.</summary>
    public override async ValueTask AbandonAsync()
    {
        if (_isClosed)
            return;
        if (_isReading)
        {
            // The other thread gets the exception of a lost connection.
            _session.Break("the connection was disposed while another thread was waiting for the next message of replication");
            return;
        }

        await EnterAsync().ConfigureAwait(false);
        try
        {
            Buffer.Next();
            if (!_isClosed)
                await LeaveAsync().ConfigureAwait(false);
        }
        finally
        {
            Exit();
        }
    }

    // A server that does not end the stream in time is asked over another connection, and then the session is broken. The caller wants no more messages:
    // a lost connection shows in its next command.
    private async ValueTask LeaveAsync()
    {
        Deadlines.Forget(this);
        _session.Operation.Rearm(LeaveMilliseconds);
        _stream.Leave(_session.Wire.Out);
        try
        {
            await PumpAsync().ConfigureAwait(false);
            _owner.HasLeftStream = true;
            Close(isWanted: false);
        }
        catch (Exception exception) when (exception is PgException or OperationCanceledException)
        {
            _failure ??= exception;
        }
    }

    private long LeaveMilliseconds => Math.Max(_connection.PgSource.Settings.CancellationTimeout, 1000);

    private void Close(bool isWanted)
    {
        Closed();
        if (!ReferenceEquals(_connection.SessionOrNull, _session))
            throw _connection.ClosedByAnotherThread(null);
        if (ReferenceEquals(_connection.OpenExchange, this))
            _connection.OpenExchange = null;
        Execution.End(_connection, _session, _stream.Error);
        if (isWanted && _stream.Error is { } error)
            throw _failure = _connection.Source.Translate(error, default, _token);
    }

    private Exception Failed(Exception exception)
    {
        Closed();
        if (_isTimedOut)
        {
            var limit = $"{_owner.TimeoutMilliseconds / 1000.0:0.###}";
            exception = new TimeoutException(
                $"The server has sent nothing for {limit} s (WalReceiverTimeout); the replication connection is closed.", exception);
            if (ReferenceEquals(_connection.SessionOrNull, _session))
                Execution.Failed(_connection, _session, exception);
            return _failure = new PgException(exception.Message, exception);
        }

        return _failure = ReferenceEquals(_connection.SessionOrNull, _session)
            ? Execution.Failed(_connection, _session, exception)
            : _connection.ClosedByAnotherThread(exception);
    }

    private void Closed()
    {
        _isClosed = true;
        Deadlines.Forget(this);
        _registration.Unregister();
        Buffer.Next();
        _stream.Release();
        if (ReferenceEquals(_owner.Operation, this))
            _owner.Operation = null;
    }
}
