using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_SET_OPTION: allows or forbids several statements in one query. The server answers with ERR, or with EOF (OK if CLIENT_DEPRECATE_EOF is agreed).
/// <code>
/// 1B | option (2): 0 multi statements on, 1 off
/// </code>
/// Source: page_protocol_com_set_option.
/// </summary>
internal static class SetOption
{
    /// <summary>Writes the whole command. If <paramref name="multiStatements"/> is true, the server accepts several statements in one query.</summary>
    public static void Write(ByteWriter writer, bool multiStatements)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.SetOption);
        writer.UInt16(multiStatements ? (ushort)0 : (ushort)1);
        writer.End(at);
    }
}
