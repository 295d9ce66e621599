using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Slipstream.Core.Wires;

/// <summary>Receives more bytes than requested while large data arrives, and returns them in pieces.</summary>
/// <remarks>
/// The runtime's TLS requests one record of 16 KiB at a time. A value of 20 MiB then takes 1,250 receives, and as many updates of the receive window for the
/// sender. The larger buffer is rented after several long records in a row, and returned by the first receive that shows that the socket is empty.
/// After a short record, the next answer is awaited in a small buffer of this object. The runtime's TLS would wait with a rented one of 16 KiB: with more
/// waiting connections than the array pool keeps buffers, that is an allocation per answer.
/// </remarks>
internal sealed class ReceiveAhead(ITransport transport)
{
    // A server that sends much data fills its records at least by half.
    private const int Long = 8192;

    private const int MinLongReceives = 4;

    private const int ShortAnswer = 4096;

    private byte[]? _rented;
    private byte[]? _short;
    private byte[] _holding = [];
    private int _start;
    private int _end;
    private int _streak;
    private bool _expectsShort;
    private bool _hasEnded;

    /// <summary>Whether received bytes wait to be returned.</summary>
    public bool IsHolding => _start < _end;

    /// <summary>Records how many of the returned bytes were read at once.</summary>
    public void HasRead(int count)
    {
        _streak = count >= Long ? _streak + 1 : 0;
        _expectsShort = count < ShortAnswer / 2;
    }

    /// <summary>Waits for the first bytes of an answer that is probably short, and holds them. Returns 0, at once if the answer may be long.</summary>
    public ValueTask<int> AwaitShortAsync()
    {
        // The next receive into the rented buffer may show that it is no longer needed.
        if (IsHolding || !_expectsShort || _hasEnded || _rented is not null)
            return new(0);
        var receive = transport.ReceiveAsync(_short ??= new byte[ShortAnswer]);
        return receive.IsCompletedSuccessfully ? new(HoldFirst(_short, receive.Result)) : Awaited(receive, _short);

        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
        async ValueTask<int> Awaited(ValueTask<int> pending, byte[] room) => HoldFirst(room, await pending.ConfigureAwait(false));
    }

    /// <summary>Returns the rented buffer, if nothing is held in it. No receive may be running.</summary>
    public void Shrink()
    {
        if (_rented is not null && !IsHolding)
            ReturnBuffer();
    }

    // The read that follows reports the end. Another receive could report a reset instead.
    private int HoldFirst(byte[] room, int count)
    {
        _hasEnded = count == 0;
        Hold(room, count);
        return 0;
    }

    public int Receive(Span<byte> room)
    {
        if (IsHolding)
            return CopyHeld(room);
        if (_hasEnded)
            return 0;
        return TryRentBuffer() ? Deliver(_rented, transport.Receive(_rented), room) : transport.Receive(room);
    }

    // Short receives need no additional state machine.
    public ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        if (IsHolding)
            return new(CopyHeld(room.Span));
        if (_hasEnded)
            return new(0);
        return TryRentBuffer() ? ReceiveLargeAsync(_rented, room) : transport.ReceiveAsync(room);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> ReceiveLargeAsync(byte[] rented, Memory<byte> room)
    {
        var count = await transport.ReceiveAsync(rented).ConfigureAwait(false);
        return Deliver(rented, count, room.Span);
    }

    // The buffer is kept after a failed receive, because the kernel may still write into it.
    [MemberNotNullWhen(true, nameof(_rented))]
    private bool TryRentBuffer()
    {
        if (_rented is null && _streak >= MinLongReceives)
            _rented = StreamingBuffers.Rent();
        return _rented is not null;
    }

    private int Deliver(byte[] buffer, int count, Span<byte> room)
    {
        Hold(buffer, count);
        return CopyHeld(room);
    }

    private void Hold(byte[] buffer, int count)
    {
        _holding = buffer;
        _start = 0;
        _end = count;
    }

    private int CopyHeld(Span<byte> room)
    {
        var count = Math.Min(room.Length, _end - _start);
        _holding.AsSpan(_start, count).CopyTo(room);
        _start += count;
        if (_start == _end && _holding == _rented && _end < Long)
            ReturnBuffer();
        return count;
    }

    private void ReturnBuffer()
    {
        StreamingBuffers.Return(_rented!);
        _rented = null;
        _holding = [];
        _start = _end = _streak = 0;
    }
}
