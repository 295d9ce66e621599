using System.Data;
using System.Transactions;
using Microsoft.Extensions.DependencyInjection;
using Slipstream.MySql;

namespace Slipstream.Samples.Aot;

/// <summary>Uses the features of the MySQL provider besides commands and readers in a trimmed program, and prints the result of each.</summary>
internal static class MySqlFeatures
{
    public static async Task RunAsync(string connectionString)
    {
        var table = $"aot_{Environment.ProcessId}";

        // The data source comes from a container, as in a web application.
        var services = new ServiceCollection();
        services.AddMySqlDataSource(connectionString);
        await using var provider = services.BuildServiceProvider();
        var source = provider.GetRequiredService<MySqlDataSource>();
        await using var connection = provider.GetRequiredService<MySqlConnection>();
        await connection.OpenAsync();
        await ExecuteAsync(connection, $"CREATE TABLE {table} (id int PRIMARY KEY, name varchar(20))");
        try
        {
            await ExecuteAsync(connection, $"CREATE PROCEDURE {table}_p (IN a int, OUT b int) SET b = a * 2");
            Print("procedure", await CallAsync(connection, table + "_p"));
            Print("batch", await BatchAsync(connection, table));
            Print("bulk copy", await CopyAsync(connection, table));
            Print("scope", await ScopesAsync(source, connection, table));
            Print("attributes", await AttributesAsync(connection));
            Print("adapter", Adapt(connection, table));
            Print("schema", (await connection.GetSchemaAsync("Tables", [null, null, table])).Rows.Count);
            Print("columns", string.Join(' ', await ColumnsAsync(connection, table)));
        }
        finally
        {
            await ExecuteAsync(connection, $"DROP TABLE {table}; DROP PROCEDURE IF EXISTS {table}_p");
        }
    }

    private static void Print(string feature, object? result) => Console.WriteLine($"  {feature}: {result}");

    private static async Task<object?> CallAsync(MySqlConnection connection, string name)
    {
        await using var command = new MySqlCommand(name, connection) { CommandType = CommandType.StoredProcedure };
        command.Parameters.AddWithValue("a", 21);
        command.Parameters.Add(new MySqlParameter("b", MySqlDbType.Int32) { Direction = ParameterDirection.Output });
        await command.ExecuteNonQueryAsync();
        return command.Parameters["b"].Value;
    }

    private static async Task<int> BatchAsync(MySqlConnection connection, string table)
    {
        await using var batch = new MySqlBatch(connection);
        for (var id = 1; id <= 3; id++)
        {
            var command = new MySqlBatchCommand($"INSERT INTO {table} VALUES (@id, @name)");
            command.Parameters.AddWithValue("@id", id);
            command.Parameters.AddWithValue("@name", $"batched {id}");
            batch.BatchCommands.Add(command);
        }

        return await batch.ExecuteNonQueryAsync();
    }

    private static async Task<int> CopyAsync(MySqlConnection connection, string table)
    {
        var copy = new MySqlBulkCopy(connection) { DestinationTableName = table };
        var result = await copy.WriteToServerAsync(Enumerable.Range(100, 50), static (row, id) =>
        {
            row.Write(id);
            row.Write($"copied {id}");
        });
        return result.RowsInserted;
    }

    private static async Task<object?> ScopesAsync(MySqlDataSource source, MySqlConnection outside, string table)
    {
        foreach (var (id, completes) in new[] { (4, true), (5, false) })
        {
            using var scope = new TransactionScope(TransactionScopeAsyncFlowOption.Enabled);
            await using var connection = await source.OpenConnectionAsync();
            await ExecuteAsync(connection, $"INSERT INTO {table} VALUES ({id}, 'in a scope')");
            if (completes)
                scope.Complete();
        }

        await using var command = new MySqlCommand($"SELECT COUNT(*) FROM {table} WHERE id IN (4, 5)", outside);
        return await command.ExecuteScalarAsync();
    }

    private static async Task<object?> AttributesAsync(MySqlConnection connection)
    {
        await using var command = new MySqlCommand("SELECT 'sent'", connection);
        command.Attributes.SetAttribute("sample", "aot");
        return await command.ExecuteScalarAsync();
    }

    // DbDataAdapter.Update of .NET does not support trimming, as its analysers report; Fill does.
    private static string Adapt(MySqlConnection connection, string table)
    {
        using var adapter = new MySqlDataAdapter($"SELECT id, name FROM {table} WHERE id < 10 ORDER BY id", connection);
        using var data = new DataTable();
        return $"{adapter.Fill(data)} filled, the last is {data.Rows[data.Rows.Count - 1]["name"]}";
    }

    private static async Task<List<string>> ColumnsAsync(MySqlConnection connection, string table)
    {
        await using var command = new MySqlCommand($"SELECT * FROM {table} WHERE id = 1", connection);
        await using var reader = await command.ExecuteReaderAsync();
        return [.. (await reader.GetColumnSchemaAsync()).Select(static column => $"{column.ColumnName}:{column.DataType?.Name}")];
    }

    private static async Task ExecuteAsync(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}
