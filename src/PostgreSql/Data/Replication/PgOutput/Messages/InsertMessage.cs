namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>A row that was inserted. The object is reused for the next insert.</summary>
public sealed class InsertMessage : TransactionalMessage
{
    internal InsertMessage(ReplicationTuple newRow) => NewRow = newRow;

    /// <summary>Gets the table.</summary>
    public RelationMessage Relation { get; internal set; } = null!;

    /// <summary>Gets the new row.</summary>
    public ReplicationTuple NewRow { get; }
}
