using Slipstream.Core.Time;

namespace Slipstream.Core.Topology;

/// <summary>
/// Decides which server is the primary. A server can name only itself. If several servers do, the later epoch decides. If their epochs do not differ, the
/// known primary stays, because a change would divide the writes of one client between two servers.
/// </summary>
/// <param name="settings">The rules.</param>
/// <param name="now">The time at which the data source was created.</param>
internal sealed class Election(TopologySettings settings, long now)
{
    // Time in milliseconds for which the servers of a cluster may report different views.
    private const long ViewChange = 1000;

    private readonly long _settledAt = now + settings.ProbeTimeout;
    private string? _cluster;
    private string? _lineage;
    private long _epoch;
    private long _epochSince;
    private HostRecord? _rival;
    private HostRecord? _reported;

    /// <summary>The primary; null while none is known.</summary>
    public HostRecord? Primary { get; private set; }

    /// <summary>Returns the role of a server's answer, compared with what is known about the others.</summary>
    public HostRole Judge(HostRecord host, RoleAnswer answer, List<HostRecord> hosts)
    {
        if (answer.Cluster is { } cluster && cluster != _cluster)
        {
            if (_cluster is not null && hosts.Exists(other => other != host && IsPreferred(other, host)))
                return HostRole.Foreign;
            (_cluster, _lineage, _epoch) = (cluster, null, 0);
        }

        if (answer.Role != HostRole.Primary)
            return answer.Role;
        if (settings.Writers == WriterRule.Epoch)
            return IsEarlier(answer) ? HostRole.Outranked : HostRole.Primary;
        if (answer.Epoch == 0)
            return HostRole.Primary;
        // If no other server is in the latest view, the count of views has started again.
        if (answer.Lineage != _lineage || answer.Epoch > _epoch || !hosts.Exists(other => other != host && IsInLatestView(other)))
            (_lineage, _epoch, _epochSince) = (answer.Lineage, answer.Epoch, host.ProbedAt);
        // All servers change to a new view at nearly the same time. A server that has not changed is cut off and has not noticed it.
        return IsEarlier(answer) && host.ProbedAt - _epochSince >= ViewChange ? HostRole.Joining : HostRole.Primary;
    }

    /// <summary>Chooses the primary among the servers that say that they are the primary.</summary>
    public void Hold(List<HostRecord> hosts, long time)
    {
        if (Primary is { ClaimsToBePrimary: false } || (Primary is not null && !hosts.Contains(Primary)))
            Primary = null;
        HostRecord? rival = null;
        foreach (var host in hosts)
        {
            if (!host.ClaimsToBePrimary || host == Primary)
                continue;
            if (Primary is null || Precedes(host, Primary, hosts, time))
                Primary = host;
            else if (settings.Writers == WriterRule.Epoch && !IsEarlier(host.Answer!))
                rival = host;
        }

        // A primary that cannot report its epoch does not make the known epoch invalid.
        if (Primary?.Answer is { Epoch: not 0 } answer && settings.Writers == WriterRule.Epoch)
            (_lineage, _epoch) = (answer.Lineage, answer.Lineage == _lineage ? Math.Max(_epoch, answer.Epoch) : answer.Epoch);
        // The loop may have found the rival before it reached a server that precedes both.
        _rival = rival is not null && rival != Primary && !IsEarlier(rival.Answer!) ? rival : null;
        if (_rival is null)
            _reported = null;
    }

    /// <summary>Returns whether a server says that it is the primary, and belongs to an earlier epoch than the primary.</summary>
    public bool Outranks(HostRecord host) =>
        settings.Writers == WriterRule.Epoch && host != Primary && host.Role == HostRole.Primary && host.Answer is { } answer && IsEarlier(answer);

    /// <summary>Returns whether other servers, all of which accept writes, have reported a later view than this one.</summary>
    public bool IsLeftBehind(HostRecord host) => settings.Writers == WriterRule.First && host.Answer is { } answer && IsEarlier(answer);

    /// <summary>Returns a server that says that it is the primary although another one is known; null if there is none, or it was reported before.</summary>
    public HostRecord? TakeRival()
    {
        if (_rival == _reported)
            return null;
        _reported = _rival;
        return _rival;
    }

    /// <summary>Returns the time at which the choice may change without a new observation.</summary>
    public long DueAt(List<HostRecord> hosts, long time)
    {
        var due = Clock.Never;
        if (settings.Writers != WriterRule.First || Primary is null)
            return due;
        foreach (var host in hosts)
        {
            if (host == Primary)
                break;
            if (host.ClaimsToBePrimary && host.SteadySince != Clock.Never && host.SteadySince + settings.SettleTime > time)
                due = Math.Min(due, host.SteadySince + settings.SettleTime);
        }

        return due;
    }

    // A server of the cluster that now states another identity was set up again. It is accepted when no server of the former cluster answers. Any other
    // server may be listed by mistake. It does not take the place of servers that are only down, or have not answered yet.
    private bool IsPreferred(HostRecord other, HostRecord host) => host.Cluster == _cluster
        ? other.Cluster == _cluster && other.IsInUse
        : other.Cluster == _cluster || (other.Cluster is null && other.State is HostState.Unknown or HostState.Suspect);

    private bool IsInLatestView(HostRecord host) =>
        host.ClaimsToBePrimary && host.Answer is { } answer && answer.Lineage == _lineage && answer.Epoch >= _epoch;

    private bool IsSteady(HostRecord host, long time) => host.State == HostState.Up && IsInTime(host, time);

    // A lost session makes the next probe due. Only the result of that probe may move the writes.
    private bool Stays(HostRecord primary, long time) =>
        IsInTime(primary, time) && (primary.State == HostState.Up || primary is { State: HostState.Suspect, Misses: 0 });

    private bool IsInTime(HostRecord host, long time) => !host.IsSilent(host.LateAfter(settings), time);

    private bool IsEarlier(RoleAnswer answer) => answer.Epoch != 0 && answer.Lineage == _lineage && answer.Epoch < _epoch;

    private bool Precedes(HostRecord host, HostRecord primary, List<HostRecord> hosts, long time)
    {
        var isFirst = hosts.IndexOf(host) < hosts.IndexOf(primary);
        if (settings.Writers == WriterRule.First)
            return IsSteady(host, time) && (!Stays(primary, time) || (isFirst && (time < _settledAt || time - host.SteadySince >= settings.SettleTime)));
        var (one, other) = (host.Answer!, primary.Answer!);
        if (one.Lineage == other.Lineage && one.Epoch != other.Epoch && one.Epoch != 0 && other.Epoch != 0)
            return one.Epoch > other.Epoch;
        // At the start, the answers arrive in any order. The list decides, so that all clients choose the same server.
        return isFirst && time < _settledAt;
    }
}
