using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>
/// A TCP or unix socket whose asynchronous waits the driver's own engine completes. The descriptor is blocking, and the runtime never sees an asynchronous call
/// on it. Blocking use therefore costs the same as on <see cref="SocketTransport"/>, whatever waits came before.
/// </summary>
internal sealed class EngineTransport : ITransport
{
    private readonly Socket _socket;
    private readonly SocketTransport _blocking;
    private readonly EngineSocket _asynchronous;
    private readonly TlsClient? _tls;

    /// <param name="engine">The engine.</param>
    /// <param name="socket">A blocking socket that no other code uses asynchronously.</param>
    /// <param name="continuations">Where completed waits continue.</param>
    /// <param name="trust">The trust in the peer.</param>
    /// <param name="peer">The peer for messages.</param>
    /// <param name="tls">For <see cref="Upgrade"/>; null without TLS.</param>
    /// <param name="spins">Whether a thread may poll for an answer before it sleeps.</param>
    internal EngineTransport(
        CompletionEngine engine, Socket socket, AsyncContinuations continuations, PeerTrust trust, string peer, TlsClient? tls, bool spins = true)
    {
        _socket = socket;
        _tls = tls;
        // The engine's table must not reference this object, not even indirectly. Otherwise, it could never be collected.
        var blocking = _blocking = new SocketTransport(socket, trust, peer, tls);
        _asynchronous = new EngineSocket(engine, socket, continuations == AsyncContinuations.ThreadPool, error => blocking.Lost(error, null))
        {
            MaySpin = spins,
        };
    }

    // The engine's table references the descriptor, so an undisposed one must be removed.
    /// <inheritdoc/>
    ~EngineTransport() => _asynchronous.Dispose();

    /// <inheritdoc cref="EngineSocket.Spins"/>
    internal bool Spins => _asynchronous.Spins;

    /// <inheritdoc/>
    public bool HasWaitedAsynchronously => false;

    /// <inheritdoc/>
    public bool SupportsMixedWaits => true;

    /// <inheritdoc/>
    public PeerTrust Trust => _blocking.Trust;

    /// <inheritdoc/>
    public string Peer => _blocking.Peer;

    /// <inheritdoc/>
    public IPAddress? PeerAddress => _blocking.PeerAddress ?? Epoll.EndOf(_socket.SafeHandle, isRemote: true)?.Address;

    /// <inheritdoc/>
    public int LocalPort => _blocking.LocalPort is > 0 and var port ? port : Epoll.EndOf(_socket.SafeHandle, isRemote: false)?.Port ?? 0;

    internal Socket Socket => _socket;

    /// <inheritdoc/>
    public bool IsReadable => _blocking.IsReadable;

    /// <inheritdoc/>
    public bool WaitToSend()
    {
        _asynchronous.StopWatching();
        return _blocking.WaitToSend();
    }

    /// <inheritdoc/>
    public bool WaitForBytes(int count)
    {
        _asynchronous.StopWatching();
        return _blocking.WaitForBytes(count);
    }

    /// <inheritdoc/>
    public void GatherNext(int count) => _asynchronous.GatherNext(count);

    /// <inheritdoc/>
    public bool HasGatheredLate => _asynchronous.HasGatheredLate;

    /// <inheritdoc/>
    public bool HasFilledBuffer => _asynchronous.HasFilledBuffer;

    /// <inheritdoc/>
    public int Receive(Span<byte> room)
    {
        _asynchronous.StopWatching();
        var count = Epoll.ReceiveBlocking(_socket.SafeHandle, room);
        _asynchronous.HasFilledBuffer = count == room.Length;
        return count >= 0 ? count : throw _asynchronous.Failed(count);
    }

    // Direct system calls: the overhead of the runtime's socket is 10 % of the client's time for a small query.
    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        _asynchronous.BeginRequest();
        while (!bytes.IsEmpty)
        {
            var count = Epoll.SendBlocking(_socket.SafeHandle, bytes);
            if (count < 0)
                throw _asynchronous.Failed(count);
            bytes = bytes[count..];
        }
    }

    /// <inheritdoc/>
    public ValueTask<int> ReceiveAsync(Memory<byte> room) => _asynchronous.ReceiveAsync(room);

    /// <inheritdoc/>
    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes) => _asynchronous.SendAsync(bytes);

    /// <summary>Connects an unconnected socket.</summary>
    /// <exception cref="SocketException">The connection failed.</exception>
    internal ValueTask ConnectAsync(EndPoint target)
    {
        // A full queue of a unix socket cannot be waited for; other unix connects complete immediately.
        if (target is UnixDomainSocketEndPoint)
            return new(Task.Run(() => _socket.Connect(target)));
        var address = target.Serialize();
        return _asynchronous.ConnectAsync(address.Buffer[..address.Size]);
    }

    /// <inheritdoc/>
    public ITransport Upgrade() => TlsOrThrow().Upgrade(this);

    /// <inheritdoc/>
    public ValueTask<ITransport> UpgradeAsync() => TlsOrThrow().UpgradeAsync(this);

    /// <inheritdoc/>
    public void Shutdown() => _blocking.Shutdown();

    /// <inheritdoc/>
    public void Dispose()
    {
        GC.SuppressFinalize(this);
        _asynchronous.Dispose();
    }

    private TlsClient TlsOrThrow() => _tls ?? throw new InvalidOperationException("This connection was made without TLS options.");
}
