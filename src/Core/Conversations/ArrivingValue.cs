using System.Buffers;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Conversations;

/// <summary>
/// A large value on its way into the array that its getter hands out. What a server announces is believed in proportion to what it has sent: never is there an
/// array of more than 32 times the bytes of the value that have come. The first of them, up to a mebibyte, are gathered in a pooled buffer; a value of 32 MiB
/// has its own array then, one of 1 GiB its second.
/// </summary>
internal sealed class ArrivingValue
{
    /// <summary>So many bytes are reserved for each that has come.</summary>
    public const int Proportion = 32;

    private const int MostGathered = 1 << 20;

    private byte[]? _array;
    private bool _isPooled;
    private int _capacity;
    private int _length;

    /// <summary>True from <see cref="Begin"/> until <see cref="Take"/>.</summary>
    public bool IsUnderWay => _array is not null;

    /// <summary>True when all of it has come.</summary>
    public bool IsWhole => Filled == _length;

    /// <summary>Where its bytes go, from <see cref="Filled"/> on.</summary>
    public byte[] Target => _array!;

    /// <summary>How many bytes have come.</summary>
    public int Filled { get; private set; }

    /// <summary>How many may go into <see cref="Target"/> before <see cref="Took"/> is called.</summary>
    public int Room => _capacity - Filled;

    /// <summary>The room as bytes.</summary>
    public Memory<byte> RoomMemory => _array.AsMemory(Filled, Room);

    /// <summary>Starts on a value, of which <paramref name="arrived"/> bytes are there to be taken.</summary>
    public void Begin(int length, int arrived)
    {
        _length = length;
        Filled = 0;
        if ((long)arrived * Proportion >= length)
        {
            (_array, _isPooled, _capacity) = (Allocated(length), false, length);
            return;
        }

        // So much that all of it may be reserved behind that, or a mebibyte.
        _capacity = Math.Min(MostGathered, (length - 1) / Proportion + 1);
        (_array, _isPooled) = (ArrayPool<byte>.Shared.Rent(_capacity), true);
    }

    /// <summary>So many bytes have been put into the room.</summary>
    public void Took(int count)
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

    /// <summary>The value, all of which has come.</summary>
    public byte[] Take()
    {
        var value = _array!;
        _array = null;
        return value;
    }

    /// <summary>The value is not wanted any more. Its buffer is left to the garbage: a receive that was cut off may still write into it.</summary>
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
                $"There is not enough memory for a value of {length:N0} bytes; the connection is closed. Lower Max Value Bytes and Max Row Bytes to what the process may take, or read such values with CommandBehavior.SequentialAccess.",
                exception);
        }
    }
}
