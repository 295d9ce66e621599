using System.Data.Common;
using System.Globalization;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Race.Servers;

namespace Slipstream.WebRace;

/// <summary>TechEmpower's tables, created anew in a database of their own.</summary>
internal static class Tables
{
    public const string Database = "web_race";

    private const int Worlds = 10_000;
    private const int RowsPerInsert = 1_000;

    public static async Task CreateAsync(LabServer server, CancellationToken stop)
    {
        var isPostgreSql = server.Kind.IsPostgreSql();
        await RunAsync(server, server.Database, [$"DROP DATABASE IF EXISTS {Database}", $"CREATE DATABASE {Database}"], stop);
        var random = new Random(20_130_328);
        List<string> statements =
        [
            "CREATE TABLE world (id INT NOT NULL PRIMARY KEY, randomnumber INT NOT NULL)",
            isPostgreSql
                ? "CREATE TABLE fortune (id SERIAL PRIMARY KEY, message VARCHAR(2048) NOT NULL)"
                : "CREATE TABLE fortune (id INT NOT NULL PRIMARY KEY AUTO_INCREMENT, message VARCHAR(2048) NOT NULL) CHARACTER SET utf8mb4",
            "INSERT INTO fortune (message) VALUES " + string.Join(",", FortuneTexts.All.Select(static text => $"('{text.Replace("'", "''")}')")),
        ];
        for (var first = 1; first <= Worlds; first += RowsPerInsert)
            statements.Add("INSERT INTO world VALUES " + string.Join(",", Enumerable.Range(first, RowsPerInsert).Select(
                id => string.Create(CultureInfo.InvariantCulture, $"({id},{random.Next(1, Worlds + 1)})"))));
        await RunAsync(server, Database, statements, stop);
    }

    /// <summary>Returns the connection string of a contestant. <c>default</c>: the provider's own settings; <c>seed</c>: without TLS and resets.</summary>
    public static string ConnectionString(LabServer server, string settings)
    {
        var isSeed = settings == "seed";
        return server.Kind.IsPostgreSql()
            ? string.Create(CultureInfo.InvariantCulture, $"Host={server.Host};Port={server.Port};Username={server.User};Password={server.Password};")
                + $"Database={Database}{(isSeed ? ";SSL Mode=Disable;No Reset On Close=true;Enlist=false" : "")}"
            : string.Create(CultureInfo.InvariantCulture, $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};")
                + $"Database={Database};AllowPublicKeyRetrieval=true{(isSeed ? ";SslMode=None;ConnectionReset=false;AutoEnlist=false" : "")}";
    }

    private static async Task RunAsync(LabServer server, string database, IEnumerable<string> statements, CancellationToken stop)
    {
        await using DbConnection connection = server.Kind.IsPostgreSql()
            ? new PgConnection(ConnectionString(server, "seed").Replace(Database, database, StringComparison.Ordinal))
            : new MySqlConnection(ConnectionString(server, "seed").Replace(Database, database, StringComparison.Ordinal));
        await connection.OpenAsync(stop);
        foreach (var statement in statements)
        {
            await using var command = connection.CreateCommand();
            command.CommandText = statement;
            await command.ExecuteNonQueryAsync(stop);
        }
    }
}
