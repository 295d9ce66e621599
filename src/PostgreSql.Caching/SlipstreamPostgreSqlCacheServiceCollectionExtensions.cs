using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Caching;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers a cache on a table of PostgreSQL with a container.</summary>
public static class SlipstreamPostgreSqlCacheServiceCollectionExtensions
{
    /// <summary>
    /// Registers a cache as <see cref="IDistributedCache"/> and <see cref="PgCache"/>. It uses the data source that is registered without a key, unless the
    /// options name another one. <c>HybridCache</c> uses it, too.
    /// </summary>
    /// <param name="services">The services to add to.</param>
    /// <param name="configure">Sets the options. Null for those that are configured elsewhere as <see cref="PgCacheOptions"/>, or the defaults.</param>
    /// <returns>The services.</returns>
    /// <remarks>An option with an invalid value throws an <see cref="ArgumentException"/> when the cache is first resolved.</remarks>
    /// <exception cref="ArgumentNullException">The services are null.</exception>
    public static IServiceCollection AddSlipstreamPostgreSqlCache(this IServiceCollection services, Action<PgCacheOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddOptions();
        if (configure is not null)
            services.Configure(configure);
        services.AddSingleton(static provider => Create(provider, provider.GetRequiredService<IOptions<PgCacheOptions>>().Value));
        return services.AddSingleton<IDistributedCache>(static provider => provider.GetRequiredService<PgCache>());
    }

    /// <summary>
    /// Registers a cache under a key, as <see cref="IDistributedCache"/> and <see cref="PgCache"/>. It uses the data source that is registered without a
    /// key, unless the options name another one.
    /// </summary>
    /// <param name="services">The services to add to.</param>
    /// <param name="serviceKey">The key of the services. If it is a string, it is also the name of the options.</param>
    /// <param name="configure">Sets the options.</param>
    /// <returns>The services.</returns>
    /// <remarks>An option with an invalid value throws an <see cref="ArgumentException"/> when the cache is first resolved.</remarks>
    /// <exception cref="ArgumentNullException">The services or the key are null.</exception>
    public static IServiceCollection AddKeyedSlipstreamPostgreSqlCache(
        this IServiceCollection services, object serviceKey, Action<PgCacheOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(serviceKey);
        services.AddOptions();
        services.AddKeyedSingleton(serviceKey, (provider, _) =>
        {
            var options = serviceKey is string name ? provider.GetRequiredService<IOptionsFactory<PgCacheOptions>>().Create(name) : new();
            configure?.Invoke(options);
            return Create(provider, options);
        });
        return services.AddKeyedSingleton<IDistributedCache>(serviceKey, static (provider, key) => provider.GetRequiredKeyedService<PgCache>(key));
    }

    private static PgCache Create(IServiceProvider provider, PgCacheOptions options)
    {
        var loggers = provider.GetService<ILoggerFactory>();
        if (options.DataSource is { } source)
            return new(source, options, loggers);
        if (options.ConnectionString is { } connectionString)
        {
            options.Check();
            return new(new PgDataSourceBuilder(connectionString).UseLoggerFactory(loggers).UseName("cache").Build(), options, loggers, isOwn: true);
        }

        return new(
            options.DataSourceKey is { } key ? provider.GetRequiredKeyedService<PgDataSource>(key) : provider.GetRequiredService<PgDataSource>(),
            options,
            loggers);
    }
}
