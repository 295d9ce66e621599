using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_RESET_CONNECTION: discards variables, temporary tables, the transaction and prepared statements. The user and the database remain. The server answers
/// with OK.
/// <code>
/// 1F
/// </code>
/// Source: page_protocol_com_reset_connection.
/// </summary>
internal static class ResetConnection
{
    /// <summary>Writes the whole command.</summary>
    public static void Write(ByteWriter writer)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.ResetConnection);
        writer.End(at);
    }
}
