using System.Buffers.Binary;

namespace Slipstream.Fuzzing.Targets.PostgreSql;

/// <summary>Finds consecutive messages: type (1), length (4) including itself, body.</summary>
internal sealed class PgFrames : IFrameMap
{
    public int Find(ReadOnlySpan<byte> input, Span<FrameField> fields)
    {
        var count = 0;
        for (var at = 0; at + 5 <= input.Length && count < fields.Length;)
        {
            var there = (int)Math.Clamp(BinaryPrimitives.ReadInt32BigEndian(input[(at + 1)..]) - 4L, 0, input.Length - at - 5);
            fields[count++] = new(at + 1, 4, FrameFieldKind.BigEndian, at + 5, there, 4, at);
            at += 5 + there;
        }

        return count;
    }
}

/// <summary>Finds the values of a DataRow, beginning at an offset: length (4; −1 is NULL), value.</summary>
internal sealed class PgValues(int from) : IFrameMap
{
    public int Find(ReadOnlySpan<byte> input, Span<FrameField> fields)
    {
        var count = 0;
        for (var at = from; at + 4 <= input.Length && count < fields.Length;)
        {
            var there = Math.Clamp(BinaryPrimitives.ReadInt32BigEndian(input[at..]), 0, input.Length - at - 4);
            fields[count++] = new(at, 4, FrameFieldKind.BigEndian, at + 4, there, 0, at);
            at += 4 + there;
        }

        return count;
    }
}
