using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;

namespace Slipstream.Core.Bytes;

/// <summary>
/// Reads one message from a peer that may lie. A read past the end yields a zero value and makes the reader
/// <see cref="Failed"/> for good, so a decoder reads a structure straight through and asks once at the end.
/// </summary>
/// <remarks>The plain members are little-endian; the <c>…BigEndian</c> members serve protocols in network byte order.</remarks>
internal ref struct ByteReader(ReadOnlySpan<byte> message)
{
    private readonly ReadOnlySpan<byte> _message = message;
    private int _at;

    /// <summary>True once a read asked for more than the message held. Never becomes false again.</summary>
    public bool Failed { get; private set; }

    /// <summary>Bytes not read yet.</summary>
    public readonly int Remaining => _message.Length - _at;

    /// <summary>Bytes read so far: the offset of the next read in the message.</summary>
    public readonly int Position => _at;

    /// <summary>For decoders on top that meet a value the protocol does not allow.</summary>
    public void Fail() => Failed = true;

    /// <summary>One byte; 0 when none is left, which sets Failed.</summary>
    public byte Byte() => Take(1) is [var value] ? value : (byte)0;

    /// <summary>Two bytes, little-endian.</summary>
    public ushort UInt16() => Take(2) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : (ushort)0;

    /// <summary>Three bytes, little-endian.</summary>
    public uint UInt24() => Take(3) is [var low, var middle, var high] ? (uint)(low | middle << 8 | high << 16) : 0;

    /// <summary>Four bytes, little-endian.</summary>
    public uint UInt32() => Take(4) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : 0;

    /// <summary>Eight bytes, little-endian.</summary>
    public ulong UInt64() => Take(8) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : 0;

    /// <summary>Two bytes, big-endian.</summary>
    public short Int16BigEndian() => Take(2) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadInt16BigEndian(bytes) : (short)0;

    /// <summary>Four bytes, big-endian.</summary>
    public int Int32BigEndian() => Take(4) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadInt32BigEndian(bytes) : 0;

    /// <summary>Eight bytes, big-endian.</summary>
    public long Int64BigEndian() => Take(8) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadInt64BigEndian(bytes) : 0;

    /// <summary>The next <paramref name="count"/> bytes, or an empty span and <see cref="Failed"/>.</summary>
    public ReadOnlySpan<byte> Bytes(long count) => Take(count);

    /// <summary>All that has not been read yet.</summary>
    public ReadOnlySpan<byte> Rest() => Take(Remaining);

    /// <summary>Passes over bytes.</summary>
    public void Skip(long count) => Take(count);

    /// <summary>The next byte without reading it, or −1 at the end. Never fails.</summary>
    public readonly int Peek() => Failed || _at == _message.Length ? -1 : _message[_at];

    /// <summary>UTF-8 text of <paramref name="count"/> bytes.</summary>
    public string Text(long count) => Encoding.UTF8.GetString(Take(count));

    /// <summary>The bytes up to a terminating zero, which is read but not returned. Fails when there is none.</summary>
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

    /// <summary>UTF-8 text up to a terminating zero. Fails when there is none.</summary>
    public string TextToZero() => Encoding.UTF8.GetString(BytesToZero());

    // The count is a long because it often comes from the peer: a cast to int before the check would let 2^32 wrap to 0.
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
