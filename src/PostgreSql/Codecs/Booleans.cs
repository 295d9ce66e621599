using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>Converts <see cref="bool"/> to and from boolean. In binary: one byte, 0 or 1. In text: "t" or "f".</summary>
internal static class Booleans
{
    public static bool ReadBinary(ReadOnlySpan<byte> value) => value is [var flag] ? flag != 0 : throw Malformed.Of("boolean", value, binary: true);

    public static bool ReadText(ReadOnlySpan<byte> value) => value switch
    {
        [(byte)'t'] => true,
        [(byte)'f'] => false,
        _ => throw Malformed.Of("boolean", value, binary: false),
    };

    /// <summary>Writes the length and the value.</summary>
    public static void Write(ByteWriter writer, bool value)
    {
        var room = writer.Grow(5);
        room[0] = room[1] = room[2] = 0;
        room[3] = 1;
        room[4] = value ? (byte)1 : (byte)0;
    }
}
