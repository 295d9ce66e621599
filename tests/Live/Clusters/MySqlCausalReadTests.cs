using Slipstream.Testing;

namespace Slipstream.Live.Clusters;

/// <summary>Reads from replicas of MariaDB, of a MySQL group and of Galera see the writes before them.</summary>
[Collection(ClusterSql.OneAtATime)]
public class MySqlCausalReadTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    [Trait("Set", "All")]
    public async Task Replicas_of_MariaDB_answer_only_when_they_have_the_writes()
    {
        await using var cluster = await LiveServers.StartMariaDbReplicationAsync();
        await using var views = new MySqlCausalViews(cluster, cluster.Servers[0], "STOP SLAVE SQL_THREAD", "START SLAVE SQL_THREAD");
        await new CausalReads(views, static () => Token).RunAsync();
    }

    [Fact]
    [Trait("Set", "All")]
    public async Task Members_of_a_group_answer_only_when_they_have_the_writes()
    {
        await using var cluster = await LiveServers.StartGroupReplicationAsync();
        await using var views = new MySqlCausalViews(
            cluster, await cluster.PrimaryAsync(Token), "LOCK TABLES seen READ", "UNLOCK TABLES");
        await new CausalReads(views, static () => Token).RunAsync();
    }

    // Without a binary log, no write has a position. A node waits for everything that was committed before.
    [Fact]
    [Trait("Set", "All")]
    public async Task Nodes_of_Galera_answer_only_when_they_have_the_writes()
    {
        await using var cluster = await LiveServers.StartGaleraAsync();
        await using var views = new MySqlCausalViews(cluster, cluster.Servers[0], "", "");
        await new CausalReads(views, static () => Token).RunRunningAsync();
    }
}
