using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Data;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Tests.Data;

/// <summary>Servers from SRV records, with a name server of the test.</summary>
public sealed class DnsSrvTopologySourceTests
{
    private const string Name = "_db._tcp.a.example";

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task The_servers_have_the_order_of_their_priorities_and_weights()
    {
        using var server = new FakeNameServer(static (question, _) =>
        [
            FakeNameServer.Answer(
                question, FakeNameServer.Srv("z.a.example", 1, 5), FakeNameServer.Srv("light.a.example", 2, 1, 1), FakeNameServer.Srv("b.a.example", 3, 1, 7),
                FakeNameServer.Srv("a.a.example", 4, 1, 7)),
        ]);
        Assert.Equal(
            [new TopologyMember("a.a.example", 4), new("b.a.example", 3), new("light.a.example", 2), new("z.a.example", 1)],
            await Of(server).GetMembersAsync(Token));
    }

    [Fact]
    public async Task Forged_answers_are_ignored()
    {
        using var server = new FakeNameServer(static (question, _) =>
        {
            var answer = FakeNameServer.Answer(question, FakeNameServer.Srv("b.a.example", 1));
            var forged = FakeNameServer.Answer(question, FakeNameServer.Srv("evil.a.example", 1));
            forged[1] ^= 1;
            return [[], [1], new byte[600], forged, answer];
        });
        Assert.Equal([new TopologyMember("b.a.example", 1)], await Of(server).GetMembersAsync(Token));
    }

    [Fact]
    public async Task A_long_answer_is_asked_for_by_TCP()
    {
        using var server = new FakeNameServer(static (question, byTcp) =>
        {
            if (byTcp)
                return [FakeNameServer.Answer(question, [.. Enumerable.Range(0, 60).Select(static at => FakeNameServer.Srv($"server{at:00}.a.example", 1))])];
            var answer = FakeNameServer.Answer(question);
            answer[2] |= 2;
            return [answer];
        });
        var members = await Of(server).GetMembersAsync(Token);
        Assert.Equal(60, members.Count);
        Assert.Equal("server59.a.example", members[59].Host);
    }

    [Theory, InlineData("evil.example"), InlineData("a.example"), InlineData("xa.example"), InlineData("b.a.example.evil")]
    public async Task An_answer_with_a_server_of_another_domain_is_refused_as_a_whole(string target)
    {
        using var server = new FakeNameServer(
            (question, _) => [FakeNameServer.Answer(question, FakeNameServer.Srv("b.a.example", 1), FakeNameServer.Srv(target, 1))]);
        var failure = await Assert.ThrowsAsync<InvalidDataException>(() => Of(server).GetMembersAsync(Token).AsTask());
        Assert.Contains($"{target}, which is not below a.example", failure.Message);
    }

    [Fact]
    public async Task The_domain_can_be_set()
    {
        using var server = new FakeNameServer(static (question, _) => [FakeNameServer.Answer(question, FakeNameServer.Srv("node1.shop.example", 1))]);
        var source = new DnsSrvTopologySource(Name) { NameServers = [server.Address], Domain = "Shop.Example." };
        Assert.Equal([new TopologyMember("node1.shop.example", 1)], await source.GetMembersAsync(Token));
    }

    [Fact]
    public async Task The_next_name_server_is_asked_if_one_does_not_answer()
    {
        using var silent = new FakeNameServer(static (_, _) => []);
        using var server = new FakeNameServer(static (question, _) => [FakeNameServer.Answer(question, FakeNameServer.Srv("b.a.example", 1))]);
        var source = new DnsSrvTopologySource(Name) { NameServers = [silent.Address, server.Address] };
        Assert.Single(await source.GetMembersAsync(Token));
        Assert.Equal(1, silent.Questions);
    }

    [Fact]
    public async Task Without_an_answer_the_call_fails_and_can_be_cancelled()
    {
        using var closed = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        closed.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var address = (IPEndPoint)closed.LocalEndPoint!;
        closed.Dispose();
        var failure = await Assert.ThrowsAsync<IOException>(() => new DnsSrvTopologySource(Name) { NameServers = [address] }.GetMembersAsync(Token).AsTask());
        Assert.Contains(Name, failure.Message);
        using var silent = new FakeNameServer(static (_, _) => []);
        using var cancellation = CancellationTokenSource.CreateLinkedTokenSource(Token);
        var call = new DnsSrvTopologySource(Name) { NameServers = [silent.Address] }.GetMembersAsync(cancellation.Token).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
    }

    [Fact]
    public async Task A_service_that_is_not_available_has_no_server()
    {
        using var server = new FakeNameServer(static (question, _) => [FakeNameServer.Answer(question, FakeNameServer.Srv(".", 0))]);
        Assert.Empty(await Of(server).GetMembersAsync(Token));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a.example")]
    [InlineData("_db.a.example")]
    [InlineData("_db._tcp")]
    [InlineData("_._tcp.a.example")]
    [InlineData("_db._tcp.a b")]
    public void A_name_that_is_not_that_of_a_service_is_refused(string name) =>
        Assert.Contains("not the name of a service", Assert.Throws<ArgumentException>(() => new DnsSrvTopologySource(name)).Message);

    [Theory, InlineData("example"), InlineData(""), InlineData("a..b")]
    public void A_domain_of_one_label_is_refused(string domain) =>
        Assert.Throws<ArgumentException>(() => new DnsSrvTopologySource(Name) { Domain = domain });

    [Fact]
    public void Answers_are_not_trusted() => Assert.True(((ITopologySource)new DnsSrvTopologySource(Name)).RequiresVerifiedServers);

    private static DnsSrvTopologySource Of(FakeNameServer server) => new(Name) { NameServers = [server.Address] };
}
