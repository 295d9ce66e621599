using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// A further message of the client in the chosen SASL mechanism.
/// <code>
/// 'p' | length (int32) | data…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", SASLResponse.
/// </summary>
internal static class SaslResponse
{
    public static void Write(ByteWriter writer, ReadOnlySpan<byte> data)
    {
        var start = writer.Begin(PasswordMessage.Type);
        writer.Bytes(data);
        writer.End(start);
    }
}
