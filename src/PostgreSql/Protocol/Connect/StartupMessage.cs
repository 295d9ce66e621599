using System.Buffers.Binary;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// The first message of a session: who, which database, and the settings to begin with. It has no type byte.
/// <code>
/// length (int32) | 196608 (int32: protocol 3.0) | { name\0 value\0 }… | \0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", StartupMessage.
/// </summary>
/// <remarks>3.0, not 3.2: all that 3.2 adds is a longer cancel key, and middleware that refuses it is common.</remarks>
internal static class StartupMessage
{
    public const int Version30 = 3 << 16;

    /// <exception cref="ArgumentException">A name or value holds a zero character, which would end it early.</exception>
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
                throw new ArgumentException($"The value of '{name}' holds a zero character, which PostgreSQL cannot take.");
            }

            writer.TextAndZero(name);
            writer.TextAndZero(value);
        }

        writer.Byte(0);
        BinaryPrimitives.WriteInt32BigEndian(writer.Written[start..], writer.Length - start);
    }
}
