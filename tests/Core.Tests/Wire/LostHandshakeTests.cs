using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

/// <summary>A connection that is cut during its TLS handshake is lost, and the caller may retry; a handshake fails only if one side refuses it.</summary>
public class LostHandshakeTests
{
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task A_connection_cut_in_the_handshake_is_lost(bool isAsync, bool withReset)
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var serving = Task.Run(async () =>
        {
            using var accepted = await listener.AcceptAsync();
            // Reads the client's whole first message; otherwise the system would turn an orderly close into a reset.
            _ = await accepted.ReceiveAsync(new byte[16 * 1024]);
            if (withReset)
                accepted.LingerState = new LingerOption(true, 0);
            accepted.Close();
        });
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(listener.LocalEndPoint!);
        using var transport =
            new SocketTransport(socket, PeerTrust.None, "the test's server", new TlsClient(new TlsSettings(TlsVerification.None, null), "localhost"));
        var failure = isAsync
            ? await Assert.ThrowsAsync<WireException>(async () => await transport.UpgradeAsync())
            : Assert.Throws<WireException>(() => transport.Upgrade());
        await serving;
        Assert.Equal((WireFailure.Lost, RetrySafety.NotSent), (failure.Failure, failure.RetrySafety));
        Assert.StartsWith("The TLS handshake with the test's server failed: ", failure.Message, StringComparison.Ordinal);
    }
}
