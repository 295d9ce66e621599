using Microsoft.Extensions.Diagnostics.HealthChecks;
using Slipstream.Extensions;

namespace Slipstream.PostgreSql.Extensions;

/// <summary>
/// Checks whether a server answers. It takes a connection from the data source's pool and executes <c>SELECT 1</c>, which takes one round trip. With several
/// servers whose roles the data source knows (<see cref="PgMultiHostDataSource"/> and its views), the check also reports all of them with role, state and lag.
/// </summary>
/// <param name="dataSource">The data source whose server is checked.</param>
public sealed class PgHealthCheck(PgDataSource dataSource) : IHealthCheck
{
    /// <summary>
    /// Gets the status to report if a server that suits the data source answers, but another server of the list cannot be used. Default:
    /// <see cref="HealthStatus.Degraded"/>.
    /// </summary>
    public HealthStatus MissingHostStatus { get; init; } = HealthStatus.Degraded;

    /// <summary>Checks the server.</summary>
    /// <param name="context">The registration of the check.</param>
    /// <param name="cancellationToken">Cancels the check.</param>
    /// <returns>
    /// Healthy if the server answered and all servers can be used; <see cref="MissingHostStatus"/> if another server cannot be used. Otherwise, the failure
    /// status of the registration, with the exception if there is one, which contains no secret.
    /// </returns>
    /// <exception cref="ArgumentNullException">The context is null.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(context);
        return ServerCheck.RunAsync(context, dataSource, MissingHostStatus, dataSource.OpenConnectionAsync, AskAsync, cancellationToken);
    }

    private static async Task<bool> AskAsync(PgConnection connection, CancellationToken cancellationToken)
    {
        await using var command = new PgCommand("SELECT 1", connection);
        await command.ExecuteScalarAsync<int>(cancellationToken).ConfigureAwait(false);
        return true;
    }
}
