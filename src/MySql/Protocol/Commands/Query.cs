using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_QUERY: runs SQL text. Answered by OK, ERR, a text result set, or a LOCAL INFILE request.
/// <code>
/// 03 | query…
/// </code>
/// Source: page_protocol_com_query. (With CLIENT_QUERY_ATTRIBUTES parameters stand in front of the query; that capability is not announced.)
/// </summary>
public static class Query
{
    public static void Write(ByteWriter writer, ReadOnlySpan<byte> sql)
    {
        var at = writer.Begin();
        var room = writer.Grow(sql.Length + 1);
        room[0] = CommandCode.Query;
        sql.CopyTo(room[1..]);
        writer.End(at);
    }

    /// <summary>For SQL that is written in pieces; end it with <see cref="Packets.End"/>.</summary>
    public static int Begin(ByteWriter writer)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.Query);
        return at;
    }
}
