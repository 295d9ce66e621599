using Slipstream.Core.Wires;

namespace Slipstream.Recorder.Replay;

/// <summary>Connects to a recording instead of a server.</summary>
/// <param name="recording">The bytes of the server and of the client.</param>
/// <param name="piece">The largest number of bytes that arrive at once; 0: no limit.</param>
/// <param name="plain">Reduces the client's bytes to those that must be the same each time; null: all of them.</param>
internal sealed class ReplayDialer(Recording recording, int piece, Func<byte[], byte[]>? plain = null) : Dialer(null)
{
    /// <summary>Gets the connection; null before it was made.</summary>
    public ReplayTransport? Transport { get; private set; }

    public override ITransport Dial(Endpoint endpoint, DialScope scope) =>
        Transport = Transport is null ? new ReplayTransport(recording, piece, plain) : throw new InvalidOperationException("A scenario has one connection.");

    public override ValueTask<ITransport> DialAsync(Endpoint endpoint, DialScope scope) => new(Dial(endpoint, scope));
}

/// <summary>
/// The server's side of a recording. When the client begins to receive, the bytes that it has sent are compared with the recording. A difference ends the
/// connection and is kept.
/// </summary>
internal sealed class ReplayTransport(Recording recording, int piece, Func<byte[], byte[]>? plain) : ITransport
{
    private readonly List<byte> _said = [];
    private int _passage;
    private int _at;
    private int _receives;

    /// <summary>Gets where the client deviated from the recording; null if it did not.</summary>
    public string? Difference { get; private set; }

    /// <summary>Gets whether the whole recording was replayed.</summary>
    public bool IsCompleted => _passage == recording.Passages.Count;

    public bool IsReadable => Difference is not null;

    public bool HasWaitedAsynchronously { get; private set; }

    public PeerTrust Trust { get; private set; } = recording.Trust;

    public string Peer => "a recording";

    public int Receive(Span<byte> room)
    {
        Compare();
        if (Difference is not null || IsCompleted)
            return 0;
        if (Now.Speaker != Speaker.Server)
        {
            Difference = $"the client receives in passage {_passage}, where it sent bytes in the recording";
            return 0;
        }

        var left = Now.Bytes.AsSpan(_at);
        var count = Math.Min(left.Length, Math.Min(room.Length, piece == 0 ? int.MaxValue : piece));
        left[..count].CopyTo(room);
        _at += count;
        if (_at == Now.Bytes.Length)
            Next();
        return count;
    }

    /// <summary>Receives, sometimes synchronously and sometimes later: both must have the same result.</summary>
    public async ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        if (_receives++ % 7 == 0)
        {
            HasWaitedAsynchronously = true;
            await Task.Yield();
        }

        return Receive(room.Span);
    }

    public void Send(ReadOnlySpan<byte> bytes)
    {
        if (!IsCompleted && Now.Speaker == Speaker.Server)
            Difference ??= $"the client sends in passage {_passage}, where the server has {Now.Bytes.Length - _at} more bytes to send";
        _said.AddRange(bytes);
    }

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        Send(bytes.Span);
        return default;
    }

    public ITransport Upgrade()
    {
        Compare();
        if (IsCompleted || Now.Speaker != Speaker.Upgrade)
            Difference ??= $"the client begins TLS in passage {_passage}, where it did not in the recording";
        else
            Next();
        Trust = recording.UpgradedTrust;
        return this;
    }

    public ValueTask<ITransport> UpgradeAsync() => new(Upgrade());

    public void Shutdown()
    {
    }

    public void Dispose()
    {
        Compare();
        if (!IsCompleted)
            Difference ??= $"the client closed the connection in passage {_passage} of {recording.Passages.Count}";
    }

    private Passage Now => recording.Passages[_passage];

    private void Next()
    {
        _passage++;
        _at = 0;
    }

    private void Compare()
    {
        if (Difference is not null || _said.Count == 0)
            return;
        var said = _said.ToArray();
        _said.Clear();
        if (IsCompleted || Now.Speaker != Speaker.Client)
        {
            Difference = $"the client sends {Convert.ToHexString(said)} in passage {_passage}, where it sent nothing in the recording";
            return;
        }

        var (expected, came) = plain is null ? (Now.Bytes, said) : (plain(Now.Bytes), plain(said));
        if (!came.AsSpan().SequenceEqual(expected))
            Difference = $"the client sends {Convert.ToHexString(came)} in passage {_passage}, where the recording has {Convert.ToHexString(expected)}";
        else
            Next();
    }
}
