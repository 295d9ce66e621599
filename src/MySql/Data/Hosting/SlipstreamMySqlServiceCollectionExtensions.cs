using Microsoft.Extensions.DependencyInjection;

namespace Slipstream.MySql;

/// <summary>
/// Registers a <see cref="MySqlDataSource"/> and its connections with a container, also as <see cref="System.Data.Common.DbDataSource"/> and
/// <see cref="System.Data.Common.DbConnection"/>. Log messages go to the container's logger factory.
/// </summary>
public static class SlipstreamMySqlServiceCollectionExtensions
{
    /// <summary>
    /// Registers a data source for this connection string, and the connections that it creates, as <see cref="MySqlDataSource"/>, <see cref="MySqlConnection"/>
    /// and their base classes in <c>System.Data.Common</c>.
    /// </summary>
    /// <param name="services">The services to add to.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="configure">Sets what a connection string cannot hold; it may resolve other services.</param>
    /// <param name="connectionLifetime">The lifetime of connections. Default: transient. Connections are resolved closed, and the container disposes
    /// them.</param>
    /// <param name="dataSourceLifetime">The lifetime of the data source, which holds the pool. Default: singleton.</param>
    /// <returns>The services.</returns>
    /// <remarks>An invalid connection string throws an <see cref="ArgumentException"/> when the data source is first resolved.</remarks>
    public static IServiceCollection AddSlipstreamMySql(
        this IServiceCollection services,
        string connectionString,
        Action<IServiceProvider, MySqlDataSourceBuilder>? configure = null,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient,
        ServiceLifetime dataSourceLifetime = ServiceLifetime.Singleton) =>
        MySqlConnectorServiceCollectionExtensions.Add(services, null, connectionString, configure, connectionLifetime, dataSourceLifetime);

    /// <summary>
    /// Registers a data source and its connections under a key, for applications with several databases. A key that is a string also names the pool in metrics.
    /// </summary>
    /// <param name="services">The services to add to.</param>
    /// <param name="serviceKey">The key of the services.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="configure">Sets what a connection string cannot hold; it may resolve other services.</param>
    /// <param name="connectionLifetime">The lifetime of connections. Default: transient. Connections are resolved closed, and the container disposes
    /// them.</param>
    /// <param name="dataSourceLifetime">The lifetime of the data source, which holds the pool. Default: singleton.</param>
    /// <returns>The services.</returns>
    /// <remarks>An invalid connection string throws an <see cref="ArgumentException"/> when the data source is first resolved.</remarks>
    /// <exception cref="ArgumentNullException">The key is null.</exception>
    public static IServiceCollection AddKeyedSlipstreamMySql(
        this IServiceCollection services,
        object serviceKey,
        string connectionString,
        Action<IServiceProvider, MySqlDataSourceBuilder>? configure = null,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient,
        ServiceLifetime dataSourceLifetime = ServiceLifetime.Singleton) =>
        MySqlConnectorServiceCollectionExtensions.Add(
            services, serviceKey ?? throw new ArgumentNullException(nameof(serviceKey)), connectionString, configure, connectionLifetime, dataSourceLifetime);
}
