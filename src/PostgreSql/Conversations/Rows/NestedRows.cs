using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// The rows of a nested reader: one for a composite value or a record, and one for each element of an array of these. Each is copied into the layout of a
/// DataRow's body, so that <see cref="PgRow"/> reads it. A record arrives as text without the types of its fields.
/// </summary>
internal sealed class NestedRows
{
    private readonly ByteWriter _layout = new();
    private readonly List<(int Start, int End, int FieldCount)> _rows = [];
    private readonly CompositeType? _composite;
    private readonly TypeCatalogue _types;
    private readonly bool _isBinary;
    private readonly byte[] _bytes;

    /// <summary>Copies the rows of a value.</summary>
    /// <param name="type">The type of the value.</param>
    /// <param name="value">The value.</param>
    /// <param name="isBinary">Whether it arrived in the binary format.</param>
    /// <param name="types">The types of the database.</param>
    /// <exception cref="FormatException">The bytes are not a value of the type.</exception>
    /// <exception cref="InvalidCastException">The type is neither a composite type nor a record, nor an array of these.</exception>
    /// <exception cref="InvalidOperationException">The array contains NULL or has several dimensions.</exception>
    public NestedRows(DataType type, ReadOnlySpan<byte> value, bool isBinary, TypeCatalogue types)
    {
        _types = types;
        _isBinary = isBinary;
        var array = type as ArrayType;
        var element = array?.Element ?? type;
        _composite = element as CompositeType;
        if (_composite is null && element is not RecordType)
            throw new InvalidCastException($"A value of type {type.Name} has no fields: GetData reads composite types, records, and arrays of these.");
        if (array is null)
            Add(element, value);
        else
            AddElements(array, value);
        _bytes = _layout.Written.ToArray();
        // The columns are known before the first row.
        if (_composite is not null || _rows.Count > 0)
            Describe(_composite?.Count ?? _rows[0].FieldCount);
    }

    public int Count => _rows.Count;

    /// <summary>Gets whether the fields have neither names nor types.</summary>
    [MemberNotNullWhen(false, nameof(_composite))]
    public bool IsRecord => _composite is null;

    /// <summary>Gets the window on the current row.</summary>
    public PgRow Row { get; } = new();

    /// <summary>Moves to a row.</summary>
    public void MoveTo(int index)
    {
        var (start, end, count) = _rows[index];
        // The elements of an array of records may differ in their number of fields.
        if (count != Row.FieldCount)
            Describe(count);
        Row.Set(_bytes, start, end);
    }

    /// <summary>Returns the rows of a field of the current row.</summary>
    public NestedRows Nested(int ordinal)
    {
        var value = Row.Arrived(ordinal, out var type, out var isBinary);
        return new(IsRecord ? TypeIn(value, type) : type, value, isBinary, _types);
    }

    /// <summary>Reads a field of a record as the type that the caller names.</summary>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be read so.</exception>
    public T ReadText<T>(int ordinal)
    {
        var underlying = Nullable.GetUnderlyingType(typeof(T));
        if (underlying is not null && Row.IsNull(ordinal))
            return default!;
        var value = Row.Arrived(ordinal, out _, out var isBinary);
        if ((_types.ForClr(underlying ?? typeof(T)) ?? _types.Get(TypeOid.Text)).TryRead<T>(value, isBinary, out var result))
            return result;
        throw new InvalidCastException($"A field of a record cannot be read as {typeof(T).Name}: read it as String, or cast the record to a composite type in "
            + "SQL.");
    }

    private void AddElements(ArrayType array, ReadOnlySpan<byte> value)
    {
        var elements = new ArrayElements(array, value, _isBinary);
        if (elements.Rank > 1)
            throw new InvalidOperationException($"The array of type {array.Name} has {elements.Rank} dimensions, but a nested reader has rows: use unnest in "
                + "SQL, or GetValue.");
        for (var i = 0; i < elements.Count; i++)
        {
            if (!elements.TryTake(out var element))
                throw new InvalidOperationException($"The array of type {array.Name} contains NULL, which has no fields: use GetValue.");
            Add(array.Element, element);
        }

        elements.End();
    }

    private void Add(DataType type, ReadOnlySpan<byte> value)
    {
        var fields = _composite is null ? new CompositeFields(type, value, _isBinary) : _composite.FieldsOf(value, _isBinary);
        if (fields.Count > RowDescription.MaxColumns)
            throw Malformed.Of(type.Name, value, _isBinary);
        var start = _layout.Length;
        _layout.Int16BigEndian((short)fields.Count);
        for (var i = 0; i < fields.Count; i++)
        {
            if (fields.TryTake(out var field))
            {
                _layout.Int32BigEndian(field.Length);
                _layout.Bytes(field);
            }
            else
                _layout.Int32BigEndian(-1);
        }

        fields.End();
        _rows.Add((start, _layout.Length, fields.Count));
    }

    private void Describe(int count) =>
        Row.Begin(ResultMetadata.Of(IsRecord ? [.. Enumerable.Repeat(("?column?", TypeOid.Unknown), count)] : _composite.Fields, _isBinary, _types));

    // The text of a field may be that of a record or of an array of them: the caller says so by asking for its rows.
    private DataType TypeIn(ReadOnlySpan<byte> value, DataType type) => value switch
    {
        [(byte)'(', ..] => _types.Get(TypeOid.Record),
        [(byte)'{', ..] => _types.Get(TypeOid.RecordArray),
        _ => type,
    };
}
