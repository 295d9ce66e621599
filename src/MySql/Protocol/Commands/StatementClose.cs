using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_STMT_CLOSE: releases a prepared statement. The server does not answer.
/// <code>
/// 19 | statement_id (4)
/// </code>
/// Source: page_protocol_com_stmt_close.
/// </summary>
internal static class StatementClose
{
    /// <summary>Writes the whole command.</summary>
    public static void Write(ByteWriter writer, uint statementId)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.StatementClose);
        writer.UInt32(statementId);
        writer.End(at);
    }
}
