using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// HandshakeResponse41: the login with user, database and capabilities.
/// <code>
/// [SSLRequest's 32 bytes] | username (to zero) | authentication response (lenenc string, or 1 byte of length + bytes)
/// | database (to zero), with CONNECT_WITH_DB | plugin name (to zero), with PLUGIN_AUTH | attributes, with CONNECT_ATTRS
/// </code>
/// Source: "Protocol::HandshakeResponse41" (page_protocol_connection_phase_packets_protocol_handshake_response).
/// </summary>
internal static class HandshakeResponse
{
    /// <summary>Writes the payload, without the fields whose capabilities are not announced.</summary>
    /// <param name="writer">The writer to append to.</param>
    /// <param name="capabilities">The agreed capabilities. Only a MariaDB server may get extended bits.</param>
    /// <param name="characterSet">The collation number. Every server supports 45 (utf8mb4_general_ci).</param>
    /// <param name="user">The user name.</param>
    /// <param name="authenticationResponse">The method's response, at most 255 bytes without LengthEncodedAuthentication.</param>
    /// <param name="database">The initial database; empty without ConnectWithDatabase.</param>
    /// <param name="plugin">The name of the authentication method.</param>
    /// <param name="encodedAttributes">The attributes as <see cref="ConnectionAttributes.Encode"/> returned them.</param>
    /// <exception cref="ArgumentException">
    /// A name contains a zero character, which would end it early and shift the following fields; or the authentication response is too long.
    /// </exception>
    public static void Write(
        ByteWriter writer,
        Capabilities capabilities,
        byte characterSet,
        string user,
        ReadOnlySpan<byte> authenticationResponse,
        string database,
        string plugin,
        ReadOnlySpan<byte> encodedAttributes)
    {
        SslRequest.Write(writer, capabilities, characterSet);
        ZeroTerminated(writer, user, "user name");
        if ((capabilities & Capabilities.LengthEncodedAuthentication) != 0)
            writer.LengthEncodedBytes(authenticationResponse);
        else
        {
            if (authenticationResponse.Length > byte.MaxValue)
                throw new ArgumentException("The authentication response is longer than 255 bytes, the maximum for this server.",
                    nameof(authenticationResponse));
            writer.Byte((byte)authenticationResponse.Length);
            writer.Bytes(authenticationResponse);
        }

        if ((capabilities & Capabilities.ConnectWithDatabase) != 0)
            ZeroTerminated(writer, database, "database name");
        if ((capabilities & Capabilities.PluginAuthentication) != 0)
            ZeroTerminated(writer, plugin, "authentication method");
        if ((capabilities & Capabilities.ConnectionAttributes) != 0)
            writer.Bytes(encodedAttributes);
    }

    internal static void ZeroTerminated(ByteWriter writer, string text, string what)
    {
        if (text.Contains('\0', StringComparison.Ordinal))
            throw new ArgumentException($"The {what} contains a NUL character (U+0000), which MySQL's protocol cannot transmit: remove the character.");
        writer.TextAndZero(text);
    }
}
