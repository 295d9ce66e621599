using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Protocol.PgOutput;
using Slipstream.PostgreSql.Replication.PgOutput.Messages;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Replication.PgOutput;

/// <summary>The tables that the server has described in a stream. It describes each table once, so none may be forgotten.</summary>
/// <param name="types">The types of the database.</param>
internal sealed class RelationCache(TypeCatalogue types)
{
    /// <summary>The most columns of all tables together. They need some hundred megabytes; a server that sends more is not one.</summary>
    public const int MaxColumns = 1_000_000;

    private readonly Dictionary<uint, RelationMessage> _relations = [];
    private long _columns;

    /// <summary>Adds a table, or replaces its description.</summary>
    /// <exception cref="ProtocolException">The server has described too many columns.</exception>
    public RelationMessage Add(in Relation relation)
    {
        var columns = Array.ConvertAll(
            relation.Columns,
            static one => new RelationMessage.Column((RelationMessage.Column.ColumnFlags)one.Flags, one.Name, one.TypeId, one.TypeModifier));
        // A table without columns counts, too.
        _columns += columns.Length + 1;
        if (_relations.TryGetValue(relation.RelationId, out var old))
            _columns -= old.Columns.Count + 1;
        if (_columns > MaxColumns)
            throw new ProtocolException(
                $"descriptions of tables with at most {MaxColumns:N0} columns together",
                $"more of them, the last of the table {ServerText.OneLine(relation.Name, 64)}");
        var description = Describe(relation.Columns);
        var message = new RelationMessage
        {
            TransactionXid = relation.Xid,
            RelationId = relation.RelationId,
            Namespace = relation.Namespace,
            RelationName = relation.Name,
            ReplicaIdentity = (RelationMessage.ReplicaIdentitySetting)relation.ReplicaIdentity,
            Columns = columns,
            NewRows = ResultMetadata.From(description.Written, null, types),
            OldRows = ResultMetadata.From(description.Written, null, types),
        };
        _relations[relation.RelationId] = message;
        return message;
    }

    /// <summary>Returns a table.</summary>
    /// <exception cref="ProtocolException">The server has not described it.</exception>
    public RelationMessage Get(uint relationId) => _relations.TryGetValue(relationId, out var relation)
        ? relation
        : throw new ProtocolException("a change of a table that has been described", $"one of the table with the object id {relationId}");

    // The codecs take a description as the server sends it for a query.
    private static ByteWriter Describe(RelationColumn[] columns)
    {
        var writer = new ByteWriter(32 * (columns.Length + 1));
        writer.Int16BigEndian((short)columns.Length);
        foreach (var column in columns)
        {
            writer.TextAndZero(column.Name);
            writer.Int32BigEndian(0);
            writer.Int16BigEndian(0);
            BinaryPrimitives.WriteUInt32BigEndian(writer.Grow(4), column.TypeId);
            writer.Int16BigEndian(-1);
            writer.Int32BigEndian(column.TypeModifier);
            writer.Int16BigEndian(0);
        }

        return writer;
    }
}
