using System.Data;
using System.Data.Common;

namespace Slipstream.Core.Data;

/// <summary>
/// What every provider's batch is: several commands that travel together. What is seen of it is always what running them one by one up to
/// the first error shows; how few round trips that takes is the provider's business.
/// </summary>
public abstract class ProviderBatch : DbBatch
{
    private protected ProviderBatch()
    {
    }

    /// <summary>Runs the commands as if they were one: time-out, cancellation, reader and telemetry are those of a command.</summary>
    private protected abstract ProviderBatchExecution Execution { get; }

    /// <summary>Seconds for the whole batch; 0 is no limit. Default: the connection string's.</summary>
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

    /// <summary>True for a batch of a data source: its connection is open while the batch runs, and no longer.</summary>
    private protected bool OpensItsConnection
    {
        get => Execution.OpensConnection;
        init => Execution.OpensConnection = value;
    }

    /// <inheritdoc/>
    protected override DbDataReader ExecuteDbDataReader(CommandBehavior behavior) => Execution.ExecuteReader(behavior);

    /// <inheritdoc/>
    protected override Task<DbDataReader> ExecuteDbDataReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken) => Execution.ExecuteReaderAsync(behavior, cancellationToken);

    /// <summary>Runs all commands.</summary>
    /// <returns>The rows that all commands changed; −1 when none of them changes rows.</returns>
    public override int ExecuteNonQuery() => Execution.ExecuteNonQuery();

    /// <inheritdoc cref="ExecuteNonQuery"/>
    public override Task<int> ExecuteNonQueryAsync(CancellationToken cancellationToken = default) => Execution.ExecuteNonQueryAsync(cancellationToken);

    /// <summary>Runs all commands.</summary>
    /// <returns>The first column of the first row of the first result set; null when it has no row.</returns>
    public override object? ExecuteScalar() => Execution.ExecuteScalar();

    /// <inheritdoc cref="ExecuteScalar"/>
    public override Task<object?> ExecuteScalarAsync(CancellationToken cancellationToken = default) => Execution.ExecuteScalarAsync(cancellationToken);

    /// <summary>A promise, not a round trip: where the provider can, the commands' texts are prepared with their execution.</summary>
    /// <exception cref="InvalidOperationException">No connection, not open, no command, or one without text.</exception>
    public override void Prepare()
    {
        if (OpensItsConnection)
            throw new NotSupportedException(
                "A batch of a data source cannot be prepared, because it has no connection of its own: use CreateBatch of a connection.");
        Execution.Prepare();
    }

    /// <inheritdoc cref="Prepare"/>
    public override Task PrepareAsync(CancellationToken cancellationToken = default)
    {
        if (OpensItsConnection)
            return Task.FromException(new NotSupportedException("A batch of a data source cannot be prepared, because it has no connection of its own: use CreateBatch of a connection."));
        return Execution.PrepareAsync(cancellationToken);
    }

    /// <summary>Asks the server to stop what the batch is doing, over another connection. Returns at once; does nothing when it is not running.</summary>
    public override void Cancel() => Execution.Cancel();

    /// <inheritdoc/>
    public override void Dispose()
    {
        Execution.Dispose();
        base.Dispose();
        GC.SuppressFinalize(this);
    }
}
