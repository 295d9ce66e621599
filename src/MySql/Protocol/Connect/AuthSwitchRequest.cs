using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// Protocol::AuthSwitchRequest: the server requests another authentication method.
/// <code>
/// FE | plugin name (to zero) | plugin data…
/// </code>
/// FE alone requests the method of versions before 4.1 and fails the reader. Source: page_protocol_connection_phase_packets_protocol_auth_switch_request.
/// </summary>
internal sealed record AuthSwitchRequest(string Plugin, byte[] Data)
{
    /// <summary>The packet's first byte.</summary>
    public const byte Header = 0xFE;

    /// <summary>Reads the body after the header byte. The zero that some servers append to a nonce is removed.</summary>
    public static AuthSwitchRequest Read(ref ByteReader reader)
    {
        var plugin = reader.TextToZero();
        var data = reader.Rest();
        if (data.Length == InitialHandshake.NonceLength + 1 && data[^1] == 0)
            data = data[..^1];
        return new(plugin, data.ToArray());
    }
}
