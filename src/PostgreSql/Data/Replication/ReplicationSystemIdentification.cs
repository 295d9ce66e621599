namespace Slipstream.PostgreSql.Replication;

/// <summary>What a server reports about itself: the result of <see cref="ReplicationConnection.IdentifySystem"/>.</summary>
public class ReplicationSystemIdentification
{
    internal ReplicationSystemIdentification(string systemId, uint timeline, PgLogSequenceNumber xLogPos, string? dbName) =>
        (SystemId, Timeline, XLogPos, DbName) = (systemId, timeline, xLogPos, dbName);

    /// <summary>Gets the unique identifier of the database cluster. A standby has that of its primary.</summary>
    public string SystemId { get; }

    /// <summary>Gets the current timeline.</summary>
    public uint Timeline { get; }

    /// <summary>Gets the location up to which the log is stored durably.</summary>
    public PgLogSequenceNumber XLogPos { get; }

    /// <summary>Gets the database of the connection; null in physical replication.</summary>
    public string? DbName { get; }
}
