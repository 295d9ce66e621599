using System.Globalization;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;
using static Slipstream.Live.Clusters.ClusterSql;

namespace Slipstream.Live.Clusters;

/// <summary>The lab's Galera cluster: what the nodes report while one of them is killed and comes back.</summary>
[Collection(ClusterSql.OneAtATime)]
public class GaleraTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_killed_node_leaves_the_cluster_and_rejoins_with_the_writes_that_it_missed()
    {
        await using var cluster = await LiveServers.StartGaleraAsync();
        var (first, second, third) = (cluster.Servers[0], cluster.Servers[1], cluster.Servers[2]);
        await ExecuteAsync(first, "CREATE TABLE written (id int PRIMARY KEY)");
        await ExecuteAsync(second, "INSERT INTO written VALUES (1)");
        await ExecuteAsync(third, "INSERT INTO written VALUES (2)");
        foreach (var server in cluster.Servers)
        {
            Assert.Equal(3, await SumAsync(server));
            Assert.Equal("Primary", await StatusAsync(server, "wsrep_cluster_status"));
        }

        var addresses = (await StatusAsync(first, "wsrep_incoming_addresses")).Split(',');
        Assert.Equal(cluster.Servers.Select(Address).Order(), addresses.Order());

        await MemberDiscovery.FindsAsync(second, "", [second, .. new[] { first, third }.OrderBy(static one => Address(one), StringComparer.Ordinal)]);

        await using var follower = new ClusterFollower(cluster, MySqlTopology.Auto);
        // A busy machine may answer late, and the driver then prefers other nodes for a while.
        await Eventually.TrueAsync(async () => await follower.WriteAsync(8) == first.Port);
        await Eventually.TrueAsync(async () => await follower.ReaderAsync() == second.Port);
        await cluster.KillAsync(second);
        await Eventually.TrueAsync(async () => await follower.WriteAsync(16) == first.Port);
        await Eventually.TrueAsync(async () => await follower.ReaderAsync() == third.Port);
        Assert.False(cluster.IsRunning(second));
        Assert.Equal("not running", cluster.Describe(second));
        await cluster.WaitForSizeAsync(2, Token);
        await ExecuteAsync(first, "INSERT INTO written VALUES (4)");

        await cluster.RejoinAsync(second, Token);
        Assert.Equal(7 + 8 + 16, await SumAsync(second));
        Assert.Equal("3", await StatusAsync(second, "wsrep_cluster_size"));

        await cluster.KillAsync(first);
        Assert.NotEqual(first.Port, await follower.WriteAsync(32));
        Assert.Equal(7 + 8 + 16 + 32, await SumAsync(third));
    }

    private static string Address(LabServer server) => string.Create(CultureInfo.InvariantCulture, $"{server.Host}:{server.Port}");

    // wsrep_sync_wait: the node first applies the writes of the others that were committed before.
    private static Task<decimal> SumAsync(LabServer server) => ScalarAsync<decimal>(server, "SET SESSION wsrep_sync_wait = 1; SELECT SUM(id) FROM written");

    private static Task<string> StatusAsync(LabServer server, string name) =>
        ScalarAsync<string>(server, $"SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = '{name}'");
}
