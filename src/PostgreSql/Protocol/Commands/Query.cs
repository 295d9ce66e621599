using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Sends a simple query: any number of statements as text. They form one implicit transaction; the server answers with results as text and one ReadyForQuery.
/// <code>
/// 'Q' | length (int32) | sql\0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Query.
/// </summary>
internal static class Query
{
    public static void Write(ByteWriter writer, ReadOnlySpan<byte> sql)
    {
        var start = writer.Begin((byte)'Q');
        writer.Bytes(sql);
        writer.Byte(0);
        writer.End(start);
    }
}
