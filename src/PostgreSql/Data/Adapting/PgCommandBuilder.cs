using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Slipstream.Core.Data;

namespace Slipstream.PostgreSql;

/// <summary>Creates the INSERT, UPDATE and DELETE commands of a <see cref="PgDataAdapter"/> whose SELECT reads one table with a key.</summary>
public sealed class PgCommandBuilder : ProviderCommandBuilder<PgDataAdapter>
{
    /// <summary>Creates a builder whose <c>DataAdapter</c> is set later.</summary>
    public PgCommandBuilder()
        : this(null)
    {
    }

    /// <summary>Creates a builder for the commands that an adapter lacks.</summary>
    /// <param name="adapter">The adapter; null to set it later.</param>
    public PgCommandBuilder(PgDataAdapter? adapter)
        : base('"')
    {
        if (adapter is not null)
            DataAdapter = adapter;
    }

    /// <summary>Gets or sets the character before a name: always a double quote.</summary>
    /// <exception cref="ArgumentException">The value is another text.</exception>
    [AllowNull]
    public override string QuotePrefix
    {
        get => base.QuotePrefix;
        set => base.QuotePrefix = Quote(value);
    }

    /// <summary>Gets or sets the character after a name: always a double quote.</summary>
    /// <exception cref="ArgumentException">The value is another text.</exception>
    [AllowNull]
    public override string QuoteSuffix
    {
        get => base.QuoteSuffix;
        set => base.QuoteSuffix = Quote(value);
    }

    /// <summary>Creates the INSERT for a new row.</summary>
    /// <returns>The command.</returns>
    public new PgCommand GetInsertCommand() => (PgCommand)base.GetInsertCommand();

    /// <summary>Creates the INSERT for a new row.</summary>
    /// <param name="useColumnsForParameterNames">True for parameters that are named after their columns, false for <c>@p1</c>, <c>@p2</c>, ….</param>
    /// <returns>The command.</returns>
    public new PgCommand GetInsertCommand(bool useColumnsForParameterNames) => (PgCommand)base.GetInsertCommand(useColumnsForParameterNames);

    /// <summary>Creates the UPDATE for a changed row.</summary>
    /// <returns>The command.</returns>
    public new PgCommand GetUpdateCommand() => (PgCommand)base.GetUpdateCommand();

    /// <summary>Creates the UPDATE for a changed row.</summary>
    /// <param name="useColumnsForParameterNames">True for parameters that are named after their columns, false for <c>@p1</c>, <c>@p2</c>, ….</param>
    /// <returns>The command.</returns>
    public new PgCommand GetUpdateCommand(bool useColumnsForParameterNames) => (PgCommand)base.GetUpdateCommand(useColumnsForParameterNames);

    /// <summary>Creates the DELETE for a deleted row.</summary>
    /// <returns>The command.</returns>
    public new PgCommand GetDeleteCommand() => (PgCommand)base.GetDeleteCommand();

    /// <summary>Creates the DELETE for a deleted row.</summary>
    /// <param name="useColumnsForParameterNames">True for parameters that are named after their columns, false for <c>@p1</c>, <c>@p2</c>, ….</param>
    /// <returns>The command.</returns>
    public new PgCommand GetDeleteCommand(bool useColumnsForParameterNames) => (PgCommand)base.GetDeleteCommand(useColumnsForParameterNames);

    /// <summary>
    /// Fills the parameters of a command. For <see cref="CommandType.StoredProcedure"/>, they are those that the procedure or function declares: names,
    /// directions and types. For <see cref="CommandType.Text"/>, they are those of the text, with the types that the server infers.
    /// </summary>
    /// <param name="command">The command, with an open connection.</param>
    /// <exception cref="ArgumentException">The command has no text or no open connection, or its type is TableDirect.</exception>
    /// <exception cref="PgException">There is no procedure or function with this name, or several have it, or the server rejected the text.</exception>
    public static void DeriveParameters(PgCommand command) => DerivedParameters.Fill(command);

    /// <inheritdoc/>
    protected override void ApplyParameterInfo(DbParameter parameter, DataRow row, System.Data.StatementType statementType, bool whereClause) =>
        ((PgParameter)parameter).PgDbType = (PgDbType)Convert.ToInt32(row[SchemaTableColumn.ProviderType], CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    private protected override void Listen(PgDataAdapter adapter, bool isOn)
    {
        if (isOn)
            adapter.RowUpdating += OnRowUpdating;
        else
            adapter.RowUpdating -= OnRowUpdating;
    }

    private void OnRowUpdating(object sender, PgRowUpdatingEventArgs e) => RowUpdatingHandler(e);

    private static string Quote(string? value) => value is null or "" or "\""
        ? "\""
        : throw new ArgumentException($"Names are quoted with double quotes, not with {value}.", nameof(value));
}
