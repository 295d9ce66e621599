using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;

namespace Slipstream.Core.Bytes;

/// <summary>
/// Reads one message from an untrusted peer. A read past the end returns a zero value and sets <see cref="Failed"/> permanently. A decoder can therefore read a
/// structure to its end and check once.
/// </summary>
/// <remarks>The plain members are little-endian; the <c>…BigEndian</c> members serve protocols in network byte order.</remarks>
internal ref struct ByteReader(ReadOnlySpan<byte> message)
{
    private readonly ReadOnlySpan<byte> _message = message;
    private int _at;

    /// <summary>Whether a read asked for more bytes than the message has, or <see cref="Fail"/> was called. Never becomes false again.</summary>
    public bool Failed { get; private set; }

    /// <summary>Number of bytes not read yet.</summary>
    public readonly int Remaining => _message.Length - _at;

    /// <summary>Number of bytes read so far: the offset of the next read in the message.</summary>
    public readonly int Position => _at;

    /// <summary>Sets <see cref="Failed"/>: for decoders that find a value which the protocol does not allow.</summary>
    public void Fail() => Failed = true;

    /// <summary>Reads one byte. Returns 0 and sets <see cref="Failed"/> at the end.</summary>
    public byte Byte() => Take(1) is [var value] ? value : (byte)0;

    /// <summary>Reads two bytes, little-endian.</summary>
    public ushort UInt16() => Take(2) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : (ushort)0;

    /// <summary>Reads three bytes, little-endian.</summary>
    public uint UInt24() => Take(3) is [var low, var middle, var high] ? (uint)(low | middle << 8 | high << 16) : 0;

    /// <summary>Reads four bytes, little-endian.</summary>
    public uint UInt32() => Take(4) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : 0;

    /// <summary>Reads eight bytes, little-endian.</summary>
    public ulong UInt64() => Take(8) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : 0;

    /// <summary>Reads two bytes, big-endian.</summary>
    public short Int16BigEndian() => Take(2) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadInt16BigEndian(bytes) : (short)0;

    /// <summary>Reads four bytes, big-endian.</summary>
    public int Int32BigEndian() => Take(4) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadInt32BigEndian(bytes) : 0;

    /// <summary>Reads eight bytes, big-endian.</summary>
    public long Int64BigEndian() => Take(8) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadInt64BigEndian(bytes) : 0;

    /// <summary>Reads the next <paramref name="count"/> bytes. Returns an empty span and sets <see cref="Failed"/> if the message has fewer.</summary>
    public ReadOnlySpan<byte> Bytes(long count) => Take(count);

    /// <summary>Reads all remaining bytes.</summary>
    public ReadOnlySpan<byte> Rest() => Take(Remaining);

    /// <summary>Skips bytes.</summary>
    public void Skip(long count) => Take(count);

    /// <summary>Returns the next byte without reading it, or −1 at the end. Never fails.</summary>
    public readonly int Peek() => Failed || _at == _message.Length ? -1 : _message[_at];

    /// <summary>Reads UTF-8 text of <paramref name="count"/> bytes.</summary>
    public string Text(long count) => Encoding.UTF8.GetString(Take(count));

    /// <summary>Reads the bytes up to a terminating zero, which is consumed but not returned. Fails if there is no zero.</summary>
    public ReadOnlySpan<byte> BytesToZero()
    {
        var length = Failed ? -1 : _message[_at..].IndexOf((byte)0);
        if (length < 0)
        {
            Failed = true;
            return default;
        }

        var taken = Take(length);
        _at++;
        return taken;
    }

    /// <summary>Reads UTF-8 text up to a terminating zero. Fails if there is no zero.</summary>
    public string TextToZero() => Encoding.UTF8.GetString(BytesToZero());

    // The count is a long because it often comes from the peer: a cast to int before the check would wrap 2^32 to 0.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReadOnlySpan<byte> Take(long count)
    {
        if (Failed || (ulong)count > (ulong)(_message.Length - _at))
        {
            Failed = true;
            return default;
        }

        var taken = _message.Slice(_at, (int)count);
        _at += (int)count;
        return taken;
    }
}
