using System.Buffers.Binary;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>The layout of messages in a stream of bytes.</summary>
/// <param name="HeaderLength">The number of bytes before a message's body.</param>
/// <param name="LengthAt">The position of the length in the header.</param>
/// <param name="LengthBytes">The number of bytes of the length.</param>
/// <param name="IsBigEndian">True for network byte order.</param>
/// <param name="Counted">The number of header bytes that the length includes.</param>
internal sealed record FuzzFraming(int HeaderLength, int LengthAt, int LengthBytes, bool IsBigEndian, int Counted) : IFrameMap
{
    public static FuzzFraming MySql { get; } = new(4, 0, 3, false, 0);

    public static FuzzFraming MySqlCompressed { get; } = new(7, 0, 3, false, 0);

    public static FuzzFraming PostgreSql { get; } = new(5, 1, 4, true, 4);

    /// <summary>Returns the announced length of the first message including its header: at least 1, at most the available bytes.</summary>
    public int LengthOf(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < HeaderLength)
            return bytes.Length;
        var field = bytes[LengthAt..];
        long length = LengthBytes == 3 ? field[0] | field[1] << 8 | field[2] << 16
            : IsBigEndian ? BinaryPrimitives.ReadUInt32BigEndian(field) : BinaryPrimitives.ReadUInt32LittleEndian(field);
        return (int)Math.Clamp(HeaderLength + length - Counted, 1, bytes.Length);
    }

    /// <summary>Finds the messages of an input, and the parts in them that have a length of their own.</summary>
    public int Find(ReadOnlySpan<byte> input, Span<FrameField> fields)
    {
        var count = 0;
        for (var at = ConversationTarget.HeadLength; at + HeaderLength <= input.Length && count < fields.Length;)
        {
            var length = LengthOf(input[at..]);
            var start = at + HeaderLength;
            var end = Math.Max(start, at + length);
            fields[count++] =
                new(at + LengthAt, LengthBytes, IsBigEndian ? FrameFieldKind.BigEndian : FrameFieldKind.LittleEndian, start, end - start, Counted, at);
            if (IsBigEndian && input[at] == (byte)'D')
                count += FindValues(input, start, end, fields[count..]);
            else if (HeaderLength == 4)
                count += LengthEncodedStrings.Find(input, start, end, fields[count..Math.Min(fields.Length, count + 8)]);
            at = end;
        }

        return count;
    }

    /// <summary>Corrects the numbers of MySQL's packets after changes that have moved them: they count up, from 1 at the beginning of an answer.</summary>
    public void Renumber(Span<byte> stream)
    {
        if (HeaderLength != 4)
            return;
        byte number = 0;
        for (var at = 0; at + HeaderLength <= stream.Length; at += LengthOf(stream[at..]))
        {
            ref var place = ref stream[at + 3];
            number = place is 0 or 1 ? place : (byte)(number + 1);
            place = number;
        }
    }

    // DataRow: columns (2), then the length (4) and the value of each.
    private static int FindValues(ReadOnlySpan<byte> input, int from, int to, Span<FrameField> fields)
    {
        var count = 0;
        for (var at = from + 2; at + 4 <= to && count < Math.Min(fields.Length, 8);)
        {
            var length = Math.Max(0, BinaryPrimitives.ReadInt32BigEndian(input[at..]));
            fields[count++] = new(at, 4, FrameFieldKind.BigEndian, at + 4, Math.Min(length, to - at - 4), 0, at);
            at += 4 + Math.Min(length, to);
        }

        return count;
    }
}
