namespace Slipstream.Core.Bytes;

// Large values are not copied: the writer records their memory and position, and the pump sends the segments one after the other.
internal sealed partial class ByteWriter
{
    /// <summary>Values of at least this size (in bytes) are sent from their own memory. For smaller ones, a copy costs less than another send.</summary>
    public const int GatheredFrom = 64 * 1024;

    // At: number of bytes of the buffer that precede the value.
    private readonly record struct Gathered(int At, ReadOnlyMemory<byte> Bytes);

    // Null until the first large value: most connections never send one.
    private List<Gathered>? _gathered;
    private int _gatheredLength;

    private int GatheredCount => _gathered?.Count ?? 0;

    /// <summary>
    /// Whether <see cref="Gather"/> may avoid the copy (default true). False if the bytes may change before they are sent, or if parts of them will be removed.
    /// </summary>
    public bool MayGather { get; set; } = true;

    /// <summary>Whether <see cref="Written"/> lacks some of the bytes to send.</summary>
    public bool HasGathered => _gatheredLength > 0;

    /// <summary>Number of bytes to send, with the gathered ones.</summary>
    public int TotalLength => Length + _gatheredLength;

    /// <summary>Number of <see cref="Segment"/>s. Some may be empty.</summary>
    public int Segments => GatheredCount * 2 + 1;

    /// <summary>One piece of the bytes to send, in order.</summary>
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

    /// <summary>Appends bytes without a copy: they must not change until they have been sent.</summary>
    /// <exception cref="InvalidOperationException">The message would exceed 2 GiB, more than any server accepts in one message.</exception>
    public void Gather(ReadOnlyMemory<byte> bytes)
    {
        // Uses the buffer's capacity, not its length: the buffer may fill up later without another check.
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

    /// <summary>Number of bytes to send after position <paramref name="at"/> of <see cref="Written"/>, where a message begins.</summary>
    public int LengthSince(int at)
    {
        var length = Length - at;
        for (var i = GatheredCount - 1; i >= 0 && _gathered![i].At > at; i--)
            length += _gathered[i].Bytes.Length;
        return length;
    }

    /// <summary>
    /// Inserts bytes into a message, <paramref name="offset"/> bytes after its start. Nothing is moved: a gathered value is split in two.
    /// </summary>
    /// <param name="at">Start of the message in <see cref="Written"/>.</param>
    /// <param name="offset">Number of the message's bytes before the inserted ones, with the gathered ones; at least 1.</param>
    /// <param name="bytes">The bytes to insert. They are not copied.</param>
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

    // Keeps a value that was gathered at exactly this position: it belongs to the previous message, because a message begins with bytes of its own.
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
