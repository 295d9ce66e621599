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
    private readonly ITransport _underneath;
    private readonly TransportStream _carrier;
    private readonly PeerTrust _trustInTheEnd;
    private WireException? _fault;

    // The last receive has filled all the room it was given: the runtime's stream may have decrypted more than it could hand out.
    private bool _hasFilledRoom;

    /// <param name="stream">After its handshake.</param>
    /// <param name="carrier">What the stream reads and writes.</param>
    /// <param name="underneath">What carries that.</param>
    /// <param name="trust">What the handshake has shown.</param>
    /// <param name="fault">Why the certificate was not accepted, when the peer may still prove it: until then the peer is nobody's.</param>
    internal TlsTransport(SslStream stream, TransportStream carrier, ITransport underneath, PeerTrust trust, WireException? fault = null)
    {
        _stream = stream;
        _carrier = carrier;
        _underneath = underneath;
        _trustInTheEnd = trust;
        _fault = fault;
        Trust = fault is null ? trust : PeerTrust.Encrypted;
    }

    /// <summary>True while the certificate is neither verified nor proved.</summary>
    public bool IsUnproven => _fault is not null;

    /// <summary>The peer has proved by other means that the certificate is its own, or has not.</summary>
    /// <exception cref="WireException">It has not: why the certificate was not accepted in the first place.</exception>
    public void Prove(bool isProved)
    {
        if (!isProved && _fault is not null)
            throw _fault;
        _fault = null;
        Trust = _trustInTheEnd;
    }

    /// <inheritdoc/>
    public bool IsReadable => _carrier.IsHoldingReceived || HoldsPart || _underneath.IsReadable;

    /// <inheritdoc/>
    public bool HoldsPart => _carrier.HasGivenPart;

    /// <inheritdoc/>
    public bool HasWaitedAsynchronously => _underneath.HasWaitedAsynchronously;

    /// <inheritdoc/>
    public bool SuitsBothWays => _underneath.SuitsBothWays;

    /// <inheritdoc/>
    public PeerTrust Trust { get; private set; }

    /// <inheritdoc/>
    public string Peer => _underneath.Peer;

    /// <inheritdoc/>
    public IPAddress? PeerAddress => _underneath.PeerAddress;

    /// <inheritdoc/>
    public int LocalPort => _underneath.LocalPort;

    /// <summary>The stream, for those who need the certificate (channel binding) or the protocol's name (messages).</summary>
    public SslStream Stream => _stream;

    /// <summary>The server's certificate: what channel binding binds to.</summary>
    public X509Certificate? PeerCertificate => _stream.RemoteCertificate;

    /// <inheritdoc/>
    public bool WaitToSend() => _underneath.WaitToSend();

    /// <summary>Whether both peers show the same certificate.</summary>
    public bool IsOfSamePeerAs(ITransport other) => PeerCertificate is { } own && other is TlsTransport { PeerCertificate: { } theirs }
        && CryptographicOperations.FixedTimeEquals(own.GetRawCertData(), theirs.GetRawCertData());

    // Records are longer than what is in them: so many bytes arrive a little before what is asked for.
    /// <inheritdoc/>
    public bool WaitForMuch(int count) => _carrier.IsHoldingReceived || _underneath.WaitForMuch(count);

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

    // The stream itself does not say what it holds. It is read while its carrier has nothing to give but what it holds itself, or what its last receive had no
    // room for. In front of a record without data (an alert, a HelloRequest, a ChangeCipherSpec) it ends a read, whatever lies behind.
    /// <inheritdoc/>
    public int TakeHeld(Span<byte> room)
    {
        if (!_hasFilledRoom && !_carrier.HasGivenOther && !_carrier.IsHoldingReceived && !(_underneath.HasFilledRoom && _underneath.IsReadable))
            return 0;
        _carrier.GivesOnlyHeld = true;
        try
        {
            return HasRead(_stream.Read(room), room.Length);
        }
        catch (IOException exception) when (exception is NothingHeldException || exception.InnerException is NothingHeldException)
        {
            _hasFilledRoom = false;
            return 0;
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException or InvalidOperationException or WireException)
        {
            throw Lost(exception);
        }
        finally
        {
            _carrier.GivesOnlyHeld = false;
        }
    }

    private int HasRead(int count, int room)
    {
        _carrier.HasRead(count);
        _hasFilledRoom = count == room;
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
            return HasRead(await _stream.ReadAsync(room).ConfigureAwait(false), room.Length);
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
    public void Shutdown() => _underneath.Shutdown();

    /// <inheritdoc/>
    public void Dispose()
    {
        _stream.Dispose();
        _underneath.Dispose();
    }

    // What the runtime wraps around it says only that there is an inner exception.
    private WireException Lost(Exception inner) => new(WireFailure.Lost, $"The encrypted connection to {Peer} was lost: {inner.GetBaseException().Message}", inner);
}
