using Slipstream.Caching;

namespace Slipstream.MySql.Caching;

/// <summary>
/// The options of a cache on a table of MySQL or MariaDB. The cache copies them when it is created; later changes have no effect.
/// </summary>
public sealed class MySqlCacheOptions
{
    /// <summary>Gets or sets the data source that the cache uses. The cache does not dispose it. Default null: the one that the other options name.</summary>
    public MySqlDataSource? DataSource { get; set; }

    /// <summary>
    /// Gets or sets a connection string. The cache then has a data source of its own, with a pool of its own, and disposes it. Default null: the cache uses a
    /// registered data source.
    /// </summary>
    public string? ConnectionString { get; set; }

    /// <summary>Gets or sets the key under which the data source is registered with the container. Default null: the one without a key.</summary>
    public object? DataSourceKey { get; set; }

    /// <summary>Gets or sets the name of the database with the table. Default null: that of the connection string.</summary>
    public string? DatabaseName { get; set; }

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
        return MySqlCacheTable.TextsFor(DatabaseName, TableName).CreateTable;
    }

    internal CacheSettings Check() =>
        CacheSettings.Of(TableName, DefaultSlidingExpiration, ExpiredItemsDeletionInterval, CreateTableIfMissing, TimeProvider);
}
