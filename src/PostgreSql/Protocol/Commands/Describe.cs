using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Asks for a statement's parameters and columns ('S'), or a portal's columns with the formats they will have ('P').
/// <code>
/// 'D' | length (int32) | 'S' or 'P' | name\0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Describe.
/// </summary>
internal static class Describe
{
    private static ReadOnlySpan<byte> UnnamedPortal => [(byte)'D', 0, 0, 0, 6, (byte)'P', 0];

    /// <summary>Answered with RowDescription or NoData.</summary>
    public static void Portal(ByteWriter writer) => writer.Bytes(UnnamedPortal);

    /// <summary>Answered with ParameterDescription, then RowDescription (all formats zero) or NoData.</summary>
    public static void Statement(ByteWriter writer, ReadOnlySpan<byte> statement)
    {
        var start = writer.Begin((byte)'D');
        writer.Byte((byte)'S');
        writer.Bytes(statement);
        writer.Byte(0);
        writer.End(start);
    }
}
