namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The base class of the messages that name their transaction.</summary>
public abstract class TransactionControlMessage : PgOutputReplicationMessage
{
    /// <summary>Creates a message without content.</summary>
    protected TransactionControlMessage()
    {
    }

    /// <summary>Gets the transaction.</summary>
    public uint TransactionXid { get; internal init; }
}
