using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>Servers that stop talking: every phase has its time.</summary>
public sealed class SilenceTests : MySqlPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public Task Before_the_greeting_the_connection_timeout_counts(bool asynchronously) => LoginTimesOut(asynchronously, "greeting", static peer => peer.Stall());

    [Theory, InlineData(false), InlineData(true)]
    public Task In_the_middle_of_the_greeting_the_connection_timeout_counts(bool asynchronously) => LoginTimesOut(asynchronously, "greeting", static peer =>
    {
        peer.Send(MySqlWords.Greeting().AsSpan(0, 20));
        peer.Stall();
    });

    [Theory, InlineData(false), InlineData(true)]
    public Task After_the_login_the_connection_timeout_counts(bool asynchronously) => LoginTimesOut(asynchronously, "", static peer =>
    {
        peer.Send(MySqlWords.Greeting());
        peer.Stall();
    });

    [Theory, InlineData(false), InlineData(true)]
    public Task A_login_byte_by_byte_does_not_stretch_the_connection_timeout(bool asynchronously) => LoginTimesOut(asynchronously, "", static peer =>
        peer.SendSlowly(MySqlWords.Greeting(), TimeSpan.FromMilliseconds(200)));

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_query_without_answer_ends_when_the_cancellation_is_not_answered_either(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            if (peer.Number > 0)
                peer.Stall();
            peer.WelcomeQuery();
            peer.Stall();
        });
        var client = Connect(server, asynchronously, "Cancellation Timeout=1");
        var failure = Assert.IsType<MySqlException>(await client.QueryFails(commandTimeout: 1));
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, failure.ErrorCode);
        Assert.InRange(client.Took.TotalSeconds, 1.5, 8);
        Assert.Equal(2, server.Peers.Count);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_query_without_answer_ends_when_the_cancellation_changes_nothing(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            if (peer.Number > 0)
                peer.Send(MySqlWords.Ok(1));
            peer.Stall();
        });
        var client = Connect(server, asynchronously, "Cancellation Timeout=1");
        var failure = Assert.IsType<MySqlException>(await client.QueryFails(commandTimeout: 1));
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, failure.ErrorCode);
        Assert.InRange(client.Took.TotalSeconds, 1.5, 5);
        Assert.Contains("KILL QUERY 7", System.Text.Encoding.UTF8.GetString(server.Received), StringComparison.Ordinal);
    }

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
        Assert.InRange(client.Took.TotalSeconds, 0.9, 2.5);
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
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Stall();
        });
        using var source = new CancellationTokenSource(500);
        var client = Connect(server, true, "Cancellation Timeout=-1");
        Assert.IsAssignableFrom<OperationCanceledException>(await client.QueryFails(commandTimeout: 10, cancellationToken: source.Token));
        Assert.InRange(client.Took.TotalSeconds, 0.4, 3);
    }

    private static async Task LoginTimesOut(bool asynchronously, string phase, Action<FakePeer> script)
    {
        using var server = FakeServer.Start(script);
        var client = Connect(server, asynchronously, "Connection Timeout=1");
        var failure = IsConnectFailure(server, await client.OpenFails());
        Assert.Contains(phase, failure.Message, StringComparison.Ordinal);
        Assert.InRange(client.Took.TotalSeconds, 0.9, 3);
    }
}
