using System.Buffers.Binary;
using System.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>
/// Converts <see cref="string"/> to and from text, varchar, char, name, json and xml: UTF-8 in both formats. In binary, jsonb has a version byte before the
/// text. The client encoding is always UTF8.
/// </summary>
internal static class Texts
{
    private const byte JsonbVersion = 1;

    public static string Read(ReadOnlySpan<byte> value) => Encoding.UTF8.GetString(value);

    /// <summary>Returns a binary jsonb without its version byte.</summary>
    public static ReadOnlySpan<byte> Jsonb(ReadOnlySpan<byte> value) =>
        value is [JsonbVersion, ..] ? value[1..] : throw Malformed.Of("jsonb", value, binary: true);

    /// <exception cref="InvalidCastException">The text is empty, or its first character needs two UTF-16 code units.</exception>
    public static char ReadChar(ReadOnlySpan<byte> value)
    {
        // Of several characters, the first one counts, as in Npgsql.
        return Rune.DecodeFromUtf8(value, out var rune, out _) == System.Buffers.OperationStatus.Done && rune.IsBmp
            ? (char)rune.Value
            : throw new InvalidCastException($"The text of {value.Length} bytes does not begin with a character that a char can hold.");
    }

    /// <summary>Reads a "char": one byte. In text, it is "\ooo" if it is not ASCII, and empty if it is zero.</summary>
    public static char ReadInternalChar(ReadOnlySpan<byte> value, bool binary) => value switch
    {
        [] when !binary => '\0',
        [var single] => (char)single,
        [(byte)'\\', var high, var middle, var low] when !binary => (char)((high - '0') << 6 | (middle - '0') << 3 | (low - '0')),
        _ => throw Malformed.Of("\"char\"", value, binary),
    };

    /// <summary>Writes the length and the text.</summary>
    /// <exception cref="ArgumentException">The text contains a zero character, which PostgreSQL cannot store.</exception>
    public static void Write(ByteWriter writer, ReadOnlySpan<char> value)
    {
        if (value.Contains('\0'))
            throw new ArgumentException("A text parameter contains a NUL character (U+0000), which PostgreSQL cannot store in text: use bytea.");
        var start = writer.Length;
        writer.Int32BigEndian(0);
        StrictUtf8.Write(writer, value);
        BinaryPrimitives.WriteInt32BigEndian(writer.Written[start..], writer.Length - start - 4);
    }

    /// <summary>Writes the length, the version byte and UTF-8.</summary>
    public static void WriteJsonb(ByteWriter writer, ReadOnlySpan<byte> utf8)
    {
        var room = writer.Grow(checked(5 + utf8.Length));
        BinaryPrimitives.WriteInt32BigEndian(room, 1 + utf8.Length);
        room[4] = JsonbVersion;
        utf8.CopyTo(room[5..]);
    }

    /// <summary>Writes the length, the version byte and the text.</summary>
    public static void WriteJsonb(ByteWriter writer, ReadOnlySpan<char> value)
    {
        var start = writer.Length;
        writer.Int32BigEndian(0);
        writer.Byte(JsonbVersion);
        StrictUtf8.Write(writer, value);
        BinaryPrimitives.WriteInt32BigEndian(writer.Written[start..], writer.Length - start - 4);
    }
}
