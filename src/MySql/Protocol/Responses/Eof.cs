using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Responses;

/// <summary>
/// EOF_Packet: ends column definitions or rows of servers without CLIENT_DEPRECATE_EOF.
/// <code>
/// header (FE) | warnings (2) | status_flags (2)
/// </code>
/// Source: "EOF_Packet" (page_protocol_basic_eof_packet).
/// </summary>
internal readonly record struct Eof(ushort Warnings, ServerStatus Status)
{
    /// <summary>The packet's first byte. The payload of an EOF packet is shorter than 9 bytes.</summary>
    public const byte Header = 0xFE;

    /// <summary>Reads the body after the header byte.</summary>
    public static Eof Read(ref ByteReader reader) => new(Warnings: reader.UInt16(), Status: (ServerStatus)reader.UInt16());
}
