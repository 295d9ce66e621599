using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.Compat;

/// <summary>The servers, each with one database for this program.</summary>
internal static class Servers
{
    public static TheoryData<ServerKind> Kinds { get; } = [ServerKind.MySql, ServerKind.MariaDb];

    /// <summary>Returns a connection string of the server's usual database.</summary>
    public static async Task<string> ConnectionString(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        return $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};Database={server.Database};"
            + "Allow Public Key Retrieval=true;Allow User Variables=true;Allow Load Local Infile=true";
    }

    /// <summary>Creates an empty database, and returns its connection string.</summary>
    public static async Task<Emptied> EmptyAsync(ServerKind kind, string name)
    {
        var database = $"compat_{name}_{Environment.ProcessId}";
        var server = await ConnectionString(kind);
        await using var connection = new MySqlConnection(server);
        await connection.OpenAsync();
        await using var command = new MySqlCommand($"DROP DATABASE IF EXISTS {database}; CREATE DATABASE {database}", connection);
        await command.ExecuteNonQueryAsync();
        return new(server, new MySqlConnectionStringBuilder(server) { Database = database }.ConnectionString, database);
    }
}

/// <summary>An empty database, which is dropped at the end.</summary>
internal sealed record Emptied(string Server, string ConnectionString, string Name) : IAsyncDisposable
{
    public async ValueTask DisposeAsync()
    {
        await using var connection = new MySqlConnection(Server);
        await connection.OpenAsync();
        await using var command = new MySqlCommand($"DROP DATABASE IF EXISTS {Name}", connection);
        await command.ExecuteNonQueryAsync();
    }
}
