using System.Text;
using Slipstream.Caching;

namespace Slipstream.PostgreSql.Caching;

/// <summary>
/// The options of a cache on a table of PostgreSQL. The cache copies them when it is created; later changes have no effect.
/// </summary>
public sealed class PgCacheOptions
{
    /// <summary>Gets or sets the data source that the cache uses. The cache does not dispose it. Default null: the one that the other options name.</summary>
    public PgDataSource? DataSource { get; set; }

    /// <summary>
    /// Gets or sets a connection string. The cache then has a data source of its own, with a pool of its own, and disposes it. Default null: the cache uses a
    /// registered data source.
    /// </summary>
    public string? ConnectionString { get; set; }

    /// <summary>Gets or sets the key under which the data source is registered with the container. Default null: the one without a key.</summary>
    public object? DataSourceKey { get; set; }

    /// <summary>Gets or sets the name of the schema with the table. Default null: the first one of the search path.</summary>
    public string? SchemaName { get; set; }

    /// <summary>Gets or sets the name of the table, as one name without quotes. Default: <c>cache</c>.</summary>
    public string TableName { get; set; } = "cache";

    /// <summary>
    /// Gets or sets the sliding expiration of entries that are set without any expiration. Default: 20 minutes.
    /// </summary>
    public TimeSpan DefaultSlidingExpiration { get; set; } = CacheSettings.UsualSlidingExpiration;

    /// <summary>
    /// Gets or sets the interval after which an operation starts the deletion of expired entries, in the background. The first operation starts it, too.
    /// <see cref="Timeout.InfiniteTimeSpan"/> means never. Default: 30 minutes.
    /// </summary>
    public TimeSpan ExpiredItemsDeletionInterval { get; set; } = CacheSettings.UsualDeletionInterval;

    /// <summary>Gets or sets whether an operation that finds no table creates it, and is then repeated. Default: false.</summary>
    public bool CreateTableIfMissing { get; set; }

    /// <summary>
    /// Gets or sets whether the table is created as UNLOGGED: faster writes, but the table is empty after a crash of the server, and on its standbys. Default:
    /// false. The option has no effect on a table that exists.
    /// </summary>
    public bool IsUnlogged { get; set; }

    /// <summary>
    /// Gets or sets the clock that measures <see cref="ExpiredItemsDeletionInterval"/> and rejects an absolute expiration in the past. Entries expire by the
    /// server's clock. Default: the system's clock.
    /// </summary>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Gets the SQL that creates the table if it does not exist, for migrations.</summary>
    /// <returns>The SQL.</returns>
    /// <exception cref="ArgumentException">An option has an invalid value.</exception>
    public string GetCreateTableSql()
    {
        Check();
        return PgCacheTable.TextsFor(SchemaName, TableName, IsUnlogged).CreateTable;
    }

    internal CacheSettings Check()
    {
        CheckLength(nameof(TableName), TableName);
        CheckLength(nameof(SchemaName), SchemaName);
        return CacheSettings.Of(TableName, DefaultSlidingExpiration, ExpiredItemsDeletionInterval, CreateTableIfMissing, TimeProvider);
    }

    // The server would cut off the rest, and two caches could have the same table.
    private static void CheckLength(string option, string? name)
    {
        if (name is not null && Encoding.UTF8.GetByteCount(name) > PgCacheTable.MaxNameLength)
            throw new ArgumentException($"The option {option} of the cache must have at most {PgCacheTable.MaxNameLength} bytes as UTF-8.");
    }
}
