using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// Requests TLS before any other message. The answer is a single byte, not a message: 'S' (continue with TLS) or 'N' (no TLS).
/// An old or overloaded server may answer with an ErrorResponse. It arrives unencrypted, so the driver must neither trust nor show it.
/// <code>
/// 8 (int32) | 80877103 (int32)
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", SSLRequest; 54.2.10 "SSL Session Encryption".
/// </summary>
internal static class SslRequest
{
    public const byte Accepted = (byte)'S';
    public const byte Refused = (byte)'N';
    private const int Code = 80877103;

    public static void Write(ByteWriter writer)
    {
        writer.Int32BigEndian(8);
        writer.Int32BigEndian(Code);
    }
}
