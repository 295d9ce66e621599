using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// The data of a COPY … FROM STDIN is complete. Answered by CommandComplete or ErrorResponse.
/// <code>
/// 'c' | length (int32)
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", CopyDone.
/// </summary>
internal static class CopyDone
{
    public static void Write(ByteWriter writer) => writer.Empty((byte)'c');
}
