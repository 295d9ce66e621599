namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The server on which the transaction that follows was executed first.</summary>
public sealed class OriginMessage : PgOutputReplicationMessage
{
    internal OriginMessage()
    {
    }

    /// <summary>Gets the location of the commit in the log of the origin.</summary>
    public PgLogSequenceNumber OriginCommitLsn { get; internal init; }

    /// <summary>Gets the name of the origin.</summary>
    public string OriginName { get; internal init; } = "";
}
