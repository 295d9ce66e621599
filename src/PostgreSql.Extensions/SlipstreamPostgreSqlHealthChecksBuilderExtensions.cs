using Microsoft.Extensions.Diagnostics.HealthChecks;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Extensions;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds <see cref="PgHealthCheck"/> to an application's health checks.</summary>
public static class SlipstreamPgHealthChecksBuilderExtensions
{
    /// <summary>Checks the server of a registered data source.</summary>
    /// <param name="builder">From <c>services.AddHealthChecks()</c>.</param>
    /// <param name="serviceKey">The key under which the data source was registered; null for the one without a key.</param>
    /// <param name="name">The check's name in reports.</param>
    /// <param name="failureStatus">What a failure means for the application; null is Unhealthy.</param>
    /// <param name="tags">To filter checks by.</param>
    /// <param name="timeout">After which the check has failed; null is no limit but the connection string's.</param>
    public static IHealthChecksBuilder AddSlipstreamPostgreSql(
        this IHealthChecksBuilder builder,
        object? serviceKey = null,
        string name = "postgresql",
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null,
        TimeSpan? timeout = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(new(name, Create, failureStatus, tags, timeout));

        IHealthCheck Create(IServiceProvider provider) =>
            new PgHealthCheck(serviceKey is null ? provider.GetRequiredService<PgDataSource>() : provider.GetRequiredKeyedService<PgDataSource>(serviceKey));
    }
}
