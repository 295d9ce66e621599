using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_STMT_PREPARE: prepares a statement. The server answers with COM_STMT_PREPARE_OK or ERR.
/// <code>
/// 16 | query…
/// </code>
/// Source: page_protocol_com_stmt_prepare.
/// </summary>
internal static class StatementPrepare
{
    /// <summary>Writes the whole command. The text is UTF-8.</summary>
    public static void Write(ByteWriter writer, ReadOnlySpan<byte> sql)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.StatementPrepare);
        writer.Bytes(sql);
        writer.End(at);
    }
}
