using System.Net;
using System.Net.Sockets;

namespace Slipstream.MySql.EntityFrameworkCore.Tests;

/// <summary>A server that closes each connection at once, and counts them.</summary>
internal sealed class ClosingServer : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Task _accepting;
    private int _connections;

    public ClosingServer()
    {
        _listener.Start();
        _accepting = Task.Run(AcceptAsync, TestContext.Current.CancellationToken);
    }

    public int Connections => Volatile.Read(ref _connections);

    public string ConnectionString => $"Server=127.0.0.1;Port={((IPEndPoint)_listener.LocalEndpoint).Port};User ID=nobody;Database=none;SSL Mode=None";

    public async ValueTask DisposeAsync()
    {
        _listener.Stop();
        await Assert.ThrowsAnyAsync<Exception>(() => _accepting);
        _listener.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            using var client = await _listener.AcceptSocketAsync(TestContext.Current.CancellationToken);
            Interlocked.Increment(ref _connections);
        }
    }
}
