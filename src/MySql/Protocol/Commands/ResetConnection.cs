using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_RESET_CONNECTION: forgets variables, temporary tables, transaction and prepared statements, keeps user and database. Answered by OK.
/// <code>
/// 1F
/// </code>
/// Source: page_protocol_com_reset_connection.
/// </summary>
internal static class ResetConnection
{
    /// <summary>The whole command.</summary>
    public static void Write(ByteWriter writer)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.ResetConnection);
        writer.End(at);
    }
}
