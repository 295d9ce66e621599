using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// Protocol::SSLRequest: the beginning of the handshake response. TLS starts after it.
/// <code>
/// capabilities, low (4) | max_packet_size (4) | character_set (1) | filler (19) | MariaDB: extended capabilities (4), else filler (4)
/// </code>
/// Source: page_protocol_connection_phase_packets_protocol_ssl_request, MariaDB "Connection".
/// </summary>
internal static class SslRequest
{
    /// <summary>The announced maximum packet size in bytes: 1 GiB, the largest value that a server can be set to.</summary>
    public const uint MaxPacketSize = 1 << 30;

    /// <summary>
    /// Writes the payload. <paramref name="capabilities"/> contains <see cref="Capabilities.Ssl"/>; only a MariaDB server may get extended bits.
    /// </summary>
    public static void Write(ByteWriter writer, Capabilities capabilities, byte characterSet)
    {
        writer.UInt32((uint)capabilities);
        writer.UInt32(MaxPacketSize);
        writer.Byte(characterSet);
        writer.Zeros(19);
        writer.UInt32((uint)((ulong)capabilities >> 32));
    }
}
