using System.Data.Common;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Slipstream.Core.Data;

/// <summary>Registers a provider's data source and connections with a container, by their own types and by those of ADO.NET.</summary>
internal static class DataSourceServices
{
    /// <summary>Registers the services that are not registered yet. Of several registrations without a key, the first one wins; each key has its own.</summary>
    /// <param name="services">The services to add to.</param>
    /// <param name="key">The key; null for services without a key.</param>
    /// <param name="create">Creates the data source.</param>
    /// <param name="connectionLifetime">The lifetime of connections, which are provided closed and disposed by the container.</param>
    /// <param name="dataSourceLifetime">The lifetime of the data source, which holds the pool.</param>
    public static IServiceCollection Add<TDataSource, TConnection>(
        IServiceCollection services, object? key, Func<IServiceProvider, TDataSource> create, ServiceLifetime connectionLifetime,
        ServiceLifetime dataSourceLifetime)
        where TDataSource : ProviderDataSource
        where TConnection : ProviderConnection
    {
        ArgumentNullException.ThrowIfNull(services);
        services.TryAdd(Describe(key, typeof(TDataSource), dataSourceLifetime, create));
        services.TryAdd(Describe<DbDataSource>(key, typeof(DbDataSource), dataSourceLifetime, provider => Get<TDataSource>(provider, key)));
        services.TryAdd(
            Describe(
                key, typeof(TConnection), connectionLifetime, provider => (TConnection)((DbDataSource)Get<TDataSource>(provider, key)).CreateConnection()));
        services.TryAdd(Describe<DbConnection>(key, typeof(DbConnection), connectionLifetime, provider => Get<TConnection>(provider, key)));
        return services;
    }

    private static ServiceDescriptor Describe<T>(object? key, Type type, ServiceLifetime lifetime, Func<IServiceProvider, T> create)
        where T : class =>
        key is null ? new(type, create, lifetime) : new(type, key, (provider, _) => create(provider), lifetime);

    private static T Get<T>(IServiceProvider provider, object? key)
        where T : notnull =>
        key is null ? provider.GetRequiredService<T>() : provider.GetRequiredKeyedService<T>(key);
}
