using Slipstream.Core.Topology;

namespace Slipstream.Soak.Simulation;

/// <summary>
/// The true state of a simulated cluster: servers with roles, and random events. The events are kills, hangs, partitions, elections, switch-overs, servers
/// that state a false role, slow servers, and pauses of the client's process.
/// </summary>
internal sealed class SimulatedCluster
{
    private readonly Random _random;
    private readonly Timeline _timeline;
    private readonly WriterRule _rule;
    private readonly int _longestCalm;
    private long _epoch = 1;

    public SimulatedCluster(Random random, Timeline timeline, WriterRule rule)
    {
        (_random, _timeline, _rule) = (random, timeline, rule);
        var isFar = random.Next(6) == 0;
        Servers = [.. Enumerable.Range(0, random.Next(2, 8)).Select(at => new SimulatedServer($"host{at}", isFar ? random.Next(60, 110) : random.Next(1, 20)))];
        HasEpochs = random.Next(6) > 0;
        _longestCalm = random.Next(4) == 0 ? 120_000 : 30_000;
        if (random.Next(6) == 0)
            AddStranger();
        foreach (var server in Servers)
            (server.Role, server.Epoch) = (rule == WriterRule.First ? HostRole.Primary : HostRole.Replica, _epoch);
        if (rule == WriterRule.Epoch)
            Promote(Servers[random.Next(Servers.Length)]);
        ScheduleEvent();
    }

    public SimulatedServer[] Servers { get; }

    /// <summary>Gets a server of another cluster that is listed by mistake; null if there is none.</summary>
    public SimulatedServer? Stranger { get; private set; }

    /// <summary>Gets whether the servers report a number that distinguishes an earlier primary from a later one.</summary>
    public bool HasEpochs { get; }

    /// <summary>Gets or sets the time of the last event that may be a reason for a decision.</summary>
    public long DisturbedAt { get; set; }

    /// <summary>Gets the primary; null during an election. With several writers: null.</summary>
    public SimulatedServer? Primary { get; private set; }

    /// <summary>Called when the sessions of a server notice something.</summary>
    public Action<SimulatedServer, HostDoubt> Noticed { get; set; } = static (_, _) => { };

    /// <summary>Called when a hung server continues.</summary>
    public Action<SimulatedServer> Resumed { get; set; } = static _ => { };

    /// <summary>Called when the client's process is paused, with the length of the pause in milliseconds.</summary>
    public Action<int> Paused { get; set; } = static _ => { };

    /// <summary>Called when the list of the servers changes for a time, with that time in milliseconds.</summary>
    public Action<int> Relisted { get; set; } = static _ => { };

    /// <summary>Called after each change of the true state.</summary>
    public Action Changed { get; set; } = static () => { };

    /// <summary>Removes a server from the cluster for a time. It must not be the primary.</summary>
    public void Leave(SimulatedServer server, int duration)
    {
        server.IsMember = false;
        DisturbedAt = _timeline.Now;
        Disturb(server, static one => one.Condition = ServerCondition.Stopped, duration, one =>
        {
            (one.Condition, one.IsMember) = (ServerCondition.Starting, true);
            Rejoin(one, Between(0, 3000), staleFor: 0);
        });
        Changed();
        Noticed(server, HostDoubt.Leaving);
        Lose(server, 100);
    }

    private int Between(int low, int high) => _random.Next(low, high);

    // It becomes reachable only when the cluster is known, because the first answer decides which cluster is used.
    private void AddStranger()
    {
        var stranger = new SimulatedServer("stranger", Between(1, 20))
        {
            Cluster = "another", Role = HostRole.Primary, Epoch = 1000, Condition = ServerCondition.Unreachable, MayBeRetired = true,
        };
        Stranger = stranger;
        _timeline.After(5000, () => stranger.Condition = ServerCondition.Running);
    }

    private void ScheduleEvent() => _timeline.After(Between(200, _longestCalm), () =>
    {
        ScheduleEvent();
        DisturbedAt = _timeline.Now;
        var calm = Array.FindAll(Servers, static server => !server.IsDisturbed);
        if (calm.Length > 0)
            Happen(calm[_random.Next(calm.Length)]);
        Changed();
    });

    private void Happen(SimulatedServer server)
    {
        switch (_random.Next(15))
        {
            case 0:
                Stop(server, HostDoubt.Lost);
                break;
            case 1:
                Noticed(server, HostDoubt.Leaving);
                _timeline.After(Between(0, 500), () => Stop(server, HostDoubt.Lost));
                server.IsDisturbed = true;
                break;
            case 2:
                Hang(server);
                break;
            case 3:
                Disturb(
                    server,
                    static one => one.Condition = ServerCondition.Unreachable,
                    Between(100, 30_000),
                    static one => one.Condition = ServerCondition.Running);
                break;
            case 4:
                Isolate(server);
                break;
            case 5 when _rule == WriterRule.Epoch && Primary is { IsDisturbed: false } primary && primary != server:
                SwitchOver(primary, server);
                break;
            case 6:
                var latency = server.Latency;
                Disturb(server, one => one.Latency = Between(150, 450), Between(1000, 20_000), one => one.Latency = latency);
                break;
            case 7:
                Paused(Between(50, 15_000));
                break;
            case 8 when _rule == WriterRule.Epoch && server != Primary:
                Disturb(
                    server,
                    one => (one.Role, one.Epoch) = (HostRole.Primary, _epoch),
                    Between(100, 5000),
                    one => one.Role = one == Primary ? HostRole.Primary : HostRole.Replica);
                break;
            case 9:
                Noticed(server, HostDoubt.TimedOut);
                break;
            case 10:
                Noticed(server, HostDoubt.Lost);
                break;
            case 11:
                Disturb(
                    server,
                    static one => one.Condition = ServerCondition.Full,
                    Between(500, 20_000),
                    static one => one.Condition = ServerCondition.Running);
                break;
            case 12:
                Relisted(Between(100, 20_000));
                break;
            case 13 when _rule == WriterRule.First && Array.TrueForAll(Servers, static one => !one.IsDisturbed):
                // The whole cluster stops and is bootstrapped again.
                _epoch = 0;
                foreach (var one in Servers)
                {
                    one.Epoch = 0;
                    Stop(one, HostDoubt.Lost);
                }

                break;
            case 14:
                foreach (var one in Servers)
                    Noticed(one, HostDoubt.Lost);
                break;
        }
    }

    private void Disturb(SimulatedServer server, Action<SimulatedServer> begin, int duration, Action<SimulatedServer> end)
    {
        Touch(server);
        server.IsDisturbed = true;
        begin(server);
        _timeline.After(duration, () =>
        {
            Touch(server);
            DisturbedAt = _timeline.Now;
            server.IsDisturbed = false;
            end(server);
            Changed();
        });
    }

    private static void Touch(SimulatedServer server) => server.MayBeRetired = true;

    private void Stop(SimulatedServer server, HostDoubt doubt)
    {
        Disturb(server, static one => one.Condition = ServerCondition.Stopped, Between(500, 60_000), one =>
        {
            one.Condition = ServerCondition.Starting;
            Rejoin(one, Between(0, 3000), staleFor: _random.Next(5) == 0 ? Between(0, 3000) : 0);
        });
        Changed();
        // The server's sessions notice it soon, unless none is in use.
        if (_random.Next(5) > 0)
            Noticed(server, doubt);
        Lose(server, Between(100, 8000));
    }

    private void Hang(SimulatedServer server)
    {
        var (duration, detection) = (Between(100, 20_000), Between(1000, 6000));
        Disturb(server, static one => one.Condition = ServerCondition.Hung, duration, one =>
        {
            one.Condition = ServerCondition.Running;
            Resumed(one);
            if (duration > detection)
                Rejoin(one, 0, staleFor: Between(0, 3000));
            else
                one.Epoch = one.Role == HostRole.Primary && _rule == WriterRule.Epoch ? one.Epoch : _epoch;
        });
        if (duration > detection)
            Lose(server, detection);
    }

    // The server is cut off from the others, but not from the client.
    private void Isolate(SimulatedServer server)
    {
        server.IsIsolated = true;
        var stale = Between(0, 20_000);
        Disturb(server, static _ => { }, stale + Between(0, 10_000), one =>
        {
            one.IsIsolated = false;
            Rejoin(one, 0, 0);
        });
        _timeline.After(stale, () =>
        {
            if (server.IsIsolated && server != Primary)
                server.Role = HostRole.Joining;
            Changed();
        });
        Lose(server, Between(1000, 6000));
    }

    private void SwitchOver(SimulatedServer from, SimulatedServer to)
    {
        Touch(from);
        Touch(to);
        from.Role = HostRole.Replica;
        Primary = null;
        // Group Replication does not count a switch-over as a new view.
        var isCounted = _random.Next(2) == 0;
        _timeline.After(Between(0, 500), () =>
        {
            if (Primary is null)
                Promote(to.IsDisturbed ? from : to, isCounted);
            Changed();
        });
    }

    // After they have detected the failure, the other servers continue without this one.
    private void Lose(SimulatedServer server, int detection)
    {
        if (_rule == WriterRule.First)
        {
            _timeline.After(detection, NewView);
            return;
        }

        if (server != Primary)
            return;
        _timeline.After(detection, () =>
        {
            // The server may have returned in time.
            if (server == Primary && (server.IsIsolated || server.Condition is not (ServerCondition.Running or ServerCondition.Unreachable)))
                Primary = null;
            if (Primary is null)
                Elect();
            Changed();
        });
    }

    private void Elect()
    {
        var able = Array.FindAll(Servers, static server => server is { IsIsolated: false, Condition: ServerCondition.Running or ServerCondition.Unreachable });
        if (able.Length > 0)
            Promote(able[_random.Next(able.Length)]);
        else
            _timeline.After(500, () =>
            {
                if (Primary is null)
                    Elect();
                Changed();
            });
    }

    private void Promote(SimulatedServer server, bool isCounted = true)
    {
        if (isCounted)
            _epoch++;
        (Primary, server.Role, server.Epoch) = (server, HostRole.Primary, _epoch);
        // Another server that states the role may be retired because of this one.
        foreach (var other in Servers)
            Touch(other);
    }

    // The server returns: at first it is not ready, then it states its former role, then its present one.
    private void Rejoin(SimulatedServer server, int starting, int staleFor)
    {
        server.IsDisturbed = true;
        if (starting > 0)
            server.Condition = _random.Next(4) == 0 ? ServerCondition.Full : ServerCondition.Starting;
        _timeline.After(starting, () =>
        {
            Touch(server);
            DisturbedAt = _timeline.Now;
            if (server.Condition is ServerCondition.Starting or ServerCondition.Full)
                server.Condition = ServerCondition.Running;
            Changed();
            _timeline.After(staleFor, () =>
            {
                Touch(server);
                DisturbedAt = _timeline.Now;
                if (_rule == WriterRule.First)
                    NewView();
                server.Role = _rule == WriterRule.First || server == Primary ? HostRole.Primary : HostRole.Replica;
                server.Epoch = _epoch;
                server.IsDisturbed = false;
                Changed();
            });
        });
    }

    private void NewView()
    {
        _epoch++;
        foreach (var server in Servers)
        {
            if (server is { IsIsolated: false, Condition: ServerCondition.Running or ServerCondition.Full or ServerCondition.Unreachable })
                server.Epoch = _epoch;
            Touch(server);
        }
    }
}
