using Microsoft.Extensions.Configuration;
using Slipstream.MySql;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers a data source whose options are in the application's configuration.</summary>
public static class SlipstreamMySqlConfigurationExtensions
{
    private const string BaseKey = "ConnectionString";

    /// <summary>
    /// Registers a data source and its connections with the options of a configuration section. Each key of the section is an option of the connection string
    /// (<c>"Server": "db"</c>, <c>"MaximumPoolSize": "20"</c>). The key <c>ConnectionString</c> may hold a whole connection string; the other keys add to it
    /// and take precedence. The method does not use reflection, so it supports trimming.
    /// </summary>
    /// <param name="services">The services to add to.</param>
    /// <param name="section">The section. It is read when the data source is first resolved.</param>
    /// <param name="configure">Sets what a connection string cannot hold; it may resolve other services.</param>
    /// <param name="connectionLifetime">The lifetime of connections. Default: transient. Connections are resolved closed, and the container disposes
    /// them.</param>
    /// <returns>The services.</returns>
    /// <remarks>An unknown key or an invalid value throws an <see cref="ArgumentException"/> that names it, when the data source is first resolved.</remarks>
    /// <exception cref="ArgumentNullException">The section is null.</exception>
    public static IServiceCollection AddSlipstreamMySql(
        this IServiceCollection services,
        IConfigurationSection section,
        Action<IServiceProvider, MySqlDataSourceBuilder>? configure = null,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient)
    {
        ArgumentNullException.ThrowIfNull(section);
        return services.AddSlipstreamMySql("", Configure(section, configure), connectionLifetime);
    }

    /// <inheritdoc cref="AddSlipstreamMySql(IServiceCollection, IConfigurationSection, Action{IServiceProvider, MySqlDataSourceBuilder}?, ServiceLifetime)"/>
    /// <param name="services">The services to add to.</param>
    /// <param name="serviceKey">The key of the services.</param>
    /// <param name="section">The section. It is read when the data source is first resolved.</param>
    /// <param name="configure">Sets what a connection string cannot hold; it may resolve other services.</param>
    /// <param name="connectionLifetime">The lifetime of connections. Default: transient. Connections are resolved closed, and the container disposes
    /// them.</param>
    public static IServiceCollection AddKeyedSlipstreamMySql(
        this IServiceCollection services,
        object serviceKey,
        IConfigurationSection section,
        Action<IServiceProvider, MySqlDataSourceBuilder>? configure = null,
        ServiceLifetime connectionLifetime = ServiceLifetime.Transient)
    {
        ArgumentNullException.ThrowIfNull(section);
        return services.AddKeyedSlipstreamMySql(serviceKey, "", Configure(section, configure), connectionLifetime);
    }

    private static Action<IServiceProvider, MySqlDataSourceBuilder> Configure(
        IConfigurationSection section, Action<IServiceProvider, MySqlDataSourceBuilder>? configure) =>
        (provider, builder) =>
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
