using Slipstream.Lab;
using Slipstream.MySql;
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
        await Writes_keep_prepared_statements(cluster.Servers[0]);
    }

    // MariaDB reports the identifier of each write like a changed variable.
    private static async Task Writes_keep_prepared_statements(LabServer server)
    {
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server));
        await using var connection = await source.OpenConnectionAsync(Token);
        await using var insert = new MySqlCommand("INSERT INTO seen VALUES (@id)", connection);
        var id = insert.Parameters.AddWithValue("@id", 0);
        for (var write = 1; write <= 10; write++)
        {
            id.Value = -write;
            await insert.ExecuteNonQueryAsync(Token);
        }

        await using var question = new MySqlCommand(
            "SELECT VARIABLE_VALUE FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'COM_STMT_PREPARE'", connection);
        Assert.Equal("1", await question.ExecuteScalarAsync(Token));
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
