using System.Buffers.Text;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Sessions;

/// <summary>The identity of a session and its server, as the server reported it inside the session.</summary>
/// <param name="Number">The server's connection ID of the session.</param>
/// <param name="Server">A text that differs between two servers, and between two runs of one server.</param>
internal sealed record SessionIdentity(long Number, string Server);

/// <summary>
/// Queries a <see cref="SessionIdentity"/>. The connection ID in the greeting is sent in clear text, and behind a load balancer it may belong to another
/// server's session. UUID_SHORT() contains server_id and the second in which the server started; connection IDs start again then. A refusal is not an error:
/// the identity stays unknown.
/// </summary>
/// <remarks>
/// A second result without rows undoes what the first one leaves for FOUND_ROWS(). The settings of the session tracker, which always follow, undo ROW_COUNT().
/// </remarks>
internal sealed class IdentityQuestion(ServerState state) : SimpleExchange
{
    // Host names have up to 255 characters, paths of data directories 512.
    private const int LongestAnswer = 4096;

    private enum Awaiting
    {
        Answer,
        Count,
        Definition,
        Rows,
    }

    private Awaiting _awaiting;
    private bool _isSecond;
    private SessionIdentity? _answer;

    /// <summary>Gets the answer; null before it arrives, and if the server refused the query.</summary>
    public SessionIdentity? Answer => IsAnswered ? _answer : null;

    /// <summary>Gets whether the whole answer has arrived.</summary>
    public bool IsAnswered { get; private set; }

    public override string Description => "the query for the server's identity";

    public override void Encode(Wire wire) => Query.Write(wire.Out, state.IsMariaDb                             // C: SELECT
        ? "SELECT CONCAT_WS('/',CONNECTION_ID(),UUID_SHORT()>>24,@@hostname,@@port,@@datadir);SELECT 0 LIMIT 0"u8
        : "SELECT CONCAT_WS('/',CONNECTION_ID(),UUID_SHORT()>>24,@@hostname,@@port,@@server_uuid);SELECT 0 LIMIT 0"u8);

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

        IsAnswered = true;
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
            state.Refused(new ServerError(err.Number, err.SqlState, err.Message));
            return false;
        }

        switch (_awaiting)
        {
            case Awaiting.Count:                                                                                  // S: one column
                var columns = reader.LengthEncoded();
                var definitionFollows = (state.Capabilities & Capabilities.CacheMetadata) == 0 || reader.Byte() != 0;
                if (reader.Failed || columns != 1 || reader.Remaining > 0)
                    throw Unexpected(packet.Length);
                _awaiting = definitionFollows ? Awaiting.Definition : Awaiting.Rows;
                return true;
            case Awaiting.Definition:                                                                             // S: Column definition
                _awaiting = Awaiting.Rows;
                return true;
            default:
                return reader.Peek() == Ok.EndOfRowsHeader ? TakeEnd(ref reader, packet.Length) : TakeRow(ref reader, packet.Length);
        }
    }

    // S: OK, after the rows
    private bool TakeEnd(ref ByteReader reader, int length)
    {
        reader.Skip(1);
        var hasMore = (Ok.Read(ref reader).Status & ServerStatus.MoreResultsExist) != 0;
        if (reader.Failed || hasMore == _isSecond)
            throw Unexpected(length);
        _isSecond = true;
        _awaiting = Awaiting.Count;
        return hasMore;
    }

    // S: number/server
    private bool TakeRow(ref ByteReader reader, int length)
    {
        var text = reader.LengthEncodedBytes();
        if (reader.Failed || reader.Remaining > 0 || _isSecond || _answer is not null
            || !Utf8Parser.TryParse(text, out long number, out var digits) || digits >= text.Length || text[digits] != '/')
            throw Unexpected(length);
        _answer = new SessionIdentity(number, Encoding.UTF8.GetString(text[digits..]));
        return true;
    }

    private static ProtocolException Unexpected(int length) =>
        new("one row and an empty result in answer to the query for the server's identity", $"another packet, of {length} bytes");
}
