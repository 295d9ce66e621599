namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The commit of a streamed transaction.</summary>
public sealed class StreamCommitMessage : TransactionControlMessage
{
    internal StreamCommitMessage()
    {
    }

    /// <summary>Gets the flags. None are defined yet.</summary>
    public byte Flags { get; internal init; }

    /// <summary>Gets the location of the commit in the log.</summary>
    public PgLogSequenceNumber CommitLsn { get; internal init; }

    /// <summary>Gets the end of the transaction in the log. Confirm this location after the changes have been stored.</summary>
    public PgLogSequenceNumber TransactionEndLsn { get; internal init; }

    /// <summary>Gets when the transaction committed, in UTC.</summary>
    public DateTime TransactionCommitTimestamp { get; internal init; }
}
