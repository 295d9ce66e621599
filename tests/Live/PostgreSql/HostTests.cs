using System.Net;
using System.Net.Sockets;
using System.Text;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Several hosts: which one is tried next, and that none is forgotten.</summary>
public class HostTests
{
    [Theory]
    [InlineData("57P03", true)]
    [InlineData("57P01", true)]
    [InlineData("57P02", true)]
    [InlineData("53300", true)]
    [InlineData("53200", true)]
    [InlineData("58030", true)]
    [InlineData("08006", true)]
    [InlineData("XX000", true)]
    [InlineData("28P01", false)]
    [InlineData("28000", false)]
    [InlineData("3D000", false)]
    [InlineData("0A000", false)]
    public async Task A_refusal_that_speaks_of_the_host_passes_the_turn_on(string sqlState, bool passes)
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        using var refusing = new Listener();
        refusing.Start(stream => stream.Write(Refusal(sqlState)));
        await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server, "Pooling=false")
            .Replace($"Host={server.Host};", $"Host=127.0.0.1:{refusing.Port},{server.Host};", StringComparison.Ordinal));
        for (var i = 0; i < 3; i++)
        {
            if (passes)
            {
                await using var blocking = source.OpenConnection();
                await using var asynchronous = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
                Assert.Equal((server.Port, server.Port), (blocking.Port, asynchronous.Port));
            }
            else
            {
                Assert.Equal(sqlState, Assert.Throws<PgException>(source.OpenConnection).SqlState);
                Assert.Equal(
                    sqlState,
                    (await Assert.ThrowsAsync<PgException>(async () => await source.OpenConnectionAsync(TestContext.Current.CancellationToken))).SqlState);
            }
        }
    }

    [Fact]
    public async Task A_host_that_was_lost_is_used_again_when_it_is_back()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        using var first = new Listener();
        await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server, "Pooling=false")
            .Replace($"Host={server.Host};", $"Host=127.0.0.1:{first.Port},{server.Host};", StringComparison.Ordinal));
        await using (var connection = source.OpenConnection())
            Assert.Equal(server.Port, connection.Port);

        // The first host is available again, as a relay to the same server.
        first.Start(stream => Relay(stream, server));
        await Eventually.TrueAsync(
            async () =>
            {
                await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
                return connection.Port == first.Port;
            },
            milliseconds: 120_000);
    }

    private static byte[] Refusal(string sqlState)
    {
        var body = Encoding.UTF8.GetBytes($"SFATAL\0VFATAL\0C{sqlState}\0Mnot here\0\0");
        return [(byte)'E', 0, 0, 0, (byte)(body.Length + 4), .. body];
    }

    private static void Relay(NetworkStream client, LabServer server)
    {
        using var other = new TcpClient(server.Host, server.Port);
        var back = other.GetStream().CopyToAsync(client);
        client.CopyTo(other.GetStream());
        other.Client.Shutdown(SocketShutdown.Send);
        back.Wait();
    }

    /// <summary>A port that refuses connections before <see cref="Start"/>.</summary>
    private sealed class Listener : IDisposable
    {
        private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

        // Bound, so that no other program gets the port, but not listening.
        public Listener() => _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));

        public int Port => ((IPEndPoint)_socket.LocalEndPoint!).Port;

        public void Start(Action<NetworkStream> serve)
        {
            _socket.Listen();
            new Thread(() => Accept(serve)) { IsBackground = true }.Start();
        }

        public void Dispose() => _socket.Dispose();

        private void Accept(Action<NetworkStream> serve)
        {
            try
            {
                while (true)
                {
                    var client = _socket.Accept();
                    new Thread(() => Serve(client, serve)) { IsBackground = true }.Start();
                }
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                // The test has ended.
            }
        }

        private static void Serve(Socket client, Action<NetworkStream> serve)
        {
            using var stream = new NetworkStream(client, ownsSocket: true);
            try
            {
                if (client.Poll(-1, SelectMode.SelectRead))
                    serve(stream);
                client.Shutdown(SocketShutdown.Send);
                while (stream.ReadByte() >= 0)
                {
                    // Until the client has closed.
                }
            }
            catch (Exception exception) when (exception is IOException or SocketException or AggregateException or ObjectDisposedException)
            {
                // The client has gone.
            }
        }
    }
}
