using System.Security.Cryptography.X509Certificates;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>The request to cancel contains a secret key, so it follows the same TLS policy as its session. Messages from before TLS are ignored.</summary>
[Collection("PostgreSQL, policies")]
public sealed class TlsPolicyTests : PgPeerTests
{
    private const int SslRequestLength = 8;

    private static readonly X509Certificate2 Untrusted = Certificates.Untrusted;

    private static string Verified => $"SSL Mode=VerifyFull;Root Certificate={Certificates.AuthorityFile}";

    [Theory]
    [InlineData("Allow", false)]
    [InlineData("Prefer", true)]
    [InlineData("Require", false)]
    [InlineData("VerifyCA", true)]
    public async Task Words_put_behind_the_yes_end_the_connection_in_every_mode(string mode, bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ExpectSslRequest();
            peer.Send([(byte)'S', .. PgWords.LoginSuccess]);
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadStartup();
            peer.Send(PgWords.LoginSuccess);
        });
        IsConnectFailure(
            server,
            await Connect(server, asynchronously, $"SSL Mode={mode};{(mode == "VerifyCA" ? "Root Certificate=" + Certificates.AuthorityFile : "")}")
                .OpenFails());
        Assert.Equal(SslRequestLength, server.Received.Length);
    }

    [Theory]
    [InlineData("Prefer", "no", false)]
    [InlineData("Prefer", "no", true)]
    [InlineData("Require", "no", true)]
    [InlineData("VerifyFull", "no", false)]
    [InlineData("VerifyFull", "another certificate", false)]
    [InlineData("VerifyFull", "another certificate", true)]
    [InlineData("VerifyFull", "words behind the yes", true)]
    [InlineData("Prefer", "words behind the yes", false)]
    [InlineData("Prefer", "an error", true)]
    public async Task The_key_of_a_session_inside_TLS_is_never_sent_in_clear_text_or_to_somebody_else(string mode, string lie, bool asynchronously)
    {
        using var asked = new CancellationTokenSource();
        using var server = FakeServer.Start(peer =>
        {
            peer.ExpectSslRequest();
            if (peer.Number > 0)
            {
                peer.Send(
                    lie switch
                    {
                        "no" => [(byte)'N'],
                        "an error" => PgWords.Error(('S', "FATAL"), ('M', "no")),
                        "words behind the yes" => [(byte)'S', 1, 2, 3],
                        _ => [(byte)'S']
                    });
                if (lie is not ("no" or "an error"))
                    peer.UpgradeToTls(Untrusted);
                peer.Stall();
            }

            peer.Send((byte)'S');
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadStartup();
            new ScramServer(Password).Authenticate(peer);
            peer.Send(PgWords.LoginSuccess);
            peer.ReadToSync();
            asked.Cancel();
            peer.Stall();
        });
        var client = Connect(server, asynchronously, $"{(mode == "VerifyFull" ? Verified : "SSL Mode=" + mode)};Cancellation Timeout=20000");
        await IsInterrupted(client, asked, asynchronously);
        Assert.True(server.Peers.Count > 1, "Nobody tried to cancel.");
        Assert.All(server.Peers.Skip(1), static peer => Assert.Equal(SslRequestLength, peer.Received.Length));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_request_that_cancels_goes_inside_TLS_to_the_same_server(bool asynchronously)
    {
        using var ended = new ManualResetEventSlim();
        using var asked = new CancellationTokenSource();
        using var server = FakeServer.Start(peer =>
        {
            peer.ExpectSslRequest();
            peer.Send((byte)'S');
            peer.UpgradeToTls(Certificates.Server);
            var (code, body) = peer.ReadStartup();
            if (peer.Number > 0)
            {
                if (code != PgWords.CancelRequestCode || !body.AsSpan().SequenceEqual((byte[])[.. PgWords.Int32(7), .. PgWords.Int32(99)]))
                    throw new InvalidDataException($"Code {code} with {body.Length} bytes came.");
                ended.Set();
                peer.Close();
                return;
            }

            new ScramServer(Password).Authenticate(peer);
            peer.Send(PgWords.LoginSuccess);
            peer.ReadToSync();
            asked.Cancel();
            ended.Wait(TimeSpan.FromSeconds(30));
            peer.Send([.. PgWords.Error(('S', "ERROR"), ('C', "57014"), ('M', "canceling statement due to user request")), .. PgWords.Ready()]);
            // Absorbs a cancellation that arrives late.
            peer.ReadToSync();
            peer.Send([.. PgWords.Message('I'), .. PgWords.Ready()]);
        });
        var client = Connect(server, asynchronously, $"{Verified};Pooling=false;Cancellation Timeout=30000");
        await IsInterrupted(client, asked, asynchronously);
        Assert.Equal(2, server.Peers.Count);
    }

    // By a token, or without one by the command timeout, which is at least one second.
    private static async Task IsInterrupted(Client client, CancellationTokenSource asked, bool asynchronously)
    {
        if (asynchronously)
            Assert.IsAssignableFrom<OperationCanceledException>(await client.QueryFails(commandTimeout: 30, cancellationToken: asked.Token));
        else
            Assert.IsAssignableFrom<Slipstream.PostgreSql.PgException>(await client.QueryFails(commandTimeout: 1));
    }
}
