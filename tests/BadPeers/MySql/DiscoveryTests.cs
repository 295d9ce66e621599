using System.Text;
using Microsoft.Extensions.Logging;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Topology;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.BadPeers.MySql;

/// <summary>Members of a group that its servers name. The password must not be sent to a server only because another one has named it.</summary>
[Collection("MySQL, discovery")]
public sealed class DiscoveryTests : MySqlPeerTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static string Verified => $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile};";

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_member_that_a_verified_server_names_is_used(bool asynchronously)
    {
        var named = "";
        using var replica = Node("SECONDARY", () => named);
        using var primary = Node("PRIMARY", () => named);
        named = $"2,localhost:{primary.Port},localhost:{replica.Port}";
        using var logs = new RecordedLogs(LogLevel.Information);
        await using var source = Source(primary, Verified + "Redirection Hosts=localhost;Topology Discovery=Members", logs);
        Assert.Equal(primary.Port, await PortOf(source, asynchronously));
        Assert.Equal(replica.Port, await PortOf(source.Replica, asynchronously));
        Assert.Equal([primary.Port, replica.Port], source.Topology.Hosts.Select(static host => host.Port));
        Assert.Contains(logs.Entries, one => one.Id == 1037 && one.Text.Contains($"localhost:{replica.Port} was added: the cluster names it"));
    }

    [Theory]
    // Not asked for; not verified; a host that is not allowed; encrypted only.
    [InlineData("verified", "Redirection Hosts=localhost", null)]
    [InlineData("", "SSL Mode=None;Redirection Hosts=localhost;Topology Discovery=Members", "set SSL Mode=VerifyFull")]
    [InlineData("", "SSL Mode=Required;Redirection Hosts=localhost;Topology Discovery=Members", "set SSL Mode=VerifyFull")]
    [InlineData("verified", "Topology Discovery=Members;Redirection Hosts=*.example", "Redirection Hosts does not allow")]
    public async Task Otherwise_no_connection_is_made_to_it(string verified, string options, string? expected)
    {
        var named = "";
        using var replica = Node("SECONDARY", () => named);
        using var primary = Node("PRIMARY", () => named);
        named = $"2,localhost:{primary.Port},localhost:{replica.Port}";
        using var logs = new RecordedLogs(LogLevel.Information);
        await using var source = Source(primary, (verified.Length > 0 ? Verified : "") + options, logs);
        Assert.Equal(primary.Port, await PortOf(source, true));
        var asked = primary.Received.Length;
        await Eventually.TrueAsync(() => primary.Received.Length > asked);
        Assert.Empty(replica.Peers);
        Assert.Single(source.Topology.Hosts);
        var refusals = logs.Entries.Where(static one => one.Id == 1039).ToArray();
        if (expected is null)
            Assert.Empty(refusals);
        else
            Assert.Contains(expected, Assert.Single(refusals).Text);
    }

    [Theory]
    [InlineData("2,", "not complete")]
    [InlineData("3,localhost:{0}", "not complete")]
    [InlineData("garbage", "not complete")]
    [InlineData("2,localhost:{0},local host:1", "is not the address of a server")]
    public async Task A_list_that_is_junk_is_refused_and_the_server_is_used(string list, string expected)
    {
        var named = "";
        using var primary = Node("PRIMARY", () => named);
        named = string.Format(System.Globalization.CultureInfo.InvariantCulture, list, primary.Port);
        using var logs = new RecordedLogs(LogLevel.Information);
        await using var source = Source(primary, Verified + "Redirection Hosts=localhost;Topology Discovery=Members", logs);
        Assert.Equal(primary.Port, await PortOf(source, true));
        await Eventually.TrueAsync(() => logs.Entries.Any(static one => one.Id == 1039));
        Assert.Contains(expected, Assert.Single(logs.Entries, static one => one.Id == 1039).Text);
        Assert.Single(source.Topology.Hosts);
    }

    [Fact]
    public async Task A_discovered_server_with_another_certificate_gets_no_password()
    {
        var named = "";
        using var impostor = Node("SECONDARY", () => named, Certificates.Untrusted);
        using var primary = Node("PRIMARY", () => named);
        named = $"2,localhost:{primary.Port},localhost:{impostor.Port}";
        await using var source = Source(primary, Verified + "Redirection Hosts=localhost;Topology Discovery=Members", null);
        Assert.Equal(primary.Port, await PortOf(source, true));
        await Eventually.TrueAsync(() => source.Topology.Hosts is [_, { State: HostState.Suspect or HostState.Dead }]);
        NeverSent(impostor, "somebody"u8);
    }

    [Fact]
    public void Discovery_needs_the_roles()
    {
        Assert.Contains("set Topology", Assert.Throws<ArgumentException>(static () => new MySqlDataSource("Topology Discovery=Members")).Message);
        var builder = new MySqlDataSourceBuilder("Server=a").UseTopologySource(new Names());
        Assert.Contains("set Topology", Assert.Throws<ArgumentException>(builder.Build).Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_servers_of_a_source_replace_those_of_the_connection_string(bool asynchronously)
    {
        using var first = MySqlNode.Start(static () => false);
        using var second = MySqlNode.Start(static () => false);
        var names = new Names { Members = [new("127.0.0.1", first.Port)] };
        using var logs = new RecordedLogs(LogLevel.Information);
        // Without a server in the connection string, Open waits for the first answer.
        await using var source = new MySqlDataSourceBuilder($"User ID=somebody;Password={Password};SSL Mode=None;Topology=Auto;Connection Timeout=30")
            .UseTopologySource(names).UseLoggerFactory(logs).Build();
        Assert.Empty(source.Topology.Hosts);
        Assert.Equal(0, source.Statistics.Opened);
        Assert.Equal(first.Port, await PortOf(source, asynchronously));
        await using var held = await source.OpenConnectionAsync(Token);

        names.Members = [new("127.0.0.1", second.Port)];
        await Eventually.TrueAsync(() => source.Topology.Hosts is [var only] && only.Port == second.Port);
        Assert.Equal(second.Port, await PortOf(source, asynchronously));
        // The session in use goes on until it is returned.
        await new MySqlCommand("DO 1", held).ExecuteNonQueryAsync(Token);
        await held.CloseAsync();
        Assert.True(first.AllClosedWithin(TimeSpan.FromSeconds(30)), "A session of the removed server was left open.");
        Assert.Contains(logs.Entries, one => one.Id == 1038 && one.Text.Contains($"127.0.0.1:{first.Port} was removed"));
    }

    private static MySqlDataSource Source(FakeServer server, string options, RecordedLogs? logs) => new MySqlDataSourceBuilder(
        $"Server=localhost:{server.Port};User ID=somebody;Password={Password};Topology=GroupReplication;Connection Timeout=30;Topology Refresh Interval=100;"
        + $"Pipelining Mode=On;{options}").UseLoggerFactory(logs).Build();

    private static async Task<int> PortOf(MySqlDataSource source, bool asynchronously)
    {
        await using var connection = source.CreateConnection();
        if (asynchronously)
            await connection.OpenAsync(Token);
        else
            await Task.Run(connection.Open, Token);
        return connection.ServerThread / 100;
    }

    // A member of a group, with and without TLS. The list is sent only if the question asks for it.
    private static FakeServer Node(string role, Func<string> named, System.Security.Cryptography.X509Certificates.X509Certificate2? certificate = null) =>
        FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting(
                "mysql_native_password", MySqlWords.Capabilities | MySqlWords.Tls, id: peer.Server.Port * 100 + peer.Number));
            var (_, login) = peer.ReadPacket();
            // The request for TLS has no user.
            byte next = 2;
            if (login.Length == 32)
            {
                peer.UpgradeToTls(certificate ?? Certificates.Server);
                peer.ReadPacket();
                next = 3;
            }

            peer.Send(MySqlWords.Ok(next));
            while (true)
            {
                var (_, command) = peer.ReadPacket();
                if (command[0] == 1)
                    return;
                var question = command[0] == 3 ? Encoding.UTF8.GetString(command.AsSpan(1)) : "";
                if (!question.Contains("SELECT", StringComparison.Ordinal))
                {
                    peer.Send(MySqlWords.Ok(1));
                    continue;
                }

                var text = $"group|{(role == "PRIMARY" ? 0 : 1)}|ONLINE|{role}|1|view:1|name|"
                    + (question.Contains("COUNT(a.member_port)", StringComparison.Ordinal) ? $"|{named()}|localhost:{peer.Server.Port}" : "");
                peer.Send(
                    [.. MySqlWords.Packet(1, 1), .. MySqlWords.Column(2, "a", MySqlWords.StringType), .. MySqlWords.TextRow(3, text), .. MySqlWords.End(4)]);
            }
        });

    private sealed class Names : ITopologySource
    {
        public volatile IReadOnlyList<TopologyMember> Members = [];

        public TimeSpan RefreshInterval => TimeSpan.Zero;

        public bool RequiresVerifiedServers => false;

        public ValueTask<IReadOnlyList<TopologyMember>> GetMembersAsync(CancellationToken cancellationToken) => new(Members);
    }
}
