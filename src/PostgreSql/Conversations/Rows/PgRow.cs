using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// A window on the current DataRow. Columns are located on request, in runs of up to eight, and checked against the end of the row. A value that is too large
/// for the buffer is in its own array, into which it was received.
/// <code>
/// 'D' | length (int32) | count (int16) | { value_length (int32; −1 is NULL) | value… }…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", DataRow.
/// </summary>
internal sealed partial class PgRow : Row
{
    /// <summary>
    /// The number of columns to locate at once. Reading a usual row from left to right needs one run; reading an early column of a wide row does not pay for
    /// all.
    /// </summary>
    private const int Run = 8;

    /// <summary>Sets what errors call the message that has the values.</summary>
    public string MessageName { private get; init; } = "DataRow";

    private ResultMetadata? _metadata;
    private ResultMetadata.Column[] _columns = [];
    private byte[] _buffer = [];
    private int _end;
    private int _next;
    private int _known;
    private int[] _at = new int[16];
    private int[] _length = new int[16];
    private byte[]?[]? _own;
    private int _laidOut;

    public override int FieldCount => _columns.Length;

    /// <summary>Returns the form of a column's values on the wire, for a large value that is read from there.</summary>
    public (ColumnKind Kind, bool IsBinary) FormOf(int ordinal) => (_columns[ordinal].Kind, _columns[ordinal].IsBinary);

    /// <summary>Gets the columns of the current result; null if it has none.</summary>
    public ResultMetadata? Metadata => _metadata;

    /// <summary>Begins a result. Its rows follow with <see cref="Set"/>.</summary>
    public void Begin(ResultMetadata? metadata)
    {
        _metadata = metadata;
        _columns = metadata?.Columns ?? [];
        Clear();
        if (_at.Length < _columns.Length)
        {
            _at = new int[_columns.Length];
            _length = new int[_columns.Length];
        }
    }

    /// <summary>Moves to a row: the body of a DataRow is in <paramref name="buffer"/> from <paramref name="start"/> to <paramref name="end"/>.</summary>
    /// <exception cref="ProtocolException">The number of columns differs from the description.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Set(byte[] buffer, int start, int end)
    {
        if (end - start < 2 || (buffer[start] << 8 | buffer[start + 1]) != _columns.Length)
            ThrowWrongCount();
        _buffer = buffer;
        _end = end;
        _next = start + 2;
        _known = 0;
        _own = null;
        _laidOut = _columns.Length;
    }

    /// <summary>
    /// Moves to a row that was too large for the buffer. <paramref name="small"/> has the layout of a row's body, in which a value with its own array is NULL;
    /// <paramref name="own"/> contains those arrays.
    /// </summary>
    public void SetLarge(byte[] small, int end, byte[]?[] own)
    {
        Set(small, 0, end);
        _own = own;
    }

    /// <summary>Moves to a row of which no column has been laid out yet; <see cref="LayOut"/> follows.</summary>
    public void SetPartial()
    {
        Clear();
        _next = 2;
    }

    /// <summary>Lays out the first <paramref name="columns"/> columns of the partial row in <paramref name="small"/>, as <see cref="SetLarge"/> does.</summary>
    public void LayOut(byte[] small, int end, int columns)
    {
        _buffer = small;
        _end = end;
        _laidOut = columns;
    }

    /// <summary>Leaves the current row, so that there is none.</summary>
    public void Clear()
    {
        _buffer = [];
        _end = _next = _known = _laidOut = 0;
        _own = null;
    }

    public override string GetName(int ordinal) => Described(ordinal).Name(ordinal);

    public override int GetOrdinal(string name)
    {
        var ordinal = _metadata?.Ordinal(name) ?? -1;
        return ordinal >= 0 ? ordinal : throw OutOfRange($"There is no column '{name}' in the result.");
    }

    [return: DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public override Type GetFieldType(int ordinal)
    {
        Described(ordinal);
        return _columns[ordinal].Type.ClrType;
    }

    /// <summary>Returns the name of a column's type with its length, precision or scale: "numeric(20, 4)".</summary>
    public override string GetDataTypeName(int ordinal) => TypeFacets.Display(TypeOf(ordinal).Postgres, Described(ordinal).Field(ordinal).TypeModifier);

    /// <summary>Returns the type of a column in the database, also if its values are read as text.</summary>
    public DataType TypeOf(int ordinal)
    {
        var metadata = Described(ordinal);
        return metadata.Types.Get(metadata.Field(ordinal).TypeOid);
    }

    public override bool IsText(int ordinal)
    {
        Described(ordinal);
        return _columns[ordinal].Kind.IsText();
    }

    public override ColumnDescription Describe(int ordinal)
    {
        var field = Described(ordinal).Field(ordinal);
        var facets = TypeFacets.Of(TypeOf(ordinal).Postgres, field.TypeModifier);
        return new(GetName(ordinal))
        {
            Type = GetFieldType(ordinal),
            TypeName = TypeOf(ordinal).Name,
            ProviderType = (int)field.TypeOid,
            Size = facets.Size,
            Precision = facets.Precision,
            Scale = facets.Scale,
            IsLong = field.TypeOid == TypeOid.Bytea,
            IsExpression = field.TableOid == 0,
        };
    }

    public override bool IsNull(int ordinal)
    {
        if ((uint)ordinal >= (uint)_known)
            Walk(ordinal);
        return _length[ordinal] < 0 && _own?[ordinal] is null;
    }

    /// <summary>Returns the bytes as they arrived.</summary>
    /// <exception cref="InvalidCastException">The value is NULL.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReadOnlySpan<byte> Value(int ordinal)
    {
        if ((uint)ordinal >= (uint)_known)
            Walk(ordinal);
        var length = _length[ordinal];
        return length >= 0 ? _buffer.AsSpan(_at[ordinal], length) : OwnValue(ordinal);
    }

    /// <summary>Returns the bytes of a value as they arrived, and its type.</summary>
    /// <exception cref="InvalidCastException">The value is NULL.</exception>
    public ReadOnlySpan<byte> Arrived(int ordinal, out DataType type, out bool isBinary)
    {
        var value = Value(ordinal);
        (type, isBinary) = (_columns[ordinal].Type, _columns[ordinal].IsBinary);
        return value;
    }

    private ReadOnlySpan<byte> OwnValue(int ordinal)
    {
        if (_own?[ordinal] is not { } own)
        {
            ThrowNull(ordinal);
            return default;
        }

        return own;
    }

    // Locates the requested column and a few after it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Walk(int ordinal)
    {
        if ((uint)ordinal >= (uint)_columns.Length)
            throw OutOfRange($"There is no column {ordinal}: the result has {_columns.Length} columns.");
        if (ordinal >= _laidOut)
            throw new InvalidOperationException("There is no current row: call Read before getting a value.");
        var to = Math.Min(_laidOut, ordinal + Run);
        var at = _at.AsSpan(0, to);
        var length = _length.AsSpan(0, to);
        var next = _next;
        var row = _buffer.AsSpan(0, _end);
        for (var i = _known; i < at.Length; i++)
        {
            if (row.Length - next < 4)
                ThrowBeyond(i);
            var valueLength = System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(row[next..]);
            next += 4;
            at[i] = next;
            length[i] = valueLength;
            if (valueLength >= 0)
            {
                if (valueLength > row.Length - next)
                    ThrowBeyond(i);
                next += valueLength;
            }
            else if (valueLength != -1)
                ThrowBeyond(i);
        }

        _known = to;
        _next = next;
        if (to == _columns.Length && next != _end)
            ThrowLong();
    }

    private ResultMetadata Described(int ordinal) => _metadata is not null && (uint)ordinal < (uint)_columns.Length
        ? _metadata
        : throw OutOfRange($"There is no column {ordinal}: the result has {_columns.Length} columns.");

    [SuppressMessage("Usage", "CA2201", Justification = "IDataRecord names this exception for a column that is not there.")]
    private static IndexOutOfRangeException OutOfRange(string message) => new(message);

    [DoesNotReturn]
    private void ThrowNull(int ordinal) =>
        throw new InvalidCastException($"Column '{Called(ordinal)}' is NULL in this row: call IsDBNull first, or read it as a nullable type with "
            + "GetFieldValue.");

    [DoesNotReturn]
    private void ThrowBeyond(int ordinal) =>
        throw new ProtocolException($"a {MessageName} that contains its values", $"one whose column {ordinal} of {_columns.Length} extends beyond its end");

    [DoesNotReturn]
    private void ThrowLong() => throw new ProtocolException($"a {MessageName} of {_columns.Length} columns", "one that continues after the last column");

    [DoesNotReturn]
    private void ThrowWrongCount() => throw new ProtocolException($"a {MessageName} of {_columns.Length} columns, as described", "one with another number of "
        + "columns");

    [DoesNotReturn]
    private void ThrowCast(int ordinal, string asked)
    {
        if (HasUnreadableFormat(ordinal))
            throw UnreadableFormat(ordinal);
        throw new InvalidCastException(
            $"Column '{Called(ordinal)}' of type {TypeOf(ordinal).Name} cannot be read as {asked}: read it as {_columns[ordinal].Type.ClrType.Name}, or "
            + "cast it in SQL.");
    }
}
