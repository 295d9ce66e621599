using System.Buffers;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Conversations;

/// <summary>
/// A large value that is being received into the array that its getter returns. Memory is reserved in proportion to the bytes received, whatever length the
/// server announces: an array never has more than 32 times the bytes of the value that have arrived. The first bytes, up to 1 MiB, go into a pooled buffer. A
/// value of up to 32 MiB then gets its own array; a value of 1 GiB gets a second one.
/// </summary>
internal sealed class ArrivingValue
{
    /// <summary>Number of bytes reserved for each byte that has arrived.</summary>
    public const int Proportion = 32;

    private const int MaxGathered = 1 << 20;

    private byte[]? _array;
    private bool _isPooled;
    private int _capacity;
    private int _length;

    /// <summary>Whether a value is being received: true from <see cref="Begin"/> until <see cref="Take"/>.</summary>
    public bool IsReceiving => _array is not null;

    /// <summary>Whether the whole value has arrived.</summary>
    public bool IsComplete => Filled == _length;

    /// <summary>The array for the value's bytes, to be filled from <see cref="Filled"/> on.</summary>
    public byte[] Target => _array!;

    /// <summary>Number of bytes that have arrived.</summary>
    public int Filled { get; private set; }

    /// <summary>Number of bytes that may be written into <see cref="Target"/> before <see cref="Advance"/> is called.</summary>
    public int Free => _capacity - Filled;

    /// <summary>The part of <see cref="Target"/> to write into, of length <see cref="Free"/>.</summary>
    public Memory<byte> FreeMemory => _array.AsMemory(Filled, Free);

    /// <summary>Starts a value of which <paramref name="arrived"/> bytes are in the receive buffer.</summary>
    public void Begin(int length, int arrived)
    {
        _length = length;
        Filled = 0;
        if ((long)arrived * Proportion >= length)
        {
            (_array, _isPooled, _capacity) = (Allocated(length), false, length);
            return;
        }

        // Enough bytes that the whole value may be reserved after them, but at most 1 MiB.
        _capacity = Math.Min(MaxGathered, (length - 1) / Proportion + 1);
        (_array, _isPooled) = (ArrayPool<byte>.Shared.Rent(_capacity), true);
    }

    /// <summary>Records that <paramref name="count"/> bytes were written into the room, and enlarges the array if it is full.</summary>
    public void Advance(int count)
    {
        Filled += count;
        if (Filled < _capacity || _capacity == _length && !_isPooled)
            return;
        var capacity = (int)Math.Min(_length, (long)Filled * Proportion);
        var larger = Allocated(capacity);
        Buffer.BlockCopy(_array!, 0, larger, 0, Filled);
        if (_isPooled)
            ArrayPool<byte>.Shared.Return(_array!);
        (_array, _isPooled, _capacity) = (larger, false, capacity);
    }

    /// <summary>Returns the complete value.</summary>
    public byte[] Take()
    {
        var value = _array!;
        _array = null;
        return value;
    }

    /// <summary>Drops the value. Its buffer is left to the garbage collector, because a cancelled receive may still write into it.</summary>
    public void Abandon() => _array = null;

    private static byte[] Allocated(int length)
    {
        try
        {
            return GC.AllocateUninitializedArray<byte>(length);
        }
        catch (OutOfMemoryException exception)
        {
            throw new WireException(
                WireFailure.ValueTooLarge,
                $"There is not enough memory for a value of {length:N0} bytes; the connection is closed. Lower Max Value Bytes and Max Row Bytes to what the "
                + "process may use, or read such values with CommandBehavior.SequentialAccess.",
                exception);
        }
    }
}
