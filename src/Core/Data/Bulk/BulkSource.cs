using System.Data;

namespace Slipstream.Core.Data;

/// <summary>The source of the rows of a bulk copy, blocking and asynchronous.</summary>
/// <typeparam name="TRow">The type that writes a row's values.</typeparam>
internal abstract class BulkSource<TRow> where TRow : struct, IBulkRow
{
    /// <summary>Number of values of a row; −1 if the source writes exactly the values that are needed.</summary>
    public abstract int FieldCount { get; }

    /// <summary>Sets which values are needed, from left to right. Called once, before the first row.</summary>
    public virtual void Map(int[] ordinals)
    {
        // A source that writes its own values needs no map.
    }

    public abstract bool MoveNext();

    public virtual ValueTask<bool> MoveNextAsync() => new(MoveNext());

    /// <summary>Writes the current row.</summary>
    public abstract void Write(TRow row);
}

/// <summary>The rows of a <see cref="DataTable"/>.</summary>
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

/// <summary>Objects, with a callback that writes their values.</summary>
internal sealed class ItemBulkSource<TRow, T>(IEnumerator<T> items, Action<TRow, T> write) : BulkSource<TRow> where TRow : struct, IBulkRow
{
    public override int FieldCount => -1;

    public override bool MoveNext() => items.MoveNext();

    public override void Write(TRow row) => write(row, items.Current);
}

/// <summary>Objects that are supplied asynchronously, with a callback that writes their values.</summary>
internal sealed class AsyncItemBulkSource<TRow, T>(IAsyncEnumerator<T> items, Action<TRow, T> write) : BulkSource<TRow> where TRow : struct, IBulkRow
{
    public override int FieldCount => -1;

    public override bool MoveNext() => throw new NotSupportedException("Rows of an asynchronous source can be copied only with WriteToServerAsync.");

    public override ValueTask<bool> MoveNextAsync() => items.MoveNextAsync();

    public override void Write(TRow row) => write(row, items.Current);
}
