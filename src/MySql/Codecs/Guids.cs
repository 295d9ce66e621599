using System.Buffers.Binary;
using System.Buffers.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// <see cref="Guid"/> ↔ CHAR(36), CHAR(32), BINARY(16) in three byte orders, and MariaDB's UUID, which is sent as CHAR(36). The bytes are the same in both
/// protocols.
/// </summary>
internal static class Guids
{
    public const int Char36Length = 36;
    public const int Char32Length = 32;
    public const int BinaryLength = 16;

    // {0x…,0x…,0x…,{0x…, …}} has 68 characters. A text with more than a few spaces around it is not a Guid.
    private const int LongestText = 128;

    public static bool IsBinary(MySqlGuidFormat format) =>
        format is MySqlGuidFormat.Binary16 or MySqlGuidFormat.TimeSwapBinary16 or MySqlGuidFormat.LittleEndianBinary16;

    /// <summary>
    /// Reads any format that <see cref="Guid.TryParse(ReadOnlySpan{byte}, out Guid)"/> accepts: with braces, parentheses or surrounding spaces. Returns false
    /// if the text is not a Guid.
    /// </summary>
    public static bool TryReadText(ReadOnlySpan<byte> value, out Guid guid) =>
        (
            value.Length is Char36Length or Char32Length
                && Utf8Parser.TryParse(value, out guid, out var used, value.Length == Char32Length ? 'N' : 'D')
                && used == value.Length)
        || (value.Length <= LongestText && Guid.TryParse(value, out guid))
        || None(out guid);

    private static bool None(out Guid guid)
    {
        guid = default;
        return false;
    }

    /// <summary>Reads the text of a column that contains only Guids.</summary>
    /// <exception cref="FormatException">The text is not a Guid.</exception>
    public static Guid ReadText(ReadOnlySpan<byte> value) => TryReadText(value, out var guid)
        ? guid
        : throw new FormatException($"The column contains {value.Length} bytes of text that are not a Guid: read it with GetString, or set GUID Format=None.");

    /// <summary>Reads 16 bytes. Text formats mean the order of Guid.ToByteArray, as in MySqlConnector.</summary>
    /// <exception cref="InvalidCastException">The value does not have 16 bytes.</exception>
    public static Guid ReadBytes(ReadOnlySpan<byte> value, MySqlGuidFormat format)
    {
        if (value.Length != BinaryLength)
            throw new InvalidCastException($"The column contains {value.Length} bytes, not the {BinaryLength} bytes of a Guid.");
        if (format != MySqlGuidFormat.TimeSwapBinary16)
            return new(value, bigEndian: format == MySqlGuidFormat.Binary16);
        // The order of UUID_TO_BIN(x, 1): time_hi, time_mid, time_low.
        Span<byte> ordered = stackalloc byte[BinaryLength];
        value[4..8].CopyTo(ordered);
        value[2..4].CopyTo(ordered[4..]);
        value[..2].CopyTo(ordered[6..]);
        value[8..].CopyTo(ordered[8..]);
        return new(ordered, bigEndian: true);
    }

    /// <summary>Writes the stored format.</summary>
    /// <returns>The number of bytes written to <paramref name="target"/>, which has room for 36.</returns>
    public static int Write(Guid value, MySqlGuidFormat format, Span<byte> target)
    {
        int used;
        switch (format)
        {
            case MySqlGuidFormat.Char32:
                Utf8Formatter.TryFormat(value, target, out used, 'N');
                return used;
            case MySqlGuidFormat.Binary16:
                value.TryWriteBytes(target, bigEndian: true, out used);
                return used;
            case MySqlGuidFormat.LittleEndianBinary16:
                value.TryWriteBytes(target);
                return BinaryLength;
            case MySqlGuidFormat.TimeSwapBinary16:
                value.TryWriteBytes(target, bigEndian: true, out used);
                var low = BinaryPrimitives.ReadUInt32BigEndian(target);
                var middle = BinaryPrimitives.ReadUInt16BigEndian(target[4..]);
                var high = BinaryPrimitives.ReadUInt16BigEndian(target[6..]);
                BinaryPrimitives.WriteUInt16BigEndian(target, high);
                BinaryPrimitives.WriteUInt16BigEndian(target[2..], middle);
                BinaryPrimitives.WriteUInt32BigEndian(target[4..], low);
                return used;
            default:
                Utf8Formatter.TryFormat(value, target, out used, 'D');
                return used;
        }
    }

    public static void WriteBinary(ByteWriter writer, Guid value, MySqlGuidFormat format)
    {
        var room = writer.Grow(Char36Length + 1);
        var used = Write(value, format, room[1..]);
        room[0] = (byte)used;
        writer.Shrink(Char36Length - used);
    }

    public static void WriteText(ByteWriter writer, Guid value, MySqlGuidFormat format, LiteralRules rules)
    {
        Span<byte> stored = stackalloc byte[Char36Length];
        stored = stored[..Write(value, format, stored)];
        if (IsBinary(format))
        {
            Bytes.WriteText(writer, stored, rules);
            return;
        }

        // Digits and hyphens: no character needs escaping, and there is no comment mark.
        writer.Byte((byte)'\'');
        writer.Bytes(stored);
        writer.Byte((byte)'\'');
    }
}
