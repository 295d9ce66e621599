using System.Runtime.InteropServices;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// Rows of values that wait to be sent, in the binary form: any part of them can be framed as one execution of a statement of many rows, or as
/// COM_STMT_BULK_EXECUTE. They stay until <see cref="Clear"/>, so that after a failure they can be sent again, fewer at a time.
/// </summary>
/// <param name="columns">Values of a row.</param>
/// <param name="codecs">How values are written.</param>
/// <param name="isBulk">True for the form of COM_STMT_BULK_EXECUTE: an indicator in front of each value, the same types for all rows.</param>
internal sealed class StagedRows(int columns, CodecSettings codecs, bool isBulk)
{
    private const ushort Null = (ushort)ColumnType.Null;

    // Copied: the source may put the next row into the same array.
    private readonly ByteWriter _values = new() { MayGather = false };
    private readonly ushort[] _common = NoTypes(columns);
    private ushort[] _types = new ushort[columns];
    private int[] _ends = new int[64];
    private int _column;
    private int _typesAt;
    private bool _carries;

    /// <summary>Rows that can be sent now.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes of the values, those of a row not yet ended included.</summary>
    public int Length => _values.Length;

    /// <summary>Which value of the row is next, from 0.</summary>
    public int Column => _column;

    /// <summary>True when the last row has other types than the rows before it: it waits until those have been sent.</summary>
    public bool CarriesRow => _carries;

    /// <summary>Appends the next value of the row.</summary>
    /// <exception cref="InvalidOperationException">The row has all its values already.</exception>
    /// <exception cref="NotSupportedException">A value of this type cannot be sent.</exception>
    public void Write<T>(T value)
    {
        if (ParameterWriter.IsNull(value))
        {
            WriteNull();
            return;
        }

        BeginValue(ParameterWriter.WireType(value, codecs), BulkIndicator.Value);
        ParameterWriter.WriteBinary(_values, value, codecs);
        _column++;
    }

    public void WriteNull()
    {
        BeginValue(Null, BulkIndicator.Null);
        _column++;
    }

    /// <summary>Where the caller writes the next value, not NULL, in its binary form.</summary>
    /// <param name="type">Of <see cref="ParameterWriter.WireType{T}"/>.</param>
    public ByteWriter Begin(ushort type)
    {
        BeginValue(type, BulkIndicator.Value);
        _column++;
        return _values;
    }

    /// <summary>Ends the row.</summary>
    /// <exception cref="InvalidOperationException">It has fewer values than there are columns.</exception>
    public void EndRow()
    {
        if (_column != columns)
            throw new InvalidOperationException($"The row has {_column} values, but {columns} columns are to be filled.");
        if (_carries)
            throw new InvalidOperationException("The rows before the last must be sent first.");
        _column = 0;
        if (!isBulk)
            _typesAt += columns;
        else if (!TakeTypes())
        {
            _carries = true;
            return;
        }

        AddEnd();
    }

    /// <summary>Forgets the values of a row that could not be completed.</summary>
    public void DropRow()
    {
        _values.Truncate(BeginOf(Count));
        _column = 0;
    }

    /// <summary>Starts anew with what was carried, or with nothing.</summary>
    public void Clear()
    {
        if (!_carries)
        {
            _values.Clear();
            Reset();
            return;
        }

        var row = _values.Written[BeginOf(Count)..];
        var length = row.Length;
        row.CopyTo(_values.Written);
        _values.Truncate(length);
        Reset();
        TakeTypes();
        AddEnd();
    }

    /// <summary>What was carried becomes the first row of <paramref name="target"/>, which is empty.</summary>
    public void MoveCarried(StagedRows target)
    {
        if (!_carries)
            return;
        _carries = false;
        target._values.Bytes(_values.Written[BeginOf(Count)..]);
        _values.Truncate(BeginOf(Count));
        _types.AsSpan(0, columns).CopyTo(target._types);
        target.TakeTypes();
        target.AddEnd();
    }

    /// <summary>Forgets everything.</summary>
    public void Drop()
    {
        _carries = false;
        _column = 0;
        Clear();
    }

    /// <summary>COM_STMT_EXECUTE of a statement of <paramref name="rows"/> rows.</summary>
    public void WriteExecute(ByteWriter writer, uint statementId, int first, int rows)
    {
        var at = StatementExecute.Begin(writer, statementId);
        var bitmap = StatementExecute.BeginParameters(writer, rows * columns, typesFollow: true);
        var types = _types.AsSpan(first * columns, rows * columns);
        if (StatementExecute.TypeLength(writer) == sizeof(ushort))
            writer.Bytes(MemoryMarshal.AsBytes(types));
        else
            foreach (var type in types)
                StatementExecute.WriteType(writer, type);
        for (var i = types.IndexOf(Null); i >= 0 && i < types.Length; i++)
        {
            if (types[i] == Null)
                StatementExecute.SetNull(writer, bitmap, i);
        }

        writer.Bytes(_values.Written[BeginOf(first)..BeginOf(first + rows)]);
        writer.End(at);
    }

    /// <summary>COM_STMT_BULK_EXECUTE with <paramref name="rows"/> rows.</summary>
    public void WriteBulkExecute(ByteWriter writer, uint statementId, int first, int rows)
    {
        var at = StatementBulkExecute.Begin(writer, statementId, _common);
        writer.Bytes(_values.Written[BeginOf(first)..BeginOf(first + rows)]);
        writer.End(at);
    }

    private int BeginOf(int row) => row == 0 ? 0 : _ends[row - 1];

    private void BeginValue(ushort type, BulkIndicator indicator)
    {
        if (_column == columns)
            throw new InvalidOperationException($"The row has more values than the {columns} columns that are to be filled.");
        if (_typesAt + columns > _types.Length)
            Array.Resize(ref _types, Math.Max(_types.Length * 2, 64 * columns));
        _types[_typesAt + _column] = type;
        if (isBulk)
            _values.Byte((byte)indicator);
    }

    // False when the row's types are not those of the rows before it. NULL goes with every type.
    private bool TakeTypes()
    {
        for (var i = 0; i < columns; i++)
        {
            if (_types[i] != Null && _common[i] != Null && _types[i] != _common[i])
                return false;
        }

        for (var i = 0; i < columns; i++)
        {
            if (_types[i] != Null)
                _common[i] = _types[i];
        }

        return true;
    }

    private void AddEnd()
    {
        if (Count == _ends.Length)
            Array.Resize(ref _ends, Count * 2);
        _ends[Count++] = _values.Length;
    }

    private void Reset()
    {
        Count = 0;
        _typesAt = 0;
        _carries = false;
        if (isBulk)
            Array.Fill(_common, Null);
    }

    private static ushort[] NoTypes(int count)
    {
        var types = new ushort[count];
        Array.Fill(types, Null);
        return types;
    }
}
