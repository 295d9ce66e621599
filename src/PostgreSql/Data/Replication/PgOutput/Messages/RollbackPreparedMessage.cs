namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The rollback of a prepared transaction.</summary>
public sealed class RollbackPreparedMessage : PreparedTransactionControlMessage
{
    internal RollbackPreparedMessage()
    {
    }

    /// <summary>The flags of the message. None are defined yet.</summary>
    [Flags]
    public enum RollbackPreparedFlags : byte
    {
        /// <summary>No flag.</summary>
        None = 0,
    }

    /// <summary>Gets the flags.</summary>
    public RollbackPreparedFlags Flags { get; internal init; }

    /// <summary>Gets the end of the prepared transaction in the log.</summary>
    public PgLogSequenceNumber PreparedTransactionEndLsn { get; internal init; }

    /// <summary>Gets the end of the rollback in the log.</summary>
    public PgLogSequenceNumber RollbackPreparedEndLsn { get; internal init; }

    /// <summary>Gets when the transaction was prepared, in UTC.</summary>
    public DateTime TransactionPrepareTimestamp { get; internal init; }

    /// <summary>Gets when the transaction was rolled back, in UTC.</summary>
    public DateTime TransactionRollbackTimestamp { get; internal init; }
}
