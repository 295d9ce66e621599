using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// Protocol::SSLRequest: the head of the handshake response, after which TLS begins.
/// <code>
/// capabilities, low (4) | max_packet_size (4) | character_set (1) | filler (19) | MariaDB: extended capabilities (4), else filler (4)
/// </code>
/// Source: page_protocol_connection_phase_packets_protocol_ssl_request, MariaDB "Connection".
/// </summary>
internal static class SslRequest
{
    /// <summary>What is announced as the largest packet: 1 GiB, the most a server can be set to.</summary>
    public const uint MaxPacketSize = 1 << 30;

    /// <summary>Writes the payload. <paramref name="capabilities"/> holds <see cref="Capabilities.Ssl"/>; extended bits only towards a MariaDB.</summary>
    public static void Write(ByteWriter writer, Capabilities capabilities, byte characterSet)
    {
        writer.UInt32((uint)capabilities);
        writer.UInt32(MaxPacketSize);
        writer.Byte(characterSet);
        writer.Zeros(19);
        writer.UInt32((uint)((ulong)capabilities >> 32));
    }
}
