namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The base class of the messages about prepared transactions.</summary>
public abstract class PreparedTransactionControlMessage : TransactionControlMessage
{
    private protected PreparedTransactionControlMessage()
    {
    }

    /// <summary>Gets the name of the prepared transaction: the argument of PREPARE TRANSACTION.</summary>
    public string TransactionGid { get; internal init; } = "";
}
