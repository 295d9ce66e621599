namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The beginning of a transaction that has committed.</summary>
public sealed class BeginMessage : TransactionControlMessage
{
    internal BeginMessage()
    {
    }

    /// <summary>Gets the location of the transaction's commit in the log.</summary>
    public PgLogSequenceNumber TransactionFinalLsn { get; internal init; }

    /// <summary>Gets when the transaction committed, in UTC.</summary>
    public DateTime TransactionCommitTimestamp { get; internal init; }
}
