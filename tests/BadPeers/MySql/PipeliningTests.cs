using Microsoft.Extensions.Logging;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// Proxies and servers that do not support several commands in one packet: the driver detects them on the first connection, never during a caller's command.
/// </summary>
public sealed class PipeliningTests : MySqlPeerTests
{
    private const byte Query = 3;
    private const byte Ping = 0x0E;
    private const byte Reset = 0x1F;

    private const uint WithTracker = MySqlWords.Capabilities | 0x800000;

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_answers_both_is_pipelined_to_and_probed_once(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome();
            if (peer.Number == 0)
            {
                Assert.Equal([Ping, Ping], peer.CommandsOfOneSegment());
                peer.Send([.. MySqlWords.Ok(1), .. MySqlWords.Ok(1)]);
            }

            peer.Expect(Query);
            peer.Send(One);
        });
        var (client, log) = Probing(server, asynchronously, "Pooling=false");
        Assert.Single(await client.Query());
        Assert.Single(await client.Query());
        Assert.Equal(2, server.Peers.Count);
        Assert.Empty(log.Messages);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_with_a_tracker_is_asked_for_it_in_the_probe(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome(WithTracker);
            Assert.Equal([Query, Ping], peer.CommandsOfOneSegment());
            peer.Send([.. TrackerOk(), .. MySqlWords.Ok(1)]);
            peer.Expect(Query);
            peer.Send(One);
        });
        var (client, _) = Probing(server, asynchronously);
        Assert.Single(await client.Query());
    }

    /// <summary>As ProxySQL does: the answer to the second packet has the wrong number.</summary>
    [Theory, InlineData(false), InlineData(true)]
    public Task An_answer_out_of_order_switches_pipelining_off(bool asynchronously) => SwitchesOff(asynchronously, static peer =>
    {
        peer.Send([.. MySqlWords.Ok(1), .. MySqlWords.Error(2, 1835, "Malformed communication packet")]);
        peer.Stall();
    });

    /// <summary>As another version of ProxySQL does.</summary>
    [Theory, InlineData(false), InlineData(true)]
    public Task An_error_switches_pipelining_off(bool asynchronously) => SwitchesOff(asynchronously, static peer =>
        peer.Send([.. MySqlWords.Ok(1), .. MySqlWords.Error(1, 9999, "Unexpected packet from client")]));

    [Theory, InlineData(false), InlineData(true)]
    public Task A_closed_connection_switches_pipelining_off(bool asynchronously) => SwitchesOff(asynchronously, static peer => peer.Close());

    [Theory, InlineData(false), InlineData(true)]
    public Task A_reset_connection_switches_pipelining_off(bool asynchronously) => SwitchesOff(asynchronously, static peer =>
    {
        peer.Send(MySqlWords.Ok(1));
        peer.Reset();
    });

    /// <summary>As Aurora MySQL 2 does: what follows the first command in the same segment is lost.</summary>
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_second_command_that_is_ignored_switches_pipelining_off_within_a_second_or_two(bool asynchronously)
    {
        var took = await SwitchesOff(asynchronously, static peer =>
        {
            peer.Send(MySqlWords.Ok(1));
            peer.Stall();
        });
        Assert.InRange(took.TotalSeconds, 0.9, 10);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_peer_that_answers_neither_ends_with_the_connection_timeout(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome();
            peer.Stall();
        });
        var (client, _) = Probing(server, asynchronously, "Connection Timeout=1");
        IsConnectFailure(server, await client.OpenFails());
        Assert.InRange(client.Took.TotalSeconds, 0.9, 10);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_ProxySQL_that_says_so_is_not_probed(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting(version: "8.0.11 (ProxySQL)"));
            peer.ReadPacket();
            peer.Send([.. MySqlWords.AuthMore(2, 3), .. MySqlWords.Ok(3)]);
            AnswerOneByOne(peer);
        });
        var (client, log) = Probing(server, asynchronously);
        Assert.Single(await client.Query());
        Assert.Single(await client.Query());
        Assert.Single(server.Peers);
        Assert.Contains("ProxySQL", Assert.Single(log.Messages), StringComparison.Ordinal);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Off_sends_each_command_alone_without_a_probe(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome(WithTracker);
            AnswerOneByOne(peer);
        });
        var (client, log) = Probing(server, asynchronously, "Pipelining=false");
        for (var i = 0; i < 3; i++)
            Assert.Single(await client.Query());
        Assert.Single(server.Peers);
        Assert.Empty(log.Messages);
    }

    // The probe fails on the first connection. Later connections send each command alone, and the pool is never probed again.
    private static async Task<TimeSpan> SwitchesOff(bool asynchronously, Action<FakePeer> fault)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.Welcome();
            if (peer.Number == 0)
            {
                Assert.Equal([Ping, Ping], peer.CommandsOfOneSegment());
                fault(peer);
            }
            else
                AnswerOneByOne(peer);
        });
        var (client, log) = Probing(server, asynchronously);
        for (var i = 0; i < 3; i++)
            Assert.Single(await client.Query());
        Assert.Equal(2, server.Peers.Count);
        Assert.Contains($"{server.Address}:{server.Port}", Assert.Single(log.Messages), StringComparison.Ordinal);
        Assert.Equal(2, server.Received.AsSpan().Count((byte[])[1, 0, 0, 0, Reset]));
        return client.Took;
    }

    private static void AnswerOneByOne(FakePeer peer)
    {
        while (true)
        {
            var commands = peer.CommandsOfOneSegment();
            if (commands is not [var command])
                throw new InvalidDataException($"{commands.Length} commands came in one segment.");
            peer.Send(command == Query ? One : MySqlWords.Ok(1));
        }
    }

    private static byte[] One => [.. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. MySqlWords.TextRow(3, "1"), .. MySqlWords.End(4)];

    // info | session state: a change of the state
    private static byte[] TrackerOk() => MySqlWords.Packet(1, 0, 0, 0, 2, 0x40, 0, 0, 0, 3, 2, 1, (byte)'1');

    private static (Client Client, RecordedLogs Log) Probing(FakeServer server, bool asynchronously, string options = "")
    {
        var log = new RecordedLogs(LogLevel.Warning);
        var source = new MySqlDataSourceBuilder(
            $"Server={server.Address};Port={server.Port};User ID=somebody;Password={Password};SSL Mode=None;Connection Timeout=30;{options}")
            .UseLoggerFactory(log).Build();
        return (new Client(source, server, asynchronously), log);
    }
}
