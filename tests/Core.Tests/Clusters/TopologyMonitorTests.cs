using System.Collections.Concurrent;
using Slipstream.Core.Clusters;
using Slipstream.Core.Time;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Clusters;

/// <summary>What the monitor does when those who receive its news fail. Its probes fail, too: there is no server.</summary>
public sealed class TopologyMonitorTests
{
    [Fact]
    public void A_listener_that_fails_loses_no_decision_and_no_later_observation()
    {
        var listener = new FailingListener();
        Endpoint[] servers = [new("a", 1), new("b", 1), new("c", 1)];
        var addresses = Array.ConvertAll(servers, static one => one.ToString());
        using var monitor = new TopologyMonitor(
            new TopologyMachine(new(), addresses, Clock.Now, static () => 0.5), new Membership(addresses, removalDelay: 30_000), listener);
        foreach (var server in servers)
            monitor.Add(new HostProber(server, null!, null!, 1000, monitor.Report));
        foreach (var address in addresses)
            monitor.Report(new HostDoubted(Clock.Now, address, 0, HostDoubt.Leaving, "It is leaving."));
        monitor.Start();
        Assert.True(SpinWait.SpinUntil(
            () => addresses.All(one => listener.Decisions.Contains((TopologyAction.Retire, one))) && listener.Ticks > 0, TimeSpan.FromSeconds(60)));
        GC.KeepAlive(listener);
    }

    private sealed class FailingListener : ITopologyListener
    {
        private int _ticks;

        public ConcurrentQueue<(TopologyAction, string)> Decisions { get; } = [];

        public int Ticks => Volatile.Read(ref _ticks);

        public void Changed(TopologySnapshot snapshot) => throw new InvalidOperationException("The change has failed.");

        public void Carry(TopologyDecision decision)
        {
            Decisions.Enqueue((decision.Action, decision.Host));
            throw new InvalidOperationException("The decision has failed.");
        }

        public HostProber? Add(string address, bool isReported) => throw new InvalidOperationException("The addition has failed.");

        public void Refused(string address, string because) => throw new InvalidOperationException("The refusal has failed.");

        public long Tick(long now)
        {
            Interlocked.Increment(ref _ticks);
            throw new InvalidOperationException("The tick has failed.");
        }
    }
}
