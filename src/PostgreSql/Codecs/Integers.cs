using System.Buffers.Binary;
using System.Buffers.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>Converts smallint, integer, bigint and the unsigned oid. In binary: 2, 4 or 8 bytes in network order. In text: decimal digits.</summary>
internal static class Integers
{
    public static short ReadInt16Binary(ReadOnlySpan<byte> value) =>
        value.Length == 2 ? BinaryPrimitives.ReadInt16BigEndian(value) : throw Malformed.Of("smallint", value, binary: true);

    public static int ReadInt32Binary(ReadOnlySpan<byte> value) =>
        value.Length == 4 ? BinaryPrimitives.ReadInt32BigEndian(value) : throw Malformed.Of("integer", value, binary: true);

    public static long ReadInt64Binary(ReadOnlySpan<byte> value) =>
        value.Length == 8 ? BinaryPrimitives.ReadInt64BigEndian(value) : throw Malformed.Of("bigint", value, binary: true);

    public static uint ReadOidBinary(ReadOnlySpan<byte> value) =>
        value.Length == 4 ? BinaryPrimitives.ReadUInt32BigEndian(value) : throw Malformed.Of("oid", value, binary: true);

    /// <summary>Reads an integer of any of these types from text.</summary>
    public static long ReadText(ReadOnlySpan<byte> value)
    {
        // 18 characters or fewer cannot overflow. A plain loop beats the general parser on short numbers, which tables mostly contain.
        if (value.Length is 0 or > 18)
            return Utf8Parser.TryParse(value, out long parsed, out var used) && used == value.Length
                ? parsed
                : throw Malformed.Of("integer", value, binary: false);

        var negative = value[0] == '-';
        var at = negative ? 1 : 0;
        if (at == value.Length)
            Malformed.Throw("integer", value, binary: false);
        var number = 0L;
        for (; at < value.Length; at++)
        {
            var digit = (uint)(value[at] - '0');
            if (digit > 9)
                Malformed.Throw("integer", value, binary: false);
            number = number * 10 + digit;
        }

        return negative ? -number : number;
    }

    /// <summary>Writes the length and the value.</summary>
    public static void Write(ByteWriter writer, short value)
    {
        var room = writer.Grow(6);
        BinaryPrimitives.WriteInt32BigEndian(room, 2);
        BinaryPrimitives.WriteInt16BigEndian(room[4..], value);
    }

    /// <summary>Writes the length and the value.</summary>
    public static void Write(ByteWriter writer, int value)
    {
        var room = writer.Grow(8);
        BinaryPrimitives.WriteInt64BigEndian(room, 4L << 32 | (uint)value);
    }

    /// <summary>Writes the length and the value.</summary>
    public static void Write(ByteWriter writer, long value)
    {
        var room = writer.Grow(12);
        BinaryPrimitives.WriteInt32BigEndian(room, 8);
        BinaryPrimitives.WriteInt64BigEndian(room[4..], value);
    }
}
