namespace Slipstream.PostgreSql.Replication;

/// <summary>What is known about a logical replication slot.</summary>
public readonly struct ReplicationSlotOptions
{
    /// <summary>Describes a slot.</summary>
    /// <param name="slotName">The name of the slot.</param>
    /// <param name="consistentPoint">The location from which the slot can be streamed, such as <c>16/B374D848</c>; null if unknown.</param>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    /// <exception cref="FormatException">The location is not one.</exception>
    public ReplicationSlotOptions(string slotName, string? consistentPoint = null)
        : this(slotName, consistentPoint is null ? default : PgLogSequenceNumber.Parse(consistentPoint))
    {
    }

    /// <inheritdoc cref="ReplicationSlotOptions(string, string)"/>
    /// <param name="slotName">The name of the slot.</param>
    /// <param name="consistentPoint">The location from which the slot can be streamed.</param>
    public ReplicationSlotOptions(string slotName, PgLogSequenceNumber consistentPoint)
        : this(slotName, consistentPoint, null)
    {
    }

    internal ReplicationSlotOptions(string slotName, PgLogSequenceNumber consistentPoint, string? snapshotName)
    {
        ArgumentNullException.ThrowIfNull(slotName);
        (SlotName, ConsistentPoint, SnapshotName) = (slotName, consistentPoint, snapshotName);
    }

    /// <summary>Gets the name of the slot.</summary>
    public string SlotName { get; }

    /// <summary>Gets the location from which the slot can be streamed; <see cref="PgLogSequenceNumber.Invalid"/> if unknown.</summary>
    public PgLogSequenceNumber ConsistentPoint { get; }

    internal string? SnapshotName { get; }
}
