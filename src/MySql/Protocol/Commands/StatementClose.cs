using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_STMT_CLOSE: forgets a prepared statement. There is no answer.
/// <code>
/// 19 | statement_id (4)
/// </code>
/// Source: page_protocol_com_stmt_close.
/// </summary>
internal static class StatementClose
{
    /// <summary>The whole command.</summary>
    public static void Write(ByteWriter writer, uint statementId)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.StatementClose);
        writer.UInt32(statementId);
        writer.End(at);
    }
}
