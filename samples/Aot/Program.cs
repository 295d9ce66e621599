using System.Data.Common;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Samples.Aot;

// Reads rows from each server that the command line names. The program uses no reflection, so it can be trimmed or compiled ahead of time.
if (args.Length == 0)
{
    Console.Error.WriteLine("usage: slipstream-aot mariadb://user:password@host:port/database postgresql://user:password@host:port/database …");
    return 2;
}

try
{
    foreach (var url in args)
        await ReadAsync(url);
    return 0;
}
catch (Exception exception) when (exception is DbException or ArgumentException or UriFormatException)
{
    // The message says what to do, for example if there is no server, a password is wrong, or an address is invalid.
    Console.Error.WriteLine(exception.Message);
    return 1;
}

static async Task ReadAsync(string url)
{
    await using var source = Open(new Uri(url), out var rows);
    await using var connection = await source.OpenConnectionAsync();
    Console.WriteLine($"{connection.DataSource} {connection.ServerVersion}");

    await using var command = connection.CreateCommand();
    command.CommandText = rows;
    var least = command.CreateParameter();
    least.ParameterName = "least";
    least.Value = 2;
    command.Parameters.Add(least);

    // Once as text and once prepared, because each form has its own codecs.
    for (var round = 0; round < 2; round++)
    {
        await using (var reader = await command.ExecuteReaderAsync())
        {
            while (await reader.ReadAsync())
                Console.WriteLine(
                    $"  {reader.GetInt32(0)}  {reader.GetString(1)}  {reader.GetFieldValue<decimal>(2)}  {reader.GetDateTime(3):yyyy-MM-dd}  "
                        + $"{(reader.IsDBNull(4) ? "NULL" : reader.GetValue(4))}");
        }

        await command.PrepareAsync();
    }

    if (source is MySqlDataSource)
        await MySqlFeatures.RunAsync(ToMySql(new Uri(url)));
}

static DbDataSource Open(Uri url, out string rows)
{
    var (name, password, database) = Parts(url);
    const string Rows = """
        SELECT id, name, price, day, note FROM (
            SELECT 1 AS id, 'one' AS name, CAST(1.5 AS decimal(10,2)) AS price, CAST('2026-01-01' AS date) AS day, NULL AS note
            UNION ALL SELECT 2, 'two', 2.25, CAST('2026-02-02' AS date), 'a note'
            UNION ALL SELECT 3, 'three', 3.75, CAST('2026-03-03' AS date), NULL) AS t
        WHERE id >= @least ORDER BY id
        """;
    rows = Rows;
    switch (url.Scheme)
    {
        case "mysql" or "mariadb":
            return new MySqlDataSource(ToMySql(url));
        case "postgresql":
            return PgDataSource.Create(new PgConnectionStringBuilder
            {
                Host = url.Host, Port = url.Port, Username = name, Password = password, Database = database,
            }.ConnectionString);
        default:
            throw new ArgumentException($"'{url.Scheme}' is none of mysql, mariadb and postgresql.", nameof(url));
    }
}

static string ToMySql(Uri url)
{
    var (name, password, database) = Parts(url);
    return new MySqlConnectionStringBuilder
    {
        Server = url.Host,
        Port = (uint)url.Port,
        UserID = name,
        Password = password,
        Database = database
    }.ConnectionString;
}

static (string Name, string Password, string Database) Parts(Uri url)
{
    var user = url.UserInfo.Split(':');
    return (Uri.UnescapeDataString(user[0]), Uri.UnescapeDataString(user.ElementAtOrDefault(1) ?? ""), Uri.UnescapeDataString(url.AbsolutePath.Trim('/')));
}
