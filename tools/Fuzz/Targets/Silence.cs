using Slipstream.Core.Wires;

namespace Slipstream.Fuzzing.Targets;

/// <summary>A transport over which nothing comes or goes: for what asks it only how far the peer is trusted.</summary>
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
        // Nothing waits.
    }

    public void Dispose()
    {
        // Nothing is held.
    }

    private static BrokenPromiseException Untouched() => new("What only looks at bytes that have arrived asked for more.");
}
