using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;

namespace Slipstream.Core.Bytes;

/// <summary>
/// A growing buffer of bytes to send. Writing appends and never waits. A header is first written as a gap and filled in when its length is known
/// (<see cref="Length"/> before, <see cref="Written"/> after).
/// </summary>
internal sealed partial class ByteWriter(int capacity = ByteWriter.InitialCapacity)
{
    /// <summary>
    /// Initial capacity in bytes: enough for most commands. A larger buffer is kept up to <see cref="KeptCapacity"/> and released after the send.
    /// </summary>
    public const int InitialCapacity = 1024;

    /// <summary>
    /// Largest buffer, in bytes, that <see cref="Clear"/> keeps (1 MiB). It drops larger ones, so that one large parameter does not occupy memory for the
    /// connection's lifetime.
    /// </summary>
    public const int KeptCapacity = 1 << 20;

    private byte[] _buffer = new byte[capacity];

    /// <summary>Agreements with the peer that change how messages are written, as flags of the provider; 0 without any.</summary>
    public byte Dialect { get; set; }

    /// <summary>Number of bytes written, without the gathered ones: see <see cref="TotalLength"/>.</summary>
    public int Length { get; private set; }

    /// <summary>The bytes written. The span and its array are valid until the next write.</summary>
    public Span<byte> Written => _buffer.AsSpan(0, Length);

    /// <summary>The bytes written; valid until the next write.</summary>
    public ReadOnlyMemory<byte> WrittenMemory => _buffer.AsMemory(0, Length);

    /// <summary>A part of the bytes written, to be filled in later; valid until the next write.</summary>
    public Memory<byte> WritableMemory(int at, int length) => _buffer.AsMemory(0, Length).Slice(at, length);

    /// <summary>Reserves <paramref name="count"/> more bytes, which count as written. The caller fills them.</summary>
    /// <exception cref="InvalidOperationException">The message would exceed 2 GiB, more than any server accepts in one message.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Grow(int count)
    {
        if (_buffer.Length - Length < count)
            Enlarge(count);
        var room = _buffer.AsSpan(Length, count);
        Length += count;
        return room;
    }

    /// <summary>Removes the last <paramref name="count"/> bytes: for callers that passed an upper bound to <see cref="Grow"/>.</summary>
    public void Shrink(int count) => Length -= count;

    /// <summary>Discards the bytes from <paramref name="length"/> on, so that an unfinished message is never sent.</summary>
    public void Truncate(int length)
    {
        Length = Math.Min(Length, length);
        if (HasGathered)
            TruncateGathered(length);
    }

    /// <summary>Writes one byte.</summary>
    public void Byte(byte value) => Grow(1)[0] = value;

    /// <summary>Writes two bytes, little-endian.</summary>
    public void UInt16(ushort value) => BinaryPrimitives.WriteUInt16LittleEndian(Grow(2), value);

    /// <summary>Writes four bytes, little-endian.</summary>
    public void UInt32(uint value) => BinaryPrimitives.WriteUInt32LittleEndian(Grow(4), value);

    /// <summary>Writes eight bytes, little-endian.</summary>
    public void UInt64(ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(Grow(8), value);

    /// <summary>Writes two bytes, big-endian.</summary>
    public void Int16BigEndian(short value) => BinaryPrimitives.WriteInt16BigEndian(Grow(2), value);

    /// <summary>Writes four bytes, big-endian.</summary>
    public void Int32BigEndian(int value) => BinaryPrimitives.WriteInt32BigEndian(Grow(4), value);

    /// <summary>Writes eight bytes, big-endian.</summary>
    public void Int64BigEndian(long value) => BinaryPrimitives.WriteInt64BigEndian(Grow(8), value);

    /// <summary>Writes <paramref name="count"/> zero bytes.</summary>
    public void Zeros(int count) => Grow(count).Clear();

    /// <summary>Writes the bytes unchanged.</summary>
    public void Bytes(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Grow(bytes.Length));

    /// <summary>Writes UTF-8 text. A lone surrogate becomes U+FFFD.</summary>
    public void Text(ReadOnlySpan<char> text) => Text(text, Encoding.UTF8);

    /// <summary>Writes UTF-8 text with an encoding that may reject invalid text.</summary>
    internal void Text(ReadOnlySpan<char> text, Encoding utf8)
    {
        // Reserves the maximum for short texts and transcodes once. Measures long texts first, so that 100 MB of text do not reserve 300 MB.
        if (text.Length <= 1024)
        {
            var room = Grow(text.Length * 3);
            Length -= room.Length - utf8.GetBytes(text, room);
        }
        else
            utf8.GetBytes(text, Grow(utf8.GetByteCount(text)));
    }

    /// <summary>Writes UTF-8 text and a terminating zero. The caller checks that the text contains no zero.</summary>
    public void TextAndZero(ReadOnlySpan<char> text)
    {
        Text(text);
        Byte(0);
    }

    /// <summary>Empties the writer after the bytes have been sent, and releases a very large buffer.</summary>
    public void Clear()
    {
        Length = 0;
        if (HasGathered)
            ForgetGathered();
        if (_buffer.Length > KeptCapacity)
            _buffer = new byte[InitialCapacity];
    }

    /// <summary>Overwrites the buffer with zeros and empties the writer: for buffers that held a secret.</summary>
    public void Erase()
    {
        _buffer.AsSpan().Clear();
        Clear();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Enlarge(int count)
    {
        // The buffer and the gathered values together stay below 2 GiB, so that no sum of lengths overflows an int.
        var needed = (long)Length + count;
        var most = Array.MaxLength - _gatheredLength;
        if (needed > most)
            ThrowTooLong(needed + _gatheredLength);
        Array.Resize(ref _buffer, (int)Math.Min(Math.Max(needed, _buffer.Length * 2L), most));
    }

    private static void ThrowTooLong(long needed) =>
        throw new InvalidOperationException($"The message would have {needed:N0} bytes, more than the {Array.MaxLength:N0} bytes that can be sent at once: "
            + "send the value in parts.");
}
