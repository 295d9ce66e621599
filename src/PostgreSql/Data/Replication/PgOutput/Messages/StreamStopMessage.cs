namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The end of a block of changes of a transaction that has not ended yet.</summary>
public sealed class StreamStopMessage : PgOutputReplicationMessage
{
    internal StreamStopMessage()
    {
    }
}
