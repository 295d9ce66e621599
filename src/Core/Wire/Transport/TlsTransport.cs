using System.Net;
using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>TLS over another transport.</summary>
internal sealed class TlsTransport : ITransport
{
    private readonly SslStream _stream;
    private readonly ITransport _inner;
    private readonly TransportStream _carrier;
    private readonly PeerTrust _finalTrust;
    private WireException? _fault;

    // The last receive filled its whole buffer: the runtime's stream may have decrypted more than it could return.
    private bool _hasFilledBuffer;
    private bool _isGathering;

    /// <param name="stream">The stream after its handshake.</param>
    /// <param name="carrier">The stream that it reads and writes.</param>
    /// <param name="inner">The transport below.</param>
    /// <param name="trust">The trust that the handshake has established.</param>
    /// <param name="fault">Why the certificate was not accepted, if the peer may still prove its identity; until then it is not authenticated.</param>
    internal TlsTransport(SslStream stream, TransportStream carrier, ITransport inner, PeerTrust trust, WireException? fault = null)
    {
        _stream = stream;
        _carrier = carrier;
        _inner = inner;
        _finalTrust = trust;
        _fault = fault;
        Trust = fault is null ? trust : PeerTrust.Encrypted;
    }

    /// <summary>Whether the certificate is neither verified nor proved in another way.</summary>
    public bool IsUnproven => _fault is not null;

    /// <summary>Records whether the peer has proved in another way that the certificate is its own.</summary>
    /// <exception cref="WireException">It has not. The exception says why the certificate was not accepted.</exception>
    public void Prove(bool isProved)
    {
        if (!isProved && _fault is not null)
            throw _fault;
        _fault = null;
        Trust = _finalTrust;
    }

    /// <inheritdoc/>
    public bool IsReadable => _carrier.IsHoldingReceived || HoldsPart || _inner.IsReadable;

    /// <inheritdoc/>
    public bool HoldsPart => _carrier.HasDeliveredPart;

    /// <inheritdoc/>
    public bool HasWaitedAsynchronously => _inner.HasWaitedAsynchronously;

    /// <inheritdoc/>
    public bool SupportsMixedWaits => _inner.SupportsMixedWaits;

    /// <inheritdoc/>
    public PeerTrust Trust { get; private set; }

    /// <inheritdoc/>
    public string Peer => _inner.Peer;

    /// <inheritdoc/>
    public IPAddress? PeerAddress => _inner.PeerAddress;

    /// <inheritdoc/>
    public int LocalPort => _inner.LocalPort;

    /// <summary>The TLS stream, for its certificate (channel binding) and protocol name (messages).</summary>
    public SslStream Stream => _stream;

    /// <summary>The name of the protocol that both sides have agreed on (ALPN); empty for none.</summary>
    public string ApplicationProtocol => _stream.NegotiatedApplicationProtocol.ToString();

    /// <summary>The server's certificate, used for channel binding.</summary>
    public X509Certificate? PeerCertificate => _stream.RemoteCertificate;

    /// <inheritdoc/>
    public void Shrink() => _carrier.Shrink();

    /// <inheritdoc/>
    public bool WaitToSend() => _inner.WaitToSend();

    /// <summary>Whether both peers have the same certificate.</summary>
    public bool IsOfSamePeerAs(ITransport other) => PeerCertificate is { } own && other is TlsTransport { PeerCertificate: { } theirs }
        && CryptographicOperations.FixedTimeEquals(own.GetRawCertData(), theirs.GetRawCertData());

    // Records are longer than their content, so this many bytes arrive slightly before the requested ones.
    /// <inheritdoc/>
    public bool WaitForBytes(int count) => _carrier.IsHoldingReceived || _inner.WaitForBytes(count);

    /// <inheritdoc/>
    public void GatherNext(int count)
    {
        _isGathering = !_carrier.IsHoldingReceived;
        if (_isGathering)
            _inner.GatherNext(count);
    }

    /// <inheritdoc/>
    public bool HasGatheredLate => _inner.HasGatheredLate;

    /// <inheritdoc/>
    public int Receive(Span<byte> room)
    {
        try
        {
            return HasRead(_stream.Read(room), room.Length);
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException or InvalidOperationException or WireException)
        {
            throw Lost(exception);
        }
    }

    // The TLS stream does not report what it holds. It is therefore read while the carrier returns only bytes that it holds itself, or that its last receive
    // had no
    // room for. A record without data (an alert, a HelloRequest, a ChangeCipherSpec) ends a read, whatever follows it.
    /// <inheritdoc/>
    public int TakeHeld(Span<byte> room)
    {
        if (!_hasFilledBuffer && !_carrier.HasDeliveredOther && !_carrier.IsHoldingReceived && !(_inner.HasFilledBuffer && _inner.IsReadable))
            return 0;
        _carrier.ReadsOnlyHeld = true;
        try
        {
            return HasRead(_stream.Read(room), room.Length);
        }
        catch (IOException exception) when (exception is NoBytesHeldException || exception.InnerException is NoBytesHeldException)
        {
            _hasFilledBuffer = false;
            return 0;
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException or InvalidOperationException or WireException)
        {
            throw Lost(exception);
        }
        finally
        {
            _carrier.ReadsOnlyHeld = false;
        }
    }

    private int HasRead(int count, int room)
    {
        _carrier.HasRead(count);
        _hasFilledBuffer = count == room;
        return count;
    }

    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        try
        {
            _stream.Write(bytes);
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
        try
        {
            var count = HasRead(await _stream.ReadAsync(room).ConfigureAwait(false), room.Length);
            // TLS may have held enough, and received nothing. The wish does not hold for what is received later.
            if (_isGathering)
            {
                _inner.GatherNext(0);
                _isGathering = false;
            }

            return count;
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
        try
        {
            await _stream.WriteAsync(bytes).ConfigureAwait(false);
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
    public void Shutdown() => _inner.Shutdown();

    /// <inheritdoc/>
    public void Dispose()
    {
        _stream.Dispose();
        _inner.Dispose();
    }

    // The runtime's outer exception only refers to the inner one.
    private WireException Lost(Exception inner) =>
        new(WireFailure.Lost, $"The encrypted connection to {Peer} was lost: {inner.GetBaseException().Message}", inner);
}
