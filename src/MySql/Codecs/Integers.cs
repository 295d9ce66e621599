using System.Buffers.Binary;
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// Integers of all widths ↔ TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, YEAR. Text contains decimal digits, possibly with leading zeros (ZEROFILL pads to up to
/// 255 digits). The binary format has 1, 2, 4 or 8 bytes, little-endian (MEDIUMINT has 4, YEAR 2).
/// </summary>
internal static class Integers
{
    // Any 18 digits fit a long.
    private const int SafeDigits = 18;

    /// <summary>Reads a signed number.</summary>
    /// <exception cref="OverflowException">The number needs more than 63 bits.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ReadText(ReadOnlySpan<byte> value)
    {
        if ((uint)(value.Length - 1) >= SafeDigits)
            return ReadLongText(value);
        var negative = value[0] == '-';
        long number = 0;
        for (var i = negative ? 1 : 0; i < value.Length; i++)
        {
            var digit = (uint)(value[i] - '0');
            if (digit > 9)
                Malformed.Throw("integer", value.Length);
            number = number * 10 + digit;
        }

        if (negative && value.Length == 1)
            Malformed.Throw("integer", value.Length);
        return negative ? -number : number;
    }

    /// <summary>Reads an unsigned number.</summary>
    /// <exception cref="OverflowException">The number is negative or needs more than 64 bits.</exception>
    public static ulong ReadUnsignedText(ReadOnlySpan<byte> value)
    {
        var digits = value.TrimStart((byte)'0');
        if (digits.IsEmpty && !value.IsEmpty)
            return 0;
        if (digits.Length <= 20 && Utf8Parser.TryParse(digits, out ulong number, out var used) && used == digits.Length)
            return number;
        return ThrowUnsigned(value);
    }

    public static long ReadBinary(ReadOnlySpan<byte> value, ValueKind kind) => kind switch
    {
        ValueKind.Boolean or ValueKind.SByte => (sbyte)value[0],
        ValueKind.Byte => value[0],
        ValueKind.Int16 => BinaryPrimitives.ReadInt16LittleEndian(value),
        ValueKind.UInt16 or ValueKind.Year => BinaryPrimitives.ReadUInt16LittleEndian(value),
        ValueKind.Int32 => BinaryPrimitives.ReadInt32LittleEndian(value),
        ValueKind.UInt32 => BinaryPrimitives.ReadUInt32LittleEndian(value),
        _ => BinaryPrimitives.ReadInt64LittleEndian(value),
    };

    public static void WriteText(ByteWriter writer, long value)
    {
        if (value < 0)
            Separate(writer);
        var room = writer.Grow(20);
        Utf8Formatter.TryFormat(value, room, out var used);
        writer.Shrink(20 - used);
    }

    /// <summary>Writes a space before a sign, so that "5-@p" does not become "5--1".</summary>
    internal static void Separate(ByteWriter writer)
    {
        // MySqlConnector writes none: the name of the column "f(@p)" is "f(-1)". Two hyphens never touch here either.
        if (!ThisAssembly.Conventions.WritesMySqlConnectorsLiterals || writer.Written is [.., (byte)'-'])
            writer.Byte((byte)' ');
    }

    public static void WriteText(ByteWriter writer, ulong value)
    {
        var room = writer.Grow(20);
        Utf8Formatter.TryFormat(value, room, out var used);
        writer.Shrink(20 - used);
    }

    private static long ReadLongText(ReadOnlySpan<byte> value)
    {
        if (value.IsEmpty)
            Malformed.Throw("integer", 0);
        var negative = value[0] == '-';
        var digits = (negative ? value[1..] : value).TrimStart((byte)'0');
        if (digits.IsEmpty && value.Length > (negative ? 1 : 0))
            return 0;
        if (digits.Length <= 19 && Utf8Parser.TryParse(digits, out ulong number, out var used) && used == digits.Length)
        {
            if (number <= long.MaxValue)
                return negative ? -(long)number : (long)number;
            if (negative && number == 1UL << 63)
                return long.MinValue;
        }

        if (digits.ContainsAnyExceptInRange((byte)'0', (byte)'9'))
            Malformed.Throw("integer", value.Length);
        throw new OverflowException("The value is outside the range of Int64: read it with GetUInt64 or GetDecimal.");
    }

    private static ulong ThrowUnsigned(ReadOnlySpan<byte> value)
    {
        var digits = value.StartsWith("-"u8) ? value[1..] : value;
        if (digits.IsEmpty || digits.ContainsAnyExceptInRange((byte)'0', (byte)'9'))
            Malformed.Throw("unsigned integer", value.Length);
        throw new OverflowException("The value is outside the range of UInt64: read it with GetDecimal, GetDouble or GetString.");
    }
}
