using System.Data;

namespace Slipstream.Core.Data;

// The sources of rows.
public abstract partial class ProviderBulkCopy<TRow, TResult>
{
    /// <summary>Copies the rows of a <see cref="DataTable"/> to the destination table.</summary>
    /// <param name="dataTable">The table in memory.</param>
    /// <returns>The result of the copy.</returns>
    /// <exception cref="System.Data.Common.DbException">The server refused a row, or a value cannot be written. No row has been written, unless the message
    /// says otherwise.</exception>
    /// <exception cref="InvalidOperationException"><see cref="DestinationTableName"/> is not set, or the number of values does not match the
    /// columns.</exception>
    /// <exception cref="ArgumentException"><see cref="DestinationTableName"/> is not the name of a table.</exception>
    public TResult WriteToServer(DataTable dataTable)
    {
        ArgumentNullException.ThrowIfNull(dataTable);
        return WriteToServer(dataTable.Rows.Cast<DataRow>(), dataTable.Columns.Count);
    }

    /// <summary>Copies <see cref="DataRow"/>s to the destination table.</summary>
    /// <param name="dataRows">The rows.</param>
    /// <param name="columnCount">The number of values of a row.</param>
    /// <inheritdoc cref="WriteToServer(DataTable)"/>
    public TResult WriteToServer(IEnumerable<DataRow> dataRows, int columnCount)
    {
        ArgumentNullException.ThrowIfNull(dataRows);
        using var rows = dataRows.GetEnumerator();
        return ResultOf(Copy(new DataRowBulkSource<TRow>(rows, columnCount)));
    }

    /// <summary>Copies the rows of a data reader to the destination table. The reader must use another connection.</summary>
    /// <param name="dataReader">The reader. The copy reads its current result set to the end.</param>
    /// <inheritdoc cref="WriteToServer(DataTable)"/>
    public TResult WriteToServer(IDataReader dataReader)
    {
        ArgumentNullException.ThrowIfNull(dataReader);
        return ResultOf(Copy(new ReaderBulkSource<TRow>(dataReader, default)));
    }

    /// <summary>Copies objects to the destination table. A callback writes the values of each object.</summary>
    /// <typeparam name="T">The type of the objects.</typeparam>
    /// <param name="items">The objects.</param>
    /// <param name="write">Writes an object's values from left to right, in the order of the mappings, or of the table's columns if there are no
    /// mappings.</param>
    /// <inheritdoc cref="WriteToServer(DataTable)"/>
    public TResult WriteToServer<T>(IEnumerable<T> items, Action<TRow, T> write)
    {
        ArgumentNullException.ThrowIfNull(items);
        ArgumentNullException.ThrowIfNull(write);
        using var rows = items.GetEnumerator();
        return ResultOf(Copy(new ItemBulkSource<TRow, T>(rows, write)));
    }

    /// <inheritdoc cref="WriteToServer(DataTable)"/>
    /// <param name="dataTable">The table in memory.</param>
    /// <param name="cancellationToken">Cancels the copy; its rows are then rolled back.</param>
    public ValueTask<TResult> WriteToServerAsync(DataTable dataTable, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(dataTable);
        return WriteToServerAsync(dataTable.Rows.Cast<DataRow>(), dataTable.Columns.Count, cancellationToken);
    }

    /// <inheritdoc cref="WriteToServer(IEnumerable{DataRow}, int)"/>
    /// <param name="dataRows">The rows.</param>
    /// <param name="columnCount">The number of values of a row.</param>
    /// <param name="cancellationToken">Cancels the copy; its rows are then rolled back.</param>
    public async ValueTask<TResult> WriteToServerAsync(IEnumerable<DataRow> dataRows, int columnCount, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(dataRows);
        using var rows = dataRows.GetEnumerator();
        return ResultOf(await CopyAsync(new DataRowBulkSource<TRow>(rows, columnCount), cancellationToken).ConfigureAwait(false));
    }

    /// <inheritdoc cref="WriteToServer(IDataReader)"/>
    /// <param name="dataReader">The reader. The copy reads its current result set to the end.</param>
    /// <param name="cancellationToken">Cancels the copy; its rows are then rolled back.</param>
    public async ValueTask<TResult> WriteToServerAsync(IDataReader dataReader, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(dataReader);
        return ResultOf(await CopyAsync(new ReaderBulkSource<TRow>(dataReader, cancellationToken), cancellationToken).ConfigureAwait(false));
    }

    /// <inheritdoc cref="WriteToServer{T}(IEnumerable{T}, Action{TRow, T})"/>
    /// <typeparam name="T">The type of the objects.</typeparam>
    /// <param name="items">The objects.</param>
    /// <param name="write">Writes an object's values from left to right, in the order of the mappings, or of the table's columns if there are no
    /// mappings.</param>
    /// <param name="cancellationToken">Cancels the copy; its rows are then rolled back.</param>
    public async ValueTask<TResult> WriteToServerAsync<T>(IEnumerable<T> items, Action<TRow, T> write, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        ArgumentNullException.ThrowIfNull(write);
        using var rows = items.GetEnumerator();
        return ResultOf(await CopyAsync(new ItemBulkSource<TRow, T>(rows, write), cancellationToken).ConfigureAwait(false));
    }

    /// <inheritdoc cref="WriteToServer{T}(IEnumerable{T}, Action{TRow, T})"/>
    /// <typeparam name="T">The type of the objects.</typeparam>
    /// <param name="items">The objects, which may be supplied asynchronously.</param>
    /// <param name="write">Writes an object's values from left to right, in the order of the mappings, or of the table's columns if there are no
    /// mappings.</param>
    /// <param name="cancellationToken">Cancels the copy; its rows are then rolled back.</param>
    public async ValueTask<TResult> WriteToServerAsync<T>(IAsyncEnumerable<T> items, Action<TRow, T> write, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        ArgumentNullException.ThrowIfNull(write);
        var rows = items.GetAsyncEnumerator(cancellationToken);
        await using (rows.ConfigureAwait(false))
            return ResultOf(await CopyAsync(new AsyncItemBulkSource<TRow, T>(rows, write), cancellationToken).ConfigureAwait(false));
    }
}
