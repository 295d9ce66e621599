using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Conversations;

/// <summary>A question of the driver whose answer is one row with one text.</summary>
/// <param name="state">Gets what the answer shows about the server's state.</param>
/// <param name="sql">The question.</param>
internal sealed class OneTextQuery(ServerState state, string sql) : SimpleExchange
{
    private const int LongestAnswer = 64 * 1024;

    private enum Awaiting
    {
        Answer,
        Count,
        Definition,
        DefinitionEof,
        Rows,
    }

    private Awaiting _awaiting;
    private bool _hasRow;

    /// <summary>Gets the text; null if it is NULL, or the result has no row.</summary>
    public string? Text { get; private set; }

    public override string Description => "a question of the driver";

    public override void Encode(Wire wire) => Query.Write(wire.Out, Encoding.UTF8.GetBytes(sql));                  // C: SELECT

    public override Step Advance(Wire wire)
    {
        if (_awaiting == Awaiting.Answer)
        {
            IncomingPackets.BeginAnswer(wire);
            _awaiting = Awaiting.Count;
        }

        while (IncomingPackets.PeekLength(wire) is var length)
        {
            if (length > LongestAnswer)
                throw Unexpected(length);
            if (!IncomingPackets.TryTake(wire, out var at, out length))
                return Step.Receive;
            if (!Take(wire.In.AsSpan(at, length)))
                break;
        }

        return Step.Completed;
    }

    // Returns false after the last packet.
    private bool Take(ReadOnlySpan<byte> packet)
    {
        var reader = new ByteReader(packet);
        if (reader.Peek() == Err.Header)                                                                          // S: ERR
        {
            reader.Skip(1);
            var err = Err.Read(ref reader);
            if (reader.Failed)
                throw Unexpected(packet.Length);
            Error = new ServerError(err.Number, err.SqlState, err.Message);
            state.Refused(Error);
            return false;
        }

        switch (_awaiting)
        {
            case Awaiting.Count:                                                                                  // S: one column
                var columns = reader.LengthEncoded();
                var definitionFollows = (state.Capabilities & Capabilities.CacheMetadata) == 0 || reader.Byte() != 0;
                if (reader.Failed || columns != 1 || reader.Remaining > 0)
                    throw Unexpected(packet.Length);
                _awaiting = definitionFollows ? Awaiting.Definition : AfterDefinition;
                return true;
            case Awaiting.Definition:                                                                             // S: Column definition
                _awaiting = AfterDefinition;
                return true;
            case Awaiting.DefinitionEof:                                                                          // S: EOF
                reader.Skip(1);
                Eof.Read(ref reader);
                if (packet[0] != Ok.EndOfRowsHeader || reader.Failed)
                    throw Unexpected(packet.Length);
                _awaiting = Awaiting.Rows;
                return true;
            default:
                return reader.Peek() == Ok.EndOfRowsHeader ? TakeEnd(ref reader, packet.Length) : TakeRow(ref reader, packet.Length);
        }
    }

    private Awaiting AfterDefinition => state.DeprecatesEof ? Awaiting.Rows : Awaiting.DefinitionEof;

    // S: OK, or EOF, after the rows
    private bool TakeEnd(ref ByteReader reader, int length)
    {
        reader.Skip(1);
        var status = state.DeprecatesEof ? Ok.Read(ref reader).Status : Eof.Read(ref reader).Status;
        var hasMore = (status & ServerStatus.MoreResultsExist) != 0;
        return reader.Failed || hasMore ? throw Unexpected(length) : false;
    }

    // S: the text, or NULL
    private bool TakeRow(ref ByteReader reader, int length)
    {
        const byte Null = 0xFB;
        if (_hasRow)
            throw Unexpected(length);
        _hasRow = true;
        if (reader.Peek() == Null && reader.Remaining == 1)
            return true;
        var text = reader.LengthEncodedBytes();
        if (reader.Failed || reader.Remaining > 0)
            throw Unexpected(length);
        Text = Encoding.UTF8.GetString(text);
        return true;
    }

    private static ProtocolException Unexpected(int length) => new("one row with one text in answer to a question", $"another packet, of {length} bytes");
}
