using System.Data;

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
