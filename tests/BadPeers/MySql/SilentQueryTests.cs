using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>Servers that do not answer a command: the command has a time limit.</summary>
[Collection("MySQL, silent queries")]
public sealed class SilentQueryTests : MySqlPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public async Task Without_a_cancellation_timeout_the_connection_ends_at_once(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Stall();
        });
        var client = Connect(server, asynchronously, "Cancellation Timeout=-1");
        var failure = Assert.IsType<MySqlException>(await client.QueryFails(commandTimeout: 1));
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, failure.ErrorCode);
        Assert.InRange(client.Took.TotalSeconds, 0.9, 10);
        Assert.Single(server.Peers);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Silence_in_the_middle_of_a_row_is_bounded_too(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.TextRow(3, "one"), .. MySqlWords.TextRow(4, "two").AsSpan(0, 5)]);
            peer.Stall();
        });
        var client = Connect(server, asynchronously, "Cancellation Timeout=-1");
        var failure = Assert.IsType<MySqlException>(await client.QueryFails(commandTimeout: 1));
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, failure.ErrorCode);
    }

    [Fact]
    public async Task A_cancelled_token_ends_a_query_that_nobody_answers()
    {
        using var source = new CancellationTokenSource();
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomeQuery();
            source.CancelAfter(300);
            peer.Stall();
        });
        var client = Connect(server, true, "Cancellation Timeout=-1");
        Assert.IsAssignableFrom<OperationCanceledException>(await client.QueryFails(cancellationToken: source.Token));
        Assert.InRange(client.Took.TotalSeconds, 0.2, 15);
    }
}
