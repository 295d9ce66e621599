using Slipstream.Core.Errors;
using Slipstream.Core.Time;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Clusters;

/// <summary>The servers that are added and removed while the cluster is in use. Only the monitor's thread changes them, and the disposal.</summary>
internal sealed partial class Cluster
{
    // A caller that has chosen a server before it was removed still leases from its pool.
    private const long LeaseTime = 5000;

    // Number of refusals in the message of an exception. The log has all of them.
    private const int MostDescribed = 3;

    private readonly Func<Endpoint, ClusterMember>? _open;
    private readonly SourcePoll? _poll;
    private readonly Dictionary<string, ClusterMember> _byAddress = [];
    private readonly List<ClusterMember> _removed = [];
    private readonly HashSet<(string, string)> _refusals = [];

    HostProber? ITopologyListener.Add(string address, bool isReported)
    {
        if (_open is null)
            return null;
        try
        {
            // Its former pool may still have sessions in use.
            var member = _removed.Find(one => one.Address == address) ?? _open(_options.Rules.EndpointOf(address));
            var prober = Join(member);
            Report(observer => observer.ServerAdded(address, isReported));
            return prober;
        }
        catch (Exception exception)
        {
            // Its pool could not be created, such as without a readable certificate.
            if (!IsDisposed)
                TellRefused(address, exception.Message);
            return null;
        }
    }

    void ITopologyListener.Refused(string address, string because) => TellRefused(address, because);

    private HostProber Join(ClusterMember member)
    {
        lock (_gate)
        {
            if (_isDisposed)
            {
                member.Sessions.Dispose();
                throw Pooling.DisposedSource.Refuse(null);
            }

            _removed.Remove(member);
            _byAddress[member.Address] = member;
            member.IsRemoved = false;
        }

        (member.Report, member.Domain) = (_monitor.Report, this);
        // Three limits of a probe: a login takes several round trips.
        var openTimeout = (int)Math.Min(int.MaxValue, 3 * _options.Topology.ProbeTimeout);
        return new(member.Endpoint, member.Opener, member.Probe, openTimeout, member.Hearing(_monitor.Report));
    }

    private void Remove(ClusterMember member, string because)
    {
        lock (_gate)
        {
            _byAddress.Remove(member.Address);
            if (!_isDisposed)
                _removed.Add(member);
        }

        (member.IsRemoved, member.RemovedAt) = (true, Clock.Now);
        member.Sessions.Clear();
        Divert(member);
        if (member.DrainedAt == Clock.Never)
            member.DrainedAt = Clock.Now + _options.DrainTimeout;
        Report(observer => observer.ServerRemoved(member.Address, because));
    }

    // The pool of a removed server ends with its last session, or with the drain time.
    private void EndRemoved(long now)
    {
        for (var at = _removed.Count - 1; at >= 0; at--)
        {
            var member = _removed[at];
            if (member.DrainedAt > now && (member.Sessions.Load > 0 || now - member.RemovedAt < LeaseTime))
                continue;
            lock (_gate)
                _removed.RemoveAt(at);
            member.Sessions.Cut("its server was removed from the cluster, and the drain time has ended", static (_, _) => true, 0L);
            member.Sessions.Dispose();
        }
    }

    private void DisposeMembers()
    {
        ClusterMember[] members;
        lock (_gate)
        {
            members = [.. _byAddress.Values, .. _removed];
            _removed.Clear();
        }

        foreach (var member in members)
            member.Sessions?.Dispose();
    }

    // The pools of a snapshot's servers.
    private ClusterState Follow(TopologySnapshot snapshot) => snapshot.HasSameHosts(_state.Snapshot)
        ? new(snapshot, _state.Members)
        : new(snapshot, Array.ConvertAll(snapshot.Hosts, host => _byAddress[host.Address]));

    private (string By, string Because)[] Refusals
    {
        get
        {
            lock (_refusals)
                return [.. _refusals.Take(MostDescribed)];
        }
    }

    // Once for each reason, because a server answers every second.
    private void TellRefused(string by, string because)
    {
        lock (_refusals)
        {
            if (_refusals.Count >= SelectionLimits.MostHosts * 2 || !_refusals.Add((by, because)))
                return;
        }

        Report(observer => observer.MembersRefused(by, ServerText.OneLine(because, 1000)));
    }

    private void TellFailed(Exception exception) => Report(observer => observer.SourceFailed(exception));

    private void Report(Action<IClusterObserver> tell)
    {
        try
        {
            if (Observer is { } observer)
                tell(observer);
        }
        catch (Exception)
        {
            // An exception of the application's logger must not keep the monitor from its work.
        }
    }
}
