using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Slipstream.MySql.Extensions;

/// <summary>Whether a server answers: takes a connection out of the data source's pool and pings it, one round trip.</summary>
/// <param name="dataSource">Whose server is asked.</param>
public sealed class MySqlHealthCheck(MySqlDataSource dataSource) : IHealthCheck
{
    /// <summary>Healthy when the server has answered; otherwise the registration's failure status with the exception, which holds no secret.</summary>
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
