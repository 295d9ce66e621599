using System.Data;
using Dapper;
using MySqlConnector;
using Connection = MySqlConnector.MySqlConnection;
using static MySqlConnector.MySqlErrorCode;

namespace Shop;

/// <summary>Reads products with <see cref="MySqlConnector.MySqlConnection"/>.</summary>
public class ProductStore(MySqlDataSource source)
{
    // MySqlConnector.MySqlCommand in a comment stays as it is.
    private const string Text = "using MySqlConnector; SELECT 'MySqlConnector.MySqlConnection'";

    public async Task<IReadOnlyList<string>> NamesAsync()
    {
        await using Connection connection = await source.OpenConnectionAsync();
        var names = await connection.QueryAsync<string>("SELECT name FROM product");
        return names.ToList();
    }

    public async Task AddAsync(string name)
    {
        await using var connection = await source.OpenConnectionAsync();
        await using var transaction = await connection.BeginTransactionAsync(IsolationLevel.ReadCommitted);
        await using var command = new global::MySqlConnector.MySqlCommand("INSERT INTO product (name) VALUES (@name)", connection, transaction);
        command.Parameters.Add(new MySqlParameter("@name", MySqlConnector.MySqlDbType.VarChar) { Value = name });
        await command.PrepareAsync();
        try
        {
            await command.ExecuteNonQueryAsync();
            await transaction.CommitAsync();
        }
        catch (MySqlException exception) when (exception.ErrorCode is DuplicateKeyEntry)
        {
            throw new InvalidOperationException(Text, exception);
        }
    }
}
