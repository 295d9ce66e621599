using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// A token of GSSAPI or SSPI.
/// <code>
/// 'p' | length (int32) | token…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", GSSResponse.
/// </summary>
internal static class GssResponse
{
    public static void Write(ByteWriter writer, ReadOnlySpan<byte> token)
    {
        var start = writer.Begin(PasswordMessage.Type);
        writer.Bytes(token);
        writer.End(start);
    }
}
