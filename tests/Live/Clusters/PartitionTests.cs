using System.Diagnostics;
using System.Globalization;
using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;
using static Slipstream.Live.Clusters.ClusterSql;

namespace Slipstream.Live.Clusters;

/// <summary>Clusters whose network is cut. Each test runs this program again in a network of its own, with only itself.</summary>
[Collection(ClusterSql.OneAtATime)]
public class PartitionTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    [Trait("Set", "All")]
    public async Task The_former_primary_of_postgresql_gets_no_writes_after_its_partition()
    {
        if (await RunsInsideAsync(ServerKind.PostgreSql, ClusterKind.PgReplication))
            return;
        await using var cluster = await LiveServers.StartPgReplicationAsync();
        var (first, second) = (cluster.Servers[0], cluster.Servers[1]);
        var hosts = string.Join(',', cluster.Servers.Select(static one => $"{one.Host}:{one.Port}"));
        await using var source = new PgDataSourceBuilder(
            ConnectionStrings.PostgreSql(first, "Timeout=30;Command Timeout=0")
                .Replace($"Host={first.Host};", $"Host={hosts};", StringComparison.Ordinal)).BuildMultiHost();
        await source.Primary.CreateCommand("CREATE TABLE written (id int PRIMARY KEY)").ExecuteNonQueryAsync(Token);
        Assert.Equal(first.Port, await WriteAsync(source, 1));
        // What has not reached it before the cut never does.
        await using (var standby = PgDataSource.Create(ConnectionStrings.PostgreSql(second)))
        {
            await Eventually.TrueAsync(async () => await standby.CreateCommand("SELECT to_regclass('written') IS NOT NULL").ExecuteScalarAsync(Token) is true
                && await standby.CreateCommand("SELECT count(*) FROM written").ExecuteScalarAsync(Token) is 1L);
        }

        cluster.CutFromClients(first);
        // Its answer does not come. The driver ends it although it has no time-out.
        var under = source.Primary.CreateCommand("INSERT INTO written VALUES (2)").ExecuteNonQueryAsync(Token);
        await cluster.PromoteAsync(second, Token);
        Assert.Equal(second.Port, await WriteAsync(source, 3));
        if (await Record.ExceptionAsync(() => under) is PgException lost)
            Assert.NotEqual(RetrySafety.NotApplicable, lost.RetrySafety);

        // It still believes that it is the primary.
        cluster.Heal(first);
        Assert.True(cluster.IsPrimary(first));
        for (var id = 4; id < 30; id++)
            Assert.Equal(second.Port, await WriteAsync(source, id));
        await using var former = PgDataSource.Create(ConnectionStrings.PostgreSql(first));
        Assert.Equal(1L, await former.CreateCommand("SELECT count(*) FROM written WHERE id <> 2").ExecuteScalarAsync(Token));
    }

    [Fact]
    [Trait("Set", "All")]
    public async Task A_galera_node_that_is_cut_from_its_group_gets_no_writes()
    {
        if (await RunsInsideAsync(ServerKind.MariaDb, ClusterKind.Galera))
            return;
        await using var cluster = await LiveServers.StartGaleraAsync();
        Assert.SkipUnless(cluster.CanCutFromGroup, "Only root can start servers whose connections can be told apart.");
        var (first, second) = (cluster.Servers[0], cluster.Servers[1]);
        await ExecuteAsync(first, "CREATE TABLE written (id int PRIMARY KEY)");
        await using var follower = new ClusterFollower(cluster, MySqlTopology.Auto);
        await Eventually.TrueAsync(async () => await follower.WriteAsync(1) == first.Port);

        cluster.CutFromGroup(first);
        await Eventually.TrueAsync(() => Task.FromResult(cluster.Describe(first).Contains("not ready", StringComparison.Ordinal)));
        Assert.NotEqual(first.Port, await follower.WriteAsync(2));
        // ER_UNKNOWN_COM_ERROR: the node is not in the primary component.
        Assert.Equal(1047, await RefusalAsync(first, "INSERT INTO written VALUES (4)"));
        Assert.Equal(3, await ScalarAsync<decimal>(second, "SET SESSION wsrep_sync_wait = 1; SELECT SUM(id) FROM written"));

        cluster.Heal(first);
        await cluster.WaitForSizeAsync(3, Token);
        Assert.Equal(3, await ScalarAsync<decimal>(first, "SET SESSION wsrep_sync_wait = 1; SELECT SUM(id) FROM written"));
    }

    private static async Task<int> WriteAsync(PgMultiHostDataSource source, int id)
    {
        var port = 0;
        await Eventually.TrueAsync(async () =>
        {
            try
            {
                await using var connection = await source.Primary.OpenConnectionAsync(Token);
                await using var command = connection.CreateCommand();
                command.CommandText = string.Create(CultureInfo.InvariantCulture, $"INSERT INTO written VALUES ({id}) ON CONFLICT DO NOTHING");
                await command.ExecuteNonQueryAsync(Token);
                port = connection.Port;
                return true;
            }
            catch (PgException e) when (e.IsTransient)
            {
                return false;
            }
        });
        return port;
    }

    /// <summary>
    /// Runs the calling test in a network of its own, and returns true. Returns false if this is that run. Skips where there is no such network.
    /// </summary>
    private static async Task<bool> RunsInsideAsync(ServerKind server, ClusterKind kind)
    {
        if (LabNetwork.IsPrivate)
            return false;
        // Installs the programs, which is not possible inside.
        await LiveServers.GetAsync(server);
        await LabCluster.InstallAsync(kind, Token);
        if (await LabNetwork.WhyUnavailableAsync(Token) is { } reason)
            Assert.Skip(reason);
        var test = TestContext.Current.TestMethod!;
        var host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } path ? path : "dotnet";
        var command = LabNetwork.Inside(
            [host, typeof(PartitionTests).Assembly.Location, "--no-ansi", "--no-progress", "--filter-method", $"*{nameof(PartitionTests)}.{test.MethodName}"]);
        using var process = Process.Start(
            new ProcessStartInfo(command[0], command[1..]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        var errors = process.StandardError.ReadToEndAsync(Token);
        var output = await process.StandardOutput.ReadToEndAsync(Token);
        await process.WaitForExitAsync(Token);
        Assert.True(process.ExitCode == 0, output + await errors);
        return true;
    }
}
