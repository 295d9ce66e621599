using System.Diagnostics.CodeAnalysis;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.Extensions;

namespace Slipstream.MySql.EntityFrameworkCore.Hosting;

/// <summary>
/// Pings the server of a context on a connection of the context's pool. It does not create a context: a context without a ServerVersion asks the server for
/// it, and blocks a thread during all retries if the server is down.
/// </summary>
/// <param name="services">The services of the check's scope.</param>
internal sealed class DbContextHealthCheck<
    [DynamicallyAccessedMembers(SlipstreamMySqlHostApplicationBuilderExtensions.ForContexts)] TContext>(IServiceProvider services) : IHealthCheck
    where TContext : DbContext
{
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        try
        {
            var extension = ContextOptions.Find<TContext>(services.GetRequiredService<DbContextOptions<TContext>>());
            if (extension.DataSource is MySqlDataSource source)
                return await new MySqlHealthCheck(source).CheckHealthAsync(context, cancellationToken).ConfigureAwait(false);
            await using var connection = Create(extension);
            await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
            return await connection.PingAsync(cancellationToken).ConfigureAwait(false)
                ? HealthCheckResult.Healthy(data: new Dictionary<string, object> { ["server.version"] = connection.ServerVersion })
                : new(context.Registration.FailureStatus, "The server did not answer a ping: the pooled connection was lost.");
        }
        catch (Exception exception) when (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            return new(context.Registration.FailureStatus, exception.Message, exception);
        }
    }

    private MySqlConnection Create(MySqlOptionsExtension extension)
    {
        // The connection belongs to the application, which may be using it.
        if (extension.Connection is MySqlConnection connection)
            return connection.CloneWith(connection.ConnectionString);
        var text = extension.ConnectionString;
        if (text?.Split('=') is [var key, var name] && key.Trim().Equals("name", StringComparison.OrdinalIgnoreCase))
            text = services.GetRequiredService<IConfiguration>().GetConnectionString(name.Trim());
        return new(text);
    }
}
