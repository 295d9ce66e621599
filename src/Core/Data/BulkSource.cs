using System.Data;
using System.Data.Common;

namespace Slipstream.Core.Data;

/// <summary>Where the rows of a bulk copy come from, in both ways of waiting.</summary>
/// <typeparam name="TRow">Where the values go.</typeparam>
internal abstract class BulkSource<TRow> where TRow : struct, IBulkRow
{
    /// <summary>Values of a row; −1 when the source writes the values it wants.</summary>
    public abstract int FieldCount { get; }

    /// <summary>Which values are wanted, from left to right. Called once, in front of the first row.</summary>
    public virtual void Map(int[] ordinals)
    {
        // Who writes what he wants needs no map.
    }

    public abstract bool MoveNext();

    public virtual ValueTask<bool> MoveNextAsync() => new(MoveNext());

    /// <summary>Writes the row under the source's cursor.</summary>
    public abstract void Write(TRow row);
}

/// <summary>The rows of an <see cref="IDataReader"/>. Numbers, dates and identifiers are not boxed.</summary>
internal sealed class ReaderBulkSource<TRow>(IDataReader reader, CancellationToken cancellationToken) : BulkSource<TRow> where TRow : struct, IBulkRow
{
    private enum Getter : byte
    {
        Object,
        Boolean,
        Byte,
        Int16,
        Int32,
        Int64,
        Single,
        Double,
        Decimal,
        DateTime,
        Guid,
        String,
    }

    private int[] _ordinals = [];
    private Getter[] _getters = [];

    public override int FieldCount => reader.FieldCount;

    public override void Map(int[] ordinals)
    {
        _ordinals = ordinals;
        _getters = new Getter[ordinals.Length];
        for (var i = 0; i < ordinals.Length; i++)
            _getters[i] = GetterOf(reader.GetFieldType(ordinals[i]));
    }

    public override bool MoveNext() => reader.Read();

    public override ValueTask<bool> MoveNextAsync() => reader is DbDataReader asynchronous ? new(asynchronous.ReadAsync(cancellationToken)) : new(reader.Read());

    public override void Write(TRow row)
    {
        for (var i = 0; i < _ordinals.Length; i++)
        {
            var ordinal = _ordinals[i];
            if (reader.IsDBNull(ordinal))
                row.WriteNull();
            else
                Write(row, ordinal, _getters[i]);
        }
    }

    private void Write(TRow row, int ordinal, Getter getter)
    {
        switch (getter)
        {
            case Getter.Int32: row.Write(reader.GetInt32(ordinal)); break;
            case Getter.Int64: row.Write(reader.GetInt64(ordinal)); break;
            case Getter.String: row.Write(reader.GetString(ordinal)); break;
            case Getter.DateTime: row.Write(reader.GetDateTime(ordinal)); break;
            case Getter.Decimal: row.Write(reader.GetDecimal(ordinal)); break;
            case Getter.Boolean: row.Write(reader.GetBoolean(ordinal)); break;
            case Getter.Double: row.Write(reader.GetDouble(ordinal)); break;
            case Getter.Guid: row.Write(reader.GetGuid(ordinal)); break;
            case Getter.Int16: row.Write(reader.GetInt16(ordinal)); break;
            case Getter.Byte: row.Write(reader.GetByte(ordinal)); break;
            case Getter.Single: row.Write(reader.GetFloat(ordinal)); break;
            default: row.Write(reader.GetValue(ordinal)); break;
        }
    }

    private static Getter GetterOf(Type type) => type switch
    {
        _ when type == typeof(int) => Getter.Int32,
        _ when type == typeof(long) => Getter.Int64,
        _ when type == typeof(string) => Getter.String,
        _ when type == typeof(DateTime) => Getter.DateTime,
        _ when type == typeof(decimal) => Getter.Decimal,
        _ when type == typeof(bool) => Getter.Boolean,
        _ when type == typeof(double) => Getter.Double,
        _ when type == typeof(Guid) => Getter.Guid,
        _ when type == typeof(short) => Getter.Int16,
        _ when type == typeof(byte) => Getter.Byte,
        _ when type == typeof(float) => Getter.Single,
        _ => Getter.Object,
    };
}

/// <summary>Rows of a <see cref="DataTable"/>.</summary>
internal sealed class DataRowBulkSource<TRow>(IEnumerator<DataRow> rows, int columnCount) : BulkSource<TRow> where TRow : struct, IBulkRow
{
    private int[] _ordinals = [];

    public override int FieldCount => columnCount;

    public override void Map(int[] ordinals) => _ordinals = ordinals;

    public override bool MoveNext() => rows.MoveNext();

    public override void Write(TRow row)
    {
        var values = rows.Current;
        foreach (var ordinal in _ordinals)
            row.Write(values[ordinal]);
    }
}

/// <summary>Objects, with somebody who writes their values.</summary>
internal sealed class ItemBulkSource<TRow, T>(IEnumerator<T> items, Action<TRow, T> write) : BulkSource<TRow> where TRow : struct, IBulkRow
{
    public override int FieldCount => -1;

    public override bool MoveNext() => items.MoveNext();

    public override void Write(TRow row) => write(row, items.Current);
}

/// <summary>Objects that come one by one.</summary>
internal sealed class AsyncItemBulkSource<TRow, T>(IAsyncEnumerator<T> items, Action<TRow, T> write) : BulkSource<TRow> where TRow : struct, IBulkRow
{
    public override int FieldCount => -1;

    public override bool MoveNext() => throw new NotSupportedException("Rows that come asynchronously are copied by WriteToServerAsync.");

    public override ValueTask<bool> MoveNextAsync() => items.MoveNextAsync();

    public override void Write(TRow row) => write(row, items.Current);
}
