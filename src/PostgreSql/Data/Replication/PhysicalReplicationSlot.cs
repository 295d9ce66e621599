namespace Slipstream.PostgreSql.Replication;

/// <summary>A replication slot for physical replication.</summary>
public class PhysicalReplicationSlot : ReplicationSlot
{
    /// <summary>Describes a slot that exists on the server.</summary>
    /// <param name="slotName">The name of the slot.</param>
    /// <param name="restartLsn">The slot's <c>restart_lsn</c>; null if unknown.</param>
    /// <param name="restartTimeline">The timeline of <paramref name="restartLsn"/>; null if unknown.</param>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    public PhysicalReplicationSlot(string slotName, PgLogSequenceNumber? restartLsn = null, uint? restartTimeline = null)
        : base(slotName) => (RestartLsn, RestartTimeline) = (restartLsn, restartTimeline);

    /// <summary>Gets the slot's <c>restart_lsn</c>: the oldest location that the server keeps for the slot. Null if the slot reserves nothing yet.</summary>
    public PgLogSequenceNumber? RestartLsn { get; }

    /// <summary>Gets the timeline of <see cref="RestartLsn"/>; null if unknown.</summary>
    public uint? RestartTimeline { get; }
}
