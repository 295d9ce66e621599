using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol.Connect;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_CHANGE_USER: logs in again on the same connection. The server answers as it answers a handshake response.
/// <code>
/// 11 | user (to zero) | authentication response (1 byte of length + bytes) | database (to zero) | character_set (2)
/// | plugin name (to zero), with PLUGIN_AUTH | attributes, with CONNECT_ATTRS
/// </code>
/// Source: page_protocol_com_change_user.
/// </summary>
internal static class ChangeUser
{
    /// <summary>Writes the whole command.</summary>
    /// <exception cref="ArgumentException">A name contains a zero character, or the authentication response is longer than 255 bytes.</exception>
    public static void Write(
        ByteWriter writer,
        Capabilities capabilities,
        ushort characterSet,
        string user,
        ReadOnlySpan<byte> authenticationResponse,
        string database,
        string plugin,
        ReadOnlySpan<byte> encodedAttributes)
    {
        if (authenticationResponse.Length > byte.MaxValue)
            throw new ArgumentException("The authentication response is longer than 255 bytes, the maximum for this command.", nameof(authenticationResponse));
        var at = writer.Begin();
        writer.Byte(CommandCode.ChangeUser);
        HandshakeResponse.ZeroTerminated(writer, user, "user name");
        writer.Byte((byte)authenticationResponse.Length);
        writer.Bytes(authenticationResponse);
        HandshakeResponse.ZeroTerminated(writer, database, "database name");
        writer.UInt16(characterSet);
        if ((capabilities & Capabilities.PluginAuthentication) != 0)
            HandshakeResponse.ZeroTerminated(writer, plugin, "authentication method");
        if ((capabilities & Capabilities.ConnectionAttributes) != 0)
            writer.Bytes(encodedAttributes);
        writer.End(at);
    }
}
