using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Sessions;

public class HostsTests
{
    private static readonly Endpoint[] Three = [new("a", 1), new("b", 2), new("c", 3)];

    [Fact]
    public void Round_robin_begins_with_the_next_one_each_time()
    {
        var hosts = new Hosts(Three, HostOrder.RoundRobin);
        Assert.Equal(["abc", "bca", "cab", "abc"], Enumerable.Range(0, 4).Select(_ => Names(hosts)));
    }

    [Fact]
    public void Fail_over_keeps_the_order_in_which_they_were_written()
    {
        var hosts = new Hosts(Three, HostOrder.FailOver);
        Assert.Equal(["abc", "abc"], Enumerable.Range(0, 2).Select(_ => Names(hosts)));
    }

    [Fact]
    public void Random_gives_every_order()
    {
        var random = new Random(1);
        var hosts = new Hosts(Three, HostOrder.Random, random.Next);
        Assert.Equal(6, Enumerable.Range(0, 200).Select(_ => Names(hosts)).Distinct().Count());
    }

    [Fact]
    public void Least_connections_counts_what_is_open_and_what_is_being_opened()
    {
        var hosts = new Hosts(Three, HostOrder.LeastConnections);
        hosts.All[0].Enter();
        hosts.All[0].Enter();
        hosts.All[2].Enter();
        Assert.Equal("bca", Names(hosts));
        hosts.All[1].Enter();
        hosts.All[1].Enter();
        hosts.All[1].Enter();
        Assert.Equal("cab", Names(hosts));
        hosts.All[0].Leave();
        hosts.All[0].Leave();
        Assert.Equal("acb", Names(hosts));
    }

    [Theory]
    [InlineData(nameof(HostOrder.RoundRobin), "bca")]
    [InlineData(nameof(HostOrder.FailOver), "bca")]
    [InlineData(nameof(HostOrder.LeastConnections), "bca")]
    public void Who_did_not_answer_is_tried_last_until_he_answers(string name, string expected)
    {
        var order = Enum.Parse<HostOrder>(name);
        var hosts = new Hosts(Three, order);
        hosts.All[0].Failed(1000, 0);
        Assert.Equal(expected, Names(hosts));
        hosts.All[0].Answered();
        Assert.NotEqual('a', Names(new Hosts(Three, order))[2]);
        Assert.False(hosts.All[0].IsSuspect);
    }

    [Fact]
    public void A_suspect_is_looked_at_by_one_and_later_each_time()
    {
        var host = new Host(Three[0]);
        Assert.False(host.TakeProbe(1_000_000));
        host.Failed(10_000, 0);
        Assert.False(host.TakeProbe(11_999));
        Assert.True(host.TakeProbe(12_000));
        Assert.False(host.TakeProbe(12_000));
        host.Failed(12_000, 0);
        Assert.False(host.TakeProbe(15_999));
        Assert.True(host.TakeProbe(16_000));
        for (var i = 0; i < 40; i++)
            host.Failed(20_000, 1);
        Assert.False(host.TakeProbe(20_000 + 44_999));
        Assert.True(host.TakeProbe(20_000 + 45_000));
        host.Answered();
        Assert.False(host.TakeProbe(1_000_000));
    }

    private static string Names(Hosts hosts) => string.Concat(hosts.InOrder().Select(static host => host.Endpoint.Host));
}
