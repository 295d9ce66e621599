using System.IO.Pipes;
using System.Net.Sockets;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>A stream of the application as a transport: a tunnel, a cloud connector, a named pipe. TLS can be used on top as on a socket.</summary>
/// <remarks>Disposing the stream must end pending reads and writes: time-outs and cancellation depend on it.</remarks>
internal sealed class StreamTransport(Stream stream, PeerTrust trust, string peer, TlsClient? tls) : ITransport
{
    private readonly CancellationTokenSource _shutdown = new();
    private volatile bool _isShutDown;

    /// <inheritdoc/>
    public bool HasWaitedAsynchronously => false;

    /// <inheritdoc/>
    public bool SupportsMixedWaits => true;

    /// <inheritdoc/>
    public PeerTrust Trust => trust;

    /// <inheritdoc/>
    public string Peer => peer;

    /// <summary>Known for streams of sockets and of pipes. For any other stream, only its next use shows it.</summary>
    public bool IsReadable
    {
        get
        {
            try
            {
                return _isShutDown || stream switch
                {
                    NetworkStream network => network.Socket.Poll(0, SelectMode.SelectRead),
                    PipeStream pipe => !pipe.IsConnected,
                    _ => !stream.CanRead,
                };
            }
            catch (Exception exception) when (IsLoss(exception))
            {
                return true;
            }
        }
    }

    /// <inheritdoc/>
    public bool HasFilledBuffer { get; private set; }

    /// <inheritdoc/>
    public int Receive(Span<byte> room)
    {
        try
        {
            var count = stream.Read(room);
            HasFilledBuffer = count == room.Length;
            return count;
        }
        catch (Exception exception) when (IsLoss(exception))
        {
            throw Lost(exception);
        }
    }

    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        try
        {
            stream.Write(bytes);
            stream.Flush();
        }
        catch (Exception exception) when (IsLoss(exception))
        {
            throw Lost(exception);
        }
    }

    /// <inheritdoc/>
    public async ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        try
        {
            var count = await stream.ReadAsync(room, _shutdown.Token).ConfigureAwait(false);
            HasFilledBuffer = count == room.Length;
            return count;
        }
        catch (Exception exception) when (IsLoss(exception))
        {
            throw Lost(exception);
        }
    }

    /// <inheritdoc/>
    public async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        try
        {
            await stream.WriteAsync(bytes, _shutdown.Token).ConfigureAwait(false);
            await stream.FlushAsync(_shutdown.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (IsLoss(exception))
        {
            throw Lost(exception);
        }
    }

    /// <inheritdoc/>
    public ITransport Upgrade() => TlsOrThrow().Upgrade(this);

    /// <inheritdoc/>
    public ValueTask<ITransport> UpgradeAsync() => TlsOrThrow().UpgradeAsync(this);

    /// <inheritdoc/>
    public void Shutdown()
    {
        if (_isShutDown)
            return;
        _isShutDown = true;
        try
        {
            _shutdown.Cancel();
            stream.Dispose();
        }
        catch (Exception exception) when (IsLoss(exception) || exception is AggregateException)
        {
            // Already closed, as intended.
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Shutdown();

    // Foreign streams throw any type of exception when they end.
    private static bool IsLoss(Exception exception) => exception is not (OutOfMemoryException or WireException);

    private WireException Lost(Exception inner) => new(
        WireFailure.Lost, _isShutDown ? $"The connection to {peer} was closed by this client." : $"The connection to {peer} was lost: {inner.Message}", inner);

    private TlsClient TlsOrThrow() => tls ?? throw new InvalidOperationException("This connection was made without TLS options.");
}
