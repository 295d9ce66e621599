using System.Net;
using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>A transport that encodes its bytes (compression), over a socket or over TLS. Connections without an encoding do not use it.</summary>
internal sealed class CodedTransport(ITransport underneath, ITransportCoding coding) : ITransport
{
    // Maximum number of bytes encoded at once. It limits the memory, and the first part is sent while the rest is being encoded.
    private const int Portion = 256 * 1024;

    /// <summary>The transport for the encoded bytes.</summary>
    public ITransport Underneath => underneath;

    /// <inheritdoc/>
    public bool IsReadable => coding.HasLeft || underneath.IsReadable;

    /// <inheritdoc/>
    public bool HoldsPart => coding.HasLeft || underneath.HoldsPart;

    /// <inheritdoc/>
    public bool HasWaitedAsynchronously => underneath.HasWaitedAsynchronously;

    /// <inheritdoc/>
    public bool SuitsBothWays => underneath.SuitsBothWays;

    /// <inheritdoc/>
    public PeerTrust Trust => underneath.Trust;

    /// <inheritdoc/>
    public string Peer => underneath.Peer;

    /// <inheritdoc/>
    public IPAddress? PeerAddress => underneath.PeerAddress;

    /// <inheritdoc/>
    public int LocalPort => underneath.LocalPort;

    /// <inheritdoc/>
    public bool WaitToSend() => underneath.WaitToSend();

    /// <inheritdoc/>
    public int Receive(Span<byte> room)
    {
        while (true)
        {
            if (coding.Decode(room) is var decoded and > 0)
                return decoded;
            var count = underneath.Receive(coding.Room().Span);
            if (count == 0)
                return 0;
            coding.Took(count);
        }
    }

    /// <inheritdoc/>
    public int TakeHeld(Span<byte> room)
    {
        while (true)
        {
            if (coding.Decode(room) is var decoded and > 0)
                return decoded;
            var count = underneath.TakeHeld(coding.Room().Span);
            if (count == 0)
                return coding.HasLeft ? throw new ProtocolException("nothing before the next command", "part of a message that cannot be decoded yet") : 0;
            coding.Took(count);
        }
    }

    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        for (; !bytes.IsEmpty; bytes = bytes[Math.Min(Portion, bytes.Length)..])
        {
            var coded = coding.Encode(bytes[..Math.Min(Portion, bytes.Length)]);
            if (!coded.IsEmpty)
                underneath.Send(coded.Span);
        }
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        while (true)
        {
            if (coding.Decode(room.Span) is var decoded and > 0)
                return decoded;
            var count = await underneath.ReceiveAsync(coding.Room()).ConfigureAwait(false);
            if (count == 0)
                return 0;
            coding.Took(count);
        }
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        for (; !bytes.IsEmpty; bytes = bytes[Math.Min(Portion, bytes.Length)..])
        {
            var coded = coding.Encode(bytes.Span[..Math.Min(Portion, bytes.Length)]);
            if (!coded.IsEmpty)
                await underneath.SendAsync(coded).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public ITransport Upgrade() => throw new InvalidOperationException("TLS begins before the coding, not inside it.");

    /// <inheritdoc/>
    public ValueTask<ITransport> UpgradeAsync() => throw new InvalidOperationException("TLS begins before the coding, not inside it.");

    /// <inheritdoc/>
    public void Shutdown() => underneath.Shutdown();

    // The coding's buffers are not released: another thread's wait that ends now may still use them.
    /// <inheritdoc/>
    public void Dispose() => underneath.Dispose();
}
