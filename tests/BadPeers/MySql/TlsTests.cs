using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.MySql;

/// <summary>Servers, and attackers in the middle, that try to circumvent TLS.</summary>
[Collection("MySQL, TLS")]
public sealed class TlsTests : MySqlPeerTests
{
    private static readonly byte[] Cleartext = Encoding.UTF8.GetBytes(Password);

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_common_name_is_no_address_where_the_certificate_has_other_names(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
            peer.UpgradeToTls(Certificates.AddressAsCommonName);
            peer.ReadPacket();
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile}").OpenFails());
        Assert.Contains("elsewhere.example", failure.Message);
        NeverSent(server, "somebody"u8);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Nothing_is_sent_to_a_server_that_does_not_offer_TLS_when_it_is_required(bool asynchronously)
    {
        foreach (var mode in (string[])["Required", "VerifyCA", "VerifyFull"])
        {
            using var server = FakeServer.Start(static peer => peer.Send(MySqlWords.Greeting("mysql_clear_password")));
            var failure = IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode={mode}").OpenFails());
            Assert.Contains("TLS", failure.Message);
            Assert.Empty(server.Received);
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Words_put_before_the_handshake_end_the_connection(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            // An attacker in the middle appends an OK to the greeting, so that the client might use it as the server's answer inside TLS.
            peer.Send([.. MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls), .. MySqlWords.Ok(3)]);
            peer.ReadPacket();
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(3));
        });
        IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile}").OpenFails());
        NeverSent(server, "somebody"u8);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Words_in_place_of_the_handshake_end_the_connection(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(2));
        });
        IsConnectFailure(server, await Connect(server, asynchronously, "SSL Mode=Required").OpenFails());
        NeverSent(server, "somebody"u8);
    }

    [Theory]
    [InlineData(false, "VerifyCA")]
    [InlineData(true, "VerifyCA")]
    [InlineData(false, "VerifyFull")]
    [InlineData(true, "VerifyFull")]
    public async Task A_certificate_that_nobody_signed_gets_neither_name_nor_password(bool asynchronously, string mode)
    {
        var certificate = Certificates.Untrusted;
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting("mysql_clear_password", MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
            peer.UpgradeToTls(certificate);
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(3));
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode={mode};SSL CA={Certificates.AuthorityFile}").OpenFails());
        Assert.Contains("certificate", failure.Message, StringComparison.OrdinalIgnoreCase);
        NeverSent(server, "somebody"u8);
        NeverSent(server, Cleartext);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_password_in_clear_is_not_sent_into_TLS_that_was_not_verified(bool asynchronously)
    {
        var certificate = Certificates.Untrusted;
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting("caching_sha2_password", MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
            peer.UpgradeToTls(certificate);
            peer.ReadPacket();
            peer.Send(MySqlWords.AuthSwitch(3, "mysql_clear_password"));
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(5));
        });
        IsConnectFailure(server, await Connect(server, asynchronously, "SSL Mode=Required").OpenFails());
        NeverSent(server, Cleartext);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Silence_in_place_of_the_handshake_ends_in_time(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
            peer.Stall();
        });
        var client = Connect(server, asynchronously, "SSL Mode=Required;Connection Timeout=1");
        var failure = IsConnectFailure(server, await client.OpenFails());
        Assert.Contains("TLS", failure.Message);
        Assert.InRange(client.Took.TotalSeconds, 0.9, 10);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_cancellation_is_not_sent_where_TLS_is_not_offered_any_more(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            if (peer.Number > 0)
            {
                peer.Send(MySqlWords.Greeting());
                peer.Stall();
            }

            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadPacket();
            peer.Send([.. MySqlWords.AuthMore(3, 3), .. MySqlWords.Ok(4)]);
            peer.Expect(3);
            peer.Stall();
        });
        var client = Connect(server, asynchronously, $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile};Cancellation Timeout=20");
        var failure = Assert.IsType<Slipstream.MySql.MySqlException>(await client.QueryFails(commandTimeout: 1));
        Assert.Equal(Slipstream.MySql.MySqlErrorCode.CommandTimeoutExpired, failure.ErrorCode);
        server.HasSeen(2);
        Assert.Empty(server.Peers[1].Received);
    }
}
