using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Topology;
using Slipstream.MySql;
using Slipstream.Samples.Aurora;

namespace Slipstream.BadPeers.MySql;

/// <summary>The sample of a topology source for a cloud, with a server that has the cloud's table.</summary>
public sealed class AuroraSampleTests : MySqlPeerTests
{
    private const string Pattern = "?.abc123.eu-central-1.rds.amazonaws.com";

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task The_instances_are_named_the_writer_first()
    {
        using var server = Instance([("blue", "0"), ("green", "1"), ("red-2", "0")]);
        await using var cluster = Source(server);
        ITopologySource source = new AuroraTopologySource(cluster, Pattern, AuroraTopologySource.MySql);
        Assert.Equal(
            ["green", "blue", "red-2"], (await source.GetMembersAsync(Token)).Select(static one => one.Host.Split('.')[0]));
        Assert.Equal("green.abc123.eu-central-1.rds.amazonaws.com", (await source.GetMembersAsync(Token))[0].Host);
        Assert.True(source.RequiresVerifiedServers);
    }

    [Theory, InlineData("evil.example/"), InlineData(""), InlineData("a.b"), InlineData("a:1")]
    public async Task An_identifier_that_leads_elsewhere_is_refused(string identifier)
    {
        using var server = Instance([("blue", "1"), (identifier, "0")]);
        await using var cluster = Source(server);
        var source = new AuroraTopologySource(cluster, Pattern, AuroraTopologySource.MySql);
        await Assert.ThrowsAsync<InvalidDataException>(() => source.GetMembersAsync(Token).AsTask());
    }

    private static MySqlDataSource Source(FakeServer server) =>
        new($"Server={server.Address};Port={server.Port};User ID=somebody;Password={Password};SSL Mode=None;Pipelining Mode=On;Auto Prepare=false");

    private static FakeServer Instance((string Identifier, string IsWriter)[] rows) => FakeServer.Start(peer =>
    {
        peer.Send(MySqlWords.Greeting("mysql_native_password"));
        peer.ReadPacket();
        peer.Send(MySqlWords.Ok(2));
        while (true)
        {
            var (_, command) = peer.ReadPacket();
            if (command[0] == 1)
                return;
            if (command[0] != 3 || !Encoding.UTF8.GetString(command).Contains("replica_host_status", StringComparison.Ordinal))
            {
                peer.Send(MySqlWords.Ok(1));
                continue;
            }

            List<byte> answer =
            [
                .. MySqlWords.Packet(1, 2), .. MySqlWords.Column(2, "server_id", MySqlWords.StringType), .. MySqlWords.Column(3, "writer", 3),
            ];
            byte number = 4;
            foreach (var (identifier, isWriter) in rows)
                answer.AddRange(MySqlWords.Packet(number++, [.. MySqlWords.Text(identifier), .. MySqlWords.Text(isWriter)]));
            peer.Send([.. answer, .. MySqlWords.End(number)]);
        }
    });
}
