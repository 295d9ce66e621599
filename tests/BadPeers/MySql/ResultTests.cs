using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>Answers to a query that are wrong or incomplete.</summary>
public sealed class ResultTests : MySqlPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public async Task The_fake_server_is_understood_when_it_is_honest(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(
                [.. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. MySqlWords.TextRow(3, "41"), .. MySqlWords.TextRow(4, "42"), .. MySqlWords.End(5)]);
        });
        Assert.Equal([41, 42], await Connect(server, asynchronously).Query());
    }

    [Theory, InlineData(false), InlineData(true)]
    public Task A_wrong_sequence_number_of_an_OK_is_noticed(bool asynchronously) => Breaks(asynchronously, MySqlWords.Ok(2));

    [Theory, InlineData(false), InlineData(true)]
    public Task A_wrong_sequence_number_of_a_column_is_noticed(bool asynchronously) =>
        Breaks(asynchronously, [.. MySqlWords.Packet(1, 1), .. MySqlWords.Column(7, "a", MySqlWords.LongType)]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_wrong_sequence_number_of_a_row_is_noticed(bool asynchronously) =>
        Breaks(
            asynchronously,
            [.. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. MySqlWords.TextRow(3, "1"), .. MySqlWords.TextRow(3, "1"), .. MySqlWords.End(4)]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_wrong_sequence_number_of_the_end_is_noticed(bool asynchronously) =>
        Breaks(asynchronously, [.. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. MySqlWords.TextRow(3, "1"), .. MySqlWords.End(9)]);

    [Theory, InlineData(false), InlineData(true)]
    public Task An_empty_packet_is_no_answer(bool asynchronously) => Breaks(asynchronously, MySqlWords.Packet(1));

    [Theory, InlineData(false), InlineData(true)]
    public Task An_OK_that_stops_early_is_noticed(bool asynchronously) => Breaks(asynchronously, MySqlWords.Packet(1, 0, 0xFC, 1));

    [Theory, InlineData(false), InlineData(true)]
    public Task An_error_that_stops_early_is_noticed(bool asynchronously) => Breaks(asynchronously, MySqlWords.Packet(1, 0xFF, 1));

    [Theory]
    [InlineData(false, ulong.MaxValue)]
    [InlineData(true, ulong.MaxValue)]
    [InlineData(false, 1UL << 33)]
    [InlineData(true, 1UL << 33)]
    [InlineData(false, 1_000_000UL)]
    [InlineData(true, 1_000_000UL)]
    public Task A_column_count_that_no_server_sends_is_refused(bool asynchronously, ulong count) =>
        Breaks(asynchronously, MySqlWords.Packet(1, MySqlWords.Long(count)));

    [Theory, InlineData(false), InlineData(true)]
    public Task Columns_that_never_come_are_noticed(bool asynchronously) =>
        Breaks(asynchronously, [.. MySqlWords.Packet(1, 3), .. MySqlWords.Column(2, "a", MySqlWords.LongType), .. MySqlWords.End(3)]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_column_whose_name_is_longer_than_its_packet_is_noticed(bool asynchronously) =>
        Breaks(
            asynchronously, [.. MySqlWords.Packet(1, 1), .. MySqlWords.Packet(2, [3, .. "def"u8, 0xFD, 0xFF, 0xFF, 0xFF, .. "name"u8]), .. MySqlWords.End(3)]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_value_longer_than_its_row_is_noticed(bool asynchronously) =>
        Breaks(
            asynchronously,
            [.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.Packet(3, [0xFC, 0xFF, 0xFF, .. "short"u8]), .. MySqlWords.End(4)]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_value_of_2_to_the_63_bytes_is_noticed(bool asynchronously) =>
        Breaks(
            asynchronously,
            [
                .. MySqlWords.Columns(1, MySqlWords.StringType, "a", "b"),
                .. MySqlWords.Packet(4, [.. MySqlWords.Text("x"), .. MySqlWords.Long(1UL << 63), .. "short"u8]), .. MySqlWords.End(5)
            ]);

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_number_that_is_none_is_the_values_fault_and_not_the_sessions(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. MySqlWords.TextRow(3, "4x2"), .. MySqlWords.End(4)]);
        });
        Assert.IsType<FormatException>(await Connect(server, asynchronously, "Pooling=false").QueryFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public Task A_row_without_its_value_is_noticed(bool asynchronously) =>
        Breaks(asynchronously, [.. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. MySqlWords.Packet(3), .. MySqlWords.End(4)]);

    [Theory, InlineData(false), InlineData(true)]
    public Task Bytes_behind_the_last_column_of_a_text_are_noticed(bool asynchronously) =>
        Breaks(asynchronously, [.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.TextRow(3, "one", "more"), .. MySqlWords.End(4)]);

    [Theory, InlineData(false), InlineData(true)]
    public Task Bytes_behind_the_last_column_of_a_number_are_noticed(bool asynchronously) =>
        Breaks(asynchronously, [.. MySqlWords.Columns(1, MySqlWords.LongType, "a", "b"), .. MySqlWords.TextRow(4, "1", "2", "3"), .. MySqlWords.End(5)]);

    [Theory]
    [InlineData(0, false), InlineData(0, true), InlineData(1, false), InlineData(1, true), InlineData(2, true)]
    public async Task An_error_in_place_of_a_column_is_the_servers_and_the_session_lives(int after, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomeQuery();
            byte[] columns = [.. Enumerable.Range(0, after).SelectMany(static i => MySqlWords.Column(2 + i, "a", MySqlWords.LongType))];
            peer.Send([.. MySqlWords.Packet(1, 3), .. columns, .. MySqlWords.Error(2 + after, 9001, "gone", "HY000")]);
            peer.Expect(3);
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.TextRow(3, "alive"), .. MySqlWords.End(4)]);
        });
        await LivesOn(server, asynchronously, prepare: false);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_error_in_place_of_the_EOF_behind_the_columns_is_the_servers_and_the_session_lives(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery(MySqlWords.Capabilities & ~0x1000000u);
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. MySqlWords.Error(3, 9001, "gone", "HY000")]);
            peer.Expect(3);
            byte[] eof = [0xFE, 0, 0, 2, 0];
            peer.Send(
                [
                    .. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.Packet(3, eof), .. MySqlWords.TextRow(4, "alive"),
                    .. MySqlWords.Packet(5, eof)
                ]);
        });
        await LivesOn(server, asynchronously, prepare: false);
    }

    [Theory]
    [InlineData(0, true, false), InlineData(1, true, true), InlineData(1, false, false), InlineData(2, false, true)]
    public async Task An_error_in_place_of_what_PREPARE_describes_is_the_servers_and_the_session_lives(int after, bool deprecatesEof, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.Welcome(deprecatesEof ? MySqlWords.Capabilities : MySqlWords.Capabilities & ~0x1000000u);
            peer.Expect(22);
            byte[] columns = [.. Enumerable.Range(0, after).SelectMany(static i => MySqlWords.Column(2 + i, "a", MySqlWords.LongType))];
            peer.Send([.. MySqlWords.Packet(1, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0), .. columns, .. MySqlWords.Error(2 + after, 9001, "gone", "HY000")]);
            if (peer.ReadPacket().Payload[0] is var command and not 3)
                throw new InvalidDataException($"A query was expected, command {command} came.");
            byte[] eof = deprecatesEof ? [] : MySqlWords.Packet(3, 0xFE, 0, 0, 2, 0);
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. eof, .. MySqlWords.TextRow(deprecatesEof ? 3 : 4, "alive"),
                .. deprecatesEof ? MySqlWords.End(4) : MySqlWords.Packet(5, 0xFE, 0, 0, 2, 0)]);
        });
        await LivesOn(server, asynchronously, prepare: true);
    }

    // The first command ends with the proxy's error, the second is answered on the same connection.
    private static async Task LivesOn(FakeServer server, bool asynchronously, bool prepare)
    {
        await using var connection = new MySqlConnection(
            $"Server=127.0.0.1;Port={server.Port};User ID=somebody;Password={Password};SSL Mode=None;Pipelining Mode={(prepare ? "Off" : "On")};Auto "
                + "Prepare=false;Pooling=false");
        await connection.OpenAsync();
        await using var refused = new MySqlCommand("SELECT a", connection);
        var failure = await Assert.ThrowsAsync<MySqlException>(async () =>
        {
            if (prepare)
                await refused.PrepareAsync();
            _ = asynchronously ? await refused.ExecuteScalarAsync() : refused.ExecuteScalar();
        });
        Assert.Equal(9001, failure.Number);
        Assert.Equal(System.Data.ConnectionState.Open, connection.State);
        await using var next = new MySqlCommand("SELECT b", connection);
        Assert.Equal("alive", asynchronously ? await next.ExecuteScalarAsync() : next.ExecuteScalar());
        server.ThrowIfScriptFailed();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_row_of_16_MiB_that_never_comes_takes_no_memory(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.BlobType, "a"), .. MySqlWords.Header(0xFFFFFF, 3), 0xFE, 0, 0, 0, 0x3F, 0, 0, 0, 0]);
        });
        var client = Connect(server, asynchronously, "Cancellation Timeout=-1");
        Assert.IsType<MySqlException>(await client.QueryFails(commandTimeout: 1));
        Assert.InRange(client.Took.TotalSeconds, 0.9, 10);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Closing_in_the_middle_of_a_row_is_a_lost_connection(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(
                [.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.TextRow(3, "one"), .. MySqlWords.TextRow(4, "twotwotwo").AsSpan(0, 7)]);
            peer.Close();
        });
        var failure = Assert.IsType<MySqlException>(await Connect(server, asynchronously).QueryFails());
        Assert.Equal(Core.Errors.RetrySafety.Unknown, failure.RetrySafety);
        Assert.Equal(Core.Errors.ErrorKind.ConnectionLost, failure.Kind);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Cutting_in_the_middle_of_the_columns_is_a_lost_connection(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(MySqlWords.Packet(1, 2));
            peer.Reset();
        });
        Assert.IsType<MySqlException>(await Connect(server, asynchronously).QueryFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_error_in_the_middle_of_the_rows_is_the_servers_and_the_session_lives(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(
                [
                    .. MySqlWords.Columns(1, MySqlWords.LongType, "a"), .. MySqlWords.TextRow(3, "1"),
                    .. MySqlWords.Error(4, 1317, "Query execution was interrupted", "70100")
                ]);
            peer.Close();
        });
        var failure = Assert.IsType<MySqlException>(await Connect(server, asynchronously, "Pooling=false").QueryFails());
        Assert.Equal(1317, failure.Number);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_refusal_of_control_characters_is_shown_clean(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(MySqlWords.Error(1, 1064, "near '\u001B]0;pwned\u0007\0' " + new string('x', 60_000)));
        });
        var failure = Assert.IsType<MySqlException>(await Connect(server, asynchronously, "Pooling=false").QueryFails());
        Assert.Equal(1064, failure.Number);
        Assert.DoesNotContain(failure.Message, static character => char.IsControl(character) && character is not ('\n' or '\r' or '\t'));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Words_behind_the_answer_are_never_taken_for_the_next_one(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send([.. MySqlWords.Ok(1), .. MySqlWords.Ok(1, affected: 42)]);
        });
        var client = Connect(server, asynchronously);
        await client.Query();
        await client.Query();
        Assert.Equal(2, server.Peers.Count);
        Assert.True(server.Peers[0].ClientHasClosed.Wait(TimeSpan.FromSeconds(30)));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_result_without_end_takes_no_memory_and_ends_when_it_is_closed(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(MySqlWords.Columns(1, MySqlWords.LongType, "a"));
            // After 256 rows, the sequence number starts again.
            byte[] round = [.. Enumerable.Range(0, 256).SelectMany(static i => MySqlWords.TextRow((3 + i) & 0xFF, "1"))];
            peer.SendUntilClosed(round, long.MaxValue);
        });
        var failure = Assert.IsType<MySqlException>(await Connect(server, asynchronously, "Cancellation Timeout=-1").ClosingFails(100_000, commandTimeout: 1));
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, failure.ErrorCode);
    }

    private static async Task Breaks(bool asynchronously, byte[] answer)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomeQuery();
            peer.Send(answer);
        });
        IsBrokenProtocol(await Connect(server, asynchronously).QueryFails());
    }
}
