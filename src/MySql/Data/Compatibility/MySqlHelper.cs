using System.Buffers;
using System.Data;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Slipstream.MySql;

/// <summary>
/// Executes one statement per call. With a connection string, each call opens a connection (a session of the pool) and closes it again. With a connection, the
/// connection must be open and stays open. The names and signatures are Connector/NET's. An array of parameters may be null.
/// </summary>
public sealed partial class MySqlHelper
{
    private const string NotTrimmable = "A data adapter's Update looks at the types of the schema table's columns, which trimming cannot see.";

    private static readonly SearchValues<char> Quotes = SearchValues.Create("'\"`");
    private static readonly SearchValues<char> Special = SearchValues.Create("'\"\\");
    private static readonly SearchValues<char> QuotesAndBackslash = SearchValues.Create("'\"`\\");

    /// <summary>
    /// Adds a backslash before quotation marks, apostrophes and backslashes. Prefer parameters: under the SQL mode NO_BACKSLASH_ESCAPES, a text escaped this
    /// way is not safe.
    /// </summary>
    /// <param name="value">The text.</param>
    /// <returns>The escaped text.</returns>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    public static string EscapeString(string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        var at = value.AsSpan().IndexOfAny(Special);
        if (at < 0)
            return value;
        var text = new StringBuilder(value.Length + 16).Append(value, 0, at);
        foreach (var character in value.AsSpan(at))
        {
            if (Special.Contains(character))
                text.Append('\\');
            text.Append(character);
        }

        return text.ToString();
    }

    /// <summary>
    /// Doubles all apostrophes, quotation marks, backticks and backslashes, whichever of them encloses the text: the server then reads two of those that do not
    /// enclose it. This is Connector/NET's behaviour. Parameters need no escaping.
    /// </summary>
    /// <param name="value">The text.</param>
    /// <returns>The text with doubled characters.</returns>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    public static string DoubleQuoteString(string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        var at = value.AsSpan().IndexOfAny(QuotesAndBackslash);
        if (at < 0)
            return value;
        var text = new StringBuilder(value.Length + 16).Append(value, 0, at);
        foreach (var character in value.AsSpan(at))
            text.Append(character, Quotes.Contains(character) || character == '\\' ? 2 : 1);
        return text.ToString();
    }

    /// <summary>Closes the idle sessions of all pools.</summary>
    [Obsolete("Use MySqlConnection.ClearAllPools or MySqlConnection.ClearAllPoolsAsync.")]
    public static void ClearConnectionPools() => MySqlConnection.ClearAllPools();

    /// <summary>Executes a statement that returns no rows.</summary>
    /// <param name="connection">The connection, which must be open. It stays open.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    /// <returns>The number of changed rows.</returns>
    /// <exception cref="MySqlException">The server refused the statement, or the connection failed.</exception>
    public static int ExecuteNonQuery(MySqlConnection connection, string commandText, params MySqlParameter[]? commandParameters)
    {
        using var command = Command(connection, commandText, commandParameters);
        return command.ExecuteNonQuery();
    }

    /// <inheritdoc cref="ExecuteNonQuery(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="parms">The parameters; null for none.</param>
    public static int ExecuteNonQuery(string connectionString, string commandText, params MySqlParameter[]? parms) =>
        OnItsOwn(connectionString, connection => ExecuteNonQuery(connection, commandText, parms));

    /// <summary>Executes a statement and returns the first column of the first row.</summary>
    /// <param name="connection">The connection, which must be open. It stays open.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    /// <returns>The value; null if there is no row, <see cref="DBNull"/> for NULL.</returns>
    /// <exception cref="MySqlException">The server refused the statement, or the connection failed.</exception>
    public static object? ExecuteScalar(MySqlConnection connection, string commandText, params MySqlParameter[]? commandParameters)
    {
        using var command = Command(connection, commandText, commandParameters);
        return command.ExecuteScalar();
    }

    /// <inheritdoc cref="ExecuteScalar(MySqlConnection, string, MySqlParameter[])"/>
    public static object? ExecuteScalar(MySqlConnection connection, string commandText) => ExecuteScalar(connection, commandText, null);

    /// <inheritdoc cref="ExecuteScalar(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    public static object? ExecuteScalar(string connectionString, string commandText, params MySqlParameter[]? commandParameters) =>
        OnItsOwn(connectionString, connection => ExecuteScalar(connection, commandText, commandParameters));

    /// <inheritdoc cref="ExecuteScalar(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    public static object? ExecuteScalar(string connectionString, string commandText) => ExecuteScalar(connectionString, commandText, null);

    /// <summary>
    /// Executes a statement and reads its rows. Closing the reader leaves a given connection open; it closes the connection of a connection string.
    /// </summary>
    /// <param name="connection">The connection, which must be open. It stays open.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="MySqlException">The server refused the statement, or the connection failed.</exception>
    public static MySqlDataReader ExecuteReader(MySqlConnection connection, string commandText, params MySqlParameter[]? commandParameters) =>
        Command(connection, commandText, commandParameters).ExecuteReader();

    /// <inheritdoc cref="ExecuteReader(MySqlConnection, string, MySqlParameter[])"/>
    public static MySqlDataReader ExecuteReader(MySqlConnection connection, string commandText) => ExecuteReader(connection, commandText, null);

    /// <inheritdoc cref="ExecuteReader(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    public static MySqlDataReader ExecuteReader(string connectionString, string commandText, params MySqlParameter[]? commandParameters)
    {
        var connection = new MySqlConnection(connectionString);
        try
        {
            connection.Open();
            return Command(connection, commandText, commandParameters).ExecuteReader(CommandBehavior.CloseConnection);
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    /// <inheritdoc cref="ExecuteReader(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    public static MySqlDataReader ExecuteReader(string connectionString, string commandText) => ExecuteReader(connectionString, commandText, null);

    /// <summary>Executes statements and stores each result set as a table: <c>Table</c>, <c>Table1</c>, ….</summary>
    /// <param name="connection">The connection, which must be open. It stays open.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    /// <returns>The data set.</returns>
    /// <exception cref="MySqlException">The server refused the statement, or the connection failed.</exception>
    public static DataSet ExecuteDataset(MySqlConnection connection, string commandText, params MySqlParameter[]? commandParameters)
    {
        using var adapter = new MySqlDataAdapter(Command(connection, commandText, commandParameters));
        var data = new DataSet();
        adapter.Fill(data);
        return data;
    }

    /// <inheritdoc cref="ExecuteDataset(MySqlConnection, string, MySqlParameter[])"/>
    public static DataSet ExecuteDataset(MySqlConnection connection, string commandText) => ExecuteDataset(connection, commandText, null);

    /// <inheritdoc cref="ExecuteDataset(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    public static DataSet ExecuteDataset(string connectionString, string commandText, params MySqlParameter[]? commandParameters) =>
        OnItsOwn(connectionString, connection => ExecuteDataset(connection, commandText, commandParameters));

    /// <inheritdoc cref="ExecuteDataset(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    public static DataSet ExecuteDataset(string connectionString, string commandText) => ExecuteDataset(connectionString, commandText, null);

    /// <summary>Executes a statement and returns the first row of the first result set.</summary>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="parms">The parameters; null for none.</param>
    /// <returns>The row; null if there is none.</returns>
    /// <exception cref="MySqlException">The server refused the statement, or the connection failed.</exception>
    public static DataRow? ExecuteDataRow(string connectionString, string commandText, params MySqlParameter[]? parms) =>
        FirstRow(ExecuteDataset(connectionString, commandText, parms));

    /// <summary>Writes the changes of a table to the server, with the commands that a <see cref="MySqlCommandBuilder"/> derives from the SELECT.</summary>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">A SELECT from one table, including its key.</param>
    /// <param name="ds">The data set with the table.</param>
    /// <param name="tablename">The table's name in <paramref name="ds"/>.</param>
    /// <exception cref="DBConcurrencyException">Another client changed a row in the meantime.</exception>
    /// <exception cref="MySqlException">The server refused a row, or the connection failed.</exception>
    [RequiresUnreferencedCode(NotTrimmable)]
    public static void UpdateDataSet(string connectionString, string commandText, DataSet ds, string tablename)
    {
        using var connection = new MySqlConnection(connectionString);
        connection.Open();
        Update(connection, commandText, ds, tablename);
    }

    [RequiresUnreferencedCode(NotTrimmable)]
    private static void Update(MySqlConnection connection, string commandText, DataSet data, string table)
    {
        using var adapter = new MySqlDataAdapter(commandText, connection);
        using var builder = new MySqlCommandBuilder(adapter);
        adapter.Update(data, table);
    }

    private static DataRow? FirstRow(DataSet data) => data.Tables is [{ Rows: [var row, ..] }, ..] ? row : null;

    private static T OnItsOwn<T>(string connectionString, Func<MySqlConnection, T> run)
    {
        using var connection = new MySqlConnection(connectionString);
        connection.Open();
        return run(connection);
    }

    private static MySqlCommand Command(MySqlConnection connection, string commandText, MySqlParameter[]? parameters)
    {
        ArgumentNullException.ThrowIfNull(connection);
        var command = new MySqlCommand(commandText, connection);
        foreach (var parameter in parameters ?? [])
            command.Parameters.Add(parameter);
        return command;
    }
}
