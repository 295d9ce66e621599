using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.MySql;

/// <summary>Servers that request more during the login than they may have.</summary>
public sealed class LoginTests : MySqlPeerTests
{
    private static readonly byte[] Cleartext = Encoding.UTF8.GetBytes(Password);

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_endless_auth_switch_is_given_up(bool asynchronously)
    {
        var switches = 0;
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting());
            var (sequence, _) = peer.ReadPacket();
            while (switches < 1000)
            {
                switches++;
                peer.Send(MySqlWords.AuthSwitch(sequence + 1, "mysql_native_password", [.. MySqlWords.Nonce, 0]));
                (sequence, _) = peer.ReadPacket();
            }
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.InRange(switches, 1, 20);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Endless_questions_of_a_method_are_given_up(bool asynchronously)
    {
        var questions = 0;
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting());
            var (sequence, _) = peer.ReadPacket();
            for (; questions < 1000; questions++)
                peer.Send(MySqlWords.AuthMore(++sequence, 3));
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_password_in_clear_is_refused_to_the_loopback_address(bool asynchronously)
    {
        using var server = FakeServer.Start(AsksForCleartext);
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        NeverSent(server, Cleartext);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_password_in_clear_is_sent_to_the_loopback_address_when_that_is_allowed(bool asynchronously)
    {
        using var server = FakeServer.Start(AsksForCleartext);
        await Connect(server, asynchronously, "Allow Cleartext Password=true").Opens();
        Assert.NotEqual(-1, server.Received.AsSpan().IndexOf((byte[])[.. Cleartext, 0]));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_password_in_clear_is_never_sent_over_a_network_without_TLS(bool asynchronously)
    {
        if (NetworkAddress() is not { } address)
        {
            Assert.Skip("This machine has no address but loopback ones.");
            return;
        }

        using var server = FakeServer.Start(AsksForCleartext, address);
        IsConnectFailure(server, await Connect(server, asynchronously, "Allow Cleartext Password=true").OpenFails());
        NeverSent(server, Cleartext);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Full_authentication_over_a_network_asks_for_no_key_by_default(bool asynchronously)
    {
        if (NetworkAddress() is not { } address)
        {
            Assert.Skip("This machine has no address but loopback ones.");
            return;
        }

        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send(MySqlWords.AuthMore(2, 4));
            var (_, answer) = peer.ReadPacket();
            throw new InvalidDataException($"The client answered with {answer.Length} bytes.");
        }, address);
        var failure = IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.Contains("Allow Public Key Retrieval", failure.Message, StringComparison.OrdinalIgnoreCase);
        NeverSent(server, Cleartext);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_public_key_that_is_none_is_refused(bool asynchronously)
    {
        if (NetworkAddress() is not { } address)
        {
            Assert.Skip("This machine has no address but loopback ones.");
            return;
        }

        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send(MySqlWords.AuthMore(2, 4));
            peer.ReadPacket();
            peer.Send(MySqlWords.AuthMore(4, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"u8));
        }, address);
        IsConnectFailure(server, await Connect(server, asynchronously, "Allow Public Key Retrieval=true").OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_unknown_method_is_named(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send(MySqlWords.AuthSwitch(2, "dialog", "Password: "u8));
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.Contains("dialog", failure.Message);
        NeverSent(server, Cleartext);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_method_name_of_control_characters_does_not_reach_the_message(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send(MySqlWords.AuthSwitch(2, "\u001B[2Jpwned\r\nline" + new string('x', 100_000), MySqlWords.Nonce));
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.DoesNotContain('\u001B', failure.Message);
        Assert.InRange(failure.Message.Length, 1, 2000);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_method_of_before_4_1_is_refused(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send(MySqlWords.Packet(2, 0xFE));
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_nonce_that_is_too_short_is_refused(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send(MySqlWords.AuthSwitch(2, "mysql_native_password", "short"u8));
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_OK_with_a_wrong_sequence_number_is_refused(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(5));
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_wrong_password_keeps_the_servers_number(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send(MySqlWords.Error(2, 1045, "Access denied for user 'somebody'@'localhost' (using password: YES)", "28000"));
            peer.Close();
        });
        var failure = Assert.IsType<Slipstream.MySql.MySqlException>(await Connect(server, asynchronously).OpenFails());
        Assert.Equal(1045, failure.Number);
        Assert.Equal("28000", failure.SqlState);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_huge_refusal_of_control_characters_is_shown_short_and_clean(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send(MySqlWords.Error(2, 1045, "denied\u001B[31m\r\n\0" + string.Concat(Enumerable.Repeat("\u0007boo", 15_000))));
            peer.Close();
        });
        var failure = Assert.IsType<Slipstream.MySql.MySqlException>(await Connect(server, asynchronously).OpenFails());
        Assert.Equal(1045, failure.Number);
        Assert.DoesNotContain(failure.Message, static character => char.IsControl(character) && character is not ('\n' or '\r' or '\t'));
        Assert.InRange(failure.Message.Length, 1, 10_000);
    }

    private static void AsksForCleartext(FakePeer peer)
    {
        peer.Send(MySqlWords.Greeting());
        peer.ReadPacket();
        peer.Send(MySqlWords.AuthSwitch(2, "mysql_clear_password"));
        peer.ReadPacket();
        peer.Send(MySqlWords.Ok(4));
    }

    internal static IPAddress? NetworkAddress() => NetworkInterface.GetAllNetworkInterfaces()
        .Where(static card => card.OperationalStatus == OperationalStatus.Up)
        .SelectMany(static card => card.GetIPProperties().UnicastAddresses)
        .Select(static address => address.Address)
        .FirstOrDefault(static address => address.AddressFamily == AddressFamily.InterNetwork && !IPAddress.IsLoopback(address));
}
