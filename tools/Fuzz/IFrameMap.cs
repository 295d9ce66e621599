namespace Slipstream.Fuzzing;

/// <summary>The encoding of a length field.</summary>
public enum FrameFieldKind
{
    LittleEndian,
    BigEndian,

    /// <summary>MySQL's integer of 1, 3, 4 or 9 bytes.</summary>
    LengthEncoded,
}

/// <summary>One length field of an input.</summary>
/// <param name="At">The position of the field.</param>
/// <param name="Size">The length of the field in bytes.</param>
/// <param name="Kind">The encoding of the field.</param>
/// <param name="Start">The position of the content.</param>
/// <param name="Length">The length of the content in bytes, at most the rest of the input.</param>
/// <param name="Bias">The difference between the field's value and <paramref name="Length"/>: 4 for a length that includes itself.</param>
/// <param name="FrameStart">The position of the frame with the field and the content. A frame is duplicated, removed or swapped as a whole.</param>
public readonly record struct FrameField(int At, int Size, FrameFieldKind Kind, int Start, int Length, int Bias, int FrameStart)
{
    /// <summary>Gets the position after the content.</summary>
    public int End => Start + Length;
}

/// <summary>Finds the length fields of an input, which may be malformed.</summary>
public interface IFrameMap
{
    /// <summary>Writes the fields in the order of their positions, outer ones first.</summary>
    /// <returns>The number of fields, at most the length of <paramref name="fields"/>.</returns>
    int Find(ReadOnlySpan<byte> input, Span<FrameField> fields);
}
