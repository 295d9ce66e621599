using Slipstream.Core.Wires;

namespace Slipstream.Fuzzing.Targets;

/// <summary>A transport without any traffic, for code that only asks for the trust in the peer.</summary>
internal sealed class Silence(PeerTrust trust) : ITransport
{
    public bool IsReadable => false;

    public bool HasWaitedAsynchronously => false;

    public PeerTrust Trust => trust;

    public string Peer => "somebody:3306";

    public int Receive(Span<byte> room) => throw Untouched();

    public void Send(ReadOnlySpan<byte> bytes) => throw Untouched();

    public ValueTask<int> ReceiveAsync(Memory<byte> room) => throw Untouched();

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes) => throw Untouched();

    public ITransport Upgrade() => throw Untouched();

    public ValueTask<ITransport> UpgradeAsync() => throw Untouched();

    public void Shutdown()
    {
        // Nothing to wait for.
    }

    public void Dispose()
    {
        // Nothing to release.
    }

    private static BrokenPromiseException Untouched() => new("What only looks at bytes that have arrived asked for more.");
}
