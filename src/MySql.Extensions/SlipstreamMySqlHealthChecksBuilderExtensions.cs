using Microsoft.Extensions.Diagnostics.HealthChecks;
using Slipstream.MySql;
using Slipstream.MySql.Extensions;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds <see cref="MySqlHealthCheck"/> to an application's health checks.</summary>
public static class SlipstreamMySqlHealthChecksBuilderExtensions
{
    /// <summary>Adds a check of a registered data source's server.</summary>
    /// <param name="builder">The builder that <c>services.AddHealthChecks()</c> returns.</param>
    /// <param name="serviceKey">The key under which the data source was registered; null for the one without a key.</param>
    /// <param name="name">The check's name in reports. Default: mysql.</param>
    /// <param name="failureStatus">The status to report if the check fails; null for Unhealthy.</param>
    /// <param name="tags">Tags for filtering checks.</param>
    /// <param name="timeout">The time limit after which the check fails; null for none except the connection string's.</param>
    /// <param name="missingHostStatus">The status to report if a server that suits answers, but another server of the list cannot be used.</param>
    /// <returns>The builder.</returns>
    public static IHealthChecksBuilder AddSlipstreamMySql(
        this IHealthChecksBuilder builder,
        object? serviceKey = null,
        string name = "mysql",
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null,
        TimeSpan? timeout = null,
        HealthStatus missingHostStatus = HealthStatus.Degraded)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(new(name, Create, failureStatus, tags, timeout));

        IHealthCheck Create(IServiceProvider provider) =>
            new MySqlHealthCheck(
                serviceKey is null ? provider.GetRequiredService<MySqlDataSource>() : provider.GetRequiredKeyedService<MySqlDataSource>(serviceKey))
            {
                MissingHostStatus = missingHostStatus,
            };
    }
}
