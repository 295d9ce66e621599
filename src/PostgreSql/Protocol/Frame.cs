using System.Buffers.Binary;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol;

/// <summary>
/// The frame of every message except the first ones of a connection. The length includes itself, but not the type.
/// <code>
/// type (1) | length (int32) | body (length − 4)
/// </code>
/// Source: PostgreSQL 18, 54.1 "Overview" and 54.7 "Message Formats".
/// </summary>
internal static class Frame
{
    /// <summary>The length of the type and the length field, in bytes.</summary>
    public const int HeaderLength = 5;

    /// <summary>The most bytes that a server accepts or sends in one message (MaxAllocSize, 1 GiB − 1).</summary>
    public const int MaxLength = 0x3FFF_FFFF;

    /// <summary>The limit for messages that contain neither a row, data nor a text, in bytes. libpq has the same limit.</summary>
    public const int MaxShortLength = 30_000;

    /// <summary>
    /// The limit for ErrorResponse, NoticeResponse, NotificationResponse, RowDescription and ParameterDescription, in bytes.
    /// The driver holds them completely in memory, and RAISE may put a document into one.
    /// </summary>
    public const int MaxTextLength = 16 << 20;

    /// <summary>Returns the greatest length that a message of this type may have, in bytes.</summary>
    public static int MaxLengthOf(BackendMessage type) => type switch
    {
        BackendMessage.DataRow or BackendMessage.CopyData => MaxLength,
        BackendMessage.ErrorResponse or BackendMessage.NoticeResponse or BackendMessage.NotificationResponse
            or BackendMessage.RowDescription or BackendMessage.ParameterDescription => MaxTextLength,
        _ => MaxShortLength,
    };

    /// <summary>Returns true if a server sends messages of this type.</summary>
    public static bool IsKnown(BackendMessage type) => (char)type is
        '1' or '2' or '3' or 'A' or 'C' or 'D' or 'E' or 'G' or 'H' or 'I' or 'K' or 'N' or 'R' or 'S' or 'T' or 'V' or 'W' or 'Z' or 'c' or 'd' or 'n' or 's'
            or 't' or 'v';

    /// <summary>Writes the header with space for the length. Pass the returned position to <see cref="End"/>.</summary>
    public static int Begin(this ByteWriter writer, byte type)
    {
        var start = writer.Length;
        writer.Grow(HeaderLength)[0] = type;
        return start;
    }

    /// <summary>Fills in the length of the message that began at <paramref name="start"/>.</summary>
    /// <exception cref="InvalidOperationException">The message is longer than a server accepts. It is removed from the writer.</exception>
    public static void End(this ByteWriter writer, int start)
    {
        var length = writer.LengthSince(start) - 1;
        if (length > MaxLength)
        {
            writer.Truncate(start);
            throw new InvalidOperationException($"The command and its parameters would have {length:N0} bytes, but a PostgreSQL message allows at most "
                + $"{MaxLength:N0} bytes. Send less at once.");
        }

        BinaryPrimitives.WriteInt32BigEndian(writer.Written[(start + 1)..], length);
    }

    /// <summary>Writes a message without a body.</summary>
    public static void Empty(this ByteWriter writer, byte type)
    {
        var room = writer.Grow(HeaderLength);
        room[0] = type;
        BinaryPrimitives.WriteInt32BigEndian(room[1..], 4);
    }

    /// <summary>
    /// Returns the body's length from a header of at least five bytes, or −1 if no server sends such a length.
    /// The bytes after such a header cannot be interpreted.
    /// </summary>
    public static int BodyLength(ReadOnlySpan<byte> header)
    {
        var length = BinaryPrimitives.ReadInt32BigEndian(header[1..]);
        return length is >= 4 and <= MaxLength ? length - 4 : -1;
    }
}
