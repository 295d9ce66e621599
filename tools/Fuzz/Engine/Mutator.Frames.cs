using System.Buffers.Binary;

namespace Slipstream.Fuzzing.Engine;

/// <summary>The mutations that know the positions of length fields.</summary>
internal sealed partial class Mutator
{
    private bool ChangeFrame(IFrameMap frames)
    {
        var count = frames.Find(Input, _fields);
        if (count == 0)
            return false;
        ref readonly var field = ref _fields[_random.Below(count)];
        switch (_random.Below(10))
        {
            // A false length.
            case 0: WriteLength(field, Interesting[_random.Below(Interesting.Length)]); break;
            case 1: WriteLength(field, (ulong)(field.Length + field.Bias + _random.Below(9) - 4)); break;
            // A changed content with correct lengths.
            case 2 or 3: Resize(field, count, keep: true); break;
            case 4 or 5: Content(field); break;
            // A changed content with wrong lengths.
            case 6: Resize(field, count, keep: false); break;
            case 7: Repeat(field, count); break;
            case 8: Leave(field, count); break;
            default: Exchange(frames, field, count); break;
        }

        return true;
    }

    // Changes bytes of the content, but not its length.
    private void Content(in FrameField field)
    {
        if (field.Length == 0)
            return;
        var at = field.Start + _random.Below(field.Length);
        switch (_random.Below(4))
        {
            case 0: _bytes[at] ^= (byte)(1 << _random.Below(8)); break;
            case 1: _bytes[at] = (byte)_random.Next(); break;
            case 2: _bytes[at] = (byte)Interesting[_random.Below(27)]; break;
            default: WriteInteresting(at); break;
        }
    }

    private void Resize(in FrameField field, int count, bool keep)
    {
        var at = field.Start + _random.Below(field.Length + 1);
        var delta = _random.Small(64);
        if ((_random.Next() & 1) == 0)
        {
            delta = Math.Min(delta, field.End - at);
            if (delta == 0)
                return;
            Remove(at, delta);
            delta = -delta;
        }
        else
        {
            var room = Open(at, delta);
            FillNoise(room);
            delta = room.Length;
        }

        if (keep)
            Fix(field, count, delta);
    }

    // Duplicates the whole frame; the frames around it grow.
    private void Repeat(in FrameField field, int count)
    {
        var length = field.End - field.FrameStart;
        if (_length + length > _most)
            return;
        var outer = field;
        Duplicate(field.FrameStart, length, field.End);
        FixEnclosing(outer, count, length);
    }

    private void Leave(in FrameField field, int count)
    {
        var length = field.End - field.FrameStart;
        var outer = field;
        Remove(field.FrameStart, length);
        FixEnclosing(outer, count, -length);
    }

    // Replaces the content of a frame with that of another input's frame.
    private void Exchange(IFrameMap frames, in FrameField field, int count)
    {
        var other = pool.Pick(ref _random);
        Span<FrameField> theirs = stackalloc FrameField[16];
        var found = frames.Find(other, theirs);
        if (found == 0)
            return;
        var chosen = theirs[_random.Below(found)];
        if (_length + chosen.Length > _most)
            return;
        Remove(field.Start, field.Length);
        Insert(field.Start, other.AsSpan(chosen.Start, chosen.Length));
        Fix(field, count, chosen.Length - field.Length);
    }

    // Corrects the field itself and all fields around it. Those are before the change, so they have not moved.
    private void Fix(in FrameField field, int count, int delta)
    {
        FixEnclosing(field, count, delta);
        WriteLength(field, (ulong)(field.Length + delta + field.Bias));
    }

    private void FixEnclosing(in FrameField field, int count, int delta)
    {
        for (var i = 0; i < count; i++)
        {
            ref readonly var around = ref _fields[i];
            if (around.Start <= field.FrameStart && around.End >= field.End && around.At != field.At)
                WriteLength(around, (ulong)(around.Length + delta + around.Bias));
        }
    }

    private void WriteLength(in FrameField field, ulong value)
    {
        if (field.At + field.Size > _length)
            return;
        var place = _bytes.AsSpan(field.At, field.Size);
        switch (field.Kind)
        {
            case FrameFieldKind.LittleEndian:
                for (var i = 0; i < place.Length; i++)
                    place[i] = (byte)(value >> 8 * i);
                break;
            case FrameFieldKind.BigEndian:
                for (var i = 0; i < place.Length; i++)
                    place[^(i + 1)] = (byte)(value >> 8 * i);
                break;
            default:
                WriteLengthEncoded(field, place, value);
                break;
        }
    }

    // Writes as many bytes as before if the value fits, otherwise a longer form, which moves the following bytes.
    private void WriteLengthEncoded(in FrameField field, Span<byte> place, ulong value)
    {
        var fits = place.Length switch { 1 => value < 0xFB, 3 => value <= ushort.MaxValue, 4 => value <= 0xFFFFFF, _ => true };
        if (!fits)
        {
            var size = value <= ushort.MaxValue ? 3 : value <= 0xFFFFFF ? 4 : 9;
            if (_length + size - place.Length > _most)
                return;
            Open(field.At, size - place.Length);
            place = _bytes.AsSpan(field.At, size);
        }

        switch (place.Length)
        {
            case 1:
                place[0] = (byte)value;
                break;
            case 3:
                place[0] = 0xFC;
                BinaryPrimitives.WriteUInt16LittleEndian(place[1..], (ushort)value);
                break;
            case 4:
                place[0] = 0xFD;
                (place[1], place[2], place[3]) = ((byte)value, (byte)(value >> 8), (byte)(value >> 16));
                break;
            default:
                place[0] = 0xFE;
                BinaryPrimitives.WriteUInt64LittleEndian(place[1..], value);
                break;
        }
    }
}
