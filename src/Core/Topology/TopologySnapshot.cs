using Slipstream.Core.Causality;

namespace Slipstream.Core.Topology;

/// <summary>A server at one moment. Times are in milliseconds of the machine's clock.</summary>
/// <param name="Address">The server's address.</param>
/// <param name="State">Whether the server answers.</param>
/// <param name="Role">What the server may be used for.</param>
internal sealed record HostStatus(string Address, HostState State, HostRole Role)
{
    /// <summary>Whether a probe has been unanswered for longer than the limit. Then other servers are preferred.</summary>
    public bool IsSilent { get; init; }

    /// <summary>Increases with each retirement. Sessions of earlier generations are closed.</summary>
    public long Generation { get; init; }

    /// <summary>The epoch that the server has reported; 0 if there is none.</summary>
    public long Epoch { get; init; }

    /// <summary>Whether the server is a primary whose transactions are read-only by default.</summary>
    public bool IsReadOnlyByDefault { get; init; }

    /// <summary>Smoothed time for an answer to a probe, in milliseconds; null before the first answer.</summary>
    public double? RoundTrip { get; init; }

    /// <summary>How far the server is behind its primary; null if unknown.</summary>
    public long? Lag { get; init; }

    /// <summary>How much of the primary's log the server has executed; null if unknown.</summary>
    public string? Position { get; init; }

    /// <summary>The same, for comparisons; null if unknown.</summary>
    public LogPosition? Executed { get; init; }

    /// <summary>When the question was sent whose answer has the position. A session that is older belongs to the same process of the server.</summary>
    public long ExecutedAt { get; init; }

    /// <summary>When the server reached its state and role.</summary>
    public long Since { get; init; }

    /// <summary>When the server last answered a probe; null if never.</summary>
    public long? AnsweredAt { get; init; }

    /// <summary>The last error; null if there was none since the last answer.</summary>
    public string? Error { get; init; }

    /// <summary>Whether sessions of the server may be leased at all.</summary>
    public bool IsUsable => IsInUse(State) && MayServe(Role);

    /// <summary>Returns whether sessions of a server in this state may be in use.</summary>
    public static bool IsInUse(HostState state) => state is HostState.Up or HostState.Suspect;

    /// <summary>Returns whether a server with this role may serve callers.</summary>
    public static bool MayServe(HostRole role) => role is HostRole.Primary or HostRole.ReadOnly or HostRole.Replica;
}

/// <summary>All servers at one moment.</summary>
/// <param name="Version">Increases with each snapshot.</param>
/// <param name="Hosts">The servers in order of preference.</param>
/// <param name="PrimaryIndex">The index of the primary; -1 while none is known.</param>
internal sealed record TopologySnapshot(long Version, HostStatus[] Hosts, int PrimaryIndex)
{
    /// <summary>Which of several servers that accept writes is the primary. With <see cref="WriterRule.First"/>, the others serve as replicas.</summary>
    public WriterRule Writers { get; init; }

    /// <summary>The primary; null while none is known.</summary>
    public HostStatus? Primary => PrimaryIndex < 0 ? null : Hosts[PrimaryIndex];

    /// <summary>Returns what a server is used for. With <see cref="WriterRule.First"/>, only one of the servers that accept writes is the primary.</summary>
    public HostRole RoleOf(int at) =>
        Writers == WriterRule.First && Hosts[at].Role == HostRole.Primary && at != PrimaryIndex ? HostRole.Replica : Hosts[at].Role;

    /// <summary>Returns whether the state or the role of a server differs from a former snapshot. A server that was not listed then has changed.</summary>
    public bool HasChanged(TopologySnapshot former, int at) => former.Find(Hosts[at].Address, at) is not (>= 0 and var then)
        || Hosts[at].State != former.Hosts[then].State || RoleOf(at) != former.RoleOf(then);

    /// <summary>Returns whether a former snapshot has the same servers in the same order.</summary>
    public bool HasSameHosts(TopologySnapshot former)
    {
        if (Hosts.Length != former.Hosts.Length)
            return false;
        for (var at = 0; at < Hosts.Length; at++)
            if (Hosts[at].Address != former.Hosts[at].Address)
                return false;
        return true;
    }

    /// <summary>Returns the index of a server; -1 if it is not listed.</summary>
    /// <param name="address">The address.</param>
    /// <param name="likely">The index at which it probably is.</param>
    public int Find(string address, int likely = 0) => likely < Hosts.Length && Hosts[likely].Address == address
        ? likely
        : Array.FindIndex(Hosts, host => host.Address == address);
}
