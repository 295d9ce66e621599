using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

/// <summary>Small answers that are collected before the waiting thread is woken.</summary>
public class GatheringTests
{
    [Fact]
    public async Task What_has_arrived_is_enough_or_comes_late_and_is_received_in_any_case()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "SO_RCVLOWAT and poll together are Linux.");
        var (near, far) = await ConnectAsync();
        using var closing = far;
        using ITransport transport = new SocketTransport(near, PeerTrust.Loopback, "test", null);
        far.Send(new byte[10]);
        Assert.False(transport.WaitForBytes(1000));
        // The next receive waits for only one byte, as before.
        var room = new byte[4096];
        Assert.Equal(10, transport.Receive(room));
        far.Send(new byte[1000]);
        await Eventually.TrueAsync(() => near.Available >= 1000);
        Assert.True(transport.WaitForBytes(1000));
        Assert.Equal(1000, transport.Receive(room));
        far.Send(new byte[1]);
        Assert.Equal(1, transport.Receive(room));
    }

    [Fact]
    public async Task A_peer_that_has_gone_is_not_waited_for()
    {
        var (near, far) = await ConnectAsync();
        using ITransport transport = new SocketTransport(near, PeerTrust.Loopback, "test", null);
        far.Dispose();
        Assert.True(near.Poll(TimeSpan.FromSeconds(10), SelectMode.SelectRead));
        Assert.True(transport.WaitForBytes(1000));
        Assert.Equal(0, transport.Receive(new byte[10]));
    }

    [Fact]
    public void The_pump_lets_gather_what_is_said_to_come_soon_and_tells_when_it_did_not()
    {
        var transport = new Counting();
        var wire = new Wire(transport) { ExpectedSoon = 50 };
        transport.Arriving.Enqueue((60, true));
        transport.Arriving.Enqueue((60, true));
        BlockingPump.Run(new Taking(60), wire);
        Assert.Equal([50], transport.Waits);
        Assert.False(wire.ArrivedLate);
        // For one receive only.
        BlockingPump.Run(new Taking(60), wire);
        Assert.Single(transport.Waits);

        wire.ExpectedSoon = 50;
        transport.Arriving.Enqueue((60, false));
        BlockingPump.Run(new Taking(60), wire);
        Assert.True(wire.ArrivedLate);
    }

    [Fact]
    public async Task The_asynchronous_pump_does_the_same()
    {
        var transport = new Counting();
        var wire = new Wire(transport) { ExpectedSoon = 50 };
        transport.Arriving.Enqueue((60, true));
        transport.Arriving.Enqueue((60, true));
        await AsyncPump.RunAsync(new Taking(60), wire);
        Assert.Equal([50], transport.Waits);
        Assert.False(wire.ArrivedLate);
        await AsyncPump.RunAsync(new Taking(60), wire);
        Assert.Single(transport.Waits);

        wire.ExpectedSoon = 50;
        transport.Arriving.Enqueue((60, false));
        await AsyncPump.RunAsync(new Taking(60), wire);
        Assert.True(wire.ArrivedLate);
    }

    [Fact]
    public async Task A_unix_socket_which_the_kernel_does_not_let_gather_is_not_waited_for()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Unix sockets.");
        var path = Path.Combine(Path.GetTempPath(), $"gather-{Guid.NewGuid():N}");
        using var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(path));
        listener.Listen();
        var near = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        near.Connect(new UnixDomainSocketEndPoint(path));
        File.Delete(path);
        using var far = await listener.AcceptAsync(TestContext.Current.CancellationToken);
        using ITransport transport = new SocketTransport(near, PeerTrust.UnixSocket, "test", null);
        far.Send(new byte[1000]);
        Assert.False(transport.WaitForBytes(1000));
        Assert.Equal(1000, transport.Receive(new byte[4096]));
    }

    private static async Task<(Socket Near, Socket Far)> ConnectAsync()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var near = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        near.Connect(listener.LocalEndPoint!);
        return (near, await listener.AcceptAsync());
    }

    private sealed class Taking(int count) : Conversation
    {
        public override Step Advance(Wire wire)
        {
            if (wire.Buffered < count)
                return Step.Receive;
            wire.Start += count;
            return Step.Completed;
        }
    }

    private sealed class Counting : ITransport
    {
        public Queue<(int Count, bool Came)> Arriving { get; } = [];

        public List<int> Waits { get; } = [];

        public bool IsReadable => false;

        public bool HasWaitedAsynchronously => false;

        public PeerTrust Trust => PeerTrust.Loopback;

        public string Peer => "counting";

        public bool WaitForBytes(int count)
        {
            Waits.Add(count);
            return Arriving.Peek().Came;
        }

        public bool HasGatheredLate { get; private set; }

        public void GatherNext(int count)
        {
            Waits.Add(count);
            HasGatheredLate = !Arriving.Peek().Came;
        }

        public int Receive(Span<byte> room) => Arriving.Dequeue().Count;

        public void Send(ReadOnlySpan<byte> bytes)
        {
        }

        public ValueTask<int> ReceiveAsync(Memory<byte> room) => new(Arriving.Dequeue().Count);

        public ValueTask SendAsync(ReadOnlyMemory<byte> bytes) => throw new NotSupportedException();

        public ITransport Upgrade() => throw new NotSupportedException();

        public ValueTask<ITransport> UpgradeAsync() => throw new NotSupportedException();

        public void Shutdown()
        {
        }

        public void Dispose()
        {
        }
    }
}
