using System.Buffers.Binary;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>How messages lie in a stream of bytes.</summary>
/// <param name="HeaderLength">Bytes in front of a message's body.</param>
/// <param name="LengthAt">Where the length stands in the header.</param>
/// <param name="LengthBytes">How many bytes it has.</param>
/// <param name="IsBigEndian">In network byte order.</param>
/// <param name="Counted">How much of the header the length counts.</param>
internal sealed record FuzzFraming(int HeaderLength, int LengthAt, int LengthBytes, bool IsBigEndian, int Counted) : IFrameMap
{
    public static FuzzFraming MySql { get; } = new(4, 0, 3, false, 0);

    public static FuzzFraming MySqlCompressed { get; } = new(7, 0, 3, false, 0);

    public static FuzzFraming PostgreSql { get; } = new(5, 1, 4, true, 4);

    /// <summary>The length of the first message with its header, as it says; never more than there is, and at least 1.</summary>
    public int LengthOf(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < HeaderLength)
            return bytes.Length;
        var field = bytes[LengthAt..];
        long length = LengthBytes == 3 ? field[0] | field[1] << 8 | field[2] << 16
            : IsBigEndian ? BinaryPrimitives.ReadUInt32BigEndian(field) : BinaryPrimitives.ReadUInt32LittleEndian(field);
        return (int)Math.Clamp(HeaderLength + length - Counted, 1, bytes.Length);
    }

    /// <summary>The messages of an input, and in them what has a length of its own.</summary>
    public int Find(ReadOnlySpan<byte> input, Span<FrameField> fields)
    {
        var count = 0;
        for (var at = ConversationTarget.HeadLength; at + HeaderLength <= input.Length && count < fields.Length;)
        {
            var length = LengthOf(input[at..]);
            var start = at + HeaderLength;
            var end = Math.Max(start, at + length);
            fields[count++] = new(at + LengthAt, LengthBytes, IsBigEndian ? FrameFieldKind.BigEndian : FrameFieldKind.LittleEndian, start, end - start, Counted, at);
            if (IsBigEndian && input[at] == (byte)'D')
                count += FindValues(input, start, end, fields[count..]);
            else if (HeaderLength == 4)
                count += LengthEncodedStrings.Find(input, start, end, fields[count..Math.Min(fields.Length, count + 8)]);
            at = end;
        }

        return count;
    }

    /// <summary>
    /// Gives MySQL's packets the numbers that the client expects, behind changes that have moved them: counted up, from 1 where an answer begins.
    /// </summary>
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

    // DataRow: columns (2), then for each its length (4) and value.
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
