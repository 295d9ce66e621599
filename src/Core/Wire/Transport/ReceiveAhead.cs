using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Slipstream.Core.Wires;

/// <summary>Receives more bytes than requested while large data arrives, and returns them in pieces.</summary>
/// <remarks>
/// The runtime's TLS requests one record of 16 KiB at a time. A value of 20 MiB then takes 1,250 receives, and as many updates of the receive window for the
/// sender. The larger buffer is rented after several long records in a row, and returned by the first receive that shows that the socket is empty.
/// </remarks>
internal sealed class ReceiveAhead(ITransport transport)
{
    // A server that sends much data fills its records at least by half.
    private const int Long = 8192;

    private const int MinLongReceives = 4;

    private byte[]? _rented;
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
            return CopyHeld(room);
        return TryRentBuffer() ? Deliver(transport.Receive(_rented), room) : transport.Receive(room);
    }

    // Short receives need no additional state machine.
    public ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        if (IsHolding)
            return new(CopyHeld(room.Span));
        return TryRentBuffer() ? ReceiveLargeAsync(_rented, room) : transport.ReceiveAsync(room);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> ReceiveLargeAsync(byte[] rented, Memory<byte> room)
    {
        var count = await transport.ReceiveAsync(rented).ConfigureAwait(false);
        return Deliver(count, room.Span);
    }

    // The buffer is kept after a failed receive, because the kernel may still write into it.
    [MemberNotNullWhen(true, nameof(_rented))]
    private bool TryRentBuffer()
    {
        if (_rented is null && _streak >= MinLongReceives)
            _rented = StreamingBuffers.Rent();
        return _rented is not null;
    }

    private int Deliver(int count, Span<byte> room)
    {
        _start = 0;
        _end = count;
        return CopyHeld(room);
    }

    private int CopyHeld(Span<byte> room)
    {
        var count = Math.Min(room.Length, _end - _start);
        _rented.AsSpan(_start, count).CopyTo(room);
        _start += count;
        if (_start == _end && _end < Long)
            ReturnBuffer();
        return count;
    }

    private void ReturnBuffer()
    {
        StreamingBuffers.Return(_rented!);
        _rented = null;
        _start = _end = _streak = 0;
    }
}
