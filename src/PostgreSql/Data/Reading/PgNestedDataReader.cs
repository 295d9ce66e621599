using System.Collections;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.PostgreSql.Conversations;

namespace Slipstream.PostgreSql;

/// <summary>
/// Reads the fields of a composite value or a record as the columns of one row, or an array of these with a row for each element: see
/// <see cref="PgDataReader.GetData"/>. It reads a copy of the value, so it needs no connection, and it stays valid when the outer reader moves on.
/// </summary>
/// <remarks>
/// A record, such as <c>ROW(1, 'a')</c>, arrives as text without names and types: the typed getters read its fields as the type that the caller names, and
/// <see cref="GetValue"/> returns strings.
/// </remarks>
[SuppressMessage("Naming", "CA1710:Identifiers should have correct suffix", Justification = "ADO.NET's own naming.")]
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed class PgNestedDataReader : DbDataReader
{
    private enum Place : byte
    {
        BeforeFirst,
        OnRow,
        AfterLast,

        /// <summary>NextResult was called.</summary>
        NoResult,
        Closed,
    }

    private readonly NestedRows _rows;
    private Place _place;
    private int _next;

    internal PgNestedDataReader(NestedRows rows, int depth)
    {
        _rows = rows;
        Depth = depth;
    }

    /// <summary>Gets how many readers this one is nested in: 1 for a column of a <see cref="PgDataReader"/>.</summary>
    public override int Depth { get; }

    /// <summary>Gets the number of fields. The elements of an array of records may differ in it; before the first row, it is that of the first one.</summary>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    public override int FieldCount => Described.FieldCount;

    /// <summary>Gets whether there is a row: false for an empty array.</summary>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    public override bool HasRows
    {
        get
        {
            ThrowIfClosed();
            return _rows.Count > 0;
        }
    }

    /// <inheritdoc/>
    public override bool IsClosed => _place == Place.Closed;

    /// <summary>Gets −1: a value changes no rows.</summary>
    public override int RecordsAffected => -1;

    /// <inheritdoc/>
    public override object this[int ordinal] => GetValue(ordinal);

    /// <inheritdoc/>
    public override object this[string name] => GetValue(GetOrdinal(name));

    private PgRow Current => _place switch
    {
        Place.OnRow => _rows.Row,
        Place.Closed => throw Closed(),
        Place.BeforeFirst => throw new InvalidOperationException("There is no current row: call Read before getting a value."),
        _ => throw new InvalidOperationException("There is no current row: Read has returned false."),
    };

    private PgRow Described
    {
        get
        {
            ThrowIfClosed();
            return _rows.Row;
        }
    }

    /// <summary>Moves to the next row.</summary>
    /// <returns>False after the last row.</returns>
    /// <exception cref="InvalidOperationException">The reader is closed, or <see cref="NextResult"/> was called.</exception>
    public override bool Read()
    {
        ThrowIfClosed();
        if (_place == Place.NoResult)
            throw new InvalidOperationException("There is no result set: the statement returns no rows, or NextResult has returned false.");
        if (_next == _rows.Count)
        {
            _place = Place.AfterLast;
            return false;
        }

        _rows.MoveTo(_next++);
        _place = Place.OnRow;
        return true;
    }

    /// <summary>Moves past the only result.</summary>
    /// <returns>False.</returns>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    public override bool NextResult()
    {
        ThrowIfClosed();
        _place = Place.NoResult;
        return false;
    }

    /// <summary>Closes the reader. The outer reader stays open.</summary>
    public override void Close() => _place = Place.Closed;

    /// <summary>Returns the name of a field.</summary>
    /// <param name="ordinal">The field's index, from 0.</param>
    /// <returns>The name; "?column?" for a field of a record.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no such field.</exception>
    public override string GetName(int ordinal) => Described.GetName(ordinal);

    /// <summary>Returns the index of the field with a name. An exact match is preferred; otherwise case is ignored.</summary>
    /// <param name="name">The name of the field.</param>
    /// <returns>The index, from 0.</returns>
    /// <exception cref="IndexOutOfRangeException">No field has this name.</exception>
    /// <exception cref="NotSupportedException">The value is a record, whose fields have no names.</exception>
    public override int GetOrdinal(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        var row = Described;
        return _rows.IsRecord ? throw new NotSupportedException("The fields of a record have no names: use their index.") : row.GetOrdinal(name);
    }

    /// <inheritdoc/>
    [return: DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public override Type GetFieldType(int ordinal) => Described.GetFieldType(ordinal);

    /// <inheritdoc/>
    public override string GetDataTypeName(int ordinal) => Described.GetDataTypeName(ordinal);

    /// <summary>
    /// Returns a reader of a field whose type is a composite type, a record or an array of these. In a record, whose fields have no types, the value's text
    /// decides.
    /// </summary>
    /// <param name="ordinal">The field's index, from 0.</param>
    /// <returns>The reader, before its first row.</returns>
    /// <exception cref="InvalidCastException">The value is NULL, or has no fields.</exception>
    /// <exception cref="InvalidOperationException">There is no current row, or the array contains NULL or has several dimensions.</exception>
    public new PgNestedDataReader GetData(int ordinal)
    {
        _ = Current;
        return new(_rows.Nested(ordinal), Depth + 1);
    }

    /// <inheritdoc/>
    protected override DbDataReader GetDbDataReader(int ordinal) => GetData(ordinal);

    /// <inheritdoc/>
    public override IEnumerator GetEnumerator() => new DbEnumerator(this);

    /// <inheritdoc/>
    public override bool IsDBNull(int ordinal) => Current.IsNull(ordinal);

    /// <inheritdoc/>
    public override object GetValue(int ordinal) => Current.GetValue(ordinal);

    /// <inheritdoc/>
    public override int GetValues(object[] values)
    {
        ArgumentNullException.ThrowIfNull(values);
        var row = Current;
        var count = Math.Min(values.Length, row.FieldCount);
        for (var i = 0; i < count; i++)
            values[i] = row.GetValue(i);
        return count;
    }

    /// <summary>Returns a value as <typeparamref name="T"/>, without boxing if the driver supports the type directly.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="ordinal">The field's index, from 0.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be converted.</exception>
    /// <exception cref="InvalidOperationException">There is no current row.</exception>
    public override T GetFieldValue<T>(int ordinal)
    {
        var row = Current;
        if (typeof(T) == typeof(PgNestedDataReader) || typeof(T) == typeof(DbDataReader))
            return (T)(object)GetData(ordinal);
        if (typeof(T) == typeof(Stream))
            return (T)(object)new MemoryStream(row.GetByteArray(ordinal), writable: false);
        if (typeof(T) == typeof(TextReader) || typeof(T) == typeof(StringReader))
            return (T)(object)new StringReader(row.GetString(ordinal));
        return _rows.IsRecord && typeof(T) != typeof(object) && typeof(T) != typeof(string) ? _rows.ReadText<T>(ordinal) : row.GetFieldValue<T>(ordinal);
    }

    /// <inheritdoc/>
    public override Stream GetStream(int ordinal) => GetFieldValue<Stream>(ordinal);

    /// <inheritdoc/>
    public override TextReader GetTextReader(int ordinal) => GetFieldValue<TextReader>(ordinal);

    /// <inheritdoc/>
    public override bool GetBoolean(int ordinal) => GetFieldValue<bool>(ordinal);

    /// <inheritdoc/>
    public override byte GetByte(int ordinal) => GetFieldValue<byte>(ordinal);

    /// <inheritdoc/>
    public override char GetChar(int ordinal) => GetFieldValue<char>(ordinal);

    /// <inheritdoc/>
    public override DateTime GetDateTime(int ordinal) => GetFieldValue<DateTime>(ordinal);

    /// <inheritdoc/>
    public override decimal GetDecimal(int ordinal) => GetFieldValue<decimal>(ordinal);

    /// <inheritdoc/>
    public override double GetDouble(int ordinal) => GetFieldValue<double>(ordinal);

    /// <inheritdoc/>
    public override float GetFloat(int ordinal) => GetFieldValue<float>(ordinal);

    /// <inheritdoc/>
    public override Guid GetGuid(int ordinal) => GetFieldValue<Guid>(ordinal);

    /// <inheritdoc/>
    public override short GetInt16(int ordinal) => GetFieldValue<short>(ordinal);

    /// <inheritdoc/>
    public override int GetInt32(int ordinal) => GetFieldValue<int>(ordinal);

    /// <inheritdoc/>
    public override long GetInt64(int ordinal) => GetFieldValue<long>(ordinal);

    /// <inheritdoc/>
    public override string GetString(int ordinal) => GetFieldValue<string>(ordinal);

    /// <summary>Copies bytes of a value into a buffer.</summary>
    /// <param name="ordinal">The field's index, from 0.</param>
    /// <param name="dataOffset">The index of the first byte to copy.</param>
    /// <param name="buffer">The buffer; null returns the length of the value.</param>
    /// <param name="bufferOffset">The index in the buffer for the first byte.</param>
    /// <param name="length">The maximum number of bytes to copy.</param>
    /// <returns>The number of copied bytes; the length of the value in bytes if <paramref name="buffer"/> is null.</returns>
    /// <exception cref="InvalidCastException">The value is NULL, or of a type other than a text or binary data.</exception>
    /// <exception cref="InvalidOperationException">There is no current row.</exception>
    public override long GetBytes(int ordinal, long dataOffset, byte[]? buffer, int bufferOffset, int length)
    {
        var value = Current.GetSpan(ordinal);
        return buffer is null ? value.Length : Copy(value, dataOffset, buffer, bufferOffset, length);
    }

    /// <summary>Copies characters of a text into a buffer.</summary>
    /// <param name="ordinal">The field's index, from 0.</param>
    /// <param name="dataOffset">The index of the first character to copy.</param>
    /// <param name="buffer">The buffer; null returns the length of the text.</param>
    /// <param name="bufferOffset">The index in the buffer for the first character.</param>
    /// <param name="length">The maximum number of characters to copy.</param>
    /// <returns>The number of copied characters; the length of the text in characters if <paramref name="buffer"/> is null.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or not a text.</exception>
    /// <exception cref="InvalidOperationException">There is no current row.</exception>
    public override long GetChars(int ordinal, long dataOffset, char[]? buffer, int bufferOffset, int length)
    {
        var value = Current.GetString(ordinal);
        return buffer is null ? value.Length : Copy(value.AsSpan(), dataOffset, buffer, bufferOffset, length);
    }

    private static int Copy<T>(ReadOnlySpan<T> value, long dataOffset, T[] buffer, int bufferOffset, int length)
    {
        ProviderDataReader.CheckTarget(dataOffset, buffer.Length, bufferOffset, length);
        if (dataOffset >= value.Length)
            return 0;
        var copied = value[(int)dataOffset..];
        copied = copied[..Math.Min(length, copied.Length)];
        copied.CopyTo(buffer.AsSpan(bufferOffset));
        return copied.Length;
    }

    private static InvalidOperationException Closed() => new("The data reader is closed: read its values before it is disposed.");

    private void ThrowIfClosed()
    {
        if (_place == Place.Closed)
            throw Closed();
    }
}
