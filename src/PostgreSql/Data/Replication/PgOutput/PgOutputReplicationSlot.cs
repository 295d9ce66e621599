using Slipstream.PostgreSql.Replication.Internal;

namespace Slipstream.PostgreSql.Replication.PgOutput;

/// <summary>A replication slot of the plug-in pgoutput.</summary>
public class PgOutputReplicationSlot : LogicalReplicationSlot
{
    internal const string Plugin = "pgoutput";

    /// <summary>Describes a slot that exists on the server.</summary>
    /// <param name="slotName">The name of the slot.</param>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    public PgOutputReplicationSlot(string slotName)
        : this(new ReplicationSlotOptions(slotName))
    {
    }

    /// <inheritdoc cref="PgOutputReplicationSlot(string)"/>
    /// <param name="options">What is known about the slot.</param>
    public PgOutputReplicationSlot(ReplicationSlotOptions options)
        : base(Plugin, options)
    {
    }

    /// <summary>Copies a slot, for derived classes.</summary>
    /// <param name="slot">The slot.</param>
    protected PgOutputReplicationSlot(PgOutputReplicationSlot slot)
        : base(
            Plugin,
            new ReplicationSlotOptions((slot ?? throw new ArgumentNullException(nameof(slot))).Name, slot.ConsistentPoint, slot.SnapshotName))
    {
    }
}
