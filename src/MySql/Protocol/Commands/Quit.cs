using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_QUIT: ends the session. The server does not answer and closes the connection.
/// <code>
/// 01
/// </code>
/// Source: page_protocol_com_quit.
/// </summary>
internal static class Quit
{
    /// <summary>Writes the whole command.</summary>
    public static void Write(ByteWriter writer)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.Quit);
        writer.End(at);
    }
}
