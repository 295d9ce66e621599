using System.Runtime.CompilerServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;

namespace Slipstream.PostgreSql;

/// <summary>
/// Reads rows with COPY … TO STDOUT in the binary format. The server does not report the columns' types: name them, or use .NET types that suggest them.
/// Disposing the exporter skips the rest of the rows; <see cref="Cancel"/> asks the server to stop.
/// </summary>
/// <example>
/// <code>
/// using var exporter = connection.BeginBinaryExport("COPY points (id, name) TO STDOUT (FORMAT binary)");
/// while (exporter.StartRow() >= 0)
///     points.Add(new(exporter.Read&lt;int>(), exporter.Read&lt;string>()));
/// </code>
/// </example>
public sealed class PgBinaryExporter : IDisposable, IAsyncDisposable
{
    // Values of _column that are not the index of the next value.
    private const int BeforeRow = -1;
    private const int HasNewRow = -2;

    private readonly CopyOperation _copy;
    private readonly BinaryCopyRows _rows;
    private readonly CopyValueReader _values;
    private readonly int _columns;
    private int _column = BeforeRow;
    private bool _isAtEnd;
    private bool _isDisposed;

    internal PgBinaryExporter(CopyOperation copy)
    {
        _copy = copy;
        _columns = copy.Conversation.Columns;
        _rows = new(_columns);
        _values = new(_columns, copy.Types);
    }

    /// <summary>Sets the time limit of each wait for the server.</summary>
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

    /// <summary>Gets whether the next value of the row is NULL.</summary>
    /// <exception cref="InvalidOperationException">There is no row, or all its values have been read.</exception>
    public bool IsNull => _values.IsNull(Next());

    /// <summary>Moves to the next row. Values of the current row that have not been read are skipped.</summary>
    /// <returns>The number of columns; −1 after the last row.</returns>
    /// <exception cref="PgException">The server sent an error, or the connection was lost.</exception>
    /// <exception cref="ObjectDisposedException">The exporter has been disposed.</exception>
    public int StartRow()
    {
        if (!TakeArrived())
        {
            while (Wants())
                Take(_copy.Run());
        }

        return Started;
    }

    /// <inheritdoc cref="StartRow"/>
    /// <param name="cancellationToken">Cancels the export.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public ValueTask<int> StartRowAsync(CancellationToken cancellationToken = default)
    {
        try
        {
            if (!cancellationToken.IsCancellationRequested && TakeArrived())
                return new(Started);
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<int>(exception);
        }

        return AwaitRow(cancellationToken);
    }

    /// <summary>Reads the next value of the row. The column must have the type that <typeparamref name="T"/> suggests, or the type of its last read.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidOperationException">There is no row, or all its values have been read.</exception>
    /// <exception cref="InvalidCastException">
    /// The value is NULL and <typeparamref name="T"/> is not nullable, it does not have the suggested type, or <typeparamref name="T"/> suggests none.
    /// </exception>
    public T Read<T>() => Read<T>(TypeOid.Unspecified);

    /// <summary>Reads the next value of the row, whose column has the given type.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="type">The type of the column.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidOperationException">There is no row, or all its values have been read.</exception>
    /// <exception cref="InvalidCastException">
    /// The value is NULL and <typeparamref name="T"/> is not nullable, it does not have the given type, or it cannot be converted.
    /// </exception>
    public T Read<T>(PgDbType type) => Read<T>(ParameterTypes.ToOid(type, _copy.Types));

    /// <inheritdoc cref="Read{T}()"/>
    /// <param name="cancellationToken">Ignored, because the row has already arrived.</param>
    public ValueTask<T> ReadAsync<T>(CancellationToken cancellationToken = default) => Completed<T>(TypeOid.Unspecified);

    /// <inheritdoc cref="Read{T}(PgDbType)"/>
    /// <param name="type">The type of the column.</param>
    /// <param name="cancellationToken">Ignored, because the row has already arrived.</param>
    public ValueTask<T> ReadAsync<T>(PgDbType type, CancellationToken cancellationToken = default)
    {
        try
        {
            return new(Read<T>(type));
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<T>(exception);
        }
    }

    /// <summary>Skips the next value of the row.</summary>
    /// <exception cref="InvalidOperationException">There is no row, or all its values have been read.</exception>
    public void Skip()
    {
        Next();
        _column++;
    }

    /// <inheritdoc cref="Skip"/>
    /// <param name="cancellationToken">Ignored, because the row has already arrived.</param>
    /// <returns>A completed task.</returns>
    public Task SkipAsync(CancellationToken cancellationToken = default)
    {
        try
        {
            Skip();
            return Task.CompletedTask;
        }
        catch (Exception exception)
        {
            return Task.FromException(exception);
        }
    }

    /// <summary>Asks the server to stop, and ends the export. The connection can then be used again.</summary>
    /// <exception cref="PgException">The connection was lost.</exception>
    public void Cancel()
    {
        _copy.InterruptExport();
        Dispose();
    }

    /// <inheritdoc cref="Cancel"/>
    /// <returns>A task that completes when the export has ended.</returns>
    public Task CancelAsync()
    {
        _copy.InterruptExport();
        return DisposeAsync().AsTask();
    }

    /// <summary>Skips the rest of the rows, and ends the export. The connection can then be used again.</summary>
    /// <exception cref="PgException">The connection was lost.</exception>
    public void Dispose()
    {
        _isDisposed = true;
        _column = BeforeRow;
        _copy.Abandon();
    }

    /// <inheritdoc cref="Dispose"/>
    /// <returns>A task that completes when the export has ended.</returns>
    public ValueTask DisposeAsync()
    {
        _isDisposed = true;
        _column = BeforeRow;
        return _copy.AbandonAsync();
    }

    // ---------------------------------------------------------------- messages

    private int Started => _isAtEnd ? -1 : _columns;

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> AwaitRow(CancellationToken cancellationToken)
    {
        while (Wants())
            Take(await _copy.RunAsync(cancellationToken).ConfigureAwait(false));
        return Started;
    }

    // The usual case by far: the row has arrived already. Returns false if a message must be waited for.
    private bool TakeArrived()
    {
        while (Wants())
        {
            if (!_copy.TryTakeArrived())
                return false;
            Take(Step.Row);
        }

        return true;
    }

    // Whether another message is needed to find the next row or the end.
    private bool Wants()
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (_isAtEnd)
            return false;
        if (_column != HasNewRow)
        {
            _column = BeforeRow;
            return true;
        }

        _column = 0;
        return false;
    }

    private void Take(Step step)
    {
        var conversation = _copy.Conversation;
        if (step == Step.Completed)
        {
            _isAtEnd = true;
            if (!_rows.HasTrailer)
                throw _copy.Failed(new ProtocolException("the trailer of a COPY in binary format", "the end of the data"));
            return;
        }

        try
        {
            _rows.Take(_copy.In.AsSpan(conversation.MessageStart, conversation.MessageEnd - conversation.MessageStart), out var row);
            if (row < 0)
                return;
            _values.Set(_copy.In, conversation.MessageStart + row, conversation.MessageEnd);
            _values.Check();
            _column = HasNewRow;
        }
        catch (Exception exception)
        {
            throw _copy.Failed(exception);
        }
    }

    private int Next()
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (_column < 0 || !_copy.IsOpen)
            throw new InvalidOperationException("There is no current row: call StartRow before reading values.");
        return _column < _columns
            ? _column
            : throw new InvalidOperationException($"All {_columns} values of the row have been read: call StartRow for the next row.");
    }

    private T Read<T>(uint oid)
    {
        var value = _values.Read<T>(Next(), oid);
        _column++;
        return value;
    }

    private ValueTask<T> Completed<T>(uint oid)
    {
        try
        {
            return new(Read<T>(oid));
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<T>(exception);
        }
    }
}
