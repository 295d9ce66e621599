using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Requests a statement's parameters and columns ('S'), or a portal's columns with their formats ('P').
/// <code>
/// 'D' | length (int32) | 'S' or 'P' | name\0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Describe.
/// </summary>
internal static class Describe
{
    private static ReadOnlySpan<byte> UnnamedPortal => [(byte)'D', 0, 0, 0, 6, (byte)'P', 0];

    /// <summary>Describes the unnamed portal. The server answers with RowDescription or NoData.</summary>
    public static void Portal(ByteWriter writer) => writer.Bytes(UnnamedPortal);

    /// <summary>Describes a statement. The server answers with ParameterDescription, then with RowDescription (all formats zero) or NoData.</summary>
    public static void Statement(ByteWriter writer, ReadOnlySpan<byte> statement)
    {
        var start = writer.Begin((byte)'D');
        writer.Byte((byte)'S');
        writer.Bytes(statement);
        writer.Byte(0);
        writer.End(start);
    }
}
