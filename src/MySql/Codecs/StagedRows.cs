using System.Runtime.InteropServices;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// Rows of values in the binary format, waiting to be sent. Any range of them can be framed as one execution of a statement of many rows, or as
/// COM_STMT_BULK_EXECUTE. They stay until <see cref="Clear"/>, so they can be sent again in smaller ranges after a failure.
/// </summary>
/// <param name="columns">The number of values in a row.</param>
/// <param name="codecs">The settings for writing values.</param>
/// <param name="isBulk">Whether the format is that of COM_STMT_BULK_EXECUTE: an indicator before each value, and the same types for all rows.</param>
internal sealed class StagedRows(int columns, CodecSettings codecs, bool isBulk)
{
    private const ushort Null = (ushort)ColumnType.Null;

    // Copied: the source may store the next row in the same array.
    private readonly ByteWriter _values = new() { MayGather = false };
    private readonly ushort[] _common = NoTypes(columns);
    private ushort[] _types = new ushort[columns];
    private int[] _ends = new int[64];
    private int _column;
    private int _typesAt;
    private bool _carries;

    /// <summary>The number of rows that can be sent now.</summary>
    public int Count { get; private set; }

    /// <summary>The number of bytes of the values, including those of an unfinished row.</summary>
    public int Length => _values.Length;

    /// <summary>The zero-based index of the row's next value.</summary>
    public int Column => _column;

    /// <summary>Whether the last row's types differ from those of the rows before it: it waits until those have been sent.</summary>
    public bool CarriesRow => _carries;

    /// <summary>Appends the row's next value.</summary>
    /// <exception cref="InvalidOperationException">The row already has all its values.</exception>
    /// <exception cref="NotSupportedException">The driver cannot send values of this type.</exception>
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

    /// <summary>Appends NULL.</summary>
    /// <exception cref="InvalidOperationException">The row already has all its values.</exception>
    public void WriteNull()
    {
        BeginValue(Null, BulkIndicator.Null);
        _column++;
    }

    /// <summary>Returns the writer for the next value, which the caller writes in its binary format and which must not be NULL.</summary>
    /// <param name="type">The result of <see cref="ParameterWriter.WireType{T}"/>.</param>
    public ByteWriter Begin(ushort type)
    {
        BeginValue(type, BulkIndicator.Value);
        _column++;
        return _values;
    }

    /// <summary>Ends the row.</summary>
    /// <exception cref="InvalidOperationException">The row has fewer values than there are columns.</exception>
    public void EndRow()
    {
        if (_column != columns)
            throw new InvalidOperationException($"The row has {_column} values, but the copy fills {columns} columns.");
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

    /// <summary>Removes the values of a row that could not be completed.</summary>
    public void DropRow()
    {
        _values.Truncate(BeginOf(Count));
        _column = 0;
    }

    /// <summary>Removes the rows except for a row that waits; that becomes the first row.</summary>
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

    /// <summary>Moves the row that waits to <paramref name="target"/>, which must be empty.</summary>
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

    /// <summary>Removes everything.</summary>
    public void Drop()
    {
        _carries = false;
        _column = 0;
        Clear();
    }

    /// <summary>Writes COM_STMT_EXECUTE of a statement of <paramref name="rows"/> rows.</summary>
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

    /// <summary>Writes COM_STMT_BULK_EXECUTE with <paramref name="rows"/> rows.</summary>
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
            throw new InvalidOperationException($"The row has more values than the {columns} columns that the copy fills.");
        if (_typesAt + columns > _types.Length)
            Array.Resize(ref _types, Math.Max(_types.Length * 2, 64 * columns));
        _types[_typesAt + _column] = type;
        if (isBulk)
            _values.Byte((byte)indicator);
    }

    // Returns false if the row's types differ from those of the rows before it. NULL is compatible with every type.
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
