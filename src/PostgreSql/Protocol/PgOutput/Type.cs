using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// A type that is not built in, before the first relation that uses it.
/// <code>
/// 'Y' [ | xid (int32) ] | type (int32) | namespace\0 | name\0
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Type.
/// </summary>
/// <param name="Xid">The streamed transaction; null outside of one.</param>
/// <param name="TypeId">The object id of the type.</param>
/// <param name="Namespace">The schema; empty for pg_catalog.</param>
/// <param name="Name">The name of the type.</param>
internal readonly record struct Type(uint? Xid, uint TypeId, string Namespace, string Name)
{
    /// <summary>Reads the fields after the type. The reader fails if the message is truncated or has excess bytes.</summary>
    /// <param name="reader">The message.</param>
    /// <param name="isStreamed">True inside a block of a streamed transaction.</param>
    public static Type Read(ref ByteReader reader, bool isStreamed)
    {
        var message = new Type(StreamedXid.Read(ref reader, isStreamed), (uint)reader.Int32BigEndian(), reader.TextToZero(), reader.TextToZero());
        if (reader.Remaining != 0)
            reader.Fail();
        return message;
    }
}
