namespace Slipstream.Core.Topology;

/// <summary>
/// Decides which cluster is the one of the data source, if its servers state several. One of them may be listed by mistake, so the number of servers decides,
/// not the order of their answers.
/// </summary>
/// <param name="settledAt">The time after which the start is over: until then, answers arrive in any order.</param>
internal sealed class ClusterIdentity(long settledAt)
{
    private string? _known;

    /// <summary>Returns whether a server may be used that states this identity, or none. Its answer may change which cluster is used.</summary>
    /// <param name="host">The server.</param>
    /// <param name="cluster">What it states; null if it states no identity.</param>
    /// <param name="hosts">All servers.</param>
    /// <param name="time">The time.</param>
    /// <param name="hasChanged">Whether the answer has changed which cluster is used.</param>
    public bool Accepts(HostRecord host, string? cluster, List<HostRecord> hosts, long time, out bool hasChanged)
    {
        hasChanged = cluster is not null && cluster != _known && (_known is null || IsPreferred(host, cluster, hosts, time));
        if (hasChanged)
            _known = cluster;
        return cluster is null || cluster == _known;
    }

    /// <summary>Returns whether a server states another identity than that of the cluster.</summary>
    public bool IsForeign(HostRecord host) => host.Cluster is { } cluster && cluster != _known;

    /// <summary>Returns whether servers contradict each other, and others, which could decide, may still answer.</summary>
    public bool IsUndecided(List<HostRecord> hosts, long time) =>
        time < settledAt && hosts.Exists(IsForeign) && hosts.Exists(static host => host.State == HostState.Unknown);

    /// <summary>Returns the time until which <see cref="IsUndecided"/> may hold without a new observation.</summary>
    public long SettledAt => settledAt;

    private bool IsPreferred(HostRecord host, string cluster, List<HostRecord> hosts, long time)
    {
        // A server of the cluster that now states another identity was set up again. It is accepted when no server of the former cluster answers.
        if (host.Cluster == _known && !hosts.Exists(other => other != host && other.Cluster == _known && other.IsInUse))
            return true;
        var isStart = time < settledAt;
        var (ours, theirs) = (0, 1);
        var (isOursFirst, isTheirsFirst) = (false, false);
        foreach (var other in hosts)
        {
            if (other == host || (other.Cluster == cluster && other.IsInUse))
            {
                isTheirsFirst = isTheirsFirst || !isOursFirst;
                theirs += other == host ? 0 : 1;
            }
            else if (IsOurs(other, isStart))
            {
                isOursFirst = isOursFirst || !isTheirsFirst;
                ours++;
            }
        }

        return theirs > ours || (isStart && theirs == ours && isTheirsFirst);
    }

    // Servers that are only down, or have not answered yet, still belong to the cluster: a server that is listed by mistake does not take their place.
    private bool IsOurs(HostRecord host, bool isStart) =>
        host.Cluster == _known || (!isStart && host.Cluster is null && host.State is HostState.Unknown or HostState.Suspect);
}
