namespace Slipstream.PostgreSql.Replication;

/// <summary>The base class of the messages of a replication stream.</summary>
public abstract class ReplicationMessage
{
    /// <summary>Creates a message without content.</summary>
    protected ReplicationMessage()
    {
    }

    /// <summary>Gets the location in the write-ahead log at which the data of the message begins.</summary>
    public PgLogSequenceNumber WalStart { get; private set; }

    /// <summary>Gets the end of the write-ahead log on the server.</summary>
    public PgLogSequenceNumber WalEnd { get; private set; }

    /// <summary>Gets when the server sent the message, in UTC.</summary>
    public DateTime ServerClock { get; private set; }

    internal void Set(PgLogSequenceNumber walStart, PgLogSequenceNumber walEnd, DateTime serverClock) =>
        (WalStart, WalEnd, ServerClock) = (walStart, walEnd, serverClock);
}
