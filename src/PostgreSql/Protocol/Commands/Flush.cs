using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Makes the server send what it has buffered. Unlike Sync, it does not end the series of messages.
/// <code>
/// 'H' | 4 (int32)
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Flush.
/// </summary>
internal static class Flush
{
    public static void Write(ByteWriter writer) => writer.Empty((byte)'H');
}
