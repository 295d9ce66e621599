using System.Net;
using System.Net.Sockets;

namespace Slipstream.Lab.Tests;

/// <summary>Sends back what it receives, on blocking threads; optionally sends first.</summary>
internal sealed class EchoServer : IDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly byte[] _greeting;

    public EchoServer(byte[]? greeting = null)
    {
        _greeting = greeting ?? [];
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        Port = ((IPEndPoint)_listener.LocalEndPoint!).Port;
        new Thread(Accept) { IsBackground = true }.Start();
    }

    public int Port { get; }

    public void Dispose() => _listener.Dispose();

    private void Accept()
    {
        try
        {
            while (true)
            {
                var client = _listener.Accept();
                client.NoDelay = true;
                new Thread(() => Echo(client)) { IsBackground = true }.Start();
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Disposed: the test is over.
        }
    }

    private void Echo(Socket client)
    {
        using (client)
        {
            try
            {
                if (_greeting.Length > 0)
                    client.Send(_greeting);
                var buffer = new byte[65536];
                while (client.Receive(buffer) is var length and > 0)
                    client.Send(buffer.AsSpan(0, length));
            }
            catch (SocketException)
            {
                // Cut by the proxy.
            }
        }
    }
}
