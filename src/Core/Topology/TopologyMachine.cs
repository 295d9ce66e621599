using Slipstream.Core.Time;

namespace Slipstream.Core.Topology;

/// <summary>
/// Decides which servers may be used for what, when each is probed, and when its sessions end. It takes observations and returns decisions. It does no I/O,
/// never waits, and uses neither threads nor a clock, so that tests and the simulation control both.
/// </summary>
internal sealed class TopologyMachine
{
    private readonly TopologySettings _settings;
    private readonly ProbeSchedule _schedule;
    private readonly Election _election;
    private readonly List<TopologyDecision> _decisions = [];
    private List<HostRecord> _hosts;
    private long _now;
    private long _probes;
    private long _firstGeneration;
    private bool _isRuleStated;

    /// <param name="settings">The rules.</param>
    /// <param name="hosts">The addresses, in order of preference.</param>
    /// <param name="now">The time.</param>
    /// <param name="jitter">Returns a number from 0 to below 1, so that many clients do not probe at the same moment.</param>
    public TopologyMachine(TopologySettings settings, IReadOnlyList<string> hosts, long now, Func<double> jitter)
    {
        // The rule for writers is this machine's own.
        (_settings, _now) = (settings with { }, now);
        _schedule = new(_settings, jitter);
        _election = new(_settings, now);
        _hosts = [.. Distinct(hosts).Select(host => new HostRecord(host, now, 0))];
        DueAt = now;
        Snapshot = new(1, [.. _hosts.Select(static host => host.ToStatus(false))], -1) { Writers = settings.Writers };
    }

    /// <summary>All servers as they are known now. A change replaces the whole snapshot.</summary>
    public TopologySnapshot Snapshot { get; private set; }

    /// <summary>When the machine must be called next, with <see cref="TimePassed"/> if there is no other observation.</summary>
    public long DueAt { get; private set; }

    /// <summary>When the search for a primary began; <see cref="Clock.Never"/> if there is no search.</summary>
    public long SearchedSince => _schedule.SearchedSince;

    /// <summary>Takes an observation. Returns the decisions; the list is valid until the next call.</summary>
    public IReadOnlyList<TopologyDecision> Take(Observation observation)
    {
        _decisions.Clear();
        _now = Math.Max(_now, observation.At);
        ForgivePause();
        HostRecord? back = null;
        switch (observation)
        {
            case ProbeAnswered answered when Asked(answered.Host, answered.Number) is { } host:
                back = host.State == HostState.Suspect || host.IsSilent(host.LateAfter(_settings), _now) ? host : null;
                host.EndProbe();
                Answered(host, answered.Answer, answered.AskedAt);
                break;
            case ProbeFailed failed when Asked(failed.Host, failed.Number) is { } host:
                host.EndProbe();
                Failed(host, failed);
                break;
            case HostDoubted doubted when Find(doubted.Host) is { } host && host.Generation <= doubted.Generation:
                Doubted(host, doubted);
                break;
            case HostsListed listed:
                Listed(listed.Hosts);
                break;
        }

        foreach (var host in _hosts)
        {
            if (host.IsSilent(host.LateAfter(_settings), _now))
                host.Unsettle();
            if (host.IsSilent(_settings.ProbeTimeout, _now))
                NotAnswered(host);
        }

        Elect();
        foreach (var host in _hosts)
            if (MustCut(host) && host.TakeCut())
                Add(TopologyAction.Cut, host, reason: "It does not answer, and the other servers go on without it.");
        // Again and again, and once more when it answers again: its successor may not have been the primary yet when it was asked first.
        foreach (var host in _hosts)
            if (IsAwaited(host) || (host == back && host == _election.Primary))
                HurryOthers(host);
        foreach (var host in _hosts)
            if (host.Probe == 0 && host.NextProbeAt <= _now)
                Probe(host);
        Publish();
        return _decisions;
    }

    private HostRecord? Find(string address) => _hosts.Find(host => host.Address == address);

    private HostRecord? Asked(string address, long number) => Find(address) is { } host && number != 0 && host.Probe == number ? host : null;

    // The process was paused, or the monitor's thread got no processor time. Answers may have arrived that nothing has read yet.
    private void ForgivePause()
    {
        var pause = _now - Math.Max(DueAt, 0);
        if (pause < _settings.PauseLimit)
            return;
        foreach (var host in _hosts)
            host.Forgive(
                pause, _settings.PauseLimit, pause >= _settings.SilenceLimit, pause >= _settings.SilencesUntilCut * _settings.ProbeTimeout, _now);
        _schedule.Forgive(pause);
        _election.Forgive(pause);
    }

    private void Answered(HostRecord host, RoleAnswer answer, long? askedAt = null)
    {
        answer = host.Complete(answer);
        TakeRule(host, answer);
        var (state, stated) = (host.State, host.StatedRole);
        host.Answered(answer, _election.Judge(host, answer, _hosts, _now), askedAt, _now);
        if (state is HostState.Dead or HostState.Leaving)
        {
            Add(TopologyAction.Admit, host);
            // The next probe was scheduled for a dead server: up to ten seconds later.
            _schedule.Shorten(host, isPrimary: false, _now);
        }

        if (host.StatedRole != stated
            && (stated == HostRole.Primary || (HostStatus.MayServe(stated) && host.StatedRole is HostRole.Outranked or HostRole.Foreign)))
            Retire(host, $"It was {stated}, and is {host.StatedRole}.");
        if (_election.TakeMove())
            JudgeOthers(host);
    }

    // The rule counts for all servers, so one that cannot be used, or contradicts the majority, must not change it. If as many state one rule as the other, the
    // primary decides.
    private void TakeRule(HostRecord host, RoleAnswer answer)
    {
        if (answer.Writers is not { } writers || !HostStatus.MayServe(answer.Role) || (answer.Cluster is not null && host.Role == HostRole.Foreign))
            return;
        host.States(writers);
        if (writers == _settings.Writers && _isRuleStated)
            return;
        var (same, other) = (1, 0);
        foreach (var one in _hosts)
        {
            if (one == host || one.StatedWriters is not { } stated || !one.IsInUse || !HostStatus.MayServe(one.Role))
                continue;
            (same, other) = stated == writers ? (same + 1, other) : (same, other + 1);
        }

        if (!_isRuleStated || same > other || (same == other && host == _election.Primary))
            _settings.Writers = writers;
        _isRuleStated = true;
    }

    // Most servers state another cluster than the one that was known.
    private void JudgeOthers(HostRecord host)
    {
        foreach (var other in _hosts)
        {
            if (other == host || other.Cluster is null || other.Answer is not { } answer || _election.IsForeign(other) == (other.Role == HostRole.Foreign))
                continue;
            var wasUsable = other.IsInUse && HostStatus.MayServe(other.Role);
            other.Become(_election.IsForeign(other) ? HostRole.Foreign : _election.Judge(other, answer, _hosts, _now), _now);
            if (wasUsable)
                Retire(other, "It belongs to another cluster than most servers.");
            _schedule.Hurry(other, _now);
        }
    }

    private void Failed(HostRecord host, ProbeFailed failed)
    {
        switch (failed.Failure)
        {
            case ProbeFailure.Denied:
                Denied(host, failed.Error);
                break;
            case ProbeFailure.NotReady:
                Answered(host, new(HostRole.Joining));
                break;
            case ProbeFailure.Leaving:
                Leave(host, failed.Error);
                break;
            default:
                Miss(host, isSilence: false, failed.Failure == ProbeFailure.Refused, failed.Error);
                break;
        }
    }

    private void Denied(HostRecord host, string error)
    {
        if (host.State is HostState.Dead or HostState.Leaving)
        {
            Add(TopologyAction.Admit, host);
            // Another server may have become the primary. A former replica with another role does no harm.
            if (host.Role == HostRole.Primary)
                host.Become(HostRole.Unknown, _now);
        }

        host.Denied(error, _now);
    }

    private void NotAnswered(HostRecord host)
    {
        Add(TopologyAction.Abandon, host, host.EndProbe());
        if (host.TakeExcuse())
        {
            _schedule.Hurry(host, _now);
            return;
        }

        Miss(host, isSilence: true, isRefusal: false, $"It has not answered a probe within {_settings.ProbeTimeout} ms.");
        if (host.Silences == _settings.SilencesUntilCut && host.TakeCut())
            Add(TopologyAction.Cut, host, reason: host.Error!);
    }

    private void Miss(HostRecord host, bool isSilence, bool isRefusal, string error)
    {
        var isDead = isRefusal || host.State == HostState.Dead || host.Misses + 1 >= _settings.MissesUntilDead;
        var wasUsed = host.IsInUse;
        // A server that has announced its end stays Leaving until it is dead. It does not become Suspect.
        host.Missed(isSilence, isDead ? HostState.Dead : host.State == HostState.Leaving ? HostState.Leaving : HostState.Suspect, error, _now);
        if (isDead && wasUsed)
            Retire(host, error);
        if (!isDead || (isSilence && host.Silences < _settings.SilencesUntilCut))
            _schedule.Hurry(host, _now);
    }

    private void Doubted(HostRecord host, HostDoubted doubted)
    {
        switch (doubted.Doubt)
        {
            case HostDoubt.Lost when host.State == HostState.Up:
                host.Fail(HostState.Suspect, doubted.Error, _now);
                break;
            case HostDoubt.NotPrimary when host.IsOrWasPrimary && !(_now - host.WronglyRefusedAt < _settings.DistrustTime):
                host.Refused(HostRole.ReadOnly, doubted.Error, _now);
                break;
            case HostDoubt.NotReady when host.Role != HostRole.Joining:
                host.Refused(HostRole.Joining, doubted.Error, _now);
                break;
            case HostDoubt.Leaving:
                Leave(host, doubted.Error);
                break;
        }

        if (doubted.Doubt == HostDoubt.Quiet)
        {
            host.IsQuiet = true;
            _schedule.HurryAsInSearch(host, _now);
            if (host == _election.Primary)
                HurryOthers(host);
            return;
        }

        _schedule.Hurry(host, _now);
    }

    // The monitor's session may be one that the server has not ended yet. Only a new login shows that the server is back.
    private void Leave(HostRecord host, string error)
    {
        var isNews = host.State is not (HostState.Leaving or HostState.Dead);
        // Later announcements do not abandon the probe, because its session was opened after the first one.
        if (isNews && host.Probe != 0)
            Add(TopologyAction.Abandon, host, host.EndProbe());
        host.Fail(host.State == HostState.Dead ? HostState.Dead : HostState.Leaving, error, _now);
        if (isNews)
            Retire(host, error);
    }

    private static string[] Distinct(IEnumerable<string> addresses) => [.. addresses.Distinct().Take(SelectionLimits.MostHosts)];

    private void Listed(IReadOnlyList<string> listed)
    {
        var addresses = Distinct(listed);
        // A cluster has at least one server.
        if (addresses.Length == 0)
            return;
        foreach (var gone in _hosts.Where(host => !addresses.Contains(host.Address)))
        {
            // Sessions of the removed server must not count as sessions of a server that is listed later at the same address.
            _firstGeneration = Math.Max(_firstGeneration, gone.Generation + 1);
            if (gone.Probe != 0)
                Add(TopologyAction.Abandon, gone, gone.EndProbe());
            Add(TopologyAction.Remove, gone, reason: "It is no longer listed.");
        }

        _hosts = [.. addresses.Select(address => Find(address) ?? new HostRecord(address, _now, _firstGeneration))];
    }

    private void Elect()
    {
        foreach (var host in _hosts)
            if (_election.Disbelieves(host, _hosts))
            {
                host.Become(HostRole.Joining, _now);
                Retire(host, "No other server confirms its epoch.");
            }

        var before = _election.Primary;
        _election.Hold(_hosts, _now);
        foreach (var host in _hosts)
            if (_election.Outranks(host))
            {
                host.Become(HostRole.Outranked, _now);
                if (host.IsInUse)
                    Retire(host, "Another server is the primary of a later epoch.");
            }

        if (_election.TakeRival() is { } rival)
        {
            Add(TopologyAction.ReportTwoPrimaries, rival, reason: $"{_election.Primary!.Address} says so, too.");
            _schedule.Hurry(_election.Primary!, _now);
        }

        if (_election.Primary != before || _schedule.IsSearching != (_election.Primary is null))
            _schedule.Search(_election.Primary is null && _settings.SeeksPrimary, _hosts, _now);
        if (_election.Primary is { } primary && primary != before)
            _schedule.Shorten(primary, isPrimary: true, _now);
    }

    // The cluster goes on without it, so no answer of it would count.
    private bool MustCut(HostRecord host) =>
        (host.Role == HostRole.Outranked && IsAnsweringNothing(host))
        || (host is { Silences: > 0, WasPaused: false } && (host.IsInUse || IsAnsweringNothing(host)) && _election.IsLeftBehind(host));

    // Commands may wait for a server that is silent. Only the others can say that it has been replaced, or that the cluster goes on without it.
    private bool IsAwaited(HostRecord host) =>
        host is { Role: HostRole.Primary, WasCut: false } && (host.Silences > 0 || IsAnsweringNothing(host));

    private bool IsAnsweringNothing(HostRecord host) => host.IsSilent(host.SilenceAfter(_settings), _now);

    private void HurryOthers(HostRecord awaited)
    {
        foreach (var host in _hosts)
            if (host != awaited && host.State != HostState.Dead)
                _schedule.HurryAsInSearch(host, _now);
    }

    private void Probe(HostRecord host)
    {
        host.Ask(++_probes, _now);
        Add(TopologyAction.Probe, host, host.Probe);
        host.NextProbeAt = _now + _schedule.IntervalOf(host, host == _election.Primary, _now);
    }

    private void Retire(HostRecord host, string reason)
    {
        host.Retire();
        Add(TopologyAction.Retire, host, reason: reason);
    }

    private void Add(TopologyAction action, HostRecord host, long number = 0, string reason = "") => _decisions.Add(new(action, host.Address, number, reason));

    private void Publish()
    {
        DueAt = Clock.Never;
        var statuses = new HostStatus[_hosts.Count];
        var primary = -1;
        var hasChanged = statuses.Length != Snapshot.Hosts.Length;
        for (var at = 0; at < statuses.Length; at++)
        {
            var host = _hosts[at];
            var isSilent = host.IsSilent(host.LateAfter(_settings), _now);
            statuses[at] = host.ToStatus(isSilent);
            hasChanged = hasChanged || !ReferenceEquals(statuses[at], Snapshot.Hosts[at]);
            if (host == _election.Primary)
                primary = at;
            DueAt = Math.Min(DueAt, host.Probe == 0 ? host.NextProbeAt : host.ProbedAt + NextAge(host, _now - host.ProbedAt));
        }

        DueAt = Math.Min(DueAt, _election.DueAt(_hosts, _now));
        if (hasChanged || primary != Snapshot.PrimaryIndex)
            Snapshot = new(Snapshot.Version + 1, statuses, primary) { Writers = _settings.Writers };
    }

    // The age of an unanswered probe at which something changes.
    private long NextAge(HostRecord host, long age)
    {
        var (silence, late) = (host.SilenceAfter(_settings), host.LateAfter(_settings));
        return silence > age ? silence : late > age ? late : _settings.ProbeTimeout;
    }
}
