using System.Data.Common;
using Microsoft.Extensions.Caching.Distributed;
using Slipstream.MySql;
using Slipstream.MySql.Caching;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Caching;
using Slipstream.Tool.Connections;

namespace Slipstream.Tool.Caching;

/// <summary>The table of a cache, as the command line names it. What it looks like is decided by the packages for caching only.</summary>
/// <param name="Name">The name of the table.</param>
/// <param name="Place">The database (MySQL, MariaDB) or the schema (PostgreSQL); null means that of the connection.</param>
/// <param name="IsUnlogged">Whether the table is UNLOGGED, on PostgreSQL.</param>
internal sealed record CacheTableName(string Name, string? Place, bool IsUnlogged)
{
    public MySqlCacheOptions MySql => new() { DatabaseName = Place, TableName = Name, ExpiredItemsDeletionInterval = Timeout.InfiniteTimeSpan };

    public PgCacheOptions PostgreSql =>
        new() { SchemaName = Place, TableName = Name, IsUnlogged = IsUnlogged, ExpiredItemsDeletionInterval = Timeout.InfiniteTimeSpan };

    public string SqlFor(Provider provider) => provider == Provider.MySql ? MySql.GetCreateTableSql() : PostgreSql.GetCreateTableSql();
}

/// <summary>What became of the table.</summary>
/// <param name="IsCreated">Whether the table did not exist.</param>
/// <param name="Problem">Why a cache cannot use the table that exists; null if it can.</param>
internal sealed record CacheTableResult(bool IsCreated, string? Problem);

/// <summary>Creates the table of a cache.</summary>
internal static class CacheTables
{
    // A table exists, and a text names one of its columns that it does not have, or compares one of another type.
    private const int UnknownColumn = 1054;
    private static readonly string[] DifferentColumns = ["42703", "42804", "42883"];

    private const string ExistsMySql =
        "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = COALESCE(@place, DATABASE()) AND table_name = @name";

    private const string ExistsPostgreSql =
        "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE n.nspname = COALESCE(@place::text, current_schema()) AND c.relname = @name::text";

    public static async Task<CacheTableResult> CreateAsync(Target target, CacheTableName table, CancellationToken cancellationToken)
    {
        await using DbDataSource source = target.Provider == Provider.MySql
            ? new MySqlDataSource(target.ConnectionString)
            : PgDataSource.Create(target.ConnectionString);
        var existed = await ExistsAsync(source, target.Provider, table, cancellationToken);
        if (source is MySqlDataSource mySql)
        {
            await using var cache = new MySqlCache(mySql, table.MySql);
            await cache.CreateTableAsync(cancellationToken);
            return new(!existed, existed ? await ProblemAsync(cache, cancellationToken) : null);
        }

        await using var pgCache = new PgCache((PgDataSource)source, table.PostgreSql);
        try
        {
            await pgCache.CreateTableAsync(cancellationToken);
        }
        catch (PgException exception) when (existed && DifferentColumns.Contains(exception.SqlState))
        {
            // The index of the cache, on a table without its columns.
            return new(IsCreated: false, exception.Message);
        }

        return new(!existed, existed ? await ProblemAsync(pgCache, cancellationToken) : null);
    }

    private static async Task<bool> ExistsAsync(DbDataSource source, Provider provider, CacheTableName table, CancellationToken cancellationToken)
    {
        await using var command = source.CreateCommand(provider == Provider.MySql ? ExistsMySql : ExistsPostgreSql);
        foreach (var (name, value) in ((string, string?)[])[("place", table.Place), ("name", table.Name)])
        {
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.Value) = (name, value ?? (object)DBNull.Value);
            command.Parameters.Add(parameter);
        }

        return Convert.ToInt64(await command.ExecuteScalarAsync(cancellationToken), System.Globalization.CultureInfo.InvariantCulture) > 0;
    }

    // Reading an entry names all columns of the table but changes nothing.
    private static async Task<string?> ProblemAsync(IDistributedCache cache, CancellationToken cancellationToken)
    {
        try
        {
            await cache.GetAsync("", cancellationToken);
            return null;
        }
        catch (DbException exception) when (exception is MySqlException { Number: UnknownColumn } || DifferentColumns.Contains(exception.SqlState))
        {
            return exception.Message;
        }
    }
}
