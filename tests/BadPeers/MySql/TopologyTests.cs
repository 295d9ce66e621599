using System.Runtime.CompilerServices;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Topology;
using Slipstream.MySql;
using Slipstream.MySql.Extensions;
using Slipstream.Testing;

namespace Slipstream.BadPeers.MySql;

/// <summary>What the application sees of several servers.</summary>
[Collection("MySQL, topology")]
public sealed class TopologyTests : MySqlPeerTests
{
    [Fact]
    public async Task The_event_tells_the_new_primary_to_handlers_of_any_view()
    {
        var isPromoted = false;
        using var first = MySqlNode.Start(() => isPromoted);
        using var second = MySqlNode.Start(() => !isPromoted);
        await using var source = new MySqlDataSource(Text(first.Port, second.Port, "Auto"));
        var promoted = new TaskCompletionSource<(object? Sender, TopologyChangedEventArgs Change)>(TaskCreationOptions.RunContinuationsAsynchronously);
        source.Replica.TopologyChanged += (sender, change) =>
        {
            if (change.Current.Primary?.Port == second.Port)
                promoted.TrySetResult((sender, change));
        };
        Assert.False(source.HasSuitableHost);
        await using (await source.OpenConnectionAsync(TestContext.Current.CancellationToken))
            await Eventually.TrueAsync(() => source.Topology.Hosts.All(static host => host.IsUsable));
        isPromoted = true;
        var (sender, change) = await promoted.Task.WaitAsync(TestContext.Current.CancellationToken);
        Assert.Same(source, sender);
        Assert.Equal(HostRole.Primary, change.Current.Hosts[1].Role);
        Assert.True(source.HasSuitableHost);
    }

    // The thread of its monitor must not keep it in memory.
    [Fact]
    public async Task A_data_source_that_is_dropped_without_its_disposal_is_collected()
    {
        using var first = MySqlNode.Start(static () => false);
        using var second = MySqlNode.Start(static () => true);
        var dropped = await Task.Run(() => UseAndDrop(first, second), TestContext.Current.CancellationToken);
        await Eventually.TrueAsync(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return !dropped.IsAlive && first.Peers.Concat(second.Peers).All(static peer => peer.ClientHasClosed.IsSet);
        });
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference UseAndDrop(FakeServer first, FakeServer second)
    {
        var source = new MySqlDataSource(Text(first.Port, second.Port, "Auto"));
        using var connection = source.Primary.CreateConnection();
        connection.Open();
        return new(source);
    }

    [Fact]
    public async Task The_health_check_describes_all_servers_and_is_degraded_while_one_is_down()
    {
        using var primary = MySqlNode.Start(static () => false);
        var replica = MySqlNode.Start(static () => true);
        await using var source = new MySqlDataSource(Text(replica.Port, primary.Port, "Auto"));
        var check = new MySqlHealthCheck(source);
        await Eventually.TrueAsync(async () => (await Check(check)).Data.Values.Contains("Replica Up"));
        var healthy = await Check(check);
        Assert.True(healthy.Status == HealthStatus.Healthy, healthy.Description + healthy.Exception);
        Assert.Equal($"127.0.0.1:{primary.Port}", healthy.Data["topology.primary"]);
        replica.GoDown();
        await Eventually.TrueAsync(() => source.Topology.Hosts[0].State == HostState.Dead);
        Assert.Equal(HealthStatus.Degraded, (await Check(check)).Status);
        Assert.Equal(HealthStatus.Unhealthy, (await Check(new(source.Replica))).Status);
    }

    [Theory]
    [InlineData("Auto", false)]
    [InlineData("Auto", true)]
    [InlineData("None", false)]
    [InlineData("None", true)]
    public async Task Spans_and_durations_name_the_server_that_was_used(string topology, bool asynchronously)
    {
        using var heard = new Heard("Slipstream.MySql");
        using var first = topology == "None" ? null : MySqlNode.Start(static () => true);
        using var second = MySqlNode.Start(static () => false);
        // Without roles, the first one is used if it is up.
        using var down = FakeServer.Bind();
        var port = first?.Port ?? ((System.Net.IPEndPoint)down.LocalEndPoint!).Port;
        await using var source = new MySqlDataSource(Text(port, second.Port, topology));
        await using (var connection = source.CreateConnection())
        {
            if (asynchronously)
                await connection.OpenAsync(TestContext.Current.CancellationToken);
            else
                connection.Open();
            await using var command = new MySqlCommand("DO 1", connection);
            if (asynchronously)
                await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
            else
                command.ExecuteNonQuery();
        }

        Assert.Equal(["connect", "DO"], heard.SpansOf(second.Port));
        Assert.Single(heard.Measured("db.client.operation.duration", second.Port));
        Assert.Empty(heard.SpansOf(port).Except(["connect"]));
    }

    private static Task<HealthCheckResult> Check(MySqlHealthCheck check) =>
        check.CheckHealthAsync(new() { Registration = new("mysql", check, null, null) }, TestContext.Current.CancellationToken);

    private static string Text(int first, int second, string topology) =>
        $"Server=127.0.0.1:{first},127.0.0.1:{second};User ID=somebody;Password={Password};SSL Mode=None;Topology={topology};Load Balance=FailOver;"
        + "Connection Timeout=30";
}
