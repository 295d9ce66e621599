using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Data;

namespace Slipstream.MySql;

/// <summary>
/// Registers a <see cref="MySqlDataSource"/> and its connections with a container, also as <see cref="System.Data.Common.DbDataSource"/> and
/// <see cref="System.Data.Common.DbConnection"/>. Log messages go to the container's logger factory. The names are MySqlConnector's;
/// <see cref="SlipstreamMySqlServiceCollectionExtensions"/> does the same under names that no other package uses.
/// </summary>
public static class MySqlConnectorServiceCollectionExtensions
{
    /// <summary>
    /// Registers a data source for this connection string, and the connections that it creates, as <see cref="MySqlDataSource"/>, <see cref="MySqlConnection"/>
    /// and their base classes in <c>System.Data.Common</c>.
    /// </summary>
    /// <param name="serviceCollection">The services to add to.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="connectionLifetime">The lifetime of connections. Default: transient. Connections are resolved closed, and the container disposes
    /// them.</param>
    /// <param name="dataSourceLifetime">The lifetime of the data source, which holds the pool. Default: singleton.</param>
    /// <returns>The services.</returns>
    /// <remarks>An invalid connection string throws an <see cref="ArgumentException"/> when the data source is first resolved.</remarks>
    public static IServiceCollection AddMySqlDataSource(
        this IServiceCollection serviceCollection,
        string connectionString,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient,
        ServiceLifetime dataSourceLifetime = ServiceLifetime.Singleton) =>
        Add(serviceCollection, null, connectionString, null, connectionLifetime, dataSourceLifetime);

    /// <inheritdoc cref="AddMySqlDataSource(IServiceCollection, string, ServiceLifetime, ServiceLifetime)"/>
    /// <param name="serviceCollection">The services to add to.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="dataSourceBuilderAction">Sets what a connection string cannot hold.</param>
    /// <param name="connectionLifetime">The lifetime of connections. Default: transient. Connections are resolved closed, and the container disposes
    /// them.</param>
    /// <param name="dataSourceLifetime">The lifetime of the data source, which holds the pool. Default: singleton.</param>
    public static IServiceCollection AddMySqlDataSource(
        this IServiceCollection serviceCollection,
        string connectionString,
        Action<MySqlDataSourceBuilder> dataSourceBuilderAction,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient,
        ServiceLifetime dataSourceLifetime = ServiceLifetime.Singleton) =>
        Add(serviceCollection, null, connectionString, Ignoring(dataSourceBuilderAction), connectionLifetime, dataSourceLifetime);

    /// <inheritdoc cref="AddMySqlDataSource(IServiceCollection, string, ServiceLifetime, ServiceLifetime)"/>
    /// <param name="serviceCollection">The services to add to.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="dataSourceBuilderAction">Sets what a connection string cannot hold; it may resolve other services.</param>
    /// <param name="connectionLifetime">The lifetime of connections. Default: transient. Connections are resolved closed, and the container disposes
    /// them.</param>
    /// <param name="dataSourceLifetime">The lifetime of the data source, which holds the pool. Default: singleton.</param>
    public static IServiceCollection AddMySqlDataSource(
        this IServiceCollection serviceCollection,
        string connectionString,
        Action<IServiceProvider, MySqlDataSourceBuilder> dataSourceBuilderAction,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient,
        ServiceLifetime dataSourceLifetime = ServiceLifetime.Singleton) =>
        Add(serviceCollection, null, connectionString, NotNull(dataSourceBuilderAction), connectionLifetime, dataSourceLifetime);

    /// <summary>
    /// Registers a data source and its connections under a key, for applications with several databases. A key that is a string also names the pool in metrics.
    /// </summary>
    /// <inheritdoc cref="AddMySqlDataSource(IServiceCollection, string, ServiceLifetime, ServiceLifetime)"/>
    /// <param name="serviceCollection">The services to add to.</param>
    /// <param name="serviceKey">The key of the services; null for none.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="connectionLifetime">The lifetime of connections. Default: transient. Connections are resolved closed, and the container disposes
    /// them.</param>
    /// <param name="dataSourceLifetime">The lifetime of the data source, which holds the pool. Default: singleton.</param>
    public static IServiceCollection AddKeyedMySqlDataSource(
        this IServiceCollection serviceCollection,
        object? serviceKey,
        string connectionString,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient,
        ServiceLifetime dataSourceLifetime = ServiceLifetime.Singleton) =>
        Add(serviceCollection, serviceKey, connectionString, null, connectionLifetime, dataSourceLifetime);

    /// <inheritdoc cref="AddKeyedMySqlDataSource(IServiceCollection, object?, string, ServiceLifetime, ServiceLifetime)"/>
    /// <param name="serviceCollection">The services to add to.</param>
    /// <param name="serviceKey">The key of the services; null for none.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="dataSourceBuilderAction">Sets what a connection string cannot hold.</param>
    /// <param name="connectionLifetime">The lifetime of connections. Default: transient. Connections are resolved closed, and the container disposes
    /// them.</param>
    /// <param name="dataSourceLifetime">The lifetime of the data source, which holds the pool. Default: singleton.</param>
    public static IServiceCollection AddKeyedMySqlDataSource(
        this IServiceCollection serviceCollection,
        object? serviceKey,
        string connectionString,
        Action<MySqlDataSourceBuilder> dataSourceBuilderAction,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient,
        ServiceLifetime dataSourceLifetime = ServiceLifetime.Singleton) =>
        Add(serviceCollection, serviceKey, connectionString, Ignoring(dataSourceBuilderAction), connectionLifetime, dataSourceLifetime);

    /// <inheritdoc cref="AddKeyedMySqlDataSource(IServiceCollection, object?, string, ServiceLifetime, ServiceLifetime)"/>
    /// <param name="serviceCollection">The services to add to.</param>
    /// <param name="serviceKey">The key of the services; null for none.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="dataSourceBuilderAction">Sets what a connection string cannot hold; it may resolve other services.</param>
    /// <param name="connectionLifetime">The lifetime of connections. Default: transient. Connections are resolved closed, and the container disposes
    /// them.</param>
    /// <param name="dataSourceLifetime">The lifetime of the data source, which holds the pool. Default: singleton.</param>
    public static IServiceCollection AddKeyedMySqlDataSource(
        this IServiceCollection serviceCollection,
        object? serviceKey,
        string connectionString,
        Action<IServiceProvider, MySqlDataSourceBuilder> dataSourceBuilderAction,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient,
        ServiceLifetime dataSourceLifetime = ServiceLifetime.Singleton) =>
        Add(serviceCollection, serviceKey, connectionString, NotNull(dataSourceBuilderAction), connectionLifetime, dataSourceLifetime);

    internal static IServiceCollection Add(
        IServiceCollection services,
        object? key,
        string connectionString,
        Action<IServiceProvider, MySqlDataSourceBuilder>? configure,
        ServiceLifetime connectionLifetime,
        ServiceLifetime dataSourceLifetime)
    {
        ArgumentNullException.ThrowIfNull(connectionString);
        return DataSourceServices.Add<MySqlDataSource, MySqlConnection>(services, key, Create, connectionLifetime, dataSourceLifetime);

        MySqlDataSource Create(IServiceProvider provider)
        {
            var builder = new MySqlDataSourceBuilder(connectionString).UseLoggerFactory(provider.GetService<ILoggerFactory>());
            if (key is string name)
                builder.UseName(name);
            configure?.Invoke(provider, builder);
            return builder.Build();
        }
    }

    private static Action<IServiceProvider, MySqlDataSourceBuilder> Ignoring(Action<MySqlDataSourceBuilder> configure)
    {
        ArgumentNullException.ThrowIfNull(configure, "dataSourceBuilderAction");
        return (_, builder) => configure(builder);
    }

    private static Action<IServiceProvider, MySqlDataSourceBuilder> NotNull(Action<IServiceProvider, MySqlDataSourceBuilder> configure)
    {
        ArgumentNullException.ThrowIfNull(configure, "dataSourceBuilderAction");
        return configure;
    }
}
