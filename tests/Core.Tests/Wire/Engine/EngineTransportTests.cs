using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

/// <summary>The driver's own engine over real sockets of this machine. Each test has its own engine, so that its counts are its own.</summary>
public class EngineTransportTests
{
    private static readonly TimeSpan Hang = TimeSpan.FromSeconds(60);

    private readonly CompletionEngine _engine = CompletionEngine.TryCreate() ?? throw Skipped();

    [Theory]
    [InlineData(1, 1)]
    [InlineData(1, 4096)]
    [InlineData(4096, 1)]
    [InlineData(int.MaxValue, 4096)]
    public async Task What_is_sent_comes_back_whatever_the_pieces(int piece, int room)
    {
        using var peer = new EchoPeer(piece);
        using var transport = await peer.ConnectAsync(_engine);
        for (var size = 1; size < 3000; size = size * 3 + 1)
        {
            var sent = Bytes(size);
            await transport.SendAsync(sent);
            Assert.Equal(sent, await ReceiveAsync(transport, size, room));
        }
    }

    [Fact]
    public async Task More_than_the_kernel_takes_is_sent_while_it_is_answered()
    {
        const int Size = 20_000_000;
        using var peer = new EchoPeer();
        using var transport = await peer.ConnectAsync(_engine);
        var sent = Bytes(Size);
        var sending = transport.SendAsync(sent).AsTask();
        Assert.Equal(sent, await ReceiveAsync(transport, Size, 65536).WaitAsync(Hang));
        await sending.WaitAsync(Hang);
        await transport.SendAsync("x"u8.ToArray());
        Assert.Equal("x"u8.ToArray(), await ReceiveAsync(transport, 1, 16));
    }

    [Fact]
    public async Task Blocking_and_asynchronous_use_alternate_on_one_session_and_blocking_use_wakes_nobody()
    {
        using var peer = new EchoPeer();
        using var transport = await peer.ConnectAsync(_engine);
        for (var i = 0; i < 100; i++)
        {
            await EchoAsync(transport);
            await EchoAsync(transport);
            Echo(transport);
            Echo(transport);
        }

        Echo(transport);
        // Repeated, because the engine may still be passing on an earlier event.
        var passed = long.MaxValue;
        for (var round = 0; round < 5 && passed != 0; round++)
        {
            var before = _engine.Threads.Passed;
            for (var i = 0; i < 1000; i++)
                Echo(transport);
            passed = _engine.Threads.Passed - before;
        }

        Assert.Equal(0, passed);
        for (var i = 0; i < 10; i++)
            await EchoAsync(transport);
        Assert.NotEqual(0, _engine.Threads.Passed);
        Assert.False(transport.HasWaitedAsynchronously);
    }

    [Fact]
    public async Task Waiting_to_send_leaves_a_receive_under_way_alone()
    {
        using var peer = new EchoPeer();
        using var transport = await peer.ConnectAsync(_engine);
        var room = new byte[4];
        var receiving = transport.ReceiveAsync(room).AsTask();
        Assert.True(transport.WaitToSend());
        transport.Send("late"u8);
        Assert.InRange(await receiving.WaitAsync(Hang), 1, 4);
    }

    [Fact]
    public async Task A_session_that_only_blocks_is_unknown_to_the_engine()
    {
        using var peer = new EchoPeer();
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(IPAddress.Loopback, peer.Endpoint.Port);
        using var transport = new EngineTransport(_engine, socket, AsyncContinuations.Engine, PeerTrust.Loopback, "echo", null);
        Echo(transport);
        Assert.Equal((0, 0), (_engine.Count, _engine.Threads.Started));
        await EchoAsync(transport);
        Assert.Equal(1, _engine.Count);
        // More than one if this test, which continues on the engine's thread, has lost its processor for a few milliseconds.
        Assert.NotEqual(0, _engine.Threads.Started);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Far_into_a_long_answer_no_thread_polls_for_the_rest_of_it(bool asynchronous)
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(listener.LocalEndPoint!);
        using var peer = await listener.AcceptAsync();
        using var transport = new EngineTransport(_engine, socket, AsyncContinuations.ThreadPool, PeerTrust.Loopback, "peer", null);
        var parts = 0;
        while (transport.Spins)
        {
            await ReceivePartAsync();
            Assert.InRange(++parts, 1, 8);
        }

        Assert.Equal(8, parts);
        await ReceivePartAsync();
        Assert.False(transport.Spins);
        if (asynchronous)
            await transport.SendAsync(new byte[] { 1 });
        else
            transport.Send([1]);
        Assert.True(transport.Spins);

        async Task ReceivePartAsync()
        {
            // The wait begins before the part arrives, so that the engine is told of it.
            var receive = transport.ReceiveAsync(new byte[1]).AsTask();
            peer.Send([1]);
            Assert.Equal(1, await receive.WaitAsync(Hang));
        }
    }

    [Fact]
    public async Task A_peer_that_must_not_be_polled_for_never_is()
    {
        using var peer = new EchoPeer();
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(IPAddress.Loopback, peer.Endpoint.Port);
        using var transport = new EngineTransport(_engine, socket, AsyncContinuations.Engine, PeerTrust.Loopback, "echo", null, spins: false);
        await EchoAsync(transport);
        Assert.False(transport.Spins);
    }

    [Fact]
    public async Task The_caller_goes_on_where_it_was_asked_to_and_no_thread_keeps_the_process()
    {
        using var peer = new EchoPeer();
        using var inEngine = await peer.ConnectAsync(_engine);
        using var inPool = await peer.ConnectAsync(_engine, AsyncContinuations.ThreadPool);
        var engines = await Eventually.OnThread(() => ThreadAfterAsync(inEngine).GetAwaiter().GetResult());
        Assert.StartsWith("Slipstream engine", engines.Name);
        Assert.True(engines.IsBackground);
        Assert.True((await Eventually.OnThread(() => ThreadAfterAsync(inPool).GetAwaiter().GetResult())).IsThreadPoolThread);

        static async Task<Thread> ThreadAfterAsync(EngineTransport transport)
        {
            // If an answer has already arrived, the caller's own thread reads it; if it arrives before the caller waits, the pool continues.
            for (var i = 0; i < 10_000 && Thread.CurrentThread is { IsThreadPoolThread: true } or { Name: null }; i++)
                await EchoAsync(transport).ConfigureAwait(false);
            return Thread.CurrentThread;
        }
    }

    [Fact]
    public async Task What_a_caller_leaves_on_the_engines_thread_does_not_reach_the_next()
    {
        using var peer = new EchoPeer();
        using var first = await peer.ConnectAsync(_engine);
        using var second = await peer.ConnectAsync(_engine);
        var local = new AsyncLocal<string>();
        var seen = new TaskCompletionSource<(string?, SynchronizationContext?)>(TaskCreationOptions.RunContinuationsAsynchronously);

        // A continuation without a state machine, which would restore the context after it.
        await first.SendAsync("a"u8.ToArray());
        var waiting = first.ReceiveAsync(new byte[1]).GetAwaiter();
        var left = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        waiting.UnsafeOnCompleted(() =>
        {
            local.Value = "mine";
            SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
            left.SetResult();
        });
        await left.Task.WaitAsync(Hang);
        await second.SendAsync("b"u8.ToArray());
        var other = second.ReceiveAsync(new byte[1]).GetAwaiter();
        other.UnsafeOnCompleted(() => seen.SetResult((local.Value, SynchronizationContext.Current)));
        Assert.Equal((null, null), await seen.Task.WaitAsync(Hang));
    }

    [Fact]
    public async Task The_callers_context_flows()
    {
        using var peer = new EchoPeer();
        using var transport = await peer.ConnectAsync(_engine);
        var local = new AsyncLocal<int>();
        await Task.WhenAll(Enumerable.Range(0, 8).Select(async number =>
        {
            using var own = await peer.ConnectAsync(_engine);
            local.Value = number;
            for (var i = 0; i < 50; i++)
            {
                await EchoAsync(own).ConfigureAwait(false);
                Assert.Equal(number, local.Value);
            }
        }));
        Assert.Equal(0, local.Value);
    }

    [Fact]
    public async Task A_peer_that_has_finished_sending_is_heard_to_the_end_and_can_still_be_sent_to()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var scope = new DialScope(60_000, default);
        using var transport =
            (EngineTransport)await new Dialer(null, engine: AsyncEngine.Own).DialAsync(new("127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port), scope);
        using var peer = await listener.AcceptSocketAsync();
        var waiting = transport.ReceiveAsync(new byte[10]).AsTask();
        peer.Send("abc"u8);
        Assert.Equal(3, await waiting.WaitAsync(Hang));
        peer.Send("de"u8);
        peer.Shutdown(SocketShutdown.Send);
        var room = new byte[10];
        Assert.Equal(2, await transport.ReceiveAsync(room).AsTask().WaitAsync(Hang));
        for (var i = 0; i < 3; i++)
            Assert.Equal(0, await transport.ReceiveAsync(room).AsTask().WaitAsync(Hang));
        await transport.SendAsync("still"u8.ToArray());
        Assert.Equal(5, peer.Receive(room));
    }

    [Fact]
    public async Task A_peer_that_resets_the_connection_ends_the_wait()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var scope = new DialScope(60_000, default);
        using var transport = await new Dialer(null, engine: AsyncEngine.Own).DialAsync(new("127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port), scope);
        var peer = await listener.AcceptSocketAsync();
        var waiting = transport.ReceiveAsync(new byte[10]).AsTask();
        peer.LingerState = new LingerOption(true, 0);
        peer.Dispose();
        var error = await Assert.ThrowsAsync<WireException>(() => waiting.WaitAsync(Hang));
        Assert.Equal(WireFailure.Lost, error.Failure);
        Assert.Contains("ConnectionReset", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Disposing_ends_a_wait_and_leaves_nothing_in_the_engine()
    {
        using var peer = new EchoPeer();
        for (var i = 0; i < 100; i++)
        {
            var transport = await peer.ConnectAsync(_engine);
            var waiting = transport.ReceiveAsync(new byte[1]).AsTask();
            var disposing = Eventually.OnThread(transport.Dispose);
            // The connection's end, or the exception of a closed connection.
            try
            {
                Assert.Equal(0, await waiting.WaitAsync(Hang));
            }
            catch (WireException exception)
            {
                Assert.Equal(WireFailure.Lost, exception.Failure);
            }

            await disposing.WaitAsync(Hang);
        }

        await OffTheEngine(() => _engine.Count == 0);
    }

    [Fact]
    public async Task What_nobody_disposed_of_leaves_the_engine_when_it_is_collected()
    {
        using var peer = new EchoPeer();
        await LoseOne();
        await OffTheEngine(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return _engine.Count == 0;
        });

        async Task LoseOne()
        {
            var transport = await peer.ConnectAsync(_engine);
            await EchoAsync(transport);
            Assert.Equal(1, _engine.Count);
        }
    }

    [Fact]
    public async Task Ten_thousand_connections_come_and_go_under_load()
    {
        using var peer = new EchoPeer();
        var stop = false;
        var load = Enumerable.Range(0, 8).Select(_ => Task.Run(async () =>
        {
            using var transport = await peer.ConnectAsync(_engine);
            long count = 0;
            for (; !Volatile.Read(ref stop); count++)
                await EchoAsync(transport).ConfigureAwait(false);
            return count;
        })).ToArray();
        var comers = Enumerable.Range(0, 16).Select(comer => Task.Run(async () =>
        {
            for (var i = 0; i < 625; i++)
            {
                var transport = await peer.ConnectAsync(_engine).ConfigureAwait(false);
                await EchoAsync(transport).ConfigureAwait(false);
                if (i % 3 != 0)
                {
                    transport.Dispose();
                    continue;
                }

                // Closed by another thread while it waits.
                var waiting = transport.ReceiveAsync(new byte[1]).AsTask();
                ThreadPool.UnsafeQueueUserWorkItem(static transport => transport.Dispose(), transport, preferLocal: false);
                try
                {
                    Assert.Equal(0, await waiting.ConfigureAwait(false));
                }
                catch (WireException)
                {
                    // Closed before the wait began.
                }
            }
        })).ToArray();
        await Task.WhenAll(comers).WaitAsync(Hang * 3);
        Volatile.Write(ref stop, true);
        Assert.All(await Task.WhenAll(load).WaitAsync(Hang), count => Assert.True(count > 0));
        await OffTheEngine(() => _engine.Count == 0);
    }

    [Fact]
    public async Task An_echo_allocates_nothing()
    {
        using var peer = new EchoPeer();
        using var transport = await peer.ConnectAsync(_engine);
        var wire = new Wire(transport);
        var ask = new Ask();
        var best = long.MaxValue;
        for (var round = 0; round < 50 && best > 0; round++)
        {
            best = Math.Min(best, await RoundAsync());
        }

        Assert.Equal(0, best);

        // Stays on the engine's thread, whose allocations are counted.
        async Task<long> RoundAsync()
        {
            await AsyncPump.RunAsync(ask.Again(), wire).ConfigureAwait(false);
            var (thread, before) = (Environment.CurrentManagedThreadId, GC.GetAllocatedBytesForCurrentThread());
            for (var i = 0; i < 100; i++)
                await AsyncPump.RunAsync(ask.Again(), wire).ConfigureAwait(false);
            return thread == Environment.CurrentManagedThreadId ? GC.GetAllocatedBytesForCurrentThread() - before : long.MaxValue;
        }
    }

    // A test continues on the engine's thread: waiting there would block what it waits for.
    internal static Task OffTheEngine(Func<bool> condition) => Eventually.OnThread(() => Eventually.True(condition));

    internal static async Task EchoAsync(ITransport transport)
    {
        await transport.SendAsync("ping"u8.ToArray()).ConfigureAwait(false);
        Assert.Equal("ping"u8.ToArray(), await ReceiveAsync(transport, 4, 64).ConfigureAwait(false));
    }

    internal static void Echo(ITransport transport)
    {
        transport.Send("pong"u8);
        var room = new byte[64];
        for (var count = 0; count < 4;)
            count += transport.Receive(room.AsSpan(count));
        Assert.Equal("pong"u8, room.AsSpan(0, 4));
    }

    private static async Task<byte[]> ReceiveAsync(ITransport transport, int size, int room)
    {
        var all = new byte[size];
        for (var at = 0; at < size;)
        {
            var count = await transport.ReceiveAsync(all.AsMemory(at, Math.Min(room, size - at))).ConfigureAwait(false);
            Assert.NotEqual(0, count);
            at += count;
        }

        return all;
    }

    private static byte[] Bytes(int size)
    {
        var bytes = new byte[size];
        new Random(size).NextBytes(bytes);
        return bytes;
    }

    internal static InvalidOperationException Skipped()
    {
        Assert.Skip("The own engine needs Linux on x64 or arm64.");
        return new InvalidOperationException();
    }

    private sealed class Ask : Conversation
    {
        private bool _sent;

        public Ask Again()
        {
            _sent = false;
            return this;
        }

        public override Step Advance(Wire wire)
        {
            if (!_sent)
            {
                _sent = true;
                wire.Out.Text("ask");
                return Step.Send;
            }

            if (wire.Buffered < 3)
                return Step.Receive;
            wire.Start += 3;
            return Step.Completed;
        }
    }
}
