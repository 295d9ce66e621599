using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;

namespace Slipstream.Core.Bytes;

/// <summary>
/// A growing buffer of bytes that will leave. Writing appends and never waits. Headers are written as a hole first and patched
/// when the length is known (<see cref="Length"/> before, <see cref="Written"/> after).
/// </summary>
internal sealed partial class ByteWriter(int capacity = ByteWriter.InitialCapacity)
{
    /// <summary>Most commands fit; a larger buffer is kept up to <see cref="KeptCapacity"/> and given back after the send.</summary>
    public const int InitialCapacity = 1024;

    /// <summary>
    /// A buffer larger than this is dropped by <see cref="Clear"/>, so that one large parameter does not stay in memory for a connection's life.
    /// </summary>
    public const int KeptCapacity = 1 << 20;

    private byte[] _buffer = new byte[capacity];

    /// <summary>What the peer has agreed to that changes how messages are written, in the provider's own numbers; 0 where nothing has been agreed.</summary>
    public byte Dialect { get; set; }

    /// <summary>Bytes written, without the gathered ones: see <see cref="TotalLength"/>.</summary>
    public int Length { get; private set; }

    /// <summary>What has been written; the span and the array behind it are valid until the next write.</summary>
    public Span<byte> Written => _buffer.AsSpan(0, Length);

    /// <summary>What has been written; valid until the next write.</summary>
    public ReadOnlyMemory<byte> WrittenMemory => _buffer.AsMemory(0, Length);

    /// <summary>A part of what has been written, for who fills it later; valid until the next write.</summary>
    public Memory<byte> WritableMemory(int at, int length) => _buffer.AsMemory(0, Length).Slice(at, length);

    /// <summary>Room for <paramref name="count"/> more bytes, counted as written; the caller fills it.</summary>
    /// <exception cref="InvalidOperationException">The message would pass 2 GiB, more than any server takes in one message.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Grow(int count)
    {
        if (_buffer.Length - Length < count)
            Enlarge(count);
        var room = _buffer.AsSpan(Length, count);
        Length += count;
        return room;
    }

    /// <summary>Takes back the last <paramref name="count"/> bytes: for those who asked <see cref="Grow"/> for the most they could need.</summary>
    public void Shrink(int count) => Length -= count;

    /// <summary>Forgets what was written from <paramref name="length"/> on: a message that could not be finished never leaves.</summary>
    public void Truncate(int length)
    {
        Length = Math.Min(Length, length);
        if (HasGathered)
            TruncateGathered(length);
    }

    /// <summary>One byte.</summary>
    public void Byte(byte value) => Grow(1)[0] = value;

    /// <summary>Two bytes, little-endian.</summary>
    public void UInt16(ushort value) => BinaryPrimitives.WriteUInt16LittleEndian(Grow(2), value);

    /// <summary>Four bytes, little-endian.</summary>
    public void UInt32(uint value) => BinaryPrimitives.WriteUInt32LittleEndian(Grow(4), value);

    /// <summary>Eight bytes, little-endian.</summary>
    public void UInt64(ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(Grow(8), value);

    /// <summary>Two bytes, big-endian.</summary>
    public void Int16BigEndian(short value) => BinaryPrimitives.WriteInt16BigEndian(Grow(2), value);

    /// <summary>Four bytes, big-endian.</summary>
    public void Int32BigEndian(int value) => BinaryPrimitives.WriteInt32BigEndian(Grow(4), value);

    /// <summary>Eight bytes, big-endian.</summary>
    public void Int64BigEndian(long value) => BinaryPrimitives.WriteInt64BigEndian(Grow(8), value);

    /// <summary>That many zero bytes.</summary>
    public void Zeros(int count) => Grow(count).Clear();

    /// <summary>The bytes as they are.</summary>
    public void Bytes(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Grow(bytes.Length));

    /// <summary>UTF-8; a lone surrogate becomes U+FFFD.</summary>
    public void Text(ReadOnlySpan<char> text) => Text(text, Encoding.UTF8);

    /// <summary>UTF-8, by an encoding that may refuse what is no text.</summary>
    internal void Text(ReadOnlySpan<char> text, Encoding utf8)
    {
        // Short texts are transcoded once into the most they can need; long ones are measured first, so that 100 MB of text do not reserve 300.
        if (text.Length <= 1024)
        {
            var room = Grow(text.Length * 3);
            Length -= room.Length - utf8.GetBytes(text, room);
        }
        else
            utf8.GetBytes(text, Grow(utf8.GetByteCount(text)));
    }

    /// <summary>UTF-8 text and a terminating zero. The text itself must hold none: the caller checks.</summary>
    public void TextAndZero(ReadOnlySpan<char> text)
    {
        Text(text);
        Byte(0);
    }

    /// <summary>Starts anew after the bytes have left; a very large buffer is given back.</summary>
    public void Clear()
    {
        Length = 0;
        if (HasGathered)
            ForgetGathered();
        if (_buffer.Length > KeptCapacity)
            _buffer = new byte[InitialCapacity];
    }

    /// <summary>Overwrites what was written with zeros, for buffers that held a secret, and starts anew.</summary>
    public void Erase()
    {
        _buffer.AsSpan().Clear();
        Clear();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Enlarge(int count)
    {
        // The buffer and what is gathered together stay below 2 GiB, so that no sum of lengths can pass an int.
        var needed = (long)Length + count;
        var most = Array.MaxLength - _gatheredLength;
        if (needed > most)
            ThrowTooLong(needed + _gatheredLength);
        Array.Resize(ref _buffer, (int)Math.Min(Math.Max(needed, _buffer.Length * 2L), most));
    }

    private static void ThrowTooLong(long needed) =>
        throw new InvalidOperationException($"The message would have {needed:N0} bytes, more than the {Array.MaxLength:N0} that can be sent at once: send the value in parts.");
}
