using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Data;

namespace Slipstream.PostgreSql;

/// <summary>
/// Registers a <see cref="PgDataSource"/> and its connections with a container, also as <see cref="System.Data.Common.DbDataSource"/> and
/// <see cref="System.Data.Common.DbConnection"/>. Log messages go to the container's logger factory.
/// </summary>
public static class SlipstreamPostgreSqlServiceCollectionExtensions
{
    /// <summary>
    /// Registers a data source for a connection string, and the connections that it creates, as <see cref="PgDataSource"/>, <see cref="PgConnection"/> and
    /// their base classes in <c>System.Data.Common</c>.
    /// </summary>
    /// <param name="services">The services to add to.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="configure">Sets properties that a connection string cannot contain; it may resolve other services.</param>
    /// <param name="connectionLifetime">The lifetime of connections; transient by default. They are resolved closed, and the container disposes them.</param>
    /// <param name="dataSourceLifetime">The lifetime of the data source, which contains the pool; a singleton by default.</param>
    /// <returns>The services.</returns>
    /// <remarks>If the connection string is invalid, the first resolution of the data source throws <see cref="ArgumentException"/>.</remarks>
    public static IServiceCollection AddSlipstreamPostgreSql(
        this IServiceCollection services,
        string connectionString,
        Action<IServiceProvider, PgDataSourceBuilder>? configure = null,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient,
        ServiceLifetime dataSourceLifetime = ServiceLifetime.Singleton) =>
        Add(services, null, connectionString, configure, connectionLifetime, dataSourceLifetime);

    /// <summary>
    /// Registers the same services under a key, for applications with several databases. A key that is a string also names the pool in metrics.
    /// </summary>
    /// <param name="services">The services to add to.</param>
    /// <param name="serviceKey">The key of the services.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="configure">Sets properties that a connection string cannot contain; it may resolve other services.</param>
    /// <param name="connectionLifetime">The lifetime of connections; transient by default. They are resolved closed, and the container disposes them.</param>
    /// <param name="dataSourceLifetime">The lifetime of the data source, which contains the pool; a singleton by default.</param>
    /// <returns>The services.</returns>
    /// <remarks>If the connection string is invalid, the first resolution of the data source throws <see cref="ArgumentException"/>.</remarks>
    public static IServiceCollection AddKeyedSlipstreamPostgreSql(
        this IServiceCollection services,
        object serviceKey,
        string connectionString,
        Action<IServiceProvider, PgDataSourceBuilder>? configure = null,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient,
        ServiceLifetime dataSourceLifetime = ServiceLifetime.Singleton) =>
        Add(services, serviceKey ?? throw new ArgumentNullException(nameof(serviceKey)), connectionString, configure, connectionLifetime, dataSourceLifetime);

    private static IServiceCollection Add(
        IServiceCollection services,
        object? key,
        string connectionString,
        Action<IServiceProvider, PgDataSourceBuilder>? configure,
        ServiceLifetime connectionLifetime,
        ServiceLifetime dataSourceLifetime)
    {
        ArgumentNullException.ThrowIfNull(connectionString);
        return DataSourceServices.Add<PgDataSource, PgConnection>(services, key, Create, connectionLifetime, dataSourceLifetime);

        PgDataSource Create(IServiceProvider provider)
        {
            var builder = new PgDataSourceBuilder(connectionString).UseLoggerFactory(provider.GetService<ILoggerFactory>());
            if (key is string name)
                builder.UseName(name);
            configure?.Invoke(provider, builder);
            return builder.Build();
        }
    }
}
