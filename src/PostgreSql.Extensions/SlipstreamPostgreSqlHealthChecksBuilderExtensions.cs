using Microsoft.Extensions.Diagnostics.HealthChecks;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Extensions;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds <see cref="PgHealthCheck"/> to an application's health checks.</summary>
public static class SlipstreamPostgreSqlHealthChecksBuilderExtensions
{
    /// <summary>Adds a check of the server of a registered data source.</summary>
    /// <param name="builder">The builder that <c>services.AddHealthChecks()</c> returns.</param>
    /// <param name="serviceKey">The key under which the data source was registered; null for a data source without a key.</param>
    /// <param name="name">The check's name in reports.</param>
    /// <param name="failureStatus">The status that a failure reports; null means Unhealthy.</param>
    /// <param name="tags">Tags for filtering checks.</param>
    /// <param name="timeout">The time limit of the check; null means only the limits of the connection string.</param>
    /// <param name="missingHostStatus">The status to report if a server that suits answers, but another server of the list cannot be used.</param>
    /// <returns>The builder.</returns>
    public static IHealthChecksBuilder AddSlipstreamPostgreSql(
        this IHealthChecksBuilder builder,
        object? serviceKey = null,
        string name = "postgresql",
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null,
        TimeSpan? timeout = null,
        HealthStatus missingHostStatus = HealthStatus.Degraded)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(new(name, Create, failureStatus, tags, timeout));

        IHealthCheck Create(IServiceProvider provider) =>
            new PgHealthCheck(serviceKey is null ? provider.GetRequiredService<PgDataSource>() : provider.GetRequiredKeyedService<PgDataSource>(serviceKey))
            {
                MissingHostStatus = missingHostStatus,
            };
    }
}
