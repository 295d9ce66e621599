using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// The elements of an array: each is its length (int32; −1 is NULL) and its value. The header has been read and checked.
/// <code>
/// dimensions (int32) | has_nulls (int32) | element_oid (int32) | { length (int32) | lower_bound (int32) }… | { value_length (int32) | value… }…
/// </code>
/// Source: src/backend/utils/adt/arrayfuncs.c, array_send.
/// </summary>
internal ref struct ArrayElements
{
    /// <summary>The most dimensions that an array may have (MAXDIM).</summary>
    public const int MaxRank = 6;

    private readonly ReadOnlySpan<byte> _value;
    private readonly DataType _type;
    private ReadOnlySpan<byte> _rest;
    private Lengths _lengths;

    /// <summary>Reads the header.</summary>
    /// <exception cref="FormatException">The bytes are not an array.</exception>
    public ArrayElements(ArrayType type, ReadOnlySpan<byte> value, bool isBinary)
    {
        _value = value;
        _type = type;
        IsBinary = isBinary;
        if (isBinary)
            ReadHeader();
        else
            ReadText(type.Delimiter);
        var count = Rank == 0 ? 0L : 1L;
        for (var i = 0; i < Rank; i++)
        {
            // An empty array has no dimensions, or one (int2vector). .NET limits the length of each dimension even if there are no elements.
            count = _lengths[i] < 0 || (_lengths[i] == 0 && Rank > 1) ? long.MaxValue : count * _lengths[i];
            // Each element has at least its length.
            if (count > _rest.Length / 4)
                Fail();
        }

        Count = (int)count;
    }

    public bool IsBinary { get; }

    /// <summary>Gets the number of dimensions; 0 for an empty array.</summary>
    public int Rank { get; private set; }

    /// <summary>Gets the number of all elements.</summary>
    public int Count { get; }

    /// <summary>Gets the elements that have not been taken, for callers that know their layout.</summary>
    public readonly ReadOnlySpan<byte> Rest => _rest;

    public readonly int LengthOf(int dimension) => _lengths[dimension];

    /// <summary>Takes the next element. Returns false if it is NULL.</summary>
    /// <exception cref="FormatException">The array ends before.</exception>
    public bool TryTake(out ReadOnlySpan<byte> element)
    {
        if (_rest.Length < 4)
            Fail();
        var length = BinaryPrimitives.ReadInt32BigEndian(_rest);
        if (length == -1)
        {
            _rest = _rest[4..];
            element = default;
            return false;
        }

        if (length < 0 || length > _rest.Length - 4)
            Fail();
        element = _rest.Slice(4, length);
        _rest = _rest[(4 + length)..];
        return true;
    }

    /// <summary>Checks that all bytes have been taken.</summary>
    public readonly void End()
    {
        if (!_rest.IsEmpty)
            Fail();
    }

    public readonly void Fail() => throw Malformed.Of(_type.Name, _value, IsBinary);

    private void ReadHeader()
    {
        var reader = new ByteReader(_value);
        var rank = reader.Int32BigEndian();
        reader.Skip(8);
        if (rank is < 0 or > MaxRank)
            Fail();
        Rank = rank;
        for (var i = 0; i < rank; i++)
        {
            _lengths[i] = reader.Int32BigEndian();
            reader.Skip(4);
        }

        if (reader.Failed)
            Fail();
        _rest = reader.Rest();
    }

    private void ReadText(byte delimiter)
    {
        var elements = new ByteWriter(Math.Max(_value.Length * 2, 16));
        Rank = NestedText.Array(_value, delimiter, elements, _lengths);
        if (Rank < 0)
            Fail();
        _rest = elements.Written;
    }

    [InlineArray(MaxRank)]
    private struct Lengths
    {
        private int _first;
    }
}
