using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Ends the session. The server closes the connection without an answer.
/// <code>
/// 'X' | 4 (int32)
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Terminate.
/// </summary>
internal static class Terminate
{
    public static void Write(ByteWriter writer) => writer.Empty((byte)'X');
}
