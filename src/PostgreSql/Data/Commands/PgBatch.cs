using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;

namespace Slipstream.PostgreSql;

/// <summary>
/// Several commands that are sent together. They take one round trip if their texts and values together are shorter than 512 KiB. Outside a transaction, the
/// batch is one transaction: if the server rejects a command, it rolls back all of them and does not execute the rest. <see cref="BatchErrors"/> changes both.
/// </summary>
/// <remarks>A text that occurs several times in a row is parsed once.</remarks>
public sealed class PgBatch : ProviderBatch
{
    private readonly PgBatchExecution _execution;

    /// <summary>Creates a batch without commands.</summary>
    public PgBatch()
        : this(connection: null)
    {
    }

    /// <summary>Creates a batch without commands.</summary>
    /// <param name="connection">The connection to execute the batch on; it may be set later.</param>
    /// <param name="transaction">The connection's transaction, or null.</param>
    public PgBatch(PgConnection? connection = null, PgTransaction? transaction = null) =>
        _execution = new(BatchCommands) { Connection = connection, Transaction = transaction, Batch = this };

    /// <summary>Creates a batch whose connection is open only during the execution.</summary>
    internal PgBatch(PgDataSource source)
        : this(source.CreateConnection()) => OpensItsConnection = true;

    /// <summary>Gets the commands, in the order of their execution.</summary>
    public new PgBatchCommandCollection BatchCommands { get; } = new();

    /// <summary>Gets or sets the connection. It must be open when the batch is executed.</summary>
    public new PgConnection? Connection
    {
        get => (PgConnection?)DbConnection;
        set => DbConnection = value;
    }

    /// <summary>Gets or sets the connection's transaction; null if there is none.</summary>
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
    /// Gets or sets what happens if the server rejects a command. Default: the option Batch Errors. (Not in Npgsql, but see <see cref="EnableErrorBarriers"/>.)
    /// </summary>
    public PgBatchErrors BatchErrors
    {
        get => _execution.BatchErrors ?? Connection?.PgSource.Settings.BatchErrors ?? PgBatchErrors.Stop;
        set => _execution.BatchErrors = value;
    }

    /// <summary>
    /// Gets or sets whether each command succeeds or fails separately: another name for <see cref="PgBatchErrors.Continue"/>. Default: false.
    /// </summary>
    public bool EnableErrorBarriers
    {
        get => BatchErrors == PgBatchErrors.Continue;
        set => BatchErrors = value ? PgBatchErrors.Continue : PgBatchErrors.Stop;
    }

    /// <summary>Creates a command. It is not added to the batch.</summary>
    /// <returns>The command.</returns>
    [SuppressMessage("Performance", "CA1822:Mark members as static", Justification = "ADO.NET makes it a batch's.")]
    public new PgBatchCommand CreateBatchCommand() => new();

    /// <inheritdoc/>
    private protected override ProviderBatchExecution Execution => _execution;

    /// <inheritdoc/>
    protected override DbBatchCommandCollection DbBatchCommands => BatchCommands;

    /// <summary>Executes the batch and returns a reader at the first result with rows.</summary>
    /// <param name="behavior">The behaviour of the reader. Default: <see cref="CommandBehavior.Default"/>.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="InvalidOperationException">The connection is missing, not open or busy, or a parameter is missing.</exception>
    /// <exception cref="PgException">The server rejected a command, or the network or a time-out ended the batch.</exception>
    public new PgDataReader ExecuteReader(CommandBehavior behavior = CommandBehavior.Default) => (PgDataReader)ExecuteDbDataReader(behavior);

    /// <summary>Executes the batch and returns a reader at the first result with rows.</summary>
    /// <param name="cancellationToken">Cancels the batch on the server.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="InvalidOperationException">The connection is missing, not open or busy, or a parameter is missing.</exception>
    /// <exception cref="PgException">The server rejected a command, or the network or a time-out ended the batch.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public new Task<PgDataReader> ExecuteReaderAsync(CancellationToken cancellationToken = default) =>
        ExecuteReaderAsync(CommandBehavior.Default, cancellationToken);

    /// <summary>Executes the batch and returns a reader at the first result with rows.</summary>
    /// <param name="behavior">The behaviour of the reader.</param>
    /// <param name="cancellationToken">Cancels the batch on the server.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="InvalidOperationException">The connection is missing, not open or busy, or a parameter is missing.</exception>
    /// <exception cref="PgException">The server rejected a command, or the network or a time-out ended the batch.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public new Task<PgDataReader> ExecuteReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken = default) =>
        _execution.ExecuteReaderOf(behavior, cancellationToken);

    /// <inheritdoc/>
    protected override DbBatchCommand CreateDbBatchCommand() => CreateBatchCommand();
}
