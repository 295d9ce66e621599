using Slipstream.Lab;
using Slipstream.Testing;
using static Slipstream.Live.Clusters.ClusterSql;

namespace Slipstream.Live.Clusters;

/// <summary>The lab's replicated MariaDB servers: a promotion after a kill, a planned one, and servers that come back.</summary>
[Collection(ClusterSql.OneAtATime)]
public class MariaDbReplicationTests
{
    private const int ReadOnly = 1290;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    [Trait("Set", "All")]
    public async Task A_promoted_replica_takes_writes_and_the_others_follow_it()
    {
        await using var cluster = await LiveServers.StartMariaDbReplicationAsync();
        var (first, second, third) = (cluster.Servers[0], cluster.Servers[1], cluster.Servers[2]);
        Assert.Equal([true, false, false], cluster.Servers.Select(cluster.IsPrimary));
        await ExecuteAsync(first, "CREATE TABLE written (id int PRIMARY KEY)");
        await ExecuteAsync(first, "INSERT INTO written VALUES (1)");
        cluster.CatchUp(second, first);
        cluster.CatchUp(third, first);
        Assert.Equal(1, await SumAsync(third));
        Assert.Equal(ReadOnly, await RefusalAsync(second, "INSERT INTO written VALUES (0)"));

        await cluster.KillAsync(first);
        await cluster.PromoteAsync(second, Token);
        await ExecuteAsync(second, "INSERT INTO written VALUES (2)");
        cluster.CatchUp(third, second);
        Assert.Equal(3, await SumAsync(third));

        await cluster.RejoinAsync(first, Token);
        cluster.CatchUp(first, second);
        Assert.Equal(3, await SumAsync(first));

        await cluster.PromoteAsync(first, Token);
        Assert.Equal([true, false, false], cluster.Servers.Select(cluster.IsPrimary));
        await ExecuteAsync(first, "INSERT INTO written VALUES (4)");
        cluster.CatchUp(second, first);
        Assert.Equal(7, await SumAsync(second));

        cluster.Demote(first);
        Assert.Equal(ReadOnly, await RefusalAsync(first, "INSERT INTO written VALUES (0)"));
    }

    private static Task<decimal> SumAsync(LabServer server) => ScalarAsync<decimal>(server, "SELECT SUM(id) FROM written");
}
