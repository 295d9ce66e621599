using Slipstream.Lab;

namespace Slipstream.Testing;

/// <summary>Connection strings for the lab's servers, without TLS unless a test requests it.</summary>
public static class ConnectionStrings
{
    public static string Of(LabServer server, string more = "")
    {
        ArgumentNullException.ThrowIfNull(server);
        return server.Kind.IsPostgreSql() ? PostgreSql(server, more) : MySql(server, more);
    }

    public static string MySql(LabServer server, string more = "") =>
        $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};Database={server.Database};SSL Mode=None;Allow Public Key "
            + $"Retrieval=true;{more}";

    public static string PostgreSql(LabServer server, string more = "") =>
        $"Host={server.Host};Port={server.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Disable;{more}";
}
