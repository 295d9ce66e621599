using Microsoft.Extensions.Configuration;
using Slipstream.PostgreSql;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers a data source whose options stand in the application's configuration.</summary>
public static class SlipstreamPostgreSqlConfigurationExtensions
{
    private const string BaseKey = "ConnectionString";

    /// <summary>
    /// Each key of the section is an option of the connection string (<c>"Host": "db"</c>, <c>"MaximumPoolSize": "20"</c>); <c>ConnectionString</c>
    /// may hold a whole one, which the other keys add to and win over. Without reflection, so it can be trimmed.
    /// </summary>
    /// <param name="services">The container to be.</param>
    /// <param name="section">The section, read when the data source is first asked for.</param>
    /// <param name="configure">Sets what a connection string cannot hold, with the help of other services.</param>
    /// <param name="connectionLifetime">Of connections, which come closed and are disposed by the container.</param>
    /// <remarks>An unknown key or a bad value is an <see cref="ArgumentException"/> that names it when the data source is first asked for.</remarks>
    public static IServiceCollection AddSlipstreamPostgreSql(
        this IServiceCollection services,
        IConfigurationSection section,
        Action<IServiceProvider, PgDataSourceBuilder>? configure = null,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient)
    {
        ArgumentNullException.ThrowIfNull(section);
        return services.AddSlipstreamPostgreSql("", Configure(section, configure), connectionLifetime);
    }

    /// <inheritdoc cref="AddSlipstreamPostgreSql(IServiceCollection, IConfigurationSection, Action{IServiceProvider, PgDataSourceBuilder}?, ServiceLifetime)"/>
    /// <param name="services">The container to be.</param>
    /// <param name="serviceKey">The key of the services.</param>
    /// <param name="section">The section, read when the data source is first asked for.</param>
    /// <param name="configure">Sets what a connection string cannot hold, with the help of other services.</param>
    /// <param name="connectionLifetime">Of connections, which come closed and are disposed by the container.</param>
    public static IServiceCollection AddKeyedSlipstreamPostgreSql(
        this IServiceCollection services,
        object serviceKey,
        IConfigurationSection section,
        Action<IServiceProvider, PgDataSourceBuilder>? configure = null,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient)
    {
        ArgumentNullException.ThrowIfNull(section);
        return services.AddKeyedSlipstreamPostgreSql(serviceKey, "", Configure(section, configure), connectionLifetime);
    }

    private static Action<IServiceProvider, PgDataSourceBuilder> Configure(
        IConfigurationSection section, Action<IServiceProvider, PgDataSourceBuilder>? configure) => (provider, builder) =>
    {
        var options = builder.ConnectionStringBuilder;
        options.ConnectionString = section[BaseKey] ?? section.Value ?? "";
        var isEmpty = options.ConnectionString.Length == 0;
        foreach (var child in section.GetChildren())
        {
            if (string.Equals(child.Key, BaseKey, StringComparison.OrdinalIgnoreCase))
                continue;
            if (child.Value is null)
                throw new ArgumentException($"'{child.Path}' holds other keys: an option of the connection string has one value.");
            options[child.Key] = child.Value;
            isEmpty = false;
        }

        if (isEmpty)
            throw new ArgumentException($"The configuration has nothing at '{section.Path}': put {BaseKey}, or the options of a connection string, there.");
        configure?.Invoke(provider, builder);
    };
}
