using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol.Commands;

namespace Slipstream.PostgreSql;

/// <summary>
/// Writes rows into a table with COPY … FROM STDIN in the binary format. Only <see cref="Complete"/> stores them; disposing the importer without it cancels
/// the import, and no row is written. The server converts nothing: each value must have exactly its column's type.
/// </summary>
/// <example>
/// <code>
/// using var importer = connection.BeginBinaryImport("COPY points (id, name) FROM STDIN (FORMAT binary)");
/// foreach (var point in points)
/// {
///     importer.StartRow();
///     importer.Write(point.Id);
///     importer.Write(point.Name);
/// }
///
/// importer.Complete();
/// </code>
/// </example>
public sealed class PgBinaryImporter : IDisposable, IAsyncDisposable
{
    private readonly CopyOperation _copy;
    private readonly CopyRows _rows;

    internal PgBinaryImporter(CopyOperation copy)
    {
        _copy = copy;
        _rows = new() { Columns = copy.Conversation.Columns };
        _rows.BeginMessage(copy.Out);
        CopyData.Signature(copy.Out);
    }

    /// <summary>Sets the time limit of each wait for the server: of a write that sends data, and of <see cref="Complete"/>.</summary>
    /// <value>The limit; zero: no limit. The default is the command time-out of the connection string.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan Timeout
    {
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            _copy.Timeout = (long)Math.Ceiling(value.TotalMilliseconds);
        }
    }

    // ---------------------------------------------------------------- rows

    /// <summary>Starts a row, after the previous one has all its values.</summary>
    /// <exception cref="InvalidOperationException">The previous row has too few values, or the import has ended.</exception>
    /// <exception cref="PgException">The server refused a row, or the connection was lost.</exception>
    public void StartRow()
    {
        BeginRow();
        if (MustSend)
            Send();
    }

    /// <inheritdoc cref="StartRow"/>
    /// <param name="cancellationToken">Cancels the import while it sends data.</param>
    /// <returns>A task that completes when the next value can be written.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task StartRowAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        try
        {
            BeginRow();
            return Sent(cancellationToken);
        }
        catch (Exception exception)
        {
            return Task.FromException(exception);
        }
    }

    /// <summary>Writes the next value in the type that it suggests. Null and <see cref="DBNull"/> are NULL. The usual value types are not boxed.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="value">The value.</param>
    /// <exception cref="InvalidOperationException">No row was started, the row already has all its values, or the import has ended.</exception>
    /// <exception cref="InvalidCastException">The value suggests no type.</exception>
    /// <exception cref="PgException">The server refused a row, or the connection was lost.</exception>
    public void Write<T>(T value)
    {
        Append(value);
        if (MustSend)
            Send();
    }

    /// <summary>Writes the next value in a type. Null and <see cref="DBNull"/> are NULL. The usual value types are not boxed.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="value">The value.</param>
    /// <param name="pgDbType">The type of the column.</param>
    /// <exception cref="InvalidOperationException">No row was started, the row already has all its values, or the import has ended.</exception>
    /// <exception cref="InvalidCastException">The value cannot be converted to the type.</exception>
    /// <exception cref="PgException">The server refused a row, or the connection was lost.</exception>
    public void Write<T>(T value, PgDbType pgDbType)
    {
        Append(value, ParameterTypes.ToOid(pgDbType, _copy.Types));
        if (MustSend)
            Send();
    }

    /// <inheritdoc cref="Write{T}(T, PgDbType)"/>
    /// <param name="value">The value.</param>
    /// <param name="dataTypeName">The name of the column's type, such as <c>integer</c> or <c>timestamp with time zone</c>.</param>
    /// <exception cref="NotSupportedException">The database does not have the type.</exception>
    public void Write<T>(T value, string dataTypeName)
    {
        Append(value, OidOf(dataTypeName));
        if (MustSend)
            Send();
    }

    /// <inheritdoc cref="Write{T}(T)"/>
    /// <param name="value">The value. Until the task completes, a large value must not change.</param>
    /// <param name="cancellationToken">Cancels the import while it sends data.</param>
    /// <returns>A task that completes when the next value can be written.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task WriteAsync<T>(T value, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        try
        {
            Append(value);
            return Sent(cancellationToken);
        }
        catch (Exception exception)
        {
            return Task.FromException(exception);
        }
    }

    /// <inheritdoc cref="Write{T}(T, PgDbType)"/>
    /// <param name="value">The value. Until the task completes, a large value must not change.</param>
    /// <param name="pgDbType">The type of the column.</param>
    /// <param name="cancellationToken">Cancels the import while it sends data.</param>
    /// <returns>A task that completes when the next value can be written.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task WriteAsync<T>(T value, PgDbType pgDbType, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        try
        {
            Append(value, ParameterTypes.ToOid(pgDbType, _copy.Types));
            return Sent(cancellationToken);
        }
        catch (Exception exception)
        {
            return Task.FromException(exception);
        }
    }

    /// <inheritdoc cref="Write{T}(T, string)"/>
    /// <param name="value">The value. Until the task completes, a large value must not change.</param>
    /// <param name="dataTypeName">The name of the column's type, such as <c>integer</c> or <c>timestamp with time zone</c>.</param>
    /// <param name="cancellationToken">Cancels the import while it sends data.</param>
    /// <returns>A task that completes when the next value can be written.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task WriteAsync<T>(T value, string dataTypeName, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        try
        {
            Append(value, OidOf(dataTypeName));
            return Sent(cancellationToken);
        }
        catch (Exception exception)
        {
            return Task.FromException(exception);
        }
    }

    /// <summary>Writes NULL as the next value.</summary>
    /// <exception cref="InvalidOperationException">No row was started, the row already has all its values, or the import has ended.</exception>
    /// <exception cref="PgException">The server refused a row, or the connection was lost.</exception>
    public void WriteNull() => Write<object?>(null);

    /// <inheritdoc cref="WriteNull"/>
    /// <param name="cancellationToken">Cancels the import while it sends data.</param>
    /// <returns>A task that completes when the next value can be written.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task WriteNullAsync(CancellationToken cancellationToken = default) => WriteAsync<object?>(null, cancellationToken);

    /// <summary>Starts a row and writes all its values, in the types that they suggest. If there are too many values, nothing is written.</summary>
    /// <param name="values">The values. Null and <see cref="DBNull"/> are NULL.</param>
    /// <exception cref="InvalidOperationException">The row has too many values, the previous one too few, or the import has ended.</exception>
    /// <exception cref="InvalidCastException">A value suggests no type.</exception>
    /// <exception cref="PgException">The server refused a row, or the connection was lost.</exception>
    public void WriteRow(params object?[] values)
    {
        ArgumentNullException.ThrowIfNull(values);
        _rows.RequireColumns(values.Length);
        StartRow();
        foreach (var value in values)
            Write(value);
    }

    /// <inheritdoc cref="WriteRow"/>
    /// <param name="cancellationToken">Cancels the import while it sends data.</param>
    /// <param name="values">The values. Null and <see cref="DBNull"/> are NULL.</param>
    /// <returns>A task that completes when the row has been written.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task WriteRowAsync(CancellationToken cancellationToken = default, params object?[] values)
    {
        ArgumentNullException.ThrowIfNull(values);
        _rows.RequireColumns(values.Length);
        await StartRowAsync(cancellationToken).ConfigureAwait(false);
        foreach (var value in values)
            await WriteAsync(value, cancellationToken).ConfigureAwait(false);
    }

    // ---------------------------------------------------------------- the end

    /// <summary>Completes the import: the rows are written. Outside a transaction, they are committed.</summary>
    /// <returns>The number of rows that the server has written.</returns>
    /// <exception cref="InvalidOperationException">The last row has too few values, or the import has ended.</exception>
    /// <exception cref="PgException">The server refused a row, or the connection was lost: no row is written.</exception>
    public ulong Complete()
    {
        EndRows();
        _copy.Run();
        return _copy.Conversation.Rows;
    }

    /// <inheritdoc cref="Complete"/>
    /// <param name="cancellationToken">Cancels the import. It may be too late: then the rows are written, and the call succeeds.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async ValueTask<ulong> CompleteAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        EndRows();
        await _copy.RunAsync(cancellationToken).ConfigureAwait(false);
        return _copy.Conversation.Rows;
    }

    /// <summary>Cancels the import unless it has been completed: no row is written. The connection can then be used again.</summary>
    /// <exception cref="PgException">The connection was lost.</exception>
    public void Close() => _copy.Abandon();

    /// <inheritdoc cref="Close"/>
    /// <param name="cancellationToken">Ignored, because the server must be told in any case.</param>
    /// <returns>A task that completes when the import has ended.</returns>
    public ValueTask CloseAsync(CancellationToken cancellationToken = default) => _copy.AbandonAsync();

    /// <inheritdoc cref="Close"/>
    public void Dispose() => Close();

    /// <inheritdoc cref="Close"/>
    /// <returns>A task that completes when the import has ended.</returns>
    public ValueTask DisposeAsync() => CloseAsync();

    // ---------------------------------------------------------------- bytes

    private uint OidOf(string dataTypeName)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(dataTypeName);
        return ParameterTypes.OidOf(dataTypeName, _copy.Types);
    }

    private bool MustSend => _copy.Out.TotalLength >= CopyRows.MessageLength;

    private void BeginRow()
    {
        _copy.RequireOpen();
        if (_rows.Column >= 0)
            _rows.EndRow();
        _rows.BeginMessage(_copy.Out);
        _rows.BeginRow(_copy.Out);
    }

    private void BeginValue(out int start)
    {
        _copy.RequireOpen();
        if (_rows.Column < 0)
            throw new InvalidOperationException("No row was started: call StartRow before the first value of each row.");
        _rows.NextColumn();
        _rows.BeginMessage(_copy.Out);
        start = _copy.Out.Length;
    }

    private void Append<T>(T value)
    {
        BeginValue(out var start);
        try
        {
            CopyValueWriter.Write(_copy.Out, value, _copy.Types);
        }
        catch
        {
            DropValue(start);
            throw;
        }
    }

    private void Append<T>(T value, uint oid)
    {
        BeginValue(out var start);
        try
        {
            CopyValueWriter.Write(_copy.Out, value, oid, _copy.Types);
        }
        catch
        {
            DropValue(start);
            throw;
        }
    }

    // The caller may write another value in its place.
    private void DropValue(int start)
    {
        _copy.Out.Truncate(start);
        _rows.DropValue();
    }

    private void Send()
    {
        EndMessage();
        _copy.Run();
    }

    private Task Sent(CancellationToken cancellationToken)
    {
        if (!MustSend)
            return Task.CompletedTask;
        EndMessage();
        var sending = _copy.RunAsync(cancellationToken);
        if (!sending.IsCompletedSuccessfully)
            return sending.AsTask();
        _ = sending.Result;
        return Task.CompletedTask;
    }

    private void EndMessage()
    {
        try
        {
            _rows.EndMessage(_copy.Out);
        }
        catch (InvalidOperationException)
        {
            // The message is too long and was removed, with rows in it: the import cannot go on.
            _copy.Abandon();
            throw;
        }

        _copy.Conversation.Send();
    }

    private void EndRows()
    {
        _copy.RequireOpen();
        if (_rows.Column >= 0)
            _rows.EndRow();
        _rows.BeginMessage(_copy.Out);
        CopyData.Trailer(_copy.Out);
        _rows.EndMessage(_copy.Out);
        _copy.Conversation.Complete(_copy.Out);
    }
}
