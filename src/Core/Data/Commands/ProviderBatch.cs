using System.Data;
using System.Data.Common;

namespace Slipstream.Core.Data;

/// <summary>
/// The base class of the providers' batches: several commands that are sent together. The results are the same as if the commands were executed one by one up
/// to the first error. The number of round trips depends on the provider.
/// </summary>
public abstract class ProviderBatch : DbBatch
{
    private protected ProviderBatch()
    {
    }

    /// <summary>Runs the commands as one command, with one time-out, cancellation, reader and telemetry.</summary>
    private protected abstract ProviderBatchExecution Execution { get; }

    /// <summary>Gets or sets the time limit for the whole batch, in seconds.</summary>
    /// <value>0: no limit. The default is that of the connection string.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public override int Timeout
    {
        get => Execution.CommandTimeout;
        set => Execution.CommandTimeout = value;
    }

    /// <inheritdoc/>
    protected override DbConnection? DbConnection
    {
        get => Execution.Connection;
        set => Execution.Connection = value;
    }

    /// <inheritdoc/>
    protected override DbTransaction? DbTransaction
    {
        get => Execution.Transaction;
        set => Execution.Transaction = value;
    }

    /// <summary>Whether the batch belongs to a data source: its connection is open only while the batch runs.</summary>
    private protected bool OpensItsConnection
    {
        get => Execution.OpensConnection;
        init => Execution.OpensConnection = value;
    }

    /// <inheritdoc/>
    protected override DbDataReader ExecuteDbDataReader(CommandBehavior behavior) => Execution.ExecuteReader(behavior);

    /// <inheritdoc/>
    protected override Task<DbDataReader> ExecuteDbDataReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken) =>
        Execution.ExecuteReaderAsync(behavior, cancellationToken);

    /// <summary>Executes all commands.</summary>
    /// <returns>The number of rows that all commands changed; −1 if none of them changes rows.</returns>
    /// <exception cref="System.Data.Common.DbException">The server refused a command, or the connection was lost.</exception>
    /// <exception cref="InvalidOperationException">There is no open connection, no command, or a command without text.</exception>
    public override int ExecuteNonQuery() => Execution.ExecuteNonQuery();

    /// <inheritdoc cref="ExecuteNonQuery"/>
    /// <param name="cancellationToken">Cancels the execution.</param>
    public override Task<int> ExecuteNonQueryAsync(CancellationToken cancellationToken = default) => Execution.ExecuteNonQueryAsync(cancellationToken);

    /// <summary>Executes all commands.</summary>
    /// <returns>The first column of the first row of the first result set; null if it has no rows.</returns>
    /// <exception cref="System.Data.Common.DbException">The server refused a command, or the connection was lost.</exception>
    /// <exception cref="InvalidOperationException">There is no open connection, no command, or a command without text.</exception>
    public override object? ExecuteScalar() => Execution.ExecuteScalar();

    /// <inheritdoc cref="ExecuteScalar"/>
    /// <param name="cancellationToken">Cancels the execution.</param>
    public override Task<object?> ExecuteScalarAsync(CancellationToken cancellationToken = default) => Execution.ExecuteScalarAsync(cancellationToken);

    /// <summary>Requests that the commands are prepared with their next execution, if the provider supports it. Makes no round trip.</summary>
    /// <exception cref="InvalidOperationException">There is no open connection, no command, or a command without text.</exception>
    /// <exception cref="NotSupportedException">The batch belongs to a data source.</exception>
    public override void Prepare()
    {
        if (OpensItsConnection)
            throw new NotSupportedException(
                "A batch of a data source cannot be prepared, because it has no connection of its own: create the batch with the connection's CreateBatch.");
        Execution.Prepare();
    }

    /// <inheritdoc cref="Prepare"/>
    /// <param name="cancellationToken">A token; a cancelled one ends the call.</param>
    /// <returns>A completed task.</returns>
    public override Task PrepareAsync(CancellationToken cancellationToken = default)
    {
        if (OpensItsConnection)
            return Task.FromException(new NotSupportedException("A batch of a data source cannot be prepared, because it has no connection of its own: "
                + "create the batch with the connection's CreateBatch."));
        return Execution.PrepareAsync(cancellationToken);
    }

    /// <summary>Asks the server, over another connection, to stop the batch. Returns at once. Does nothing if the batch is not running.</summary>
    public override void Cancel() => Execution.Cancel();

    /// <inheritdoc/>
    public override void Dispose()
    {
        Execution.Dispose();
        base.Dispose();
        GC.SuppressFinalize(this);
    }
}
