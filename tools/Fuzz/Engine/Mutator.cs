using System.Buffers.Binary;

namespace Slipstream.Fuzzing.Engine;

/// <summary>
/// Makes inputs from other inputs. It changes bits, bytes and interesting numbers, removes, doubles and moves pieces or takes them from another input, and
/// inserts words of the language. If the target has a map of its frames, it also writes false lengths, or changes contents with correct lengths.
/// </summary>
internal sealed partial class Mutator(IFuzzTarget target, InputPool pool, ulong seed)
{
    /// <summary>The maximum length of an input in bytes. The driver has its own limits for longer ones, and tests for them.</summary>
    public const int MostLength = 64 * 1024;

    private static readonly ulong[] Interesting =
    [
        0, 1, 2, 3, 4, 7, 8, 9, 10, 13, 16, 19, 20, 31, 32, 63, 64, 99, 100, 127, 128, 250, 251, 252, 253, 254, 255, 256, 257, 512, 1000, 4095, 4096, 4097,
        0x7FFF, 0x8000, 0xFFFE, 0xFFFF, 0x10000,
        0xFFFFFE, 0xFFFFFF, 0x1000000, 0x3FFFFFFF, 0x40000000, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF, 0x100000000, 0x7FFFFFFFFFFFFFFE,
        0x7FFFFFFFFFFFFFFF,
        0x8000000000000000, 0xFFFFFFFFFFFFFFFE, 0xFFFFFFFFFFFFFFFF,
    ];

    private readonly int _most = Math.Min(target.MostInput, MostLength);
    private readonly byte[] _bytes = new byte[MostLength];
    private readonly FrameField[] _fields = new FrameField[64];
    private readonly IReadOnlyList<byte[]> _tokens = target.Tokens;
    private readonly IFrameMap? _frames = target.Frames;
    private FuzzRandom _random = new(seed);
    private int _length;

    /// <summary>Gets the last input.</summary>
    public ReadOnlySpan<byte> Input => _bytes.AsSpan(0, _length);

    /// <summary>Makes the next input.</summary>
    public ReadOnlySpan<byte> Next()
    {
        var origin = pool.Pick(ref _random);
        _length = Math.Min(origin.Length, _most);
        origin.AsSpan(0, _length).CopyTo(_bytes);
        // One change shows most. Several together pass checks that compare two values.
        var changes = _random.Below(8) switch { < 4 => 1, < 6 => 2, 6 => 3, _ => 4 + _random.Below(8) };
        for (var i = 0; i < changes; i++)
            Change();
        return Input;
    }

    /// <summary>Adds the last input to the pool.</summary>
    public void Keep() => pool.Add(Input, ref _random);

    private void Change()
    {
        if (_frames is not null && (_random.Next() & 3) != 0 && ChangeFrame(_frames))
            return;
        if (_tokens.Count > 0 && (_random.Next() & 1) == 0)
        {
            Insert(_random.Below(_length + 1), _tokens[_random.Below(_tokens.Count)]);
            return;
        }

        if (_length == 0)
        {
            InsertNoise(0);
            return;
        }

        var at = _random.Below(_length);
        switch (_random.Below(16))
        {
            case 0 or 1: _bytes[at] ^= (byte)(1 << _random.Below(8)); break;
            case 2 or 3: _bytes[at] = (byte)_random.Next(); break;
            case 4: _bytes[at] = (byte)Interesting[_random.Below(27)]; break;
            // FB to FF begin values that a length of one byte cannot express.
            case 5: _bytes[at] = (byte)(0xFB + _random.Below(5)); break;
            case 6: _bytes[at] += (byte)(_random.Below(2) * 2 - 1); break;
            case 7 or 8: WriteInteresting(at); break;
            case 9: Remove(at, _random.Small(_length - at)); break;
            case 10: Duplicate(at, _random.Small(_length - at), _random.Below(_length + 1)); break;
            case 11: InsertNoise(at); break;
            case 12: _length = at; break;
            case 13: Splice(at); break;
            case 14: Overwrite(at); break;
            default: Swap(at, _random.Below(_length)); break;
        }
    }

    private void WriteInteresting(int at)
    {
        Span<byte> number = stackalloc byte[8];
        var value = Interesting[_random.Below(Interesting.Length)];
        var size = 1 << _random.Below(4);
        if ((_random.Next() & 1) == 0)
            BinaryPrimitives.WriteUInt64LittleEndian(number, value);
        else
            BinaryPrimitives.WriteUInt64BigEndian(number, value << 64 - 8 * size);
        size = Math.Min(size, _length - at);
        number[..size].CopyTo(_bytes.AsSpan(at));
    }

    private void Remove(int at, int count)
    {
        _bytes.AsSpan(at + count, _length - at - count).CopyTo(_bytes.AsSpan(at));
        _length -= count;
    }

    private Span<byte> Open(int at, int count)
    {
        count = Math.Min(count, _most - _length);
        _bytes.AsSpan(at, _length - at).CopyTo(_bytes.AsSpan(at + count));
        _length += count;
        return _bytes.AsSpan(at, count);
    }

    private void Insert(int at, ReadOnlySpan<byte> bytes)
    {
        var room = Open(at, bytes.Length);
        bytes[..room.Length].CopyTo(room);
    }

    private void InsertNoise(int at) => FillNoise(Open(at, _random.Small(1024)));

    private void FillNoise(Span<byte> room)
    {
        if ((_random.Next() & 1) == 0)
        {
            room.Fill((byte)_random.Next());
            return;
        }

        while (room.Length >= sizeof(ulong))
        {
            BinaryPrimitives.WriteUInt64LittleEndian(room, _random.Next());
            room = room[sizeof(ulong)..];
        }

        foreach (ref var part in room)
            part = (byte)_random.Next();
    }

    private void Duplicate(int from, int count, int to)
    {
        Span<byte> piece = count <= 256 ? stackalloc byte[256] : new byte[count];
        piece = piece[..count];
        _bytes.AsSpan(from, count).CopyTo(piece);
        Insert(to, piece);
    }

    // Joins the beginning of this input and the end of another, or inserts a piece of the other.
    private void Splice(int at)
    {
        var other = pool.Pick(ref _random);
        if (other.Length == 0)
            return;
        var from = _random.Below(other.Length);
        if ((_random.Next() & 1) == 0)
        {
            Insert(at, other.AsSpan(from, _random.Small(other.Length - from)));
            return;
        }

        var count = Math.Min(other.Length - from, _most - at);
        other.AsSpan(from, count).CopyTo(_bytes.AsSpan(at));
        _length = at + count;
    }

    private void Overwrite(int at)
    {
        var other = pool.Pick(ref _random);
        if (other.Length == 0)
            return;
        var from = _random.Below(other.Length);
        var count = Math.Min(_random.Small(other.Length - from), _length - at);
        other.AsSpan(from, count).CopyTo(_bytes.AsSpan(at));
    }

    private void Swap(int one, int other) => (_bytes[one], _bytes[other]) = (_bytes[other], _bytes[one]);
}
