namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The end of a transaction that has committed.</summary>
public sealed class CommitMessage : PgOutputReplicationMessage
{
    internal CommitMessage()
    {
    }

    /// <summary>The flags of the message. None are defined yet.</summary>
    [Flags]
    public enum CommitFlags : byte
    {
        /// <summary>No flag.</summary>
        None = 0,
    }

    /// <summary>Gets the flags.</summary>
    public CommitFlags Flags { get; internal init; }

    /// <summary>Gets the location of the commit in the log.</summary>
    public PgLogSequenceNumber CommitLsn { get; internal init; }

    /// <summary>Gets the end of the transaction in the log. Confirm this location after the changes have been stored.</summary>
    public PgLogSequenceNumber TransactionEndLsn { get; internal init; }

    /// <summary>Gets when the transaction committed, in UTC.</summary>
    public DateTime TransactionCommitTimestamp { get; internal init; }
}
