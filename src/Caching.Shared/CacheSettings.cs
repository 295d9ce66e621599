namespace Slipstream.Caching;

/// <summary>The options of a cache, checked, and as they were when it was created.</summary>
internal sealed record CacheSettings
{
    public static readonly TimeSpan UsualSlidingExpiration = TimeSpan.FromMinutes(20);
    public static readonly TimeSpan UsualDeletionInterval = TimeSpan.FromMinutes(30);

    private CacheSettings()
    {
    }

    public required TimeSpan DefaultSlidingExpiration { get; init; }

    public required TimeSpan ExpiredItemsDeletionInterval { get; init; }

    public required bool CreateTableIfMissing { get; init; }

    public required TimeProvider TimeProvider { get; init; }

    public static CacheSettings Of(string table, TimeSpan defaultSliding, TimeSpan deletionInterval, bool createTable, TimeProvider? clock)
    {
        if (string.IsNullOrEmpty(table))
            throw new ArgumentException("The option TableName of the cache must be the name of a table.");
        if (defaultSliding <= TimeSpan.Zero)
            throw new ArgumentException($"The option DefaultSlidingExpiration of the cache must be positive, not {defaultSliding}.");
        if (deletionInterval <= TimeSpan.Zero && deletionInterval != Timeout.InfiniteTimeSpan)
            throw new ArgumentException(
                $"The option ExpiredItemsDeletionInterval of the cache must be positive, not {deletionInterval}. Use Timeout.InfiniteTimeSpan to delete no "
                    + "expired entries.");
        if (clock is null)
            throw new ArgumentException("The option TimeProvider of the cache must not be null.");
        return new()
        {
            DefaultSlidingExpiration = defaultSliding,
            ExpiredItemsDeletionInterval = deletionInterval,
            CreateTableIfMissing = createTable,
            TimeProvider = clock,
        };
    }
}
