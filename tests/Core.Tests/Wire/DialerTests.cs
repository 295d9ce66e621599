using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Errors;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

public class DialerTests
{
    [Theory]
    [InlineData("::1", "::1")]
    [InlineData("::1 ::2", "::1 ::2")]
    [InlineData("::1 ::2 1.1.1.1 2.2.2.2", "::1 1.1.1.1 ::2 2.2.2.2")]
    [InlineData("1.1.1.1 2.2.2.2 3.3.3.3 ::1", "1.1.1.1 ::1 2.2.2.2 3.3.3.3")]
    [InlineData("1.1.1.1 ::1 2.2.2.2", "1.1.1.1 ::1 2.2.2.2")]
    public void Addresses_alternate_between_families_beginning_with_the_resolvers_choice(string resolved, string expected) =>
        Assert.Equal(expected, string.Join(' ', Dialer.Ordered(Array.ConvertAll(resolved.Split(' '), IPAddress.Parse)).AsEnumerable()));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [InlineData(true, AsyncEngine.Own)]
    public async Task Bytes_go_both_ways(bool asynchronous, AsyncEngine engine = AsyncEngine.Runtime)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var scope = new DialScope(60_000, default);
        using var transport = await Dial(asynchronous, new Endpoint("localhost", Port(listener)), scope, engine);
        using var peer = await listener.AcceptSocketAsync();

        Assert.False(transport.IsReadable);
        Assert.Equal(PeerTrust.Loopback, transport.Trust);
        var byRuntime = engine == AsyncEngine.Runtime;
        Assert.Equal(asynchronous && byRuntime, transport.HasWaitedAsynchronously);
        transport.Send("abc"u8);
        var room = new byte[10];
        Assert.Equal(3, peer.Receive(room));
        peer.Send("de"u8);
        Assert.Equal(2, transport.Receive(room));
        await transport.SendAsync("x"u8.ToArray());
        Assert.Equal(1, peer.Receive(room));
        Assert.Equal(byRuntime, transport.HasWaitedAsynchronously);

        peer.Dispose();
        Eventually.True(() => transport.IsReadable);
        Assert.Equal(0, await transport.ReceiveAsync(room));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [InlineData(true, AsyncEngine.Own)]
    public async Task Shutting_down_ends_a_wait_from_another_thread(bool asynchronous, AsyncEngine engine = AsyncEngine.Runtime)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var scope = new DialScope(60_000, default);
        using var transport = await Dial(asynchronous, new Endpoint("127.0.0.1", Port(listener)), scope, engine);
        var waiting = asynchronous
            ? Task.Run(async () => await transport.ReceiveAsync(new byte[1]))
            : Eventually.OnThread(() => transport.Receive(new byte[1]));
        // Time to begin the wait; a receive that did not wait would end within it.
        await Task.Delay(50);
        Assert.False(waiting.IsCompleted);

        transport.Shutdown();

        try
        {
            Assert.Equal(0, await waiting.WaitAsync(TimeSpan.FromSeconds(60)));
        }
        catch (WireException exception)
        {
            Assert.Contains("closed by this client", exception.Message);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [InlineData(true, AsyncEngine.Own)]
    public async Task Nobody_listening_is_said_with_host_and_port(bool asynchronous, AsyncEngine engine = AsyncEngine.Runtime)
    {
        // Bound, so that no other program listens there in the meantime.
        using var closed = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        closed.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var port = ((IPEndPoint)closed.LocalEndPoint!).Port;
        using var scope = new DialScope(60_000, default);
        var error = await Assert.ThrowsAsync<WireException>(() => Dial(asynchronous, new Endpoint("127.0.0.1", port), scope, engine));
        Assert.Equal((WireFailure.Refused, RetrySafety.NotSent), (error.Failure, error.RetrySafety));
        Assert.Contains($"127.0.0.1:{port}", error.Message);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [InlineData(true, AsyncEngine.Own)]
    public async Task Without_a_descriptor_for_a_socket_it_is_a_failure_of_the_connection_with_the_systems_cause(
        bool asynchronous, AsyncEngine engine = AsyncEngine.Runtime)
    {
        using var scope = new DialScope(60_000, default);
        var dialer = new DialerWithoutDescriptors(engine);
        var endpoint = new Endpoint("127.0.0.1", 1);
        var error = await Assert.ThrowsAsync<WireException>(
            () => asynchronous ? dialer.DialAsync(endpoint, scope).AsTask() : Task.Run(() => dialer.Dial(endpoint, scope)));
        Assert.Equal((WireFailure.Unreachable, RetrySafety.NotSent), (error.Failure, error.RetrySafety));
        Assert.Equal(SocketError.TooManyOpenSockets, Assert.IsType<SocketException>(error.InnerException).SocketErrorCode);
        Assert.Contains("ulimit", error.Message, StringComparison.Ordinal);
    }

    private sealed class DialerWithoutDescriptors(AsyncEngine engine) : Dialer(null, engine: engine)
    {
        protected override Socket CreateSocket(EndPoint target) => throw new SocketException((int)SocketError.TooManyOpenSockets);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [InlineData(true, AsyncEngine.Own)]
    public async Task A_missing_unix_socket_names_its_path(bool asynchronous, AsyncEngine engine = AsyncEngine.Runtime)
    {
        using var scope = new DialScope(60_000, default);
        var error = await Assert.ThrowsAsync<WireException>(() => Dial(asynchronous, Endpoint.Unix("/nowhere/server.sock"), scope, engine));
        Assert.Equal(WireFailure.Refused, error.Failure);
        Assert.Contains("/nowhere/server.sock", error.Message);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [InlineData(true, AsyncEngine.Own)]
    public async Task A_server_that_never_accepts_ends_with_the_time_and_says_in_which_phase(bool asynchronous, AsyncEngine engine = AsyncEngine.Runtime)
    {
        using var full = FullListener(out var port);
        using var scope = new DialScope(300, default);
        var began = Clock.Now;
        var error = await Assert.ThrowsAsync<WireException>(() => Dial(asynchronous, new Endpoint("127.0.0.1", port), scope, engine))
            .WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(WireFailure.TimedOut, error.Failure);
        Assert.Contains("0.3 s", error.Message);
        Assert.Contains("connecting", error.Message);
        Assert.InRange(Clock.Now - began, 250, 30_000);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [InlineData(true, AsyncEngine.Own)]
    public async Task The_callers_token_ends_an_attempt(bool asynchronous, AsyncEngine engine = AsyncEngine.Runtime)
    {
        using var full = FullListener(out var port);
        using var source = new CancellationTokenSource(200);
        using var scope = new DialScope(0, source.Token);
        var error = await Assert.ThrowsAsync<WireException>(() => Dial(asynchronous, new Endpoint("127.0.0.1", port), scope, engine))
            .WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(WireFailure.Canceled, error.Failure);
    }

    [Theory]
    [InlineData(false, "127.0.0.2 127.0.0.1")]
    [InlineData(true, "127.0.0.2 127.0.0.1")]
    [InlineData(true, "127.0.0.2 127.0.0.1", AsyncEngine.Own)]
    [InlineData(false, "127.0.0.3 127.0.0.2 127.0.0.1")]
    [InlineData(true, "127.0.0.3 127.0.0.2 127.0.0.1", AsyncEngine.Own)]
    public async Task A_name_with_several_addresses_is_reached_at_the_one_that_answers(
        bool asynchronous, string addresses, AsyncEngine engine = AsyncEngine.Runtime)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var silent = addresses.Contains("127.0.0.3", StringComparison.Ordinal) ? FullListener(out _, IPAddress.Parse("127.0.0.3"), Port(listener)) : null;
        using var scope = new DialScope(60_000, default);
        var began = Clock.Now;
        var dialer = new NamedDialer(engine, addresses);
        var endpoint = new Endpoint("db.example", Port(listener));
        using var transport = asynchronous ? await dialer.DialAsync(endpoint, scope) : await Eventually.OnThread(() => dialer.Dial(endpoint, scope));
        using var peer = await listener.AcceptSocketAsync();
        transport.Send("abc"u8);
        Assert.Equal(3, peer.Receive(new byte[10]));
        // A silent address costs a moment, not its share of a minute.
        Assert.InRange(Clock.Now - began, 0, 15_000);
        Assert.False(scope.HasEnded);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true, AsyncEngine.Own)]
    public async Task When_no_address_answers_a_refusal_is_said_before_a_silence(bool asynchronous, AsyncEngine engine = AsyncEngine.Runtime)
    {
        using var silent = FullListener(out var port, IPAddress.Parse("127.0.0.3"));
        using var scope = new DialScope(800, default);
        var dialer = new NamedDialer(engine, "127.0.0.3 127.0.0.2");
        var endpoint = new Endpoint("db.example", port);
        var error = await Assert.ThrowsAsync<WireException>(
            () => asynchronous ? dialer.DialAsync(endpoint, scope).AsTask() : Eventually.OnThread(() => dialer.Dial(endpoint, scope)));
        Assert.Contains(error.Failure, new[] { WireFailure.Refused, WireFailure.TimedOut });
        Assert.Contains($"db.example:{port}", error.Message);
    }

    [Theory]
    [InlineData(AsyncEngine.Runtime)]
    [InlineData(AsyncEngine.Own)]
    public void Keep_alive_is_set_on_the_socket(AsyncEngine engine)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var scope = new DialScope(60_000, default);
        using var transport = new Dialer(null, keepAlive: 37, engine: engine).Dial(new Endpoint("127.0.0.1", Port(listener)), scope);
        var socket = transport is EngineTransport own ? own.Socket : ((SocketTransport)transport).Socket;
        Assert.NotEqual(0, (int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive)!);
        Assert.Equal(37, (int)socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime)!);
        Assert.Equal(37, (int)socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval)!);
    }

    [Fact]
    public void A_share_of_a_scope_ends_alone_and_the_scope_ends_its_share()
    {
        using var scope = new DialScope(60_000, default);
        using (var share = scope.ShareAmong(3, 100))
        {
            Assert.True(share.Token.WaitHandle.WaitOne(60_000));
            Assert.True(share.HasEnded);
            Assert.False(scope.HasEnded);
            Assert.Contains("0.1 s", share.Ended(new("db", 1), "connecting").Message);
        }

        using var source = new CancellationTokenSource();
        using var outer = new DialScope(0, source.Token);
        using var inner = outer.ShareAmong(2);
        source.Cancel();
        Assert.True(inner.HasEnded);
        Assert.Equal(WireFailure.Canceled, inner.Ended(new("db", 1), "connecting").Failure);
    }

    private sealed class NamedDialer(AsyncEngine engine, string addresses) : Dialer(null, engine: engine)
    {
        public override IPAddress[] LookUp(string host) => Array.ConvertAll(addresses.Split(' '), IPAddress.Parse);

        protected override Task<IPAddress[]> LookUpAsync(string host, CancellationToken cancellationToken) => Task.FromResult(LookUp(host));
    }

    private static int Port(TcpListener listener) => ((IPEndPoint)listener.LocalEndpoint).Port;

    private static Task<ITransport> Dial(bool asynchronous, Endpoint endpoint, DialScope scope, AsyncEngine engine) => asynchronous
        ? new Dialer(null, engine: engine).DialAsync(endpoint, scope).AsTask()
        : Eventually.OnThread(() => new Dialer(null, engine: engine).Dial(endpoint, scope));

    // A listener whose queue is full drops further connection requests, which is what an overloaded host looks like.
    private static Bundle FullListener(out int port, IPAddress? address = null, int wanted = 0)
    {
        var bundle = new Bundle();
        var listener = bundle.Add(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        address ??= IPAddress.Loopback;
        listener.Bind(new IPEndPoint(address, wanted));
        listener.Listen(0);
        port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        for (var i = 0; i < 8; i++)
        {
            var filler = bundle.Add(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { Blocking = false });
            try
            {
                filler.Connect(new IPEndPoint(address, port));
            }
            catch (SocketException exception) when (exception.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
            {
                // The connection is in the queue or still being attempted.
            }
        }

        return bundle;
    }

    private sealed class Bundle : IDisposable
    {
        private readonly List<IDisposable> _items = [];

        public T Add<T>(T item) where T : IDisposable
        {
            _items.Add(item);
            return item;
        }

        public void Dispose() => _items.ForEach(item => item.Dispose());
    }
}
