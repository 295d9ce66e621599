using System.Buffers.Binary;
using System.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol;

/// <summary>
/// MySQL's own integer and the strings it announces, on top of the neutral reader and writer.
/// <code>
/// 00…FA          the value itself
/// FC | value (2)
/// FD | value (3)
/// FE | value (8)
/// FB is NULL in a text row, FF begins an error: neither is an integer.
/// </code>
/// Source: "Protocol::LengthEncodedInteger" (page_protocol_basic_dt_integers), "Protocol::LengthEncodedString" (page_protocol_basic_dt_strings).
/// </summary>
internal static class LengthEncodedInteger
{
    /// <summary>1, 3, 4 or 9 bytes. FB and FF fail the reader: who allows NULL looks first.</summary>
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

    /// <summary>The bytes of a length-encoded string. A length beyond the message fails the reader.</summary>
    public static ReadOnlySpan<byte> LengthEncodedBytes(this ref ByteReader reader)
    {
        var length = reader.LengthEncoded();
        // Above long.MaxValue the cast turns negative, which the reader refuses like any length beyond the message.
        return reader.Bytes((long)length);
    }

    /// <summary>A length-encoded string as UTF-8 text.</summary>
    public static string LengthEncodedText(this ref ByteReader reader) => Encoding.UTF8.GetString(reader.LengthEncodedBytes());

    /// <summary>Writes the number in its shortest form: 1, 3, 4 or 9 bytes.</summary>
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

    /// <summary>Writes the length and the bytes.</summary>
    public static void LengthEncodedBytes(this ByteWriter writer, ReadOnlySpan<byte> bytes)
    {
        writer.LengthEncoded((ulong)bytes.Length);
        writer.Bytes(bytes);
    }

    /// <summary>The same; a large value is sent from where it lies.</summary>
    public static void LengthEncodedValue(this ByteWriter writer, ReadOnlyMemory<byte> value)
    {
        writer.LengthEncoded((ulong)value.Length);
        if (value.Length >= ByteWriter.GatheredFrom)
            writer.Gather(value);
        else
            writer.Bytes(value.Span);
    }

    /// <summary>Writes the length in bytes and the text in UTF-8.</summary>
    public static void LengthEncodedText(this ByteWriter writer, ReadOnlySpan<char> text)
    {
        // 83 characters cannot need more than 250 bytes: the length fits the one byte in front, patched afterwards, and the text is transcoded once.
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
