using Slipstream.Core.Pooling;
using Slipstream.Core.Time;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>
/// The pools of a cluster's servers, which may be added and removed while the cluster is in use. Only the monitor's thread changes them, and the disposal.
/// </summary>
internal sealed class MemberPools : IDisposable
{
    // A caller that has chosen a server before it was removed still leases from its pool.
    private const long LeaseTime = 5000;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, ClusterMember> _byAddress = [];
    private readonly List<ClusterMember> _removed = [];
    private bool _isDisposed;

    /// <summary>Returns the server at an address; null if there is none.</summary>
    public ClusterMember? Find(string address) => _byAddress.GetValueOrDefault(address);

    /// <summary>Returns the server that was removed from an address, if its former pool still has sessions in use; null otherwise.</summary>
    public ClusterMember? FindRemoved(string address) => _removed.Find(one => one.Address == address);

    /// <summary>Adds a server.</summary>
    /// <exception cref="ObjectDisposedException">The cluster was disposed. The server's pool is disposed then, too.</exception>
    public void Add(ClusterMember member)
    {
        lock (_gate)
        {
            if (_isDisposed)
            {
                member.Sessions.Dispose();
                throw DisposedSource.Refuse(null);
            }

            _removed.Remove(member);
            _byAddress[member.Address] = member;
            member.IsRemoved = false;
        }
    }

    /// <summary>Removes a server. Its pool ends with its last session, or with the drain time.</summary>
    /// <param name="member">The server.</param>
    /// <param name="drainedAt">When its sessions are ended.</param>
    public void Remove(ClusterMember member, long drainedAt)
    {
        lock (_gate)
        {
            _byAddress.Remove(member.Address);
            if (!_isDisposed)
                _removed.Add(member);
        }

        (member.IsRemoved, member.RemovedAt, member.RemovedUntil) = (true, Clock.Now, drainedAt);
        member.Sessions.Clear();
    }

    /// <summary>Ends the pools of removed servers that are no longer in use.</summary>
    public void EndRemoved(long now)
    {
        for (var at = _removed.Count - 1; at >= 0; at--)
        {
            var member = _removed[at];
            if (member.RemovedUntil > now && (member.Sessions.Load > 0 || now - member.RemovedAt < LeaseTime))
                continue;
            lock (_gate)
                _removed.RemoveAt(at);
            member.Sessions.Cut("its server was removed from the cluster, and the drain time has ended", static (_, _) => true, 0L);
            member.Sessions.Dispose();
        }
    }

    /// <summary>Returns the state of a cluster that follows from a snapshot.</summary>
    /// <param name="snapshot">The servers.</param>
    /// <param name="former">The state before.</param>
    public ClusterState Follow(TopologySnapshot snapshot, ClusterState former) => snapshot.HasSameHosts(former.Snapshot)
        ? new(snapshot, former.Members)
        : new(snapshot, Array.ConvertAll(snapshot.Hosts, host => _byAddress[host.Address]));

    /// <inheritdoc/>
    public void Dispose()
    {
        ClusterMember[] members;
        lock (_gate)
        {
            _isDisposed = true;
            members = [.. _byAddress.Values, .. _removed];
            _removed.Clear();
        }

        foreach (var member in members)
            member.Sessions?.Dispose();
    }
}
