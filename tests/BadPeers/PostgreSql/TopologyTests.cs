using System.Collections.Concurrent;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Topology;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Extensions;
using Slipstream.Testing;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>What the application sees of several servers.</summary>
[Collection("PostgreSQL, topology")]
public sealed class TopologyTests : PgPeerTests
{
    [Fact]
    public async Task The_topology_shows_each_server_with_its_role()
    {
        using var primary = PgNode.Start(static () => false);
        using var standby = PgNode.Start(static () => true);
        await using var source = Builder(standby, primary).BuildMultiHost();
        var unknown = source.Topology;
        Assert.True(unknown.IsWatched);
        Assert.Null(unknown.Primary);
        Assert.Equal([standby.Port, primary.Port], unknown.Hosts.Select(static host => host.Port));
        Assert.All(unknown.Hosts, static host => Assert.Equal((HostRole.Unknown, HostState.Unknown, null), (host.Role, host.State, host.RoundTripTime)));
        Assert.False(source.HasSuitableHost);

        var known = unknown;
        await using (await source.Primary.OpenConnectionAsync())
            await Eventually.TrueAsync(() => (known = source.Replica.Topology).Hosts.All(static host => host.State == HostState.Up));
        Assert.Equal([HostRole.Replica, HostRole.Primary], known.Hosts.Select(static host => host.Role));
        Assert.Same(known.Hosts[1], known.Primary);
        Assert.All(known.Hosts, static host => Assert.NotNull(host.RoundTripTime));
        Assert.All(known.Hosts, static host => Assert.Null(host.LastError));
        Assert.True(known.Version > unknown.Version);
        Assert.True(source.Primary.HasSuitableHost && source.Replica.HasSuitableHost);
        Assert.Equal($"127.0.0.1:{standby.Port} Replica Up; 127.0.0.1:{primary.Port} Primary Up", known.ToString());
    }

    [Fact]
    public async Task Changes_are_told_in_order_although_a_handler_throws()
    {
        var isPromoted = false;
        var first = PgNode.Start(static () => false);
        using var second = PgNode.Start(() => !isPromoted);
        using var loggers = new RecordedLogs();
        await using var source = Builder(first, second).UseLoggerFactory(loggers).BuildMultiHost();
        var changes = new ConcurrentQueue<(object? Sender, TopologyChangedEventArgs Change)>();
        source.Primary.TopologyChanged += static (_, _) => throw new InvalidOperationException("The handler has failed.");
        source.TopologyChanged += (sender, change) => changes.Enqueue((sender, change));
        EventHandler<TopologyChangedEventArgs> removed = static (_, _) => Assert.Fail("It was removed.");
        source.TopologyChanged += removed;
        source.TopologyChanged -= removed;
        await using (await source.Primary.OpenConnectionAsync())
            await Eventually.TrueAsync(() => source.Topology.Hosts.All(static host => host.IsUsable));
        isPromoted = true;
        first.GoDown();
        await Eventually.TrueAsync(() => changes.Any(one => one.Change.Current.Primary?.Port == second.Port));

        Assert.All(changes, one => Assert.Same(source, one.Sender));
        var versions = changes.Select(static one => one.Change.Current.Version).ToArray();
        Assert.Equal(versions.Order(), versions);
        Assert.All(changes, static one => Assert.True(one.Change.Previous.Version < one.Change.Current.Version));
        var lost = changes.First(one => one.Change.Current.Hosts[0].State == HostState.Dead).Change.Current.Hosts[0];
        Assert.NotNull(lost.LastError);
        Assert.False(lost.IsUsable);
        await Eventually.TrueAsync(() => loggers.Entries.Any(static one => one.Id == 1036));
        Assert.Contains(loggers.Entries, one =>
            one.Id == 1035 && one.Text.Contains($"127.0.0.1:{second.Port} has the role Replica and the state Up; it had Unknown and "));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_handler_that_does_not_return_delays_nobody(bool asynchronously)
    {
        var isPromoted = false;
        using var mayReturn = new ManualResetEventSlim();
        using var hasBegun = new ManualResetEventSlim();
        var first = PgNode.Start(static () => false);
        using var second = PgNode.Start(() => !isPromoted);
        await using var source = Builder(first, second).BuildMultiHost();
        source.TopologyChanged += (_, _) =>
        {
            hasBegun.Set();
            mayReturn.Wait();
        };
        try
        {
            await Open(source.Primary, asynchronously);
            hasBegun.Wait(TestContext.Current.CancellationToken);
            isPromoted = true;
            first.GoDown();
            await Eventually.TrueAsync(() => source.Topology.Primary?.Port == second.Port);
            await Open(source.Primary, asynchronously);
        }
        finally
        {
            mayReturn.Set();
        }
    }

    [Fact]
    public async Task The_health_check_describes_all_servers_and_is_degraded_while_one_is_down()
    {
        var primary = PgNode.Start(static () => false);
        var standby = PgNode.Start(static () => true);
        await using var source = Builder(primary, standby).BuildMultiHost();
        var check = new PgHealthCheck(source.Primary);
        await Eventually.TrueAsync(async () => (await Check(check)).Data.Values.Contains("Replica Up"));
        // Over the session of the former checks, which the driver resets, and on which it prepares the text at last.
        for (var i = 0; i < 10; i++)
        {
            var repeated = await Check(check);
            Assert.True(repeated.Status == HealthStatus.Healthy, repeated.Description + repeated.Exception);
        }

        primary.ThrowIfScriptFailed();
        var healthy = await Check(check);
        Assert.Equal($"127.0.0.1:{primary.Port}", healthy.Data["topology.primary"]);
        Assert.StartsWith("Primary ", (string)healthy.Data[$"topology.127.0.0.1:{primary.Port}"]);
        Assert.Equal(1, healthy.Data["pool.busy"]);

        standby.GoDown();
        await Eventually.TrueAsync(() => source.Topology.Hosts[1].State == HostState.Dead);
        var degraded = await Check(check);
        Assert.Equal(HealthStatus.Degraded, degraded.Status);
        Assert.Equal($"1 of 2 servers cannot be used: 127.0.0.1:{standby.Port} Replica Dead.", degraded.Description);
        Assert.StartsWith("Replica Dead: ", (string)degraded.Data[$"topology.127.0.0.1:{standby.Port}"]);
        Assert.Equal(HealthStatus.Healthy, (await Check(new PgHealthCheck(source.Primary) { MissingHostStatus = HealthStatus.Healthy })).Status);

        primary.GoDown();
        await Eventually.TrueAsync(() => source.Topology.Hosts[0].State == HostState.Dead);
        Assert.False(source.Primary.HasSuitableHost);
        var unhealthy = await Check(check);
        Assert.Equal(HealthStatus.Unhealthy, unhealthy.Status);
        Assert.StartsWith("No server suits the data source: ", unhealthy.Description);
        Assert.Equal("none", unhealthy.Data["topology.primary"]);
        Assert.Equal(HealthStatus.Degraded, (await Check(check, HealthStatus.Degraded)).Status);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Spans_and_durations_name_the_server_that_was_used(bool asynchronously)
    {
        using var heard = new Heard("Slipstream.PostgreSql");
        using var primary = PgNode.Start(static () => false);
        using var standby = PgNode.Start(static () => true);
        await using var source = Builder(primary, standby).BuildMultiHost();
        foreach (var view in new[] { source.Replica, source.Primary, source.Replica })
        {
            await using var connection = view.CreateConnection();
            if (asynchronously)
                await connection.OpenAsync(TestContext.Current.CancellationToken);
            else
                connection.Open();
            await using var command = new PgCommand("SELECT 1", connection);
            Assert.Equal(1, asynchronously ? await command.ExecuteScalarAsync<int>(TestContext.Current.CancellationToken) : command.ExecuteScalar<int>());
        }

        Assert.Equal(["connect", "SELECT", "SELECT"], heard.SpansOf(standby.Port));
        Assert.Equal(["connect", "SELECT"], heard.SpansOf(primary.Port));
        Assert.Equal(2, heard.Measured("db.client.operation.duration", standby.Port).Length);
        Assert.Single(heard.Measured("db.client.operation.duration", primary.Port));
    }

    [Fact]
    public async Task The_metrics_tell_roles_and_states()
    {
        using var heard = new Heard("Slipstream.PostgreSql");
        using var primary = PgNode.Start(static () => false);
        var standby = PgNode.Start(static () => true);
        await using (var source = Builder(primary, standby).UseName("shop").BuildMultiHost())
        {
            await using (await source.Primary.OpenConnectionAsync())
                await Eventually.TrueAsync(() => source.Topology.Hosts.All(static host => host.IsUsable));
            standby.GoDown();
            await Eventually.TrueAsync(() => source.Topology.Hosts[1].State == HostState.Dead);
            await Eventually.TrueAsync(() => source.Topology.Hosts[0].State == HostState.Up);
            heard.Collect();
            var server = $"db.client.connection.pool.name=shop;server.address=127.0.0.1;server.port={primary.Port};";
            Assert.Equal(
                ($"{server}slipstream.topology.host.role=primary;slipstream.topology.host.state=up;", 1),
                Assert.Single(heard.Measured("slipstream.topology.host.status", primary.Port)));
            Assert.EndsWith(
                ";slipstream.topology.host.role=replica;slipstream.topology.host.state=dead;",
                Assert.Single(heard.Measured("slipstream.topology.host.status", standby.Port)).Tags);
            Assert.Equal(server, Assert.Single(heard.Measured("slipstream.topology.host.round_trip_time", primary.Port)).Tags);
            Assert.Empty(heard.Measured("slipstream.topology.host.lag", primary.Port));
            Assert.True(Assert.Single(heard.Measured("slipstream.topology.host.changes", primary.Port)).Value >= 1);
            Assert.True(Assert.Single(heard.Measured("slipstream.topology.host.changes", standby.Port)).Value >= 2);
            var probes = Assert.Single(heard.Measured("slipstream.topology.host.probes", standby.Port)).Value;
            Assert.InRange(Assert.Single(heard.Measured("slipstream.topology.host.failed_probes", standby.Port)).Value, 1, probes - 1);
        }

        heard.Collect();
        Assert.Empty(heard.Measured("slipstream.topology.host.status", primary.Port));
    }

    private static async Task Open(PgDataSource source, bool asynchronously)
    {
        await using var connection = source.CreateConnection();
        await (asynchronously ? connection.OpenAsync(TestContext.Current.CancellationToken) : Task.Run(connection.Open));
    }

    private static Task<HealthCheckResult> Check(PgHealthCheck check, HealthStatus? failureStatus = null) =>
        check.CheckHealthAsync(new() { Registration = new("postgresql", check, failureStatus, null) }, TestContext.Current.CancellationToken);

    private static PgDataSourceBuilder Builder(FakeServer first, FakeServer second) => new(
        $"Host={first.Address}:{first.Port},{second.Address}:{second.Port};{PgLogin.Text};Database=db;SSL Mode=Disable;Require Auth=None;Timeout=30");
}
