using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;

namespace Slipstream.MySql.EntityFrameworkCore.Tests.Hosting;

/// <summary>What <c>AddMySqlDbContext</c> registers.</summary>
public class AddTests
{
    [Fact]
    public void A_context_has_the_data_source_of_its_connection_retries_and_the_settings()
    {
        var builder = Hosts.WithShop(("Aspire:Slipstream:MySql:EntityFrameworkCore:CommandTimeout", "5"));
        builder.AddMySqlDbContext<Shop>("shop", configureDbContextOptions: Hosts.Many);
        using var host = builder.Build();
        var options = host.Options<Shop>();
        Assert.Same(host.Services.GetRequiredKeyedService<MySqlDataSource>("shop"), options.DataSource);
        Assert.Equal((5, "9.7.0-mysql"), (options.CommandTimeout, options.ServerVersion!.ToString()));
        Assert.True(new MySqlConnectionStringBuilder(options.DataSource!.ConnectionString).AllowUserVariables);
        Assert.Equal(typeof(MySqlRetryingExecutionStrategy), host.Strategy<Shop>());
    }

    [Fact]
    public void Retries_can_be_disabled_and_changed()
    {
        var builder = Hosts.WithShop();
        builder.AddMySqlDbContext<Shop>("shop", static settings => settings.DisableRetry = true, Hosts.Many);
        builder.AddMySqlDbContext<Stock>("shop", null, static options =>
        {
            Hosts.Many(options);
            options.UseMySql(static mySql => mySql.ExecutionStrategy(static dependencies => new Own(dependencies)));
        });
        using var host = builder.Build();
        Assert.NotEqual(typeof(MySqlRetryingExecutionStrategy), host.Strategy<Shop>());
        Assert.Equal(typeof(Own), host.Strategy<Stock>());
    }

    [Fact]
    public void A_context_is_used_again()
    {
        var builder = Hosts.WithShop();
        builder.AddMySqlDbContext<Shop>("shop", configureDbContextOptions: Hosts.Many);
        using var host = builder.Build();
        Assert.Same(Use(), Use());

        Shop Use()
        {
            using var scope = host.Services.CreateScope();
            return scope.ServiceProvider.GetRequiredService<Shop>();
        }
    }

    [Fact]
    public async Task A_missing_connection_string_is_reported_at_the_first_use_and_by_the_health_check()
    {
        const string Expected = "The connection string of the context 'Shop' is missing. Set the configuration key 'ConnectionStrings:shop', or "
            + "ConnectionString in the section 'Aspire:Slipstream:MySql:EntityFrameworkCore' or 'Aspire:Slipstream:MySql:EntityFrameworkCore:Shop'.";
        var builder = Hosts.Builder(("ConnectionStrings:Shop2", Hosts.Text));
        builder.AddMySqlDbContext<Shop>("shop");
        using var host = builder.Build();
        using var scope = host.Services.CreateScope();
        Assert.Equal(Expected, Assert.Throws<InvalidOperationException>(scope.ServiceProvider.GetRequiredService<Shop>).Message);
        var entry = (await host.CheckAsync()).Entries["Shop"];
        Assert.Equal((HealthStatus.Unhealthy, Expected), (entry.Status, entry.Description));
    }

    [Fact]
    public void An_invalid_connection_string_or_version_is_reported_at_the_first_use()
    {
        var builder = Hosts.Builder(("ConnectionStrings:shop", "Sever=localhost"), ("ConnectionStrings:stock", Hosts.Text));
        builder.AddMySqlDbContext<Shop>("shop");
        builder.AddMySqlDbContext<Stock>("stock", static settings => settings.ServerVersion = "new");
        using var host = builder.Build();
        using var scope = host.Services.CreateScope();
        Assert.Contains(
            "'sever'", Assert.Throws<ArgumentException>(scope.ServiceProvider.GetRequiredService<Shop>).Message, StringComparison.Ordinal);
        Assert.Contains(
            "'new'", Assert.Throws<FormatException>(scope.ServiceProvider.GetRequiredService<Stock>).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_context_cannot_be_registered_twice()
    {
        const string Expected = "The context 'Shop' is already registered. Remove one of the two registrations, or call EnrichMySqlDbContext instead of "
            + "AddMySqlDbContext.";
        var builder = Hosts.WithShop();
        builder.AddMySqlDbContext<Shop>("shop");
        Assert.Equal(Expected, Assert.Throws<InvalidOperationException>(() => builder.AddMySqlDbContext<Shop>("other")).Message);
        builder = Hosts.WithShop();
        builder.Services.AddDbContext<Shop>(static options => options.UseMySql(Hosts.Text));
        Assert.Equal(Expected, Assert.Throws<InvalidOperationException>(() => builder.AddMySqlDbContext<Shop>("shop")).Message);
    }

    [Fact]
    public void Contexts_with_one_connection_share_its_data_source_and_another_connection_string_has_its_own()
    {
        var builder = Hosts.WithShop();
        builder.AddMySqlDbContext<Shop>("shop");
        builder.AddMySqlDbContext<Stock>("shop");
        builder.AddMySqlDbContext<Alone>("shop", static settings => settings.ConnectionString += ";Maximum Pool Size=3");
        using var host = builder.Build();
        var shared = host.Services.GetRequiredKeyedService<MySqlDataSource>("shop");
        Assert.Same(shared, host.Options<Shop>().DataSource);
        Assert.Same(shared, host.Options<Stock>().DataSource);
        var own = host.Options<Alone>().DataSource!;
        Assert.NotSame(shared, own);
        Assert.Same(host.Services.GetRequiredKeyedService<MySqlDataSource>(typeof(Alone)), own);
        Assert.Equal(3u, new MySqlConnectionStringBuilder(own.ConnectionString).MaximumPoolSize);
    }

    [Fact]
    public void A_data_source_that_the_application_has_registered_with_the_connections_name_is_used()
    {
        var builder = Hosts.Builder(Hosts.Version);
        builder.Services.AddKeyedSlipstreamMySql("shop", Hosts.Text + ";Minimum Pool Size=0;Maximum Pool Size=4");
        builder.AddMySqlDbContext<Shop>("shop");
        using var host = builder.Build();
        Assert.Same(host.Services.GetRequiredKeyedService<MySqlDataSource>("shop"), host.Options<Shop>().DataSource);
    }

    private sealed class Own(ExecutionStrategyDependencies dependencies) : MySqlRetryingExecutionStrategy(dependencies);
}
