using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;

namespace Slipstream.PostgreSql;

/// <summary>Fills a <see cref="DataSet"/> or <see cref="DataTable"/> from the server, and writes its changes to the server.</summary>
public sealed class PgDataAdapter : ProviderDataAdapter
{
    /// <summary>Creates an adapter without commands.</summary>
    public PgDataAdapter()
    {
    }

    /// <summary>Creates an adapter with its SELECT.</summary>
    /// <param name="selectCommand">The command.</param>
    public PgDataAdapter(PgCommand selectCommand) => SelectCommand = selectCommand;

    /// <summary>Creates an adapter with the text of its SELECT for a connection.</summary>
    /// <param name="selectCommandText">The text.</param>
    /// <param name="selectConnection">The connection.</param>
    public PgDataAdapter(string selectCommandText, PgConnection selectConnection)
        : this(new PgCommand(selectCommandText, selectConnection))
    {
    }

    /// <summary>
    /// Creates an adapter with the text of its SELECT and with its own connection. Each <c>Fill</c> or <c>Update</c> opens and closes the connection; disposing
    /// the adapter disposes it.
    /// </summary>
    /// <param name="selectCommandText">The text.</param>
    /// <param name="selectConnectionString">The connection string.</param>
    public PgDataAdapter(string selectCommandText, string selectConnectionString)
        : base(new PgConnection(selectConnectionString)) => SelectCommand = new PgCommand(selectCommandText, (PgConnection)Own!);

    /// <summary>Occurs before the command of a row is executed.</summary>
    public event PgRowUpdatingEventHandler? RowUpdating;

    /// <summary>Occurs after the command of a row, or of a batch of rows, was executed.</summary>
    public event PgRowUpdatedEventHandler? RowUpdated;

    /// <summary>Gets or sets the command that reads rows.</summary>
    public new PgCommand? SelectCommand
    {
        get => (PgCommand?)base.SelectCommand;
        set => base.SelectCommand = value;
    }

    /// <summary>Gets or sets the command that inserts new rows.</summary>
    public new PgCommand? InsertCommand
    {
        get => (PgCommand?)base.InsertCommand;
        set => base.InsertCommand = value;
    }

    /// <summary>Gets or sets the command that updates changed rows.</summary>
    public new PgCommand? UpdateCommand
    {
        get => (PgCommand?)base.UpdateCommand;
        set => base.UpdateCommand = value;
    }

    /// <summary>Gets or sets the command that deletes deleted rows.</summary>
    public new PgCommand? DeleteCommand
    {
        get => (PgCommand?)base.DeleteCommand;
        set => base.DeleteCommand = value;
    }

    /// <inheritdoc/>
    private protected override ProviderBatch CreateBatch() => new PgBatch();

    /// <inheritdoc/>
    private protected override ProviderBatchCommand CreateBatched(ProviderCommand command)
    {
        var batched = new PgBatchCommand(command.CommandText) { CommandType = command.CommandType };
        batched.Parameters.AddClonesOf(((PgCommand)command).Parameters);
        return batched;
    }

    /// <inheritdoc/>
    protected override RowUpdatingEventArgs CreateRowUpdatingEvent(
        DataRow dataRow, IDbCommand? command, System.Data.StatementType statementType, DataTableMapping tableMapping) =>
        new PgRowUpdatingEventArgs(dataRow, command, statementType, tableMapping);

    /// <inheritdoc/>
    protected override RowUpdatedEventArgs CreateRowUpdatedEvent(
        DataRow dataRow, IDbCommand? command, System.Data.StatementType statementType, DataTableMapping tableMapping) =>
        new PgRowUpdatedEventArgs(dataRow, command, statementType, tableMapping);

    /// <inheritdoc/>
    protected override void OnRowUpdating(RowUpdatingEventArgs value) => RowUpdating?.Invoke(this, (PgRowUpdatingEventArgs)value);

    /// <inheritdoc/>
    protected override void OnRowUpdated(RowUpdatedEventArgs value) => RowUpdated?.Invoke(this, (PgRowUpdatedEventArgs)value);
}

/// <summary>Handles the event that occurs before the command of a row is executed.</summary>
/// <param name="sender">The adapter.</param>
/// <param name="e">The row and its command.</param>
public delegate void PgRowUpdatingEventHandler(object sender, PgRowUpdatingEventArgs e);

/// <summary>Handles the event that occurs after the command of a row, or of a batch of rows, was executed.</summary>
/// <param name="sender">The adapter.</param>
/// <param name="e">The row and its command.</param>
public delegate void PgRowUpdatedEventHandler(object sender, PgRowUpdatedEventArgs e);

/// <summary>Provides a row whose command is about to be executed.</summary>
/// <param name="row">The row.</param>
/// <param name="command">The command.</param>
/// <param name="statementType">The kind of statement.</param>
/// <param name="tableMapping">The mapping of the table.</param>
public sealed class PgRowUpdatingEventArgs(DataRow row, IDbCommand? command, System.Data.StatementType statementType, DataTableMapping tableMapping)
    : RowUpdatingEventArgs(row, command, statementType, tableMapping)
{
    /// <summary>Gets the command that will write the row.</summary>
    public new PgCommand? Command => (PgCommand?)base.Command;
}

/// <summary>Provides a row, or a batch of rows, whose command was executed.</summary>
/// <param name="row">The row.</param>
/// <param name="command">The command.</param>
/// <param name="statementType">The kind of statement.</param>
/// <param name="tableMapping">The mapping of the table.</param>
public sealed class PgRowUpdatedEventArgs(DataRow row, IDbCommand? command, System.Data.StatementType statementType, DataTableMapping tableMapping)
    : RowUpdatedEventArgs(row, command, statementType, tableMapping)
{
    /// <summary>Gets the command that wrote the row.</summary>
    public new PgCommand? Command => (PgCommand?)base.Command;
}
