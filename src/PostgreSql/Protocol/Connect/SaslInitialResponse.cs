using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// The chosen SASL mechanism and the client's first message in it.
/// <code>
/// 'p' | length (int32) | mechanism\0 | data_length (int32) | data…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", SASLInitialResponse.
/// </summary>
internal static class SaslInitialResponse
{
    public static void Write(ByteWriter writer, string mechanism, ReadOnlySpan<byte> data)
    {
        var start = writer.Begin(PasswordMessage.Type);
        writer.TextAndZero(mechanism);
        writer.Int32BigEndian(data.Length);
        writer.Bytes(data);
        writer.End(start);
    }
}
