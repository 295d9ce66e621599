namespace Slipstream.PostgreSql.Replication.Internal;

/// <summary>A logical replication slot of the server. Each plug-in has a class of its own.</summary>
public abstract class LogicalReplicationSlot : ReplicationSlot
{
    /// <summary>Describes a slot.</summary>
    /// <param name="outputPlugin">The plug-in for which the slot was created.</param>
    /// <param name="replicationSlotOptions">What is known about the slot.</param>
    /// <exception cref="ArgumentNullException">The plug-in or the name of the slot is null.</exception>
    protected LogicalReplicationSlot(string outputPlugin, ReplicationSlotOptions replicationSlotOptions)
        : base(replicationSlotOptions.SlotName)
    {
        ArgumentNullException.ThrowIfNull(outputPlugin);
        (OutputPlugin, SnapshotName, ConsistentPoint) = (outputPlugin, replicationSlotOptions.SnapshotName, replicationSlotOptions.ConsistentPoint);
    }

    /// <summary>
    /// Gets the name of the snapshot that the server exported when it created the slot; null if it exported none. It is valid until the next command on the
    /// replication connection.
    /// </summary>
    public string? SnapshotName { get; }

    /// <summary>Gets the name of the plug-in.</summary>
    public string OutputPlugin { get; }

    /// <summary>Gets the first location from which the slot can be streamed; <see cref="PgLogSequenceNumber.Invalid"/> if unknown.</summary>
    public PgLogSequenceNumber ConsistentPoint { get; }
}
