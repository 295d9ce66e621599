using System.Data;

namespace Slipstream.MySql;

// Connector/NET has the token before the parameters, which can be any number.
#pragma warning disable CA1068
public sealed partial class MySqlHelper
{
    /// <inheritdoc cref="ExecuteNonQuery(MySqlConnection, string, MySqlParameter[])"/>
    public static Task<int> ExecuteNonQueryAsync(MySqlConnection connection, string commandText, params MySqlParameter[]? commandParameters) =>
        ExecuteNonQueryAsync(connection, commandText, CancellationToken.None, commandParameters);

    /// <inheritdoc cref="ExecuteNonQuery(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connection">The connection, which must be open. It stays open.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="cancellationToken">Cancels the statement on the server.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static async Task<int> ExecuteNonQueryAsync(
        MySqlConnection connection, string commandText, CancellationToken cancellationToken, params MySqlParameter[]? commandParameters)
    {
        var command = Command(connection, commandText, commandParameters);
        await using (command.ConfigureAwait(false))
            return await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc cref="ExecuteNonQuery(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="parms">The parameters; null for none.</param>
    public static Task<int> ExecuteNonQueryAsync(string connectionString, string commandText, params MySqlParameter[]? parms) =>
        ExecuteNonQueryAsync(connectionString, commandText, CancellationToken.None, parms);

    /// <inheritdoc cref="ExecuteNonQuery(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="cancellationToken">Cancels the statement on the server.</param>
    /// <param name="parms">The parameters; null for none.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static Task<int> ExecuteNonQueryAsync(
        string connectionString, string commandText, CancellationToken cancellationToken, params MySqlParameter[]? parms) =>
        OnItsOwn(connectionString, connection => ExecuteNonQueryAsync(connection, commandText, cancellationToken, parms), cancellationToken);

    /// <inheritdoc cref="ExecuteScalar(MySqlConnection, string, MySqlParameter[])"/>
    public static Task<object?> ExecuteScalarAsync(MySqlConnection connection, string commandText, params MySqlParameter[]? commandParameters) =>
        ExecuteScalarAsync(connection, commandText, CancellationToken.None, commandParameters);

    /// <inheritdoc cref="ExecuteScalar(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connection">The connection, which must be open. It stays open.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="cancellationToken">Cancels the statement on the server.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static async Task<object?> ExecuteScalarAsync(
        MySqlConnection connection, string commandText, CancellationToken cancellationToken, params MySqlParameter[]? commandParameters)
    {
        var command = Command(connection, commandText, commandParameters);
        await using (command.ConfigureAwait(false))
            return await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc cref="ExecuteScalar(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    public static Task<object?> ExecuteScalarAsync(string connectionString, string commandText, params MySqlParameter[]? commandParameters) =>
        ExecuteScalarAsync(connectionString, commandText, CancellationToken.None, commandParameters);

    /// <inheritdoc cref="ExecuteScalar(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="cancellationToken">Cancels the statement on the server.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static Task<object?> ExecuteScalarAsync(
        string connectionString, string commandText, CancellationToken cancellationToken, params MySqlParameter[]? commandParameters) =>
        OnItsOwn(connectionString, connection => ExecuteScalarAsync(connection, commandText, cancellationToken, commandParameters), cancellationToken);

    /// <inheritdoc cref="ExecuteReader(MySqlConnection, string, MySqlParameter[])"/>
    public static Task<MySqlDataReader> ExecuteReaderAsync(MySqlConnection connection, string commandText, params MySqlParameter[]? commandParameters) =>
        ExecuteReaderAsync(connection, commandText, CancellationToken.None, commandParameters);

    /// <inheritdoc cref="ExecuteReader(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connection">The connection, which must be open. It stays open.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="cancellationToken">Cancels the statement on the server.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static Task<MySqlDataReader> ExecuteReaderAsync(
        MySqlConnection connection, string commandText, CancellationToken cancellationToken, params MySqlParameter[]? commandParameters) =>
        Command(connection, commandText, commandParameters).ExecuteReaderAsync(cancellationToken);

    /// <inheritdoc cref="ExecuteReader(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    public static Task<MySqlDataReader> ExecuteReaderAsync(string connectionString, string commandText, params MySqlParameter[]? commandParameters) =>
        ExecuteReaderAsync(connectionString, commandText, CancellationToken.None, commandParameters);

    /// <inheritdoc cref="ExecuteReader(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="cancellationToken">Cancels the statement on the server.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static async Task<MySqlDataReader> ExecuteReaderAsync(
        string connectionString, string commandText, CancellationToken cancellationToken, params MySqlParameter[]? commandParameters)
    {
        var connection = new MySqlConnection(connectionString);
        try
        {
            await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
            return await Command(connection, commandText, commandParameters)
                .ExecuteReaderAsync(CommandBehavior.CloseConnection, cancellationToken)
                .ConfigureAwait(false);
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc cref="ExecuteDataset(MySqlConnection, string, MySqlParameter[])"/>
    public static Task<DataSet> ExecuteDatasetAsync(MySqlConnection connection, string commandText, params MySqlParameter[]? commandParameters) =>
        ExecuteDatasetAsync(connection, commandText, CancellationToken.None, commandParameters);

    /// <inheritdoc cref="ExecuteDataset(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connection">The connection, which must be open. It stays open.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="cancellationToken">Cancels the statement on the server.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static async Task<DataSet> ExecuteDatasetAsync(
        MySqlConnection connection, string commandText, CancellationToken cancellationToken, params MySqlParameter[]? commandParameters)
    {
        var command = Command(connection, commandText, commandParameters);
        await using (command.ConfigureAwait(false))
        {
            var reader = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                var filled = new FilledDataSet();
                do
                {
                    // A statement without a result set has no table.
                    if (reader.FieldCount == 0)
                        continue;
                    filled.Begin(reader);
                    while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                        filled.Add(reader);
                }
                while (await reader.NextResultAsync(cancellationToken).ConfigureAwait(false));
                return filled.End();
            }
        }
    }

    /// <inheritdoc cref="ExecuteDataset(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    public static Task<DataSet> ExecuteDatasetAsync(string connectionString, string commandText, params MySqlParameter[]? commandParameters) =>
        ExecuteDatasetAsync(connectionString, commandText, CancellationToken.None, commandParameters);

    /// <inheritdoc cref="ExecuteDataset(MySqlConnection, string, MySqlParameter[])"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="cancellationToken">Cancels the statement on the server.</param>
    /// <param name="commandParameters">The parameters; null for none.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static Task<DataSet> ExecuteDatasetAsync(
        string connectionString, string commandText, CancellationToken cancellationToken, params MySqlParameter[]? commandParameters) =>
        OnItsOwn(connectionString, connection => ExecuteDatasetAsync(connection, commandText, cancellationToken, commandParameters), cancellationToken);

    /// <inheritdoc cref="ExecuteDataRow"/>
    public static Task<DataRow?> ExecuteDataRowAsync(string connectionString, string commandText, params MySqlParameter[]? parms) =>
        ExecuteDataRowAsync(connectionString, commandText, CancellationToken.None, parms);

    /// <inheritdoc cref="ExecuteDataRow"/>
    /// <param name="connectionString">The connection string of a connection that is opened for this call.</param>
    /// <param name="commandText">The text of the statement.</param>
    /// <param name="cancellationToken">Cancels the statement on the server.</param>
    /// <param name="parms">The parameters; null for none.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static async Task<DataRow?> ExecuteDataRowAsync(
        string connectionString, string commandText, CancellationToken cancellationToken, params MySqlParameter[]? parms) =>
        FirstRow(await ExecuteDatasetAsync(connectionString, commandText, cancellationToken, parms).ConfigureAwait(false));

    private static async Task<T> OnItsOwn<T>(string connectionString, Func<MySqlConnection, Task<T>> run, CancellationToken cancellationToken)
    {
        var connection = new MySqlConnection(connectionString);
        await using (connection.ConfigureAwait(false))
        {
            await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
            return await run(connection).ConfigureAwait(false);
        }
    }
}
