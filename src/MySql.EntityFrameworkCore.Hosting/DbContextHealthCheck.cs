using System.Diagnostics.CodeAnalysis;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Slipstream.Extensions;
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
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        MySqlOptionsExtension extension;
        try
        {
            extension = ContextOptions.Find<TContext>(services.GetRequiredService<DbContextOptions<TContext>>());
        }
        catch (Exception exception)
        {
            return Task.FromResult(ServerCheck.Failed(context, exception));
        }

        // Only a data source shows its servers.
        return extension.DataSource is MySqlDataSource source
            ? new MySqlHealthCheck(source).CheckHealthAsync(context, cancellationToken)
            : ServerCheck.RunAsync(
                context, source: null, missingHostStatus: default, token => OpenAsync(extension, token),
                static (connection, token) => connection.PingAsync(token), cancellationToken);
    }

    private async ValueTask<MySqlConnection> OpenAsync(MySqlOptionsExtension extension, CancellationToken cancellationToken)
    {
        var connection = Create(extension);
        try
        {
            await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
            return connection;
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
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
