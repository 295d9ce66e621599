using System.Net.Sockets;

namespace Slipstream.Core.Wires;

/// <summary>Ends a connection whose state is unknown: it sends and receives nothing more, waits end, and the close resets the connection.</summary>
internal static class SocketAbort
{
    private static readonly LingerOption Reset = new(true, 0);

    /// <summary>Ends the waits on a socket; the kernel reports the end to them. The socket must still be disposed.</summary>
    /// <remarks>
    /// Without SO_LINGER of 0, an answer that fills the receive window keeps the server waiting: the shutdown leaves the window closed, and Linux resets a
    /// connection on close only if bytes are unread. The server then probes the window for a minute, and its session holds its locks.
    /// </remarks>
    public static void Abort(Socket socket)
    {
        try
        {
            socket.LingerState = Reset;
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // Already closed, as intended.
        }
    }
}
