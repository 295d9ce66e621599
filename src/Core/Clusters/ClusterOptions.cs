using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>What a cluster's owner decides. Times are in milliseconds.</summary>
internal sealed record ClusterOptions
{
    /// <summary>The rules of the topology.</summary>
    public TopologySettings Topology { get; init; } = new();

    /// <summary>The limits that a server must meet to be chosen.</summary>
    public SelectionLimits Limits { get; init; } = new(LocalThreshold: -1);

    /// <summary>Whether leases spread over all servers that suit. If not, the first one of the list is used as long as its pool has room.</summary>
    public bool Balances { get; init; }

    /// <summary>Time limit of the wait for a server; 0: that of the caller.</summary>
    public long SelectionTimeout { get; init; }

    /// <summary>How long sessions in use may stay at a server that was retired.</summary>
    public long DrainTimeout { get; init; } = 30_000;

    /// <summary>How long a replica may take to execute the writes that a caller must see.</summary>
    public long CausalReadTimeout { get; init; } = 50;

    /// <summary>Maximum number of callers that wait for a server.</summary>
    public int MostWaiting { get; init; } = 1000;

    /// <summary>Which servers may be used that are not in the connection string.</summary>
    public MemberRules Rules { get; init; } = new();

    /// <summary>Whether the servers are asked for the members of their cluster.</summary>
    public bool Discovers { get; init; }

    /// <summary>Names the servers; null if only the connection string does.</summary>
    public ITopologySource? Source { get; init; }

    /// <summary>Whether there may be more servers than those of the connection string.</summary>
    public bool MayGrow => Discovers || Source is not null;
}
