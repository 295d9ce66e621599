namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The rollback of a streamed transaction, or of one of its subtransactions.</summary>
public class StreamAbortMessage : TransactionControlMessage
{
    internal StreamAbortMessage()
    {
    }

    /// <summary>Gets the subtransaction; the transaction itself if all of it was rolled back.</summary>
    public uint SubtransactionXid { get; internal init; }
}

/// <summary>The rollback of a streamed transaction in the parallel mode, which contains its location in the log.</summary>
public sealed class ParallelStreamAbortMessage : StreamAbortMessage
{
    internal ParallelStreamAbortMessage()
    {
    }

    /// <summary>Gets the location of the rollback in the log.</summary>
    public PgLogSequenceNumber AbortLsn { get; internal init; }

    /// <summary>Gets when the transaction was rolled back, in UTC.</summary>
    public DateTime AbortTimestamp { get; internal init; }
}
