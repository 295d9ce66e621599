using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Tests.Hosting;

/// <summary>Builders of hosts with a configuration of their own, and what they have registered.</summary>
internal static class Hosts
{
    public const string Text = "Server=localhost;User ID=app;Password=secret;Database=shop";

    /// <summary>The version makes a context usable without a server.</summary>
    public static readonly (string, string?) Version = ("Aspire:Slipstream:MySql:EntityFrameworkCore:ServerVersion", "9.7.0");

    public static HostApplicationBuilder Builder(params (string Key, string? Value)[] configuration)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(configuration.Select(static one => KeyValuePair.Create(one.Key, one.Value)));
        return builder;
    }

    /// <summary>Returns a builder that has a connection string with the name shop, and a version.</summary>
    public static HostApplicationBuilder WithShop(params (string Key, string? Value)[] configuration) =>
        Builder([("ConnectionStrings:shop", Text), Version, .. configuration]);

    /// <summary>Lets EF Core have services for as many kinds of options as there are tests.</summary>
    public static void Many(DbContextOptionsBuilder options) =>
        options.ConfigureWarnings(static warnings => warnings.Ignore(CoreEventId.ManyServiceProvidersCreatedWarning));

    public static MySqlOptionsExtension Options<TContext>(this IHost host)
        where TContext : DbContext
    {
        using var scope = host.Services.CreateScope();
        return scope.ServiceProvider.GetRequiredService<DbContextOptions<TContext>>().FindExtension<MySqlOptionsExtension>()!;
    }

    /// <summary>Returns the type of the context's execution strategy.</summary>
    public static Type Strategy<TContext>(this IHost host)
        where TContext : DbContext
    {
        using var scope = host.Services.CreateScope();
        return scope.ServiceProvider.GetRequiredService<TContext>().Database.CreateExecutionStrategy().GetType();
    }

    public static Task<HealthReport> CheckAsync(this IHost host) =>
        host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(TestContext.Current.CancellationToken);
}

public class Shop(DbContextOptions<Shop> options) : DbContext(options);

public class Stock(DbContextOptions<Stock> options) : DbContext(options);

/// <summary>Sets its options itself, as a context without a container does.</summary>
public class Alone(DbContextOptions<Alone> options) : DbContext(options)
{
    protected override void OnConfiguring(DbContextOptionsBuilder optionsBuilder) => optionsBuilder.UseMySql(Hosts.Text);
}
