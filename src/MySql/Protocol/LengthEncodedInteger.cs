using System.Buffers.Binary;
using System.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol;

/// <summary>
/// Reads and writes MySQL's length-encoded integers, and the strings that have such a length.
/// <code>
/// 00…FA          the value itself
/// FC | value (2)
/// FD | value (3)
/// FE | value (8)
/// FB means NULL in a text row, FF begins an error: neither is an integer.
/// </code>
/// Source: "Protocol::LengthEncodedInteger" (page_protocol_basic_dt_integers), "Protocol::LengthEncodedString" (page_protocol_basic_dt_strings).
/// </summary>
internal static class LengthEncodedInteger
{
    /// <summary>Reads an integer of 1, 3, 4 or 9 bytes. FB and FF fail the reader: a caller that accepts NULL checks for it first.</summary>
    public static ulong LengthEncoded(this ref ByteReader reader)
    {
        switch (reader.Byte())
        {
            case < 0xFB and var small: return small;
            case 0xFC: return reader.UInt16();
            case 0xFD: return reader.UInt24();
            case 0xFE: return reader.UInt64();
            default: reader.Fail(); return 0;
        }
    }

    /// <summary>Reads the bytes of a length-encoded string. A length beyond the end of the message fails the reader.</summary>
    public static ReadOnlySpan<byte> LengthEncodedBytes(this ref ByteReader reader)
    {
        var length = reader.LengthEncoded();
        // The cast turns a length above long.MaxValue negative, and the reader refuses it like any length beyond the message.
        return reader.Bytes((long)length);
    }

    /// <summary>Reads a length-encoded string of UTF-8.</summary>
    public static string LengthEncodedText(this ref ByteReader reader) => Encoding.UTF8.GetString(reader.LengthEncodedBytes());

    /// <summary>Writes an integer in its shortest form: 1, 3, 4 or 9 bytes.</summary>
    public static void LengthEncoded(this ByteWriter writer, ulong value)
    {
        switch (value)
        {
            case < 0xFB:
                writer.Byte((byte)value);
                break;
            case <= ushort.MaxValue:
                writer.Byte(0xFC);
                writer.UInt16((ushort)value);
                break;
            case <= 0xFFFFFF:
                BinaryPrimitives.WriteUInt32LittleEndian(writer.Grow(4), (uint)value << 8 | 0xFD);
                break;
            default:
                writer.Byte(0xFE);
                writer.UInt64(value);
                break;
        }
    }

    /// <summary>Writes a length and the bytes.</summary>
    public static void LengthEncodedBytes(this ByteWriter writer, ReadOnlySpan<byte> bytes)
    {
        writer.LengthEncoded((ulong)bytes.Length);
        writer.Bytes(bytes);
    }

    /// <summary>Writes a length and the bytes. A large value is sent from the caller's memory without a copy.</summary>
    public static void LengthEncodedValue(this ByteWriter writer, ReadOnlyMemory<byte> value)
    {
        writer.LengthEncoded((ulong)value.Length);
        if (value.Length >= ByteWriter.GatheredFrom)
            writer.Gather(value);
        else
            writer.Bytes(value.Span);
    }

    /// <summary>Writes a text in UTF-8, preceded by its length in bytes.</summary>
    public static void LengthEncodedText(this ByteWriter writer, ReadOnlySpan<char> text)
    {
        // 83 characters need at most 250 bytes. So the length fits into one byte, which is patched afterwards, and the text is transcoded only once.
        if (text.Length <= 83)
        {
            var at = writer.Length;
            writer.Byte(0);
            writer.Text(text);
            writer.Written[at] = (byte)(writer.Length - at - 1);
            return;
        }

        writer.LengthEncoded((ulong)Encoding.UTF8.GetByteCount(text));
        writer.Text(text);
    }
}
