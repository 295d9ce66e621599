using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Ends the data of a COPY … FROM STDIN. The server answers with CommandComplete or ErrorResponse.
/// <code>
/// 'c' | length (int32)
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", CopyDone.
/// </summary>
internal static class CopyDone
{
    public static void Write(ByteWriter writer) => writer.Empty((byte)'c');
}
