using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_QUERY: executes SQL text. The server answers with OK, ERR, a text result set or a LOCAL INFILE request.
/// <code>
/// 03 | query…
/// </code>
/// With CLIENT_QUERY_ATTRIBUTES, the attributes precede the query:
/// <code>
/// 03 | parameter_count (length-encoded) | parameter_set_count (01) | with attributes: null_bitmap, 01, types (2 each) with names, values… | query…
/// </code>
/// Source: page_protocol_com_query.
/// </summary>
internal static class Query
{
    /// <summary>The <see cref="ByteWriter.Dialect"/> of a connection that has CLIENT_QUERY_ATTRIBUTES.</summary>
    public const byte WithAttributes = 1;

    /// <summary>Writes the whole command without attributes. The text is UTF-8.</summary>
    public static void Write(ByteWriter writer, ReadOnlySpan<byte> sql)
    {
        if (writer.Dialect == WithAttributes)
        {
            var begun = Begin(writer);
            writer.Bytes(sql);
            writer.End(begun);
            return;
        }

        var at = writer.Begin();
        var room = writer.Grow(sql.Length + 1);
        room[0] = CommandCode.Query;
        sql.CopyTo(room[1..]);
        writer.End(at);
    }

    /// <summary>Begins a command whose SQL is written in pieces. <see cref="Packets.End"/> ends it.</summary>
    public static int Begin(ByteWriter writer)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.Query);
        if (writer.Dialect == WithAttributes)
            writer.Bytes([0, 1]);
        return at;
    }

    /// <summary>
    /// Begins a command with attributes. Write their types, names and values next, then the SQL. The dialect must be <see cref="WithAttributes"/>.
    /// </summary>
    /// <param name="writer">The writer to append to.</param>
    /// <param name="attributes">The number of attributes, at least 1.</param>
    /// <param name="bitmap">The position of the NULL bitmap, for <see cref="StatementExecute.SetNull"/>.</param>
    public static int Begin(ByteWriter writer, int attributes, out int bitmap)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.Query);
        writer.LengthEncoded((ulong)attributes);
        writer.Byte(1);
        bitmap = writer.Length;
        writer.Zeros((attributes + 7) / 8);
        writer.Byte(1);
        return at;
    }
}
