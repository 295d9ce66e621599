using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// Where the answers to COM_QUERY, COM_STMT_EXECUTE and COM_STMT_PREPARE end, on a session without EOF packets behind definitions. Looks at first bytes and
/// lengths only: what an answer says is its caller's business.
/// </summary>
internal sealed class MySqlAnswerBounds(bool cachesMetadata) : AnswerBounds
{
    private enum Awaiting : byte
    {
        Header,
        Definitions,
        Rows,
    }

    // What decides is looked at as a whole; servers' messages of this kind are far shorter.
    private const int LongestDeciding = 64 * 1024;

    private const byte QueryCode = CommandCode.Query;
    private const byte ExecuteCode = CommandCode.StatementExecute;
    private const byte PrepareCode = CommandCode.StatementPrepare;

    private Awaiting _awaiting;
    private long _definitions;
    private int _left;
    private bool _continues;

    public override int FindRequests(ReadOnlySpan<byte> sent, Span<byte> kinds)
    {
        var count = 0;
        while (!sent.IsEmpty)
        {
            if (sent.Length <= Packets.HeaderLength)
                throw NotShared("a part of a packet");
            var length = (int)(BinaryPrimitives.ReadUInt32LittleEndian(sent) & Packets.MaxPayload);
            if (length == Packets.MaxPayload || length == 0 || length > sent.Length - Packets.HeaderLength)
                throw NotShared($"a packet of {length} bytes");
            var command = sent[Packets.HeaderLength];
            switch (command)
            {
                case QueryCode or ExecuteCode or PrepareCode:
                    if (count == kinds.Length)
                        throw NotShared($"more than {count} commands at once");
                    kinds[count++] = command;
                    break;
                case CommandCode.StatementClose:
                    break;
                default:
                    throw NotShared($"command 0x{command:X2}");
            }

            sent = sent[(Packets.HeaderLength + length)..];
        }

        return count;
    }

    public override int Take(ReadOnlySpan<byte> arrived, byte kind, out bool ended, out int wanted)
    {
        var at = 0;
        ended = false;
        wanted = 0;
        while (true)
        {
            var some = Math.Min(_left, arrived.Length - at);
            at += some;
            _left -= some;
            if (_left > 0)
                return at;
            if (_awaiting == Awaiting.Definitions && _definitions == 0)
            {
                _awaiting = kind == PrepareCode ? Awaiting.Header : Awaiting.Rows;
                ended = kind == PrepareCode;
            }

            if (ended || arrived.Length - at < Packets.HeaderLength)
                return at;

            var length = (int)(BinaryPrimitives.ReadUInt32LittleEndian(arrived[at..]) & Packets.MaxPayload);
            if (_continues)
            {
                Pass(ref at, length);
                continue;
            }

            var message = arrived[(at + Packets.HeaderLength)..];
            if (length == 0)
                throw new ProtocolException("an answer", "an empty packet");
            if (message.IsEmpty)
                return at;
            switch (_awaiting)
            {
                case Awaiting.Definitions:
                    _definitions--;
                    Pass(ref at, length);
                    continue;
                case Awaiting.Rows when message[0] < Eof.Header || length == Packets.MaxPayload:
                    Pass(ref at, length);
                    continue;
            }

            if (length > LongestDeciding)
                throw new ProtocolException($"a packet of at most {LongestDeciding} bytes here", $"one of {length}");
            if (message.Length < length)
            {
                wanted = Packets.HeaderLength + length;
                return at;
            }

            at += Packets.HeaderLength + length;
            if (!Decide(message[..length], kind))
                continue;
            _awaiting = Awaiting.Header;
            ended = true;
            return at;
        }
    }

    private void Pass(ref int at, int length)
    {
        at += Packets.HeaderLength;
        _left = length;
        _continues = length == Packets.MaxPayload;
    }

    // True when the answer ends with this packet.
    private bool Decide(ReadOnlySpan<byte> message, byte kind)
    {
        var reader = new ByteReader(message);
        var first = reader.Byte();
        if (first == Err.Header)
            return true;
        if (_awaiting == Awaiting.Rows || (first == Ok.Header && kind != PrepareCode))
        {
            var ok = Ok.Read(ref reader);
            if (reader.Failed)
                throw new ProtocolException("an OK packet", $"one of {message.Length} bytes");
            _awaiting = Awaiting.Header;
            return (ok.Status & ServerStatus.MoreResultsExist) == 0;
        }

        if (kind == PrepareCode)
        {
            var prepared = PrepareOk.Read(ref reader);
            if (first != Ok.Header || reader.Failed)
                throw new ProtocolException("OK or ERR in answer to a PREPARE", $"a packet of {message.Length} bytes beginning with 0x{first:X2}");
            _definitions = prepared.Columns + prepared.Parameters;
            _awaiting = Awaiting.Definitions;
            return _definitions == 0;
        }

        if (first == LocalInfileRequest.Header)
            throw new ProtocolException("a result", "the server's request to read a file of this client");
        reader = new ByteReader(message);
        var columns = reader.LengthEncoded();
        var follow = !cachesMetadata || reader.Byte() != 0;
        if (reader.Failed || columns is 0 or > DefinitionBlock.MostColumns)
            throw new ProtocolException("OK, ERR or the number of columns", $"a packet of {message.Length} bytes beginning with 0x{first:X2}");
        _definitions = follow ? (long)columns : 0;
        _awaiting = follow ? Awaiting.Definitions : Awaiting.Rows;
        return false;
    }

    private static InvalidOperationException NotShared(string what) => new($"A shared session cannot send {what}.");
}
