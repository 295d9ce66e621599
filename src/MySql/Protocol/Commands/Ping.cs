using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_PING: checks whether the server answers. The server answers with OK.
/// <code>
/// 0E
/// </code>
/// Source: page_protocol_com_ping.
/// </summary>
internal static class Ping
{
    /// <summary>Writes the whole command.</summary>
    public static void Write(ByteWriter writer)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.Ping);
        writer.End(at);
    }
}
