using Microsoft.Extensions.Configuration;
using Slipstream.PostgreSql;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers a data source whose options are in the application's configuration.</summary>
public static class SlipstreamPostgreSqlConfigurationExtensions
{
    private const string BaseKey = "ConnectionString";

    /// <summary>
    /// Registers a data source from a section of the configuration. Each key of the section is an option of the connection string (<c>"Host": "db"</c>,
    /// <c>"MaximumPoolSize": "20"</c>). <c>ConnectionString</c> may contain a whole connection string; the other keys add to it and override it. The code uses
    /// no reflection, so it can be trimmed.
    /// </summary>
    /// <param name="services">The services to add to.</param>
    /// <param name="section">The section. It is read when the data source is first resolved.</param>
    /// <param name="configure">Sets properties that a connection string cannot contain; it may resolve other services.</param>
    /// <param name="connectionLifetime">The lifetime of connections; transient by default. They are resolved closed, and the container disposes them.</param>
    /// <returns>The services.</returns>
    /// <remarks>
    /// If a key is unknown or a value is not allowed, the first resolution of the data source throws an <see cref="ArgumentException"/> that names it.
    /// </remarks>
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
    /// <param name="services">The services to add to.</param>
    /// <param name="serviceKey">The key of the services.</param>
    /// <param name="section">The section. It is read when the data source is first resolved.</param>
    /// <param name="configure">Sets properties that a connection string cannot contain; it may resolve other services.</param>
    /// <param name="connectionLifetime">The lifetime of connections; transient by default. They are resolved closed, and the container disposes them.</param>
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
                throw new ArgumentException($"The configuration key '{child.Path}' contains other keys, but an option has a single value: remove the keys "
                    + "below it.");
            options[child.Key] = child.Value;
            isEmpty = false;
        }

        if (isEmpty)
            throw new ArgumentException($"The configuration section '{section.Path}' is empty: add {BaseKey}, or the options of a connection string.");
        configure?.Invoke(provider, builder);
    };
}
