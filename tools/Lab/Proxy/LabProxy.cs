using System.Net;
using System.Net.Sockets;

namespace Slipstream.Lab;

/// <summary>
/// A TCP proxy on a free port of 127.0.0.1 that counts the bytes, and delays, stalls, splits, drops and cuts them. Settings apply to open connections too. It
/// uses blocking threads, two for each connection and two more while there is latency.
/// </summary>
public sealed class LabProxy : IAsyncDisposable
{
    private readonly string _host;
    private readonly int _port;
    private readonly Socket _listener;
    private readonly List<ProxyConnection> _connections = [];
    private readonly ManualResetEventSlim _flowing = new(true);
    private long _latencyTicks;
    private volatile bool _split;
    private volatile bool _blackHole;
    private volatile bool _isDisposed;

    private LabProxy(string host, int port)
    {
        _host = host;
        _port = port;
        _listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen(512);
        Port = ((IPEndPoint)_listener.LocalEndPoint!).Port;
    }

    /// <summary>Starts a proxy for a server. It connects to the server when a client connects, not before.</summary>
    public static LabProxy Start(string host, int port)
    {
        var proxy = new LabProxy(host, port);
        new Thread(proxy.Accept) { IsBackground = true, Name = "lab proxy: accept" }.Start();
        return proxy;
    }

    /// <summary>Gets the address, always 127.0.0.1.</summary>
    public string Host { get; } = "127.0.0.1";

    public int Port { get; }

    public ProxyCounters Counters { get; } = new();

    /// <summary>Gets or sets the delay of each byte in each direction: a round trip takes twice as long. The throughput is not limited.</summary>
    public TimeSpan Latency
    {
        get => TimeSpan.FromTicks(Interlocked.Read(ref _latencyTicks));
        set => Interlocked.Exchange(ref _latencyTicks, value.Ticks);
    }

    /// <summary>Gets or sets whether every byte is sent alone, in both directions, about 60 µs apart. Use it for small exchanges.</summary>
    public bool SplitIntoSingleBytes
    {
        get => _split;
        set => _split = value;
    }

    /// <summary>
    /// Gets or sets whether forwarding is suspended. Connections stay open and new ones are accepted. Bytes are forwarded when the value is false again.
    /// </summary>
    public bool Stalled
    {
        get => !_flowing.IsSet;
        set
        {
            if (value)
                _flowing.Reset();
            else
                _flowing.Set();
        }
    }

    /// <summary>
    /// Gets or sets whether all bytes are dropped, in both directions and also on new connections, without an error on either side. A connection that has lost
    /// bytes cannot continue; <see cref="CutAll"/> ends it.
    /// </summary>
    public bool BlackHole
    {
        get => _blackHole;
        set => _blackHole = value;
    }

    /// <summary>Gets the number of open connections.</summary>
    public int OpenConnections
    {
        get
        {
            lock (_connections)
                return _connections.Count;
        }
    }

    /// <summary>Ends all connections with a reset on both sides. New ones are accepted.</summary>
    public void CutAll() => Cut(static _ => true);

    /// <summary>Ends the connections that <paramref name="chosen"/> selects by their index in the list of open ones. Returns their number.</summary>
    public int Cut(Func<int, bool> chosen)
    {
        ArgumentNullException.ThrowIfNull(chosen);
        ProxyConnection[] open;
        lock (_connections)
            open = [.. _connections];
        var count = 0;
        for (var i = 0; i < open.Length; i++)
        {
            if (!chosen(i))
                continue;
            open[i].Cut();
            count++;
        }

        return count;
    }

    public ValueTask DisposeAsync()
    {
        _isDisposed = true;
        _listener.Dispose();
        CutAll();
        return ValueTask.CompletedTask;
    }

    internal void WaitUntilFlowing(CancellationToken cut) => _flowing.Wait(cut);

    internal void Forget(ProxyConnection connection)
    {
        lock (_connections)
            _connections.Remove(connection);
    }

    private void Accept()
    {
        while (!_isDisposed)
        {
            try
            {
                var client = _listener.Accept();
                // Connecting to the server may take long and must not delay the next client.
                new Thread(() => Serve(client)) { IsBackground = true, Name = "lab proxy: connection" }.Start();
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                if (_isDisposed)
                    return;
            }
        }
    }

    private void Serve(Socket client)
    {
        var server = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            server.Connect(_host, _port);
        }
        catch (SocketException)
        {
            // The client sees the same as with a server that has gone away.
            server.Dispose();
            ProxyConnection.Reset(client);
            return;
        }

        var connection = new ProxyConnection(this, client, server);
        lock (_connections)
            _connections.Add(connection);
        Counters.CountConnection();
        connection.Run();
        if (_isDisposed)
            connection.Cut();
    }
}
