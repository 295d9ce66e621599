using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>
/// Converts <see cref="decimal"/> to and from numeric, without loss: a value that does not fit is an error. A numeric may have 131,072 digits before the
/// decimal point; a decimal has 28 or 29 digits in total. Trailing zeros are dropped if the value fits only without them, and otherwise kept: 1.50 stays 1.50.
/// <code>
/// digits (int16) | weight (int16) | sign (uint16) | display_scale (int16) | { digit of base 10000 (int16) }…
/// value = Σ digit[i] × 10000^(weight − i)
/// </code>
/// Source: src/backend/utils/adt/numeric.c, numeric_send.
/// </summary>
internal static class Numerics
{
    private const int HeaderLength = 8;
    private const ushort Negative = 0x4000;
    private const ushort NaN = 0xC000;
    private const ushort PositiveInfinity = 0xD000;
    private const ushort NegativeInfinity = 0xF000;

    /// <summary>The most decimal places that a decimal can have.</summary>
    private const int MaxScale = 28;

    /// <exception cref="OverflowException">The value is NaN, an infinity, or needs more digits than a decimal has.</exception>
    public static decimal ReadBinary(ReadOnlySpan<byte> value)
    {
        var count = Header(value, out var weight, out var sign, out var scale);
        if (sign > Negative)
            ThrowSpecial(sign == NaN ? "NaN" : sign == PositiveInfinity ? "Infinity" : "-Infinity");
        if (count == 0)
            return new decimal(0, 0, 0, false, (byte)Math.Min(scale, MaxScale));

        // By the server's own rule, digits beyond the display scale are zero, so they can be cut. Trailing zeros are cut if the scale is too large.
        var integer = UInt128.Zero;
        var written = 0;                                  // decimal places so far (negative: groups before the point are still missing)
        for (var i = 0; i < count; i++)
        {
            var digit = (uint)(ushort)BinaryPrimitives.ReadInt16BigEndian(value[(HeaderLength + 2 * i)..]);
            if (digit > 9999)
                Malformed.Throw("numeric", value, binary: true);
            written = -4 * (weight - i);
            if (written <= 0)
            {
                integer = Append(integer, digit, 10_000);
                continue;
            }

            // A group after the point: take those of its four digits that are within the scale.
            var over = written - scale;
            for (; over > 0 && over < 4 && digit % 10 == 0; over--)
                digit /= 10;
            if (over > 0 && over < 4)
                Malformed.Throw("numeric", value, binary: true);
            var taken = Math.Clamp(4 - Math.Max(written - scale, 0), 0, 4);
            if (taken == 0 && digit != 0)
                Malformed.Throw("numeric", value, binary: true);
            integer = Append(integer, digit, Power10(taken));
            written = Math.Min(written, scale);
        }

        // The server does not send groups at the end that are all zero.
        if (written < 0)
            for (; written < 0; written += 4)
                integer = Append(integer, 0, 10_000);
        return Make(integer, written, scale, sign == Negative);
    }

    /// <exception cref="OverflowException">The value is NaN, an infinity, or needs more digits than a decimal has.</exception>
    public static decimal ReadText(ReadOnlySpan<byte> value)
    {
        if (value.IsEmpty)
            Malformed.Throw("numeric", value, binary: false);
        if (value.SequenceEqual("NaN"u8) || value.EndsWith("Infinity"u8))
            ThrowSpecial(Encoding.ASCII.GetString(value));
        var negative = value[0] == '-';
        var integer = UInt128.Zero;
        var small = 0UL;                                  // up to 18 digits need no 128-bit arithmetic
        var digits = 0;
        var scale = -1;
        var significant = WithoutTrailingZeros(value);
        for (var at = negative ? 1 : 0; at < significant.Length; at++)
        {
            var character = significant[at];
            if (character == '.' && scale < 0)
            {
                scale = 0;
                continue;
            }

            var digit = (uint)(character - '0');
            if (digit > 9)
                Malformed.Throw("numeric", value, binary: false);
            if (++digits <= 18)
                small = small * 10 + digit;
            else
                integer = Append(digits == 19 ? small : integer, digit, 10);
            if (scale >= 0)
                scale++;
        }

        if (digits == 0)
            Malformed.Throw("numeric", value, binary: false);
        scale = Math.Max(scale, 0);
        return Make(digits <= 18 ? small : integer, scale, scale + value.Length - significant.Length, negative);
    }

    // Trims only if all digits could be more than 38. Make restores the zeros that fit.
    private static ReadOnlySpan<byte> WithoutTrailingZeros(ReadOnlySpan<byte> value) =>
        value.Length > 30 && value.Contains((byte)'.') ? value.TrimEnd((byte)'0') : value;

    /// <summary>Returns the whole number in a numeric's text.</summary>
    /// <exception cref="InvalidCastException">The number is not an integer.</exception>
    /// <exception cref="OverflowException">The value is NaN or an infinity.</exception>
    public static BigInteger ReadWhole(string text)
    {
        var digits = text.AsSpan();
        var point = digits.IndexOf('.');
        if (point >= 0 && digits[(point + 1)..].ContainsAnyExcept('0'))
            throw new InvalidCastException("The number is not an integer: read it as Decimal or String.");
        return BigInteger.TryParse(point >= 0 ? digits[..point] : digits, out var number)
            ? number
            : throw new OverflowException("NaN and infinity are not integers.");
    }

    /// <summary>Returns every digit of a binary numeric, as the server would write it.</summary>
    public static string ToText(ReadOnlySpan<byte> value)
    {
        var count = Header(value, out var weight, out var sign, out var scale);
        if (sign > Negative)
            return sign == NaN ? "NaN" : sign == PositiveInfinity ? "Infinity" : "-Infinity";

        var text = new StringBuilder();
        if (sign == Negative)
            text.Append('-');
        for (var i = 0; i <= Math.Max(weight, 0); i++)
        {
            var digit = i <= weight && i < count ? Digit(value, i) : 0;
            if (i == 0)
                text.Append(digit);
            else
                text.Append((char)('0' + digit / 1000))
                    .Append((char)('0' + digit / 100 % 10))
                    .Append((char)('0' + digit / 10 % 10))
                    .Append((char)('0' + digit % 10));
        }

        if (scale == 0)
            return text.ToString();
        text.Append('.');
        for (var place = 1; place <= scale; place++)
        {
            var group = weight + (place + 3) / 4;
            var digit = group >= 0 && group < count ? Digit(value, group) : 0;
            text.Append((char)('0' + (place % 4) switch { 1 => digit / 1000, 2 => digit / 100 % 10, 3 => digit / 10 % 10, _ => digit % 10 }));
        }

        return text.ToString();
    }

    /// <summary>Writes the length and the value.</summary>
    public static void Write(ByteWriter writer, decimal value)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        var scale = parts[3] >> 16 & 0xFF;
        var integer = new UInt128((uint)parts[2], (ulong)(uint)parts[1] << 32 | (uint)parts[0]);

        // Groups of four digits are counted from the decimal point. Shift the integer so that its last group is complete.
        var padding = (4 - scale % 4) % 4;
        Span<short> groups = stackalloc short[10];       // the integer has at most 29 digits, and three of padding: 32 digits = 8 groups
        var count = 0;
        if (padding > 0 && integer != UInt128.Zero)
        {
            var low = (uint)(ulong)(integer % Power10(4 - padding));
            integer /= Power10(4 - padding);
            groups[count++] = (short)(low * Power10(padding));
        }

        for (; integer != UInt128.Zero; integer /= 10_000)
            groups[count++] = (short)(ushort)(ulong)(integer % 10_000);
        var weight = count - 1 - (scale + padding) / 4;
        var used = groups[..count];
        used = used.TrimStart((short)0);                 // zero groups at the end are not sent

        var room = writer.Grow(4 + HeaderLength + 2 * used.Length);
        BinaryPrimitives.WriteInt32BigEndian(room, HeaderLength + 2 * used.Length);
        BinaryPrimitives.WriteInt16BigEndian(room[4..], (short)used.Length);
        BinaryPrimitives.WriteInt16BigEndian(room[6..], (short)(used.IsEmpty ? 0 : weight));
        BinaryPrimitives.WriteUInt16BigEndian(room[8..], parts[3] < 0 && !used.IsEmpty ? Negative : (ushort)0);
        BinaryPrimitives.WriteInt16BigEndian(room[10..], (short)scale);
        for (var i = 0; i < used.Length; i++)
            BinaryPrimitives.WriteInt16BigEndian(room[(12 + 2 * i)..], used[^(i + 1)]);
    }

    /// <summary>Writes the length and the value of a whole number of any size that the server accepts.</summary>
    public static void Write(ByteWriter writer, BigInteger value)
    {
        var groups = new List<short>();
        for (var rest = BigInteger.Abs(value); !rest.IsZero;)
        {
            rest = BigInteger.DivRem(rest, 10_000, out var digit);
            groups.Add((short)digit);
        }

        var weight = groups.Count - 1;
        var zeros = groups.FindIndex(static group => group != 0);
        var count = zeros < 0 ? 0 : groups.Count - zeros;
        writer.Int32BigEndian(HeaderLength + 2 * count);
        writer.Int16BigEndian(checked((short)count));
        writer.Int16BigEndian((short)Math.Max(weight, 0));
        writer.Int16BigEndian(value.Sign < 0 ? (short)Negative : (short)0);
        writer.Int16BigEndian(0);
        for (var i = groups.Count - 1; i >= groups.Count - count; i--)
            writer.Int16BigEndian(groups[i]);
    }

    private static int Header(ReadOnlySpan<byte> value, out int weight, out ushort sign, out int scale)
    {
        if (value.Length < HeaderLength)
            Malformed.Throw("numeric", value, binary: true);
        var count = BinaryPrimitives.ReadInt16BigEndian(value);
        weight = BinaryPrimitives.ReadInt16BigEndian(value[2..]);
        sign = BinaryPrimitives.ReadUInt16BigEndian(value[4..]);
        scale = BinaryPrimitives.ReadInt16BigEndian(value[6..]);
        if (count < 0 || value.Length != HeaderLength + 2 * count || scale < 0 || sign is not (0 or Negative or NaN or PositiveInfinity or NegativeInfinity))
            Malformed.Throw("numeric", value, binary: true);
        return count;
    }

    private static int Digit(ReadOnlySpan<byte> value, int group)
    {
        var digit = BinaryPrimitives.ReadInt16BigEndian(value[(HeaderLength + 2 * group)..]);
        if (digit is < 0 or > 9999)
            Malformed.Throw("numeric", value, binary: true);
        return digit;
    }

    // 38 digits fit. Before its zeros are trimmed, a decimal never needs more; a number that does is too large or has too many decimal places.
    private static UInt128 Append(UInt128 integer, uint digit, uint power)
    {
        if (integer > (UInt128.MaxValue - digit) / power)
            ThrowTooExact();
        return integer * power + digit;
    }

    /// <param name="integer">All digits.</param>
    /// <param name="behind">The number of these digits that are decimal places.</param>
    /// <param name="scale">The number of decimal places that the server would show.</param>
    /// <param name="negative">True if the number is negative.</param>
    private static decimal Make(UInt128 integer, int behind, int scale, bool negative)
    {
        for (; behind < scale && behind < MaxScale && integer <= DecimalMax / 10; behind++)
            integer *= 10;
        while (behind > 0 && (behind > MaxScale || integer > DecimalMax))
        {
            var (rest, digit) = UInt128.DivRem(integer, 10);
            if (digit != UInt128.Zero)
                ThrowTooExact();
            integer = rest;
            behind--;
        }

        if (integer > DecimalMax)
            ThrowTooExact();
        var low = (ulong)integer;
        return new decimal((int)low, (int)(low >> 32), (int)(uint)(ulong)(integer >> 64), negative, (byte)behind);
    }

    private static UInt128 DecimalMax => new(uint.MaxValue, ulong.MaxValue);

    private static uint Power10(int exponent) => exponent switch { 0 => 1, 1 => 10, 2 => 100, 3 => 1000, _ => 10_000 };

    [DoesNotReturn]
    private static void ThrowSpecial(string value) =>
        throw new OverflowException($"The numeric value is {value}, which System.Decimal cannot represent: read it as a string, or cast it to double "
            + "precision in SQL.");

    [DoesNotReturn]
    private static void ThrowTooExact() =>
        throw new OverflowException("The numeric value has more digits than System.Decimal can hold (28 to 29): read it as a string, or round or cast it in "
            + "SQL.");
}
