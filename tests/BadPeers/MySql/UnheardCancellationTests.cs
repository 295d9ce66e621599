using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>Servers that neither answer nor execute the cancellation: after the command's time limit, the cancellation has its own.</summary>
[Collection("MySQL, unheard cancellations")]
public sealed class UnheardCancellationTests : MySqlPeerTests
{
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
        var client = Connect(server, asynchronously, "Cancellation Timeout=2");
        var failure = Assert.IsType<MySqlException>(await client.QueryFails(commandTimeout: 1));
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, failure.ErrorCode);
        Assert.InRange(client.Took.TotalSeconds, 2.5, 15);
        server.HasSeen(2);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_query_without_answer_ends_when_the_cancellation_changes_nothing(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome();
            if (peer.Number > 0)
            {
                peer.ExpectKill();
                peer.Send(MySqlWords.Ok(1));
            }

            peer.Stall();
        });
        var client = Connect(server, asynchronously, "Cancellation Timeout=2");
        var failure = Assert.IsType<MySqlException>(await client.QueryFails(commandTimeout: 1));
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, failure.ErrorCode);
        Assert.InRange(client.Took.TotalSeconds, 2.5, 15);
        Assert.Contains("KILL QUERY 7", System.Text.Encoding.UTF8.GetString(server.Received), StringComparison.Ordinal);
    }
}
