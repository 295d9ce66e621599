using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;
using static Slipstream.Live.Clusters.ClusterSql;

namespace Slipstream.Live.Clusters;

/// <summary>The lab's MySQL group: what the members report while the primary changes, and while members leave in every way and come back.</summary>
[Collection(ClusterSql.OneAtATime)]
public class GroupReplicationTests
{
    private const int SuperReadOnly = 1290;
    // ER_SERVER_OFFLINE_MODE, and ER_SERVER_OFFLINE_MODE_REASON, which MySQL 9.7 sends after an expulsion.
    private static readonly int[] OfflineMode = [3032, 6400];
    private const int TableAccessDenied = 1142;

    private const string Members = "SELECT COUNT(*) FROM performance_schema.replication_group_members WHERE MEMBER_STATE = 'ONLINE'";

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    [Trait("Set", "All")]
    public async Task The_group_elects_another_primary_and_takes_its_members_back()
    {
        await using var cluster = await LiveServers.StartGroupReplicationAsync();
        var (first, second, third) = (cluster.Servers[0], cluster.Servers[1], cluster.Servers[2]);
        Assert.Same(first, await cluster.PrimaryAsync(Token));
        await ExecuteAsync(first, "CREATE TABLE written (id int PRIMARY KEY)");
        Assert.Equal(SuperReadOnly, await RefusalAsync(second, "INSERT INTO written VALUES (0)"));
        Assert.Equal(3, await MembersSeenByOrdinaryUserAsync(third));

        var user = first.RequireUser("caching_sha2_password");
        await MemberDiscovery.FindsAsync(
            second, $"User ID={user.Name};Password={user.Password}",
            [second, .. new[] { first, third }.OrderBy(static one => $"{one.Host}:{one.Port}", StringComparer.Ordinal)]);

        await using var follower = new ClusterFollower(cluster, MySqlTopology.Auto);
        await Eventually.TrueAsync(async () => await follower.WriteAsync(1) == first.Port);
        Assert.NotEqual(first.Port, await follower.ReaderAsync());
        await cluster.SwitchoverAsync(second, Token);
        await Eventually.TrueAsync(async () => await follower.WriteAsync(1) == second.Port);
        Assert.Same(second, await cluster.PrimaryAsync(Token));
        await ExecuteAsync(second, "INSERT IGNORE INTO written VALUES (1)");
        Assert.Equal(SuperReadOnly, await RefusalAsync(first, "INSERT INTO written VALUES (0)"));

        await cluster.KillAsync(second);
        var port = await follower.WriteAsync(2);
        var primary = await cluster.PrimaryAsync(Token);
        Assert.NotSame(second, primary);
        Assert.Equal(primary.Port, port);
        await ExecuteAsync(primary, "INSERT IGNORE INTO written VALUES (2)");
        await cluster.WaitForMembersAsync(2, Token);

        await cluster.RejoinAsync(second, Token);
        await cluster.WaitForMembersAsync(3, Token);
        await SeesAsync(second, 3);

        await cluster.LeaveAsync(second, Token);
        await cluster.WaitForMembersAsync(2, Token);
        Assert.Equal(SuperReadOnly, await RefusalAsync(second, "INSERT INTO written VALUES (0)"));
        await cluster.RejoinAsync(second, Token);

        await cluster.ExpelAsync(primary, Token);
        await cluster.WaitForMembersAsync(2, Token);
        // The main user may log in to a server in offline mode, an ordinary user may not.
        Assert.Contains((await Assert.ThrowsAsync<MySqlException>(() => MembersSeenByOrdinaryUserAsync(primary))).Number, OfflineMode);
        await ExecuteAsync(await cluster.PrimaryAsync(Token), "INSERT INTO written VALUES (4)");
        await cluster.RejoinAsync(primary, Token);
        await cluster.WaitForMembersAsync(3, Token);
        await SeesAsync(primary, 7);
    }

    [Fact]
    [Trait("Set", "All")]
    public async Task An_ordinary_user_sees_the_members_only_with_the_grants()
    {
        await using var cluster = await LiveServers.StartGroupReplicationAsync(members: 1, grantsMembers: false);
        var refusal = await Assert.ThrowsAsync<MySqlException>(() => MembersSeenByOrdinaryUserAsync(cluster.Servers[0]));
        Assert.Equal(TableAccessDenied, refusal.Number);
    }

    // The rows arrive some time after the primary has committed them.
    private static Task SeesAsync(LabServer server, int sum) =>
        Eventually.TrueAsync(async () => await ScalarAsync<decimal>(server, "SELECT SUM(id) FROM written") == sum);

    private static async Task<long> MembersSeenByOrdinaryUserAsync(LabServer server)
    {
        var user = server.RequireUser("caching_sha2_password");
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server, $"User ID={user.Name};Password={user.Password}"));
        return (long)(await source.CreateCommand(Members).ExecuteScalarAsync(Token))!;
    }
}
