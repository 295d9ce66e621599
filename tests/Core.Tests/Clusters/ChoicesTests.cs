using Slipstream.Core.Clusters;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Clusters;

/// <summary>The servers that suit each wish.</summary>
public sealed class ChoicesTests
{
    private static readonly SelectionLimits NoLimits = new(LocalThreshold: -1);

    private readonly ClusterMember[] _members = [Member("a"), Member("b"), Member("c")];

    [Fact]
    public void Each_wish_has_the_servers_that_suit_it_in_the_order_of_the_list()
    {
        var choices = Of(Status("a", HostRole.Replica), Status("b", HostRole.Primary), Status("c", HostRole.Replica));
        Assert.Equal("b", Text(choices, HostWish.Primary));
        Assert.Equal("b", Text(choices, HostWish.ReadWrite));
        Assert.Equal("a,c", Text(choices, HostWish.Replica));
        Assert.Equal("a,c", Text(choices, HostWish.ReadOnly));
        Assert.Equal("b | a,c", Text(choices, HostWish.PreferPrimary));
        Assert.Equal("a,c | b", Text(choices, HostWish.PreferReplica));
        Assert.Equal("a,b,c", Text(choices, HostWish.Any));
    }

    [Fact]
    public void A_primary_that_is_read_only_by_default_is_for_readers()
    {
        var choices = Of(Status("a", HostRole.Replica), Status("b", HostRole.Primary) with { IsReadOnlyByDefault = true }, Status("c", HostRole.Joining));
        Assert.Equal("", Text(choices, HostWish.ReadWrite));
        Assert.Equal("b", Text(choices, HostWish.Primary));
        Assert.Equal("a,b", Text(choices, HostWish.ReadOnly));
    }

    [Fact]
    public void Servers_that_are_silent_come_last()
    {
        var choices = Of(Status("a", HostRole.Replica) with { IsSilent = true }, Status("b", HostRole.Primary), Status("c", HostRole.Replica));
        Assert.Equal("c | a", Text(choices, HostWish.Replica));
        Assert.Equal("c | b | a", Text(choices, HostWish.PreferReplica));
    }

    [Fact]
    public void Before_all_servers_have_answered_only_the_primary_is_known()
    {
        var choices = Of(new("a", HostState.Unknown, HostRole.Unknown), Status("b", HostRole.Primary), Status("c", HostRole.Replica));
        Assert.Equal("b", Text(choices, HostWish.Primary));
        Assert.Equal("", Text(choices, HostWish.Replica));
        Assert.Equal("", Text(choices, HostWish.PreferReplica));
        Assert.Equal("", Text(choices, HostWish.Any));
    }

    [Fact]
    public void A_snapshot_that_changes_no_choice_keeps_the_object()
    {
        var before = Of(Status("a", HostRole.Replica), Status("b", HostRole.Primary), Status("c", HostRole.Replica));
        var same = Choices.Of(Snapshot(Status("a", HostRole.Replica) with { RoundTrip = 3 }, Status("b", HostRole.Primary), Status("c", HostRole.Replica)),
            _members, NoLimits, before);
        Assert.Same(before, same);
        Assert.NotSame(before, Choices.Of(Snapshot(Status("a", HostRole.Primary), Status("b", HostRole.Replica), Status("c", HostRole.Replica)),
            _members, NoLimits, before));
    }

    [Fact]
    public void One_server_suits_every_caller_that_has_no_wish()
    {
        var choices = Choices.Of(new(1, [new("a", HostState.Unknown, HostRole.Unknown)], -1), [_members[0]], NoLimits, Choices.None);
        Assert.Equal("a", Text(choices, HostWish.Any));
        Assert.Equal("", Text(choices, HostWish.Primary));
    }

    private static ClusterMember Member(string name) => new(new Endpoint(name, 1), null!);

    private static HostStatus Status(string name, HostRole role) => new(name, HostState.Up, role);

    private static TopologySnapshot Snapshot(params HostStatus[] hosts) =>
        new(1, hosts, Array.FindIndex(hosts, static host => host.Role == HostRole.Primary));

    private static string Text(Choices choices, HostWish wish) =>
        string.Join(" | ", choices[wish].Select(static tier => string.Join(',', tier.Members.Select(static one => one.Endpoint.Host))));

    private Choices Of(params HostStatus[] hosts) => Choices.Of(Snapshot(hosts), _members, NoLimits, Choices.None);
}
