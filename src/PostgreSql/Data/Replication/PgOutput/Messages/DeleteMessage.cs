namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>A row that was deleted. The derived class shows what is known about it. The object is reused for the next delete.</summary>
public abstract class DeleteMessage : TransactionalMessage
{
    private protected DeleteMessage()
    {
    }

    /// <summary>Gets the table.</summary>
    public RelationMessage Relation { get; internal set; } = null!;
}

/// <summary>A delete of which the key is sent.</summary>
public sealed class KeyDeleteMessage : DeleteMessage
{
    internal KeyDeleteMessage(ReplicationTuple key) => Key = key;

    /// <summary>Gets the key. The other columns are NULL.</summary>
    public ReplicationTuple Key { get; }
}

/// <summary>A delete of a table with REPLICA IDENTITY FULL.</summary>
public sealed class FullDeleteMessage : DeleteMessage
{
    internal FullDeleteMessage(ReplicationTuple oldRow) => OldRow = oldRow;

    /// <summary>Gets the whole row.</summary>
    public ReplicationTuple OldRow { get; }
}
