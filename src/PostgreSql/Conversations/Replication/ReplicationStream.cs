using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Protocol.Replication;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// START_REPLICATION: the server sends the log, and the client reports how far it is. Its outcomes are <see cref="Step.Metadata"/> when the stream has begun,
/// or the conversation was asked to pause, <see cref="Step.Row"/> when data has arrived, and <see cref="Step.Completed"/> at the end.
/// Source: PostgreSQL 18, 54.4 "Streaming Replication Protocol".
/// <code>
/// C: Query              S: CopyBothResponse
/// C: CopyData…          S: CopyData…
/// C: CopyDone           S: CopyData…, CopyDone                         or the server sends CopyDone first
///                       S: [RowDescription, DataRow,] CommandComplete…, ReadyForQuery
/// </code>
/// A status update may be requested by any thread. The thread that runs the conversation sends it.
/// </summary>
/// <param name="session">The session that runs the exchange.</param>
/// <param name="state">Gets what the answers show about the server's state.</param>
/// <param name="command">The START_REPLICATION.</param>
/// <param name="progress">The locations that status updates report.</param>
/// <param name="clock">Returns the time for status updates, in microseconds since 2000-01-01 UTC.</param>
/// <param name="maxMessageBytes">The most bytes of a message that are held in memory.</param>
internal sealed class ReplicationStream(
    ISessionHost session, ServerState state, string command, ReplicationProgress progress, Func<long> clock, long maxMessageBytes) : RequestedExchange
{
    // The end of a stream has at most two CommandComplete and one row, the next timeline. More would be an endless answer.
    private const int MaxMessagesAtEnd = 100;

    private readonly Lock _gate = new();
    private Stage _stage;
    private bool _mustSend;
    private bool _announces;
    private bool _hasCompleted;
    private int _messagesAtEnd;
    private volatile bool _pauses;
    private WakeableArrival? _arrival;
    private Signal? _wanted;
    private bool _wantsReply;
    private Signal? _sent;

    private enum Stage : byte
    {
        /// <summary>Waits for the answer to the command.</summary>
        Starting,

        /// <summary>Both sides send data.</summary>
        Streaming,

        /// <summary>The client has sent CopyDone, the server has not.</summary>
        Leaving,

        /// <summary>The data has ended.</summary>
        Ending,

        Ended,
    }

    /// <summary>Whether the server sends data.</summary>
    public bool IsStreaming => _stage == Stage.Streaming;

    /// <summary>Whether the exchange has ended.</summary>
    public bool HasEnded => _stage == Stage.Ended;

    /// <summary>Whether the conversation only sends what was requested, and then pauses. Received bytes stay where they are.</summary>
    public bool SendsOnly { get; set; }

    /// <summary>Whether a status update was requested and has not been written yet.</summary>
    public bool WantsStatus => Volatile.Read(ref _wanted) is not null;

    /// <summary>The fields before the data of the received message.</summary>
    public XLogData Current { get; private set; }

    /// <summary>Where the data of the received message begins in the inbound buffer. It is valid until the next message is received.</summary>
    public int DataStart { get; private set; }

    /// <summary>Where the data of the received message ends.</summary>
    public int DataEnd { get; private set; }

    public override ExternalSource ExternalSource => _arrival!;

    public override void Encode(Wire wire)
    {
        _arrival = new(wire);
        Query.Write(wire.Out, Encoding.UTF8.GetBytes(command));
    }

    // ---------------------------------------------------------------- requests, from any thread

    /// <summary>Requests a status update. The signal is set when it has been sent, or the exchange has ended.</summary>
    /// <param name="requestsReply">Whether the server should answer at once.</param>
    public Signal RequestStatus(bool requestsReply)
    {
        lock (_gate)
        {
            _wantsReply |= requestsReply;
            return _wanted ??= new();
        }
    }

    /// <summary>Ends the wait of the thread that runs the conversation, so that it notices requests.</summary>
    public void Wake() => _arrival?.Wake();

    /// <summary>Lets the conversation return to its caller soon.</summary>
    public void Pause()
    {
        _pauses = true;
        Wake();
    }

    /// <summary>Sets the signals of requests that no message will answer.</summary>
    public void Release()
    {
        lock (_gate)
        {
            _wanted?.Set();
            _wanted = null;
        }

        Sent();
    }

    /// <summary>Ends the stream: data that still arrives is dropped.</summary>
    public void Leave(ByteWriter writer)
    {
        if (_stage != Stage.Streaming)
            return;
        CopyDone.Write(writer);
        (_stage, _mustSend, SendsOnly, _pauses) = (Stage.Leaving, true, false, false);
    }

    // ---------------------------------------------------------------- running

    public override Step Advance(Wire wire)
    {
        while (true)
        {
            if (_mustSend)
            {
                _mustSend = false;
                return Step.Send;
            }

            Sent();
            if (_announces)
            {
                _announces = false;
                return Step.Metadata;
            }

            if (_stage == Stage.Ended)
            {
                Release();
                return Step.Completed;
            }

            if (_stage == Stage.Streaming)
            {
                WriteStatus(wire.Out);
                if (_mustSend)
                    continue;
                if (SendsOnly || _pauses)
                    return Step.Metadata;
            }

            if (!Messages.TryTake(wire, out var type, out var start, out var end))
            {
                if (wire.Want > maxMessageBytes)
                    throw TooLarge();
                return _stage == Stage.Streaming ? Step.WaitExternal : Step.Receive;
            }

            var body = wire.In.AsSpan(start, end - start);
            switch (_stage)
            {
                case Stage.Starting:
                    TakeBeginning(type, body);
                    break;
                case Stage.Streaming when type == BackendMessage.CopyData:
                    if (TakeData(body, start, end))
                        return Step.Row;
                    break;
                // A server may send a keepalive after its CopyDone.
                case Stage.Leaving or Stage.Ending when type == BackendMessage.CopyData && !_hasCompleted:
                    break;
                case Stage.Streaming when type == BackendMessage.CopyDone:
                    CopyDone.Write(wire.Out);
                    (_stage, _mustSend) = (Stage.Ending, true);
                    break;
                case Stage.Leaving when type == BackendMessage.CopyDone:
                    _stage = Stage.Ending;
                    break;
                default:
                    TakeEnd(type, body);
                    break;
            }
        }
    }

    private WireException TooLarge() => new(
        WireFailure.ValueTooLarge, $"The server sent a message of replication of more than {maxMessageBytes:N0} bytes, the limit of Max Row Bytes; the "
            + "connection is closed. Raise the option.");

    private void WriteStatus(ByteWriter writer)
    {
        if (!WantsStatus)
            return;
        lock (_gate)
        {
            StandbyStatusUpdate.Write(writer, progress.Received, progress.Flushed, progress.Applied, clock(), _wantsReply);
            (_sent, _wanted, _wantsReply) = (_wanted, null, false);
        }

        _mustSend = true;
    }

    private void Sent()
    {
        _sent?.Set();
        _sent = null;
    }

    private void TakeBeginning(BackendMessage type, ReadOnlySpan<byte> body)
    {
        if (type != BackendMessage.CopyBothResponse)
        {
            // A timeline that has no more data after the requested location ends without a stream.
            TakeEnd(type, body);
            return;
        }

        var reader = new ByteReader(body);
        CopyInResponse.Read(ref reader);
        if (reader.Failed)
            throw Messages.Broken(type, body.Length);
        (_stage, _announces) = (Stage.Streaming, true);
    }

    // Returns true if the message contains data for the caller.
    private bool TakeData(ReadOnlySpan<byte> body, int start, int end)
    {
        var reader = new ByteReader(body);
        switch (reader.Byte())
        {
            case XLogData.Type:
                Current = XLogData.Read(ref reader);
                if (reader.Failed)
                    break;
                (DataStart, DataEnd) = (start + XLogData.HeaderLength, end);
                progress.Reached(Current.WalStart);
                progress.Reached(Current.WalEnd);
                return true;
            case PrimaryKeepalive.Type:
                var keepalive = PrimaryKeepalive.Read(ref reader);
                if (reader.Failed)
                    break;
                progress.Reached(keepalive.WalEnd);
                if (keepalive.RequestsReply)
                    RequestStatus(requestsReply: false);
                return false;
        }

        throw new ProtocolException(
            "XLogData or a keepalive of replication", body.Length == 0 ? "an empty CopyData" : $"a CopyData of type 0x{body[0]:X2} and {body.Length} bytes");
    }

    private void TakeEnd(BackendMessage type, ReadOnlySpan<byte> body)
    {
        if (++_messagesAtEnd > MaxMessagesAtEnd && _stage == Stage.Ending)
            throw new ProtocolException("the end of replication", $"more than {MaxMessagesAtEnd} messages after the end of its data");
        switch (type)
        {
            // The timeline that follows the streamed one. IDENTIFY_SYSTEM and TIMELINE_HISTORY report it, too.
            case BackendMessage.RowDescription or BackendMessage.DataRow when _stage is Stage.Starting or Stage.Ending && !_hasCompleted && Error is null:
                _stage = Stage.Ending;
                break;
            // A server that shuts down sends it without CopyDone, and then closes the connection.
            case BackendMessage.CommandComplete when Error is null:
                Messages.ReadComplete(body);
                (_stage, _hasCompleted) = (Stage.Ending, true);
                break;
            case BackendMessage.ErrorResponse:
                var error = Messages.ReadError(body);
                Error ??= error.ToServerError();
                _stage = Stage.Ending;
                if (error.EndsSession)
                {
                    session.Break(error.MessageText);
                    _stage = Stage.Ended;
                }

                break;
            case BackendMessage.ReadyForQuery when _hasCompleted || Error is not null:
                state.TransactionStatus = Messages.ReadStatus(body);
                _stage = Stage.Ended;
                break;
            default:
                Messages.TakeAsynchronous(session, state, type, body, _stage switch
                {
                    Stage.Starting => "the answer to START_REPLICATION",
                    Stage.Ending => "the end of replication",
                    _ => "data of replication",
                });
                break;
        }
    }
}
