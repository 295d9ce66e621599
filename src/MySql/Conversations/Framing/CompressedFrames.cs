using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// The compressed protocol: after the login, packets travel inside frames in both directions.
/// <code>
/// length of what follows the header (3) | compressed_sequence_id (1) | length before compression (3), or 0 when it is not compressed | bytes
/// </code>
/// A frame may contain parts of packets, or several packets. Source: "Compressed Packet" (page_protocol_basic_compression_packet).
/// </summary>
/// <remarks>
/// <para>A command begins a frame of its own with number 0. The server reads one frame after the other and keeps the bytes after the first command of a frame,
/// but answers the second command with unexpected numbers. So several commands are sent together in several frames.</para>
/// <para>The server continues the packet numbers from the frames it received, and at each flush from those it sent. So the numbers of packets mean nothing
/// (<see cref="Wire.IgnoresSequence"/>), and the driver checks those of frames.</para>
/// </remarks>
internal sealed class CompressedFrames : ITransportCoding
{
    /// <summary>The length of a frame's header in bytes.</summary>
    public const int HeaderLength = 7;

    /// <summary>The largest content of a frame, compressed or not: 0xFFFFFF bytes.</summary>
    public const int MaxLength = 0xFFFFFF;

    /// <summary>
    /// Shorter contents are not compressed, in bytes: setting up the compressor costs more than the few bytes. (The servers' own limit is 50 bytes.)
    /// </summary>
    public const int Threshold = 128;

    // The limit of deflate: an announcement of more is false.
    private const int MaxExpansion = 1032;

    private const int NormalRoom = 32 * 1024;
    private const int KeptRoom = 1 << 20;

    private readonly ByteWriter _out = new();
    private readonly Zlib _deflater = new();
    private readonly Zlib _inflater = new();

    // Outgoing: the position of the bytes within the packets.
    private byte[] _held = [];
    private int _packetLeft;
    private bool _payloadContinues;
    private byte _packetSequence;
    private byte _next;

    // Incoming.
    private byte[] _in = GC.AllocateUninitializedArray<byte>(NormalRoom);
    private int _start;
    private int _end;
    private int _plainLeft;
    private int _inflateLeft;

    private byte _lastReceived;
    private volatile bool _hasReceived;

    // The answer to a command of one frame begins with number 1. Answers to others begin with another number; this counts how often each may arrive.
    private readonly int[] _begins = new int[256];
    private bool _frameContinues;

    public bool HasLeft => _end > _start || _plainLeft > 0 || _inflateLeft > 0;

    public ReadOnlyMemory<byte> Encode(ReadOnlySpan<byte> bytes)
    {
        _out.Clear();
        if (_held.Length > 0)
        {
            bytes = (byte[])[.. _held, .. bytes];
            _held = [];
        }

        var frame = 0;
        var at = 0;
        while (at < bytes.Length)
        {
            if (_packetLeft > 0)
            {
                var step = Math.Min(_packetLeft, bytes.Length - at);
                _packetLeft -= step;
                at += step;
                continue;
            }

            // A header is read only when it is complete.
            if (bytes.Length - at < Packets.HeaderLength)
            {
                _held = bytes[at..].ToArray();
                break;
            }

            if (!_payloadContinues && Number(bytes[at + Packets.HeaderLength - 1]) is { } number)
            {
                Write(bytes[frame..at]);
                frame = at;
                _next = number;
                _frameContinues = false;
            }

            _packetSequence = bytes[at + Packets.HeaderLength - 1];
            _packetLeft = bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16;
            _payloadContinues = _packetLeft == Packets.MaxPayload;
            at += Packets.HeaderLength;
        }

        Write(bytes[frame..at]);
        return _out.WrittenMemory;
    }

    public Memory<byte> FreeMemory()
    {
        if (_start == _end)
        {
            _start = _end = 0;
            if (_in.Length > KeptRoom)
                _in = GC.AllocateUninitializedArray<byte>(NormalRoom);
        }
        else if (_end == _in.Length)
        {
            // At most double: a false length costs its sender the bytes.
            var target = _start > 0 ? _in : GC.AllocateUninitializedArray<byte>(_in.Length * 2);
            Buffer.BlockCopy(_in, _start, target, 0, _end - _start);
            _in = target;
            _end -= _start;
            _start = 0;
        }

        return _in.AsMemory(_end);
    }

    public void Advance(int count) => _end += count;

    public int Decode(Span<byte> room)
    {
        while (true)
        {
            if (_inflateLeft > 0)
                return Inflate(room);
            if (_plainLeft > 0)
            {
                var count = Math.Min(Math.Min(_plainLeft, _end - _start), room.Length);
                _in.AsSpan(_start, count).CopyTo(room);
                _start += count;
                _plainLeft -= count;
                return count;
            }

            if (!TryBeginFrame())
                return 0;
        }
    }

    public void Dispose()
    {
        _deflater.Dispose();
        _inflater.Dispose();
    }

    // Returns the number of the frame that begins with a packet of this number, or null if the packet may be in the same frame as the one before.
    private byte? Number(byte sequence)
    {
        var hasReceived = _hasReceived;
        _hasReceived = false;
        // Numbers wrap around: in a file that is being loaded, the packet after number 255 is not a new command.
        if (sequence == 0 && (_packetSequence != byte.MaxValue || hasReceived))
            return 0;
        return hasReceived ? (byte)(_lastReceived + 1) : null;
    }

    private void Write(ReadOnlySpan<byte> bytes)
    {
        for (; !bytes.IsEmpty; bytes = bytes[Math.Min(MaxLength, bytes.Length)..])
            WriteFrame(bytes[..Math.Min(MaxLength, bytes.Length)]);
    }

    private void WriteFrame(ReadOnlySpan<byte> bytes)
    {
        var at = _out.Length;
        _out.Grow(HeaderLength + bytes.Length);
        var length = bytes.Length < Threshold ? 0 : _deflater.Deflate(bytes, _out.WritableMemory(at + HeaderLength, bytes.Length - 1));
        if (length == 0)
            bytes.CopyTo(_out.Written[(at + HeaderLength)..]);
        else
            _out.Shrink(bytes.Length - length);
        var header = _out.Written.Slice(at, HeaderLength);
        WriteLength(header, length == 0 ? bytes.Length : length);
        WriteLength(header[4..], length == 0 ? 0 : bytes.Length);
        if (_frameContinues)
            Interlocked.Decrement(ref _begins[_next]);
        header[3] = _next++;
        Interlocked.Increment(ref _begins[_next]);
        _frameContinues = true;
    }

    private static void WriteLength(Span<byte> target, int length)
    {
        target[0] = (byte)length;
        target[1] = (byte)(length >> 8);
        target[2] = (byte)(length >> 16);
    }

    private bool TryBeginFrame()
    {
        if (_end - _start < HeaderLength)
            return false;
        var header = _in.AsSpan(_start, HeaderLength);
        var length = header[0] | header[1] << 8 | header[2] << 16;
        var before = header[4] | header[5] << 8 | header[6] << 16;
        if (length == 0 || before > length * (long)MaxExpansion)
            throw new ProtocolException("a compressed frame that is not empty", $"one of {length:N0} bytes that announces {before:N0} bytes");
        if (before > 0 && _end - _start < HeaderLength + length)
            return false;
        if (header[3] != (byte)(_lastReceived + 1) && !MayBegin(header[3]))
            throw new ProtocolException($"compressed frame number {(byte)(_lastReceived + 1)}, or the first of an answer", $"number {header[3]}");
        _lastReceived = header[3];
        _hasReceived = true;
        _start += HeaderLength;
        if (before == 0)
            _plainLeft = length;
        else
        {
            _inflater.Begin(_in.AsMemory(_start, length));
            _inflateLeft = before;
            _start += length;
        }

        return true;
    }

    // Commands without an answer leave their count. It belongs to number 1, except for very long commands.
    private bool MayBegin(byte number) => number == 1 || Interlocked.Decrement(ref _begins[number]) >= 0;

    // Never returns more than was announced, and only into the caller's buffer: a small frame cannot fill the memory.
    private int Inflate(Span<byte> room)
    {
        try
        {
            var count = 0;
            while (count < room.Length && _inflateLeft > 0)
            {
                var came = _inflater.Inflate(room.Slice(count, Math.Min(room.Length - count, _inflateLeft)));
                if (came == 0)
                    throw new ProtocolException($"{_inflateLeft:N0} more bytes of a compressed frame", "its end");
                _inflateLeft -= came;
                count += came;
            }

            if (_inflateLeft == 0 && !_inflater.End())
                throw new ProtocolException("the end of a compressed frame", "more bytes than it announced");
            return count;
        }
        catch (Exception exception) when (exception is InvalidDataException or IOException)
        {
            throw new ProtocolException("a compressed frame in zlib format", "another format", exception);
        }
    }
}
