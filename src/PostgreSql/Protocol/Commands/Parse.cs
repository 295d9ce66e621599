using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Prepares a statement under a name. The empty name is the unnamed statement, which the next Parse replaces.
/// <code>
/// 'P' | length (int32) | statement\0 | sql\0 | count (int16) | { type_oid (int32) }…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Parse.
/// </summary>
internal static class Parse
{
    public static void Write(ByteWriter writer, ReadOnlySpan<byte> statement, ReadOnlySpan<byte> sql, ReadOnlySpan<uint> parameterTypes)
    {
        var start = writer.Begin((byte)'P');
        writer.Bytes(statement);
        writer.Byte(0);
        writer.Bytes(sql);
        writer.Byte(0);
        writer.Int16BigEndian(Bind.Count(parameterTypes.Length));
        foreach (var type in parameterTypes)
            writer.Int32BigEndian((int)type);
        writer.End(start);
    }
}
