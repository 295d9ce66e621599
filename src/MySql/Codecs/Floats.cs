using System.Buffers.Binary;
using System.Buffers.Text;
using System.Globalization;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// <see cref="float"/> and <see cref="double"/> ↔ FLOAT and DOUBLE. The binary protocol uses IEEE 754, little-endian. In text, the server writes a FLOAT with
/// six significant digits, so only its text can differ from the stored value; it writes a DOUBLE with as many digits as necessary.
/// </summary>
internal static class Floats
{
    public static float ReadSingleText(ReadOnlySpan<byte> value) =>
        Utf8Parser.TryParse(value, out float number, out var used) && used == value.Length ? number : (float)ReadWord(value, "FLOAT");

    public static float ReadSingleBinary(ReadOnlySpan<byte> value) => BinaryPrimitives.ReadSingleLittleEndian(value);

    public static double ReadDoubleText(ReadOnlySpan<byte> value) =>
        Utf8Parser.TryParse(value, out double number, out var used) && used == value.Length ? number : ReadWord(value, "DOUBLE");

    public static double ReadDoubleBinary(ReadOnlySpan<byte> value) => BinaryPrimitives.ReadDoubleLittleEndian(value);

    // MySQL and MariaDB do not have such values. Other servers with their protocol do, and write them in several ways.
    private static double ReadWord(ReadOnlySpan<byte> value, string type)
    {
        var sign = value is [(byte)'-', ..] ? -1 : 1;
        var word = value is [(byte)'-' or (byte)'+', ..] ? value[1..] : value;
        return Ascii.EqualsIgnoreCase(word, "nan"u8) ? double.NaN
            : Ascii.EqualsIgnoreCase(word, "inf"u8) || Ascii.EqualsIgnoreCase(word, "infinity"u8) ? sign * double.PositiveInfinity
            : Malformed.Throw<double>(type, value.Length);
    }

    /// <summary>
    /// Writes the literal, always with an exponent. Without one, MySQL would treat the digits as a DECIMAL, and the type would differ from the binary format.
    /// </summary>
    /// <exception cref="ArgumentException">The value is NaN or an infinity.</exception>
    public static void WriteText(ByteWriter writer, double value)
    {
        Check(value);
        // Shortest round-trip form: at most 17 digits, sign, point and exponent, in positional form at most some twenty characters.
        Span<byte> text = stackalloc byte[32];
        value.TryFormat(text, out var used, "R", CultureInfo.InvariantCulture);
        text = text[..used];
        WriteNumber(writer, text);
        if (!ThisAssembly.Conventions.SendsDoublesAsDigits && !text.Contains((byte)'E'))
            writer.Bytes("e0"u8);
    }

    /// <summary>Writes the literal of the <see cref="double"/> that <see cref="Widen"/> returns.</summary>
    /// <exception cref="ArgumentException">The value is NaN or an infinity.</exception>
    public static void WriteText(ByteWriter writer, float value)
    {
        if (!ThisAssembly.Conventions.SendsDoublesAsDigits)
        {
            WriteText(writer, Widen(value));
            return;
        }

        // The same digits; but a Single has an exponent from 1E+10 on, with which the server reads a DOUBLE.
        Check(value);
        Span<byte> text = stackalloc byte[32];
        value.TryFormat(text, out var used, "R", CultureInfo.InvariantCulture);
        WriteNumber(writer, text[..used]);
    }

    /// <summary>
    /// Returns the <see cref="double"/> that is sent for a <see cref="float"/>: that of its shortest decimal digits, 1.1 and not 1.100000023841858
    /// (docs/decisions/0029). The largest numbers would leave a FLOAT's range this way, so they stay unchanged.
    /// </summary>
    public static double Widen(float value)
    {
        Span<byte> text = stackalloc byte[32];
        return float.IsFinite(value)
            && value.TryFormat(text, out var used, "R", CultureInfo.InvariantCulture)
            && Utf8Parser.TryParse(text[..used], out double digits, out _)
            && Math.Abs(digits) <= float.MaxValue ? digits : value;
    }

    public static void WriteBinary(ByteWriter writer, double value)
    {
        Check(value);
        BinaryPrimitives.WriteDoubleLittleEndian(writer.Grow(8), value);
    }

    public static void WriteBinary(ByteWriter writer, float value)
    {
        Check(value);
        BinaryPrimitives.WriteSingleLittleEndian(writer.Grow(4), value);
    }

    /// <summary>
    /// Converts the shortest digits of a number, written since <paramref name="at"/>, to the server's text of the number. It is positional from 1e-15 up to
    /// fifteen digits before the point, otherwise like <c>1.5e300</c>.
    /// </summary>
    public static void MakeServerText(ByteWriter writer, int at)
    {
        const int MaxDigits = 15;
        var written = writer.Written[at..];
        var isNegative = written[0] == '-';
        if (isNegative)
            written = written[1..];
        var mark = written.IndexOf((byte)'E');
        var exponent = written.Length - 1;
        if (mark >= 0
            ? !Utf8Parser.TryParse(written[(mark + 1)..].TrimStart((byte)'+'), out exponent, out _)
            : exponent < MaxDigits || written.Contains((byte)'.'))
            return;
        Span<byte> digits = stackalloc byte[32];
        var count = 0;
        foreach (var character in mark < 0 ? written : written[..mark])
        {
            if (character != '.')
                digits[count++] = character;
        }

        digits = digits[..count].TrimEnd((byte)'0');
        writer.Truncate(at);
        if (isNegative)
            writer.Byte((byte)'-');
        if (exponent is < 0 and >= -MaxDigits)
        {
            writer.Bytes("0."u8);
            for (var i = exponent + 1; i < 0; i++)
                writer.Byte((byte)'0');
            writer.Bytes(digits);
            return;
        }

        writer.Byte(digits[0]);
        if (digits.Length > 1)
        {
            writer.Byte((byte)'.');
            writer.Bytes(digits[1..]);
        }

        writer.Byte((byte)'e');
        var room = writer.Grow(8);
        exponent.TryFormat(room, out var used, default, CultureInfo.InvariantCulture);
        writer.Shrink(8 - used);
    }

    // What a server says about the word NaN.
    private const int UnknownColumn = 1054;

    private static void WriteNumber(ByteWriter writer, ReadOnlySpan<byte> text)
    {
        if (text[0] == '-')
            Integers.Separate(writer);
        writer.Bytes(text);
    }

    // In the binary format, the server would accept the bytes of a NaN and store something else.
    private static void Check(double value)
    {
        if (!double.IsFinite(value))
        {
            var message = $"MySQL cannot store {(double.IsNaN(value) ? "NaN" : "infinity")}: send NULL or a number.";
            throw ThisAssembly.Conventions.Misuse?.Invoke(UnknownColumn, message) ?? new ArgumentException(message);
        }
    }
}
