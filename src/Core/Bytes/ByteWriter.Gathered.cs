namespace Slipstream.Core.Bytes;

// Large values are not copied: the writer notes where they belong, and whoever sends takes the pieces one after the other.
internal sealed partial class ByteWriter
{
    /// <summary>From this size on a value is sent from where it lies: copying fewer bytes costs less than one more send.</summary>
    public const int GatheredFrom = 64 * 1024;

    // At: how many bytes of the buffer stand in front of it.
    private readonly record struct Gathered(int At, ReadOnlyMemory<byte> Bytes);

    // None until the first: most connections never send a large value.
    private List<Gathered>? _gathered;
    private int _gatheredLength;

    private int GatheredCount => _gathered?.Count ?? 0;

    /// <summary>False makes <see cref="Gather"/> copy: for bytes that may change before they leave, or of which parts will be taken.</summary>
    public bool MayGather { get; set; } = true;

    /// <summary>True when not all that will leave lies in <see cref="Written"/>.</summary>
    public bool HasGathered => _gatheredLength > 0;

    /// <summary>Bytes that will leave.</summary>
    public int TotalLength => Length + _gatheredLength;

    /// <summary>How many <see cref="Segment"/>s there are; some may be empty.</summary>
    public int Segments => GatheredCount * 2 + 1;

    /// <summary>What will leave, in order and in pieces.</summary>
    public ReadOnlyMemory<byte> Segment(int index)
    {
        if (_gathered is null)
            return _buffer.AsMemory(0, Length);
        var entry = index / 2;
        if (index % 2 != 0)
            return _gathered[entry].Bytes;
        var from = entry == 0 ? 0 : _gathered[entry - 1].At;
        return _buffer.AsMemory(from, (entry == _gathered.Count ? Length : _gathered[entry].At) - from);
    }

    /// <summary>Appends bytes by noting where they lie: they must not change until they have left.</summary>
    /// <exception cref="InvalidOperationException">The message would pass 2 GiB, more than any server takes in one message.</exception>
    public void Gather(ReadOnlyMemory<byte> bytes)
    {
        // Against the buffer's size, not what is in it: it may fill up later without asking again.
        if ((long)_buffer.Length + _gatheredLength + bytes.Length > Array.MaxLength)
            ThrowTooLong((long)TotalLength + bytes.Length);
        if (bytes.IsEmpty)
            return;
        if (!MayGather)
        {
            Bytes(bytes.Span);
            return;
        }

        (_gathered ??= []).Add(new(Length, bytes));
        _gatheredLength += bytes.Length;
    }

    /// <summary>Bytes that will leave behind place <paramref name="at"/> of <see cref="Written"/>, where a message begins.</summary>
    public int LengthSince(int at)
    {
        var length = Length - at;
        for (var i = GatheredCount - 1; i >= 0 && _gathered![i].At > at; i--)
            length += _gathered[i].Bytes.Length;
        return length;
    }

    /// <summary>
    /// Puts bytes between those that are there, <paramref name="offset"/> bytes behind the message's first: nothing is moved, a gathered value is cut in two.
    /// </summary>
    /// <param name="at">Where the message begins in <see cref="Written"/>.</param>
    /// <param name="offset">How many of the message's bytes stand in front, gathered ones included; at least one.</param>
    /// <param name="bytes">What is noted there.</param>
    public void Insert(int at, long offset, ReadOnlyMemory<byte> bytes)
    {
        _gathered ??= [];
        var index = _gathered.Count;
        while (index > 0 && _gathered[index - 1].At > at)
            index--;
        for (; index < _gathered.Count; index++)
        {
            var (end, value) = _gathered[index];
            if (offset < end - at)
                break;
            offset -= end - at;
            at = end;
            if (offset < value.Length)
            {
                if (offset > 0)
                {
                    _gathered[index] = new(at, value[..(int)offset]);
                    _gathered.Insert(++index, new(at, value[(int)offset..]));
                }

                offset = 0;
                break;
            }

            offset -= value.Length;
        }

        _gathered.Insert(index, new(at + (int)offset, bytes));
        _gatheredLength += bytes.Length;
    }

    // A value that was gathered in front of the message at this place stays: a message begins with bytes of its own.
    private void TruncateGathered(int length)
    {
        for (var i = GatheredCount - 1; i >= 0 && _gathered![i].At > length; i--)
        {
            _gatheredLength -= _gathered[i].Bytes.Length;
            _gathered.RemoveAt(i);
        }
    }

    private void ForgetGathered()
    {
        _gathered?.Clear();
        _gatheredLength = 0;
    }
}
