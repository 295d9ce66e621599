using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// Describes a table, before the first change of it, and again after its definition has changed.
/// <code>
/// 'R' [ | xid (int32) ] | relation (int32) | namespace\0 | name\0 | replica_identity (1) | count (int16)
///     | { flags (1) | name\0 | type (int32) | type_modifier (int32) }…
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Relation.
/// </summary>
/// <param name="Xid">The streamed transaction; null outside of one.</param>
/// <param name="RelationId">The object id of the table.</param>
/// <param name="Namespace">The schema; empty for pg_catalog.</param>
/// <param name="Name">The name of the table.</param>
/// <param name="ReplicaIdentity">relreplident of pg_class: 'd', 'n', 'f' or 'i'.</param>
/// <param name="Columns">The published columns.</param>
internal readonly record struct Relation(uint? Xid, uint RelationId, string Namespace, string Name, byte ReplicaIdentity, RelationColumn[] Columns)
{
    private const int MinColumnLength = 10;

    /// <summary>Reads the fields after the type. The reader fails if the message is truncated, has excess bytes, or contains an impossible value.</summary>
    /// <param name="reader">The message.</param>
    /// <param name="isStreamed">True inside a block of a streamed transaction.</param>
    public static Relation Read(ref ByteReader reader, bool isStreamed)
    {
        var message = new Relation(
            StreamedXid.Read(ref reader, isStreamed), (uint)reader.Int32BigEndian(), reader.TextToZero(), reader.TextToZero(), reader.Byte(), []);
        var count = reader.Int16BigEndian();
        if ((char)message.ReplicaIdentity is not ('d' or 'n' or 'f' or 'i') || count is < 0 or > RowDescription.MaxColumns
            || count > reader.Remaining / MinColumnLength)
            reader.Fail();
        if (reader.Failed)
            return message;
        var columns = new RelationColumn[count];
        for (var i = 0; i < columns.Length; i++)
            columns[i] = new(reader.Byte(), reader.TextToZero(), (uint)reader.Int32BigEndian(), reader.Int32BigEndian());
        if (reader.Remaining != 0)
            reader.Fail();
        return message with { Columns = columns };
    }
}

/// <summary>A column of a <see cref="Relation"/>.</summary>
/// <param name="Flags">1 if the column is part of the key, otherwise 0.</param>
/// <param name="Name">The name.</param>
/// <param name="TypeId">The object id of the type.</param>
/// <param name="TypeModifier">The type's modifier; −1 for none.</param>
internal readonly record struct RelationColumn(byte Flags, string Name, uint TypeId, int TypeModifier);
