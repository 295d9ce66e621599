using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>Answers to PREPARE and EXECUTE that lie.</summary>
public sealed class PreparedTests : MySqlPeerTests
{
    private const byte Prepare = 0x16;

    // status | statement_id | num_columns | num_params | filler | warnings
    private static byte[] PrepareOk(int columns, int parameters) => MySqlWords.Packet(1, 0, 1, 0, 0, 0, (byte)columns, (byte)(columns >> 8), (byte)parameters, (byte)(parameters >> 8), 0, 0, 0);

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
        Assert.InRange(client.Took.TotalSeconds, 0, 4);
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

    [Theory, InlineData(false), InlineData(true)]
    public Task A_binary_row_that_is_cut_is_noticed(bool asynchronously) => RowBreaks(asynchronously, MySqlWords.LongType, [0, 0, 42, 0]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_binary_row_without_its_null_bitmap_is_noticed(bool asynchronously) => RowBreaks(asynchronously, MySqlWords.LongType, [0]);

    [Theory, InlineData(false), InlineData(true)]
    public Task A_binary_value_longer_than_its_row_is_noticed(bool asynchronously) => RowBreaks(asynchronously, MySqlWords.StringType, [0, 0, 0xFD, 0xFF, 0xFF, 0x7F, 1]);

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
}
