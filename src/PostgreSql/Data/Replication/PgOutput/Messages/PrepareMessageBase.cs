namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The base class of the messages about the preparation of a transaction.</summary>
public abstract class PrepareMessageBase : PreparedTransactionControlMessage
{
    private protected PrepareMessageBase()
    {
    }

    /// <summary>Gets the location of the preparation in the log.</summary>
    public PgLogSequenceNumber PrepareLsn { get; internal init; }

    /// <summary>Gets the end of the prepared transaction in the log.</summary>
    public PgLogSequenceNumber PrepareEndLsn { get; internal init; }

    /// <summary>Gets when the transaction was prepared, in UTC.</summary>
    public DateTime TransactionPrepareTimestamp { get; internal init; }
}
