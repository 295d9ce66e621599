using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>
/// The server reports an error. Afterwards it skips all messages up to the next Sync.
/// <code>
/// 'E' | length (int32) | { field (1) | text\0 }… | \0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", ErrorResponse; 54.8 "Error and Notice Message Fields".
/// </summary>
internal static class ErrorResponse
{
    /// <summary>Reads the body. The reader fails if it is truncated.</summary>
    public static ErrorFields Read(ref ByteReader reader) => ErrorFields.Read(ref reader);
}
