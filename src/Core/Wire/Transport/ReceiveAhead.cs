using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Slipstream.Core.Wires;

/// <summary>Receives more bytes than requested while large data arrives, and returns them in pieces.</summary>
/// <remarks>
/// The runtime's TLS requests one record of 16 KiB at a time. A value of 20 MiB then takes 1,250 receives, and as many updates of the receive window for the
/// sender. The larger buffer is lent after several long records in a row, and returned by the first receive that shows that the socket is empty.
/// </remarks>
internal sealed class ReceiveAhead(ITransport transport)
{
    // A server that sends much data fills its records at least by half.
    private const int Long = 8192;

    private const int LongBeforeLending = 4;

    private byte[]? _lent;
    private int _start;
    private int _end;
    private int _streak;

    /// <summary>Whether received bytes wait to be returned.</summary>
    public bool IsHolding => _start < _end;

    /// <summary>Records how many of the returned bytes were read at once.</summary>
    public void HasRead(int count) => _streak = count >= Long ? _streak + 1 : 0;

    public int Receive(Span<byte> room)
    {
        if (IsHolding)
            return HandOut(room);
        return MuchIsComing() ? Came(transport.Receive(_lent), room) : transport.Receive(room);
    }

    // Short receives need no additional state machine.
    public ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        if (IsHolding)
            return new(HandOut(room.Span));
        return MuchIsComing() ? ReceiveMuchAsync(_lent, room) : transport.ReceiveAsync(room);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> ReceiveMuchAsync(byte[] lent, Memory<byte> room)
    {
        var count = await transport.ReceiveAsync(lent).ConfigureAwait(false);
        return Came(count, room.Span);
    }

    // The buffer is kept after a failed receive, because the kernel may still write into it.
    [MemberNotNullWhen(true, nameof(_lent))]
    private bool MuchIsComing()
    {
        if (_lent is null && _streak >= LongBeforeLending)
            _lent = StreamingBuffers.Lend();
        return _lent is not null;
    }

    private int Came(int count, Span<byte> room)
    {
        _start = 0;
        _end = count;
        return HandOut(room);
    }

    private int HandOut(Span<byte> room)
    {
        var count = Math.Min(room.Length, _end - _start);
        _lent.AsSpan(_start, count).CopyTo(room);
        _start += count;
        if (_start == _end && _end < Long)
            GiveBack();
        return count;
    }

    private void GiveBack()
    {
        StreamingBuffers.Return(_lent!);
        _lent = null;
        _start = _end = _streak = 0;
    }
}
