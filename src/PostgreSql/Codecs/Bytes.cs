using System.Buffers;
using System.Buffers.Binary;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>
/// Converts <c>byte[]</c> to and from bytea. In binary: the bytes themselves. In text: "\x" and hexadecimal digits. With bytea_output=escape, text contains
/// printable bytes as they are, "\\" for a backslash and "\ooo" for every other byte. Source: PostgreSQL 18, 8.4 "Binary Data Types".
/// </summary>
internal static class Bytes
{
    public static byte[] ReadBinary(ReadOnlySpan<byte> value)
    {
        var bytes = GC.AllocateUninitializedArray<byte>(value.Length);
        value.CopyTo(bytes);
        return bytes;
    }

    public static byte[] ReadText(ReadOnlySpan<byte> value)
    {
        if (!value.StartsWith("\\x"u8))
            return ReadEscaped(value);

        var digits = value[2..];
        var bytes = GC.AllocateUninitializedArray<byte>(digits.Length / 2);
        return Convert.FromHexString(digits, bytes, out _, out var written) == OperationStatus.Done && written == bytes.Length && digits.Length % 2 == 0
            ? bytes
            : throw Malformed.Of("bytea", value, binary: false);
    }

    /// <summary>Writes the length and the bytes.</summary>
    public static void Write(ByteWriter writer, ReadOnlySpan<byte> value)
    {
        var room = writer.Grow(checked(4 + value.Length));
        BinaryPrimitives.WriteInt32BigEndian(room, value.Length);
        value.CopyTo(room[4..]);
    }

    /// <summary>Writes the length and the bytes. A large value is sent from the caller's memory, without a copy.</summary>
    public static void Write(ByteWriter writer, ReadOnlyMemory<byte> value)
    {
        if (value.Length >= ByteWriter.GatheredFrom)
        {
            writer.Int32BigEndian(value.Length);
            writer.Gather(value);
        }
        else
            Write(writer, value.Span);
    }

    private static byte[] ReadEscaped(ReadOnlySpan<byte> value)
    {
        var bytes = new byte[value.Length];
        var count = 0;
        for (var at = 0; at < value.Length; at++)
        {
            if (value[at] != '\\')
                bytes[count++] = value[at];
            else if (at + 1 < value.Length && value[at + 1] == '\\')
            {
                bytes[count++] = (byte)'\\';
                at++;
            }
            else if (at + 3 < value.Length && Octal(value[at + 1], 3) && Octal(value[at + 2], 7) && Octal(value[at + 3], 7))
            {
                bytes[count++] = (byte)((value[at + 1] - '0') << 6 | (value[at + 2] - '0') << 3 | (value[at + 3] - '0'));
                at += 3;
            }
            else
                Malformed.Throw("bytea", value, binary: false);
        }

        return bytes[..count];

        static bool Octal(byte digit, int max) => (uint)(digit - '0') <= max;
    }
}
