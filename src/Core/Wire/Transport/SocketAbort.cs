using System.Net.Sockets;

namespace Slipstream.Core.Wires;

/// <summary>Ends a connection in doubt: nothing more is sent or received, and waits end.</summary>
internal static class SocketAbort
{
    private static readonly LingerOption Reset = new(true, 0);

    /// <summary>Ends the waits on a socket; the kernel reports the end to them. The socket must still be disposed.</summary>
    /// <remarks>
    /// If bytes of the peer are unread, the close resets the connection (SO_LINGER of 0). Otherwise, a long answer would keep the server waiting: the shutdown
    /// leaves the receive window closed, and after the last bytes have been read, Linux closes without a reset. The server then probes the window for a
    /// minute, and its session holds its locks. If nothing is unread, the kernel sends the end, and repeats it until the server confirms it; a reset is sent
    /// once, and could be lost.
    /// </remarks>
    public static void Abort(Socket socket)
    {
        var isSending = HasUnread(socket);
        if (isSending)
            ResetOnClose(socket);
        try
        {
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // Already closed, as intended.
        }

        if (!isSending && HasUnread(socket))
            ResetOnClose(socket);
    }

    private static bool HasUnread(Socket socket)
    {
        try
        {
            return socket.Available > 0;
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            return false;
        }
    }

    private static void ResetOnClose(Socket socket)
    {
        try
        {
            socket.LingerState = Reset;
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // Closed already, or a kind of socket that has no reset.
        }
    }
}
