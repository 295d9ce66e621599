using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>TLS over a socket.</summary>
/// <param name="stream">After its handshake.</param>
/// <param name="underneath">What carries it.</param>
/// <param name="trust">What the handshake has shown.</param>
/// <param name="fault">Why the certificate was not accepted, when the peer may still prove it: until then the peer is nobody's.</param>
public sealed class TlsTransport(SslStream stream, ITransport underneath, PeerTrust trust, WireException? fault = null) : ITransport
{
    private PeerTrust _trust = fault is null ? trust : PeerTrust.Encrypted;
    private WireException? _fault = fault;

    /// <summary>True while the certificate is neither verified nor proved.</summary>
    public bool IsUnproven => _fault is not null;

    /// <summary>The peer has proved by other means that the certificate is its own, or has not.</summary>
    /// <exception cref="WireException">It has not: why the certificate was not accepted in the first place.</exception>
    public void Prove(bool isProved)
    {
        if (!isProved && _fault is not null)
            throw _fault;
        _fault = null;
        _trust = trust;
    }

    /// <inheritdoc/>
    public bool IsReadable => underneath.IsReadable;

    /// <inheritdoc/>
    public bool HasWaitedAsynchronously => underneath.HasWaitedAsynchronously || _hasWaitedAsynchronously;

    /// <inheritdoc/>
    public bool SuitsBothWays => underneath.SuitsBothWays;

    // The runtime's stream waits past the transport underneath, which therefore does not know of it.
    private readonly bool _waitsWithRuntime = underneath is SocketTransport;

    private bool _hasWaitedAsynchronously;

    /// <inheritdoc/>
    public PeerTrust Trust => _trust;

    /// <inheritdoc/>
    public string Peer => underneath.Peer;

    /// <summary>The stream, for those who need the certificate (channel binding) or the protocol's name (messages).</summary>
    public SslStream Stream => stream;

    /// <summary>The server's certificate: what channel binding binds to.</summary>
    public X509Certificate? PeerCertificate => stream.RemoteCertificate;

    /// <inheritdoc/>
    public bool WaitToSend() => underneath.WaitToSend();

    /// <inheritdoc/>
    public int Receive(Span<byte> room)
    {
        try
        {
            return stream.Read(room);
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException or InvalidOperationException or WireException)
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
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException or InvalidOperationException or WireException)
        {
            throw Lost(exception);
        }
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        _hasWaitedAsynchronously = _waitsWithRuntime;
        try
        {
            return await stream.ReadAsync(room).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException or InvalidOperationException or WireException)
        {
            throw Lost(exception);
        }
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        _hasWaitedAsynchronously = _waitsWithRuntime;
        try
        {
            await stream.WriteAsync(bytes).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException or InvalidOperationException or WireException)
        {
            throw Lost(exception);
        }
    }

    /// <inheritdoc/>
    public ITransport Upgrade() => throw new InvalidOperationException("The connection is encrypted already.");

    /// <inheritdoc/>
    public ValueTask<ITransport> UpgradeAsync() => throw new InvalidOperationException("The connection is encrypted already.");

    /// <inheritdoc/>
    public void Shutdown() => underneath.Shutdown();

    /// <inheritdoc/>
    public void Dispose()
    {
        stream.Dispose();
        underneath.Dispose();
    }

    // What the runtime wraps around it says only that there is an inner exception.
    private WireException Lost(Exception inner) => new(WireFailure.Lost, $"The encrypted connection to {Peer} was lost: {inner.GetBaseException().Message}", inner);
}
