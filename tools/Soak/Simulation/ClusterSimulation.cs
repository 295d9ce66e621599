using Slipstream.Core.Topology;

namespace Slipstream.Soak.Simulation;

/// <summary>
/// One simulated cluster and one client. The client is a topology machine whose probes travel over the simulated network.
/// <see cref="ClusterInvariants"/> checks each step.
/// </summary>
internal sealed class ClusterSimulation
{
    private readonly Random _random;
    private readonly Timeline _timeline = new();
    private readonly SimulatedCluster _cluster;
    private readonly TopologyMachine _machine;
    private readonly ClusterInvariants _invariants;
    private readonly string[] _names;
    private readonly Membership _membership;
    // Apart from the other random numbers, so that each seed has the same events as without discovery.
    private readonly Random _changes;
    private readonly bool _discovers;
    private readonly int _longestLateness;
    private readonly Dictionary<string, long> _generations = [];
    private long _scheduledAt = long.MaxValue;
    private long _pausedUntil;

    private ClusterSimulation(int seed)
    {
        _random = new(seed);
        var rule = _random.Next(10) < 3 ? WriterRule.First : WriterRule.Epoch;
        _cluster = new(_random, _timeline, rule);
        var settings = new TopologySettings { Writers = rule };
        _names = [.. _cluster.Servers.Select(static server => server.Name)];
        if (_cluster.Stranger is { } stranger)
            _names = [.. _names, stranger.Name];
        _changes = new(seed ^ 0x5EED);
        _discovers = _changes.Next(3) == 0;
        // The first server is always listed: another one may belong to another cluster, or be removed.
        if (_discovers)
            _names = [.. _names.Where((name, at) => at == 0 || name == _cluster.Stranger?.Name || _changes.Next(4) == 0)];
        _membership = new(_names, settings.RemovalDelay);
        _machine = new(settings, _names, 0, _random.NextDouble);
        _invariants = new(_cluster, _machine, settings, _timeline);
        _longestLateness = _random.Next(3) == 0 ? 40 : 0;
        _cluster.Noticed = Notice;
        _cluster.Resumed = Resume;
        _cluster.Paused = Pause;
        _cluster.Changed = _invariants.TruthChanged;
        _cluster.Relisted = Relist;
        Take(new TimePassed(0));
        Write();
        Disturb();
        if (!_discovers)
            return;
        _invariants.Discovers(_names);
        ChangeMembers();
    }

    /// <summary>Gets the number of observations that the machine has taken.</summary>
    public long Observations { get; private set; }

    /// <summary>Runs one cluster. Returns the first violation; null if there is none.</summary>
    public static string? Run(int seed, TimeSpan duration, out long observations)
    {
        var simulation = new ClusterSimulation(seed);
        var end = (long)duration.TotalMilliseconds;
        while (simulation._timeline.NextAt <= end && simulation._invariants.Violation is null)
            simulation._timeline.RunNext();
        observations = simulation.Observations;
        return simulation._invariants.Violation;
    }

    // The client sees the events of a pause after the pause.
    private void See(Func<Observation> observation)
    {
        if (_timeline.Now < _pausedUntil)
            _timeline.After(_pausedUntil - _timeline.Now, () => See(observation));
        else
            Take(observation());
    }

    private void Take(Observation observation)
    {
        Observations++;
        var decisions = _machine.Take(observation);
        _invariants.Decided(observation, decisions);
        foreach (var host in _machine.Snapshot.Hosts)
            _generations[host.Address] = host.Generation;
        foreach (var decision in decisions)
            if (decision.Action == TopologyAction.Probe)
                Send(Find(decision.Host), decision.Number);
        Schedule();
        if (observation is ProbeAnswered answered && _membership.Take(answered, _machine.Snapshot))
            Follow();
    }

    private void Schedule()
    {
        if (_machine.DueAt >= _scheduledAt)
            return;
        _scheduledAt = _machine.DueAt;
        // The thread may get processor time a little late.
        _timeline.After(_scheduledAt - _timeline.Now + _random.Next(_longestLateness + 1), WakeUp);
    }

    // Before the time at which it wants to be called, the machine must have nothing to decide. Otherwise, that time was too late.
    private void Disturb() => _timeline.After(_random.Next(1, 2000), () =>
    {
        Disturb();
        if (_timeline.Now < _pausedUntil || _timeline.Now >= _machine.DueAt)
            return;
        var version = _machine.Snapshot.Version;
        _invariants.DecidedEarly(_machine.Take(new TimePassed(_timeline.Now)), version);
    });

    // For a time, discovery or the name service lists fewer servers, in another order, and some of them twice.
    private void Relist(int milliseconds)
    {
        var listed = Array.FindAll(_names, _ => _random.Next(3) > 0);
        // At least one server of the cluster stays listed. Otherwise, a server of another cluster could become the cluster.
        listed = [.. listed, .. listed.Take(1), _cluster.Servers[0].Name];
        _random.Shuffle(listed);
        See(() => List(listed));
        _timeline.After(milliseconds, () => See(() => List(_names)));
    }

    private HostsListed List(string[] names)
    {
        _cluster.DisturbedAt = _timeline.Now;
        _membership.List(names);
        if (_discovers)
            _invariants.Discovers([.. names.Distinct()]);
        else
            _invariants.Listed(names.Length == _names.Length && names.SequenceEqual(_names));
        return new(_timeline.Now, _membership.All);
    }

    private void Follow()
    {
        _cluster.DisturbedAt = _timeline.Now;
        Take(new HostsListed(_timeline.Now, _membership.All));
    }

    // The cluster shrinks and grows. One change at a time, and never the primary.
    private void ChangeMembers() => _timeline.After(_changes.Next(1000, 150_000), () =>
    {
        ChangeMembers();
        var able = Array.FindAll(
            _cluster.Servers[1..], server => server is { IsDisturbed: false, IsMember: true } && server != _cluster.Primary);
        if (able.Length > 0 && Array.TrueForAll(_cluster.Servers, static server => server.IsMember))
            _cluster.Leave(able[_changes.Next(able.Length)], _changes.Next(1000, 150_000));
    });

    // A server that is cut off knows only itself, and one of another cluster names servers that do not exist.
    private MemberList? MembersOf(SimulatedServer server) => !_discovers ? null
        : server == _cluster.Stranger ? new([server.Name, "stranger2"])
        : server.IsIsolated ? new([server.Name])
        : new([.. _cluster.Servers.Where(static one => one.IsMember).Select(static one => one.Name)]) { Self = server.Name };

    private void WakeUp()
    {
        if (_timeline.Now < _pausedUntil)
        {
            _timeline.After(_pausedUntil - _timeline.Now, WakeUp);
            return;
        }

        if (_timeline.Now < _scheduledAt)
            return;
        _scheduledAt = long.MaxValue;
        Take(new TimePassed(_timeline.Now));
    }

    private SimulatedServer Find(string name) => Array.Find(_cluster.Servers, server => server.Name == name) ?? _cluster.Stranger!;

    private void Send(SimulatedServer server, long number) => _timeline.After(server.Latency, () => Arrive(server, number));

    private void Arrive(SimulatedServer server, long number)
    {
        switch (server.Condition)
        {
            case ServerCondition.Unreachable:
                break;
            case ServerCondition.Hung:
                server.Unanswered.Add(number);
                break;
            default:
                Answer(server, number);
                break;
        }
    }

    private void Answer(SimulatedServer server, long number)
    {
        ProbeFailure? failure = server.Condition switch
        {
            ServerCondition.Stopped => ProbeFailure.Refused,
            ServerCondition.Starting => ProbeFailure.NotReady,
            ServerCondition.Full => ProbeFailure.Denied,
            _ => _random.Next(2000) == 0 ? ProbeFailure.Lost : null,
        };
        if (failure == ProbeFailure.Lost)
            (server.MayBeRetired, _cluster.DisturbedAt) = (true, _timeline.Now);
        var answer = new RoleAnswer(server.Role) { Epoch = _cluster.HasEpochs ? server.Epoch : 0, Lineage = server.Cluster, Cluster = server.Cluster,
            Members = MembersOf(server) };
        // Answers on different connections can overtake each other.
        _timeline.After(server.Latency + _random.Next(3 * server.Latency), () =>
        {
            // If the path is cut while a message is on its way, the message does not arrive.
            if (server.Condition != ServerCondition.Unreachable)
                See(() => failure is { } kind
                    ? new ProbeFailed(_timeline.Now, server.Name, number, kind, $"{kind}")
                    : new ProbeAnswered(_timeline.Now, server.Name, number, answer));
        });
    }

    private void Resume(SimulatedServer server)
    {
        foreach (var number in server.Unanswered)
            Answer(server, number);
        server.Unanswered.Clear();
    }

    private void Pause(int milliseconds)
    {
        _pausedUntil = Math.Max(_pausedUntil, _timeline.Now + milliseconds);
        _invariants.Paused(_pausedUntil);
    }

    // A caller writes now and then. A server that is not the primary refuses it.
    private void Write() => _timeline.After(_random.Next(20, 2000), () =>
    {
        Write();
        if (_timeline.Now < _pausedUntil || _machine.Snapshot.Primary is not { } primary)
            return;
        var server = Find(primary.Address);
        // A long command, or one that waits for a server which hangs.
        if (server.Condition == ServerCondition.Hung || _random.Next(50) == 0)
            _timeline.After(150, () => See(() => new HostDoubted(_timeline.Now, server.Name, primary.Generation, HostDoubt.Quiet, "Quiet")));
        _timeline.After(server.Latency, () =>
        {
            if (server is not { Condition: ServerCondition.Running, Role: HostRole.Replica or HostRole.Joining })
                return;
            var doubt = server.Role == HostRole.Replica ? HostDoubt.NotPrimary : HostDoubt.NotReady;
            _timeline.After(server.Latency, () => See(() => new HostDoubted(_timeline.Now, server.Name, primary.Generation, doubt, $"{doubt}")));
        });
    });

    private void Notice(SimulatedServer server, HostDoubt doubt)
    {
        server.MayBeRetired = true;
        // Some sessions belong to the current generation. If the server is retired before they report, their reports are out of date.
        var generation = _generations.GetValueOrDefault(server.Name);
        for (var sessions = _random.Next(50) == 0 ? 100 : _random.Next(1, 4); sessions > 0; sessions--)
        {
            var isOld = _random.Next(2) == 0;
            _timeline.After(_random.Next(1, 200), () => See(() => new HostDoubted(
                _timeline.Now, server.Name, isOld ? generation : _generations.GetValueOrDefault(server.Name), doubt, $"{doubt}")));
        }
    }
}
