using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

/// <summary>A connection that the driver abandons in the middle of an answer.</summary>
public class SocketAbortTests
{
    /// <summary>
    /// A server that goes on sending into a closed window holds its locks until its own time-out. It must learn of the end at once, also when the last bytes
    /// that had arrived were read after the shutdown.
    /// </summary>
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task A_peer_in_the_middle_of_a_long_answer_learns_of_the_end(bool engine, bool drains)
    {
        var (near, far) = await ConnectAsync();
        using var closing = far;
        far.Blocking = false;
        Assert.True(FillWindow(far) > 0);

        var transport = Create(engine, near);
        var room = new byte[65536];
        Assert.True(transport.Receive(room) > 0);
        transport.Shutdown();
        if (drains)
            Drain(transport, room);
        transport.Dispose();

        await Eventually.TrueAsync(() => HasEnded(far));
    }

    /// <summary>
    /// The kernel repeats an end until the peer confirms it, and sends a reset once. If that were lost, a server that sends nothing would keep the session.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_peer_that_sends_nothing_gets_an_end_that_the_kernel_repeats(bool engine)
    {
        var (near, far) = await ConnectAsync();
        using var closing = far;
        var transport = Create(engine, near);
        transport.Shutdown();
        transport.Dispose();
        Assert.True(far.Poll(TimeSpan.FromSeconds(60), SelectMode.SelectRead));
        Assert.Equal(0, far.Receive(new byte[1]));
        // After an end, the first send succeeds; after a reset it fails.
        Assert.Equal(1, far.Send(new byte[1]));
    }

    private static ITransport Create(bool engine, Socket near) => engine
        ? new EngineTransport(
            CompletionEngine.TryCreate() ?? throw EngineTransportTests.Skipped(), near, AsyncContinuations.Engine, PeerTrust.Loopback, "test", null)
        : new SocketTransport(near, PeerTrust.Loopback, "test", null);

    private static async Task<(Socket Near, Socket Far)> ConnectAsync()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1);
        var near = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await near.ConnectAsync(listener.LocalEndPoint!);
        return (near, await listener.AcceptAsync());
    }

    // Until nothing has been taken for a while: the peer's window and the own buffer are full.
    private static long FillWindow(Socket socket)
    {
        var bytes = new byte[65536];
        var sent = 0L;
        do
        {
            try
            {
                while (true)
                    sent += socket.Send(bytes);
            }
            catch (SocketException exception) when (exception.SocketErrorCode == SocketError.WouldBlock)
            {
                // Full for now.
            }
        }
        while (socket.Poll(TimeSpan.FromMilliseconds(200), SelectMode.SelectWrite));
        return sent;
    }

    private static void Drain(ITransport transport, byte[] room)
    {
        while (transport.Receive(room) > 0)
        {
            // What had arrived before the shutdown.
        }
    }

    private static bool HasEnded(Socket socket)
    {
        try
        {
            socket.Send(new byte[1]);
            return false;
        }
        catch (SocketException exception)
        {
            return exception.SocketErrorCode != SocketError.WouldBlock;
        }
    }
}
