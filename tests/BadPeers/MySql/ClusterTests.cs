using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>What the monitor of several servers does when they are of an unusual kind.</summary>
[Collection("MySQL, clusters")]
public sealed class ClusterTests : MySqlPeerTests
{
    private const uint WithEof = MySqlWords.Capabilities & ~0x1000000u;
    private const string GaleraNode =
        "wsrep_on=ON|wsrep_local_state=4|wsrep_cluster_conf_id=3|wsrep_cluster_state_uuid=ea065030|wsrep_cluster_status=Primary|wsrep_ready=ON";

    // What MariaDB 10.11 answers after it has left its cluster. It refuses commands.
    private const string LostNode = "wsrep_on=ON|wsrep_local_state=0|wsrep_cluster_conf_id=18446744073709551615|"
        + "wsrep_cluster_state_uuid=ea065030|wsrep_cluster_status=Disconnected|wsrep_ready=OFF";

    [Theory]
    [InlineData(MySqlWords.Capabilities, false)]
    [InlineData(MySqlWords.Capabilities, true)]
    [InlineData(WithEof, false)]
    [InlineData(WithEof, true)]
    public async Task The_primary_is_found_whether_rows_end_with_OK_or_EOF(uint capabilities, bool asynchronously)
    {
        using var replica = Stating("server|1|", capabilities: capabilities);
        using var primary = Stating("server|0|", capabilities: capabilities);
        Assert.Equal(primary.Port, await PortOf(replica, primary, "Primary", asynchronously));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task MariaDB_states_its_read_only_mode_with_a_word(bool asynchronously)
    {
        using var replica = Stating("server|ON|ON", version: "11.8.9-MariaDB");
        using var primary = Stating("server|OFF|OFF", version: "11.8.9-MariaDB");
        Assert.Equal(primary.Port, await PortOf(replica, primary, "Primary", asynchronously));
        Assert.Equal(replica.Port, await PortOf(primary, replica, "Replica", asynchronously));
    }

    [Theory, InlineData("Primary", false), InlineData("PreferReplica", true), InlineData("Any", true)]
    public async Task A_node_that_has_lost_its_cluster_is_not_used(string type, bool asynchronously)
    {
        using var lost = Stating("server|OFF|OFF", LostNode, version: "10.11.19-MariaDB");
        using var node = Stating("server|OFF|OFF", GaleraNode, version: "10.11.19-MariaDB");
        Assert.Equal(node.Port, await PortOf(lost, node, type, asynchronously));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_has_the_library_but_does_not_use_it_is_no_node(bool asynchronously)
    {
        var unused = LostNode.Replace("wsrep_on=ON", "wsrep_on=OFF", StringComparison.Ordinal);
        using var replica = Stating("server|ON|ON", unused, version: "10.11.19-MariaDB");
        using var primary = Stating("server|OFF|OFF", unused, version: "10.11.19-MariaDB");
        Assert.Equal(primary.Port, await PortOf(replica, primary, "Primary", asynchronously));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_missing_grant_is_reported_if_the_servers_must_be_a_group(bool asynchronously)
    {
        using var first = Stating("server|0|", group: null);
        using var second = Stating("server|1|", group: null);
        Assert.Equal(first.Port, await PortOf(first, second, "Primary", asynchronously));
        var failure = await Assert.ThrowsAsync<MySqlException>(() => PortOf(first, second, "Primary", asynchronously, "GroupReplication"));
        Assert.Equal(1142, failure.Number);
    }

    private static async Task<int> PortOf(FakeServer first, FakeServer second, string type, bool asynchronously, string topology = "Auto")
    {
        await using var source = new MySqlDataSource(
            $"Server={first.Address}:{first.Port},{second.Address}:{second.Port};User ID=somebody;Password={Password};SSL Mode=None;Topology={topology};"
            + $"Target Server Type={type};Connection Timeout=15;Pipelining Mode=On");
        await using var connection = source.CreateConnection();
        if (asynchronously)
            await connection.OpenAsync(TestContext.Current.CancellationToken);
        else
            await Task.Run(connection.Open, TestContext.Current.CancellationToken);
        return connection.ServerThread / 100;
    }

    // A server that answers the questions for its role.
    private static FakeServer Stating(
        string role, string? galera = null, string? group = "group|0|||||", string version = "9.7.0-fake", uint capabilities = MySqlWords.Capabilities) =>
        FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting("mysql_native_password", capabilities, version, id: peer.Server.Port * 100 + peer.Number));
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(2));
            while (true)
            {
                var (_, command) = peer.ReadPacket();
                if (command[0] != 3)
                    return;
                var question = Encoding.UTF8.GetString(command.AsSpan(1));
                var isForGroup = question.Contains("'group'", StringComparison.Ordinal);
                if (isForGroup && group is null)
                {
                    peer.Send(MySqlWords.Error(1, 1142, "SELECT command denied to user", "42000"));
                    continue;
                }

                var text = isForGroup ? group : question.Contains("wsrep", StringComparison.Ordinal) ? galera : role;
                byte[] start = [.. MySqlWords.Packet(1, 1), .. MySqlWords.Column(2, "a", MySqlWords.StringType)];
                peer.Send(
                    capabilities == WithEof
                        ? [.. start, .. MySqlWords.Packet(3, 0xFE, 0, 0, 2, 0), .. MySqlWords.TextRow(4, text), .. MySqlWords.Packet(5, 0xFE, 0, 0, 2, 0)]
                        : [.. start, .. MySqlWords.TextRow(3, text), .. MySqlWords.End(4)]);
            }
        });
}
