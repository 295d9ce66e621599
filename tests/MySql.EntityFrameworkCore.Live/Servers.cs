using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>The servers, each with one database for each class of tests.</summary>
internal static class Servers
{
    public static TheoryData<ServerKind> Kinds { get; } = [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    /// <summary>Returns a connection string of a database that may not exist yet.</summary>
    public static async Task<string> ConnectionString(ServerKind kind, string database)
    {
        var server = await LiveServers.GetAsync(kind);
        return $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};Database=ef_{database}_{Environment.ProcessId};"
            + "Allow Public Key Retrieval=true";
    }
}
