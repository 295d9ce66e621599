using System.Data;

namespace Slipstream.Core.Data;

// What can be copied.
public abstract partial class ProviderBulkCopy<TRow, TResult>
{
    /// <summary>Copies the rows of a table in memory.</summary>
    /// <exception cref="System.Data.Common.DbException">The server refused a row, or a value cannot be written.
    /// No row has been written, unless the message says so.</exception>
    public TResult WriteToServer(DataTable dataTable)
    {
        ArgumentNullException.ThrowIfNull(dataTable);
        return WriteToServer(dataTable.Rows.Cast<DataRow>(), dataTable.Columns.Count);
    }

    /// <summary>Copies rows of a table in memory.</summary>
    /// <param name="dataRows">The rows.</param>
    /// <param name="columnCount">Values of a row.</param>
    /// <inheritdoc cref="WriteToServer(DataTable)"/>
    public TResult WriteToServer(IEnumerable<DataRow> dataRows, int columnCount)
    {
        ArgumentNullException.ThrowIfNull(dataRows);
        using var rows = dataRows.GetEnumerator();
        return ResultOf(Copy(new DataRowBulkSource<TRow>(rows, columnCount)));
    }

    /// <summary>Copies what a reader reads. The reader must be on another connection.</summary>
    /// <inheritdoc cref="WriteToServer(DataTable)"/>
    public TResult WriteToServer(IDataReader dataReader)
    {
        ArgumentNullException.ThrowIfNull(dataReader);
        return ResultOf(Copy(new ReaderBulkSource<TRow>(dataReader, default)));
    }

    /// <summary>Copies objects: the callback writes the values of each.</summary>
    /// <param name="items">The objects.</param>
    /// <param name="write">Writes an object's values from left to right, in the order of the mappings, or of the table's columns without mappings.</param>
    /// <inheritdoc cref="WriteToServer(DataTable)"/>
    public TResult WriteToServer<T>(IEnumerable<T> items, Action<TRow, T> write)
    {
        ArgumentNullException.ThrowIfNull(items);
        ArgumentNullException.ThrowIfNull(write);
        using var rows = items.GetEnumerator();
        return ResultOf(Copy(new ItemBulkSource<TRow, T>(rows, write)));
    }

    /// <inheritdoc cref="WriteToServer(DataTable)"/>
    public ValueTask<TResult> WriteToServerAsync(DataTable dataTable, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(dataTable);
        return WriteToServerAsync(dataTable.Rows.Cast<DataRow>(), dataTable.Columns.Count, cancellationToken);
    }

    /// <inheritdoc cref="WriteToServer(IEnumerable{DataRow}, int)"/>
    public async ValueTask<TResult> WriteToServerAsync(IEnumerable<DataRow> dataRows, int columnCount, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(dataRows);
        using var rows = dataRows.GetEnumerator();
        return ResultOf(await CopyAsync(new DataRowBulkSource<TRow>(rows, columnCount), cancellationToken).ConfigureAwait(false));
    }

    /// <inheritdoc cref="WriteToServer(IDataReader)"/>
    public async ValueTask<TResult> WriteToServerAsync(IDataReader dataReader, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(dataReader);
        return ResultOf(await CopyAsync(new ReaderBulkSource<TRow>(dataReader, cancellationToken), cancellationToken).ConfigureAwait(false));
    }

    /// <inheritdoc cref="WriteToServer{T}(IEnumerable{T}, Action{TRow, T})"/>
    public async ValueTask<TResult> WriteToServerAsync<T>(IEnumerable<T> items, Action<TRow, T> write, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        ArgumentNullException.ThrowIfNull(write);
        using var rows = items.GetEnumerator();
        return ResultOf(await CopyAsync(new ItemBulkSource<TRow, T>(rows, write), cancellationToken).ConfigureAwait(false));
    }

    /// <inheritdoc cref="WriteToServer{T}(IEnumerable{T}, Action{TRow, T})"/>
    public async ValueTask<TResult> WriteToServerAsync<T>(IAsyncEnumerable<T> items, Action<TRow, T> write, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        ArgumentNullException.ThrowIfNull(write);
        var rows = items.GetAsyncEnumerator(cancellationToken);
        await using (rows.ConfigureAwait(false))
            return ResultOf(await CopyAsync(new AsyncItemBulkSource<TRow, T>(rows, write), cancellationToken).ConfigureAwait(false));
    }
}
