namespace Slipstream.PostgreSql.Replication;

/// <summary>What the server does with the snapshot of the database that it takes when it creates a logical replication slot.</summary>
public enum LogicalSlotSnapshotInitMode
{
    /// <summary>
    /// Exports the snapshot, so that other sessions can read the database as it was when the slot was created (SET TRANSACTION SNAPSHOT). This is the server's
    /// default. The snapshot is valid until the next command on the replication connection.
    /// </summary>
    Export = 0,

    /// <summary>Uses the snapshot in the current transaction of the session, whose first command must be the creation of the slot.</summary>
    Use = 1,

    /// <summary>Uses the snapshot for logical decoding only.</summary>
    NoExport = 2,
}
