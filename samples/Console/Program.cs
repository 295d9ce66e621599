using Slipstream.MySql;

// Create one data source for the whole program: it contains the pool.
var connectionString = args.Length > 0 ? args[0] : "Server=localhost;User ID=root;Database=test";
try
{
    await using var source = new MySqlDataSource(connectionString);
    await using var connection = await source.OpenConnectionAsync();
    Console.WriteLine($"connected to {connection.DataSource}, version {connection.ServerVersion}");

    await Run(connection, "CREATE TEMPORARY TABLE fruit (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL, price DECIMAL(8,2) NOT NULL)");

    // One transaction, one prepared command, three rows.
    await using (var transaction = await connection.BeginTransactionAsync())
    {
        await using var insert = new MySqlCommand("INSERT INTO fruit (name, price) VALUES (@name, @price)", connection, transaction);
        var name = insert.Parameters.AddWithValue("@name", "");
        var price = insert.Parameters.AddWithValue("@price", 0m);
        await insert.PrepareAsync();
        foreach (var (fruit, cost) in new[] { ("apple", 0.50m), ("pear", 0.75m), ("fig", 1.20m) })
        {
            name.Value = fruit;
            price.Value = cost;
            await insert.ExecuteNonQueryAsync();
            Console.WriteLine($"inserted {fruit} as number {insert.LastInsertedId}");
        }

        await transaction.CommitAsync();
    }

    await using var select = new MySqlCommand("SELECT id, name, price FROM fruit WHERE price >= @least ORDER BY name", connection);
    select.Parameters.AddWithValue("@least", 0.60m);
    await using (var reader = await select.ExecuteReaderAsync())
    {
        while (await reader.ReadAsync())
            Console.WriteLine($"{reader.GetInt32(0),3}  {reader.GetString(1),-10} {reader.GetDecimal(2),6}");
    }

    await using var sum = new MySqlCommand("SELECT SUM(price) FROM fruit", connection);
    Console.WriteLine($"together {await sum.ExecuteScalarAsync()}");
    return 0;
}
catch (MySqlException exception)
{
    // Look up the number and the SQLSTATE: docs/errors.md lists the client's errors, the server's manual the others.
    Console.Error.WriteLine($"error {exception.Number}{(exception.SqlState is { } state ? $" ({state})" : "")}: {exception.Message}");
    return 1;
}
catch (Exception exception) when (exception is ArgumentException or NotSupportedException)
{
    // The connection string contains an unknown option or an invalid value.
    Console.Error.WriteLine(exception.Message);
    return 2;
}

static async Task Run(MySqlConnection connection, string sql)
{
    await using var command = new MySqlCommand(sql, connection);
    await command.ExecuteNonQueryAsync();
}
