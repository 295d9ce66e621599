namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>A row that was updated. The derived class shows what is known about the old row. The object is reused for the next update.</summary>
public abstract class UpdateMessage : TransactionalMessage
{
    private protected UpdateMessage()
    {
    }

    /// <summary>Gets the table.</summary>
    public RelationMessage Relation { get; internal set; } = null!;

    /// <summary>Gets the new row.</summary>
    public abstract ReplicationTuple NewRow { get; }
}

/// <summary>An update of which nothing of the old row is sent: the columns of its key have not changed.</summary>
public class DefaultUpdateMessage : UpdateMessage
{
    internal DefaultUpdateMessage(ReplicationTuple newRow) => NewRow = newRow;

    /// <inheritdoc/>
    public override ReplicationTuple NewRow { get; }
}

/// <summary>An update that has changed the key.</summary>
public sealed class IndexUpdateMessage : UpdateMessage
{
    internal IndexUpdateMessage(ReplicationTuple key, ReplicationTuple newRow) => (Key, NewRow) = (key, newRow);

    /// <summary>Gets the old key. The other columns are NULL.</summary>
    public ReplicationTuple Key { get; }

    /// <inheritdoc/>
    public override ReplicationTuple NewRow { get; }
}

/// <summary>An update of a table with REPLICA IDENTITY FULL.</summary>
public sealed class FullUpdateMessage : UpdateMessage
{
    internal FullUpdateMessage(ReplicationTuple oldRow, ReplicationTuple newRow) => (OldRow, NewRow) = (oldRow, newRow);

    /// <summary>Gets the whole old row.</summary>
    public ReplicationTuple OldRow { get; }

    /// <inheritdoc/>
    public override ReplicationTuple NewRow { get; }
}
