using System.Data;
using System.Data.Common;
using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Answers to a query that are wrong or incomplete.</summary>
public sealed class ResultTests : PgPeerTests
{
    private static readonly byte[] Described = [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid))];

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_fake_server_is_understood_when_it_is_honest(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            Answer(
                peer,
                [.. PgWords.DataRow("one"u8.ToArray()), .. PgWords.DataRow("two"u8.ToArray()), .. PgWords.CommandComplete("SELECT 2"), .. PgWords.Ready()]);
        });
        Assert.Equal(["one", "two"], await Connect(server, asynchronously).Query());
    }

    [Theory]
    [InlineData(false, -5)]
    [InlineData(true, -5)]
    [InlineData(false, 0)]
    [InlineData(true, 0)]
    [InlineData(false, 3)]
    [InlineData(true, 3)]
    [InlineData(false, int.MaxValue)]
    [InlineData(true, int.MaxValue)]
    public Task A_length_that_no_message_has_is_refused(bool asynchronously, int length) => Breaks(asynchronously, PgWords.Header('D', length));

    [Theory, InlineData(false), InlineData(true)]
    public Task A_field_longer_than_its_row_is_noticed(bool asynchronously) =>
        Breaks(
            asynchronously,
            [.. PgWords.Message('D', [.. PgWords.Int16(1), .. PgWords.Int32(1000), .. "short"u8]), .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_field_of_a_negative_length_is_noticed(bool asynchronously) =>
        Breaks(
            asynchronously,
            [.. PgWords.Message('D', [.. PgWords.Int16(1), .. PgWords.Int32(-2), .. "short"u8]), .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_row_with_another_number_of_fields_is_noticed(bool asynchronously) =>
        Breaks(asynchronously, [.. PgWords.DataRow(), .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_row_without_its_count_is_noticed(bool asynchronously) => Breaks(asynchronously, [.. PgWords.Message('D', 0), .. PgWords.Ready()]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_message_of_an_unknown_type_is_refused(bool asynchronously) => Breaks(asynchronously, PgWords.Message('?', 1, 2, 3));

    [Theory, InlineData(false), InlineData(true)]
    public Task An_answer_out_of_turn_is_refused(bool asynchronously) => Breaks(asynchronously, PgWords.Authentication(3));

    [Theory]
    [InlineData(false, 1665)]
    [InlineData(true, 1665)]
    [InlineData(false, 32767)]
    [InlineData(true, 32767)]
    [InlineData(false, -1)]
    [InlineData(true, -1)]
    public async Task A_column_count_that_no_server_sends_is_refused(bool asynchronously, int count)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.Message('T', PgWords.Int16(count))]);
        });
        IsBrokenProtocol(await Connect(server, asynchronously).QueryFails());
    }

    [Theory]
    [InlineData(false, 1), InlineData(true, 1), InlineData(false, 5), InlineData(true, 5)]
    public Task Bytes_behind_the_last_column_are_noticed(bool asynchronously, int more) => Breaks(asynchronously, [
        .. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid)),
        .. PgWords.Message('D', [.. PgWords.Int16(1), .. PgWords.Int32(1), (byte)'x', .. new byte[more]]), .. PgWords.CommandComplete("SELECT 1"),
        .. PgWords.Ready()]);

    // With sequential access, the client skips what follows a large row's last value instead of parsing it.
    [Theory]
    [InlineData(false, 0), InlineData(true, 0), InlineData(false, 1_000), InlineData(true, 1_000), InlineData(false, 200_000), InlineData(true, 200_000)]
    public async Task Bytes_behind_the_last_column_of_a_large_row_are_noticed(bool asynchronously, int read)
    {
        byte[] RowWith(int more) =>
            PgWords.Message('D', [.. PgWords.Int16(1), .. PgWords.Int32(200_000), .. Enumerable.Repeat((byte)'x', 200_000), .. new byte[more]]);
        foreach (var more in (int[])[5, 300_000])
        {
            using var server = FakeServer.Start(peer =>
            {
                peer.WelcomePg();
                Answer(peer, [.. RowWith(more), .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()]);
            });
            async Task ReadToEnd(DbConnection connection)
            {
                await using var command = connection.CreateCommand();
                command.CommandText = "SELECT a FROM t";
                await using var reader = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess);
                Assert.True(asynchronously ? await reader.ReadAsync() : reader.Read());
                Assert.Equal(read, reader.GetChars(0, 0, new char[200_000], 0, read));
                Assert.False(asynchronously ? await reader.ReadAsync() : reader.Read());
            }

            IsBrokenProtocol(await Connect(server, asynchronously).UseFails(ReadToEnd));
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_error_without_fields_is_still_an_error(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([.. PgWords.Error(), .. PgWords.Ready()]);
        });
        Assert.IsAssignableFrom<PgException>(await Connect(server, asynchronously, "Pooling=false").QueryFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_refusal_of_control_characters_is_shown_clean(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([.. PgWords.Error(('S', "ERROR"), ('C', "42601"), ('M', "near \u001B]0;pwned\u0007 " + new string('x', 200_000))), .. PgWords.Ready()]);
        });
        var failure = Assert.IsAssignableFrom<PgException>(await Connect(server, asynchronously, "Pooling=false").QueryFails());
        Assert.Equal("42601", failure.SqlState);
        Assert.DoesNotContain(failure.Message, static character => char.IsControl(character) && character is not ('\n' or '\r' or '\t'));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Closing_in_the_middle_of_a_row_is_a_lost_connection(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([.. Described, .. PgWords.DataRow("one"u8.ToArray()), .. PgWords.DataRow("two"u8.ToArray()).AsSpan(0, 8)]);
            peer.Close();
        });
        Assert.IsAssignableFrom<PgException>(await Connect(server, asynchronously).QueryFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_row_of_a_gigabyte_that_never_comes_takes_no_memory(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([.. Described, .. PgWords.Header('D', 0x3FFF_FFFF), .. PgWords.Int16(1), .. PgWords.Int32(0x3FFF_FFF0), 1, 2, 3]);
        });
        var client = Connect(server, asynchronously, "Cancellation Timeout=-1");
        Assert.NotNull(await client.QueryFails(commandTimeout: 1));
        Assert.InRange(client.Took.TotalSeconds, 0.9, 10);
    }

    private static void Answer(FakePeer peer, byte[] rows)
    {
        peer.ReadToSync();
        peer.Send([.. Described, .. rows]);
    }

    private static async Task Breaks(bool asynchronously, byte[] rows)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomePg();
            Answer(peer, rows);
        });
        IsBrokenProtocol(await Connect(server, asynchronously).QueryFails());
    }
}
