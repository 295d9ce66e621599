using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// Tables that were truncated together.
/// <code>
/// 'T' [ | xid (int32) ] | count (int32) | options (1) | { relation (int32) }…
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Truncate.
/// </summary>
/// <param name="Xid">The streamed transaction; null outside of one.</param>
/// <param name="Options">1 for CASCADE, 2 for RESTART IDENTITY, and their sum.</param>
/// <param name="RelationIds">The object ids of the tables.</param>
internal readonly record struct Truncate(uint? Xid, byte Options, uint[] RelationIds)
{
    /// <summary>Reads the fields after the type. The reader fails if the number of tables does not match the number of bytes.</summary>
    /// <param name="reader">The message.</param>
    /// <param name="isStreamed">True inside a block of a streamed transaction.</param>
    public static Truncate Read(ref ByteReader reader, bool isStreamed)
    {
        var xid = StreamedXid.Read(ref reader, isStreamed);
        var count = reader.Int32BigEndian();
        var options = reader.Byte();
        if (options > 3 || count < 0 || reader.Remaining != count * 4L)
            reader.Fail();
        if (reader.Failed)
            return new(xid, options, []);
        var relations = new uint[count];
        for (var i = 0; i < relations.Length; i++)
            relations[i] = (uint)reader.Int32BigEndian();
        return new(xid, options, relations);
    }
}
