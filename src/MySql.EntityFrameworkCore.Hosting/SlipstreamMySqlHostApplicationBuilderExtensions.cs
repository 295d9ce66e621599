using System.Diagnostics.CodeAnalysis;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Slipstream.MySql;
using Slipstream.MySql.EntityFrameworkCore.Hosting;

namespace Microsoft.Extensions.Hosting;

/// <summary>Registers contexts of EF Core on MySQL and MariaDB with a host, as the client integrations of Aspire do.</summary>
public static class SlipstreamMySqlHostApplicationBuilderExtensions
{
    internal const DynamicallyAccessedMemberTypes ForContexts =
        DynamicallyAccessedMemberTypes.PublicConstructors | DynamicallyAccessedMemberTypes.NonPublicConstructors
        | DynamicallyAccessedMemberTypes.PublicProperties;

    /// <summary>
    /// Registers a pool of contexts on a data source of the connection's name, with retries, a health check, and the driver's spans and metrics in
    /// OpenTelemetry.
    /// </summary>
    /// <typeparam name="TContext">The context. Its constructor takes its options.</typeparam>
    /// <param name="builder">The builder of the host.</param>
    /// <param name="connectionName">The name of the connection string in the section <c>ConnectionStrings</c> of the configuration.</param>
    /// <param name="configureSettings">Changes the settings after they were read from the configuration.</param>
    /// <param name="configureDbContextOptions">Sets more options of the context.</param>
    /// <remarks>
    /// <para>
    /// The settings are read immediately, from the section <c>Aspire:Slipstream:MySql:EntityFrameworkCore</c>, and then from the sections below it with the
    /// names of the connection and of the context's type. <c>ConnectionStrings:{connectionName}</c> takes precedence over these, and
    /// <paramref name="configureSettings"/> over all. If there is no connection string, the first use of the context throws.
    /// </para>
    /// <para>
    /// The data source is a keyed <see cref="MySqlDataSource"/>, whose key is the name of the connection. If the application has registered one with this
    /// key before, the context uses that one, and no connection string is needed. Contexts with the same connection share a data source. A context
    /// whose connection string differs has its own, whose key is the type of the context.
    /// </para>
    /// </remarks>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    /// <exception cref="InvalidOperationException">The context is already registered, or the configuration has an invalid value.</exception>
    public static void AddMySqlDbContext<[DynamicallyAccessedMembers(ForContexts)] TContext>(
        this IHostApplicationBuilder builder, string connectionName, Action<SlipstreamMySqlEntityFrameworkCoreSettings>? configureSettings = null,
        Action<DbContextOptionsBuilder>? configureDbContextOptions = null)
        where TContext : DbContext
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(connectionName);
        if (IsRegistered<TContext>(builder))
            throw new InvalidOperationException(
                $"The context '{typeof(TContext).Name}' is already registered. Remove one of the two registrations, or call EnrichMySqlDbContext instead of "
                    + "AddMySqlDbContext.");
        var settings = SettingsSections.Read(builder.Configuration, connectionName, typeof(TContext).Name);
        if (builder.Configuration.GetConnectionString(connectionName) is { } connectionString)
            settings.ConnectionString = connectionString;
        configureSettings?.Invoke(settings);

        var (key, canConnect) = Registrations.Of(builder).AddDataSource(builder.Services, connectionName, settings.ConnectionString, typeof(TContext));
        builder.Services.AddDbContextPool<TContext>((provider, options) =>
        {
            // Commands such as 'dotnet ef migrations add' need no connection.
            if (!canConnect && EF.IsDesignTime)
                options.UseMySql(ContextOptions.Version(settings), mySql => ContextOptions.Set(mySql, settings));
            else
                options.UseMySql(
                    provider.GetRequiredKeyedService<MySqlDataSource>(key), ContextOptions.Version(settings), mySql => ContextOptions.Set(mySql, settings));
            configureDbContextOptions?.Invoke(options);
        });
        AddInstrumentation<TContext>(builder, settings);
    }

    /// <summary>
    /// Adds retries, a command timeout, a health check, and the driver's spans and metrics in OpenTelemetry to a context that the application has registered.
    /// </summary>
    /// <typeparam name="TContext">The context. Its registration calls <c>UseMySql</c>.</typeparam>
    /// <param name="builder">The builder of the host.</param>
    /// <param name="configureSettings">Changes the settings after they were read from the configuration.</param>
    /// <remarks>
    /// The settings are read immediately, from the section <c>Aspire:Slipstream:MySql:EntityFrameworkCore</c>, and then from the section below it with the
    /// name of the context's type. The connection string and all other options remain those of the registration. If they contradict the settings, the first use
    /// of the context throws: another command timeout, or an execution strategy that is not a <see cref="MySqlRetryingExecutionStrategy"/>.
    /// </remarks>
    /// <exception cref="InvalidOperationException">The context is not registered, or the configuration has an invalid value.</exception>
    public static void EnrichMySqlDbContext<[DynamicallyAccessedMembers(ForContexts)] TContext>(
        this IHostApplicationBuilder builder, Action<SlipstreamMySqlEntityFrameworkCoreSettings>? configureSettings = null)
        where TContext : DbContext
    {
        ArgumentNullException.ThrowIfNull(builder);
        if (!IsRegistered<TContext>(builder))
            throw new InvalidOperationException(
                $"The context '{typeof(TContext).Name}' is not registered. Call AddDbContext or AddDbContextPool before EnrichMySqlDbContext, or call "
                    + "AddMySqlDbContext instead.");
        var settings = SettingsSections.Read(builder.Configuration, connectionName: null, typeof(TContext).Name);
        configureSettings?.Invoke(settings);

        builder.Services.ConfigureDbContext<TContext>(options => ContextOptions.Enrich<TContext>(options, settings));
        AddInstrumentation<TContext>(builder, settings);
    }

    private static bool IsRegistered<TContext>(IHostApplicationBuilder builder)
        where TContext : DbContext =>
        builder.Services.Any(static service => service.ServiceType == typeof(DbContextOptions<TContext>));

    private static void AddInstrumentation<[DynamicallyAccessedMembers(ForContexts)] TContext>(
        IHostApplicationBuilder builder, SlipstreamMySqlEntityFrameworkCoreSettings settings)
        where TContext : DbContext
    {
        if (!settings.DisableHealthChecks && Registrations.Of(builder).AddHealthCheck(typeof(TContext)) is { } name)
            builder.Services.AddHealthChecks().Add(
                new(name, static services => new DbContextHealthCheck<TContext>(services), failureStatus: null, tags: null));
        // These have an effect only if the application collects spans and metrics, and do not depend on the order of the calls.
        if (!settings.DisableTracing)
            builder.Services.ConfigureOpenTelemetryTracerProvider(static tracing => tracing.AddSlipstreamMySql());
        if (!settings.DisableMetrics)
            builder.Services.ConfigureOpenTelemetryMeterProvider(static metrics => metrics.AddSlipstreamMySql());
    }
}
