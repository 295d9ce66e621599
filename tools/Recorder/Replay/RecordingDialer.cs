using Slipstream.Core.Wires;

namespace Slipstream.Recorder.Replay;

/// <summary>Connects to a real server and records the first connection.</summary>
internal sealed class RecordingDialer(TlsSettings? tls, Recording recording) : Dialer(tls)
{
    public override ITransport Dial(Endpoint endpoint, DialScope scope) => Record(base.Dial(endpoint, scope));

    public override async ValueTask<ITransport> DialAsync(Endpoint endpoint, DialScope scope) =>
        Record(await base.DialAsync(endpoint, scope).ConfigureAwait(false));

    private RecordingTransport Record(ITransport transport)
    {
        if (recording.Passages.Count > 0)
            throw new InvalidOperationException("A scenario has one connection.");
        recording.Trust = transport.Trust;
        return new RecordingTransport(transport, recording);
    }
}

/// <summary>Passes everything to a real transport and keeps a copy.</summary>
internal sealed class RecordingTransport(ITransport inner, Recording recording) : ITransport
{
    public bool IsReadable => inner.IsReadable;

    public bool HasWaitedAsynchronously => inner.HasWaitedAsynchronously;

    public PeerTrust Trust => inner.Trust;

    public string Peer => inner.Peer;

    public int Receive(Span<byte> room)
    {
        var count = inner.Receive(room);
        recording.Add(Speaker.Server, room[..count]);
        return count;
    }

    public void Send(ReadOnlySpan<byte> bytes)
    {
        recording.Add(Speaker.Client, bytes);
        inner.Send(bytes);
    }

    public async ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        var count = await inner.ReceiveAsync(room).ConfigureAwait(false);
        recording.Add(Speaker.Server, room.Span[..count]);
        return count;
    }

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        recording.Add(Speaker.Client, bytes.Span);
        return inner.SendAsync(bytes);
    }

    public ITransport Upgrade() => Upgraded(inner.Upgrade());

    public async ValueTask<ITransport> UpgradeAsync() => Upgraded(await inner.UpgradeAsync().ConfigureAwait(false));

    public void Shutdown() => inner.Shutdown();

    public void Dispose() => inner.Dispose();

    private RecordingTransport Upgraded(ITransport transport)
    {
        recording.Add(Speaker.Upgrade, []);
        recording.UpgradedTrust = transport.Trust;
        return new RecordingTransport(transport, recording);
    }
}
