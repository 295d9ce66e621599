using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Slipstream.Equivalence.Gateways;

/// <summary>
/// Two gateways before one server, which look like a cluster: each answers the driver's question for its role, and one of them is the primary. A session can be
/// told to refuse its next write, as a server does that is no longer the primary. The other gateway is the primary from then on. Both lead to the same tables,
/// so a program that goes on at the other gateway must find what it would have found on one server.
/// </summary>
internal sealed class GatewayPair : IAsyncDisposable
{
    private readonly IPEndPoint _server;
    private readonly bool _isPostgreSql;
    private readonly Socket[] _listeners = [Listener(), Listener()];
    private readonly ConcurrentDictionary<long, GatewaySession> _sessions = new();
    private readonly ConcurrentDictionary<Socket, bool> _sockets = new();
    private int _primary;
    private volatile bool _isDisposed;

    /// <summary>Starts the gateways on free ports of 127.0.0.1.</summary>
    public GatewayPair(string host, int port, bool isPostgreSql)
    {
        _server = new(Dns.GetHostAddresses(host, AddressFamily.InterNetwork)[0], port);
        _isPostgreSql = isPostgreSql;
        for (var i = 0; i < _listeners.Length; i++)
        {
            var index = i;
            _ = Task.Run(() => AcceptAsync(index));
        }
    }

    /// <summary>Gets the addresses, as a connection string lists them.</summary>
    public string Hosts => string.Join(',', _listeners.Select(static listener => listener.LocalEndPoint!.ToString()));

    /// <summary>Returns whether a gateway is the primary.</summary>
    public bool IsPrimary(int index) => Volatile.Read(ref _primary) == index;

    /// <summary>A session has refused a write: the other gateway is the primary now.</summary>
    public void Refused(int index) => Interlocked.CompareExchange(ref _primary, 1 - index, index);

    /// <summary>Has a session refuse its next write.</summary>
    /// <param name="session">The server's number of the session.</param>
    public void Arm(long session)
    {
        if (_sessions.TryGetValue(session, out var armed))
            armed.Arm();
    }

    /// <summary>Ends what <see cref="Arm"/> has begun.</summary>
    /// <returns>What was refused: the text that the server executed instead, or "" if it is not known; null if nothing was refused.</returns>
    public string? Disarm(long session) => _sessions.TryGetValue(session, out var armed) ? armed.Disarm() : null;

    /// <summary>Records the server's number of a session.</summary>
    // It stays known after its end, which comes when the driver has found the other gateway.
    public void Register(long number, GatewaySession session) => _sessions[number] = session;

    public ValueTask DisposeAsync()
    {
        _isDisposed = true;
        foreach (var listener in _listeners)
            listener.Dispose();
        foreach (var socket in _sockets.Keys)
            socket.Dispose();
        return ValueTask.CompletedTask;
    }

    private static Socket Listener()
    {
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(512);
        return listener;
    }

    private async Task AcceptAsync(int index)
    {
        while (!_isDisposed)
        {
            try
            {
                var client = await _listeners[index].AcceptAsync();
                _ = Task.Run(() => ServeAsync(index, client));
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                if (_isDisposed)
                    return;
            }
        }
    }

    private async Task ServeAsync(int index, Socket client)
    {
        using var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        (client.NoDelay, server.NoDelay) = (true, true);
        _sockets[client] = _sockets[server] = true;
        GatewaySession session = _isPostgreSql ? new PgGatewaySession(this, index) : new MySqlGatewaySession(this, index);
        try
        {
            await server.ConnectAsync(_server);
            await session.RunAsync(client, server);
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // Either side has closed the connection, which closes the other one.
        }
        finally
        {
            client.Dispose();
            _sockets.TryRemove(client, out _);
            _sockets.TryRemove(server, out _);
        }
    }
}
