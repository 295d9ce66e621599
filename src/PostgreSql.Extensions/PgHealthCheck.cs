using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Slipstream.PostgreSql.Extensions;

/// <summary>
/// Checks whether a server answers. It takes a connection from the data source's pool and executes <c>SELECT 1</c>, which takes one round trip.
/// </summary>
/// <param name="dataSource">The data source whose server is checked.</param>
public sealed class PgHealthCheck(PgDataSource dataSource) : IHealthCheck
{
    /// <summary>Checks the server.</summary>
    /// <param name="context">The registration of the check.</param>
    /// <param name="cancellationToken">Cancels the check.</param>
    /// <returns>
    /// Healthy if the server answered. Otherwise, the failure status of the registration with the exception, which contains no secret.
    /// </returns>
    /// <exception cref="ArgumentNullException">The context is null.</exception>
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(context);
        try
        {
            await using var connection = await dataSource.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            await using var command = new PgCommand("SELECT 1", connection);
            await command.ExecuteScalarAsync<int>(cancellationToken).ConfigureAwait(false);
            var statistics = dataSource.Statistics;
            return HealthCheckResult.Healthy(data: new Dictionary<string, object>
            {
                ["server.version"] = connection.ServerVersion,
                ["pool.idle"] = statistics.Idle,
                ["pool.busy"] = statistics.Busy,
                ["pool.waiting"] = statistics.Waiting,
            });
        }
        catch (Exception exception) when (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            return new(context.Registration.FailureStatus, exception.Message, exception);
        }
    }
}
