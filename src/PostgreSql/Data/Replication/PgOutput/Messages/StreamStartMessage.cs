namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The beginning of a block of changes of a transaction that has not ended yet.</summary>
public sealed class StreamStartMessage : TransactionControlMessage
{
    internal StreamStartMessage()
    {
    }

    /// <summary>Gets 1 for the first block of the transaction, otherwise 0.</summary>
    public byte StreamSegmentIndicator { get; internal init; }
}
