using System.Diagnostics;
using System.Net.Sockets;
using System.Security.Cryptography;

namespace Slipstream.Lab.Tests;

public sealed class LabProxyTests
{
    private static Socket Connect(LabProxy proxy)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, ReceiveTimeout = 60_000 };
        socket.Connect(proxy.Host, proxy.Port);
        return socket;
    }

    private static byte[] Receive(Socket socket, int length)
    {
        var bytes = new byte[length];
        for (var at = 0; at < length;)
        {
            var received = socket.Receive(bytes, at, length - at, SocketFlags.None);
            Assert.NotEqual(0, received);
            at += received;
        }

        return bytes;
    }

    private static byte[] RoundTrip(Socket socket, byte[] bytes)
    {
        socket.Send(bytes);
        return Receive(socket, bytes.Length);
    }

    [Fact]
    public async Task Bytes_pass_unchanged_and_are_counted()
    {
        using var echo = new EchoServer();
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        using var client = Connect(proxy);

        Assert.Equal([1, 2, 3], RoundTrip(client, [1, 2, 3]));

        Assert.Equal(3, proxy.Counters.BytesSent);
        Assert.Equal(3, proxy.Counters.BytesReceived);
        Assert.Equal(1, proxy.Counters.SegmentsSent);
        Assert.Equal(1, proxy.Counters.SegmentsReceived);
        Assert.Equal(1, proxy.Counters.Connections);
    }

    [Fact]
    public async Task A_round_trip_is_a_question_after_an_answer()
    {
        using var echo = new EchoServer();
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        using var client = Connect(proxy);
        for (byte i = 0; i < 5; i++)
            RoundTrip(client, [i]);

        Assert.Equal(5, proxy.Counters.RoundTrips);
    }

    [Fact]
    public async Task Several_sends_before_the_answer_are_one_round_trip()
    {
        using var echo = new EchoServer();
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        using var client = Connect(proxy);
        proxy.Stalled = true;
        client.Send([1]);
        client.Send([2]);
        proxy.Stalled = false;
        Receive(client, 2);

        Assert.Equal(2, proxy.Counters.BytesSent);
        // The echo may have answered the first byte before the second passed; the count never exceeds the number of sends.
        Assert.InRange(proxy.Counters.RoundTrips, 1, 2);
    }

    [Fact]
    public async Task A_greeting_is_no_round_trip_but_its_answer_is()
    {
        using var echo = new EchoServer([9, 9]);
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        using var client = Connect(proxy);
        Receive(client, 2);
        Assert.Equal(0, proxy.Counters.RoundTrips);

        RoundTrip(client, [1]);
        Assert.Equal(1, proxy.Counters.RoundTrips);
    }

    [Fact]
    public async Task Reset_zeroes_the_counters_and_remembers_who_spoke_last()
    {
        using var echo = new EchoServer();
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        using var client = Connect(proxy);
        RoundTrip(client, [1, 2]);

        proxy.Counters.Reset();
        Assert.Equal(0, proxy.Counters.BytesSent);
        Assert.Equal(0, proxy.Counters.RoundTrips);

        RoundTrip(client, [3]);
        Assert.Equal(1, proxy.Counters.BytesSent);
        Assert.Equal(1, proxy.Counters.RoundTrips);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    public async Task Latency_delays_each_direction(int milliseconds)
    {
        using var echo = new EchoServer();
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        using var client = Connect(proxy);
        RoundTrip(client, [0]);
        proxy.Latency = TimeSpan.FromMilliseconds(milliseconds);

        var best = TimeSpan.MaxValue;
        for (var i = 0; i < 10 || (i < 200 && best.TotalMilliseconds > (2 * milliseconds) + 5); i++)
        {
            var clock = Stopwatch.StartNew();
            RoundTrip(client, [1]);
            best = clock.Elapsed < best ? clock.Elapsed : best;
        }

        // The best of ten or more, because a busy machine adds its own delays.
        Assert.InRange(best.TotalMilliseconds, 2 * milliseconds, (2 * milliseconds) + 5);
    }

    [Fact]
    public async Task Latency_delays_but_does_not_limit_throughput()
    {
        using var echo = new EchoServer();
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        proxy.Latency = TimeSpan.FromMilliseconds(20);
        using var client = Connect(proxy);
        var sent = RandomNumberGenerator.GetBytes(8 * 1024 * 1024);

        var best = TimeSpan.MaxValue;
        for (var i = 0; i < 10 && best.TotalSeconds > 3; i++)
        {
            var clock = Stopwatch.StartNew();
            var sender = Task.Run(() => client.Send(sent), TestContext.Current.CancellationToken);
            var received = Receive(client, sent.Length);
            await sender;
            best = clock.Elapsed < best ? clock.Elapsed : best;
            Assert.Equal(sent, received);
        }

        // 128 pieces of 64 KiB one after the other would take 128 × 40 ms. The best of several, because a busy machine adds its own delays.
        Assert.InRange(best.TotalSeconds, 0, 3);
    }

    [Fact]
    public async Task Taking_latency_away_keeps_the_order_of_bytes()
    {
        using var echo = new EchoServer();
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        proxy.Latency = TimeSpan.FromMilliseconds(30);
        using var client = Connect(proxy);
        client.Send([1]);
        // Part of the latency: the first byte is still under way.
        Thread.Sleep(5);
        proxy.Latency = TimeSpan.Zero;
        client.Send([2]);

        Assert.Equal([1, 2], Receive(client, 2));
    }

    [Fact]
    public async Task A_stall_holds_everything_until_it_ends()
    {
        using var echo = new EchoServer();
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        using var client = Connect(proxy);
        RoundTrip(client, [0]);

        proxy.Stalled = true;
        client.Send([7]);
        Assert.False(client.Poll(100_000, SelectMode.SelectRead));

        proxy.Stalled = false;
        Assert.Equal([7], Receive(client, 1));
    }

    [Fact]
    public async Task Splitting_delivers_the_same_bytes_one_by_one()
    {
        using var echo = new EchoServer();
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        proxy.SplitIntoSingleBytes = true;
        using var client = Connect(proxy);
        // The echo returns in several pieces what it received in single bytes, unless it gets no processor time before the last byte has arrived.
        for (var times = 1; times <= 50 && proxy.Counters.SegmentsReceived < times; times++)
        {
            var sent = RandomNumberGenerator.GetBytes(300);
            client.Send(sent);

            var buffer = new byte[300];
            var first = client.Receive(buffer);
            var received = buffer[..first].Concat(Receive(client, 300 - first)).ToArray();

            Assert.Equal(sent, received);
            Assert.Equal(times, proxy.Counters.SegmentsSent);
        }

        Assert.True(proxy.Counters.SegmentsReceived > proxy.Counters.SegmentsSent);
    }

    [Fact]
    public async Task A_cut_resets_open_connections_and_takes_new_ones()
    {
        using var echo = new EchoServer();
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        using var client = Connect(proxy);
        RoundTrip(client, [0]);

        proxy.CutAll();
        var error = Record.Exception(() => Receive(client, 1));
        Assert.Equal(SocketError.ConnectionReset, Assert.IsType<SocketException>(error).SocketErrorCode);

        using var next = Connect(proxy);
        Assert.Equal([5], RoundTrip(next, [5]));
    }

    [Fact]
    public async Task A_cut_ends_stalled_and_delayed_connections_too()
    {
        using var echo = new EchoServer();
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        using var stalled = Connect(proxy);
        RoundTrip(stalled, [0]);
        proxy.Latency = TimeSpan.FromSeconds(30);
        stalled.Send([1]);
        proxy.Stalled = true;
        stalled.Send([2]);
        proxy.CutAll();

        Assert.IsType<SocketException>(Record.Exception(() => Receive(stalled, 1)));
    }

    [Fact]
    public async Task The_end_of_one_side_reaches_the_other_behind_all_bytes()
    {
        using var echo = new EchoServer();
        await using var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        proxy.Latency = TimeSpan.FromMilliseconds(10);
        using var client = Connect(proxy);
        client.Send([1, 2, 3]);
        client.Shutdown(SocketShutdown.Send);

        Assert.Equal([1, 2, 3], Receive(client, 3));
        Assert.Equal(0, client.Receive(new byte[1]));
    }

    [Fact]
    public async Task A_server_that_is_not_there_looks_like_a_reset()
    {
        await using var proxy = LabProxy.Start("127.0.0.1", FreePort.Choose());
        using var client = Connect(proxy);

        var error = Record.Exception(() => client.Receive(new byte[1]));
        Assert.Equal(SocketError.ConnectionReset, Assert.IsType<SocketException>(error).SocketErrorCode);
    }

    [Fact]
    public async Task Disposing_ends_connections_and_frees_the_port()
    {
        using var echo = new EchoServer();
        var proxy = LabProxy.Start("127.0.0.1", echo.Port);
        using var client = Connect(proxy);
        RoundTrip(client, [0]);
        await proxy.DisposeAsync();

        Assert.IsType<SocketException>(Record.Exception(() => Receive(client, 1)));
        Assert.True(FreePort.IsFree(proxy.Port));
    }
}
