using System.Buffers;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Logging;
using Slipstream.Caching;

namespace Slipstream.PostgreSql.Caching;

/// <summary>
/// A distributed cache on a table of PostgreSQL. Each operation takes a connection from the pool and one round trip. Entries expire by the
/// server's clock. All members are thread-safe.
/// </summary>
public sealed class PgCache : IBufferDistributedCache, IDisposable, IAsyncDisposable
{
    private readonly PgDataSource? _ownSource;
    private readonly CacheSettings _settings;
    private readonly PgCacheTable _table;

    /// <summary>Creates a cache that uses a data source.</summary>
    /// <param name="dataSource">The data source. The cache does not dispose it.</param>
    /// <param name="options">The options; null for the defaults. Those that name a data source have no effect.</param>
    /// <param name="loggerFactory">Receives messages about the table and the deletion of expired entries; null for none.</param>
    /// <exception cref="ArgumentNullException">The data source is null.</exception>
    /// <exception cref="ArgumentException">An option has an invalid value.</exception>
    public PgCache(PgDataSource dataSource, PgCacheOptions? options = null, ILoggerFactory? loggerFactory = null)
        : this(dataSource, options ?? new(), loggerFactory, isOwn: false)
    {
    }

    internal PgCache(PgDataSource dataSource, PgCacheOptions options, ILoggerFactory? loggerFactory, bool isOwn)
    {
        ArgumentNullException.ThrowIfNull(dataSource);
        _settings = options.Check();
        _ownSource = isOwn ? dataSource : null;
        _table = new(
            dataSource, options.SchemaName, options.TableName, options.IsUnlogged, _settings, loggerFactory?.CreateLogger("Slipstream.PostgreSql.Caching"));
    }

    /// <summary>Gets the value of an entry, and prolongs a sliding one.</summary>
    /// <param name="key">The key.</param>
    /// <returns>The value; null if there is no entry, or if it has expired.</returns>
    public byte[]? Get(string key) => _table.Get(key);

    /// <summary>Gets the value of an entry, and prolongs a sliding one.</summary>
    /// <param name="key">The key.</param>
    /// <param name="token">Cancels the operation.</param>
    /// <returns>The value; null if there is no entry, or if it has expired.</returns>
    public Task<byte[]?> GetAsync(string key, CancellationToken token = default) => _table.GetAsync(key, token);

    /// <summary>Writes the value of an entry to a buffer, and prolongs a sliding entry.</summary>
    /// <param name="key">The key.</param>
    /// <param name="destination">The buffer. If the connection is lost, it may contain a part of the value.</param>
    /// <returns>Whether there is such an entry.</returns>
    public bool TryGet(string key, IBufferWriter<byte> destination) => _table.TryGet(key, destination);

    /// <summary>Writes the value of an entry to a buffer, and prolongs a sliding entry.</summary>
    /// <param name="key">The key.</param>
    /// <param name="destination">The buffer. If the connection is lost or the operation is cancelled, it may contain a part of the value.</param>
    /// <param name="token">Cancels the operation.</param>
    /// <returns>Whether there is such an entry.</returns>
    public ValueTask<bool> TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token = default) =>
        new(_table.TryGetAsync(key, destination, token));

    /// <summary>Adds or replaces an entry.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="options">When the entry expires. Without any expiration, it slides by <see cref="PgCacheOptions.DefaultSlidingExpiration"/>.</param>
    /// <exception cref="InvalidOperationException">The absolute expiration has passed.</exception>
    public void Set(string key, byte[] value, DistributedCacheEntryOptions options)
    {
        ArgumentNullException.ThrowIfNull(value);
        Set(key, new ReadOnlySequence<byte>(value), options);
    }

    /// <summary>Adds or replaces an entry.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="options">When the entry expires. Without any expiration, it slides by <see cref="PgCacheOptions.DefaultSlidingExpiration"/>.</param>
    /// <param name="token">Cancels the operation.</param>
    /// <returns>A task that represents the operation.</returns>
    /// <exception cref="InvalidOperationException">The absolute expiration has passed.</exception>
    public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions options, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        return SetCoreAsync(key, new(value), options, token);
    }

    /// <summary>Adds or replaces an entry.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value. It must not change until the operation has completed.</param>
    /// <param name="options">When the entry expires. Without any expiration, it slides by <see cref="PgCacheOptions.DefaultSlidingExpiration"/>.</param>
    /// <exception cref="InvalidOperationException">The absolute expiration has passed.</exception>
    public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(options);
        _table.Set(key, value, EntryTimes.Of(options, _settings));
    }

    /// <summary>Adds or replaces an entry.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value. It must not change until the operation has completed.</param>
    /// <param name="options">When the entry expires. Without any expiration, it slides by <see cref="PgCacheOptions.DefaultSlidingExpiration"/>.</param>
    /// <param name="token">Cancels the operation.</param>
    /// <returns>A task that represents the operation.</returns>
    /// <exception cref="InvalidOperationException">The absolute expiration has passed.</exception>
    public ValueTask SetAsync(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options, CancellationToken token = default) =>
        new(SetCoreAsync(key, value, options, token));

    /// <summary>Prolongs a sliding entry, as reading it does.</summary>
    /// <param name="key">The key.</param>
    public void Refresh(string key) => _table.Refresh(key);

    /// <summary>Prolongs a sliding entry, as reading it does.</summary>
    /// <param name="key">The key.</param>
    /// <param name="token">Cancels the operation.</param>
    /// <returns>A task that represents the operation.</returns>
    public Task RefreshAsync(string key, CancellationToken token = default) => _table.RefreshAsync(key, token);

    /// <summary>Removes an entry, if there is one.</summary>
    /// <param name="key">The key.</param>
    public void Remove(string key) => _table.Remove(key);

    /// <summary>Removes an entry, if there is one.</summary>
    /// <param name="key">The key.</param>
    /// <param name="token">Cancels the operation.</param>
    /// <returns>A task that represents the operation.</returns>
    public Task RemoveAsync(string key, CancellationToken token = default) => _table.RemoveAsync(key, token);

    /// <summary>Creates the table if it does not exist. Several programs may do this at the same time.</summary>
    public void CreateTable() => _table.CreateTable();

    /// <summary>Creates the table if it does not exist. Several programs may do this at the same time.</summary>
    /// <param name="token">Cancels the operation.</param>
    /// <returns>A task that represents the operation.</returns>
    public Task CreateTableAsync(CancellationToken token = default) => _table.CreateTableAsync(token);

    /// <summary>Deletes all entries that have expired, without waiting for <see cref="PgCacheOptions.ExpiredItemsDeletionInterval"/>.</summary>
    /// <returns>The number of deleted entries.</returns>
    public int DeleteExpired() => _table.DeleteExpired();

    /// <summary>Deletes all entries that have expired, without waiting for <see cref="PgCacheOptions.ExpiredItemsDeletionInterval"/>.</summary>
    /// <param name="token">Cancels the operation.</param>
    /// <returns>The number of deleted entries.</returns>
    public Task<int> DeleteExpiredAsync(CancellationToken token = default) => _table.DeleteExpiredAsync(token);

    /// <summary>Stops a running deletion of expired entries, and disposes the data source if it is the cache's own.</summary>
    public void Dispose()
    {
        _table.Dispose();
        _ownSource?.Dispose();
    }

    /// <summary>Stops a running deletion of expired entries, waits for its end, and disposes the data source if it is the cache's own.</summary>
    /// <returns>A task that represents the operation.</returns>
    public async ValueTask DisposeAsync()
    {
        await _table.StopAsync().ConfigureAwait(false);
        if (_ownSource is not null)
            await _ownSource.DisposeAsync().ConfigureAwait(false);
    }

    private Task SetCoreAsync(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(options);
        return _table.SetAsync(key, value, EntryTimes.Of(options, _settings), token);
    }
}
