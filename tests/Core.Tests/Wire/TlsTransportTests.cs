using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

/// <summary>How much TLS receives at a time, and what is visible of the bytes that it holds.</summary>
public sealed class TlsTransportTests : IDisposable
{
    private const int Much = 128 * 1024;

    private readonly Socket _near = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, ReceiveBufferSize = 4 * Much };
    private readonly Socket _far;
    private readonly SslStream _peer;
    private readonly Counting _counting;
    private readonly ITransport _transport;

    public TlsTransportTests()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { SendBufferSize = 4 * Much };
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        _near.Connect(listener.LocalEndPoint!);
        _far = listener.Accept();
        _far.NoDelay = true;
        _peer = new SslStream(new NetworkStream(_far, ownsSocket: true));
        using var certificate = PeerCertificate.Create();
        var answering = Task.Run(() => _peer.AuthenticateAsServer(certificate));
        var tls = new TlsClient(new TlsSettings(TlsVerification.None), "peer");
        _counting = new Counting(new SocketTransport(_near, PeerTrust.None, "peer", tls));
        _transport = tls.Upgrade(_counting);
        // The handshake's last message is sent with the first bytes after it.
        _transport.Send([1]);
        answering.GetAwaiter().GetResult();
        // Messages that the peer sends by itself after the handshake (session tickets) have arrived before this.
        _peer.Write([1]);
        Assert.Equal(1, _transport.Receive(new byte[1]));
        _counting.Receives = 0;
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_long_value_is_received_in_few_pieces_and_what_is_held_of_it_can_be_seen(bool asynchronous)
    {
        var said = RandomNumberGenerator.GetBytes(Much);
        _peer.Write(said);
        await Eventually.TrueAsync(() => _near.Available >= Much);

        var heard = new byte[Much];
        for (var count = 0; count < Much;)
        {
            count += asynchronous ? await _transport.ReceiveAsync(heard.AsMemory(count)) : _transport.Receive(heard.AsSpan(count));
            // The socket is empty, but the connection is not idle.
            if (count < Much && _near.Available == 0)
                Assert.True(_transport.IsReadable);
        }

        Assert.Equal(said, heard);
        // Four single records, after which it expects more, and then the rest.
        Assert.InRange(_counting.Receives, 5, 6);
        Assert.False(_transport.IsReadable);
    }

    [Fact]
    public void Small_answers_gather_under_tls()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "SO_RCVLOWAT and poll together are Linux.");
        Assert.False(_transport.WaitForBytes(2000));
        var said = new byte[100];
        for (var i = 0; i < 20; i++)
            _peer.Write(said);
        Eventually.True(() => _near.Available >= 2000);
        Assert.True(_transport.WaitForBytes(2000));
        Assert.Equal(2000, _transport.Receive(new byte[4096]));
        Assert.Equal(1, _counting.Receives);
    }

    public void Dispose()
    {
        _transport.Dispose();
        _peer.Dispose();
    }

    private sealed class Counting(ITransport inner) : ITransport
    {
        public int Receives { get; set; }

        public bool IsReadable => inner.IsReadable;

        public bool HasWaitedAsynchronously => inner.HasWaitedAsynchronously;

        public PeerTrust Trust => inner.Trust;

        public string Peer => inner.Peer;

        public bool WaitForBytes(int count) => inner.WaitForBytes(count);

        public int Receive(Span<byte> room)
        {
            Receives++;
            return inner.Receive(room);
        }

        public void Send(ReadOnlySpan<byte> bytes) => inner.Send(bytes);

        public ValueTask<int> ReceiveAsync(Memory<byte> room)
        {
            Receives++;
            return inner.ReceiveAsync(room);
        }

        public ValueTask SendAsync(ReadOnlyMemory<byte> bytes) => inner.SendAsync(bytes);

        public ITransport Upgrade() => throw new NotSupportedException();

        public ValueTask<ITransport> UpgradeAsync() => throw new NotSupportedException();

        public void Shutdown() => inner.Shutdown();

        public void Dispose() => inner.Dispose();
    }
}
