using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;

namespace Slipstream.PostgreSql;

/// <summary>
/// Several commands that travel together, in one round trip as long as their texts and values are together shorter than half a megabyte.
/// Outside of a transaction they are one: the server undoes all of them when it refuses one, and does not run those behind it.
/// (<see cref="BatchErrors"/> changes both.)
/// </summary>
/// <remarks>The same text several times in a row is parsed once.</remarks>
public sealed class PgBatch : ProviderBatch
{
    private readonly PgBatchExecution _execution;

    /// <summary>A batch without commands.</summary>
    public PgBatch()
        : this(connection: null)
    {
    }

    /// <summary>A batch without commands.</summary>
    public PgBatch(PgConnection? connection = null, PgTransaction? transaction = null) => _execution = new(BatchCommands) { Connection = connection, Transaction = transaction };

    /// <summary>A batch whose connection is open only while it runs.</summary>
    internal PgBatch(PgDataSource source)
        : this(source.CreateConnection()) => OpensItsConnection = true;

    /// <summary>Its commands, in the order in which they are executed.</summary>
    public new PgBatchCommandCollection BatchCommands { get; } = new();

    /// <summary>The connection it runs on; it must be open when the batch is executed.</summary>
    public new PgConnection? Connection
    {
        get => (PgConnection?)DbConnection;
        set => DbConnection = value;
    }

    /// <summary>The connection's transaction, or null.</summary>
    public new PgTransaction? Transaction
    {
        get => (PgTransaction?)DbTransaction;
        set => DbTransaction = value;
    }

    /// <inheritdoc/>
    protected override DbConnection? DbConnection
    {
        get => base.DbConnection;
        set => base.DbConnection = (PgConnection?)value;
    }

    /// <inheritdoc/>
    protected override DbTransaction? DbTransaction
    {
        get => base.DbTransaction;
        set => base.DbTransaction = (PgTransaction?)value;
    }

    /// <summary>
    /// What happens when the server refuses a command. Default: the connection string's Batch Errors.
    /// (Not in Npgsql, but see <see cref="EnableErrorBarriers"/>.)
    /// </summary>
    public PgBatchErrors BatchErrors
    {
        get => _execution.BatchErrors ?? Connection?.PgSource.Settings.BatchErrors ?? PgBatchErrors.Stop;
        set => _execution.BatchErrors = value;
    }

    /// <summary>Each command succeeds or fails by itself: another name for <see cref="PgBatchErrors.Continue"/>.</summary>
    public bool EnableErrorBarriers
    {
        get => BatchErrors == PgBatchErrors.Continue;
        set => BatchErrors = value ? PgBatchErrors.Continue : PgBatchErrors.Stop;
    }

    /// <inheritdoc/>
    private protected override ProviderBatchExecution Execution => _execution;

    /// <inheritdoc/>
    protected override DbBatchCommandCollection DbBatchCommands => BatchCommands;

    /// <summary>Executes the batch and returns a reader at the first result with rows.</summary>
    public new PgDataReader ExecuteReader(CommandBehavior behavior = CommandBehavior.Default) => (PgDataReader)ExecuteDbDataReader(behavior);

    /// <summary>Executes the batch and returns a reader at the first result with rows.</summary>
    public new Task<PgDataReader> ExecuteReaderAsync(CancellationToken cancellationToken = default) => ExecuteReaderAsync(CommandBehavior.Default, cancellationToken);

    /// <summary>Executes the batch and returns a reader at the first result with rows.</summary>
    public new Task<PgDataReader> ExecuteReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken = default) => _execution.ExecuteReaderOf(behavior, cancellationToken);

    /// <inheritdoc/>
    protected override DbBatchCommand CreateDbBatchCommand() => new PgBatchCommand();
}
