using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// HandshakeResponse41: who logs in, with which capabilities.
/// <code>
/// [SSLRequest's 32 bytes] | username (to zero) | authentication response (lenenc string, or 1 byte of length + bytes)
/// | database (to zero), with CONNECT_WITH_DB | plugin name (to zero), with PLUGIN_AUTH | attributes, with CONNECT_ATTRS
/// </code>
/// Source: "Protocol::HandshakeResponse41" (page_protocol_connection_phase_packets_protocol_handshake_response).
/// </summary>
internal static class HandshakeResponse
{
    /// <summary>Writes the payload. What the capabilities do not announce is left out.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="capabilities">What is agreed; extended bits only towards a MariaDB.</param>
    /// <param name="characterSet">Collation number: 45 is utf8mb4_general_ci, which every server knows.</param>
    /// <param name="user">User name.</param>
    /// <param name="authenticationResponse">What the method made of the password: at most 255 bytes without LengthEncodedAuthentication.</param>
    /// <param name="database">Database to begin in; empty without ConnectWithDatabase.</param>
    /// <param name="plugin">The method's name.</param>
    /// <param name="encodedAttributes">As <see cref="ConnectionAttributes.Encode"/> made them.</param>
    /// <exception cref="ArgumentException">A name holds a zero character, which would end it early and shift what follows.</exception>
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
                throw new ArgumentException("The authentication response is longer than 255 bytes, the most that this server can take.", nameof(authenticationResponse));
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
            throw new ArgumentException($"The {what} holds a zero character, which MySQL's protocol cannot carry.");
        writer.TextAndZero(text);
    }
}
