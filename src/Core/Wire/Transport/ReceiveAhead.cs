using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Slipstream.Core.Wires;

/// <summary>Receives more than was asked for while much is coming, and hands it out piece by piece.</summary>
/// <remarks>
/// The runtime's TLS asks for one record of 16 KiB at a time. A value of 20 MiB is then 1,250 receives, and as many times the sender hears of a little more
/// room. The larger buffer is lent when several long records in a row have been read, and goes back with the first receive that shows that the socket was
/// emptied.
/// </remarks>
internal sealed class ReceiveAhead(ITransport transport)
{
    // A server that sends much fills its records, or at least half of them.
    private const int Long = 8192;

    private const int LongBeforeLending = 4;

    private byte[]? _lent;
    private int _start;
    private int _end;
    private int _streak;

    /// <summary>True while bytes that have been received wait to be handed out.</summary>
    public bool IsHolding => _start < _end;

    /// <summary>So much was read of what has been handed out.</summary>
    public void HasRead(int count) => _streak = count >= Long ? _streak + 1 : 0;

    public int Receive(Span<byte> room)
    {
        if (IsHolding)
            return HandOut(room);
        return MuchIsComing() ? Came(transport.Receive(_lent), room) : transport.Receive(room);
    }

    // Who waits for something short has no state machine more.
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

    // The buffer stays where it is when a receive into it has failed: who knows whether the kernel has done with it.
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
