using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Hosting;

namespace Slipstream.MySql.EntityFrameworkCore.Hosting;

/// <summary>Settings of a context that is registered with a host.</summary>
/// <remarks>
/// The host's configuration has them in the section <c>Aspire:Slipstream:MySql:EntityFrameworkCore</c>, for all contexts. The sections below it,
/// with the name of a connection or of a context, take precedence for that connection or context.
/// </remarks>
public sealed class SlipstreamMySqlEntityFrameworkCoreSettings
{
    /// <summary>Gets or sets the connection string. The entry <c>ConnectionStrings:{connectionName}</c> takes precedence over the section.
    /// <see cref="SlipstreamMySqlHostApplicationBuilderExtensions.EnrichMySqlDbContext"/> does not use it.</summary>
    public string? ConnectionString { get; set; }

    /// <summary>Gets or sets the version of the server, such as <c>8.4.3</c> or <c>11.8.9-MariaDB</c>. Null, the default: the provider asks the server when
    /// the context is first used.</summary>
    public string? ServerVersion { get; set; }

    /// <summary>Gets or sets the time limit for a command, in seconds. Null, the default: that of the connection string.</summary>
    public int? CommandTimeout { get; set; }

    /// <summary>Gets or sets whether work that fails with a transient error is not repeated. Default: false, so that
    /// <see cref="MySqlRetryingExecutionStrategy"/> repeats it.</summary>
    public bool DisableRetry { get; set; }

    /// <summary>Gets or sets whether there is no health check. Default: false, so that a check with the name of the context's type pings the server.</summary>
    public bool DisableHealthChecks { get; set; }

    /// <summary>Gets or sets whether OpenTelemetry does not collect the driver's spans. Default: false.</summary>
    public bool DisableTracing { get; set; }

    /// <summary>Gets or sets whether OpenTelemetry does not collect the driver's metrics. Default: false.</summary>
    public bool DisableMetrics { get; set; }
}
