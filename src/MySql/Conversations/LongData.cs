using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Conversations;

/// <summary>A parameter whose value is sent in pieces.</summary>
internal readonly record struct LongValue(int Parameter, Pieces Pieces);

/// <summary>
/// COM_STMT_SEND_LONG_DATA for each piece of each long value, before the execution; there are no answers. If a value is not available, COM_STMT_RESET makes
/// the server forget the pieces, and the session stays in step. Source: page_protocol_com_stmt_send_long_data.
/// </summary>
internal sealed class LongData : Conversation
{
    private enum Awaiting : byte
    {
        /// <summary>The turn of the next piece.</summary>
        Nothing,

        /// <summary>The piece, from the application.</summary>
        Piece,

        /// <summary>The answer to COM_STMT_RESET.</summary>
        Reset,
    }

    private LongValue[] _values = [];
    private uint _statement;
    private int _next;
    private Awaiting _awaiting;

    /// <summary>Gets why a value was not available; null if all were. Nothing was executed then.</summary>
    public Exception? Failure { get; private set; }

    public override ExternalSource ExternalSource => _values[_next].Pieces;

    public void Begin(uint statement, LongValue[] values)
    {
        _statement = statement;
        _values = values;
        _next = 0;
        _awaiting = Awaiting.Nothing;
        Failure = null;
    }

    public override Step Advance(Wire wire)
    {
        if (_awaiting == Awaiting.Reset)
            return TakeReset(wire);
        while (_next < _values.Length)
        {
            var (parameter, pieces) = _values[_next];
            if (_awaiting == Awaiting.Nothing)
            {
                _awaiting = Awaiting.Piece;
                return Step.WaitExternal;
            }

            _awaiting = Awaiting.Nothing;
            if (pieces.Failure is { } failure)
            {
                Failure = failure;
                _awaiting = Awaiting.Reset;
                StatementReset.Write(wire.Out, _statement);                                                 // C: COM_STMT_RESET
                IncomingPackets.BeginAnswer(wire);
                return Step.Send;
            }

            var piece = pieces.Piece.Span;
            var isAtEnd = pieces.IsAtEnd;
            if (isAtEnd)
                _next++;
            // An empty piece ends every value. Without any piece the server would expect the value in the execution.
            StatementSendLongData.Write(wire.Out, _statement, checked((ushort)parameter), piece);           // C: COM_STMT_SEND_LONG_DATA
            if (!isAtEnd)
                return Step.Send;
        }

        _values = [];
        return Step.Completed;
    }

    private Step TakeReset(Wire wire)
    {
        if (!IncomingPackets.TryTakeAnswer(wire, out var at, out var length))
            return Step.Receive;
        var reader = new ByteReader(wire.In.AsSpan(at, length));
        if (reader.Byte() is not (Ok.Header or Err.Header))                                                 // S: OK or ERR
            throw new ProtocolException("OK or ERR in answer to COM_STMT_RESET", $"a packet of {length} bytes");
        _values = [];
        return Step.Completed;
    }
}
