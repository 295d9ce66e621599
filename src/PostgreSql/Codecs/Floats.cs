using System.Buffers.Binary;
using System.Globalization;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>
/// Converts real and double precision. In binary: IEEE 754 in network order. In text: the shortest text that reads back as the same number, "NaN", "Infinity"
/// or "-Infinity".
/// </summary>
internal static class Floats
{
    public static float ReadSingleBinary(ReadOnlySpan<byte> value) =>
        value.Length == 4 ? BinaryPrimitives.ReadSingleBigEndian(value) : throw Malformed.Of("real", value, binary: true);

    public static double ReadDoubleBinary(ReadOnlySpan<byte> value) =>
        value.Length == 8 ? BinaryPrimitives.ReadDoubleBigEndian(value) : throw Malformed.Of("double precision", value, binary: true);

    public static float ReadSingleText(ReadOnlySpan<byte> value) =>
        float.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number : throw Malformed.Of("real", value, binary: false);

    public static double ReadDoubleText(ReadOnlySpan<byte> value) =>
        double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            ? number
            : throw Malformed.Of("double precision", value, binary: false);

    /// <summary>Writes the length and the value.</summary>
    public static void Write(ByteWriter writer, float value)
    {
        var room = writer.Grow(8);
        BinaryPrimitives.WriteInt32BigEndian(room, 4);
        BinaryPrimitives.WriteSingleBigEndian(room[4..], value);
    }

    /// <summary>Writes the length and the value.</summary>
    public static void Write(ByteWriter writer, double value)
    {
        var room = writer.Grow(12);
        BinaryPrimitives.WriteInt32BigEndian(room, 8);
        BinaryPrimitives.WriteDoubleBigEndian(room[4..], value);
    }
}
