using Slipstream.Core.Wires;

namespace Slipstream.Testing;

/// <summary>A transport that records the bytes that pass through it.</summary>
internal sealed class RecordingTransport(ITransport inner, List<Transcript.Turn> turns) : ITransport
{
    public bool IsReadable => inner.IsReadable;

    public bool HasWaitedAsynchronously => inner.HasWaitedAsynchronously;

    public PeerTrust Trust => inner.Trust;

    public string Peer => inner.Peer;

    public int Receive(Span<byte> room)
    {
        var count = inner.Receive(room);
        Note(true, room[..count]);
        return count;
    }

    public void Send(ReadOnlySpan<byte> bytes)
    {
        Note(false, bytes);
        inner.Send(bytes);
    }

    public ValueTask<int> ReceiveAsync(Memory<byte> room) => throw new NotSupportedException("Recordings are made by blocking.");

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes) => throw new NotSupportedException("Recordings are made by blocking.");

    public ITransport Upgrade() => throw new NotSupportedException("Recordings are made in clear text.");

    public ValueTask<ITransport> UpgradeAsync() => throw new NotSupportedException("Recordings are made in clear text.");

    public void Shutdown() => inner.Shutdown();

    public void Dispose() => inner.Dispose();

    private void Note(bool fromServer, ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty)
            return;
        if (turns.Count > 0 && turns[^1].FromServer == fromServer)
            turns[^1] = new(fromServer, [.. turns[^1].Bytes, .. bytes]);
        else
            turns.Add(new(fromServer, bytes.ToArray()));
    }
}
