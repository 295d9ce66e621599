using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>Wrong answers to PREPARE and EXECUTE.</summary>
public sealed class PreparedTests : MySqlPeerTests
{
    private const byte Prepare = 0x16;

    // status | statement_id | num_columns | num_params | filler | warnings
    private static byte[] PrepareOk(int columns, int parameters) =>
        MySqlWords.Packet(1, 0, 1, 0, 0, 0, (byte)columns, (byte)(columns >> 8), (byte)parameters, (byte)(parameters >> 8), 0, 0, 0);

    [Theory, InlineData(false), InlineData(true)]
    public async Task More_parameters_than_the_statement_has_are_noticed(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome();
            peer.Expect(Prepare);
            peer.Send([.. PrepareOk(0, 2), .. MySqlWords.Column(2, "?", MySqlWords.LongType), .. MySqlWords.Column(3, "?", MySqlWords.LongType)]);
        });
        IsBrokenProtocol(await Connect(server, asynchronously).QueryFails("SELECT 1", prepare: true));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Definitions_that_never_come_end_with_the_command_timeout(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome();
            peer.Expect(Prepare);
            peer.Send(PrepareOk(65535, 0));
        });
        var client = Connect(server, asynchronously, "Cancellation Timeout=-1");
        Assert.NotNull(await client.QueryFails("SELECT 1", prepare: true, commandTimeout: 1));
        Assert.InRange(client.Took.TotalSeconds, 0, 10);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_answer_that_stops_early_is_noticed(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome();
            peer.Expect(Prepare);
            peer.Send(MySqlWords.Packet(1, 0, 1, 0));
        });
        IsBrokenProtocol(await Connect(server, asynchronously).QueryFails("SELECT 1", prepare: true));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_answer_that_is_none_is_noticed(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome();
            peer.Expect(Prepare);
            peer.Send(MySqlWords.Columns(1, MySqlWords.LongType, "a"));
        });
        IsBrokenProtocol(await Connect(server, asynchronously).QueryFails("SELECT 1", prepare: true));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_refused_PREPARE_is_the_servers_error(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome();
            peer.Expect(Prepare);
            peer.Send(MySqlWords.Error(1, 1295, "This command is not supported in the prepared statement protocol yet"));
        });
        var failure = Assert.IsType<MySqlException>(await Connect(server, asynchronously, "Pooling=false").QueryFails("SELECT 1", prepare: true));
        Assert.Equal(1295, failure.Number);
    }

    // Otherwise a server keeps the statements until the session ends, and has room for only 16,382 in total.
    [Theory]
    [InlineData(false, "Off")]
    [InlineData(true, "Off")]
    [InlineData(false, "On")]
    [InlineData(true, "On")]
    public async Task What_gives_way_is_closed_in_front_of_the_next_command(bool asynchronously, string pipelining)
    {
        using var server = FakeServer.Start(AnswerAll);
        await using var source = Preparing(server, $"Pipelining Mode={pipelining};Pooling=false");
        await using (var connection = source.CreateConnection())
        {
            connection.Open();
            await Run(connection, "DELETE FROM a", true, asynchronously);
            await Run(connection, "DELETE FROM b", true, asynchronously);
            await Run(connection, "SELECT 3", false, asynchronously);
            await Run(connection, "SELECT 4", false, asynchronously);
        }

        var heard = Commands(server);
        Assert.Single(heard, "close 1");
        Assert.True(heard.IndexOf("close 1") < heard.IndexOf("query"), string.Join(", ", heard));
        if (pipelining == "Off")
            Assert.Equal(["prepare", "execute 1", "prepare", "execute 2", "close 1", "query", "query"], heard);
    }

    // The reset closes all statements, so the driver does not close them one by one.
    [Theory, InlineData(false), InlineData(true)]
    public async Task What_gives_way_before_a_reset_is_left_to_it(bool asynchronously)
    {
        using var server = FakeServer.Start(AnswerAll);
        await using var source = Preparing(server, "Pipelining Mode=Off;Reset Mode=Always");
        foreach (var texts in (string[][])[["DELETE FROM a", "DELETE FROM b"], ["SELECT 3"]])
        {
            await using var connection = source.CreateConnection();
            connection.Open();
            foreach (var text in texts)
                await Run(connection, text, text[0] == 'D', asynchronously);
        }

        Assert.Equal(["prepare", "execute 1", "prepare", "execute 2", "reset", "query"], Commands(server));
    }

    [Theory, InlineData(false), InlineData(true)]
    public Task A_binary_row_that_is_cut_is_noticed(bool asynchronously) => RowBreaks(asynchronously, MySqlWords.LongType, [0, 0, 42, 0]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_binary_row_without_its_null_bitmap_is_noticed(bool asynchronously) => RowBreaks(asynchronously, MySqlWords.LongType, [0]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_binary_value_longer_than_its_row_is_noticed(bool asynchronously) =>
        RowBreaks(asynchronously, MySqlWords.StringType, [0, 0, 0xFD, 0xFF, 0xFF, 0x7F, 1]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_binary_row_with_a_wrong_first_byte_is_noticed(bool asynchronously) => RowBreaks(asynchronously, MySqlWords.LongType, [7, 0, 42, 0, 0, 0]);

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_date_of_a_length_that_does_not_exist_is_the_values_fault_and_not_the_sessions(bool asynchronously) =>
        Assert.IsType<FormatException>(await RowFails(asynchronously, 12, [0, 0, 6, 1, 2, 3, 4, 5, 6], "Pooling=false"));

    private static async Task RowBreaks(bool asynchronously, byte type, byte[] row) => IsBrokenProtocol(await RowFails(asynchronously, type, row));

    private static async Task<Exception> RowFails(bool asynchronously, byte type, byte[] row, string options = "")
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.Welcome();
            peer.Expect(Prepare);
            peer.Send([.. PrepareOk(1, 0), .. MySqlWords.Column(2, "a", type)]);
            peer.Expect(0x17);
            peer.Send([.. MySqlWords.Columns(1, type, "a"), .. MySqlWords.Packet(3, row), .. MySqlWords.End(4)]);
        });
        return await Connect(server, asynchronously, options).QueryFails("SELECT 1", prepare: true);
    }

    private static MySqlDataSource Preparing(FakeServer server, string options) => new(
        $"Server={server.Address};Port={server.Port};User ID=somebody;Password={Password};SSL Mode=None;Connection Timeout=5;Max Auto Prepare=1;{options}");

    private static async Task Run(MySqlConnection connection, string text, bool prepare, bool asynchronously)
    {
        await using var command = new MySqlCommand(text, connection);
        if (prepare)
            command.Prepare();
        if (asynchronously)
            await command.ExecuteNonQueryAsync();
        else
            command.ExecuteNonQuery();
    }

    // Accepts everything; statements are numbered from 1 and have neither parameters nor columns.
    private static void AnswerAll(FakePeer peer)
    {
        peer.Welcome();
        byte statements = 0;
        while (true)
        {
            var (_, command) = peer.ReadPacket();
            if (command[0] == Prepare)
                peer.Send(MySqlWords.Packet(1, 0, ++statements, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
            else if (command[0] != 0x19)
                peer.Send(MySqlWords.Ok(1));
        }
    }

    // What the only client sent between the login and COM_QUIT.
    private static List<string> Commands(FakeServer server)
    {
        List<string> heard = [];
        var received = server.Received.AsSpan();
        for (var isLogin = true; received.Length >= 5; isLogin = false)
        {
            var length = received[0] | (received[1] << 8) | (received[2] << 16);
            var command = received.Slice(4, length);
            received = received[(4 + length)..];
            if (isLogin)
                continue;
            heard.Add(command[0] switch
            {
                Prepare => "prepare",
                0x17 => $"execute {command[1]}",
                0x19 => $"close {command[1]}",
                0x1F => "reset",
                3 => "query",
                1 => "goodbye",
                var other => $"command {other}",
            });
        }

        heard.Remove("goodbye");
        return heard;
    }
}
