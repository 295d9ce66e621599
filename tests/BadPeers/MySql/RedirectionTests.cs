using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>Servers that redirect the client.</summary>
public sealed class RedirectionTests : MySqlPeerTests
{
    private const uint SessionTrack = 0x800000;
    private const int StateChanged = 0x4000;

    private static string Verified => $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile};";

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task One_redirection_is_followed_and_never_a_second(bool asynchronously, bool inInfo)
    {
        using var third = FakeServer.Start(static peer => Welcome(peer, null, false));
        using var second = FakeServer.Start(peer => Serve(peer, $"mysql://localhost:{third.Port}", inInfo));
        using var first = FakeServer.Start(peer => Serve(peer, $"mysql://localhost:{second.Port}", inInfo));
        var client = Client(first, asynchronously, Verified + "Server Redirection Mode=Preferred");
        Assert.Equal("1", Assert.Single(await client.Query()));
        Assert.Single(second.Peers);
        Assert.Empty(third.Peers);
        Assert.True(first.AllClosedWithin(TimeSpan.FromSeconds(30)), "The connection that redirected was left open.");
    }

    [Theory]
    [InlineData("", "Server Redirection Mode=Preferred;SSL Mode=Required", false)]
    [InlineData("", "Server Redirection Mode=Disabled", true)]
    [InlineData("Redirection Hosts=db.example,*.example;", "Server Redirection Mode=Preferred", true)]
    public async Task Without_a_verified_certificate_or_to_a_host_that_is_not_allowed_none_is_followed(string hosts, string options, bool verified)
    {
        foreach (var asynchronously in (bool[])[false, true])
        {
            using var second = FakeServer.Start(static peer => Welcome(peer, null, false));
            using var first = FakeServer.Start(peer => Serve(peer, $"mysql://localhost:{second.Port}", false));
            Assert.Equal("1", Assert.Single(await Client(first, asynchronously, (verified ? Verified : "") + hosts + options).Query()));
            Assert.Empty(second.Peers);
        }
    }

    [Theory]
    [InlineData("mysql://user:secret@localhost:{0}", "not mysql://host:port")]
    [InlineData("mysql://localhost:{0}/?user=root", "another user")]
    [InlineData("mysql://127.0.0.1:{0}", "does not allow")]
    [InlineData("garbage", "not mysql://host:port")]
    [InlineData("", "did not redirect")]
    public async Task Where_it_is_required_what_cannot_be_followed_is_an_error(string url, string expected)
    {
        foreach (var asynchronously in (bool[])[false, true])
        {
            using var second = FakeServer.Start(static peer => Welcome(peer, null, false));
            using var first = FakeServer.Start(peer => Serve(peer, string.Format(System.Globalization.CultureInfo.InvariantCulture, url, second.Port), false));
            var failure = Assert.IsType<MySqlException>(await Client(first, asynchronously, Verified + "Server Redirection Mode=Required").OpenFails());
            Assert.Contains(expected, failure.Message);
            Assert.DoesNotContain("secret", failure.ToString());
            Assert.Empty(second.Peers);
        }
    }

    [Theory]
    [InlineData("Preferred", false)]
    [InlineData("Preferred", true)]
    [InlineData("Required", false)]
    [InlineData("Required", true)]
    public async Task A_target_that_does_not_let_in_is_left_or_an_error(string mode, bool asynchronously)
    {
        using var second = FakeServer.Start(static peer => peer.Close());
        using var first = FakeServer.Start(peer => Serve(peer, $"mysql://localhost:{second.Port}", false));
        var client = Client(first, asynchronously, Verified + $"Server Redirection Mode={mode}");
        if (mode == "Preferred")
            Assert.Equal("1", Assert.Single(await client.Query()));
        else
            Assert.IsType<MySqlException>(await client.OpenFails());
        Assert.Single(second.Peers);
    }

    private static Client Client(FakeServer server, bool asynchronously, string options)
    {
        // By the name that is in the certificate.
        var source = new MySqlDataSource(
            $"Server=localhost;Port={server.Port};User ID=somebody;Password={Password};Connection Timeout=30;Pipelining Mode=Off;{options}");
        return new Client(source, server, asynchronously);
    }

    private static void Serve(FakePeer peer, string url, bool inInfo)
    {
        Welcome(peer, url, inInfo);
        // COM_QUIT, or the query of a client that stays.
        if (peer.ReadPacket().Payload[0] != 3)
            return;
        peer.Send([.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.TextRow(3, "1"), .. MySqlWords.End(4)]);
    }

    private static void Welcome(FakePeer peer, string? url, bool inInfo)
    {
        peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls | SessionTrack));
        peer.ReadPacket();
        peer.UpgradeToTls(Certificates.Server);
        peer.ReadPacket();
        // A fast answer of caching_sha2_password, then OK with info and session state.
        byte[] ok = url is null ? [0, 0, 0, 2, 0, 0, 0]
            : inInfo ? [0, 0, 0, 2, 0, 0, 0, .. MySqlWords.Text($"Location: {url}\n")]
            : [0, 0, 0, 2, StateChanged >> 8, 0, 0, 0, .. Block([0, .. Block([.. MySqlWords.Text("redirect_url"), .. MySqlWords.Text(url)])])];
        peer.Send([.. MySqlWords.AuthMore(3, 3), .. MySqlWords.Packet(4, ok)]);
    }

    private static byte[] Block(byte[] content) => [(byte)content.Length, .. content];
}
