using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;

namespace Slipstream.MySql;

/// <summary>
/// A batch of commands that the driver sends together, mostly in one round trip. Its results are those of executing the commands one by one up to the first
/// error, unless Merge Inserts=true merges consecutive commands with the same <c>INSERT INTO … VALUES (…)</c> into one statement of many rows.
/// </summary>
/// <remarks>
/// The driver sends reads that change nothing as a pipeline. It sends everything else as one text of several statements, which the server stops executing at an
/// error.
/// </remarks>
public sealed class MySqlBatch : ProviderBatch
{
    private readonly MySqlBatchExecution _execution;

    /// <summary>Creates a batch without a connection. Set <see cref="Connection"/> before you execute it.</summary>
    public MySqlBatch()
        : this(connection: null)
    {
    }

    /// <summary>Creates a batch for a connection.</summary>
    /// <param name="connection">The connection, which must be open when the batch is executed; null to set it later.</param>
    /// <param name="transaction">The connection's open transaction; null for none.</param>
    public MySqlBatch(MySqlConnection? connection = null, MySqlTransaction? transaction = null) =>
        _execution = new(BatchCommands) { Connection = connection, Transaction = transaction };

    /// <summary>Creates a batch that opens its connection only for its execution.</summary>
    internal MySqlBatch(MySqlDataSource source)
        : this(source.CreateConnection()) => OpensItsConnection = true;

    /// <summary>Gets the commands in the order of execution.</summary>
    public new MySqlBatchCommandCollection BatchCommands { get; } = new();

    /// <summary>Gets or sets the connection. It must be open when the batch is executed.</summary>
    public new MySqlConnection? Connection
    {
        get => (MySqlConnection?)DbConnection;
        set => DbConnection = value;
    }

    /// <summary>Gets or sets the transaction of <see cref="Connection"/> in which the batch is executed; null if there is none.</summary>
    public new MySqlTransaction? Transaction
    {
        get => (MySqlTransaction?)DbTransaction;
        set => DbTransaction = value;
    }

    /// <inheritdoc/>
    protected override DbConnection? DbConnection
    {
        get => base.DbConnection;
        set => base.DbConnection = (MySqlConnection?)value;
    }

    /// <inheritdoc/>
    protected override DbTransaction? DbTransaction
    {
        get => base.DbTransaction;
        set => base.DbTransaction = (MySqlTransaction?)value;
    }

    /// <summary>Gets or sets what happens if the server refuses a command. Default: the connection string's Batch Errors. (Not in MySqlConnector.)</summary>
    public MySqlBatchErrors BatchErrors
    {
        get => _execution.BatchErrors ?? Connection?.MySqlSource.Settings.BatchErrors ?? MySqlBatchErrors.Stop;
        set => _execution.BatchErrors = value;
    }

    /// <inheritdoc/>
    private protected override ProviderBatchExecution Execution => _execution;

    /// <inheritdoc/>
    protected override DbBatchCommandCollection DbBatchCommands => BatchCommands;

    /// <summary>Executes all commands. The reader has one result set for each command that returns rows.</summary>
    /// <param name="commandBehavior">Options for the execution. <see cref="CommandBehavior.SchemaOnly"/> is not supported.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="InvalidOperationException">The connection is missing or not open, or a command has no text.</exception>
    /// <exception cref="NotSupportedException"><paramref name="commandBehavior"/> contains <see cref="CommandBehavior.SchemaOnly"/>.</exception>
    /// <exception cref="MySqlException">The server refused the command, or the network or a time limit ended it.</exception>
    public new MySqlDataReader ExecuteReader(CommandBehavior commandBehavior = CommandBehavior.Default) =>
        (MySqlDataReader)_execution.ExecuteReader(commandBehavior);

    /// <summary>Executes all commands. The reader has one result set for each command that returns rows.</summary>
    /// <param name="cancellationToken">Cancels the batch on the server.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="InvalidOperationException">The connection is missing or not open, or a command has no text.</exception>
    /// <exception cref="MySqlException">The server refused the command, or the network or a time limit ended it.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public new Task<MySqlDataReader> ExecuteReaderAsync(CancellationToken cancellationToken = default) =>
        _execution.ExecuteReaderOf(CommandBehavior.Default, cancellationToken);

    /// <inheritdoc/>
    protected override DbBatchCommand CreateDbBatchCommand() => new MySqlBatchCommand();
}
