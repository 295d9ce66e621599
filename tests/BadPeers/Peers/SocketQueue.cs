using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Slipstream.BadPeers.Peers;

/// <summary>Asks the system about a socket's send queue, which .NET does not report.</summary>
internal static partial class SocketQueue
{
    // SIOCOUTQ of Linux.
    private const nuint OutQueue = 0x5411;

    /// <summary>Returns the number of bytes that were sent and that the peer's system has not confirmed yet.</summary>
    /// <param name="socket">A TCP socket; if it has been closed, nothing is outstanding.</param>
    public static int Unconfirmed(Socket socket)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The length of a send queue is asked for as on Linux.");
        var isOpen = false;
        try
        {
            socket.SafeHandle.DangerousAddRef(ref isOpen);
            return Control((int)socket.SafeHandle.DangerousGetHandle(), OutQueue, out var count) == 0 ? count : 0;
        }
        catch (ObjectDisposedException)
        {
            return 0;
        }
        finally
        {
            if (isOpen)
                socket.SafeHandle.DangerousRelease();
        }
    }

    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Control(int descriptor, nuint request, out int value);
}
