using Slipstream.Core.Causality;

namespace Slipstream.Core.Topology;

/// <summary>A server's answer to the probe: what it says about itself. What it says about other servers is only a hint.</summary>
/// <param name="Role">Unknown, Primary, ReadOnly, Replica or Joining.</param>
internal sealed record RoleAnswer(HostRole Role)
{
    /// <summary>Identifies the cluster; null if the server does not state it. Servers of different clusters must not serve one data source.</summary>
    public string? Cluster { get; init; }

    /// <summary>
    /// Identifies the count to which <see cref="Epoch"/> belongs. Only epochs of the same lineage are comparable. If a count begins again, such as that
    /// of a group that was created again, it has another lineage.
    /// </summary>
    public string? Lineage { get; init; }

    /// <summary>Increases whenever another server may have become the primary; 0 if the database has no such number.</summary>
    public long Epoch { get; init; }

    /// <summary>Whether transactions are read-only by default, although the server is a primary.</summary>
    public bool IsReadOnlyByDefault { get; init; }

    /// <summary>Which of several servers that accept writes is the primary, if the server states it; null: as configured.</summary>
    public WriterRule? Writers { get; init; }

    /// <summary>How far a replica is behind its primary, in milliseconds; null if unknown.</summary>
    public long? Lag { get; init; }

    /// <summary>How much of the primary's log the server has executed, in the database's own notation; null if unknown.</summary>
    public string? Position { get; init; }

    /// <summary>The same, for comparisons; null if unknown.</summary>
    public LogPosition? Executed { get; init; }

    /// <summary>The members of the cluster as the server knows them; null if it was not asked, or does not state them.</summary>
    public MemberList? Members { get; init; }
}
