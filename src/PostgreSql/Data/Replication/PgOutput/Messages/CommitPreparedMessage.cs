namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The commit of a prepared transaction.</summary>
public sealed class CommitPreparedMessage : PreparedTransactionControlMessage
{
    internal CommitPreparedMessage()
    {
    }

    /// <summary>The flags of the message. None are defined yet.</summary>
    [Flags]
    public enum CommitPreparedFlags : byte
    {
        /// <summary>No flag.</summary>
        None = 0,
    }

    /// <summary>Gets the flags.</summary>
    public CommitPreparedFlags Flags { get; internal init; }

    /// <summary>Gets the location of the commit in the log.</summary>
    public PgLogSequenceNumber CommitPreparedLsn { get; internal init; }

    /// <summary>Gets the end of the commit in the log.</summary>
    public PgLogSequenceNumber CommitPreparedEndLsn { get; internal init; }

    /// <summary>Gets when the transaction committed, in UTC.</summary>
    public DateTime TransactionCommitTimestamp { get; internal init; }
}
