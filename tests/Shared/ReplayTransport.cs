using Slipstream.Core.Wires;

namespace Slipstream.Testing;

/// <summary>
/// Replays a recorded server: it sends the recorded bytes in pieces of a given size, and only after it has received the client's recorded bytes, byte for byte.
/// </summary>
internal sealed class ReplayTransport(List<Transcript.Turn> turns, int pieces) : ITransport
{
    private int _turn;
    private int _at;

    public bool IsReadable => false;

    public bool HasWaitedAsynchronously { get; private set; }

    public PeerTrust Trust => PeerTrust.Loopback;

    public string Peer => "recording:1";

    /// <summary>True after all bytes have been sent and received.</summary>
    public bool IsCompleted => _turn == turns.Count;

    public int Receive(Span<byte> room)
    {
        Assert.True(_turn < turns.Count && turns[_turn].FromServer, $"the client waits in turn {_turn}, in which the server waits, too");
        var bytes = turns[_turn].Bytes;
        var count = Math.Min(Math.Min(room.Length, pieces), bytes.Length - _at);
        bytes.AsSpan(_at, count).CopyTo(room);
        Pass(count);
        return count;
    }

    public void Send(ReadOnlySpan<byte> bytes)
    {
        Assert.True(_turn < turns.Count && !turns[_turn].FromServer, $"the client speaks in turn {_turn}, in which the server should");
        var expected = turns[_turn].Bytes.AsSpan(_at);
        Assert.Equal(Convert.ToHexStringLower(expected[..Math.Min(expected.Length, bytes.Length)]), Convert.ToHexStringLower(bytes));
        Pass(bytes.Length);
    }

    public async ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        HasWaitedAsynchronously = true;
        await Task.Yield();
        return Receive(room.Span);
    }

    public async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        HasWaitedAsynchronously = true;
        await Task.Yield();
        Send(bytes.Span);
    }

    public ITransport Upgrade() => throw new NotSupportedException("Recordings are made in clear text.");

    public ValueTask<ITransport> UpgradeAsync() => throw new NotSupportedException("Recordings are made in clear text.");

    public void Shutdown()
    {
        // No caller waits here.
    }

    public void Dispose()
    {
        // There is nothing to release.
    }

    private void Pass(int count)
    {
        _at += count;
        if (_at < turns[_turn].Bytes.Length)
            return;
        _at = 0;
        _turn++;
    }
}
