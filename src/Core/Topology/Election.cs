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

    // No real count of views or timelines advances so far between two answers.
    private const long FarAhead = 1000;

    private readonly long _settledAt = now + settings.ProbeTimeout;
    private readonly ClusterIdentity _identity = new(now + settings.ProbeTimeout);
    private string? _lineage;
    private long _epoch;
    private long _epochSince;
    private bool _isViewShared;
    private HostRecord? _witness;
    private long _witnessedAt;
    private bool _hasMoved;
    private HostRecord? _rival;
    private HostRecord? _reported;

    /// <summary>The primary; null while none is known.</summary>
    public HostRecord? Primary { get; private set; }

    /// <summary>Returns the role of a server's answer, compared with what is known about the others.</summary>
    public HostRole Judge(HostRecord host, RoleAnswer answer, List<HostRecord> hosts, long time)
    {
        if (!_identity.Accepts(host, answer.Cluster, hosts, time, out var hasMoved))
            return HostRole.Foreign;
        if (hasMoved)
            (_hasMoved, _lineage, _epoch, _witness) = (true, null, 0, null);
        if (settings.Writers == WriterRule.Epoch && host == _witness && IsEarlier(answer) && IsAlone(host, hosts))
            Forget();
        if (answer.Role != HostRole.Primary)
            return answer.Role;
        if (settings.Writers == WriterRule.Epoch)
            return IsEarlier(answer) ? HostRole.Outranked : IsFarAhead(host, answer.Lineage, answer.Epoch, hosts) ? HostRole.Joining : HostRole.Primary;
        if (answer.Epoch == 0)
            return HostRole.Primary;
        SeeView(host, answer, hosts);
        // All servers change to a new view at nearly the same time. A server that has not changed is cut off and has not noticed it.
        return IsEarlier(answer) && host.ProbedAt - _epochSince >= ViewChange ? HostRole.Joining : HostRole.Primary;
    }

    /// <summary>Returns whether the last answer has changed which cluster is used. The roles of the other servers must be judged again then.</summary>
    public bool TakeMove()
    {
        var hasMoved = _hasMoved;
        _hasMoved = false;
        return hasMoved;
    }

    /// <summary>Returns whether a server states another identity than that of the cluster.</summary>
    public bool IsForeign(HostRecord host) => _identity.IsForeign(host);

    /// <summary>Returns whether a server says that it is the primary with an epoch that cannot be true: several others are far from it, none is near.</summary>
    public bool Disbelieves(HostRecord host, List<HostRecord> hosts) => settings.Writers == WriterRule.Epoch
        && host.ClaimsToBePrimary && IsFarAhead(host, host.StatedLineage, host.StatedEpoch, hosts);

    /// <summary>A pause of the caller's process proves nothing about the server that stated the latest epoch.</summary>
    public void Forgive(long pause) => _witnessedAt += pause;

    /// <summary>Chooses the primary among the servers that say that they are the primary.</summary>
    public void Hold(List<HostRecord> hosts, long time)
    {
        if (Primary is { ClaimsToBePrimary: false } || (Primary is not null && !hosts.Contains(Primary)))
            Primary = null;
        if (settings.Writers == WriterRule.Epoch)
            ForgetInTime(hosts, time);
        // Writes to the wrong cluster are worse than a short wait.
        if (_identity.IsUndecided(hosts, time))
        {
            (Primary, _rival, _reported) = (null, null, null);
            return;
        }

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
        if (Primary?.Answer is { Epoch: not 0 } answer && settings.Writers == WriterRule.Epoch && !IsEarlier(answer))
            (_lineage, _epoch, _witness, _witnessedAt) = (answer.Lineage, answer.Epoch, Primary, time);
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
        var due = _identity.IsUndecided(hosts, time) ? _identity.SettledAt : Clock.Never;
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

    // A server that stated the latest epoch is remembered while it is away. Otherwise, a former primary that was only paused would take writes. But a standby
    // that was promoted by mistake, and follows again, must not keep the true primary from its callers for ever. Within twice the longest back-off, a server
    // that is down has been asked again at least once, so a short failure is not enough.
    private void ForgetInTime(List<HostRecord> hosts, long time)
    {
        if (_epoch == 0)
            return;
        if (hosts.Exists(host => IsWitness(host, hosts)))
            _witnessedAt = time;
        else if (time - _witnessedAt >= 2 * settings.LongestBackoff || IsFarAhead(_witness, _lineage, _epoch, hosts))
            Forget();
    }

    // A server that was restored to an earlier epoch takes its own statement back, if nothing else has happened since.
    private bool IsAlone(HostRecord host, List<HostRecord> hosts) =>
        (Primary is null || Primary == host) && !hosts.Exists(other => other != host && IsWitness(other, hosts));

    private void Forget() => (_epoch, _witness) = (0, null);

    private bool IsWitness(HostRecord host, List<HostRecord> hosts) => host.IsInUse && !_identity.IsForeign(host) && host.StatedEpoch != 0
        && host.StatedLineage == _lineage && host.StatedEpoch >= _epoch && !IsFarAhead(host, host.StatedLineage, host.StatedEpoch, hosts);

    private bool IsFarAhead(HostRecord? host, string? lineage, long epoch, List<HostRecord> hosts)
    {
        var far = 0;
        foreach (var other in hosts)
        {
            if (other == host || !other.IsInUse || other.StatedEpoch == 0 || other.StatedLineage != lineage || _identity.IsForeign(other))
                continue;
            if (epoch <= FarAhead || other.StatedEpoch >= epoch - FarAhead)
                return false;
            far++;
        }

        return far > 1;
    }

    // With several writers: finds the latest view. One server alone may be wrong about a later view.
    private void SeeView(HostRecord host, RoleAnswer answer, List<HostRecord> hosts)
    {
        if (answer.Lineage == _lineage && answer.Epoch == _epoch)
        {
            _isViewShared = _isViewShared || IsShared(host, answer, hosts);
            return;
        }

        var isShared = IsShared(host, answer, hosts);
        // If no other server is in the latest view, the count of views has started again.
        var isNew = answer.Lineage != _lineage || !hosts.Exists(other => other != host && IsInLatestView(other));
        // With two servers, or an arbitrator that is not listed, nobody else can confirm a view.
        var isLater = answer.Epoch > _epoch && (isShared || hosts.Count < 3);
        // Two servers are right against one that nobody has ever confirmed, such as the first that answered.
        var isCorrection = answer.Epoch < _epoch && isShared && !_isViewShared
            && hosts.Exists(other => other != host && IsInView(other, answer) && other.Answer!.Epoch < _epoch);
        if (isNew || isLater || isCorrection)
            (_lineage, _epoch, _epochSince, _isViewShared) = (answer.Lineage, answer.Epoch, host.ProbedAt, isShared);
    }

    private static bool IsShared(HostRecord host, RoleAnswer answer, List<HostRecord> hosts) => hosts.Exists(other => other != host && IsInView(other, answer));

    private static bool IsInView(HostRecord host, RoleAnswer view) =>
        host.IsInUse && host.Answer is { Role: HostRole.Primary } answer && answer.Lineage == view.Lineage && answer.Epoch >= view.Epoch;

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
        // Who makes a server's transactions read-only by default does not want it to be written to.
        if (one.IsReadOnlyByDefault != other.IsReadOnlyByDefault)
            return other.IsReadOnlyByDefault;
        // At the start, the answers arrive in any order. The list decides, so that all clients choose the same server.
        return isFirst && time < _settledAt;
    }
}
