namespace Slipstream.Core.Topology;

/// <summary>The answer of a server to the probe: what it says about itself. What it says about others is only a hint.</summary>
/// <param name="Role">Unknown, Primary, ReadOnly, Replica or Joining.</param>
internal sealed record RoleAnswer(HostRole Role)
{
    /// <summary>Identifies the cluster; null if the server does not say it. Servers of different clusters must not serve one data source.</summary>
    public string? Cluster { get; init; }

    /// <summary>
    /// Identifies the count in which <see cref="Epoch"/> is a number: only epochs of the same lineage are comparable. A count that begins again, as that of a
    /// group that was created anew, has another lineage.
    /// </summary>
    public string? Lineage { get; init; }

    /// <summary>Increases whenever another server may have become the primary; 0 if the database has no such number.</summary>
    public long Epoch { get; init; }

    /// <summary>How far a replica is behind its primary, in milliseconds; null if it is unknown.</summary>
    public long? Lag { get; init; }

    /// <summary>How much of the primary's log the server has executed, in the database's own notation; null if it is unknown.</summary>
    public string? Position { get; init; }
}
