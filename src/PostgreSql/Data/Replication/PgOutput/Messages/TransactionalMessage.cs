namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The base class of the messages that may be part of a streamed transaction.</summary>
public abstract class TransactionalMessage : PgOutputReplicationMessage
{
    /// <summary>Creates a message without content.</summary>
    protected TransactionalMessage()
    {
    }

    /// <summary>Gets the streamed transaction or subtransaction; null outside of a streamed transaction.</summary>
    public uint? TransactionXid { get; internal set; }
}
