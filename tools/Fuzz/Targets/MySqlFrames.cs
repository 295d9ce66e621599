using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;

namespace Slipstream.Fuzzing.Targets;

/// <summary>Finds a series of length-encoded strings, beginning at an offset.</summary>
internal sealed class LengthEncodedStrings(int from) : IFrameMap
{
    public int Find(ReadOnlySpan<byte> input, Span<FrameField> fields) => input.Length <= from ? 0 : Find(input, from, input.Length, fields);

    internal static int Find(ReadOnlySpan<byte> input, int from, int to, Span<FrameField> fields)
    {
        var count = 0;
        var reader = new ByteReader(input[from..to]);
        while (reader.Remaining > 0 && count < fields.Length)
        {
            var at = reader.Position;
            // NULL, or a byte that does not begin a length.
            if (reader.Peek() is 0xFB or 0xFF)
            {
                reader.Skip(1);
                continue;
            }

            var length = reader.LengthEncoded();
            if (reader.Failed || length > (ulong)reader.Remaining)
                break;
            fields[count++] = new(from + at, reader.Position - at, FrameFieldKind.LengthEncoded, from + reader.Position, (int)length, 0, from + at);
            reader.Skip((long)length);
        }

        return count;
    }
}

/// <summary>Finds consecutive packets of MySQL: length (3), number (1), payload.</summary>
internal sealed class PacketFrames : IFrameMap
{
    /// <summary>Gets the position of the first packet.</summary>
    public int From { get; init; }

    public int Find(ReadOnlySpan<byte> input, Span<FrameField> fields)
    {
        var count = 0;
        for (var at = From; at + Packets.HeaderLength <= input.Length && count < fields.Length;)
        {
            var length = input[at] | input[at + 1] << 8 | input[at + 2] << 16;
            var start = at + Packets.HeaderLength;
            var there = Math.Min(length, input.Length - start);
            fields[count++] = new(at, 3, FrameFieldKind.LittleEndian, start, there, 0, at);
            // Uses half of the room, so that the packets after it are found too.
            if (count < fields.Length / 2)
                count += LengthEncodedStrings.Find(input, start, start + there, fields[count..]);
            at = start + there;
        }

        return count;
    }
}

/// <summary>Finds frames of the compressed protocol after two bytes: length (3), number (1), length before compression (3), bytes.</summary>
internal sealed class CompressedFrameMap : IFrameMap
{
    public int Find(ReadOnlySpan<byte> input, Span<FrameField> fields)
    {
        var count = 0;
        for (var at = 2; at + CompressedHeader <= input.Length && count + 1 < fields.Length;)
        {
            var length = input[at] | input[at + 1] << 8 | input[at + 2] << 16;
            var before = input[at + 4] | input[at + 5] << 8 | input[at + 6] << 16;
            var start = at + CompressedHeader;
            var there = Math.Min(length, input.Length - start);
            fields[count++] = new(at, 3, FrameFieldKind.LittleEndian, start, there, 0, at);
            fields[count++] = new(at + 4, 3, FrameFieldKind.LittleEndian, start, there, before - there, at);
            at = start + there;
        }

        return count;
    }

    private const int CompressedHeader = 7;
}
