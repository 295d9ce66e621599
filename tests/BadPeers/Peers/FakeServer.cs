using System.Net;
using System.Net.Sockets;
using Slipstream.Testing;

namespace Slipstream.BadPeers.Peers;

/// <summary>
/// A server that follows a script: for each accepted connection, the script runs on its own thread and specifies, byte for byte, what the server does. The
/// server keeps whatever the client sends, so that a test can prove what was not sent.
/// </summary>
public sealed class FakeServer : IDisposable
{
    private readonly Socket _listener;
    private readonly Action<FakePeer> _script;
    private readonly List<FakePeer> _peers = [];
    private readonly CancellationTokenSource _over = new();
    private Socket? _reserved;

    private FakeServer(Action<FakePeer> script, Socket listener)
    {
        _script = script;
        _listener = listener;
        _listener.Listen(16);
        var here = (IPEndPoint)listener.LocalEndPoint!;
        (Address, Port) = (here.Address, here.Port);
        new Thread(Accept) { IsBackground = true, Name = "fake server" }.Start();
    }

    public IPAddress Address { get; }

    public int Port { get; }

    /// <summary>The connections so far, in the order of their arrival.</summary>
    public IReadOnlyList<FakePeer> Peers
    {
        get
        {
            lock (_peers)
                return [.. _peers];
        }
    }

    /// <summary>Everything that all clients have sent so far.</summary>
    public byte[] Received => [.. Peers.SelectMany(static peer => peer.Received)];

    /// <param name="script">What happens on each connection; the connection is closed when it returns.</param>
    /// <param name="address">Where to listen; the loopback address unless the test is about other addresses.</param>
    public static FakeServer Start(Action<FakePeer> script, IPAddress? address = null) => new(script, Bind(address));

    /// <param name="script">What happens on each connection; the connection is closed when it returns.</param>
    /// <param name="bound">A port that <see cref="Bind"/> has kept closed until now.</param>
    public static FakeServer Start(Action<FakePeer> script, Socket bound) => new(script, bound);

    /// <summary>Reserves a port that refuses connections, and that no other process can use meanwhile.</summary>
    public static Socket Bind(IPAddress? address = null)
    {
        address ??= IPAddress.Loopback;
        var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(address, 0));
        return socket;
    }

    /// <summary>Waits until the client has closed every connection, and returns whether it did so in time.</summary>
    public bool AllClosedWithin(TimeSpan time)
    {
        var end = DateTime.UtcNow + time;
        foreach (var peer in Peers)
        {
            var left = end - DateTime.UtcNow;
            if (!peer.ClientHasClosed.Wait(left > TimeSpan.Zero ? left : TimeSpan.Zero))
                return false;
        }

        return true;
    }

    /// <summary>
    /// Waits until everything that the scripts have sent so far is in the client's receive buffers. The system may deliver in two pieces what was sent in one.
    /// </summary>
    public Task AllHasArrived() => Eventually.TrueAsync(() => Peers.All(static peer => peer.HasDeliveredAll));

    /// <summary>Fails the test unless exactly the given number of connections have come; the last one may still wait to be accepted.</summary>
    public void HasSeen(int connections)
    {
        SpinWait.SpinUntil(() => Peers.Count >= connections, TimeSpan.FromSeconds(30));
        Assert.Equal(connections, Peers.Count);
    }

    /// <summary>Fails the test if a script met something unexpected.</summary>
    public void ThrowIfScriptFailed()
    {
        foreach (var peer in Peers)
        {
            if (peer.Failure is { } failure)
                throw new InvalidOperationException($"The script of connection {peer.Number} failed: {failure.Message}", failure);
        }
    }

    /// <summary>
    /// Ends all connections, and refuses new ones. The port stays reserved: a data source may still ask this server, and must not reach that of another test.
    /// </summary>
    public void GoDown()
    {
        Dispose();
        _reserved = new Socket(Address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        _reserved.Bind(new IPEndPoint(Address, Port));
    }

    public void Dispose()
    {
        if (_reserved is { } reserved)
        {
            reserved.Dispose();
            return;
        }

        _over.Cancel();
        _listener.Dispose();
        foreach (var peer in Peers)
            peer.Dispose();
        _over.Dispose();
    }

    private void Accept()
    {
        while (true)
        {
            Socket socket;
            try
            {
                socket = _listener.Accept();
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                return;
            }

            FakePeer peer;
            lock (_peers)
                _peers.Add(peer = new FakePeer(socket, _peers.Count) { Server = this });
            new Thread(() => peer.Run(_script)) { IsBackground = true, Name = "fake peer" }.Start();
        }
    }
}
