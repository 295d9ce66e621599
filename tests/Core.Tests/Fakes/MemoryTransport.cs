using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Fakes;

/// <summary>A peer in memory: the test specifies what it sends, and can read what it received. Waits like a socket if there is nothing to receive.</summary>
internal sealed class MemoryTransport : ITransport
{
    private readonly object _gate = new();
    private readonly Queue<byte> _incoming = new();
    private readonly List<byte[]> _sends = [];
    private bool _closed;

    /// <summary>The maximum number of bytes that one receive returns.</summary>
    public int ReadSize { get; init; } = int.MaxValue;

    /// <summary>The peer accepts nothing while this many of its bytes are unread.</summary>
    public int Capacity { get; init; } = int.MaxValue;

    /// <summary>Whether asynchronous calls never complete at once.</summary>
    public bool Yields { get; init; }

    /// <summary>Called for each send; the peer can answer in it.</summary>
    public Action<MemoryTransport, byte[]>? OnSent { get; set; }

    public int Receives { get; private set; }

    public bool IsShutDown { get; private set; }

    public bool IsDisposed { get; private set; }

    public bool IsUpgraded { get; private init; }

    public IReadOnlyList<byte[]> Sends
    {
        get
        {
            lock (_gate)
                return [.. _sends];
        }
    }

    public byte[] Sent => [.. Sends.SelectMany(send => send)];

    public bool IsReadable
    {
        get
        {
            lock (_gate)
                return _closed || _incoming.Count > 0;
        }
    }

    public bool HasWaitedAsynchronously { get; private set; }

    public PeerTrust Trust => PeerTrust.None;

    public string Peer => "memory:1";

    public void Enqueue(params byte[] bytes)
    {
        lock (_gate)
        {
            foreach (var value in bytes)
                _incoming.Enqueue(value);
            Monitor.PulseAll(_gate);
        }
    }

    public void CloseByPeer()
    {
        lock (_gate)
        {
            _closed = true;
            Monitor.PulseAll(_gate);
        }
    }

    public int Receive(Span<byte> room)
    {
        lock (_gate)
        {
            Receives++;
            while (_incoming.Count == 0 && !_closed)
                Monitor.Wait(_gate);
            if (IsShutDown)
                throw new WireException(WireFailure.Lost, "shut down");
            var count = Math.Min(Math.Min(room.Length, ReadSize), _incoming.Count);
            for (var i = 0; i < count; i++)
                room[i] = _incoming.Dequeue();
            Monitor.PulseAll(_gate);
            return count;
        }
    }

    public bool WaitToSend()
    {
        lock (_gate)
            return _incoming.Count < Capacity;
    }

    public void Send(ReadOnlySpan<byte> bytes)
    {
        var copy = bytes.ToArray();
        lock (_gate)
        {
            while (_incoming.Count >= Capacity && !_closed)
                Monitor.Wait(_gate);
            if (IsShutDown)
                throw new WireException(WireFailure.Lost, "shut down");
            _sends.Add(copy);
        }

        OnSent?.Invoke(this, copy);
    }

    public async ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        HasWaitedAsynchronously = true;
        if (Yields)
            await Task.Yield();
        if (IsReadable)
            return Receive(room.Span);
        return await Task.Run(() => Receive(room.Span));
    }

    public async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        HasWaitedAsynchronously = true;
        if (Yields)
            await Task.Yield();
        if (Capacity == int.MaxValue)
        {
            Send(bytes.Span);
            return;
        }

        for (; !bytes.IsEmpty; bytes = bytes[Math.Min(1000, bytes.Length)..])
        {
            var piece = bytes[..Math.Min(1000, bytes.Length)];
            await Task.Run(() => Send(piece.Span));
        }
    }

    public ITransport Upgrade() => new MemoryTransport { IsUpgraded = true, ReadSize = ReadSize, Yields = Yields, OnSent = OnSent };

    public ValueTask<ITransport> UpgradeAsync() => new(Upgrade());

    public void Shutdown()
    {
        lock (_gate)
        {
            IsShutDown = true;
            _closed = true;
            Monitor.PulseAll(_gate);
        }
    }

    public void Dispose()
    {
        Shutdown();
        IsDisposed = true;
    }
}
