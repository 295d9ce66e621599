using System.Data;
using System.Data.Common;

namespace Slipstream.MySql;

/// <summary>Fills a <see cref="DataSet"/> or <see cref="DataTable"/> from the server, and writes its changes to the server.</summary>
public sealed class MySqlDataAdapter : DbDataAdapter
{
    private MySqlBatch? _batch;
    private MySqlException? _refusal;
    private MySqlConnection? _own;
    private int _updateBatchSize = 1;

    /// <summary>Creates an adapter without commands.</summary>
    public MySqlDataAdapter()
    {
    }

    /// <summary>Creates an adapter with its SELECT.</summary>
    /// <param name="selectCommand">The command.</param>
    public MySqlDataAdapter(MySqlCommand selectCommand) => SelectCommand = selectCommand;

    /// <summary>Creates an adapter with the text of its SELECT for a connection.</summary>
    /// <param name="selectCommandText">The text.</param>
    /// <param name="connection">The connection.</param>
    public MySqlDataAdapter(string selectCommandText, MySqlConnection connection)
        : this(new MySqlCommand(selectCommandText, connection))
    {
    }

    /// <summary>
    /// Creates an adapter with the text of its SELECT and with its own connection. Each <c>Fill</c> or <c>Update</c> opens and closes the connection; disposing
    /// the adapter disposes it.
    /// </summary>
    /// <param name="selectCommandText">The text.</param>
    /// <param name="connectionString">The connection string.</param>
    public MySqlDataAdapter(string selectCommandText, string connectionString)
    {
        _own = new MySqlConnection(connectionString);
        SelectCommand = new MySqlCommand(selectCommandText, _own);
    }

    /// <summary>Occurs before the command of a row is executed.</summary>
    public event MySqlRowUpdatingEventHandler? RowUpdating;

    /// <summary>Occurs after the command of a row, or of a batch of rows, was executed.</summary>
    public event MySqlRowUpdatedEventHandler? RowUpdated;

    /// <summary>Gets or sets the command that reads rows.</summary>
    public new MySqlCommand? SelectCommand
    {
        get => (MySqlCommand?)base.SelectCommand;
        set => base.SelectCommand = value;
    }

    /// <summary>Gets or sets the command that inserts new rows.</summary>
    public new MySqlCommand? InsertCommand
    {
        get => (MySqlCommand?)base.InsertCommand;
        set => base.InsertCommand = value;
    }

    /// <summary>Gets or sets the command that updates changed rows.</summary>
    public new MySqlCommand? UpdateCommand
    {
        get => (MySqlCommand?)base.UpdateCommand;
        set => base.UpdateCommand = value;
    }

    /// <summary>Gets or sets the command that deletes deleted rows.</summary>
    public new MySqlCommand? DeleteCommand
    {
        get => (MySqlCommand?)base.DeleteCommand;
        set => base.DeleteCommand = value;
    }

    /// <summary>
    /// Gets or sets the number of rows that one round trip changes. Default: 1, each row on its own; 0 sends all rows together. If it is not 1, the commands
    /// must not read rows back: set their UpdatedRowSource to None or OutputParameters.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public override int UpdateBatchSize
    {
        get => _updateBatchSize;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _updateBatchSize = value;
        }
    }

    /// <summary>
    /// Executes the rows that an <c>Update</c> sends together. If the server refuses a row, the exception's BatchCommand is that row's command, and the rows
    /// after it were not executed.
    /// </summary>
    protected override int ExecuteBatch()
    {
        _refusal = null;
        try
        {
            return _batch!.ExecuteNonQuery();
        }
        catch (MySqlException exception)
        {
            _refusal = exception;
            throw;
        }
    }

    /// <inheritdoc/>
    protected override void InitializeBatching() => _batch = new MySqlBatch();

    /// <inheritdoc/>
    protected override int AddToBatch(IDbCommand command)
    {
        var one = (MySqlCommand)command;
        var batched = new MySqlBatchCommand(one.CommandText) { CommandType = one.CommandType };
        // The adapter sets the next row's values on the same parameters.
        batched.Parameters.AddClonesOf(one.Parameters);
        _batch!.Connection = one.Connection;
        _batch.Transaction = one.Transaction;
        _batch.Timeout = one.CommandTimeout;
        _batch.BatchCommands.Add(batched);
        return _batch.BatchCommands.Count - 1;
    }

    /// <inheritdoc/>
    protected override IDataParameter GetBatchedParameter(int commandIdentifier, int parameterIndex) =>
        _batch!.BatchCommands[commandIdentifier].Parameters[parameterIndex];

    /// <inheritdoc/>
    protected override bool GetBatchedRecordsAffected(int commandIdentifier, out int recordsAffected, out Exception? error)
    {
        var command = _batch!.BatchCommands[commandIdentifier];
        recordsAffected = command.RecordsAffected;
        error = _refusal is not null && ReferenceEquals(_refusal.BatchCommand, command) ? _refusal : command.Error;
        return true;
    }

    /// <inheritdoc/>
    protected override void ClearBatch() => _batch!.BatchCommands.Clear();

    /// <inheritdoc/>
    protected override void TerminateBatching()
    {
        _batch?.Dispose();
        _batch = null;
    }

    /// <inheritdoc/>
    protected override RowUpdatingEventArgs CreateRowUpdatingEvent(
        DataRow dataRow, IDbCommand? command, StatementType statementType, DataTableMapping tableMapping) =>
        new MySqlRowUpdatingEventArgs(dataRow, command, statementType, tableMapping);

    /// <inheritdoc/>
    protected override RowUpdatedEventArgs CreateRowUpdatedEvent(
        DataRow dataRow, IDbCommand? command, StatementType statementType, DataTableMapping tableMapping) =>
        new MySqlRowUpdatedEventArgs(dataRow, command, statementType, tableMapping);

    /// <inheritdoc/>
    protected override void OnRowUpdating(RowUpdatingEventArgs value) => RowUpdating?.Invoke(this, (MySqlRowUpdatingEventArgs)value);

    /// <inheritdoc/>
    protected override void OnRowUpdated(RowUpdatedEventArgs value) => RowUpdated?.Invoke(this, (MySqlRowUpdatedEventArgs)value);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            TerminateBatching();
            _own?.Dispose();
            _own = null;
        }

        base.Dispose(disposing);
    }
}

/// <summary>Handles the event that occurs before the command of a row is executed.</summary>
/// <param name="sender">The adapter.</param>
/// <param name="e">The row and its command.</param>
public delegate void MySqlRowUpdatingEventHandler(object sender, MySqlRowUpdatingEventArgs e);

/// <summary>Handles the event that occurs after the command of a row, or of a batch of rows, was executed.</summary>
/// <param name="sender">The adapter.</param>
/// <param name="e">The row and its command.</param>
public delegate void MySqlRowUpdatedEventHandler(object sender, MySqlRowUpdatedEventArgs e);

/// <summary>Provides a row whose command is about to be executed.</summary>
/// <param name="row">The row.</param>
/// <param name="command">The command.</param>
/// <param name="statementType">The kind of statement.</param>
/// <param name="tableMapping">The mapping of the table.</param>
public sealed class MySqlRowUpdatingEventArgs(DataRow row, IDbCommand? command, StatementType statementType, DataTableMapping tableMapping)
    : RowUpdatingEventArgs(row, command, statementType, tableMapping)
{
    /// <summary>Gets the command that will write the row.</summary>
    public new MySqlCommand? Command => (MySqlCommand?)base.Command;
}

/// <summary>Provides a row, or a batch of rows, whose command was executed.</summary>
/// <param name="row">The row.</param>
/// <param name="command">The command.</param>
/// <param name="statementType">The kind of statement.</param>
/// <param name="tableMapping">The mapping of the table.</param>
public sealed class MySqlRowUpdatedEventArgs(DataRow row, IDbCommand? command, StatementType statementType, DataTableMapping tableMapping)
    : RowUpdatedEventArgs(row, command, statementType, tableMapping)
{
    /// <summary>Gets the command that wrote the row.</summary>
    public new MySqlCommand? Command => (MySqlCommand?)base.Command;
}
