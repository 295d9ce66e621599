using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// A part of the data of a COPY … FROM STDIN: any number of bytes, which need not end where a row ends.
/// <code>
/// 'd' | length (int32) | data…
/// </code>
/// The data of FORMAT binary:
/// <code>
/// PGCOPY\n\377\r\n\0 | flags (int32) | extension length (int32)
/// | { fields (int16) | { length (int32, −1 for NULL) | value… }… }… | −1 (int16)
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", CopyData; COPY, "Binary Format".
/// </summary>
internal static class CopyData
{
    /// <summary>Begins a message. <see cref="Frame.End"/> ends it.</summary>
    public static int Begin(ByteWriter writer) => writer.Begin((byte)'d');

    /// <summary>Writes the header of the data, which precedes the rows: no flags, no extension.</summary>
    public static void Signature(ByteWriter writer)
    {
        writer.Bytes("PGCOPY\n"u8);
        writer.Byte(0xFF);
        writer.Bytes("\r\n\0"u8);
        writer.Zeros(8);
    }

    /// <summary>Writes the end of the data, which follows the rows.</summary>
    public static void Trailer(ByteWriter writer) => writer.Int16BigEndian(-1);
}
