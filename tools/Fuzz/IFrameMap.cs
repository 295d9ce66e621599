namespace Slipstream.Fuzzing;

/// <summary>How a length field is written.</summary>
public enum FrameFieldKind
{
    LittleEndian,
    BigEndian,

    /// <summary>MySQL's integer of 1, 3, 4 or 9 bytes.</summary>
    LengthEncoded,
}

/// <summary>One length field of an input.</summary>
/// <param name="At">Where the field begins.</param>
/// <param name="Size">Its bytes.</param>
/// <param name="Kind">How it is written.</param>
/// <param name="Start">Where what it measures begins.</param>
/// <param name="Length">How many bytes that has; the rest of the input at most.</param>
/// <param name="Bias">What the field's value has more than <paramref name="Length"/>: 4 for a length that counts itself.</param>
/// <param name="FrameStart">Where the frame begins to which field and content belong: what is duplicated, removed or swapped as a whole.</param>
public readonly record struct FrameField(int At, int Size, FrameFieldKind Kind, int Start, int Length, int Bias, int FrameStart)
{
    /// <summary>Behind the content.</summary>
    public int End => Start + Length;
}

/// <summary>Finds the length fields of an input that need not be well formed.</summary>
public interface IFrameMap
{
    /// <summary>Writes the fields in order of their place, outer ones first.</summary>
    /// <returns>How many there are; never more than <paramref name="fields"/> has room for.</returns>
    int Find(ReadOnlySpan<byte> input, Span<FrameField> fields);
}
