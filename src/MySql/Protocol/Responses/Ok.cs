using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Responses;

/// <summary>
/// OK_Packet: ends a command. If CLIENT_DEPRECATE_EOF is agreed, it also ends a result set.
/// <code>
/// header (00 or FE) | affected_rows (lenenc) | last_insert_id (lenenc) | status_flags (2) | warnings (2)
/// | with SESSION_TRACK: info (lenenc string), if more bytes follow | session state (lenenc string), if the status has the flag
/// | without: info…
/// </code>
/// Source: "OK_Packet" (page_protocol_basic_ok_packet).
/// </summary>
internal readonly record struct Ok(ulong AffectedRows, ulong LastInsertId, ServerStatus Status, ushort Warnings)
{
    /// <summary>The packet's first byte after a command without a result set.</summary>
    public const byte Header = 0x00;

    /// <summary>
    /// The packet's first byte after the last row, with CLIENT_DEPRECATE_EOF. A row can also begin with it, but such a row is at least 16,777,215 bytes long.
    /// </summary>
    public const byte EndOfRowsHeader = 0xFE;

    /// <summary>Reads the body after the header byte, up to the info. A packet that is too short fails the reader.</summary>
    public static Ok Read(ref ByteReader reader) => new(
        AffectedRows: reader.LengthEncoded(),
        LastInsertId: reader.LengthEncoded(),
        Status: (ServerStatus)reader.UInt16(),
        Warnings: reader.UInt16());

    /// <summary>
    /// Reads the server's informational text ("Rows matched: 1 …") directly after <see cref="Read"/>. Returns an empty string if there is none.
    /// </summary>
    public static string ReadInfo(ref ByteReader reader, bool sessionTrack) =>
        reader.Remaining == 0 ? "" : sessionTrack ? reader.LengthEncodedText() : reader.Text(reader.Remaining);
}
