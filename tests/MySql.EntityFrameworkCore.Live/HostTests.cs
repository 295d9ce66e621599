using System.Diagnostics;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Slipstream.Lab;
using Slipstream.MySql.EntityFrameworkCore.Hosting;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Contexts that are registered with a host.</summary>
public class HostTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task Context_health_check_and_commands_of_the_application_share_one_connection(ServerKind kind) => WithHostAsync(kind, Add, async host =>
    {
        var source = host.Services.GetRequiredKeyedService<MySqlDataSource>("library");
        Library first;
        long session;
        await using (var scope = host.Services.CreateAsyncScope())
        {
            first = scope.ServiceProvider.GetRequiredService<Library>();
            first.Add(new Book { Title = "one" });
            await first.SaveChangesAsync(Stop);
            Assert.Equal("one", (await first.Books.SingleAsync(Stop)).Title);
            session = await first.Database.SqlQuery<long>($"SELECT CONNECTION_ID() AS Value").SingleAsync(Stop);
        }

        await using (var command = source.CreateCommand("SELECT CONNECTION_ID()"))
            Assert.Equal(session, Convert.ToInt64(await command.ExecuteScalarAsync(Stop)));
        var entry = await CheckAsync(host);
        Assert.Equal(HealthStatus.Healthy, entry.Status);
        Assert.Equal(1, Convert.ToInt32(entry.Data["pool.idle"]) + Convert.ToInt32(entry.Data["pool.busy"]));
        Assert.Equal(1, source.Statistics.Idle);

        // The context is a pooled one, too, and does not keep what it tracked.
        await using (var scope = host.Services.CreateAsyncScope())
        {
            Assert.Same(first, scope.ServiceProvider.GetRequiredService<Library>());
            Assert.Empty(first.ChangeTracker.Entries());
        }
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Work_is_repeated_after_a_deadlock(ServerKind kind) => WithHostAsync(kind, Add, RepeatAsync);

    [Theory, MemberData(nameof(Kinds))]
    public Task A_context_that_was_enriched_has_retries_and_a_health_check_on_its_pool(ServerKind kind) => WithHostAsync(kind, Enrich, async host =>
    {
        await RepeatAsync(host);
        var entry = await CheckAsync(host);
        Assert.Equal(HealthStatus.Healthy, entry.Status);
        Assert.NotEmpty((string)entry.Data["server.version"]);
        await using var scope = host.Services.CreateAsyncScope();
        var library = scope.ServiceProvider.GetRequiredService<Library>();
        // Of this database, the server has one session: the pooled one of contexts and check.
        Assert.Equal(
            1, await library.Database.SqlQuery<long>($"SELECT COUNT(*) AS Value FROM information_schema.PROCESSLIST WHERE DB = DATABASE()").SingleAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_health_check_fails_while_the_database_is_missing(ServerKind kind)
    {
        using var host = await BuildAsync(kind, Add);
        var entry = await CheckAsync(host);
        Assert.Equal(HealthStatus.Unhealthy, entry.Status);
        Assert.Equal(MySqlErrorCode.UnknownDatabase, Assert.IsType<MySqlException>(entry.Exception).ErrorCode);
        await using var scope = host.Services.CreateAsyncScope();
        var library = scope.ServiceProvider.GetRequiredService<Library>();
        await library.Database.EnsureCreatedAsync(Stop);
        try
        {
            Assert.Equal(HealthStatus.Healthy, (await CheckAsync(host)).Status);
        }
        finally
        {
            await library.Database.EnsureDeletedAsync(Stop);
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql, false), InlineData(ServerKind.MariaDb, false), InlineData(ServerKind.MariaDb11, false), InlineData(ServerKind.MySql, true)]
    public async Task Spans_and_metrics_are_exported_unless_they_are_disabled(ServerKind kind, bool isDisabled)
    {
        List<Activity> spans = [];
        List<MetricSnapshot> metrics = [];
        await WithHostAsync(
            kind,
            builder =>
            {
                // The application may set up OpenTelemetry before or after it registers the context.
                builder.Services.AddOpenTelemetry().WithTracing(tracing => tracing.AddInMemoryExporter(spans));
                Add(builder, settings => settings.DisableTracing = settings.DisableMetrics = isDisabled);
                builder.Services.AddOpenTelemetry().WithMetrics(collected => collected.AddInMemoryExporter(metrics));
            },
            async host =>
            {
                await host.StartAsync(Stop);
                string database;
                await using (var scope = host.Services.CreateAsyncScope())
                {
                    var library = scope.ServiceProvider.GetRequiredService<Library>();
                    Assert.Empty(await library.Books.ToListAsync(Stop));
                    database = library.Database.GetDbConnection().Database;
                }

                await host.StopAsync(Stop);
                // Exports the rest. Other tests of this process use the driver at the same time, and must not add to the lists from here on.
                host.Services.GetRequiredService<TracerProvider>().Dispose();
                host.Services.GetRequiredService<MeterProvider>().Dispose();
                var names = spans.Where(span => Equals(span.GetTagItem("db.namespace"), database)).Select(static span => span.DisplayName);
                var instruments = metrics.Where(metric => HasPoint(metric, "db.namespace", database)).Select(static metric => metric.Name);
                if (isDisabled)
                {
                    Assert.Empty(names);
                    Assert.Empty(instruments);
                    return;
                }

                Assert.Contains("SELECT `Books`", names);
                Assert.Contains("db.client.operation.duration", instruments);
            });
    }

    private static bool HasPoint(MetricSnapshot metric, string key, string value)
    {
        foreach (var point in metric.MetricPoints)
            foreach (var tag in point.Tags)
                if (tag.Key == key && Equals(tag.Value, value))
                    return true;
        return false;
    }

    private static async Task RepeatAsync(IHost host)
    {
        await using var scope = host.Services.CreateAsyncScope();
        var library = scope.ServiceProvider.GetRequiredService<Library>();
        var tries = 0;
        await library.Database.CreateExecutionStrategy().ExecuteAsync(async () =>
        {
            await using var transaction = await library.Database.BeginTransactionAsync(Stop);
            library.ChangeTracker.Clear();
            library.Add(new Book { Title = "again" });
            await library.SaveChangesAsync(Stop);
            if (++tries == 1)
                // The number of a deadlock, as the server reports it to the one that it chose.
                await library.Database.ExecuteSqlRawAsync("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213", Stop);
            await transaction.CommitAsync(Stop);
        });
        Assert.Equal((2, 1), (tries, await library.Books.CountAsync(Stop)));
    }

    private static async Task<HealthReportEntry> CheckAsync(IHost host) =>
        Assert.Single((await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Stop)).Entries, static one => one.Key == "Library").Value;

    private static void Add(HostApplicationBuilder builder) => Add(builder, null);

    private static void Add(HostApplicationBuilder builder, Action<SlipstreamMySqlEntityFrameworkCoreSettings>? configureSettings) =>
        builder.AddMySqlDbContext<Library>("library", configureSettings, Servers.ManyProviders);

    private static void Enrich(HostApplicationBuilder builder)
    {
        builder.Services.AddDbContext<Library>(options =>
        {
            Servers.ManyProviders(options);
            options.UseMySql(builder.Configuration.GetConnectionString("library"));
        });
        builder.EnrichMySqlDbContext<Library>();
    }

    private static async Task<IHost> BuildAsync(ServerKind kind, Action<HostApplicationBuilder> register)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(
            [new("ConnectionStrings:library", await Servers.ConnectionString(kind, "host_" + Guid.NewGuid().ToString("N")[..12]))]);
        register(builder);
        return builder.Build();
    }

    private static async Task WithHostAsync(ServerKind kind, Action<HostApplicationBuilder> register, Func<IHost, Task> test)
    {
        using var host = await BuildAsync(kind, register);
        await using var scope = host.Services.CreateAsyncScope();
        var library = scope.ServiceProvider.GetRequiredService<Library>();
        await library.Database.EnsureCreatedAsync(Stop);
        try
        {
            // Gives the context back to its pool.
            await scope.DisposeAsync();
            await test(host);
        }
        finally
        {
            await using var last = host.Services.CreateAsyncScope();
            await last.ServiceProvider.GetRequiredService<Library>().Database.EnsureDeletedAsync(Stop);
        }
    }

    private sealed class Library(DbContextOptions<Library> options) : DbContext(options)
    {
        public DbSet<Book> Books => Set<Book>();
    }

    private sealed class Book
    {
        public int Id { get; set; }

        public required string Title { get; set; }
    }
}
