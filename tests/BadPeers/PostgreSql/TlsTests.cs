using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Servers, and attackers in the middle, that try to circumvent TLS.</summary>
[Collection("PostgreSQL, TLS")]
public sealed class TlsTests : PgPeerTests
{
    private static readonly byte[] Cleartext = Encoding.UTF8.GetBytes(Password);

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_common_name_is_no_address_where_the_certificate_has_other_names(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ExpectSslRequest();
            peer.Send((byte)'S');
            peer.UpgradeToTls(Certificates.AddressAsCommonName);
            peer.ReadStartup();
        });
        var failure =
            IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode=VerifyFull;Root Certificate={Certificates.AuthorityFile}").OpenFails());
        Assert.Contains("elsewhere.example", failure.Message);
        Assert.Equal(-1, server.Received.AsSpan().IndexOf("somebody"u8));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Direct_TLS_begins_without_a_request_and_so_does_a_cancellation(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.UpgradeToTls(Certificates.Server, applicationProtocol: "postgresql");
            if (peer.ReadStartup().Code == PgWords.CancelRequestCode)
                return;
            peer.Send(PgWords.LoginSuccess);
            peer.ReadToSync();
            peer.Stall();
        });
        var client = Connect(
            server, asynchronously, $"SSL Mode=VerifyFull;SSL Negotiation=Direct;Root Certificate={Certificates.AuthorityFile};Cancellation Timeout=500");
        Assert.IsType<Slipstream.PostgreSql.PgException>(await client.QueryFails(commandTimeout: 1));
        // Both connections began with the handshake, for which the script waits.
        server.HasSeen(2);
        server.ThrowIfScriptFailed();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Direct_TLS_without_a_common_protocol_is_refused(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadStartup();
        });
        var failure = IsConnectFailure(
            server,
            await Connect(server, asynchronously, $"SSL Mode=VerifyFull;SSL Negotiation=Direct;Root Certificate={Certificates.AuthorityFile}").OpenFails());
        Assert.Contains("SSL Negotiation=Direct", failure.Message);
        NeverSent(server, "somebody"u8);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Nothing_is_sent_to_a_server_that_declines_TLS_when_it_is_required(bool asynchronously)
    {
        foreach (var mode in (string[])["Require", "VerifyCA", "VerifyFull"])
        {
            using var server = FakeServer.Start(static peer =>
            {
                peer.ExpectSslRequest();
                peer.Send((byte)'N');
            });
            var failure = IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode={mode}").OpenFails());
            Assert.Contains("TLS", failure.Message);
            Assert.Equal(8, server.Received.Length);
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Words_put_behind_the_yes_end_the_connection(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            // CVE-2021-23222: the client must not use what an attacker in the middle appends as the server's message inside TLS.
            peer.ExpectSslRequest();
            peer.Send([(byte)'S', .. PgWords.LoginSuccess]);
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadStartup();
            peer.Send(PgWords.LoginSuccess);
        });
        IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode=VerifyFull;Root Certificate={Certificates.AuthorityFile}").OpenFails());
        NeverSent(server, "somebody"u8);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_error_in_place_of_the_answer_is_not_believed(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ExpectSslRequest();
            peer.Send(PgWords.Error(('S', "FATAL"), ('C', "28P01"), ('M', "send your password to me")));
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously, "SSL Mode=Require").OpenFails());
        Assert.DoesNotContain("send your password", failure.ToString());
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
            peer.ExpectSslRequest();
            peer.Send((byte)'S');
            peer.UpgradeToTls(certificate);
            peer.ReadStartup();
            peer.Send(PgWords.Authentication(3));
        });
        var failure =
            IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode={mode};Root Certificate={Certificates.AuthorityFile}").OpenFails());
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
            peer.ExpectSslRequest();
            peer.Send((byte)'S');
            peer.UpgradeToTls(certificate);
            peer.ReadStartup();
            peer.Send(PgWords.Authentication(3));
        });
        IsConnectFailure(server, await Connect(server, asynchronously, "SSL Mode=Require").OpenFails());
        NeverSent(server, Cleartext);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_honest_server_inside_verified_TLS_lets_us_in(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ExpectSslRequest();
            peer.Send((byte)'S');
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadStartup();
            new ScramServer(Password).Authenticate(peer);
            peer.Send(PgWords.LoginSuccess);
        });
        await Connect(server, asynchronously, $"SSL Mode=VerifyFull;Root Certificate={Certificates.AuthorityFile}").Opens();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_cancellation_is_not_sent_where_TLS_is_not_offered_any_more(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ExpectSslRequest();
            if (peer.Number > 0)
            {
                peer.Send((byte)'N');
                peer.Stall();
            }

            peer.Send((byte)'S');
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadStartup();
            new ScramServer(Password).Authenticate(peer);
            peer.Send(PgWords.LoginSuccess);
            peer.ReadToSync();
            peer.Stall();
        });
        var client = Connect(server, asynchronously, $"SSL Mode=VerifyFull;Root Certificate={Certificates.AuthorityFile};Cancellation Timeout=20000");
        Assert.IsType<Slipstream.PostgreSql.PgException>(await client.QueryFails(commandTimeout: 1));
        server.HasSeen(2);
        Assert.Equal(8, server.Peers[1].Received.Length);
    }
}
