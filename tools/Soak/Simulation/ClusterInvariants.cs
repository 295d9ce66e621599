using Slipstream.Core.Topology;

namespace Slipstream.Soak.Simulation;

/// <summary>The rules that every decision must keep, and the time within which the client must know the truth. Times are in milliseconds.</summary>
internal sealed class ClusterInvariants
{
    // After 30 seconds, a search probes once a second, at most a quarter of a second late. A probe without an answer delays the next one by another second.
    private static readonly HostWish[] Wishes = Enum.GetValues<HostWish>();

    private const long LongestSearch = 1250 + 1000 + 400;

    // The client knows a false primary, which still answers, and regards the true one as dead. It probes the true one only after the longest back-off.
    private const long LongestError = 12_500 + 1000 + 2500 + 400;

    private const int MostProbesPerSecond = 28;

    private readonly SimulatedCluster _cluster;
    private readonly TopologyMachine _machine;
    private readonly TopologySettings _settings;
    private readonly Timeline _timeline;
    private readonly Dictionary<string, Queue<long>> _probes = [];
    private readonly Dictionary<string, (long Number, long At)> _underWay = [];
    private readonly Dictionary<string, RoleAnswer> _heard = [];
    private readonly Dictionary<string, long> _askedAt = [];
    private readonly Dictionary<string, long> _refusedAt = [];
    private readonly Dictionary<string, long> _generation = [];
    private readonly Dictionary<string, HostStatus> _before = [];
    private readonly HashSet<string> _names;
    private string[]? _seeds;
    private long _followedAt;
    private bool _isListed = true;
    private string? _primary;
    private readonly HashSet<string> _cut = [];
    private readonly Dictionary<string, long> _wrongAt = [];
    private long _listedAt;
    private readonly int[] _load;
    private readonly Random _random = new(1);
    private SimulatedServer? _expected;
    private long _expectedSince;
    private long _falseSince = long.MaxValue;
    private long _pauseEnd;
    private long _latest;
    private long _latestAt;
    private int _sameTime;
    private long _lastAt = -1;

    public ClusterInvariants(SimulatedCluster cluster, TopologyMachine machine, TopologySettings settings, Timeline timeline)
    {
        (_cluster, _machine, _settings, _timeline) = (cluster, machine, settings, timeline);
        _load = new int[SelectionLimits.MostHosts];
        _names = [.. cluster.Servers.Select(static server => server.Name), cluster.Stranger?.Name ?? ""];
        TruthChanged();
    }

    /// <summary>Gets the first violation; null if there is none.</summary>
    public string? Violation { get; private set; }

    private long Now => _timeline.Now;

    /// <summary>Begins a pause of the client's process.</summary>
    public void Paused(long until)
    {
        _latestAt += Math.Max(0, until - Math.Max(_pauseEnd, Now));
        (_pauseEnd, _cluster.DisturbedAt) = (until, Now);
    }

    /// <summary>Records whether all servers are listed, in the usual order.</summary>
    public void Listed(bool isComplete)
    {
        (_isListed, _listedAt) = (isComplete, Now);
        TruthChanged();
    }

    /// <summary>Records which servers are listed, if the client discovers the others.</summary>
    public void Discovers(string[] seeds) => (_seeds, _followedAt) = (seeds, Now);

    // Listed servers stay; members are followed; and nothing else is used.
    private void CheckMembers()
    {
        if (_seeds is null)
            return;
        var hosts = _machine.Snapshot.Hosts;
        foreach (var host in hosts)
            Check(_names.Contains(host.Address), $"{host.Address} is used, which no server of the cluster has named");
        foreach (var seed in _seeds)
            Check(_machine.Snapshot.Find(seed) >= 0, $"{seed} is listed, and not used");
        var isComplete = Array.TrueForAll(_cluster.Servers, server => !server.IsMember || _machine.Snapshot.Find(server.Name) >= 0);
        if (isComplete != _isListed)
            Listed(isComplete);
        var isSteady = _cluster.Servers.All(static server => server is { IsDisturbed: false, IsMember: true } or { IsMember: false })
            && _machine.Snapshot.Primary is { State: HostState.Up, IsSilent: false } primary && (_expected is null || _expected.Name == primary.Address);
        var follows = isComplete && hosts.All(host => _seeds.Contains(host.Address) || Array.Exists(
            _cluster.Servers, server => server.IsMember && server.Name == host.Address));
        if (!isSteady || follows)
            _followedAt = Now;
        // The removal delay, two questions and a lost one.
        Check(
            Now - Math.Max(Math.Max(_followedAt, _pauseEnd), _cluster.DisturbedAt) <= _settings.RemovalDelay + 10_000,
            $"the members have not been followed since {_followedAt} ms");
    }

    /// <summary>Checks that the machine had nothing to decide before the time at which it wants to be called.</summary>
    public void DecidedEarly(IReadOnlyList<TopologyDecision> decisions, long version) => Check(
        decisions.Count == 0 && version == _machine.Snapshot.Version,
        $"the machine decides before it wants to be called: {(decisions.Count > 0 ? decisions[0] : "a snapshot")}");

    /// <summary>Determines which server the client should know as the primary.</summary>
    public void TruthChanged()
    {
        foreach (var server in _cluster.Servers)
        {
            if (server.IsWell)
                server.WellSince = Math.Min(server.WellSince, Now);
            else if (server.WellSince != long.MaxValue)
                (server.WellSince, server.LastWellAt) = (long.MaxValue, Now);
            server.MuteSince = server.IsMute ? Math.Min(server.MuteSince, Now) : long.MaxValue;
        }

        var expected = !_isListed ? null : _settings.Writers == WriterRule.First ? FirstWriter() : TruePrimary();
        if (expected == _expected)
            return;
        (_expected, _expectedSince) = (expected, Now);
    }

    // With several writers, the first is expected only while all of them are well. In any other state, a server may still have to settle.
    private SimulatedServer? FirstWriter() => Array.TrueForAll(
        _cluster.Servers, static server => server is { IsWell: true, IsDisturbed: false, Role: HostRole.Primary }) ? _cluster.Servers[0] : null;

    private SimulatedServer? TruePrimary() => _cluster.Primary is { IsWell: true, Role: HostRole.Primary, IsIsolated: false } primary
        && !Array.Exists(_cluster.Servers, other => other != primary && other.Role == HostRole.Primary && (!_cluster.HasEpochs || other.Epoch >= primary.Epoch))
            ? primary : null;

    /// <summary>Checks the decisions that followed an observation.</summary>
    public void Decided(Observation observation, IReadOnlyList<TopologyDecision> decisions)
    {
        Check(_machine.DueAt > Now, "the machine wants to be called again at the same time");
        _sameTime = Now == _lastAt ? _sameTime + 1 : 0;
        _lastAt = Now;
        Check(_sameTime < 2000, "the time does not go on");
        Hear(observation);
        ForgetLatest();
        if (_heard.Any(one => one.Value.Epoch >= _latest && one.Key != _cluster.Stranger?.Name))
            _latestAt = Now;
        foreach (var host in _machine.Snapshot.Hosts)
            _generation[host.Address] = host.Generation;
        foreach (var decision in decisions)
            CheckDecision(decision);
        CheckHosts(decisions);
        CheckCuts(decisions);
        CheckCalm();
        CheckPrimary();
        CheckSelection();
        CheckTruth();
        CheckMembers();
    }

    private void Hear(Observation observation)
    {
        switch (observation)
        {
            case ProbeAnswered answered when _underWay.TryGetValue(answered.Host, out var probe) && probe.Number == answered.Number:
                var refusedAt = _refusedAt.GetValueOrDefault(answered.Host, -1);
                if (answered.Answer.Role == HostRole.Primary && refusedAt >= _askedAt.GetValueOrDefault(answered.Host) && refusedAt <= probe.At)
                    _wrongAt[answered.Host] = Now;
                _heard[answered.Host] = answered.Answer;
                _askedAt[answered.Host] = probe.At;
                _underWay.Remove(answered.Host);
                break;
            case ProbeFailed failed when _underWay.TryGetValue(failed.Host, out var probe) && probe.Number == failed.Number:
                _underWay.Remove(failed.Host);
                break;
            case HostDoubted { Doubt: HostDoubt.NotPrimary or HostDoubt.NotReady } doubted
                when doubted.Generation == _generation.GetValueOrDefault(doubted.Host):
                _refusedAt[doubted.Host] = Now;
                break;
        }
    }

    // Each host that can no longer be used is retired once. Each host that can be used again is admitted. Generations never begin again.
    private void CheckHosts(IReadOnlyList<TopologyDecision> decisions)
    {
        foreach (var decision in decisions)
            if (decision.Action == TopologyAction.Remove && _before.Remove(decision.Host, out _))
                _heard.Remove(decision.Host);
        foreach (var host in _machine.Snapshot.Hosts)
        {
            if (host.State is HostState.Dead or HostState.Leaving)
                _heard.Remove(host.Address);
            if (!_before.TryGetValue(host.Address, out var before) || ReferenceEquals(before, host))
            {
                _before[host.Address] = host;
                continue;
            }

            _before[host.Address] = host;
            var (wasOut, isOut) = (before.State is HostState.Dead or HostState.Leaving, host.State is HostState.Dead or HostState.Leaving);
            var retired = Count(decisions, TopologyAction.Retire, host.Address);
            Check(
                host.Generation == before.Generation + retired && retired <= 1,
                $"{host.Address} is retired {retired} times: {before.Generation} to {host.Generation}");
            Check(!isOut || wasOut || before.State == HostState.Unknown || retired == 1, $"{host.Address} is {host.State}, and its sessions are not closed");
            Check(
                !before.IsUsable || host.Role is not (HostRole.Outranked or HostRole.Foreign) || retired == 1,
                $"{host.Address} is {host.Role}, and its sessions are not closed");
            Check(
                before is not { Role: HostRole.Primary, State: HostState.Up } || isOut || host.Role is not HostRole.Replica || retired == 1,
                $"{host.Address} is a replica, and the sessions of the primary are not closed");
            Check(!wasOut || isOut || Count(decisions, TopologyAction.Admit, host.Address) == 1, $"{host.Address} is not admitted");
        }
    }

    private static int Count(IReadOnlyList<TopologyDecision> decisions, TopologyAction action, string host) =>
        decisions.Count(decision => decision.Action == action && decision.Host == host);

    // Three probes of a second each begin within the refresh interval of a replica, or within the back-off of a host that was dead before.
    private void CheckCuts(IReadOnlyList<TopologyDecision> decisions)
    {
        foreach (var decision in decisions)
            if (decision.Action == TopologyAction.Cut)
                _cut.Add(decision.Host);
        foreach (var host in _machine.Snapshot.Hosts)
            if (host is { State: HostState.Up, IsSilent: false })
                _cut.Remove(host.Address);
        foreach (var server in _cluster.Servers)
            if (server.IsMute)
                Check(
                    !_isListed || _cut.Contains(server.Name) || Now - Math.Max(Math.Max(server.MuteSince, _pauseEnd), _listedAt) < LongestError + 4000,
                    $"{server.Name} has not answered since {server.MuteSince} ms, and its sessions are not ended");
    }

    // Without an event, the primary does not change.
    private void CheckCalm()
    {
        var primary = _machine.Snapshot.Primary?.Address;
        if (primary == _primary)
            return;
        Check(
            _primary is null || Now - _cluster.DisturbedAt < 40_000 || Array.Exists(_cluster.Servers, static server => server.IsDisturbed),
            $"the primary was {_primary} and is {primary ?? "unknown"}, and nothing has happened since {_cluster.DisturbedAt} ms");
        _primary = primary;
    }

    private void CheckDecision(TopologyDecision decision)
    {
        if (Array.Find(_cluster.Servers, server => server.Name == decision.Host) is not { } server)
            return;
        switch (decision.Action)
        {
            case TopologyAction.Probe:
                Check(!_underWay.ContainsKey(decision.Host), $"{decision.Host} is probed while a probe is under way");
                _underWay[decision.Host] = (decision.Number, Now);
                CountProbe(decision.Host);
                break;
            case TopologyAction.Abandon:
                _underWay.Remove(decision.Host);
                break;
            case TopologyAction.Retire:
                // A server that was retired before its demotion was heard of is retired again.
                Check(server.MayBeRetired || server.Role != HostRole.Primary, $"{decision.Host} is retired without a reason: {decision.Reason}");
                // The disturbance may continue, and be the reason for another retirement.
                server.MayBeRetired = server.IsDisturbed || !server.IsWell;
                break;
            case TopologyAction.Cut:
                Check(
                    !server.IsWell || Now - server.WellSince < 3000 || IsOutranked(decision.Host),
                    $"{decision.Host} has answered for {Now - server.WellSince} ms, and its sessions are ended: {decision.Reason}");
                break;
        }
    }

    // No answer of it would count, so it is ended as soon as it is late.
    private bool IsOutranked(string host) => Array.Exists(_machine.Snapshot.Hosts, one => one.Address == host && one.Role == HostRole.Outranked);

    private void CountProbe(string host)
    {
        var probes = _probes.TryGetValue(host, out var known) ? known : _probes[host] = new();
        probes.Enqueue(Now);
        while (probes.Peek() <= Now - 1000)
            probes.Dequeue();
        Check(probes.Count <= MostProbesPerSecond, $"{host} got {probes.Count} probes in a second");
    }

    // The primary has said that it is the primary, and no other server has said so with a later epoch.
    // Nobody has stated that epoch for so long that its server may be gone for ever. A replica that states it later does not bring it back, because only a
    // primary can begin an epoch. The client does not notice the first moments of a pause.
    private void ForgetLatest()
    {
        if (Now - _latestAt >= 2 * _settings.LongestBackoff - 2000)
            _latest = 0;
    }

    private void CheckPrimary()
    {
        if (_machine.Snapshot.Primary is not { } primary)
            return;
        Check(primary.Address != _cluster.Stranger?.Name, "the primary belongs to another cluster");
        if (!_heard.TryGetValue(primary.Address, out var own) || own.Role != HostRole.Primary)
        {
            Check(false, $"{primary.Address} is the primary, and has not said so");
            return;
        }

        // A pause of the client's process moves the probe's time.
        var refusedAt = _refusedAt.GetValueOrDefault(primary.Address, -1);
        var isDistrusted = Now - _wrongAt.GetValueOrDefault(primary.Address, -20_000) < _settings.DistrustTime + 3500;
        Check(
            refusedAt <= _askedAt[primary.Address] || _pauseEnd >= _askedAt[primary.Address] || (isDistrusted && Now - refusedAt < 3500),
            $"{primary.Address} is the primary, has refused a write at {refusedAt} ms, and was asked at {_askedAt[primary.Address]} ms");
        if (_settings.Writers != WriterRule.Epoch)
            return;
        ForgetLatest();
        Check(own.Epoch >= _latest, $"{primary.Address} is the primary of epoch {own.Epoch}, and one of epoch {_latest} was known");
        _latest = Math.Max(_latest, own.Epoch);
        foreach (var (host, answer) in _heard)
            Check(
                host == primary.Address || answer.Role != HostRole.Primary || answer.Epoch <= own.Epoch || !IsListedAsPrimary(host),
                $"{host} is of a later epoch");
    }

    private bool IsListedAsPrimary(string host) => Array.Exists(
        _machine.Snapshot.Hosts, one => one.Address == host && one is { Role: HostRole.Primary, State: HostState.Up or HostState.Suspect });

    private void CheckSelection()
    {
        var snapshot = _machine.Snapshot;
        var wish = Wishes[_random.Next(Wishes.Length)];
        var chosen = Selection.Choose(snapshot, wish, new(), _load, _random.Next);
        if (chosen < 0)
            return;
        var host = snapshot.Hosts[chosen];
        Check(host.Address != _cluster.Stranger?.Name, "the server of another cluster is chosen");
        Check(host.IsUsable, $"{host.Address} is chosen, and is {host.State} {host.Role}");
        Check(wish is not (HostWish.Primary or HostWish.ReadWrite) || chosen == snapshot.PrimaryIndex, $"{host.Address} is chosen as the primary");
        Check(wish is not (HostWish.Replica or HostWish.ReadOnly) || IsReplica(host), $"{host.Address} is chosen as a replica");
        if (!IsLate(host.Address) || wish is HostWish.Primary or HostWish.ReadWrite)
            return;
        foreach (var other in snapshot.Hosts)
            Check(
                !(other.State == HostState.Up && !IsLate(other.Address) && !other.IsSilent && Suits(other, wish)),
                $"{host.Address} is chosen, which is silent, and {other.Address} would do for {wish}");
    }

    private bool Suits(HostStatus host, HostWish wish) =>
        IsReplica(host) || (wish is not (HostWish.Replica or HostWish.ReadOnly) && host == _machine.Snapshot.Primary);

    // With several writers, all but the primary serve as replicas.
    private bool IsReplica(HostStatus host) => host.Role is HostRole.Replica or HostRole.ReadOnly
        || (host.Role == HostRole.Primary && _settings.Writers == WriterRule.First && host != _machine.Snapshot.Primary);

    // A pause of the client's process does not make a server late.
    private bool IsLate(string host) => _underWay.TryGetValue(host, out var probe) && probe.At > _pauseEnd && Now - probe.At > LateAfter(host) + 1;

    // A server that is far away is not late before twice its usual time.
    private double LateAfter(string host) => Math.Min(
        _settings.ProbeTimeout,
        Math.Max(_settings.SilenceLimit, 2 * (Array.Find(_machine.Snapshot.Hosts, one => one.Address == host)?.RoundTrip ?? 0)));

    private void CheckTruth()
    {
        var known = _machine.Snapshot.Primary?.Address;
        // A full server refuses the monitor, so that a former primary cannot say that it is one. It stays the primary while the epochs are the same.
        var cannotTell = Array.Exists(_cluster.Servers, server => server.Name == known && server.Condition == ServerCondition.Full);
        if (_expected is null || known == _expected.Name || cannotTell)
        {
            _falseSince = long.MaxValue;
            return;
        }

        if (_falseSince == long.MaxValue)
            _falseSince = Now;
        var since = Math.Max(Math.Max(_expectedSince, _pauseEnd), _expected.WellSince);
        var limit = known is null ? LongestSearch : LongestError;
        if (_settings.Writers == WriterRule.First)
            limit += _settings.SettleTime + LongestError;
        Check(Now - Math.Max(since, known is null ? Math.Max(_falseSince, SearchStart()) : _falseSince) <= limit,
            $"{_expected.Name} has been the primary for {Now - since} ms, and {known ?? "none"} is known");
    }

    private long SearchStart() => _machine.SearchedSince == long.MaxValue ? _falseSince : _machine.SearchedSince;

    private void Check(bool isTrue, string violation)
    {
        if (!isTrue)
            Violation ??= $"{Now} ms: {violation}. {Describe()}";
    }

    private string Describe() => string.Join("; ", _machine.Snapshot.Hosts.Select(static host => $"{host.Address} {host.State} {host.Role}"));
}
