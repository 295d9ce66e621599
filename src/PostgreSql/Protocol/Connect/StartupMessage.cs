using System.Buffers.Binary;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// The first message of a session: the user, the database and the initial settings. It has no type byte.
/// <code>
/// length (int32) | 196608 (int32: protocol 3.0) | { name\0 value\0 }… | \0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", StartupMessage.
/// </summary>
/// <remarks>The version is 3.0, not 3.2: 3.2 adds only a longer cancel key, and middleware that rejects it is common.</remarks>
internal static class StartupMessage
{
    public const int Version30 = 3 << 16;

    /// <exception cref="ArgumentException">A name or value contains a zero character, which would end it early.</exception>
    public static void Write(ByteWriter writer, ReadOnlySpan<KeyValuePair<string, string>> parameters)
    {
        var start = writer.Length;
        writer.Int32BigEndian(0);
        writer.Int32BigEndian(Version30);
        foreach (var (name, value) in parameters)
        {
            if (name.Contains('\0') || value.Contains('\0'))
            {
                writer.Truncate(start);
                throw new ArgumentException($"The value of '{name}' contains a NUL character (U+0000), which PostgreSQL does not allow: remove the character.");
            }

            writer.TextAndZero(name);
            writer.TextAndZero(value);
        }

        writer.Byte(0);
        BinaryPrimitives.WriteInt32BigEndian(writer.Written[start..], writer.Length - start);
    }
}
