using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>Other servers that answer in place of a MySQL server's greeting.</summary>
public sealed class GreetingTests : MySqlPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_greeting_that_is_garbage_is_told_as_the_wrong_server(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Send(MySqlWords.Packet(0, [.. Enumerable.Repeat((byte)0xA5, 80)])));
        var failure = IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.Contains("Check the port", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_greeting_cut_at_any_byte_is_told_as_the_wrong_server(bool asynchronously)
    {
        var whole = MySqlWords.Greeting()[4..];
        // Only before the plug-in's name: some servers omit the zero at its end, so a truncated name is valid.
        for (var length = 0; length < whole.Length - "caching_sha2_password".Length; length += 7)
        {
            var cut = MySqlWords.Packet(0, whole.AsSpan(0, length));
            using var server = FakeServer.Start(peer => peer.Send(cut));
            IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_plugins_name_without_the_zero_at_its_end_is_read(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            var greeting = MySqlWords.Greeting("mysql_native_password", version: "5.5.8")[4..^1];
            peer.Send(MySqlWords.Packet(0, greeting));
            peer.Send(MySqlWords.Ok(peer.ReadPacket().Sequence + 1));
        });
        await Connect(server, asynchronously).Opens();
    }

    /// <summary>
    /// The greeting comes before TLS: an attacker that changes it must not change what an UPDATE counts, nor how an unqualified name is resolved.
    /// </summary>
    [Theory, InlineData(false), InlineData(true)]
    public async Task What_the_user_has_asked_for_is_asked_of_a_server_that_does_not_offer_it(bool asynchronously)
    {
        const uint foundRows = 0x2, withDatabase = 0x8, interactive = 0x400;
        var asked = 0u;
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting("mysql_native_password", MySqlWords.Capabilities & ~(foundRows | withDatabase | interactive)));
            var (sequence, payload) = peer.ReadPacket();
            asked = BitConverter.ToUInt32(payload.AsSpan(0, 4));
            peer.Send(MySqlWords.Ok(sequence + 1));
        });
        await Connect(server, asynchronously, "Database=db;Interactive Session=true").Opens();
        Assert.Equal(foundRows | withDatabase | interactive, asked & (foundRows | withDatabase | interactive));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_web_server_is_told_as_the_wrong_server(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            // It waits for a request that never comes, so it sends an error, as some servers do.
            peer.Send("HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html>Bad Request</html>"u8);
            peer.Close();
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.Contains("Check the port", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_PostgreSQL_server_waits_for_us_and_the_time_runs_out(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.ReadStartup());
        var client = Connect(server, asynchronously, "Connection Timeout=1");
        var failure = IsConnectFailure(server, await client.OpenFails());
        Assert.Contains("greeting", failure.Message);
        Assert.InRange(client.Took.TotalSeconds, 0.9, 10);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Protocol_version_9_is_refused(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Send(MySqlWords.Greeting(protocol: 9, version: "3.20.1")));
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        NeverSent(server, "somebody"u8);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_without_the_4_1_protocol_is_refused(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Send(MySqlWords.Greeting(capabilities: 0x1)));
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        NeverSent(server, "somebody"u8);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_greeting_with_a_wrong_sequence_number_is_refused(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Send(MySqlWords.Greeting(sequence: 3)));
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_greeting_that_announces_16_MiB_takes_no_memory(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Send([.. MySqlWords.Header(0xFFFFFF, 0), 10]));
        IsConnectFailure(server, await Connect(server, asynchronously, "Connection Timeout=1").OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_greeting_without_end_is_given_up(bool asynchronously)
    {
        long sent = 0;
        using var server = FakeServer.Start(peer =>
        {
            peer.Send([.. MySqlWords.Header(0xFFFFFF, 0), 10]);
            sent = peer.SendUntilClosed(new byte[4096], 64 << 20);
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.InRange(sent, 0, 16 << 20);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Too_many_connections_keeps_the_servers_number(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Error(0, 1040, "Too many connections", state: null));
            peer.Close();
        });
        var failure = Assert.IsType<MySqlException>(await Connect(server, asynchronously).OpenFails());
        Assert.Equal(1040, failure.Number);
        Assert.Contains("Too many connections", failure.Message);
        Assert.True(failure.IsTransient);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Host_is_blocked_keeps_the_servers_number(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(
                MySqlWords.Error(0, 1129, "Host '10.0.0.1' is blocked because of many connection errors; unblock with 'mysqladmin flush-hosts'", state: null));
            peer.Close();
        });
        var failure = Assert.IsType<MySqlException>(await Connect(server, asynchronously).OpenFails());
        Assert.Equal(1129, failure.Number);
        Assert.Contains("flush-hosts", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_closes_at_once_is_named(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Close());
        var failure = IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
        Assert.Contains("closed the connection", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_cuts_the_connection_is_named(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Reset());
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_greeting_byte_by_byte_is_understood(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.SendSlowly(MySqlWords.Greeting(), TimeSpan.FromMilliseconds(1));
            peer.ReadPacket();
            peer.SendSlowly([.. MySqlWords.AuthMore(2, 3), .. MySqlWords.Ok(3)], TimeSpan.FromMilliseconds(1));
        });
        await Connect(server, asynchronously).Opens();
    }
}
