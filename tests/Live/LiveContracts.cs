using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>The lab's servers in the words of the contract.</summary>
internal static class LiveContracts
{
    public static async Task<ContractServer> MySqlAsync(ServerKind kind, string more = "")
    {
        var server = await LiveServers.GetAsync(kind);
        return new ContractServer(MySqlConnectorFactory.Instance, ConnectionStrings.MySql(server, more), server.Host)
        {
            Database = server.Database,
            OtherDatabase = "information_schema",
            Password = server.Password,
            SessionId = "SELECT CONNECTION_ID()",
            CurrentDatabase = "SELECT DATABASE()",
            // In a condition, because a SLEEP that is selected alone answers a KILL QUERY with a row.
            TenSeconds = "SELECT 1 FROM (SELECT 1 AS one UNION ALL SELECT 2) t WHERE SLEEP(5) = 0",
            ColumnType = static type => type switch
            {
                _ when type == typeof(bool) => "bool",
                _ when type == typeof(byte) => "tinyint unsigned",
                _ when type == typeof(short) => "smallint",
                _ when type == typeof(int) => "int",
                _ when type == typeof(long) => "bigint",
                _ when type == typeof(float) => "float",
                _ when type == typeof(double) => "double",
                _ when type == typeof(decimal) => "decimal(30,10)",
                _ when type == typeof(string) => "text CHARACTER SET utf8mb4",
                _ when type == typeof(char) => "char(1)",
                _ when type == typeof(byte[]) => "longblob",
                _ when type == typeof(DateTime) => "datetime(6)",
                _ when type == typeof(DateOnly) => "date",
                _ when type == typeof(TimeOnly) || type == typeof(TimeSpan) => "time(6)",
                _ when type == typeof(Guid) => "char(36)",
                _ => throw new NotSupportedException(type.Name),
            },
        };
    }

    public static async Task<ContractServer> PostgreSqlAsync(string more = "")
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        return new ContractServer(PgFactory.Instance, ConnectionStrings.PostgreSql(server, more), server.Host)
        {
            Database = server.Database,
            OtherDatabase = "postgres",
            Password = server.Password,
            SessionId = "SELECT pg_backend_pid()",
            CurrentDatabase = "SELECT current_database()::text",
            TenSeconds = "SELECT 1 FROM pg_sleep(10)",
            SyntaxError = "42601",
            UniqueViolation = "23505",
            ConnectTimeout = "Timeout",
            ColumnType = static type => type switch
            {
                _ when type == typeof(bool) => "boolean",
                _ when type == typeof(byte) || type == typeof(short) => "smallint",
                _ when type == typeof(int) => "integer",
                _ when type == typeof(long) => "bigint",
                _ when type == typeof(float) => "real",
                _ when type == typeof(double) => "double precision",
                _ when type == typeof(decimal) => "numeric",
                _ when type == typeof(string) => "text",
                _ when type == typeof(char) => "char(1)",
                _ when type == typeof(byte[]) => "bytea",
                _ when type == typeof(DateTime) => "timestamp",
                _ when type == typeof(DateOnly) => "date",
                _ when type == typeof(TimeOnly) => "time",
                _ when type == typeof(TimeSpan) => "interval",
                _ when type == typeof(Guid) => "uuid",
                _ => throw new NotSupportedException(type.Name),
            },
        };
    }
}

/// <summary>Connection strings for the lab's servers, in clear text unless a test asks for more.</summary>
internal static class ConnectionStrings
{
    public static string Of(LabServer server, string more = "") => server.Kind == ServerKind.PostgreSql ? PostgreSql(server, more) : MySql(server, more);

    public static string MySql(LabServer server, string more = "") =>
        $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};Database={server.Database};SSL Mode=None;Allow Public Key Retrieval=true;{more}";

    public static string PostgreSql(LabServer server, string more = "") =>
        $"Host={server.Host};Port={server.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Disable;{more}";
}

public class MySqlSyncContract() : ProviderContract(Mode.Sync)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MySql);
}

public class MySqlAsyncContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MySql);
}

public class MariaDbSyncContract() : ProviderContract(Mode.Sync)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MariaDb);
}

public class MariaDbAsyncContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MariaDb);
}

public class PostgreSqlSyncContract() : ProviderContract(Mode.Sync)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.PostgreSqlAsync();
}

public class PostgreSqlAsyncContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.PostgreSqlAsync();
}
