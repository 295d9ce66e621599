using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary><see cref="bool"/> ↔ boolean: one byte 0 or 1; "t" or "f".</summary>
internal static class Booleans
{
    public static bool ReadBinary(ReadOnlySpan<byte> value) => value is [var flag] ? flag != 0 : throw Malformed.Of("boolean", value, binary: true);

    public static bool ReadText(ReadOnlySpan<byte> value) => value switch
    {
        [(byte)'t'] => true,
        [(byte)'f'] => false,
        _ => throw Malformed.Of("boolean", value, binary: false),
    };

    /// <summary>Length and value.</summary>
    public static void Write(ByteWriter writer, bool value)
    {
        var room = writer.Grow(5);
        room[0] = room[1] = room[2] = 0;
        room[3] = 1;
        room[4] = value ? (byte)1 : (byte)0;
    }
}
