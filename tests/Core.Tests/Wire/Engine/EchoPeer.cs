using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

/// <summary>
/// Sends back what it receives, in pieces of a given size; each connection has its own thread, so that nothing here depends on the thread pool.
/// </summary>
internal sealed class EchoPeer : IDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly int _piece;

    public EchoPeer(int piece = int.MaxValue)
    {
        _piece = piece;
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen(512);
        new Thread(Accept) { IsBackground = true }.Start();
    }

    public Endpoint Endpoint => new("127.0.0.1", ((IPEndPoint)_listener.LocalEndPoint!).Port);

    /// <summary>Connects a transport of the engine to this peer.</summary>
    public async Task<EngineTransport> ConnectAsync(CompletionEngine engine, AsyncContinuations continuations = AsyncContinuations.Engine)
    {
        var target = new IPEndPoint(IPAddress.Loopback, Endpoint.Port);
        var transport = new EngineTransport(
            engine, new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }, continuations, PeerTrust.Loopback, "echo",
            null);
        await transport.ConnectAsync(target).ConfigureAwait(false);
        return transport;
    }

    public void Dispose() => _listener.Dispose();

    private void Accept()
    {
        try
        {
            while (true)
            {
                var socket = _listener.Accept();
                socket.NoDelay = true;
                new Thread(() => Serve(socket), 128 * 1024) { IsBackground = true }.Start();
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    private void Serve(Socket socket)
    {
        using var serving = socket;
        var room = new byte[32 * 1024];
        try
        {
            for (int count; (count = socket.Receive(room)) > 0;)
                for (var at = 0; at < count; at += Math.Min(_piece, count - at))
                    socket.Send(room, at, Math.Min(_piece, count - at), SocketFlags.None);
        }
        catch (SocketException)
        {
            // The client has gone.
        }
    }
}
