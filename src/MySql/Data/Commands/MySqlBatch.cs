using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;

namespace Slipstream.MySql;

/// <summary>
/// Several commands that travel together, mostly in one round trip. What is seen of them is what running them one by one up to the first error
/// shows, unless Merge Inserts=true makes consecutive commands with the same <c>INSERT INTO … VALUES (…)</c> one statement of many rows.
/// </summary>
/// <remarks>Reads that change nothing travel as a pipeline; everything else as one text of several statements, where the server stops at an error.</remarks>
public sealed class MySqlBatch : ProviderBatch
{
    private readonly MySqlBatchExecution _execution;

    /// <summary>A batch without connection: set <see cref="Connection"/> before executing it.</summary>
    public MySqlBatch()
        : this(connection: null)
    {
    }

    /// <summary>A batch on a connection, in its transaction where there is one.</summary>
    public MySqlBatch(MySqlConnection? connection = null, MySqlTransaction? transaction = null) =>
        _execution = new(BatchCommands) { Connection = connection, Transaction = transaction };

    /// <summary>A batch whose connection is open only while it runs.</summary>
    internal MySqlBatch(MySqlDataSource source)
        : this(source.CreateConnection()) => OpensItsConnection = true;

    /// <summary>The commands, in the order in which they run.</summary>
    public new MySqlBatchCommandCollection BatchCommands { get; } = new();

    /// <summary>Where the batch runs: must be open when it does.</summary>
    public new MySqlConnection? Connection
    {
        get => (MySqlConnection?)DbConnection;
        set => DbConnection = value;
    }

    /// <summary>The transaction of <see cref="Connection"/> in which the batch runs; null when there is none.</summary>
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

    /// <summary>What happens when the server refuses a command. Default: the connection string's Batch Errors. (Not in MySqlConnector.)</summary>
    public MySqlBatchErrors BatchErrors
    {
        get => _execution.BatchErrors ?? Connection?.MySqlSource.Settings.BatchErrors ?? MySqlBatchErrors.Stop;
        set => _execution.BatchErrors = value;
    }

    /// <inheritdoc/>
    private protected override ProviderBatchExecution Execution => _execution;

    /// <inheritdoc/>
    protected override DbBatchCommandCollection DbBatchCommands => BatchCommands;

    /// <summary>Executes all commands; the reader has one result for each that returns rows.</summary>
    public new MySqlDataReader ExecuteReader(CommandBehavior commandBehavior = CommandBehavior.Default) => (MySqlDataReader)_execution.ExecuteReader(commandBehavior);

    /// <summary>Executes all commands; the reader has one result for each that returns rows.</summary>
    public new Task<MySqlDataReader> ExecuteReaderAsync(CancellationToken cancellationToken = default) =>
        _execution.ExecuteReaderOf(CommandBehavior.Default, cancellationToken);

    /// <inheritdoc/>
    protected override DbBatchCommand CreateDbBatchCommand() => new MySqlBatchCommand();
}
