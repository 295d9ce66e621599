using System.Buffers.Binary;

namespace Slipstream.Micro;

/// <summary>The lower bound: one method with local variables only, which checks only what the transcript needs.</summary>
internal static class HandInlined
{
    private const int HeaderLength = 4;
    private const byte EndOfRows = 0xFE;

    /// <summary>Steps through the rows without reading values.</summary>
    public static int Walk(byte[] bytes)
    {
        var at = SkipMetadata(bytes);
        var rows = 0;
        while (bytes[at + HeaderLength] != EndOfRows)
        {
            at += HeaderLength + Length(bytes, at);
            rows++;
        }

        return rows;
    }

    public static long SumText(byte[] bytes)
    {
        var at = SkipMetadata(bytes);
        var sum = 0L;
        while (bytes[at + HeaderLength] != EndOfRows)
        {
            var value = at + HeaderLength;
            at = value + Length(bytes, at);
            for (var column = 0; column < 3; column++)
            {
                var end = value + 1 + bytes[value];
                var number = 0;
                for (var digit = value + 1; digit < end; digit++)
                    number = number * 10 + bytes[digit] - '0';
                sum += number;
                value = end;
            }
        }

        return sum;
    }

    public static long SumBinary(byte[] bytes)
    {
        var at = SkipMetadata(bytes);
        var sum = 0L;
        while (bytes[at + HeaderLength] != EndOfRows)
        {
            var values = bytes.AsSpan(at + HeaderLength + 2, 12);
            sum += BinaryPrimitives.ReadInt32LittleEndian(values);
            sum += BinaryPrimitives.ReadInt32LittleEndian(values[4..]);
            sum += BinaryPrimitives.ReadInt32LittleEndian(values[8..]);
            at += HeaderLength + Length(bytes, at);
        }

        return sum;
    }

    private static int SkipMetadata(byte[] bytes)
    {
        var at = 0;
        for (var packet = 0; packet < 4; packet++)
            at += HeaderLength + Length(bytes, at);
        return at;
    }

    private static int Length(byte[] bytes, int at) => bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16;
}
