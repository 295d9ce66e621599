using System.Buffers;
using System.Data;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Slipstream.MySql;

/// <summary>
/// One call for one statement: with a connection string, each call opens a connection (a lease from the pool) and closes it again;
/// with a connection, it must be open and stays so. The names and shapes are those of Connector/NET; an array of parameters may be null.
/// </summary>
public sealed partial class MySqlHelper
{
    private const string NotTrimmable = "A data adapter's Update looks at the types of the schema table's columns, which trimming cannot see.";

    private static readonly SearchValues<char> Quotes = SearchValues.Create("'\"`");
    private static readonly SearchValues<char> Special = SearchValues.Create("'\"\\");
    private static readonly SearchValues<char> QuotesAndBackslash = SearchValues.Create("'\"`\\");

    /// <summary>
    /// Puts a backslash in front of quotation marks, apostrophes and backslashes. Use parameters instead wherever there is a choice: under the SQL mode
    /// NO_BACKSLASH_ESCAPES a text that was escaped so is not safe.
    /// </summary>
    /// <exception cref="ArgumentNullException">There is no text.</exception>
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
    /// Doubles apostrophes, quotation marks, backticks and backslashes, each whatever the text is quoted with: one of another kind than that is then read as
    /// two. Connector/NET's answer; parameters need none of this.
    /// </summary>
    /// <exception cref="ArgumentNullException">There is no text.</exception>
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

    /// <summary>How many rows the statement changed.</summary>
    /// <exception cref="MySqlException">The server refused it, or could not be reached.</exception>
    public static int ExecuteNonQuery(MySqlConnection connection, string commandText, params MySqlParameter[]? commandParameters)
    {
        using var command = Command(connection, commandText, commandParameters);
        return command.ExecuteNonQuery();
    }

    /// <inheritdoc cref="ExecuteNonQuery(MySqlConnection, string, MySqlParameter[])"/>
    public static int ExecuteNonQuery(string connectionString, string commandText, params MySqlParameter[]? parms) =>
        OnItsOwn(connectionString, connection => ExecuteNonQuery(connection, commandText, parms));

    /// <summary>The first column of the first row: null without a row, <see cref="DBNull"/> for NULL.</summary>
    /// <exception cref="MySqlException">The server refused it, or could not be reached.</exception>
    public static object? ExecuteScalar(MySqlConnection connection, string commandText, params MySqlParameter[]? commandParameters)
    {
        using var command = Command(connection, commandText, commandParameters);
        return command.ExecuteScalar();
    }

    /// <inheritdoc cref="ExecuteScalar(MySqlConnection, string, MySqlParameter[])"/>
    public static object? ExecuteScalar(MySqlConnection connection, string commandText) => ExecuteScalar(connection, commandText, null);

    /// <inheritdoc cref="ExecuteScalar(MySqlConnection, string, MySqlParameter[])"/>
    public static object? ExecuteScalar(string connectionString, string commandText, params MySqlParameter[]? commandParameters) =>
        OnItsOwn(connectionString, connection => ExecuteScalar(connection, commandText, commandParameters));

    /// <inheritdoc cref="ExecuteScalar(MySqlConnection, string, MySqlParameter[])"/>
    public static object? ExecuteScalar(string connectionString, string commandText) => ExecuteScalar(connectionString, commandText, null);

    /// <summary>A reader of the results. Closing it leaves the connection open when that was given, and closes it when a connection string was.</summary>
    /// <exception cref="MySqlException">The server refused it, or could not be reached.</exception>
    public static MySqlDataReader ExecuteReader(MySqlConnection connection, string commandText, params MySqlParameter[]? commandParameters) =>
        Command(connection, commandText, commandParameters).ExecuteReader();

    /// <inheritdoc cref="ExecuteReader(MySqlConnection, string, MySqlParameter[])"/>
    public static MySqlDataReader ExecuteReader(MySqlConnection connection, string commandText) => ExecuteReader(connection, commandText, null);

    /// <inheritdoc cref="ExecuteReader(MySqlConnection, string, MySqlParameter[])"/>
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
    public static MySqlDataReader ExecuteReader(string connectionString, string commandText) => ExecuteReader(connectionString, commandText, null);

    /// <summary>All results, each a table: <c>Table</c>, <c>Table1</c>, ….</summary>
    /// <exception cref="MySqlException">The server refused it, or could not be reached.</exception>
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
    public static DataSet ExecuteDataset(string connectionString, string commandText, params MySqlParameter[]? commandParameters) =>
        OnItsOwn(connectionString, connection => ExecuteDataset(connection, commandText, commandParameters));

    /// <inheritdoc cref="ExecuteDataset(MySqlConnection, string, MySqlParameter[])"/>
    public static DataSet ExecuteDataset(string connectionString, string commandText) => ExecuteDataset(connectionString, commandText, null);

    /// <summary>The first row of the first result; null when there is none.</summary>
    /// <exception cref="MySqlException">The server refused it, or could not be reached.</exception>
    public static DataRow? ExecuteDataRow(string connectionString, string commandText, params MySqlParameter[]? parms) =>
        FirstRow(ExecuteDataset(connectionString, commandText, parms));

    /// <summary>Brings the changes of a table back, with the commands that a <see cref="MySqlCommandBuilder"/> makes of the SELECT.</summary>
    /// <param name="connectionString">Where to.</param>
    /// <param name="commandText">A SELECT from one table, with its key.</param>
    /// <param name="ds">Has the table.</param>
    /// <param name="tablename">The table's name in <paramref name="ds"/>.</param>
    /// <exception cref="DBConcurrencyException">Somebody else changed a row meanwhile.</exception>
    /// <exception cref="MySqlException">The server refused a row, or could not be reached.</exception>
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
