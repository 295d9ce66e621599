using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql;

/// <summary>Fills a <see cref="DataSet"/> or <see cref="DataTable"/> from the server, and writes its changes to the server.</summary>
public sealed class MySqlDataAdapter : ProviderDataAdapter
{
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
        : base(new MySqlConnection(connectionString)) => SelectCommand = new MySqlCommand(selectCommandText, (MySqlConnection)Own!);

    private protected override int DefaultUpdateBatchSize => ThisAssembly.Conventions.UpdateBatchSize;

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

    /// <inheritdoc/>
    private protected override ProviderBatch CreateBatch() => new MySqlBatch();

    /// <inheritdoc/>
    private protected override ProviderBatchCommand CreateBatched(ProviderCommand command)
    {
        var batched = new MySqlBatchCommand(command.CommandText) { CommandType = command.CommandType };
        batched.Parameters.AddClonesOf(((MySqlCommand)command).Parameters);
        return batched;
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
