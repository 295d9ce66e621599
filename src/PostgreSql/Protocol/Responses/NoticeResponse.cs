using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>
/// A warning or another notice of the server. It may arrive at any time.
/// <code>
/// 'N' | length (int32) | { field (1) | text\0 }… | \0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", NoticeResponse; 54.8 "Error and Notice Message Fields".
/// </summary>
internal static class NoticeResponse
{
    /// <summary>Reads the body. The reader fails if it is truncated.</summary>
    public static ErrorFields Read(ref ByteReader reader) => ErrorFields.Read(ref reader);
}
