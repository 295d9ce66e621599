using System.Data;
using System.Transactions;
using Dapper;
using Microsoft.Extensions.DependencyInjection;
using MySqlConnector;

// dotnet run -- "Server=...;User ID=...;Password=...;Database=..."
// A small shop, written against MySqlConnector's documentation. Both folders contain the same application; only the package and one using differ.
if (args.Length != 1)
{
    Console.Error.WriteLine("usage: Migrated CONNECTION-STRING   (of an empty database: the tables product and sale, and the procedure restock, are replaced)");
    return 2;
}

var connectionString =
    new MySqlConnectionStringBuilder(args[0]) { AllowLoadLocalInfile = true, AllowUserVariables = true, ApplicationName = "migrated" }.ConnectionString;

await CreateTables();
await OneConnection();
await DependencyInjection();
await WithDapper();
await ATransaction();
await InBulk();
await AStoredProcedure();
AScope();
AnAdapter();
await Schema();
await ABatch();
await Errors();
return 0;

async Task CreateTables()
{
    await using var connection = new MySqlConnection(connectionString);
    await connection.OpenAsync();
    foreach (var sql in new[]
    {
        "DROP TABLE IF EXISTS sale, product",
        "CREATE TABLE product (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(50) NOT NULL UNIQUE, price DECIMAL(8,2) NOT NULL, stock INT NOT NULL, active "
            + "BOOL NOT NULL DEFAULT 1, added DATETIME NULL, picture BLOB NULL)",
        "CREATE TABLE sale (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, product_id INT NOT NULL, amount INT NOT NULL, tag CHAR(36) NULL, FOREIGN KEY "
            + "(product_id) REFERENCES product (id))",
        "DROP PROCEDURE IF EXISTS restock",
        "CREATE PROCEDURE restock (IN wanted VARCHAR(50), INOUT amount INT, OUT price_of_all DECIMAL(12,2)) BEGIN UPDATE product SET stock = stock + amount "
            + "WHERE name = wanted; SELECT stock, stock * price INTO amount, price_of_all FROM product WHERE name = wanted; SELECT name, stock FROM product "
            + "WHERE name = wanted; END",
    })
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}

async Task OneConnection()
{
    await using var connection = new MySqlConnection(connectionString);
    connection.StateChange += (_, change) => Console.WriteLine($"state: {change.OriginalState} -> {change.CurrentState}");
    await connection.OpenAsync();
    await using var insert =
        new MySqlCommand("INSERT INTO product (name, price, stock, added, picture) VALUES (@name, @price, @stock, @added, @picture)", connection);
    insert.Parameters.AddWithValue("@name", "tea");
    insert.Parameters.Add("@price", MySqlDbType.Decimal).Value = 3.5m;
    insert.Parameters.Add(new MySqlParameter("@stock", 10));
    insert.Parameters.AddWithValue("@added", new DateTime(2026, 1, 2, 3, 4, 5));
    insert.Parameters.AddWithValue("@picture", new byte[] { 1, 2, 3 });
    await insert.PrepareAsync();
    Console.WriteLine($"inserted {await insert.ExecuteNonQueryAsync()}, id {insert.LastInsertedId}");

    await using var select = new MySqlCommand("SELECT id, name, price, stock, active, added, picture FROM product", connection);
    await using var reader = await select.ExecuteReaderAsync(CommandBehavior.SingleRow);
    while (await reader.ReadAsync())
    {
        for (var i = 0; i < reader.FieldCount; i++)
            Console.Write($"{reader.GetName(i)}:{reader.GetDataTypeName(i)}:{reader.GetFieldType(i).Name} ");
        Console.WriteLine();
        Console.WriteLine(
            $"{reader.GetInt32("id")} {reader.GetString("name")} {reader.GetDecimal(2)} {reader.GetFieldValue<long>(3)} {reader.GetBoolean("active")} "
                + $"{reader.GetDateTime("added"):s} {Convert.ToHexString((byte[])reader["picture"])}");
    }
}

async Task DependencyInjection()
{
    var services = new ServiceCollection();
    services.AddMySqlDataSource(connectionString, builder => builder.UseName("shop"));
    await using var provider = services.BuildServiceProvider();
    var source = provider.GetRequiredService<MySqlDataSource>();
    await using var connection = await source.OpenConnectionAsync();
    await using var command = connection.CreateCommand();
    command.CommandText = "SELECT COUNT(*) FROM product";
    Console.WriteLine($"products: {await command.ExecuteScalarAsync()}");
    await using var direct = source.CreateCommand("SELECT name FROM product ORDER BY id LIMIT 1");
    Console.WriteLine($"first: {await direct.ExecuteScalarAsync()}");
}

async Task WithDapper()
{
    await using var connection = new MySqlConnection(connectionString);
    await connection.ExecuteAsync(
        "INSERT INTO product (name, price, stock) VALUES (@Name, @Price, @Stock)", new[] { new Product("coffee", 5.25m, 4), new Product("cocoa", 4m, 7) });
    foreach (var product in await connection.QueryAsync<Product>(
        "SELECT name, price, stock FROM product WHERE name IN @names ORDER BY name", new { names = new[] { "coffee", "cocoa" } }))
        Console.WriteLine(product);
    var total = await connection.QuerySingleAsync<decimal>("SELECT @rate * SUM(price) FROM product", new { rate = 2 });
    Console.WriteLine($"twice all prices: {total:0.00}");
}

async Task ATransaction()
{
    await using var connection = new MySqlConnection(connectionString);
    await connection.OpenAsync();
    await using (var transaction = await connection.BeginTransactionAsync(System.Data.IsolationLevel.ReadCommitted))
    {
        await Sell(1);
        await transaction.SaveAsync("one");
        await Sell(2);
        await transaction.RollbackAsync("one");
        await transaction.CommitAsync();

        async Task Sell(int amount)
        {
            await using var command = new MySqlCommand("INSERT INTO sale (product_id, amount) VALUES (1, @amount)", connection, transaction);
            command.Parameters.AddWithValue("amount", amount);
            await command.ExecuteNonQueryAsync();
        }
    }

    await using (var transaction = connection.BeginTransaction())
    {
        await connection.ExecuteAsync("DELETE FROM sale", transaction: transaction);
    }

    Console.WriteLine($"sold after a rollback: {await connection.ExecuteScalarAsync<int>("SELECT SUM(amount) FROM sale")}");
}

async Task InBulk()
{
    var table =
        new DataTable { Columns = { { "name", typeof(string) }, { "price", typeof(decimal) }, { "stock", typeof(int) }, { "picture", typeof(byte[]) } } };
    for (var i = 0; i < 1000; i++)
        table.Rows.Add($"thing {i} with 'quotes', \t tabs and \\", i / 100m, i, new byte[] { 0, 255, (byte)i });
    await using var connection = new MySqlConnection(connectionString);
    await connection.OpenAsync();
    var bulkCopy = new MySqlBulkCopy(connection) { DestinationTableName = "product", NotifyAfter = 500 };
    bulkCopy.MySqlRowsCopied += (_, e) => Console.WriteLine($"copied {e.RowsCopied}");
    foreach (DataColumn column in table.Columns)
        bulkCopy.ColumnMappings.Add(new MySqlBulkCopyColumnMapping(column.Ordinal, column.ColumnName));
    var result = await bulkCopy.WriteToServerAsync(table);
    Console.WriteLine($"bulk: {result.RowsInserted} rows, {result.Warnings.Count} warnings");
    Console.WriteLine(await connection.QuerySingleAsync<string>("SELECT CONCAT(name, ' ', HEX(picture)) FROM product WHERE stock = 999"));
}

async Task AStoredProcedure()
{
    await using var connection = new MySqlConnection(connectionString);
    await connection.OpenAsync();
    await using var command = new MySqlCommand("restock", connection) { CommandType = CommandType.StoredProcedure };
    command.Parameters.AddWithValue("@wanted", "tea");
    command.Parameters.Add(new MySqlParameter("@amount", MySqlDbType.Int32) { Direction = ParameterDirection.InputOutput, Value = 5 });
    command.Parameters.Add(new MySqlParameter("@price_of_all", MySqlDbType.Decimal) { Direction = ParameterDirection.Output });
    await using (var reader = await command.ExecuteReaderAsync())
    {
        while (await reader.ReadAsync())
            Console.WriteLine($"procedure: {reader.GetString(0)} {reader.GetInt32(1)}");
    }

    Console.WriteLine($"out: {command.Parameters["@amount"].Value} {command.Parameters["@price_of_all"].Value}");
    MySqlCommandBuilder.DeriveParameters(command);
    Console.WriteLine(
        string.Join(
            ", ", command.Parameters.Cast<MySqlParameter>().Select(parameter => $"{parameter.ParameterName} {parameter.Direction} {parameter.MySqlDbType}")));
}

void AScope()
{
    foreach (var complete in new[] { false, true })
    {
        using var scope = new TransactionScope();
        using var connection = new MySqlConnection(connectionString);
        connection.Open();
        using var command = new MySqlCommand("UPDATE product SET stock = stock + 1000 WHERE name = 'coffee'", connection);
        command.ExecuteNonQuery();
        if (complete)
            scope.Complete();
    }

    using var after = new MySqlConnection(connectionString);
    Console.WriteLine($"coffee after two scopes: {after.ExecuteScalar<int>("SELECT stock FROM product WHERE name = 'coffee'")}");
}

void AnAdapter()
{
    using var connection = new MySqlConnection(connectionString);
    using var adapter = new MySqlDataAdapter("SELECT id, name, price, stock FROM product WHERE name IN ('tea', 'coffee', 'cocoa') ORDER BY id", connection);
    using var builder = new MySqlCommandBuilder(adapter);
    var table = new DataTable();
    Console.WriteLine($"filled {adapter.Fill(table)}");
    table.Rows[0]["price"] = 3.75m;
    table.Rows[2].Delete();
    Console.WriteLine($"updated {adapter.Update(table)}");
    Console.WriteLine(builder.GetDeleteCommand().CommandText.Contains("`product`", StringComparison.Ordinal));
    Console.WriteLine(
        string.Join(", ", connection.Query<string>("SELECT CONCAT(name, ' ', price) FROM product WHERE name IN ('tea', 'coffee', 'cocoa') ORDER BY id")));
}

async Task Schema()
{
    await using var connection = new MySqlConnection(connectionString);
    await connection.OpenAsync();
    var columns = await connection.GetSchemaAsync("Columns", [null, connection.Database, "sale"]);
    foreach (var row in columns.Rows.Cast<DataRow>().OrderBy(row => Convert.ToInt32(row["ORDINAL_POSITION"])))
        Console.WriteLine($"{row["TABLE_NAME"]}.{row["COLUMN_NAME"]} {row["DATA_TYPE"]} {row["IS_NULLABLE"]}");
    Console.WriteLine(
        string.Join(
            ' ',
            connection.GetSchema().Rows.Cast<DataRow>().Select(row => (string)row[0]).Where(name => name is "Tables" or "Columns" or "Databases").Order()));
    Console.WriteLine(connection.GetSchema("Tables", [null, connection.Database, "product"]).Rows.Count);
}

async Task ABatch()
{
    await using var connection = new MySqlConnection(connectionString);
    await connection.OpenAsync();
    await using var batch = new MySqlBatch(connection)
    {
        BatchCommands =
        {
            new MySqlBatchCommand("INSERT INTO sale (product_id, amount, tag) VALUES (@product, @amount, @tag)")
            {
                Parameters =
                {
                    new MySqlParameter("@product", 2),
                    new MySqlParameter("@amount", 6),
                    new MySqlParameter("@tag", Guid.Parse("0f8fad5b-d9cb-469f-a165-70867728950e"))
                },
            },
            new MySqlBatchCommand("SELECT product_id, amount, tag FROM sale ORDER BY id"),
        },
    };
    await using var reader = await batch.ExecuteReaderAsync();
    while (await reader.ReadAsync())
        Console.WriteLine($"sale: {reader.GetInt32(0)} {reader.GetInt32(1)} {(await reader.IsDBNullAsync(2) ? "untagged" : reader.GetGuid(2))}");
}

async Task Errors()
{
    await using var connection = new MySqlConnection(connectionString);
    await connection.OpenAsync();
    try
    {
        await connection.ExecuteAsync("INSERT INTO product (name, price, stock) VALUES ('tea', 1, 1)");
    }
    catch (MySqlException exception) when (exception.ErrorCode == MySqlErrorCode.DuplicateKeyEntry)
    {
        Console.WriteLine($"{exception.Number} {exception.SqlState} {exception.IsTransient}");
    }

    try
    {
        await using var slow = new MySqlCommand("SELECT COUNT(*) FROM product a JOIN product b JOIN product c WHERE a.stock <> b.stock + c.stock", connection)
        {
            CommandTimeout = 1
        };
        await slow.ExecuteScalarAsync();
    }
    catch (MySqlException exception)
    {
        Console.WriteLine($"{exception.ErrorCode} {connection.State}");
    }

    Console.WriteLine(MySqlHelper.EscapeString("it's \\ \"quoted\""));
}

internal sealed record Product(string Name, decimal Price, int Stock);
