using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Causality;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>What reads that must see a write do with servers of MySQL's family that are behind, or answer in an unusual way.</summary>
[Collection("MySQL, causal reads")]
public sealed class CausalReadTests : MySqlPeerTests
{
    private const string NodeInPrimaryComponent =
        "wsrep_on=ON|wsrep_local_state=4|wsrep_cluster_conf_id=3|wsrep_cluster_state_uuid=ea065030|wsrep_cluster_status=Primary|wsrep_ready=ON";

    private const string Source = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private const string MySql = "9.7.0-fake";
    private const string MariaDb = "11.8.9-MariaDB";

    [Theory]
    [InlineData(MySql, $"{Source}:1-5", "0", $"s.{Source}:5", true)]
    [InlineData(MySql, $"{Source}:1-4", "0", $"s.{Source}:5", true)]
    [InlineData(MySql, $"{Source}:1-4", "1", $"s.{Source}:5", false)]
    [InlineData(MySql, "?", "0", $"s.{Source}:5", true)]
    [InlineData(MySql, "-", null, $"s.{Source}:5", false)]
    [InlineData(MySql, $"{Source}:1-5", "0", "d.0-1-5", false)]
    [InlineData(MySql, $"{Source}:1-5", "0", "u", false)]
    [InlineData(MariaDb, "?|0-1-5", "0", "d.0-1-5", true)]
    [InlineData(MariaDb, "?|0-1-4", "-1", "d.0-1-5", false)]
    [InlineData(MariaDb, "?|", "-1", "d.0-1-5", false)]
    [InlineData(MariaDb, "?|0-1-5", "0", $"s.{Source}:5", false)]
    [InlineData(MariaDb, "?|0-1-5", "nonsense", "d.0-1-6", false)]
    public async Task A_replica_is_used_only_if_it_has_the_write(string version, string executed, string? answer, string token, bool isUsed)
    {
        using var primary = Stating(version, $"server|0|OFF|{executed}", answer);
        using var replica = Stating(version, $"server|1|OFF|{executed}", answer);
        await using var source = Of(primary, replica);
        var seen = source.PreferReplica.WithToken(WriteToken.Parse(token));
        foreach (var asynchronously in (bool[])[false, true, false])
        {
            await using var connection = seen.CreateConnection();
            if (asynchronously)
                await connection.OpenAsync(TestContext.Current.CancellationToken);
            else
                await Task.Run(connection.Open, TestContext.Current.CancellationToken);
            Assert.Equal(isUsed ? replica.Port : primary.Port, connection.ServerThread / 100);
        }
    }

    // What one server says about itself does not change what another one is asked: only a node of Galera can wait with wsrep_sync_wait.
    [Theory]
    [InlineData("wsrep_on=ON|wsrep_local_state=0|wsrep_cluster_status=Disconnected|wsrep_ready=OFF")]
    [InlineData(NodeInPrimaryComponent)]
    public async Task A_replica_is_not_asked_like_a_node_of_Galera_because_another_server_says_that_it_is_one(string node)
    {
        using var primary = Stating(MariaDb, "server|0|OFF|?|0-1-5", "-1");
        using var replica = Stating(MariaDb, "server|1|OFF|?|0-1-4", "-1");
        using var other = Stating(MariaDb, "server|1|OFF|?|", "-1", node);
        await using var source = new MySqlDataSource(
            $"Server={primary.Address}:{primary.Port},{replica.Address}:{replica.Port},{other.Address}:{other.Port};User ID=somebody;Password={Password};"
            + "SSL Mode=None;Topology=Auto;Connection Timeout=15;Pipelining Mode=On");
        var seen = source.PreferReplica.WithToken(WriteToken.Parse("d.0-1-5"));
        for (var i = 0; i < 6; i++)
        {
            await using var connection = seen.CreateConnection();
            await connection.OpenAsync(TestContext.Current.CancellationToken);
            Assert.NotEqual(replica.Port, connection.ServerThread / 100);
        }

        Assert.DoesNotContain("wsrep_sync_wait", Encoding.UTF8.GetString(replica.Received), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_node_of_Galera_is_asked_to_wait_for_all_writes()
    {
        using var first = Node();
        using var second = Node();
        await using var source = Of(first, second);
        await using var connection = source.PreferReplica.WithToken(WriteToken.Parse("d.0-1-5")).CreateConnection();
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        Assert.Equal(second.Port, connection.ServerThread / 100);
        Assert.Contains("wsrep_sync_wait=1", Encoding.UTF8.GetString(second.Received), StringComparison.Ordinal);
    }

    // The primary may be the primary only since the write, and may still have to apply it.
    [Fact]
    public async Task The_primary_of_Galera_is_asked_too_unless_it_has_made_the_writes_itself()
    {
        using var first = Node();
        using var second = Node();
        await using var source = Of(first, second);
        using (source.BeginCausalScope())
        {
            await using (var connection = await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken))
            {
                await using var command = new MySqlCommand("INSERT INTO t VALUES (1)", connection);
                await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
            }

            await using (await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken))
                Assert.DoesNotContain("wsrep_sync_wait", Encoding.UTF8.GetString(first.Received), StringComparison.Ordinal);
        }

        foreach (var view in (MySqlDataSource[])[source.Primary, source.PreferPrimary])
        {
            var before = first.Received.Length;
            await using var connection = view.WithToken(WriteToken.Parse("d.0-1-5")).CreateConnection();
            await connection.OpenAsync(TestContext.Current.CancellationToken);
            Assert.Equal(first.Port, connection.ServerThread / 100);
            Assert.Contains("wsrep_sync_wait=1", Encoding.UTF8.GetString(first.Received[before..]), StringComparison.Ordinal);
        }
    }

    // The monitor does not know yet that it was promoted.
    [Fact]
    public async Task A_write_on_a_replica_that_has_been_promoted_has_a_token()
    {
        using var primary = Stating(MySql, "server|0|OFF|?", "0");
        using var replica = Stating(MySql, "server|1|OFF|?", "0", written: Reporting($"{Source}:7"));
        await using var source = Of(primary, replica);
        using var scope = source.BeginCausalScope();
        await using var connection = await source.Replica.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var command = new MySqlCommand("INSERT INTO t VALUES (1)", connection);
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        Assert.Equal($"s.{Source}:7", scope.Token?.ToString());
    }

    // Tokens come from clients. One with a lesser position must not make the others ask again.
    [Fact]
    public async Task What_a_replica_has_reached_is_remembered_beside_lesser_positions()
    {
        using var primary = Stating(MySql, "server|0|OFF|?", "0");
        using var replica = Stating(MySql, "server|1|OFF|?", "0");
        await using var source = new MySqlDataSource(
            $"Server={primary.Address}:{primary.Port},{replica.Address}:{replica.Port};User ID=somebody;Password={Password};SSL Mode=None;"
            + "Topology=Auto;Connection Timeout=15;Pipelining Mode=On;Minimum Pool Size=0;Maximum Pool Size=1;Topology Refresh Interval=60000");
        string[] tokens = [$"s.{Source}:1-100", $"s.{Source}:1", $"s.{Source.Replace('3', '4')}:1", $"s.{Source}:2-7", $"s.{Source}:1-100"];
        foreach (var token in (string[])[.. tokens, .. tokens, .. tokens])
        {
            await using var connection = source.PreferReplica.WithToken(WriteToken.Parse(token)).CreateConnection();
            await connection.OpenAsync(TestContext.Current.CancellationToken);
            Assert.Equal(replica.Port, connection.ServerThread / 100);
        }

        var asked = Encoding.UTF8.GetString(replica.Received).Split("WAIT_FOR_EXECUTED_GTID_SET").Length - 1;
        Assert.Equal(2, asked);
    }

    // A replica that is restored while it runs keeps its sessions. The first question asked after that shows it.
    [Theory]
    [InlineData(MySql, $"{Source}:1-4", $"{Source}:1-3", $"s.{Source}:5")]
    [InlineData(MariaDb, "?|0-1-4", "?|0-1-3", "d.0-1-5")]
    public async Task What_a_replica_had_reached_does_not_count_when_it_has_gone_back(string version, string before, string after, string token)
    {
        var hasGoneBack = false;
        using var primary = Stating(version, () => $"server|0|OFF|{before}", static () => "0");
        using var replica = Stating(version, () => $"server|1|OFF|{(hasGoneBack ? after : before)}", () => hasGoneBack ? "1" : "0");
        await using var source = new MySqlDataSource(
            $"Server={primary.Address}:{primary.Port},{replica.Address}:{replica.Port};User ID=somebody;Password={Password};SSL Mode=None;"
            + "Topology=Auto;Connection Timeout=15;Pipelining Mode=On;Topology Refresh Interval=200");
        var seen = source.PreferReplica.WithToken(WriteToken.Parse(token));
        Assert.Equal(replica.Port, await PortAsync());
        hasGoneBack = true;
        var asked = Probes();
        await Testing.Eventually.TrueAsync(() => Probes() >= asked + 2);
        Assert.Equal(primary.Port, await PortAsync());
        // It may catch up again.
        hasGoneBack = false;
        await Testing.Eventually.TrueAsync(() => PortAsync().Result == replica.Port);

        int Probes() => Encoding.UTF8.GetString(replica.Received).Split("'server'").Length - 1;

        async Task<int> PortAsync()
        {
            await using var connection = seen.CreateConnection();
            await connection.OpenAsync(TestContext.Current.CancellationToken);
            return connection.ServerThread / 100;
        }
    }

    // A server may report as many identifiers as a packet holds, with each write.
    [Theory, InlineData(100, false), InlineData(20_000, true)]
    public async Task A_write_with_very_many_identifiers_has_no_known_position(int intervals, bool isUnknown)
    {
        var identifiers = Source + string.Concat(Enumerable.Range(0, intervals).Select(static one => $":{2 * one + 1}"));
        using var primary = Stating(MySql, "server|0|OFF|?", "0", written: Reporting(identifiers));
        using var replica = Stating(MySql, "server|1|OFF|?", "0");
        await using var source = Of(primary, replica);
        using var scope = source.BeginCausalScope();
        await using var connection = await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var command = new MySqlCommand("INSERT INTO t VALUES (1)", connection);
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        Assert.Equal(isUnknown, scope.Token!.ToString() == "u");
        Assert.Equal(isUnknown, connection.LastWriteToken?.ToString() == "u");
    }

    // A server would take 0 for no limit.
    [Fact]
    public async Task Without_time_for_a_wait_no_replica_is_asked()
    {
        using var primary = Stating(MySql, $"server|0|OFF|{Source}:1-5", "0");
        using var replica = Stating(MySql, $"server|1|OFF|{Source}:1-4", "0");
        await using var source = new MySqlDataSource(
            $"Server={primary.Address}:{primary.Port},{replica.Address}:{replica.Port};User ID=somebody;Password={Password};SSL Mode=None;"
            + "Topology=Auto;Connection Timeout=15;Pipelining Mode=On;Causal Read Timeout=0");
        await using var connection = source.PreferReplica.WithToken(WriteToken.Parse($"s.{Source}:5")).CreateConnection();
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        Assert.Equal(primary.Port, connection.ServerThread / 100);
    }

    [Fact]
    public void A_data_source_without_roles_has_no_tokens()
    {
        using var source = new MySqlDataSource("Server=db;User ID=app");
        Assert.Throws<InvalidOperationException>(() => source.BeginCausalScope());
        Assert.Throws<InvalidOperationException>(() => source.WithToken(WriteToken.Parse("u")));
        Assert.Same(source, source.WithToken(null));
    }

    private static MySqlDataSource Of(FakeServer first, FakeServer second) => new(
        $"Server={first.Address}:{first.Port},{second.Address}:{second.Port};User ID=somebody;Password={Password};SSL Mode=None;"
        + "Topology=Auto;Connection Timeout=15;Pipelining Mode=On");

    private static FakeServer Node() => Stating(MariaDb, "", "-1", NodeInPrimaryComponent);

    // An OK that reports the identifiers of a write.
    private static byte[] Reporting(string identifiers)
    {
        byte[] text = Encoding.ASCII.GetBytes(identifiers);
        byte[] data = [0, .. MySqlWords.Long((ulong)text.Length), .. text];
        byte[] changes = [3, .. MySqlWords.Long((ulong)data.Length), .. data];
        return MySqlWords.Packet(1, [0, 0, 0, 2, 0x40, 0, 0, 0, .. MySqlWords.Long((ulong)changes.Length), .. changes]);
    }

    // A server that answers the questions for its role and, with one text or an error, the question that waits.
    private static FakeServer Stating(string version, string role, string? answer, string? node = null, byte[]? written = null) =>
        Stating(version, () => role, () => answer, node, written);

    private static FakeServer Stating(
        string version, Func<string> role, Func<string?> answer, string? node = null, byte[]? written = null) => FakeServer.Start(peer =>
    {
        // Session tracking.
        var capabilities = MySqlWords.Capabilities | (written is null ? 0 : 0x800000u);
        peer.Send(MySqlWords.Greeting("mysql_native_password", capabilities, version, id: peer.Server.Port * 100 + peer.Number));
        peer.ReadPacket();
        peer.Send(MySqlWords.Ok(2));
        while (true)
        {
            var (_, command) = peer.ReadPacket();
            if (command[0] == 1)
                return;
            var question = command[0] == 3 ? Encoding.UTF8.GetString(command.AsSpan(1)) : "";
            var text = question.Contains("'group'", StringComparison.Ordinal) ? "group|0|||||"
                : question.Contains("wsrep_sync_wait", StringComparison.Ordinal) ? "0"
                : question.Contains("wsrep", StringComparison.Ordinal) ? node
                : question.Contains("'server'", StringComparison.Ordinal) ? role()
                : question.Contains("WAIT", StringComparison.Ordinal) ? answer() : "";
            if (text == "")
                peer.Send(written is not null && question.StartsWith("INSERT", StringComparison.Ordinal) ? written : MySqlWords.Ok(1));
            else if (text is null && question.Contains("WAIT", StringComparison.Ordinal))
                peer.Send(MySqlWords.Error(1, 1305, "FUNCTION does not exist", "42000"));
            else
                peer.Send(
                    [.. MySqlWords.Packet(1, 1), .. MySqlWords.Column(2, "a", MySqlWords.StringType), .. MySqlWords.TextRow(3, text), .. MySqlWords.End(4)]);
        }
    });
}
