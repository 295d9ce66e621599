using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// The fields before the rows of an Insert, an Update or a Delete.
/// <code>
/// 'I' [ | xid (int32) ] | relation (int32) | 'N' | tuple_data
/// 'U' [ | xid (int32) ] | relation (int32) [ | 'K' or 'O' | tuple_data ] | 'N' | tuple_data
/// 'D' [ | xid (int32) ] | relation (int32) | 'K' or 'O' | tuple_data
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Insert, Update and Delete.
/// </summary>
/// <param name="Xid">The streamed transaction; null outside of one.</param>
/// <param name="RelationId">The object id of the table.</param>
internal readonly record struct RowChange(uint? Xid, uint RelationId)
{
    /// <summary>The new row follows.</summary>
    public const byte New = (byte)'N';

    /// <summary>The columns of the key follow, as they were before the change.</summary>
    public const byte Key = (byte)'K';

    /// <summary>The whole row follows, as it was before the change.</summary>
    public const byte Old = (byte)'O';

    /// <summary>Reads the fields before the rows.</summary>
    /// <param name="reader">The message.</param>
    /// <param name="isStreamed">True inside a block of a streamed transaction.</param>
    public static RowChange Read(ref ByteReader reader, bool isStreamed) =>
        new(StreamedXid.Read(ref reader, isStreamed), (uint)reader.Int32BigEndian());
}
