using System.Net;
using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>A transport that encodes its bytes (compression), over a socket or over TLS. Connections without an encoding do not use it.</summary>
internal sealed class CodedTransport(ITransport inner, ITransportCoding coding) : ITransport
{
    // Maximum number of bytes encoded at once. It limits the memory, and the first part is sent while the rest is being encoded.
    private const int Portion = 256 * 1024;

    /// <summary>The transport for the encoded bytes.</summary>
    public ITransport Inner => inner;

    /// <inheritdoc/>
    public bool IsReadable => coding.HasLeft || inner.IsReadable;

    /// <inheritdoc/>
    public bool HoldsPart => coding.HasLeft || inner.HoldsPart;

    /// <inheritdoc/>
    public bool HasWaitedAsynchronously => inner.HasWaitedAsynchronously;

    /// <inheritdoc/>
    public bool SupportsMixedWaits => inner.SupportsMixedWaits;

    /// <inheritdoc/>
    public PeerTrust Trust => inner.Trust;

    /// <inheritdoc/>
    public string Peer => inner.Peer;

    /// <inheritdoc/>
    public IPAddress? PeerAddress => inner.PeerAddress;

    /// <inheritdoc/>
    public int LocalPort => inner.LocalPort;

    /// <inheritdoc/>
    public void Shrink() => inner.Shrink();

    /// <inheritdoc/>
    public bool WaitToSend() => inner.WaitToSend();

    /// <inheritdoc/>
    public int Receive(Span<byte> room)
    {
        while (true)
        {
            if (coding.Decode(room) is var decoded and > 0)
                return decoded;
            var count = inner.Receive(coding.FreeMemory().Span);
            if (count == 0)
                return 0;
            coding.Advance(count);
        }
    }

    /// <inheritdoc/>
    public int TakeHeld(Span<byte> room)
    {
        while (true)
        {
            if (coding.Decode(room) is var decoded and > 0)
                return decoded;
            var count = inner.TakeHeld(coding.FreeMemory().Span);
            if (count == 0)
                return coding.HasLeft ? throw new ProtocolException("nothing before the next command", "part of a message that cannot be decoded yet") : 0;
            coding.Advance(count);
        }
    }

    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        for (; !bytes.IsEmpty; bytes = bytes[Math.Min(Portion, bytes.Length)..])
        {
            var coded = coding.Encode(bytes[..Math.Min(Portion, bytes.Length)]);
            if (!coded.IsEmpty)
                inner.Send(coded.Span);
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
            var count = await inner.ReceiveAsync(coding.FreeMemory()).ConfigureAwait(false);
            if (count == 0)
                return 0;
            coding.Advance(count);
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
                await inner.SendAsync(coded).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public ITransport Upgrade() => throw new InvalidOperationException("TLS begins before the coding, not inside it.");

    /// <inheritdoc/>
    public ValueTask<ITransport> UpgradeAsync() => throw new InvalidOperationException("TLS begins before the coding, not inside it.");

    /// <inheritdoc/>
    public void Shutdown() => inner.Shutdown();

    // The coding's buffers are not released: another thread's wait that ends now may still use them.
    /// <inheritdoc/>
    public void Dispose() => inner.Dispose();
}
