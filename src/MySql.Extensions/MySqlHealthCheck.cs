using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Slipstream.MySql.Extensions;

/// <summary>Checks whether a server answers: takes a connection from the data source's pool and pings the server, in one round trip.</summary>
/// <param name="dataSource">The data source of the server.</param>
public sealed class MySqlHealthCheck(MySqlDataSource dataSource) : IHealthCheck
{
    /// <summary>Checks whether the server answers.</summary>
    /// <param name="context">The context of the check.</param>
    /// <param name="cancellationToken">Cancels the check.</param>
    /// <returns>Healthy if the server answered; otherwise the registration's failure status with the exception, which contains no secrets.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(context);
        try
        {
            await using var connection = await dataSource.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            if (!await connection.PingAsync(cancellationToken).ConfigureAwait(false))
                return new(context.Registration.FailureStatus, "The server did not answer a ping: the pooled connection was lost.");
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
