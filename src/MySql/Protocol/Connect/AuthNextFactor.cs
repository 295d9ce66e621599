using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// Protocol::AuthNextFactor: the server accepted one factor and requests the next.
/// <code>
/// 02 | plugin name (to zero) | plugin data…
/// </code>
/// Only with CLIENT_MULTI_FACTOR_AUTHENTICATION. Source: page_protocol_connection_phase_packets_protocol_auth_next_factor_request.
/// </summary>
internal static class AuthNextFactor
{
    /// <summary>The packet's first byte.</summary>
    public const byte Header = 0x02;

    /// <summary>Reads the body after the header byte. It has the layout of an <see cref="AuthSwitchRequest"/>.</summary>
    public static AuthSwitchRequest Read(ref ByteReader reader) => AuthSwitchRequest.Read(ref reader);
}
