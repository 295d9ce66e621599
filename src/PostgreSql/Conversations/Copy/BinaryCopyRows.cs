using System.Buffers.Binary;
using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// The frame of the rows in the binary format of a COPY … TO STDOUT: a header, the rows, a trailer. The server sends each row in one CopyData, the header
/// before the first row in the same one or in its own. Source: PostgreSQL 18, COPY, "Binary Format"; 54.2.6 "COPY Operations".
/// </summary>
/// <param name="columns">The number of values in a row.</param>
internal sealed class BinaryCopyRows(int columns)
{
    private const int SignatureLength = 11;
    private const int HeaderLength = SignatureLength + 8;

    // Bits 16 to 31 are critical: a reader that does not know one must refuse the data.
    private const uint CriticalFlags = 0xFFFF_0000;

    private bool _hasHeader;

    // "PGCOPY\n", 0xFF, "\r\n\0"
    private static ReadOnlySpan<byte> Signature => [0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00];

    /// <summary>Whether the trailer has come, after which there is no data.</summary>
    public bool HasTrailer { get; private set; }

    /// <summary>Whether the header has come.</summary>
    public bool HasHeader => _hasHeader;

    /// <summary>Takes a message.</summary>
    /// <param name="message">The body of a CopyData.</param>
    /// <param name="row">Where the row begins in it; −1 if it contains none.</param>
    /// <exception cref="ProtocolException">The message is not a part of the binary format.</exception>
    public void Take(ReadOnlySpan<byte> message, out int row)
    {
        row = 0;
        if (HasTrailer)
            throw new ProtocolException("the end of COPY", $"a CopyData of {message.Length} bytes after the trailer");
        if (!_hasHeader)
        {
            row = Header(message);
            _hasHeader = true;
            if (row == message.Length)
            {
                row = -1;
                return;
            }
        }

        if (message.Length - row < 2)
            throw new ProtocolException("a row or the trailer of a COPY in binary format", $"a CopyData of {message.Length} bytes");
        var count = BinaryPrimitives.ReadInt16BigEndian(message[row..]);
        if (count == -1 && message.Length - row == 2)
        {
            HasTrailer = true;
            row = -1;
        }
        else if (count != columns)
            throw new ProtocolException($"a row of {columns} values, as announced", $"one that has {count}");
    }

    private static int Header(ReadOnlySpan<byte> message)
    {
        if (message.Length < HeaderLength || !message.StartsWith(Signature))
            throw new ProtocolException("the header of a COPY in binary format", $"a CopyData of {message.Length} bytes without it");
        var flags = BinaryPrimitives.ReadUInt32BigEndian(message[SignatureLength..]);
        if ((flags & CriticalFlags) != 0)
            throw new ProtocolException("a COPY in binary format without critical flags", $"flags 0x{flags:X8}");
        var extension = BinaryPrimitives.ReadInt32BigEndian(message[(SignatureLength + 4)..]);
        if (extension < 0 || extension > message.Length - HeaderLength)
            throw new ProtocolException("a header whose extension fits into its message", $"an extension of {(uint)extension:N0} bytes");
        return HeaderLength + extension;
    }
}
