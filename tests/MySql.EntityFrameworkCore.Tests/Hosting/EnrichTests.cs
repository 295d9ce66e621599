using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Slipstream.MySql.EntityFrameworkCore.Tests.Hosting;

/// <summary>What <c>EnrichMySqlDbContext</c> adds to a context that the application has registered.</summary>
public class EnrichTests
{
    private static readonly ServerVersion Version = ServerVersion.Parse("9.7.0");

    [Fact]
    public void A_context_must_be_registered_before() =>
        Assert.Equal(
            "The context 'Shop' is not registered. Call AddDbContext or AddDbContextPool before EnrichMySqlDbContext, or call AddMySqlDbContext instead.",
            Assert.Throws<InvalidOperationException>(static () => Hosts.Builder().EnrichMySqlDbContext<Shop>()).Message);

    [Theory, InlineData(false), InlineData(true)]
    public void Retries_timeout_and_version_are_added_and_the_connection_stays(bool isPooled)
    {
        var builder = Hosts.Builder();
        if (isPooled)
            builder.Services.AddDbContextPool<Shop>(Configure);
        else
            builder.Services.AddDbContext<Shop>(Configure);
        builder.EnrichMySqlDbContext<Shop>(static settings => (settings.CommandTimeout, settings.ServerVersion) = (5, "8.4.3"));
        using var host = builder.Build();
        var options = host.Options<Shop>();
        Assert.Equal((5, "8.4.3-mysql"), (options.CommandTimeout, options.ServerVersion!.ToString()));
        Assert.StartsWith("Server=localhost;", options.ConnectionString, StringComparison.Ordinal);
        Assert.Equal(typeof(MySqlRetryingExecutionStrategy), host.Strategy<Shop>());

        static void Configure(DbContextOptionsBuilder options)
        {
            Hosts.Many(options);
            options.UseMySql(Hosts.Text);
        }
    }

    [Fact]
    public void Retries_can_be_disabled()
    {
        using var host = Enriched(static _ => { }, disablesRetry: true);
        Assert.NotEqual(typeof(MySqlRetryingExecutionStrategy), host.Strategy<Shop>());
    }

    [Fact]
    public void A_version_and_retries_of_the_application_stay()
    {
        using var host = Enriched(static mySql => mySql.EnableRetryOnFailure(maxRetryCount: 2, TimeSpan.Zero, null), version: "8.0.36");
        Assert.Equal(Version, host.Options<Shop>().ServerVersion);
        using var scope = host.Services.CreateScope();
        var tries = 0;
        Assert.Throws<RetryLimitExceededException>(
            () => scope.ServiceProvider.GetRequiredService<Shop>().Database.CreateExecutionStrategy().Execute(() =>
            {
                tries++;
                using var connection = new MySqlConnection("Server=localhost;Port=1;SSL Mode=None;Connection Timeout=5");
                connection.Open();
            }));
        Assert.Equal(3, tries);
    }

    [Fact]
    public void A_strategy_that_is_not_the_providers_needs_DisableRetry()
    {
        using (var host = Enriched(static mySql => mySql.ExecutionStrategy(static dependencies => new NonRetryingExecutionStrategy(dependencies))))
            Assert.Equal(
                "The context 'Shop' has the execution strategy 'NonRetryingExecutionStrategy', which EnrichMySqlDbContext would have to replace. Keep it "
                    + "with the setting DisableRetry, or derive it from MySqlRetryingExecutionStrategy.",
                Assert.Throws<InvalidOperationException>(() => host.Strategy<Shop>()).Message);
        using (var host = Enriched(
            static mySql => mySql.ExecutionStrategy(static dependencies => new NonRetryingExecutionStrategy(dependencies)), disablesRetry: true))
            Assert.Equal(typeof(NonRetryingExecutionStrategy), host.Strategy<Shop>());
    }

    [Fact]
    public void Two_command_timeouts_are_refused_unless_they_are_the_same()
    {
        using (var host = Enriched(static mySql => mySql.CommandTimeout(7), timeout: 7))
            Assert.Equal(7, host.Options<Shop>().CommandTimeout);
        using (var host = Enriched(static mySql => mySql.CommandTimeout(7), timeout: 8))
            Assert.Equal(
                "The command timeout of the context 'Shop' is 7 s in its options, but 8 s in the settings of EnrichMySqlDbContext. Remove one of the two.",
                Assert.Throws<InvalidOperationException>(() => host.Options<Shop>()).Message);
    }

    [Fact]
    public void A_registration_without_UseMySql_is_refused()
    {
        var builder = Hosts.Builder();
        builder.Services.AddDbContext<Alone>();
        builder.EnrichMySqlDbContext<Alone>();
        using var host = builder.Build();
        Assert.Equal(
            "The registration of the context 'Alone' does not call UseMySql, which EnrichMySqlDbContext needs. Call it in the options of AddDbContext or "
                + "AddDbContextPool, not in OnConfiguring.",
            Assert.Throws<InvalidOperationException>(() => host.Options<Alone>()).Message);
    }

    private static IHost Enriched(
        Action<Microsoft.EntityFrameworkCore.Infrastructure.MySqlDbContextOptionsBuilder> configure, int? timeout = null, bool disablesRetry = false,
        string? version = null)
    {
        var builder = Hosts.Builder();
        builder.Services.AddDbContext<Shop>(options =>
        {
            Hosts.Many(options);
            options.UseMySql(Hosts.Text, Version, configure);
        });
        builder.EnrichMySqlDbContext<Shop>(
            settings => (settings.CommandTimeout, settings.DisableRetry, settings.ServerVersion) = (timeout, disablesRetry, version));
        return builder.Build();
    }
}
