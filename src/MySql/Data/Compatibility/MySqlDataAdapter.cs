using System.Data;
using System.Data.Common;

namespace Slipstream.MySql;

/// <summary>Fills a <see cref="DataSet"/> or <see cref="DataTable"/> from the server and brings its changes back.</summary>
public sealed class MySqlDataAdapter : DbDataAdapter
{
    private MySqlBatch? _batch;
    private MySqlException? _refusal;
    private MySqlConnection? _own;
    private int _updateBatchSize = 1;

    /// <summary>An adapter without commands.</summary>
    public MySqlDataAdapter()
    {
    }

    /// <summary>An adapter that fills from this SELECT.</summary>
    public MySqlDataAdapter(MySqlCommand selectCommand) => SelectCommand = selectCommand;

    /// <summary>An adapter that fills from this text, executed on a connection.</summary>
    public MySqlDataAdapter(string selectCommandText, MySqlConnection connection)
        : this(new MySqlCommand(selectCommandText, connection))
    {
    }

    /// <summary>With a connection of its own, opened and closed by each <c>Fill</c> or <c>Update</c> and disposed of with the adapter.</summary>
    public MySqlDataAdapter(string selectCommandText, string connectionString)
    {
        _own = new MySqlConnection(connectionString);
        SelectCommand = new MySqlCommand(selectCommandText, _own);
    }

    /// <summary>Before the command of a row is executed.</summary>
    public event MySqlRowUpdatingEventHandler? RowUpdating;

    /// <summary>After the command of a row, or a batch of them, was executed.</summary>
    public event MySqlRowUpdatedEventHandler? RowUpdated;

    /// <summary>What fills.</summary>
    public new MySqlCommand? SelectCommand
    {
        get => (MySqlCommand?)base.SelectCommand;
        set => base.SelectCommand = value;
    }

    /// <summary>What stores new rows.</summary>
    public new MySqlCommand? InsertCommand
    {
        get => (MySqlCommand?)base.InsertCommand;
        set => base.InsertCommand = value;
    }

    /// <summary>What stores changed rows.</summary>
    public new MySqlCommand? UpdateCommand
    {
        get => (MySqlCommand?)base.UpdateCommand;
        set => base.UpdateCommand = value;
    }

    /// <summary>What removes deleted rows.</summary>
    public new MySqlCommand? DeleteCommand
    {
        get => (MySqlCommand?)base.DeleteCommand;
        set => base.DeleteCommand = value;
    }

    /// <summary>
    /// How many rows one round trip changes: 1 (the default) sends each row by itself, 0 all of them together.
    /// With more than one the commands must not read rows back: set their UpdatedRowSource to None or OutputParameters.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
    public override int UpdateBatchSize
    {
        get => _updateBatchSize;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _updateBatchSize = value;
        }
    }

    /// <summary>The rows that an <c>Update</c> sent together and the server refused end at the row that the exception's BatchCommand names.</summary>
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
    protected override IDataParameter GetBatchedParameter(int commandIdentifier, int parameterIndex) => _batch!.BatchCommands[commandIdentifier].Parameters[parameterIndex];

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
    protected override RowUpdatingEventArgs CreateRowUpdatingEvent(DataRow dataRow, IDbCommand? command, StatementType statementType, DataTableMapping tableMapping) =>
        new MySqlRowUpdatingEventArgs(dataRow, command, statementType, tableMapping);

    /// <inheritdoc/>
    protected override RowUpdatedEventArgs CreateRowUpdatedEvent(DataRow dataRow, IDbCommand? command, StatementType statementType, DataTableMapping tableMapping) =>
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

/// <summary>Hears of a row whose command is about to be executed.</summary>
public delegate void MySqlRowUpdatingEventHandler(object sender, MySqlRowUpdatingEventArgs e);

/// <summary>Hears of a row, or a batch of them, whose command was executed.</summary>
public delegate void MySqlRowUpdatedEventHandler(object sender, MySqlRowUpdatedEventArgs e);

/// <summary>A row whose command is about to be executed.</summary>
public sealed class MySqlRowUpdatingEventArgs(DataRow row, IDbCommand? command, StatementType statementType, DataTableMapping tableMapping)
    : RowUpdatingEventArgs(row, command, statementType, tableMapping)
{
    /// <summary>The command that will store the row; another one may be put in its place.</summary>
    public new MySqlCommand? Command => (MySqlCommand?)base.Command;
}

/// <summary>A row, or a batch of them, whose command was executed.</summary>
public sealed class MySqlRowUpdatedEventArgs(DataRow row, IDbCommand? command, StatementType statementType, DataTableMapping tableMapping)
    : RowUpdatedEventArgs(row, command, statementType, tableMapping)
{
    /// <summary>The command that has stored the row.</summary>
    public new MySqlCommand? Command => (MySqlCommand?)base.Command;
}
