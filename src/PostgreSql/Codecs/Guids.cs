using System.Buffers.Binary;
using System.Buffers.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>Converts <see cref="Guid"/> to and from uuid. In binary: 16 bytes in the order of the text. In text: 36 characters.</summary>
internal static class Guids
{
    public static Guid ReadBinary(ReadOnlySpan<byte> value) =>
        value.Length == 16 ? new Guid(value, bigEndian: true) : throw Malformed.Of("uuid", value, binary: true);

    public static Guid ReadText(ReadOnlySpan<byte> value) =>
        Utf8Parser.TryParse(value, out Guid guid, out var used) && used == value.Length ? guid : throw Malformed.Of("uuid", value, binary: false);

    /// <summary>Writes the length and the value.</summary>
    public static void Write(ByteWriter writer, Guid value)
    {
        var room = writer.Grow(20);
        BinaryPrimitives.WriteInt32BigEndian(room, 16);
        value.TryWriteBytes(room[4..], bigEndian: true, out _);
    }
}
