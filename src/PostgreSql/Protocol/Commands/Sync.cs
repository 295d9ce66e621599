using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Ends a series of extended-query messages: outside a transaction block it commits; after an error it is where the server starts to listen again.
/// Answered with ReadyForQuery, always and once.
/// <code>
/// 'S' | 4 (int32)
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Sync; 54.2.4 "Pipelining".
/// </summary>
internal static class Sync
{
    public static void Write(ByteWriter writer) => writer.Empty((byte)'S');
}
