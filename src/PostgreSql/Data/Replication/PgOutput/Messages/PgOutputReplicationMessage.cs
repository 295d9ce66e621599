namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The base class of the messages of pgoutput. Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats".</summary>
public abstract class PgOutputReplicationMessage : ReplicationMessage
{
    /// <summary>Creates a message without content.</summary>
    protected PgOutputReplicationMessage()
    {
    }

    /// <summary>Returns the name of the class.</summary>
    public override string ToString() => GetType().Name;
}
