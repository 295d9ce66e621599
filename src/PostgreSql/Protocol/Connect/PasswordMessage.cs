using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// The password, or its md5 form. Afterwards the writer contains a secret, which the sender must erase.
/// <code>
/// 'p' | length (int32) | password\0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", PasswordMessage.
/// </summary>
internal static class PasswordMessage
{
    public const byte Type = (byte)'p';

    public static void Write(ByteWriter writer, ReadOnlySpan<byte> password)
    {
        var start = writer.Begin(Type);
        writer.Bytes(password);
        writer.Byte(0);
        writer.End(start);
    }
}
