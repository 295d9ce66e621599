using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Causality;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>What reads that must see a write do with servers of MySQL's family that are behind, or answer in an unusual way.</summary>
[Collection("MySQL, causal reads")]
public sealed class CausalReadTests : MySqlPeerTests
{
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
        await using var source = new MySqlDataSource(
            $"Server={primary.Address}:{primary.Port},{replica.Address}:{replica.Port};User ID=somebody;Password={Password};SSL Mode=None;"
            + "Topology=Auto;Connection Timeout=15;Pipelining Mode=On");
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

    // A server that answers the questions for its role and, with one text or an error, the question that waits.
    private static FakeServer Stating(string version, string role, string? answer) => FakeServer.Start(peer =>
    {
        peer.Send(MySqlWords.Greeting("mysql_native_password", MySqlWords.Capabilities, version, id: peer.Server.Port * 100 + peer.Number));
        peer.ReadPacket();
        peer.Send(MySqlWords.Ok(2));
        while (true)
        {
            var (_, command) = peer.ReadPacket();
            if (command[0] == 1)
                return;
            var question = command[0] == 3 ? Encoding.UTF8.GetString(command.AsSpan(1)) : "";
            var text = question.Contains("'group'", StringComparison.Ordinal) ? "group|0|||||"
                : question.Contains("wsrep", StringComparison.Ordinal) ? null
                : question.Contains("'server'", StringComparison.Ordinal) ? role
                : question.Contains("WAIT", StringComparison.Ordinal) ? answer : "";
            if (text == "")
                peer.Send(MySqlWords.Ok(1));
            else if (text is null && question.Contains("WAIT", StringComparison.Ordinal))
                peer.Send(MySqlWords.Error(1, 1305, "FUNCTION does not exist", "42000"));
            else
                peer.Send(
                    [.. MySqlWords.Packet(1, 1), .. MySqlWords.Column(2, "a", MySqlWords.StringType), .. MySqlWords.TextRow(3, text), .. MySqlWords.End(4)]);
        }
    });
}
