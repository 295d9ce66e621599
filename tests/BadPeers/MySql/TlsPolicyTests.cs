using System.Security.Cryptography.X509Certificates;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// The connection that sends a KILL, and the one to a redirection's target, follow the same TLS policy as their session. Flags and messages from before TLS are
/// ignored.
/// </summary>
[Collection("MySQL, policies")]
public sealed class TlsPolicyTests : MySqlPeerTests
{
    private const uint WithTls = MySqlWords.Capabilities | MySqlWords.Tls;
    private const uint SessionTrack = 0x800000;
    private const int SslRequestLength = 36;

    private static readonly byte[] Cleartext = Encoding.UTF8.GetBytes(Password);
    private static readonly X509Certificate2 Untrusted = Certificates.Untrusted;

    private static string Verified => $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile}";

    [Theory]
    [InlineData("Preferred", false)]
    [InlineData("Preferred", true)]
    [InlineData("Required", true)]
    [InlineData("VerifyCA", false)]
    public async Task Words_put_before_the_handshake_end_the_connection_in_every_mode(string mode, bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send([.. MySqlWords.Greeting(capabilities: WithTls), .. MySqlWords.Ok(3)]);
            peer.ReadPacket();
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(3));
        });
        IsConnectFailure(
            server, await Connect(server, asynchronously, $"SSL Mode={mode};{(mode == "VerifyCA" ? "SSL CA=" + Certificates.AuthorityFile : "")}").OpenFails());
        NeverSent(server, "somebody"u8);
    }

    // What arrives instead of the greeting is in clear text, so any attacker on the way can send it.
    [Theory]
    [InlineData("Required", false)]
    [InlineData("Required", true)]
    [InlineData("VerifyCA", false)]
    [InlineData("VerifyCA", true)]
    [InlineData("VerifyFull", false)]
    [InlineData("VerifyFull", true)]
    public async Task An_error_before_TLS_is_not_believed_where_TLS_is_demanded(string mode, bool asynchronously)
    {
        foreach (var number in new[] { 1040, 1045, 1053, 1130, 1820 })
        {
            using var server = FakeServer.Start(peer => peer.Send(MySqlWords.Error(0, number, "your password has expired, set it on example.org", "28000")));
            var failure = IsConnectFailure(
                server,
                await Connect(server, asynchronously, $"SSL Mode={mode};{(mode == "Required" ? "" : "SSL CA=" + Certificates.AuthorityFile)}").OpenFails());
            Assert.DoesNotContain("example.org", failure.ToString());
            Assert.Contains($"error {number}", failure.Message);
            Assert.Empty(server.Received);
        }
    }

    [Theory]
    [InlineData("None", false), InlineData("None", true), InlineData("Preferred", false), InlineData("Preferred", true)]
    public async Task An_error_before_TLS_is_the_servers_where_none_is_demanded(string mode, bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Send(MySqlWords.Error(0, 1040, "Too many connections", "08004")));
        var failure = Assert.IsType<MySqlException>(await Connect(server, asynchronously, $"SSL Mode={mode}").OpenFails());
        Assert.Equal(1040, failure.Number);
        Assert.Equal("Too many connections", failure.Message);
    }

    // The flags were agreed before TLS: inside TLS the client repeats the same ones, including the flag for TLS.
    [Theory, InlineData(false), InlineData(true)]
    public async Task The_flags_of_the_request_for_TLS_are_those_of_the_login(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: WithTls));
            var (_, request) = peer.ReadPacket();
            if (request.Length != 32)
                throw new InvalidDataException($"SSLRequest has 32 bytes, {request.Length} came.");
            peer.UpgradeToTls(Certificates.Server);
            var (_, login) = peer.ReadPacket();
            if (!login.AsSpan(0, 32).SequenceEqual(request) || (BitConverter.ToUInt32(request) & MySqlWords.Tls) == 0)
                throw new InvalidDataException("The login has other flags than the request for TLS.");
            peer.Send([.. MySqlWords.AuthMore(3, 3), .. MySqlWords.Ok(4)]);
        });
        await Connect(server, asynchronously, Verified).Opens();
    }

    // Without these flags, a client from before 4.1 would answer with a hash that is equivalent to the password.
    [Theory]
    [InlineData(0x8000u, false)]
    [InlineData(0x80000u, true)]
    [InlineData(0x88000u, false)]
    [InlineData(0x200u, true)]
    public async Task A_greeting_that_takes_flags_away_gets_no_older_answer(uint taken, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting("mysql_native_password", MySqlWords.Capabilities & ~taken));
            peer.ReadPacket();
            // Such a server would next request the hash from before 4.1.
            peer.Send(MySqlWords.Packet(2, 0xFE));
            peer.ReadPacket();
            throw new InvalidDataException("It was answered.");
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        NeverSent(server, Cleartext);
    }

    [Theory]
    [InlineData("Preferred", false)]
    [InlineData("Preferred", true)]
    [InlineData("Required", true)]
    public async Task A_session_inside_TLS_is_never_killed_in_clear_text(string mode, bool asynchronously)
    {
        using var asked = new CancellationTokenSource();
        using var server = FakeServer.Start(peer =>
        {
            if (peer.Number > 0)
            {
                peer.Send(MySqlWords.Greeting());
                peer.ReadPacket();
                peer.Send([.. MySqlWords.AuthMore(2, 3), .. MySqlWords.Ok(3)]);
                peer.Expect(3);
                peer.Send(MySqlWords.Ok(1));
                peer.Stall();
            }

            QueryInTls(peer, Untrusted, asked);
        });
        await IsInterrupted(Connect(server, asynchronously, $"SSL Mode={mode};Cancellation Timeout=20"), asked, asynchronously);
        Assert.True(server.Peers.Count > 1, "Nobody tried to kill.");
        Assert.All(server.Peers.Skip(1), static killer => Assert.Empty(killer.Received));
    }

    [Theory]
    [InlineData("another certificate", false)]
    [InlineData("another certificate", true)]
    [InlineData("words before TLS", true)]
    public async Task The_connection_that_kills_is_refused_as_the_session_would_be(string lie, bool asynchronously)
    {
        using var asked = new CancellationTokenSource();
        using var server = FakeServer.Start(peer =>
        {
            if (peer.Number > 0)
            {
                peer.Send(
                    lie == "words before TLS"
                        ? [.. MySqlWords.Greeting(capabilities: WithTls), .. MySqlWords.Ok(3)]
                        : MySqlWords.Greeting(capabilities: WithTls));
                peer.ReadPacket();
                peer.UpgradeToTls(Untrusted);
                peer.Stall();
            }

            QueryInTls(peer, Certificates.Server, asked);
        });
        await IsInterrupted(Connect(server, asynchronously, $"{Verified};Cancellation Timeout=20"), asked, asynchronously);
        Assert.True(server.Peers.Count > 1, "Nobody tried to kill.");
        Assert.All(server.Peers.Skip(1), static killer => Assert.InRange(killer.Received.Length, 0, SslRequestLength));
    }

    [Theory]
    [InlineData("mysql_clear_password", "", false)]
    [InlineData("dialog", "", true)]
    [InlineData("mysql_native_password", "caching_sha2_password", true)]
    public async Task The_connection_that_kills_answers_no_more_than_the_session_did(string method, string setting, bool asynchronously)
    {
        List<byte[]> answers = [];
        using var asked = new CancellationTokenSource();
        using var server = FakeServer.Start(peer =>
        {
            if (peer.Number > 0)
            {
                peer.Send(MySqlWords.Greeting(capabilities: WithTls));
                peer.ReadPacket();
                peer.UpgradeToTls(Untrusted);
                peer.ReadPacket();
                peer.Send(MySqlWords.AuthSwitch(3, method, [.. MySqlWords.Nonce, 0]));
                answers.Add(peer.ReadPacket().Payload);
                peer.Stall();
            }

            QueryInTls(peer, Untrusted, asked);
        });
        await IsInterrupted(Connect(server, asynchronously, $"SSL Mode=Required;Cancellation Timeout=20;Require Auth={setting}"), asked, asynchronously);
        Assert.True(server.Peers.Count > 1, "Nobody tried to kill.");
        Assert.Empty(answers);
        NeverSent(server, Cleartext);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_command_that_kills_goes_inside_TLS_to_the_same_server(bool asynchronously)
    {
        using var ended = new ManualResetEventSlim();
        using var asked = new CancellationTokenSource();
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: WithTls, id: MySqlWords.FirstNumber + peer.Number));
            var inClear = peer.ReadPacket().Payload;
            if (inClear.Length != 32)
                throw new InvalidDataException("More than SSLRequest came in clear text.");
            peer.UpgradeToTls(Certificates.Server);
            peer.ReadPacket();
            peer.Send([.. MySqlWords.AuthMore(3, 3), .. MySqlWords.Ok(4)]);
            if (peer.Number > 0)
            {
                var words = peer.ExpectKill();
                if (words != "KILL QUERY 7")
                    throw new InvalidDataException($"'{words}' came.");
                peer.Send(MySqlWords.Ok(1));
                ended.Set();
                peer.Stall();
            }

            peer.Expect(3);
            asked.Cancel();
            ended.Wait(TimeSpan.FromSeconds(30));
            peer.Send(MySqlWords.Error(1, 1317, "Query execution was interrupted", "70100"));
            // Absorbs a KILL that arrives late.
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(1));
        });
        var client = Connect(server, asynchronously, $"{Verified};Pooling=false;Cancellation Timeout=30");
        await IsInterrupted(client, asked, asynchronously);
        Assert.Equal(2, server.Peers.Count);
    }

    // The client follows a redirection from a server whose certificate the application's callback accepts. SSL Mode alone would allow less at the target.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_a_verified_one_names_must_offer_TLS_whatever_the_mode(bool asynchronously)
    {
        using var second = FakeServer.Start(static peer => peer.Welcome());
        using var first = FakeServer.Start(peer => Redirect(peer, second.Port));
        await using var source = new MySqlDataSourceBuilder(
                $"Server=localhost;Port={first.Port};User ID=somebody;Password={Password};Connection Timeout=30;Pipelining Mode=Off;SSL Mode=Preferred;Server "
                    + "Redirection Mode=Required")
            .UseRemoteCertificateValidationCallback(static (_, certificate, _, _) => certificate is not null).Build();
        var failure = await Assert.ThrowsAsync<MySqlException>(async () => _ = asynchronously ? await source.OpenConnectionAsync() : source.OpenConnection());
        Assert.Contains("TLS", failure.Message);
        Assert.Empty(Assert.Single(second.Peers).Received);
    }

    [Theory]
    [InlineData("no TLS", false)]
    [InlineData("another certificate", true)]
    [InlineData("words before TLS", false)]
    [InlineData("a method that is not allowed", true)]
    public async Task A_server_that_a_verified_one_names_is_verified_as_that_one_was(string lie, bool asynchronously)
    {
        List<byte[]> answers = [];
        using var second = FakeServer.Start(peer =>
        {
            peer.Send(lie == "no TLS" ? MySqlWords.Greeting()
                : lie == "words before TLS" ? [.. MySqlWords.Greeting(capabilities: WithTls), .. MySqlWords.Ok(3)]
                : MySqlWords.Greeting(capabilities: WithTls));
            peer.ReadPacket();
            peer.UpgradeToTls(lie == "another certificate" ? Untrusted : Certificates.Server);
            peer.ReadPacket();
            peer.Send(MySqlWords.AuthSwitch(3, "mysql_clear_password", [.. MySqlWords.Nonce, 0]));
            answers.Add(peer.ReadPacket().Payload);
        });
        using var first = FakeServer.Start(peer => Redirect(peer, second.Port));
        var source = new MySqlDataSource(
            $"Server=localhost;Port={first.Port};User ID=somebody;Password={Password};Connection Timeout=30;Pipelining Mode=Off;{Verified};Server Redirection "
                + "Mode=Required;Require Auth=caching_sha2_password");
        Assert.IsType<MySqlException>(await new Client(source, first, asynchronously).OpenFails());
        Assert.Empty(answers);
        NeverSent(second, Cleartext);
        var received = Assert.Single(second.Peers).Received;
        if (lie != "a method that is not allowed")
            Assert.InRange(received.Length, 0, SslRequestLength);
    }

    private static void Redirect(FakePeer peer, int port)
    {
        peer.Send(MySqlWords.Greeting(capabilities: WithTls | SessionTrack));
        peer.ReadPacket();
        peer.UpgradeToTls(Certificates.Server);
        peer.ReadPacket();
        peer.Send([.. MySqlWords.AuthMore(3, 3), .. MySqlWords.Packet(4, [0, 0, 0, 2, 0, 0, 0, .. MySqlWords.Text($"Location: mysql://localhost:{port}\n")])]);
    }

    private static void QueryInTls(FakePeer peer, X509Certificate2 certificate, CancellationTokenSource asked)
    {
        peer.Send(MySqlWords.Greeting(capabilities: WithTls));
        peer.ReadPacket();
        peer.UpgradeToTls(certificate);
        peer.ReadPacket();
        peer.Send([.. MySqlWords.AuthMore(3, 3), .. MySqlWords.Ok(4)]);
        peer.Expect(3);
        asked.Cancel();
        peer.Stall();
    }

    // By a token, or without one by the command timeout, which is at least one second.
    private static async Task IsInterrupted(Client client, CancellationTokenSource asked, bool asynchronously)
    {
        if (asynchronously)
            Assert.IsAssignableFrom<OperationCanceledException>(await client.QueryFails(commandTimeout: 30, cancellationToken: asked.Token));
        else
            Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, Assert.IsType<MySqlException>(await client.QueryFails(commandTimeout: 1)).ErrorCode);
    }
}
