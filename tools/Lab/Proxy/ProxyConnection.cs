using System.Net.Sockets;

namespace Slipstream.Lab;

/// <summary>One client, one server, and the two directions between them.</summary>
internal sealed class ProxyConnection
{
    private readonly LabProxy _proxy;
    private readonly Socket _client;
    private readonly Socket _server;
    private readonly CancellationTokenSource _cut = new();
    private int _openDirections = 2;

    // Both directions' threads write it: 1 while the server was the last to speak, or nobody was yet.
    private int _serverSpokeLast = 1;

    public ProxyConnection(LabProxy proxy, Socket client, Socket server)
    {
        _proxy = proxy;
        _client = client;
        _server = server;
        _client.NoDelay = true;
        _server.NoDelay = true;
    }

    /// <summary>Starts the second direction's thread and serves the first on this one, to its end.</summary>
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

    /// <summary>Closes with RST, as a broken line or a killed process looks to the other side.</summary>
    public static void Reset(Socket socket)
    {
        try
        {
            socket.LingerState = new LingerOption(true, 0);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // It is closed already.
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
