using Slipstream.Core.Wires;

namespace Slipstream.PostgreSql.Tests.Conversations;

/// <summary>The server's end of a wire: it sends fixed bytes in pieces of the requested size, and keeps what it receives.</summary>
internal sealed class ScriptedServer(byte[] says, int pieces = int.MaxValue) : ITransport
{
    private int _said;

    public List<byte> Heard { get; } = [];

    public int Sends { get; private set; }

    public bool IsReadable => false;

    public bool HasWaitedAsynchronously => false;

    public PeerTrust Trust { get; init; } = PeerTrust.None;

    public string Peer => "scripted:5432";

    public bool IsShutDown { get; private set; }

    public int Receive(Span<byte> room)
    {
        var count = Math.Min(Math.Min(pieces, room.Length), says.Length - _said);
        says.AsSpan(_said, count).CopyTo(room);
        _said += count;
        return count;
    }

    public void Send(ReadOnlySpan<byte> bytes)
    {
        Sends++;
        Heard.AddRange(bytes);
    }

    public ValueTask<int> ReceiveAsync(Memory<byte> room) => new(Receive(room.Span));

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        Send(bytes.Span);
        return default;
    }

    public ITransport Upgrade() => throw new NotSupportedException("This server has no TLS.");

    public ValueTask<ITransport> UpgradeAsync() => throw new NotSupportedException("This server has no TLS.");

    public void Shutdown() => IsShutDown = true;

    public void Dispose() => IsShutDown = true;
}
