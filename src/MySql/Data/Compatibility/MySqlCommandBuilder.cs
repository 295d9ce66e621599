using System.Data;
using System.Data.Common;
using System.Globalization;
using Slipstream.Core.Data;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>Creates the INSERT, UPDATE and DELETE commands of a <see cref="MySqlDataAdapter"/> whose SELECT reads one table with a key.</summary>
public sealed class MySqlCommandBuilder : ProviderCommandBuilder<MySqlDataAdapter>
{
    /// <summary>Creates a builder whose <see cref="DataAdapter"/> is set later.</summary>
    public MySqlCommandBuilder()
        : base('`')
    {
    }

    /// <summary>Creates a builder for the commands that an adapter lacks.</summary>
    /// <param name="dataAdapter">The adapter.</param>
    public MySqlCommandBuilder(MySqlDataAdapter dataAdapter)
        : this() => DataAdapter = dataAdapter;

    /// <summary>Creates the INSERT for a new row.</summary>
    /// <returns>The command.</returns>
    public new MySqlCommand GetInsertCommand() => (MySqlCommand)base.GetInsertCommand();

    /// <summary>Creates the UPDATE for a changed row.</summary>
    /// <returns>The command.</returns>
    public new MySqlCommand GetUpdateCommand() => (MySqlCommand)base.GetUpdateCommand();

    /// <summary>Creates the DELETE for a deleted row.</summary>
    /// <returns>The command.</returns>
    public new MySqlCommand GetDeleteCommand() => (MySqlCommand)base.GetDeleteCommand();

    /// <summary>
    /// Fills the parameters of a command that calls a stored procedure or function, as the server declares them: names, directions, types and sizes.
    /// </summary>
    /// <param name="command">The command, with an open connection.</param>
    /// <exception cref="ArgumentException">The command's type is not StoredProcedure, or it has no text or no open connection.</exception>
    /// <exception cref="MySqlException">There is no procedure or function with this name.</exception>
    public static void DeriveParameters(MySqlCommand command)
    {
        using var question = Question(command);
        using var reader = question.ExecuteReader();
        var declared = new List<(string Kind, DeclaredParameter? Parameter)>();
        while (reader.Read())
            declared.Add(Answer(reader));
        Derive(command, declared);
    }

    /// <inheritdoc cref="DeriveParameters"/>
    public static Task DeriveParametersAsync(MySqlCommand command) => DeriveParametersAsync(command, CancellationToken.None);

    /// <inheritdoc cref="DeriveParameters"/>
    /// <param name="command">The command, with an open connection.</param>
    /// <param name="cancellationToken">Cancels the query for the parameters.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static async Task DeriveParametersAsync(MySqlCommand command, CancellationToken cancellationToken)
    {
        var question = Question(command);
        await using (question.ConfigureAwait(false))
        {
            var reader = await question.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                var declared = new List<(string Kind, DeclaredParameter? Parameter)>();
                while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                    declared.Add(Answer(reader));
                Derive(command, declared);
            }
        }
    }

    /// <inheritdoc/>
    protected override void ApplyParameterInfo(DbParameter parameter, DataRow row, StatementType statementType, bool whereClause) =>
        ((MySqlParameter)parameter).MySqlDbType = (MySqlDbType)Convert.ToInt32(row[SchemaTableColumn.ProviderType], CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    private protected override void Listen(MySqlDataAdapter adapter, bool isOn)
    {
        if (isOn)
            adapter.RowUpdating += OnRowUpdating;
        else
            adapter.RowUpdating -= OnRowUpdating;
    }

    private void OnRowUpdating(object sender, MySqlRowUpdatingEventArgs e) => RowUpdatingHandler(e);

    private static MySqlCommand Question(MySqlCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        if (command.CommandType != CommandType.StoredProcedure)
            throw new ArgumentException($"The command's CommandType must be StoredProcedure, not {command.CommandType}.", nameof(command));
        if (string.IsNullOrWhiteSpace(command.CommandText))
            throw new ArgumentException("The command has no text: set its CommandText property to the name of the procedure.", nameof(command));
        if (command.Connection is not { State: ConnectionState.Open } connection)
            throw new ArgumentException("The command needs an open connection, because the parameters are read from the server.", nameof(command));
        var (database, name) = StoredPrograms.Split(command.CommandText);
        var question = new MySqlCommand(
            $"SELECT p.{StoredPrograms.Columns.Replace(", ", ", p.", StringComparison.Ordinal)}, r.ROUTINE_TYPE AS KIND FROM information_schema.ROUTINES r "
                + "LEFT JOIN information_schema.PARAMETERS p "
            + "ON p.SPECIFIC_SCHEMA = r.ROUTINE_SCHEMA AND p.SPECIFIC_NAME = r.SPECIFIC_NAME AND p.ROUTINE_TYPE = r.ROUTINE_TYPE "
            + "WHERE r.ROUTINE_SCHEMA = COALESCE(@database, DATABASE()) AND r.ROUTINE_NAME = @name ORDER BY r.ROUTINE_TYPE DESC, p.ORDINAL_POSITION",
            connection, command.Transaction)
        {
            CommandTimeout = command.CommandTimeout,
        };
        question.Parameters.AddWithValue("@database", database);
        question.Parameters.AddWithValue("@name", name);
        return question;
    }

    // A procedure without parameters is a row of NULLs.
    private static (string Kind, DeclaredParameter? Parameter) Answer(MySqlDataReader reader) =>
        (reader.GetString("KIND"), reader.IsDBNull(reader.GetOrdinal("DTD_IDENTIFIER")) ? null : Declarations.Of(reader.GetValue));

    private static void Derive(MySqlCommand command, List<(string Kind, DeclaredParameter? Parameter)> declared)
    {
        if (declared.Count == 0)
            throw new MySqlException(
                MySqlErrorCode.StoredProcedureDoesNotExist, $"The procedure or function '{command.CommandText}' does not exist, or this user may not see it.");
        // A function with the same name comes after the procedure.
        var kind = declared[0].Kind;
        command.Parameters.Clear();
        foreach (var (_, parameter) in declared.FindAll(one => one.Kind == kind && one.Parameter is not null))
            command.Parameters.Add(Declarations.ToParameter(parameter!, command.MySqlSource.Codecs));
    }
}
