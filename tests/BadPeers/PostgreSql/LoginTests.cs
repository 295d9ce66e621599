using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Servers that request more during the login than they may have, or cannot prove their identity.</summary>
public sealed class LoginTests : PgPeerTests
{
    private static readonly byte[] Cleartext = Encoding.UTF8.GetBytes(Password);

    [Theory]
    [InlineData(1, "", true), InlineData(4095, "", false), InlineData(4096, "Scram Min Iterations=10000", true)]
    public async Task Too_few_iterations_of_SCRAM_get_no_proof(int iterations, string options, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.ReadStartupWithoutTls();
            peer.Send(PgWords.Authentication(10, [.. PgWords.Text("SCRAM-SHA-256"), 0]));
            var words = System.Text.Encoding.ASCII.GetString(peer.ReadMessage().Body);
            peer.Send(
                PgWords.Authentication(
                    11,
                    System.Text.Encoding.ASCII.GetBytes($"r={words[(words.IndexOf("r=", StringComparison.Ordinal) + 2)..]}one,s=c2FsdHNhbHQ=,i={iterations}")));
            peer.ReadMessage();
            throw new InvalidDataException("A proof was sent.");
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously, options).OpenFails());
        Assert.Contains("Scram Min Iterations", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Few_iterations_of_SCRAM_are_answered_where_an_option_allows_them(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartupWithoutTls();
            peer.Send(PgWords.Authentication(10, [.. PgWords.Text("SCRAM-SHA-256"), 0]));
            var words = System.Text.Encoding.ASCII.GetString(peer.ReadMessage().Body);
            peer.Send(
                PgWords.Authentication(
                    11, System.Text.Encoding.ASCII.GetBytes($"r={words[(words.IndexOf("r=", StringComparison.Ordinal) + 2)..]}one,s=c2FsdHNhbHQ=,i=1")));
            if (!System.Text.Encoding.ASCII.GetString(peer.ReadMessage().Body).Contains(",p=", StringComparison.Ordinal))
                throw new InvalidDataException("No proof was sent.");
            peer.Send(PgWords.Error(('S', "FATAL"), ('V', "FATAL"), ('C', "28P01"), ('M', "heard")));
        });
        Assert.Contains("heard", (await Connect(server, asynchronously, "Scram Min Iterations=1").OpenFails()).Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task SCRAM_with_an_honest_server_lets_us_in(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => Scram(peer, new ScramServer(Password)));
        await Connect(server, asynchronously).Opens();
        NeverSent(server, Cleartext);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_does_not_know_the_password_is_found_out(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => Scram(peer, new ScramServer(Password) { SignsWrongly = true }));
        IsForbidden(await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_skips_its_proof_is_found_out(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => Scram(peer, new ScramServer(Password) { SkipsSignature = true }));
        IsForbidden(await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_nonce_that_does_not_continue_ours_is_refused(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => Scram(peer, new ScramServer(Password) { ForgetsNonce = true }));
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory]
    [InlineData(false, "2000000000")]
    [InlineData(true, "2000000000")]
    [InlineData(false, "99999999999999999999")]
    [InlineData(true, "99999999999999999999")]
    [InlineData(false, "0")]
    [InlineData(true, "0")]
    [InlineData(false, "-1")]
    [InlineData(true, "-1")]
    public async Task An_iteration_count_that_would_keep_us_busy_for_ever_is_refused(bool asynchronously, string iterations)
    {
        using var server = FakeServer.Start(peer => Scram(peer, new ScramServer(Password) { AnnouncedIterations = iterations }));
        var client = Connect(server, asynchronously);
        IsConnectFailure(server, await client.OpenFails());
        Assert.InRange(client.Took.TotalSeconds, 0, 10);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task SASL_that_begins_again_and_again_is_given_up(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartup();
            while (true)
            {
                peer.Send(PgWords.Authentication(10, [.. PgWords.Text("SCRAM-SHA-256"), 0]));
                peer.ReadMessage();
            }
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Mechanisms_that_are_all_unknown_are_refused_without_control_characters(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartup();
            peer.Send(PgWords.Authentication(10, [.. PgWords.Text("\u001B[2JSCRAM-MD2"), .. PgWords.Text(new string('x', 3000)), 0]));
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.DoesNotContain('\u001B', failure.Message);
        Assert.InRange(failure.Message.Length, 1, 2000);
    }

    [Theory]
    [InlineData(false, 3)]
    [InlineData(true, 3)]
    [InlineData(false, 5)]
    [InlineData(true, 5)]
    public async Task The_password_in_clear_and_its_MD5_are_not_given_by_default(bool asynchronously, int kind)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.ReadStartup();
            peer.Send(PgWords.Authentication(kind, kind == 5 ? "salt"u8 : []));
            throw new InvalidDataException($"The client answered with '{peer.ReadMessage().Type}'.");
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.Matches("Require Auth|SSL Mode", failure.Message);
        NeverSent(server, Cleartext);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_password_in_clear_is_never_sent_over_a_network_without_TLS(bool asynchronously)
    {
        if (MySql.LoginTests.NetworkAddress() is not { } address)
        {
            Assert.Skip("This machine has no address but loopback ones.");
            return;
        }

        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartup();
            peer.Send(PgWords.Authentication(3));
        }, address);
        IsConnectFailure(server, await Connect(server, asynchronously, "Require Auth=Password").OpenFails());
        NeverSent(server, Cleartext);
    }

    [Theory]
    [InlineData(false, 2)]
    [InlineData(true, 2)]
    [InlineData(false, 7)]
    [InlineData(true, 7)]
    [InlineData(false, 4711)]
    [InlineData(true, 4711)]
    public async Task An_unknown_way_of_authentication_is_refused(bool asynchronously, int kind)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.ReadStartup();
            peer.Send(PgWords.Authentication(kind));
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task No_authentication_at_all_is_refused_when_SCRAM_is_demanded(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.WelcomePg());
        IsConnectFailure(server, await Connect(server, asynchronously, "Require Auth=ScramSHA256").OpenFails());
    }

    private static void Scram(FakePeer peer, ScramServer scram)
    {
        peer.ReadStartup();
        scram.Authenticate(peer);
        peer.Send(PgWords.LoginSuccess);
    }

    private static void IsForbidden(Exception exception)
    {
        var failure = Assert.IsAssignableFrom<Slipstream.PostgreSql.PgException>(exception);
        Assert.Contains("password", failure.Message);
        Assert.DoesNotContain(Password, failure.ToString());
    }
}
