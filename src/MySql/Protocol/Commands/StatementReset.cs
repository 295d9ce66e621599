using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_STMT_RESET: discards the long data sent for a statement. The server answers with OK or ERR.
/// <code>
/// 1A | statement_id (4)
/// </code>
/// Source: page_protocol_com_stmt_reset.
/// </summary>
internal static class StatementReset
{
    /// <summary>Writes the whole command.</summary>
    public static void Write(ByteWriter writer, uint statementId)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.StatementReset);
        writer.UInt32(statementId);
        writer.End(at);
    }
}
