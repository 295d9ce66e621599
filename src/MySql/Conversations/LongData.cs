using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Conversations;

/// <summary>A parameter whose value comes in pieces.</summary>
internal readonly record struct LongValue(int Parameter, Pieces Pieces);

/// <summary>
/// COM_STMT_SEND_LONG_DATA for each piece of each long value, ahead of the execution; there are no answers. When a value cannot be had the server
/// is told to forget the pieces (COM_STMT_RESET), and the session stays in step. Source: page_protocol_com_stmt_send_long_data.
/// </summary>
internal sealed class LongData : Conversation
{
    private LongValue[] _values = [];
    private uint _statement;
    private int _next;
    private bool _waits;
    private bool _resets;

    /// <summary>Why a value could not be had: nothing was executed.</summary>
    public Exception? Failure { get; private set; }

    public override ExternalSource ExternalSource => _values[_next].Pieces;

    public void Begin(uint statement, LongValue[] values)
    {
        _statement = statement;
        _values = values;
        _next = 0;
        _waits = _resets = false;
        Failure = null;
    }

    public override Step Advance(Wire wire)
    {
        if (_resets)
            return TakeReset(wire);
        while (_next < _values.Length)
        {
            var (parameter, pieces) = _values[_next];
            if (!_waits)
            {
                _waits = true;
                return Step.WaitExternal;
            }

            _waits = false;
            if (pieces.Failure is { } failure)
            {
                Failure = failure;
                _resets = true;
                StatementReset.Write(wire.Out, _statement);                                                 // C: COM_STMT_RESET
                IncomingPackets.BeginAnswer(wire);
                return Step.Send;
            }

            var piece = pieces.Piece.Span;
            var isAtEnd = pieces.IsAtEnd;
            if (isAtEnd)
                _next++;
            // An empty piece ends every value: without any the server would expect the value in the execution.
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
