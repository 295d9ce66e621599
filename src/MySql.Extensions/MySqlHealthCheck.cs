using Microsoft.Extensions.Diagnostics.HealthChecks;
using Slipstream.Extensions;

namespace Slipstream.MySql.Extensions;

/// <summary>
/// Checks whether a server answers: takes a connection from the data source's pool and pings the server, in one round trip. With several servers whose roles
/// the data source knows (option Topology), the check also reports all of them with role, state and lag.
/// </summary>
/// <param name="dataSource">The data source of the server.</param>
public sealed class MySqlHealthCheck(MySqlDataSource dataSource) : IHealthCheck
{
    /// <summary>
    /// Gets the status to report if a server that suits the data source answers, but another server of the list cannot be used. Default:
    /// <see cref="HealthStatus.Degraded"/>.
    /// </summary>
    public HealthStatus MissingHostStatus { get; init; } = HealthStatus.Degraded;

    /// <summary>Checks whether the server answers.</summary>
    /// <param name="context">The context of the check.</param>
    /// <param name="cancellationToken">Cancels the check.</param>
    /// <returns>
    /// Healthy if the server answered and all servers can be used; <see cref="MissingHostStatus"/> if another server cannot be used; otherwise the
    /// registration's failure status, with the exception if there is one, which contains no secrets.
    /// </returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(context);
        return ServerCheck.RunAsync(
            context, dataSource, MissingHostStatus, dataSource.OpenConnectionAsync, static (connection, token) => connection.PingAsync(token),
            cancellationToken);
    }
}
