using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Slipstream.MySql.EntityFrameworkCore.Hosting;

/// <summary>What this package has registered with a host's builder: the next context shares it, or needs another name.</summary>
internal sealed class Registrations
{
    // The name of a connection -> the connection string of its data source.
    private readonly Dictionary<string, string> _dataSources = new(StringComparer.Ordinal);

    // The name of a health check -> its context.
    private readonly Dictionary<string, Type> _healthChecks = new(StringComparer.Ordinal);

    private Registrations()
    {
    }

    public static Registrations Of(IHostApplicationBuilder builder)
    {
        if (builder.Properties.TryGetValue(typeof(Registrations), out var known))
            return (Registrations)known;
        var registrations = new Registrations();
        builder.Properties[typeof(Registrations)] = registrations;
        return registrations;
    }

    /// <summary>
    /// Registers the data source of a context, unless the application or another context with the same connection string has registered it. Its key is the
    /// name of the connection, or the context's type if the name belongs to a data source with another connection string.
    /// </summary>
    /// <returns>The key, and whether the data source can be created: without a connection string, it throws when it is first resolved.</returns>
    public (object Key, bool CanConnect) AddDataSource(
        IServiceCollection services, string connectionName, string? connectionString, Type context)
    {
        var text = connectionString ?? "";
        var canConnect = !string.IsNullOrWhiteSpace(text);
        if (_dataSources.TryGetValue(connectionName, out var known))
        {
            if (known == text)
                return (connectionName, canConnect);
            services.AddKeyedSlipstreamMySql(context, text, (_, source) => Configure(source.UseName(context.Name)));
            return (context, canConnect);
        }

        if (services.Any(service => service.ServiceType == typeof(MySqlDataSource) && Equals(service.ServiceKey, connectionName)))
            return (connectionName, true);
        _dataSources.Add(connectionName, text);
        services.AddKeyedSlipstreamMySql(connectionName, text, (_, source) => Configure(source));
        return (connectionName, canConnect);

        void Configure(MySqlDataSourceBuilder source)
        {
            if (!canConnect)
                throw new InvalidOperationException(
                    $"The connection string of the context '{context.Name}' is missing. Set the configuration key 'ConnectionStrings:{connectionName}', "
                        + $"or ConnectionString in the section '{SettingsSections.Root}' or '{SettingsSections.Root}:{context.Name}'.");
            // As UseMySql does it with a connection string: raw SQL and procedures with output parameters use variables such as @x.
            source.ConnectionStringBuilder.AllowUserVariables = true;
        }
    }

    /// <summary>Returns the name of a context's health check; null if the context already has one.</summary>
    public string? AddHealthCheck(Type context) =>
        _healthChecks.TryAdd(context.Name, context) ? context.Name
        : _healthChecks[context.Name] != context && context.FullName is { } name && _healthChecks.TryAdd(name, context) ? name
        : null;
}
