using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// The packet that the driver sends by itself after a large result: it sends the packet only if the server has reported that it accepts this size.
/// </summary>
public sealed class PacketLimitTests : MySqlPeerTests
{
    private const byte LongData = 0x18;

    [Theory]
    [InlineData(false, "taken")]
    [InlineData(true, "taken")]
    [InlineData(false, "too large")]
    [InlineData(true, "too large")]
    [InlineData(false, "refused")]
    [InlineData(true, "refused")]
    public async Task A_server_is_asked_once_whether_it_takes_the_packet(bool asynchronously, string answer)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomeQuery();
            SendLarge(peer);
            Assert.StartsWith("DO CAST(IF(@@max_allowed_packet>=", Text(peer.Expect(3)), StringComparison.Ordinal);
            peer.Expect(3);
            // affected | last id | status | warnings
            peer.Send(answer == "refused" ? MySqlWords.Error(1, 1105, "no") : MySqlWords.Packet(1, 0, 0, 0, 2, 0, answer == "taken" ? (byte)1 : (byte)0, 0));
            SendLarge(peer);
            if (answer == "taken")
                Assert.InRange(peer.Expect(LongData).Length, 128 * 1024, 132096);
            for (var i = 0; i < 3; i++)
            {
                peer.Expect(3);
                SendLarge(peer);
            }
        });
        await using var source = Source(server);
        await using var connection = source.OpenConnection();
        for (var i = 0; i < 5; i++)
            Assert.Equal(2400, await Rows(connection, "SELECT 1", asynchronously));
        server.ThrowIfScriptFailed();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task What_could_see_the_question_is_never_sent_with_it(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            SendLarge(peer);
            foreach (var text in new[] { "SHOW WARNINGS", "SELECT FOUND_ROWS()", "GET DIAGNOSTICS @a = NUMBER" })
            {
                Assert.Equal(text, Text(peer.Expect(3)));
                peer.Send([.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.End(3)]);
            }
        });
        await using var source = Source(server);
        await using var connection = source.OpenConnection();
        await Rows(connection, "SELECT 1", asynchronously);
        await using (var unwritten = new MySqlCommand("SELECT @value", connection))
        {
            unwritten.Parameters.AddWithValue("@value", new Uri("http://refused.example"));
            Assert.Throws<NotSupportedException>(() => unwritten.ExecuteScalar());
        }

        foreach (var text in new[] { "SHOW WARNINGS", "SELECT FOUND_ROWS()", "GET DIAGNOSTICS @a = NUMBER" })
            Assert.Equal(0, await Rows(connection, text, asynchronously));
        server.ThrowIfScriptFailed();
    }

    private static MySqlDataSource Source(FakeServer server) => new(
        $"Server={server.Address};Port={server.Port};User ID=somebody;Password={Password};SSL Mode=None;Connection Timeout=30;Pipelining Mode=On;Auto "
            + "Prepare=false;Allow User Variables=true");

    private static string Text(byte[] payload) => Encoding.UTF8.GetString(payload.AsSpan(payload.AsSpan().IndexOfAnyInRange((byte)'A', (byte)'Z')));

    private static void SendLarge(FakePeer peer)
    {
        List<byte> answer = [.. MySqlWords.Columns(1, MySqlWords.StringType, "a")];
        for (var i = 0; i < 2400; i++)
            answer.AddRange(MySqlWords.TextRow(3 + i, new string('x', 240)));
        answer.AddRange(MySqlWords.End(2403));
        peer.Send([.. answer]);
    }

    private static async Task<int> Rows(MySqlConnection connection, string sql, bool asynchronously)
    {
        await using var command = new MySqlCommand(sql, connection);
        await using var reader = asynchronously ? await command.ExecuteReaderAsync() : command.ExecuteReader();
        var rows = 0;
        while (asynchronously ? await reader.ReadAsync() : reader.Read())
            rows++;
        return rows;
    }
}
