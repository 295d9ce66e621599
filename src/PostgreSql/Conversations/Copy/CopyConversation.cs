using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.State;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>The direction of a COPY.</summary>
internal enum CopyDirection : byte
{
    /// <summary>The server has not asked for data nor announced any.</summary>
    None,

    /// <summary>COPY … FROM STDIN.</summary>
    In,

    /// <summary>COPY … TO STDOUT.</summary>
    Out,
}

/// <summary>
/// A COPY whose data the caller supplies or takes between calls. Its outcomes are <see cref="Step.Metadata"/> when the direction is known,
/// <see cref="Step.Row"/> when data has been sent or has arrived, and <see cref="Step.Completed"/> at the end. Source: PostgreSQL 18, 54.2.6 "COPY Operations".
/// <code>
/// C: Parse, Bind, Execute, Flush    S: ParseComplete, BindComplete
///                                   S: CopyInResponse       C: CopyData…, CopyDone or CopyFail
///                                   S: CopyOutResponse, CopyData…, CopyDone
/// C: Sync                           S: CommandComplete or ErrorResponse, ReadyForQuery
/// </code>
/// The server ignores a Sync while it waits for data. Each exchange therefore sends exactly one Sync after the data or after an error, so that exactly one
/// ReadyForQuery ends it wherever an error occurs. If the statement can only be an export, the Sync replaces the Flush and saves a round trip.
/// </summary>
/// <param name="session">The session that runs the exchange.</param>
/// <param name="state">Gets what the answers show about the server's state.</param>
/// <param name="operation">Reports interruptions.</param>
/// <param name="statement">The COPY statement.</param>
/// <param name="maxRowBytes">The most bytes of a message that are held at once.</param>
/// <param name="isExport">Whether the Sync is sent with the statement, because the client is not expected to send data.</param>
internal sealed class CopyConversation(
    ISessionHost session, ServerState state, Operation operation, StatementPart statement, long maxRowBytes, bool isExport)
    : RequestedExchange
{
    private enum Stage : byte
    {
        Starting,

        /// <summary>The server has accepted the COPY. The caller does not know it yet.</summary>
        Accepted,
        Sending,
        Receiving,
        Ending,
        Ended,
    }

    // What becomes of received data.
    private enum Use : byte
    {
        Messages,

        /// <summary>The caller reads the data in pieces.</summary>
        Pieces,
        None,
    }

    private enum Result : byte
    {
        Unknown,

        /// <summary>The caller has ended the COPY without its data.</summary>
        GivenUp,

        /// <summary>The server has executed the COPY.</summary>
        Executed,
    }

    private Stage _stage;
    private Use _use;
    private Result _result;
    private int _confirmed;
    private bool _mustSend;
    private long _left;
    private Wire? _wire;

    /// <summary>The direction; known after the first outcome, unless the COPY failed.</summary>
    public CopyDirection Direction { get; private set; }

    /// <summary>Whether the data is in the binary format.</summary>
    public bool IsBinary { get; private set; }

    /// <summary>The number of columns.</summary>
    public int Columns { get; private set; }

    /// <summary>The number of rows that the server reported at the end.</summary>
    public ulong Rows { get; private set; }

    /// <summary>Whether the server has executed the whole COPY.</summary>
    public bool IsComplete => _result == Result.Executed && Error is null;

    /// <summary>Whether the exchange has ended.</summary>
    public bool HasEnded => _stage == Stage.Ended;

    /// <summary>Where the body of the received message begins in the inbound buffer; valid until the next call of <see cref="Advance"/>.</summary>
    public int MessageStart { get; private set; }

    /// <summary>Where the body of the received message ends.</summary>
    public int MessageEnd { get; private set; }

    private bool IsInterrupted => operation.Interruption != Interruption.None;

    public override void Encode(Wire wire)
    {
        Parse.Write(wire.Out, [], statement.Sql, []);
        Bind.End(wire.Out, Bind.Begin(wire.Out, [], 0), Bind.Text);
        Execute.Write(wire.Out);
        if (isExport)
            Sync.Write(wire.Out);
        else
            Flush.Write(wire.Out);
    }

    // ---------------------------------------------------------------- what the caller wants next

    /// <summary>Sends the CopyData that have been written.</summary>
    public void Send() => _mustSend = true;

    /// <summary>Ends the data that has been written.</summary>
    public void Complete(ByteWriter writer)
    {
        CopyDone.Write(writer);
        End(writer);
    }

    /// <summary>Ends a COPY … FROM STDIN without its data. What was written and not sent is dropped.</summary>
    public void Fail(ByteWriter writer, string reason)
    {
        _result = Result.GivenUp;
        writer.Truncate(0);
        CopyFail.Write(writer, reason);
        End(writer);
    }

    /// <summary>Lets the data of a COPY … TO STDOUT be read in pieces, by <see cref="Read"/>. Otherwise, it is read in whole messages.</summary>
    public void ReadInPieces() => _use = Use.Pieces;

    /// <summary>Drops the rest of the data of a COPY … TO STDOUT.</summary>
    public void Skip() => _use = Use.None;

    /// <summary>Whether <see cref="Read"/> returns bytes without a wait.</summary>
    public bool HasData => _left > 0 && _wire!.Buffered > 0;

    /// <summary>Copies received data. Returns 0 if none has arrived.</summary>
    public int Read(Span<byte> target)
    {
        var count = (int)Math.Min(Math.Min(_left, _wire!.Buffered), target.Length);
        _wire.In.AsSpan(_wire.Start, count).CopyTo(target);
        _wire.Start += count;
        _left -= count;
        return count;
    }

    /// <summary>
    /// Takes the next message of the data, unless it must be waited for, is not data, or is to be read in pieces or dropped. A row that has arrived needs no
    /// pump, and no new deadline.
    /// </summary>
    public bool TryTakeArrived(Wire wire)
    {
        if (_stage != Stage.Receiving || _use != Use.Messages || _mustSend || _left > 0
            || !BeginsData(wire, out var length) || length > maxRowBytes || length > wire.Buffered - Frame.HeaderLength
            || !Messages.TryTake(wire, out _, out var start, out var end))
            return false;
        (MessageStart, MessageEnd) = (start, end);
        return true;
    }

    private void EndBeginning(ByteWriter writer)
    {
        SendMissingSync(writer);
        _stage = Stage.Ending;
    }

    // The client sends no data: only the Sync is missing, unless it has been sent with the statement.
    private void SendMissingSync(ByteWriter writer)
    {
        if (!isExport)
            SendSync(writer);
    }

    private void End(ByteWriter writer)
    {
        SendSync(writer);
        _stage = Stage.Ending;
    }

    private void SendSync(ByteWriter writer)
    {
        Sync.Write(writer);
        _mustSend = true;
    }

    // ---------------------------------------------------------------- running

    public override Step Advance(Wire wire)
    {
        _wire = wire;
        while (true)
        {
            if (_mustSend)
            {
                _mustSend = false;
                // The server may send notices, and wait until they are read, before it reads on.
                wire.IsAnsweredEarly = Direction == CopyDirection.In;
                return Step.Send;
            }

            switch (_stage)
            {
                case Stage.Ended:
                    return Step.Completed;
                case Stage.Accepted:
                    _stage = Direction == CopyDirection.In ? Stage.Sending : Stage.Receiving;
                    return Step.Metadata;
                case Stage.Sending:
                    if (AdvanceSending(wire) is { } sent)
                        return sent;
                    break;
                case Stage.Receiving:
                    if (AdvanceReceiving(wire) is { } received)
                        return received;
                    break;
                default:
                    if (!Messages.TryTake(wire, out var type, out var start, out var end))
                        return Step.Receive;
                    if (_stage == Stage.Starting)
                        TakeBeginning(wire, type, wire.In.AsSpan(start, end - start));
                    else
                        TakeEnd(type, wire.In.AsSpan(start, end - start));
                    break;
            }
        }
    }

    private Step? AdvanceSending(Wire wire)
    {
        if (IsInterrupted)
        {
            Fail(wire.Out, "the copy was interrupted");
            return null;
        }

        // An error in the middle: the server reads the rest only to discard it.
        while (Messages.TryTake(wire, out var type, out var start, out var end))
        {
            TakeOther(type, wire.In.AsSpan(start, end - start), "an error or a notice during COPY");
            if (Error is null)
                continue;
            if (_stage != Stage.Ended)
                End(wire.Out);
            return null;
        }

        return wire.HasArrived ? Step.Receive : wire.TakesMore() ? null : Step.Row;
    }

    private Step? AdvanceReceiving(Wire wire)
    {
        if (_left > 0 && _use == Use.None)
        {
            var dropped = (int)Math.Min(_left, wire.Buffered);
            wire.Start += dropped;
            _left -= dropped;
        }

        if (_left > 0)
            return wire.Buffered > 0 ? Step.Row : Step.Receive;
        if (BeginsData(wire, out var length))
        {
            if (_use != Use.Messages)
            {
                wire.Start += Frame.HeaderLength;
                _left = length;
                return null;
            }

            if (length > maxRowBytes)
                throw LargeRow.TooLarge(maxRowBytes);
        }

        if (!Messages.TryTake(wire, out var type, out var start, out var end))
            return Step.Receive;
        switch (type)
        {
            case BackendMessage.CopyData:
                (MessageStart, MessageEnd) = (start, end);
                return Step.Row;
            case BackendMessage.CopyDone:
                _stage = Stage.Ending;
                return null;
            default:
                TakeOther(type, wire.In.AsSpan(start, end - start), "data of COPY");
                if (Error is not null && _stage != Stage.Ended)
                    _stage = Stage.Ending;
                return null;
        }
    }

    // True if the next message has a valid header of CopyData.
    private static bool BeginsData(Wire wire, out int length)
    {
        length = -1;
        if (wire.Buffered < Frame.HeaderLength || wire.In[wire.Start] != (byte)BackendMessage.CopyData)
            return false;
        length = BinaryPrimitives.ReadInt32BigEndian(wire.In.AsSpan(wire.Start + 1)) - 4;
        return length is >= 0 and <= Frame.MaxLength - 4;
    }

    private void TakeBeginning(Wire wire, BackendMessage type, ReadOnlySpan<byte> body)
    {
        switch (type)
        {
            case BackendMessage.ParseComplete when _confirmed == 0:
            case BackendMessage.BindComplete when _confirmed == 1:
                _confirmed++;
                break;
            // After a Sync that the server may or may not have ignored, the number of its answers would not be known.
            case BackendMessage.CopyInResponse when _confirmed == 2 && !isExport:
            case BackendMessage.CopyOutResponse when _confirmed == 2:
                var reader = new ByteReader(body);
                var response = CopyInResponse.Read(ref reader);
                if (reader.Failed)
                    throw Messages.Broken(type, body.Length);
                (IsBinary, Columns, _stage) = (response.IsBinary, response.Columns, Stage.Accepted);
                Direction = type == BackendMessage.CopyInResponse ? CopyDirection.In : CopyDirection.Out;
                if (Direction == CopyDirection.Out)
                    SendMissingSync(wire.Out);
                break;
            // A COPY from or to a file of the server has run.
            case BackendMessage.CommandComplete when _confirmed == 2:
                TakeComplete(body);
                EndBeginning(wire.Out);
                break;
            default:
                TakeOther(type, body, "the answer to COPY");
                if (Error is not null && _stage != Stage.Ended)
                    EndBeginning(wire.Out);
                break;
        }
    }

    private void TakeEnd(BackendMessage type, ReadOnlySpan<byte> body)
    {
        switch (type)
        {
            case BackendMessage.CommandComplete when _result == Result.Unknown && Error is null:
                TakeComplete(body);
                break;
            case BackendMessage.ReadyForQuery when _result != Result.Unknown || Error is not null:
                state.TransactionStatus = Messages.ReadStatus(body);
                _stage = Stage.Ended;
                break;
            default:
                TakeOther(type, body, "the end of COPY");
                break;
        }
    }

    private void TakeComplete(ReadOnlySpan<byte> body)
    {
        var complete = Messages.ReadComplete(body);
        state.Completed(complete, statement, hasColumns: false);
        Rows = (ulong)Math.Max(complete.Rows, 0);
        _result = Result.Executed;
    }

    private void TakeOther(BackendMessage type, ReadOnlySpan<byte> body, string expected)
    {
        if (type != BackendMessage.ErrorResponse)
        {
            Messages.TakeAsynchronous(session, state, type, body, expected);
            return;
        }

        var error = Messages.ReadError(body);
        state.Refused();
        if (statement.Effect != SettingsEffect.None)
            state.SettingsMayHaveChanged(statement.Effect);
        // The answer to CopyFail repeats its reason. It is of interest only after an interruption.
        if (_result != Result.GivenUp || IsInterrupted || error.EndsSession)
            Error ??= session.Judge(error.ToServerError(), isWhole: true, isOnly: false);
        if (!error.EndsSession)
            return;
        session.Break(error.MessageText);
        _stage = Stage.Ended;
    }
}
