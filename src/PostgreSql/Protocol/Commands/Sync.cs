using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Ends a series of extended-query messages. Outside a transaction block, it commits. After an error, the server ignores messages up to it.
/// The server always answers with exactly one ReadyForQuery.
/// <code>
/// 'S' | 4 (int32)
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Sync; 54.2.4 "Pipelining".
/// </summary>
internal static class Sync
{
    public static void Write(ByteWriter writer) => writer.Empty((byte)'S');
}
