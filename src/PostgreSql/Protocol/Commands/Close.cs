using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Deallocates a prepared statement. It is not an error if no statement has that name.
/// <code>
/// 'C' | length (int32) | 'S' (statement; 'P' would be a portal) | name\0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Close.
/// </summary>
internal static class Close
{
    public static void Statement(ByteWriter writer, ReadOnlySpan<byte> statement)
    {
        var start = writer.Begin((byte)'C');
        writer.Byte((byte)'S');
        writer.Bytes(statement);
        writer.Byte(0);
        writer.End(start);
    }
}
