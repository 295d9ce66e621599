using System.Data;
using System.Data.Common;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Errors;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>Servers that close the connection without a reason when a command is larger than they accept.</summary>
public sealed class LargeCommandTests : MySqlPeerTests
{
    private const int Large = 3 << 20;

    public static TheoryData<string, bool, bool> Ways
    {
        get
        {
            var data = new TheoryData<string, bool, bool>();
            foreach (var verb in new[] { "text", "parameter", "batch", "later flight", "prepared", "bulk copy" })
                foreach (var asynchronously in new[] { false, true })
                    foreach (var inTheMidst in new[] { false, true })
                        data.Add(verb, asynchronously, inTheMidst);
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_connection_lost_under_a_large_command_names_its_size_and_max_allowed_packet(string verb, bool asynchronously, bool inTheMidst)
    {
        var failure = Assert.IsType<MySqlException>(await Lose(verb, asynchronously, inTheMidst, Large));
        Assert.False(failure.IsTransient);
        Assert.Equal((MySqlErrorCode.None, ErrorKind.ConnectionLost, RetrySafety.Unknown), (failure.ErrorCode, failure.Kind, failure.RetrySafety));
        Assert.Contains("max_allowed_packet", failure.Message, StringComparison.Ordinal);
        // Three million bytes and the few around them.
        Assert.Matches("command of 3.14\\d.\\d{3} bytes", failure.Message);
    }

    [Theory]
    [InlineData("text", false)]
    [InlineData("text", true)]
    [InlineData("prepared", false)]
    [InlineData("prepared", true)]
    public async Task A_connection_lost_under_a_command_of_usual_size_is_a_lost_connection(string verb, bool asynchronously)
    {
        var failure = Assert.IsType<MySqlException>(await Lose(verb, asynchronously, inTheMidst: true, 500_000));
        Assert.True(failure.IsTransient);
        Assert.DoesNotContain("max_allowed_packet", failure.Message, StringComparison.Ordinal);
    }

    // The server has read the whole command.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_connection_lost_behind_the_answer_to_a_large_command_is_a_lost_connection(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(MySqlWords.Columns(1, MySqlWords.StringType, "a"));
            for (var i = 0; i < 100; i++)
                peer.Send(MySqlWords.TextRow(3 + i, new string('x', 200)));
            peer.Close();
        });
        var failure =
            Assert.IsType<MySqlException>(await Connect(server, asynchronously).QueryFails($"SELECT '{new string('x', Large)}'", memoryIsBounded: false));
        Assert.True(failure.IsTransient);
    }

    private static async Task<Exception> Lose(string verb, bool asynchronously, bool inTheMidst, int size)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.Welcome();
            if (verb == "later flight")
                Answer(peer);
            else if (verb == "prepared")
            {
                peer.Expect(0x16);
                peer.Send([.. MySqlWords.Packet(1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0), .. MySqlWords.Column(2, "?", MySqlWords.StringType)]);
            }
            else if (verb == "bulk copy")
                BeginCopy(peer);

            if (inTheMidst)
            {
                peer.Read(100_000);
                peer.Reset();
            }
            else
            {
                while (peer.ReadPacket().Payload.Length < size)
                {
                }

                peer.Close();
            }
        });
        await using var source = new MySqlDataSource(
            $"Server={server.Address};Port={server.Port};User ID=somebody;Password={Password};SSL Mode=None;Connection Timeout=30;Pipelining Mode=On;Auto "
                + "Prepare=false");
        await using var connection = source.CreateConnection();
        await connection.OpenAsync();
        var failure = await Assert.ThrowsAnyAsync<Exception>(() => Task.Run(() => Execute(connection, verb, asynchronously, size)));
        server.ThrowIfScriptFailed();
        Assert.Equal(ConnectionState.Closed, connection.State);
        Assert.Equal(0, source.Statistics.Idle + source.Statistics.Busy);
        return failure;
    }

    private static async Task Execute(MySqlConnection connection, string verb, bool asynchronously, int size)
    {
        var value = new string('x', size);
        if (verb == "bulk copy")
        {
            var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "t" };
            if (asynchronously)
                await bulk.WriteToServerAsync([value], static (row, item) => row.Write(item));
            else
                bulk.WriteToServer([value], static (row, item) => row.Write(item));
            return;
        }

        if (verb is "batch" or "later flight")
        {
            await using var batch = connection.CreateBatch();
            batch.BatchCommands.Add(new MySqlBatchCommand(verb == "batch" ? "DO 1" : "SET autocommit = 1"));
            var large = new MySqlBatchCommand("DO @value");
            large.Parameters.AddWithValue("@value", value);
            batch.BatchCommands.Add(large);
            _ = asynchronously ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery();
            return;
        }

        await using DbCommand command = connection.CreateCommand();
        command.CommandText = verb == "text" ? $"SELECT '{value}'" : "SELECT @value";
        if (verb != "text")
            command.Parameters.Add(new MySqlParameter("@value", value));
        if (verb == "prepared")
            command.Prepare();
        _ = asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar();
    }

    private static void Answer(FakePeer peer)
    {
        peer.Expect(3);
        peer.Send(MySqlWords.Ok(1));
    }

    private static void BeginCopy(FakePeer peer)
    {
        peer.Expect(3);
        peer.Expect(3);
        peer.Send([
            .. MySqlWords.Ok(1), .. MySqlWords.Columns(1, MySqlWords.StringType, "Field", "Type", "Null", "Key", "Default", "Extra"),
            .. MySqlWords.TextRow(8, "a", "longtext", "YES", "", null, ""), .. MySqlWords.End(9)]);
        peer.Expect(3);
        peer.Send(
            [.. MySqlWords.Columns(1, MySqlWords.StringType, "@@SESSION.character_set_client"), .. MySqlWords.TextRow(3, "utf8mb4"), .. MySqlWords.End(4)]);
        peer.Expect(0x16);
        peer.Send([.. MySqlWords.Packet(1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0), .. MySqlWords.Column(2, "?", MySqlWords.StringType)]);
    }
}
