using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Runs a portal. A row limit of zero means all rows.
/// <code>
/// 'E' | length (int32) | portal\0 | max_rows (int32)
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Execute.
/// </summary>
internal static class Execute
{
    private static ReadOnlySpan<byte> AllRowsOfUnnamedPortal => [(byte)'E', 0, 0, 0, 9, 0, 0, 0, 0, 0];

    public static void Write(ByteWriter writer) => writer.Bytes(AllRowsOfUnnamedPortal);

    /// <summary>Requests at most <paramref name="maxRows"/> rows. The server then sends PortalSuspended and never computes the rest.</summary>
    public static void Write(ByteWriter writer, int maxRows)
    {
        var start = writer.Begin((byte)'E');
        writer.Byte(0);
        writer.Int32BigEndian(maxRows);
        writer.End(start);
    }
}
