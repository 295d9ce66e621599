using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

/// <summary>Small answers that are collected before a thread of the engine is woken.</summary>
public sealed class EngineGatheringTests : IDisposable
{
    private static readonly TimeSpan Hang = TimeSpan.FromSeconds(60);

    private readonly CompletionEngine _engine = CompletionEngine.TryCreate() ?? throw EngineTransportTests.Skipped();
    private readonly byte[] _room = new byte[4096];
    private Socket? _far;

    public void Dispose() => _far?.Dispose();

    [Fact]
    public async Task Answers_that_come_in_time_complete_one_receive()
    {
        using var transport = await ConnectAsync();
        var until = Environment.TickCount64 + (long)Hang.TotalMilliseconds;
        do
        {
            // On a busy machine, the time may run out before all is sent. Nothing is lost then, and the transport says so.
            transport.GatherNext(100);
            var receive = transport.ReceiveAsync(_room).AsTask();
            for (var i = 0; i < 10; i++)
                _far!.Send(new byte[10]);
            var count = await receive.WaitAsync(Hang);
            Assert.True(count == 100 || transport.HasGatheredLate, $"{count} bytes of 100 completed the receive in time.");
            for (; count < 100; count += await transport.ReceiveAsync(_room).AsTask().WaitAsync(Hang))
                Assert.True(Environment.TickCount64 < until, "The answers never came in time.");
        }
        while (transport.HasGatheredLate);
    }

    [Fact]
    public async Task Answers_that_come_late_are_received_and_the_next_receive_needs_one_byte()
    {
        using var transport = await ConnectAsync();
        for (var i = 0; i < 20; i++)
        {
            transport.GatherNext(1000);
            var receive = transport.ReceiveAsync(_room).AsTask();
            _far!.Send(new byte[10]);
            Assert.Equal(10, await receive.WaitAsync(Hang));
            Assert.True(transport.HasGatheredLate);
            Assert.True(_engine.Gatherings.IsEmpty);
            _far.Send(new byte[1]);
            await Eventually.TrueAsync(() => transport.IsReadable);
            Assert.Equal(1, await transport.ReceiveAsync(_room).AsTask().WaitAsync(Hang));
        }
    }

    [Fact]
    public async Task Nothing_is_enough_when_the_time_has_run_out_before_the_first_byte()
    {
        using var transport = await ConnectAsync();
        transport.GatherNext(1000);
        var receive = transport.ReceiveAsync(_room).AsTask();
        await Eventually.TrueAsync(() => _engine.Gatherings.IsEmpty);
        _far!.Send(new byte[1]);
        Assert.Equal(1, await receive.WaitAsync(Hang));
        Assert.True(transport.HasGatheredLate);
    }

    [Fact]
    public async Task A_peer_that_goes_ends_the_wait()
    {
        using var transport = await ConnectAsync();
        transport.GatherNext(1000);
        var receive = transport.ReceiveAsync(_room).AsTask();
        _far!.Dispose();
        Assert.Equal(0, await receive.WaitAsync(Hang));
    }

    [Fact]
    public async Task A_transport_that_is_disposed_ends_the_wait()
    {
        var transport = await ConnectAsync();
        transport.GatherNext(1000);
        var receive = transport.ReceiveAsync(_room).AsTask();
        transport.Dispose();
        try
        {
            Assert.Equal(0, await receive.WaitAsync(Hang));
        }
        catch (WireException)
        {
            // As without gathering: the end, or a failure.
        }

        await Eventually.TrueAsync(() => _engine.Gatherings.IsEmpty);
    }

    [Fact]
    public async Task Late_answers_are_received_while_the_engines_thread_is_blocked_in_the_callers_code()
    {
        using var transport = await ConnectAsync();
        var count = await Eventually.OnThread(() => BlockAsync().GetAwaiter().GetResult()).WaitAsync(Hang);
        Assert.Equal(10, count);

        async Task<int> BlockAsync()
        {
            var first = transport.ReceiveAsync(_room);
            _far!.Send(new byte[1]);
            await first.ConfigureAwait(false);
            transport.GatherNext(1000);
            var receive = transport.ReceiveAsync(_room).AsTask();
            _far.Send(new byte[10]);
            return receive.WaitAsync(Hang).GetAwaiter().GetResult();
        }
    }

    [Fact]
    public async Task A_wish_for_no_bytes_takes_back_the_one_before()
    {
        using var transport = await ConnectAsync();
        transport.GatherNext(1000);
        transport.GatherNext(0);
        var receive = transport.ReceiveAsync(_room).AsTask();
        Assert.True(_engine.Gatherings.IsEmpty);
        _far!.Send(new byte[1]);
        Assert.Equal(1, await receive.WaitAsync(Hang));
    }

    // The engine has been told to listen: the first receive of a connection never waits for more than one byte.
    private async Task<EngineTransport> ConnectAsync()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var near = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        near.Connect(listener.LocalEndPoint!);
        var far = await listener.AcceptAsync();
        far.NoDelay = true;
        _far = far;
        var transport = new EngineTransport(_engine, near, AsyncContinuations.Engine, PeerTrust.Loopback, "test", null);
        var first = transport.ReceiveAsync(_room).AsTask();
        far.Send(new byte[1]);
        Assert.Equal(1, await first.WaitAsync(Hang));
        return transport;
    }
}
