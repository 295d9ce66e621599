using System.Net;
using System.Net.Sockets;

namespace Slipstream.Lab;

/// <summary>Chooses TCP ports for servers.</summary>
internal static class FreePort
{
    // Below 32768, where Linux begins with the ports of outgoing connections: a server that was stopped finds its port free when it starts again.
    private const int First = 20_000;
    private const int Last = 30_000;
    private const int LastInside = 32_000;

    /// <summary>Gets whether a server can listen on ::1.</summary>
    public static bool HasIPv6Loopback { get; } = CanListen(IPAddress.IPv6Loopback, 0);

    /// <summary>Returns <paramref name="preferred"/> if no server listens there, otherwise any free port.</summary>
    public static int Choose(int preferred = 0)
    {
        if (preferred != 0 && IsFree(preferred))
            return preferred;
        for (var attempt = 0; attempt < 1000; attempt++)
        {
            var port = Random.Shared.Next(First, Last);
            if (IsFree(port))
                return port;
        }

        throw new LabUnavailableException($"No TCP port between {First} and {Last} is free.", "end programs that listen there (see: ss -ltnp)");
    }

    /// <summary>
    /// Returns different free ports over which the nodes of a cluster talk to each other. No server of the lab takes them before the nodes use them, because
    /// <see cref="Choose"/> has others.
    /// </summary>
    public static int[] ChooseInside(int count)
    {
        var ports = Enumerable.Range(Last, LastInside - Last).ToArray();
        Random.Shared.Shuffle(ports);
        int[] free = [.. ports.Where(IsFree).Take(count)];
        return free.Length == count
            ? free
            : throw new LabUnavailableException(
                $"Not enough TCP ports between {Last} and {LastInside} are free.", "end programs that listen there (see: ss -ltnp)");
    }

    public static bool IsFree(int port) => CanListen(IPAddress.Loopback, port) && (!HasIPv6Loopback || CanListen(IPAddress.IPv6Loopback, port));

    private static bool CanListen(IPAddress address, int port)
    {
        try
        {
            using var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            socket.Bind(new IPEndPoint(address, port));
            socket.Listen(1);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
