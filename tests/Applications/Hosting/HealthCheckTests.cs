using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Hosting;

/// <summary>The health check as an application's report shows it.</summary>
public class HealthCheckTests
{
    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task A_server_that_answers_is_healthy(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var entry = await CheckAsync(
            $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};SSL Mode=None;Allow Public Key Retrieval=true",
            builder => builder.AddSlipstreamMySql());
        Assert.Equal(HealthStatus.Healthy, entry.Status);
        Assert.NotEmpty((string)entry.Data["server.version"]);
        Assert.Equal(1, entry.Data["pool.busy"]);
        Assert.DoesNotContain(entry.Data.Keys, static key => key.StartsWith("topology", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_PostgreSql_server_that_answers_is_healthy()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var entry = await CheckAsync(
            new ServiceCollection().AddSlipstreamPostgreSql(ConnectionStrings.PostgreSql(server)),
            builder => builder.AddSlipstreamPostgreSql(),
            "postgresql");
        Assert.Equal(HealthStatus.Healthy, entry.Status);
        Assert.NotEmpty((string)entry.Data["server.version"]);
        Assert.Equal(1, entry.Data["pool.busy"]);
    }

    [Theory]
    [InlineData(null, HealthStatus.Unhealthy)]
    [InlineData(HealthStatus.Degraded, HealthStatus.Degraded)]
    public async Task A_PostgreSql_server_that_is_down_fails_as_the_application_says(HealthStatus? status, HealthStatus expected)
    {
        using var closed = Closed();
        var entry = await CheckAsync(
            new ServiceCollection().AddKeyedSlipstreamPostgreSql("stock", $"Host=127.0.0.1;Port={Port(closed)};Username=u;Password=hidden-one"),
            builder => builder.AddSlipstreamPostgreSql("stock", "stock", status),
            "stock");
        Assert.Equal(expected, entry.Status);
        Assert.IsType<PgException>(entry.Exception);
        Assert.DoesNotContain("hidden-one", entry.Exception.ToString());
    }

    [Theory]
    [InlineData(null, HealthStatus.Unhealthy)]
    [InlineData(HealthStatus.Degraded, HealthStatus.Degraded)]
    public async Task A_server_that_is_down_fails_as_the_application_says(HealthStatus? status, HealthStatus expected)
    {
        using var closed = Closed();
        var entry = await CheckAsync(
            $"Server=127.0.0.1;Port={Port(closed)};User ID=u;Password=hidden-one", builder => builder.AddSlipstreamMySql(failureStatus: status));
        Assert.Equal(expected, entry.Status);
        Assert.Contains("127.0.0.1", entry.Description);
        Assert.IsType<MySqlException>(entry.Exception);
        Assert.DoesNotContain("hidden-one", entry.Exception.ToString());
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.PostgreSql)]
    public async Task A_missing_server_of_several_has_the_status_that_the_application_says(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        using var closed = Closed();
        var services = new ServiceCollection();
        services.AddSingleton<ILoggerFactory>(NullLoggerFactory.Instance).AddSingleton(typeof(ILogger<>), typeof(NullLogger<>));
        var checks = services.AddHealthChecks();
        if (kind.IsPostgreSql())
        {
            services.AddSlipstreamPostgreSql(
                $"Host={server.Host}:{server.Port},127.0.0.1:{Port(closed)};Username={server.User};Password={server.Password};Database={server.Database};"
                + "Target Session Attributes=primary");
            checks.AddSlipstreamPostgreSql(name: "default").AddSlipstreamPostgreSql(name: "tolerant", missingHostStatus: HealthStatus.Healthy);
        }
        else
        {
            services.AddSlipstreamMySql(
                $"Server={server.Host}:{server.Port},127.0.0.1:{Port(closed)};User ID={server.User};Password={server.Password};SSL Mode=None;"
                + "Allow Public Key Retrieval=true;Topology=Auto");
            checks.AddSlipstreamMySql(name: "default").AddSlipstreamMySql(name: "tolerant", missingHostStatus: HealthStatus.Healthy);
        }

        await using var provider = services.BuildServiceProvider();
        HealthReport report = null!;
        // The first check may end before the other server has been tried.
        await Eventually.TrueAsync(async () =>
            (report = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync()).Entries["default"].Status == HealthStatus.Degraded);
        Assert.Equal(HealthStatus.Healthy, report.Entries["tolerant"].Status);
        Assert.Contains($"127.0.0.1:{Port(closed)}", report.Entries["default"].Description);
        Assert.StartsWith("Unknown Dead: ", (string)report.Entries["default"].Data[$"topology.127.0.0.1:{Port(closed)}"]);
        Assert.Equal($"{server.Host}:{server.Port}", report.Entries["default"].Data["topology.primary"]);
    }

    [Fact]
    public async Task A_key_says_which_data_source()
    {
        using var closed = Closed();
        var services = new ServiceCollection().AddKeyedSlipstreamMySql("stock", $"Server=127.0.0.1;Port={Port(closed)}");
        services.AddSingleton<ILoggerFactory>(NullLoggerFactory.Instance).AddSingleton(typeof(ILogger<>), typeof(NullLogger<>));
        services.AddHealthChecks().AddSlipstreamMySql("stock", "stock");
        await using var provider = services.BuildServiceProvider();
        var report = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.IsType<MySqlException>(report.Entries["stock"].Exception);
    }

    private static Task<HealthReportEntry> CheckAsync(string connectionString, Action<IHealthChecksBuilder> add) =>
        CheckAsync(new ServiceCollection().AddSlipstreamMySql(connectionString), add, "mysql");

    private static async Task<HealthReportEntry> CheckAsync(IServiceCollection services, Action<IHealthChecksBuilder> add, string name)
    {
        services.AddSingleton<ILoggerFactory>(NullLoggerFactory.Instance).AddSingleton(typeof(ILogger<>), typeof(NullLogger<>));
        add(services.AddHealthChecks());
        await using var provider = services.BuildServiceProvider();
        var report = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        return report.Entries[name];
    }

    private static int Port(Socket socket) => ((IPEndPoint)socket.LocalEndPoint!).Port;

    // Bound, so that no other program listens there in the meantime.
    private static Socket Closed()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }
}
