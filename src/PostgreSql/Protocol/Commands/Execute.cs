using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Runs a portal. Zero rows at most means all of them.
/// <code>
/// 'E' | length (int32) | portal\0 | max_rows (int32)
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Execute.
/// </summary>
internal static class Execute
{
    private static ReadOnlySpan<byte> AllRowsOfUnnamedPortal => [(byte)'E', 0, 0, 0, 9, 0, 0, 0, 0, 0];

    public static void Write(ByteWriter writer) => writer.Bytes(AllRowsOfUnnamedPortal);

    /// <summary>Stops after <paramref name="maxRows"/> rows with PortalSuspended: the rest is never computed.</summary>
    public static void Write(ByteWriter writer, int maxRows)
    {
        var start = writer.Begin((byte)'E');
        writer.Byte(0);
        writer.Int32BigEndian(maxRows);
        writer.End(start);
    }
}
