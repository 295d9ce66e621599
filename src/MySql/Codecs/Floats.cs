using System.Buffers.Binary;
using System.Buffers.Text;
using System.Globalization;
using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// <see cref="float"/> and <see cref="double"/> ↔ FLOAT and DOUBLE. In binary IEEE 754, little-endian. In text the server writes a FLOAT with six
/// significant digits, so that its text form is the one value that can differ from the stored one; a DOUBLE with as many as it takes.
/// </summary>
internal static class Floats
{
    public static float ReadSingleText(ReadOnlySpan<byte> value) =>
        Utf8Parser.TryParse(value, out float number, out var used) && used == value.Length ? number : Malformed.Throw<float>("FLOAT", value.Length);

    public static float ReadSingleBinary(ReadOnlySpan<byte> value) => BinaryPrimitives.ReadSingleLittleEndian(value);

    public static double ReadDoubleText(ReadOnlySpan<byte> value) =>
        Utf8Parser.TryParse(value, out double number, out var used) && used == value.Length ? number : Malformed.Throw<double>("DOUBLE", value.Length);

    public static double ReadDoubleBinary(ReadOnlySpan<byte> value) => BinaryPrimitives.ReadDoubleLittleEndian(value);

    /// <summary>Always with an exponent: without one MySQL takes the digits for a DECIMAL, and the type would not be that of the binary form.</summary>
    /// <remarks>A <see cref="float"/> is written as the double it is: 1.1f would not be equal to a FLOAT column's 1.1 if it were written as 1.1.</remarks>
    /// <exception cref="ArgumentException">NaN or an infinity.</exception>
    public static void WriteText(ByteWriter writer, double value)
    {
        Check(value);
        // Shortest round-trip form: at most 17 digits, sign, point and exponent, in positional form at most some twenty characters.
        Span<byte> text = stackalloc byte[32];
        value.TryFormat(text, out var used, "R", CultureInfo.InvariantCulture);
        text = text[..used];
        if (text[0] == '-')
            writer.Byte((byte)' ');
        writer.Bytes(text);
        if (!text.Contains((byte)'E'))
            writer.Bytes("e0"u8);
    }

    public static void WriteBinary(ByteWriter writer, float value)
    {
        Check(value);
        BinaryPrimitives.WriteSingleLittleEndian(writer.Grow(4), value);
    }

    public static void WriteBinary(ByteWriter writer, double value)
    {
        Check(value);
        BinaryPrimitives.WriteDoubleLittleEndian(writer.Grow(8), value);
    }

    // The server would take the bytes of a NaN in the binary form and store something else.
    private static void Check(double value)
    {
        if (!double.IsFinite(value))
            throw new ArgumentException($"MySQL has no {(double.IsNaN(value) ? "NaN" : "infinity")}: send NULL or a number.");
    }
}
