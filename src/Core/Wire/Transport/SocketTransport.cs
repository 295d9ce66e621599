using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>A socket of the runtime, TCP or unix.</summary>
/// <remarks>
/// One asynchronous wait registers the descriptor with the runtime's epoll engine permanently, and every later blocking receive costs nine times the CPU time.
/// The pool therefore selects sessions by <see cref="HasWaitedAsynchronously"/>. An asynchronous call that completes at once has the same effect, so the call
/// itself sets the flag.
/// </remarks>
internal sealed class SocketTransport(Socket socket, PeerTrust trust, string peer, TlsClient? tls) : ITransport
{
    // socket(7): SOL_SOCKET and SO_RCVLOWAT, which poll respects.
    private const int SocketLevel = 1;
    private const int ReceiveLowWater = 18;

    // Microseconds.
    private const int MaxWaitMicroseconds = 1000;

    private bool _hasWaitedAsynchronously;
    private volatile bool _isShutDown;

    /// <inheritdoc/>
    public bool HasWaitedAsynchronously
    {
        get => _hasWaitedAsynchronously;
        init => _hasWaitedAsynchronously = value;
    }

    /// <inheritdoc/>
    public PeerTrust Trust => trust;

    /// <inheritdoc/>
    public string Peer => peer;

    /// <inheritdoc/>
    public IPAddress? PeerAddress => EndOf(socket, static socket => socket.RemoteEndPoint)?.Address;

    /// <inheritdoc/>
    public int LocalPort => EndOf(socket, static socket => socket.LocalEndPoint)?.Port ?? 0;

    private static IPEndPoint? EndOf(Socket socket, Func<Socket, EndPoint?> end)
    {
        try
        {
            return end(socket) as IPEndPoint;
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            return null;
        }
    }

    internal Socket Socket => socket;

    // Readable without a request: closed by the peer, or unexpected bytes. One system call, no round trip.
    /// <inheritdoc/>
    public bool IsReadable
    {
        get
        {
            try
            {
                return socket.Poll(0, SelectMode.SelectRead);
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                return true;
            }
        }
    }

    // A failed socket is also "writable": the next send reports the reason.
    /// <inheritdoc/>
    public bool WaitToSend()
    {
        try
        {
            if (socket.Poll(0, SelectMode.SelectWrite))
                return true;
            List<Socket> readable = [socket], writable = [socket], failed = [socket];
            Socket.Select(readable, writable, failed, Timeout.InfiniteTimeSpan);
            return writable.Count + failed.Count > 0;
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            return true;
        }
    }

    /// <inheritdoc/>
    public bool WaitForBytes(int count)
    {
        // For a unix socket, poll ignores SO_RCVLOWAT.
        if (!OperatingSystem.IsLinux() || socket.AddressFamily == AddressFamily.Unix)
            return false;
        try
        {
            SetLowWater(count);
            var came = socket.Poll(MaxWaitMicroseconds, SelectMode.SelectRead);
            // The next receive takes whatever has arrived.
            SetLowWater(1);
            return came;
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            return false;
        }
    }

    /// <inheritdoc/>
    public bool HasFilledBuffer { get; private set; }

    /// <inheritdoc/>
    public int Receive(Span<byte> room)
    {
        var count = socket.Receive(room, SocketFlags.None, out var error);
        HasFilledBuffer = count == room.Length;
        return error == SocketError.Success ? count : throw Lost(error, null);
    }

    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            var count = socket.Send(bytes, SocketFlags.None, out var error);
            if (error != SocketError.Success)
                throw Lost(error, null);
            bytes = bytes[count..];
        }
    }

    /// <inheritdoc/>
    public ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        _hasWaitedAsynchronously = true;
        var receive = socket.ReceiveAsync(room, SocketFlags.None);
        if (!receive.IsCompletedSuccessfully)
            return Translated(receive, room.Length);
        var received = receive.Result;
        HasFilledBuffer = received == room.Length;
        return new(received);

        [System.Runtime.CompilerServices.AsyncMethodBuilder(typeof(System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder<>))]
        async ValueTask<int> Translated(ValueTask<int> pending, int length)
        {
            try
            {
                var count = await pending.ConfigureAwait(false);
                HasFilledBuffer = count == length;
                return count;
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                throw Lost((exception as SocketException)?.SocketErrorCode ?? SocketError.OperationAborted, exception);
            }
        }
    }

    /// <inheritdoc/>
    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        // A small send is a copy into the kernel's buffer, on blocking and non-blocking descriptors; it waits only if that buffer is full.
        _hasWaitedAsynchronously = true;
        var send = socket.SendAsync(bytes, SocketFlags.None);
        if (!send.IsCompletedSuccessfully)
            return Rest(send, bytes);
        var sentAtOnce = send.Result;
        return sentAtOnce == bytes.Length ? default : Rest(new(sentAtOnce), bytes);

        [System.Runtime.CompilerServices.AsyncMethodBuilder(typeof(System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder))]
        async ValueTask Rest(ValueTask<int> pending, ReadOnlyMemory<byte> all)
        {
            try
            {
                for (var sent = await pending.ConfigureAwait(false); sent < all.Length;)
                    sent += await socket.SendAsync(all[sent..], SocketFlags.None).ConfigureAwait(false);
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                throw Lost((exception as SocketException)?.SocketErrorCode ?? SocketError.OperationAborted, exception);
            }
        }
    }

    /// <inheritdoc/>
    public ITransport Upgrade() => TlsOrThrow().Upgrade(this);

    /// <inheritdoc/>
    public ValueTask<ITransport> UpgradeAsync() => TlsOrThrow().UpgradeAsync(this);

    /// <inheritdoc/>
    public void Shutdown()
    {
        _isShutDown = true;
        SocketAbort.Abort(socket);
    }

    /// <inheritdoc/>
    public void Dispose() => socket.Dispose();

    private void SetLowWater(int count) => socket.SetRawSocketOption(SocketLevel, ReceiveLowWater, MemoryMarshal.AsBytes(new ReadOnlySpan<int>(in count)));

    private TlsClient TlsOrThrow() => tls ?? throw new InvalidOperationException("This connection was made without TLS options.");

    internal WireException Lost(SocketError error, Exception? inner) => new(
        WireFailure.Lost,
        _isShutDown ? $"The connection to {peer} was closed by this client." : $"The connection to {peer} was lost ({error}).",
        inner ?? new SocketException((int)error));
}
