using System.Net;
using System.Net.Sockets;
using System.Text;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>A server refuses every client in its greeting; the next server of the connection string would accept them.</summary>
public class RefusingHostTests
{
    [Theory]
    [InlineData(3032, "The server is currently in offline mode")]
    [InlineData(6400, "The server is currently in offline mode since 2026-11-29, reason: EXPELLED")]
    [InlineData(1040, "Too many connections")]
    [InlineData(1053, "Server shutdown in progress")]
    [InlineData(1129, "Host 'client' is blocked because of many connection errors")]
    [InlineData(1135, "Can't create a new thread")]
    [InlineData(1041, "Out of memory")]
    [InlineData(1047, "WSREP has not yet prepared node for application use")]
    [InlineData(3168, "Server isn't available")]
    public async Task What_speaks_of_the_server_passes_the_turn_on(int number, string message)
    {
        await using var refusing = new Refusing(number, message);
        foreach (var asynchronous in (bool[])[false, true])
        {
            await using var source = await SourceAsync(refusing);
            for (var i = 0; i < 5; i++)
                await using (asynchronous ? await source.OpenConnectionAsync() : source.OpenConnection())
                    continue;
        }
    }

    [Theory]
    [InlineData(1045, "Access denied for user")]
    [InlineData(1049, "Unknown database")]
    [InlineData(1226, "User has exceeded the 'max_user_connections' resource")]
    public async Task What_speaks_of_the_user_is_the_answer(int number, string message)
    {
        await using var refusing = new Refusing(number, message);
        await using var source = await SourceAsync(refusing);
        Assert.Equal(number, (await Assert.ThrowsAsync<MySqlException>(async () => await source.OpenConnectionAsync())).Number);
        Assert.Equal(number, Assert.Throws<MySqlException>(() => source.OpenConnection()).Number);
    }

    private static async Task<MySqlDataSource> SourceAsync(Refusing refusing)
    {
        var server = await LiveServers.GetAsync(ServerKind.MySql);
        var strings = new MySqlConnectionStringBuilder(ConnectionStrings.MySql(server, "Load Balance=FailOver;Pooling=false"));
        return new(
            new MySqlConnectionStringBuilder(strings.ConnectionString)
            {
                Server = $"127.0.0.1:{refusing.Port},{strings.Server}:{strings.Port}"
            }.ConnectionString);
    }

    // A greeting that is an error: the packet's header, FF, the number, the message.
    private sealed class Refusing : IAsyncDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private readonly Task _accepting;
        private readonly byte[] _packet;

        public Refusing(int number, string message)
        {
            var text = Encoding.ASCII.GetBytes(message);
            _packet = [(byte)(text.Length + 3), 0, 0, 0, 0xFF, (byte)number, (byte)(number >> 8), .. text];
            _listener.Start();
            _accepting = AcceptAsync();
        }

        public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

        public async ValueTask DisposeAsync()
        {
            _listener.Stop();
            await _accepting;
        }

        private async Task AcceptAsync()
        {
            try
            {
                while (true)
                {
                    using var client = await _listener.AcceptSocketAsync();
                    await client.SendAsync(_packet);
                }
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException or InvalidOperationException)
            {
                // The test is over. A listener that is stopped between two accepts throws InvalidOperationException.
            }
        }
    }
}
