using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// The fields of a composite value.
/// <code>
/// count (int32) | { type_oid (int32) | value_length (int32; −1 is NULL) | value… }…
/// </code>
/// Source: src/backend/utils/adt/rowtypes.c, record_send.
/// </summary>
internal ref struct CompositeFields
{
    private readonly ReadOnlySpan<byte> _value;
    private readonly DataType _type;
    private ReadOnlySpan<byte> _rest;

    /// <summary>Reads the header.</summary>
    /// <param name="type">The type.</param>
    /// <param name="value">The value.</param>
    /// <param name="isBinary">Whether the value has the binary format.</param>
    /// <param name="expected">The number of fields, if the type determines it: the text of one field that is NULL is that of no field.</param>
    /// <exception cref="FormatException">The bytes are not a composite value.</exception>
    public CompositeFields(DataType type, ReadOnlySpan<byte> value, bool isBinary, int expected = -1)
    {
        _value = value;
        _type = type;
        IsBinary = isBinary;
        if (isBinary)
        {
            Count = value.Length < 4 ? -1 : BinaryPrimitives.ReadInt32BigEndian(value);
            // Each field has at least its type and its length.
            if (Count < 0 || Count > (value.Length - 4) / 8)
                Fail();
            _rest = value[4..];
        }
        else
        {
            var fields = new ByteWriter(Math.Max(value.Length * 2, 16));
            Count = NestedText.Record(value, fields);
            if (Count < 0)
                Fail();
            _rest = fields.Written;
            if (Count == 0 && expected == 1)
            {
                Count = 1;
                _rest = NullField;
            }
        }
    }

    private static ReadOnlySpan<byte> NullField => [0xFF, 0xFF, 0xFF, 0xFF];

    public bool IsBinary { get; }

    /// <summary>Gets the number of fields.</summary>
    public int Count { get; }

    /// <summary>Takes the next field. Returns false if it is NULL.</summary>
    /// <exception cref="FormatException">The value ends before.</exception>
    public bool TryTake(out ReadOnlySpan<byte> field)
    {
        if (IsBinary)
            Skip(4);
        var header = Skip(4);
        var length = BinaryPrimitives.ReadInt32BigEndian(header);
        if (length == -1)
        {
            field = default;
            return false;
        }

        if (length < 0)
            Fail();
        field = Skip(length);
        return true;
    }

    /// <summary>Checks that all bytes have been taken.</summary>
    public readonly void End()
    {
        if (!_rest.IsEmpty)
            Fail();
    }

    public readonly void Fail() => throw Malformed.Of(_type.Name, _value, IsBinary);

    private ReadOnlySpan<byte> Skip(int count)
    {
        if (_rest.Length < count)
            Fail();
        var taken = _rest[..count];
        _rest = _rest[count..];
        return taken;
    }
}
