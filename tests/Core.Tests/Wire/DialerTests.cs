using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Errors;
using Slipstream.Core.Tests.Fakes;
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
        using var scope = new DialScope(10_000, default);
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
        using var scope = new DialScope(10_000, default);
        using var transport = await Dial(asynchronous, new Endpoint("127.0.0.1", Port(listener)), scope, engine);
        var waiting = asynchronous
            ? Task.Run(async () => await transport.ReceiveAsync(new byte[1]))
            : Eventually.OnThread(() => transport.Receive(new byte[1]));
        await Task.Delay(50);
        Assert.False(waiting.IsCompleted);

        transport.Shutdown();

        try
        {
            Assert.Equal(0, await waiting.WaitAsync(TimeSpan.FromSeconds(10)));
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
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = Port(listener);
        listener.Stop();
        using var scope = new DialScope(10_000, default);
        var error = await Assert.ThrowsAsync<WireException>(() => Dial(asynchronous, new Endpoint("127.0.0.1", port), scope, engine));
        Assert.Equal((WireFailure.Refused, RetrySafety.NotSent), (error.Failure, error.RetrySafety));
        Assert.Contains($"127.0.0.1:{port}", error.Message);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [InlineData(true, AsyncEngine.Own)]
    public async Task A_missing_unix_socket_names_its_path(bool asynchronous, AsyncEngine engine = AsyncEngine.Runtime)
    {
        using var scope = new DialScope(10_000, default);
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
        var error = await Assert.ThrowsAsync<WireException>(() => Dial(asynchronous, new Endpoint("127.0.0.1", port), scope, engine)).WaitAsync(TimeSpan.FromSeconds(20));
        Assert.Equal(WireFailure.TimedOut, error.Failure);
        Assert.Contains("0.3 s", error.Message);
        Assert.Contains("connecting", error.Message);
        Assert.InRange(Clock.Now - began, 250, 10_000);
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
        var error = await Assert.ThrowsAsync<WireException>(() => Dial(asynchronous, new Endpoint("127.0.0.1", port), scope, engine)).WaitAsync(TimeSpan.FromSeconds(20));
        Assert.Equal(WireFailure.Canceled, error.Failure);
    }

    private static int Port(TcpListener listener) => ((IPEndPoint)listener.LocalEndpoint).Port;

    private static Task<ITransport> Dial(bool asynchronous, Endpoint endpoint, DialScope scope, AsyncEngine engine) => asynchronous
        ? new Dialer(null, engine: engine).DialAsync(endpoint, scope).AsTask()
        : Eventually.OnThread(() => new Dialer(null, engine: engine).Dial(endpoint, scope));

    // A listener whose queue is full drops further connection requests, which is what an overloaded host looks like.
    private static Bundle FullListener(out int port)
    {
        var bundle = new Bundle();
        var listener = bundle.Add(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(0);
        port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        for (var i = 0; i < 3; i++)
        {
            var filler = bundle.Add(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
            if (!filler.ConnectAsync(IPAddress.Loopback, port).Wait(200))
                break;
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
