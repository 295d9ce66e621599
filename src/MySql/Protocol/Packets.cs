using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol;

/// <summary>
/// Writes packets to the server.
/// <code>
/// payload_length (3) | sequence_id (1) | payload
/// </code>
/// A payload of 16,777,215 bytes or more travels as several packets, and all but the last are full. Only a packet that is not full ends a payload, so an empty
/// packet follows a payload that is an exact multiple of that length.
/// Source: "MySQL Packets" (page_protocol_basic_packets).
/// </summary>
internal static class Packets
{
    /// <summary>The length of a packet's header in bytes.</summary>
    public const int HeaderLength = 4;

    /// <summary>The largest payload of one packet: 0xFFFFFF bytes.</summary>
    public const int MaxPayload = 0xFFFFFF;

    /// <summary>The largest message that a server accepts, in any number of packets: 1 GiB, the maximum of max_allowed_packet.</summary>
    public const int MaxMessage = 1 << 30;

    /// <summary>Begins a packet. <see cref="End"/> writes its length.</summary>
    /// <returns>The position of the packet: the argument of <see cref="End"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Begin(this ByteWriter writer, byte sequence = 0)
    {
        var at = writer.Length;
        writer.UInt32((uint)sequence << 24);
        return at;
    }

    /// <summary>Ends the packet that began at <paramref name="at"/>. A payload that is too large for one packet is split in place.</summary>
    /// <returns>The sequence number of the next packet of this exchange.</returns>
    /// <exception cref="InvalidOperationException">The message is longer than any server accepts. It is removed from the writer.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte End(this ByteWriter writer, int at)
    {
        if (writer.HasGathered)
            return EndGathered(writer, at);
        var length = writer.Length - at - HeaderLength;
        if (length >= MaxPayload)
            return SplitWhole(writer, at, length);
        var header = writer.Written.Slice(at, HeaderLength);
        PatchLength(header, length);
        return (byte)(header[3] + 1);
    }

    /// <summary>
    /// Ends a packet of data that may be cut at any position, because only an empty packet ends them. No packet is larger than <paramref name="most"/> bytes,
    /// and none is empty.
    /// </summary>
    /// <returns>The sequence number of the next packet of this exchange.</returns>
    public static byte EndPieces(this ByteWriter writer, int at, int most) =>
        writer.Length - at - HeaderLength is var length && length <= most ? writer.End(at) : Split(writer, at, length, most, (length + most - 1) / most);

    private static void PatchLength(Span<byte> header, int length)
    {
        header[0] = (byte)length;
        header[1] = (byte)(length >> 8);
        header[2] = (byte)(length >> 16);
    }

    // This is checked before the first byte is sent: a server that has read a gigabyte that it does not accept closes the connection.
    private static void CheckLength(ByteWriter writer, int at, int length)
    {
        if (length <= MaxMessage)
            return;
        writer.Truncate(at);
        throw new InvalidOperationException(
            $"The command and its parameters would have {length:N0} bytes, but a MySQL message allows at most {MaxMessage:N0} bytes. Send fewer rows at "
            + "once, or pass a large value as a Stream in a prepared command.");
    }

    // The headers of all packets but the first are inserted between the payload bytes, so that no byte moves.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte EndGathered(ByteWriter writer, int at)
    {
        var length = writer.LengthSince(at) - HeaderLength;
        CheckLength(writer, at, length);
        var sequence = writer.Written[at + HeaderLength - 1];
        PatchLength(writer.Written.Slice(at, HeaderLength), Math.Min(length, MaxPayload));
        var pieces = length / MaxPayload + 1;
        var headers = pieces > 1 ? new byte[HeaderLength * pieces] : [];
        for (var i = 1; i < pieces; i++)
        {
            var header = headers.AsMemory(HeaderLength * i, HeaderLength);
            PatchLength(header.Span, Math.Min(length - i * MaxPayload, MaxPayload));
            header.Span[HeaderLength - 1] = (byte)(sequence + i);
            writer.Insert(at, i * (long)(HeaderLength + MaxPayload), header);
        }

        return (byte)(sequence + pieces);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte SplitWhole(ByteWriter writer, int at, int length)
    {
        CheckLength(writer, at, length);
        return Split(writer, at, length, MaxPayload, length / MaxPayload + 1);
    }

    // Splits from the last piece to the first, so that each byte moves once and no piece is overwritten before it has moved.
    private static byte Split(ByteWriter writer, int at, int length, int most, int pieces)
    {
        writer.Grow(HeaderLength * (pieces - 1));
        var packets = writer.Written[at..];
        var sequence = packets[3];
        for (var i = pieces - 1; i >= 0; i--)
        {
            var from = i * most + HeaderLength;
            var to = from + i * HeaderLength;
            var size = i == pieces - 1 ? length - i * most : most;
            if (i > 0)
                packets.Slice(from, size).CopyTo(packets[to..]);
            var header = packets.Slice(to - HeaderLength, HeaderLength);
            PatchLength(header, size);
            header[3] = (byte)(sequence + i);
        }

        return (byte)(sequence + pieces);
    }
}
