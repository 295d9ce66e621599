using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// The current row in the receive buffer. A text row has a length and the value for each column. A binary row has a byte 00, a bitmap of the NULLs and the
/// values that are not NULL. A value is located when it is requested, left to right and a few columns at a time. In a binary row without NULL, the leading
/// columns of fixed width are indexed directly.
/// Source: "Text Resultset Row", "Binary Protocol Resultset Row" (page_protocol_com_query_response_text_resultset_row, page_protocol_binary_resultset).
/// </summary>
internal sealed partial class MySqlRow : Row
{
    // One column at a time costs a call for each column; eight are wasted work if only the first of many columns is read.
    private const int RunLength = 4;
    private const int Null = -1;

    // The position of a value, its length (−1 for NULL) and its kind. They are together because they are read together.
    private struct Place
    {
        public int At;
        public int Length;
        public ValueKind Kind;
    }

    // Not []: that is a generic method over these types, which would be compiled at every start.
#pragma warning disable CA1825
    private static readonly Column[] NoColumns = new Column[0];
    private static readonly Place[] NoPlaces = new Place[0];
#pragma warning restore CA1825

    private readonly CodecSettings _settings;
    private ResultMetadata _metadata = null!;
    private Column[] _columns = NoColumns;
    private byte[] _buffer = [];
    private int _start;
    private int _end;
    private bool _isBinary;
    private bool _anyNull;

    // The number of leading columns with constant offsets in this row.
    private int _direct;

    // A binary row of at least this length whose first two bytes are 0 has the number of constant offsets in the next field.
    private int _plainLength = int.MaxValue;
    private int _plainCount;

    // How many bytes longer the row may be: 0 if all columns have fixed widths.
    private int _plainRoom;

    // The number of columns that may be read as short texts: all columns of a text row in the buffer, otherwise 0.
    private int _shortTexts;

    // The number of located columns, and the position of the next one.
    private int _known;
    private int _next;
    private Place[] _places = NoPlaces;

    // Values that were received into arrays of their own; null for a row in the buffer.
    private byte[]?[]? _own;

    public MySqlRow(CodecSettings settings) => _settings = settings;

    /// <summary>Gets or sets the statement of these rows, as the application wrote it.</summary>
    public string Sql { get; set; } = "";

    /// <summary>Gets the description of the current result set.</summary>
    public ResultMetadata Metadata => _metadata;

    public override int FieldCount => _columns.Length;

    /// <summary>Sets the result set of the following rows.</summary>
    public void Describe(ResultMetadata metadata, bool isBinary)
    {
        _isBinary = isBinary;
        _known = _direct = 0;
        if (!ReferenceEquals(metadata, _metadata) || _columns.Length == 0)
            Take(metadata);
        LeaveLarge();
    }

    private void Take(ResultMetadata metadata)
    {
        _metadata = metadata;
        _columns = metadata.Columns;
        _plainLength = metadata.BitmapLength == 1 ? metadata.FixedEnd : int.MaxValue;
        _plainCount = metadata.FixedCount;
        _plainRoom = metadata.BitmapLength == 1 && metadata.FixedCount < metadata.Columns.Length ? int.MaxValue - metadata.FixedEnd : 0;
        if (_places.Length < _columns.Length)
            _places = new Place[_columns.Length];
        for (var i = 0; i < _columns.Length; i++)
            _places[i].Kind = _columns[i].Kind;
    }

    /// <summary>Removes the result set.</summary>
    public void Clear()
    {
        _columns = NoColumns;
        _known = _direct = 0;
        LeaveLarge();
    }

    /// <summary>Sets the next row from a packet's payload.</summary>
    /// <exception cref="ProtocolException">A binary row is too short for its bitmap.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Set(byte[] buffer, int start, int length)
    {
        _buffer = buffer;
        _start = start;
        _end = start + length;
        _known = 0;
        if (_own is not null)
            LeaveLarge();
        if (!_isBinary)
            _next = start;
        else if ((uint)(length - _plainLength) > (uint)_plainRoom || BinaryPrimitives.ReadUInt16LittleEndian(buffer.AsSpan(start)) != 0)
            SetBinary(length);
        else
        {
            // 00 and a bitmap of one byte without NULL: the most frequent row, recognised in one comparison.
            _anyNull = false;
            _direct = _plainCount;
            _next = start + 2;
        }
    }

    /// <summary>Sets the next row. Some values are in arrays of their own and the others in <paramref name="compact"/>.</summary>
    /// <param name="compact">The smaller values.</param>
    /// <param name="at">The position of each value in its own array or in the compact one.</param>
    /// <param name="length">The length of each value; −1 for NULL.</param>
    /// <param name="own">The arrays of large values; null for a value in the compact array.</param>
    public void SetLarge(byte[] compact, ReadOnlySpan<int> at, ReadOnlySpan<int> length, byte[]?[] own)
    {
        _buffer = compact;
        _start = 0;
        _end = compact.Length;
        for (var i = 0; i < _columns.Length; i++)
            (_places[i].At, _places[i].Length) = (at[i], length[i]);
        _known = _columns.Length;
        _direct = _shortTexts = 0;
        _own = own;
    }

    /// <summary>Copies the row, so that it remains valid when the receive buffer is reused.</summary>
    public void Keep()
    {
        if (_own is not null)
            return;
        var copy = _buffer.AsSpan(_start, _end - _start).ToArray();
        Set(copy, 0, copy.Length);
    }

    /// <summary>Releases the values.</summary>
    public void Leave()
    {
        LeaveLarge();
        _buffer = [];
    }

    private void LeaveLarge()
    {
        _own = null;
        _shortTexts = _isBinary ? 0 : _columns.Length;
    }

    public override bool IsNull(int ordinal) => Locate(ordinal, out _) < 0;

    public override ReadOnlySpan<byte> GetSpan(int ordinal) => HasBytes(Kind(ordinal)) ? Value(ordinal) : ThrowCast<byte[]>(ordinal);

    private void SetBinary(int length)
    {
        var metadata = _metadata;
        if (length < metadata.BitmapLength + 1)
            ThrowShort();
        if (_buffer[_start] != 0)
            ThrowNoRow();
        _anyNull = metadata.BitmapLength == 1 ? _buffer[_start + 1] != 0 : _buffer.AsSpan(_start + 1, metadata.BitmapLength).ContainsAnyExcept((byte)0);
        // Walk finds a row that ends before its fixed columns.
        _direct = !_anyNull && length >= metadata.FixedEnd ? metadata.FixedCount : 0;
        // Such a row does not need Walk, which would check its end.
        if (_direct == _columns.Length && length != metadata.FixedEnd)
            ThrowLong();
        _next = _start + 1 + metadata.BitmapLength;
    }

    /// <summary>Returns the value's bytes.</summary>
    /// <exception cref="InvalidCastException">The value is NULL.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReadOnlySpan<byte> Value(int ordinal)
    {
        var length = Locate(ordinal, out var at);
        if (length < 0)
            ThrowNull(ordinal);
        return _own is null ? _buffer.AsSpan(at, length) : OwnOrCompact(ordinal).AsSpan(at, length);
    }

    private byte[] OwnOrCompact(int ordinal) => _own![ordinal] ?? _buffer;

    /// <summary>Returns the length of a value, −1 for NULL, and its position.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Locate(int ordinal, out int at)
    {
        if ((uint)ordinal < (uint)_direct)
        {
            ref readonly var column = ref _columns[ordinal];
            at = _start + column.FixedAt;
            return column.Width;
        }

        if ((uint)ordinal >= (uint)_known)
            Walk(ordinal);
        ref readonly var place = ref _places[ordinal];
        at = place.At;
        return place.Length;
    }

    // Locates the columns up to the requested one and a few more: one call serves several columns of a reader that reads from left to right.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Walk(int ordinal)
    {
        if ((uint)ordinal >= (uint)_columns.Length)
            ThrowOrdinal(ordinal);
        var to = Math.Min(_columns.Length - ordinal, RunLength) + ordinal;
        _next = _isBinary ? WalkBinary(_known, to) : WalkText(_known, to);
        _known = to;
        if (to == _columns.Length && _next != _end)
            ThrowLong();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int WalkText(int from, int to)
    {
        // The span ends with the row: nothing after it can be read, whatever the lengths are.
        var row = new ReadOnlySpan<byte>(_buffer, 0, _end);
        var places = _places.AsSpan(0, to);
        var next = _next;
        for (var i = from; i < places.Length; i++)
        {
            if ((uint)next >= (uint)row.Length)
                ThrowShort();
            int length = row[next];
            if (length >= 0xFB)
            {
                next = LongLength(row, next, i);
                continue;
            }

            next++;
            if (length > row.Length - next)
                ThrowShort();
            places[i].At = next;
            places[i].Length = length;
            next += length;
        }

        return next;
    }

    private int WalkBinary(int from, int to)
    {
        var row = new ReadOnlySpan<byte>(_buffer, 0, _end);
        var columns = _columns.AsSpan(0, to);
        var next = _next;
        for (var i = from; i < columns.Length; i++)
        {
            // The first two bits of the bitmap are not used.
            if (_anyNull && (row[_start + 1 + (i + 2) / 8] >> ((i + 2) & 7) & 1) != 0)
            {
                _places[i].At = next;
                _places[i].Length = Null;
                continue;
            }

            int length = columns[i].Width;
            if (length == 0)
            {
                if ((uint)next >= (uint)row.Length)
                    ThrowShort();
                length = row[next];
                if (length >= 0xFB)
                {
                    next = LongLength(row, next, i);
                    continue;
                }

                next++;
            }

            if (length > row.Length - next)
                ThrowShort();
            _places[i].At = next;
            _places[i].Length = length;
            next += length;
        }

        return next;
    }

    // Reads NULL, or a length of two, three or eight bytes.
    private int LongLength(ReadOnlySpan<byte> row, int next, int ordinal)
    {
        var head = row[next++];
        var size = head switch { 0xFB => 0, 0xFC => 2, 0xFD => 3, 0xFE => 8, _ => ThrowNoLength() };
        if (size > row.Length - next)
            ThrowShort();
        if (size == 0)
        {
            // In a binary row, NULLs are in the bitmap.
            if (_isBinary)
                ThrowNoLength();
            _places[ordinal].At = next;
            _places[ordinal].Length = Null;
            return next;
        }

        var length = size switch
        {
            2 => BinaryPrimitives.ReadUInt16LittleEndian(row[next..]),
            3 => (ulong)(row[next] | row[next + 1] << 8 | row[next + 2] << 16),
            _ => BinaryPrimitives.ReadUInt64LittleEndian(row[next..]),
        };
        next += size;
        if (length > (ulong)(row.Length - next))
            ThrowShort();
        _places[ordinal].At = next;
        _places[ordinal].Length = (int)length;
        return next + (int)length;
    }

    [DoesNotReturn]
    private void ThrowShort() =>
        throw new ProtocolException($"a row of {_columns.Length} columns", $"one that ends after {_end - _start} bytes, in the middle of a value");

    [DoesNotReturn]
    private void ThrowLong() => throw new ProtocolException($"a row of {_columns.Length} columns", $"one of {_end - _start} bytes that continues after the "
        + "last column");

    [DoesNotReturn]
    private void ThrowNoRow() => throw new ProtocolException("a binary row, which begins with 00", $"a packet that begins with 0x{_buffer[_start]:X2}");

    [DoesNotReturn]
    private static int ThrowNoLength() => throw new ProtocolException("the length of a value", "a byte that does not begin one");

    [DoesNotReturn]
    private void ThrowOrdinal(int ordinal) => throw NoColumn(ordinal, MessageFor(ordinal));

    private string MessageFor(int ordinal) => _columns.Length == 0
        ? $"There is no column {ordinal}: there is no current result set."
        : $"There is no column {ordinal}: the result has columns 0 to {_columns.Length - 1}.";

    public override Exception NoColumn(int ordinal, string message) => ThisAssembly.Conventions.RefusesOrdinalsAsArguments
        ? new ArgumentOutOfRangeException(nameof(ordinal), ordinal, message)
        : base.NoColumn(ordinal, message);

    [DoesNotReturn]
    private void ThrowNull(int ordinal) => throw new InvalidCastException($"Column '{Called(ordinal)}' is NULL in this row: call IsDBNull first, or read it "
        + "as a nullable type with GetFieldValue.");

    [DoesNotReturn]
    private T ThrowCast<T>(int ordinal)
    {
        if (IsNull(ordinal))
            ThrowNull(ordinal);
        throw new InvalidCastException(
            $"Column '{Called(ordinal)}' of type {GetDataTypeName(ordinal)} cannot be read as {typeof(T).Name}: read it as {GetFieldType(ordinal).Name}, or "
            + "cast it in SQL.");
    }

    // Called before conversions. Exact matches have usually returned already: the shortcuts of the getters check for the column's own type.
    private void CheckStrict<T>(int ordinal)
    {
        if (_settings.StrictConversions && ColumnTypes.ClrType(Kind(ordinal), _settings) != typeof(T) && !Widens<T>(_columns[ordinal].Kind) && !IsNull(ordinal))
            ThrowStrict<T>(ordinal);
    }

    // The types to which a column converts without changing a value. A value that does not fit is an overflow error.
    private static bool Widens<T>(ValueKind kind) => kind switch
    {
        ValueKind.Boolean => false,
        ValueKind.Float => typeof(T) == typeof(double),
        >= ValueKind.SByte and <= ValueKind.Year or ValueKind.UInt64 or ValueKind.Bit =>
            typeof(T).IsPrimitive ? typeof(T) != typeof(bool) && typeof(T) != typeof(char) : typeof(T) == typeof(decimal),
        _ => false,
    };

    [DoesNotReturn]
    private T ThrowStrict<T>(int ordinal) => throw new InvalidCastException(
        $"Column '{Called(ordinal)}' of type {GetDataTypeName(ordinal)} is read as {GetFieldType(ordinal).Name}, which Strict Conversions=true does not "
        + $"convert to {typeof(T).Name}: read it as its own type, or set Strict Conversions=false.");

    [DoesNotReturn]
    private T ThrowOverflow<T>(int ordinal) => throw new OverflowException($"The value of column '{Called(ordinal)}' of type {GetDataTypeName(ordinal)} is "
        + $"outside the range of {typeof(T).Name}.");
}
