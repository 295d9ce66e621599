using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Numerics;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// <see cref="decimal"/> ↔ DECIMAL(65, 30): digits as text in both protocols. A <see cref="decimal"/> holds 28 to 29 digits. Further digits after the point are
/// rounded, as by all .NET number parsers; a number that is too large is an error.
/// </summary>
internal static class Decimals
{
    // 19 characters, including a point or sign: the digits fit 64 bits.
    private const int ShortLength = 19;

    private static readonly SearchValues<byte> NumberCharacters = SearchValues.Create("0123456789.-"u8);

    /// <summary>Reads a number.</summary>
    /// <exception cref="OverflowException">The digits before the point do not fit.</exception>
    public static decimal Read(ReadOnlySpan<byte> value)
    {
        if (value.Length is 0 or > ShortLength)
            return ReadLong(value);
        var negative = value[0] == '-';
        var at = negative ? 1 : 0;
        ulong digits = 0;
        var point = -1;
        var count = 0;
        for (; at < value.Length; at++)
        {
            var digit = (uint)(value[at] - '0');
            if (digit <= 9)
            {
                digits = digits * 10 + digit;
                count++;
            }
            else if (value[at] == '.' && point < 0)
                point = at;
            else
                Malformed.Throw("DECIMAL", value.Length);
        }

        if (count == 0)
            Malformed.Throw("DECIMAL", value.Length);
        return new decimal((int)digits, (int)(digits >> 32), 0, negative && digits != 0, (byte)(point < 0 ? 0 : value.Length - 1 - point));
    }

    public static void WriteText(ByteWriter writer, decimal value)
    {
        if (decimal.IsNegative(value))
            Integers.Separate(writer);
        // 29 digits, sign and point.
        var room = writer.Grow(32);
        value.TryFormat(room, out var used, default, CultureInfo.InvariantCulture);
        writer.Shrink(32 - used);
    }

    public static void WriteText(ByteWriter writer, BigInteger value)
    {
        if (value.Sign < 0)
            Integers.Separate(writer);
        writer.Text(value.ToString(CultureInfo.InvariantCulture));
    }

    public static void WriteText(ByteWriter writer, MySqlDecimal value)
    {
        var digits = value.ToString();
        if (digits[0] == '-')
            Integers.Separate(writer);
        writer.Text(digits);
    }

    public static void WriteBinary(ByteWriter writer, decimal value)
    {
        var room = writer.Grow(33);
        value.TryFormat(room[1..], out var used, default, CultureInfo.InvariantCulture);
        room[0] = (byte)used;
        writer.Shrink(32 - used);
    }

    private static decimal ReadLong(ReadOnlySpan<byte> value)
    {
        if (value.ContainsAnyExcept(NumberCharacters))
            Malformed.Throw("DECIMAL", value.Length);
        // ZEROFILL pads with zeros, which do not count as digits.
        var trimmed = value.TrimStart((byte)'0');
        if (trimmed.IsEmpty || trimmed[0] == '.')
            trimmed = value[Math.Max(0, value.Length - trimmed.Length - 1)..];
        if (Utf8Parser.TryParse(trimmed, out decimal number, out var used) && used == trimmed.Length)
            return number;
        var digits = trimmed.StartsWith("-"u8) ? trimmed[1..] : trimmed;
        var whole = digits.IndexOf((byte)'.') is var point and >= 0 ? digits[..point] : digits;
        if (whole.Length < 29 || whole.Contains((byte)'-'))
            Malformed.Throw("DECIMAL", value.Length);
        var message =
            $"The value has {whole.Length} digits before the decimal point, more than System.Decimal can hold: read it with GetString or GetMySqlDecimal.";
        throw ThisAssembly.Conventions.RefusesLargeDecimalsAsFormat ? new FormatException(message) : new OverflowException(message);
    }
}
