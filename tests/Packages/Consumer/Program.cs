using System.Data.Common;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;
using Slipstream.MySql;

// The program of a user who has installed the packages: the arguments are pairs of "mysql" or "postgresql" and a connection string.
for (var i = 0; i + 1 < args.Length; i += 2)
{
    await using DbDataSource source = args[i] == "mysql" ? new MySqlDataSource(args[i + 1]) : NpgsqlDataSource.Create(args[i + 1]);
    await using var command = source.CreateCommand(args[i] == "mysql" ? "SELECT @name, 41 + 1" : "SELECT @name::text, 41 + 1");
    var name = command.CreateParameter();
    (name.ParameterName, name.Value) = ("@name", "grüße");
    command.Parameters.Add(name);
    await using var reader = await command.ExecuteReaderAsync();
    while (await reader.ReadAsync())
        Console.WriteLine($"{reader.GetString(0)} {reader.GetFieldValue<long>(1)}");
}

Console.WriteLine(typeof(SlipstreamMySqlCacheServiceCollectionExtensions).Assembly.GetName().Name);
Console.WriteLine(typeof(SlipstreamPostgreSqlCacheServiceCollectionExtensions).Assembly.GetName().Name);
Console.WriteLine(typeof(SlipstreamMySqlConfigurationExtensions).Assembly.GetName().Name);
Console.WriteLine(typeof(SlipstreamPostgreSqlConfigurationExtensions).Assembly.GetName().Name);
await using var plugged = new PgDataSourceBuilder("Host=localhost").UseNodaTime().UseNetTopologySuite().UseVector().Build();
