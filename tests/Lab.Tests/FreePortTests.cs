using System.Net;
using System.Net.Sockets;

namespace Slipstream.Lab.Tests;

public sealed class FreePortTests
{
    private static Socket Listen(int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
        socket.Listen();
        return socket;
    }

    [Fact]
    public void A_free_preferred_port_is_taken()
    {
        var port = FreePort.Choose();
        Assert.Equal(port, FreePort.Choose(port));
    }

    [Fact]
    public void A_preferred_port_that_somebody_listens_on_is_replaced()
    {
        var port = FreePort.Choose();
        using var other = Listen(port);
        Assert.False(FreePort.IsFree(port));
        Assert.NotEqual(port, FreePort.Choose(port));
    }

    [Fact]
    public void Chosen_ports_lie_below_those_of_outgoing_connections()
    {
        for (var i = 0; i < 50; i++)
            Assert.InRange(FreePort.Choose(), 20_000, 32_767);
    }
}
