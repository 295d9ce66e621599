using System.Net.Sockets;

namespace Slipstream.Lab;

/// <summary>A client, a server, and the two directions between them.</summary>
internal sealed class ProxyConnection
{
    private readonly LabProxy _proxy;
    private readonly Socket _client;
    private readonly Socket _server;
    private readonly CancellationTokenSource _cut = new();
    private int _openDirections = 2;

    // Written by the threads of both directions: 1 if the server sent last, and before the first bytes.
    private int _serverSpokeLast = 1;

    public ProxyConnection(LabProxy proxy, Socket client, Socket server)
    {
        _proxy = proxy;
        _client = client;
        _server = server;
        _client.NoDelay = true;
        _server.NoDelay = true;
    }

    /// <summary>Starts the thread of the second direction, and serves the first one on this thread until its end.</summary>
    public void Run()
    {
        var answers = new ProxyDirection(_proxy, _server, _client, bytes =>
        {
            _proxy.Counters.CountReceived(bytes);
            Volatile.Write(ref _serverSpokeLast, 1);
        }, _cut.Token);
        var questions = new ProxyDirection(_proxy, _client, _server,
            bytes => _proxy.Counters.CountSent(bytes, Interlocked.Exchange(ref _serverSpokeLast, 0) == 1), _cut.Token);
        new Thread(() => Serve(answers)) { IsBackground = true, Name = "lab proxy: answers" }.Start();
        Serve(questions);
    }

    public void Cut()
    {
        _cut.Cancel();
        Reset(_client);
        Reset(_server);
    }

    /// <summary>Closes a socket with RST, so that the other side sees a broken line or a killed process.</summary>
    public static void Reset(Socket socket)
    {
        try
        {
            socket.LingerState = new LingerOption(true, 0);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The socket is already closed.
        }

        socket.Dispose();
    }

    private void Serve(ProxyDirection direction)
    {
        if (!direction.Run())
            Cut();
        if (Interlocked.Decrement(ref _openDirections) > 0)
            return;
        _client.Dispose();
        _server.Dispose();
        _proxy.Forget(this);
    }
}
