using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Servers that become silent: the login and the command each have a time limit.</summary>
[Collection("PostgreSQL, silence")]
public sealed class SilenceTests : PgPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public Task Silence_before_the_authentication_ends_in_time(bool asynchronously) => LoginTimesOut(asynchronously, static peer => peer.Stall());

    [Theory, InlineData(false), InlineData(true)]
    public Task Silence_after_the_authentication_ends_in_time(bool asynchronously) => LoginTimesOut(asynchronously, static peer =>
    {
        peer.ReadStartup();
        peer.Send(PgWords.Authentication(0));
        peer.Stall();
    });

    [Theory, InlineData(false), InlineData(true)]
    public Task Silence_in_answer_to_the_request_for_TLS_ends_in_time(bool asynchronously) =>
        LoginTimesOut(asynchronously, static peer => peer.Stall(), "SSL Mode=Prefer");

    [Theory, InlineData(false), InlineData(true)]
    public Task Start_up_byte_by_byte_does_not_stretch_the_timeout(bool asynchronously) => LoginTimesOut(asynchronously, static peer =>
    {
        peer.ReadStartup();
        peer.SendSlowly(PgWords.LoginSuccess, TimeSpan.FromMilliseconds(100));
    });

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_query_without_answer_is_cancelled_and_ends(bool asynchronously)
    {
        using var cancelled = new ManualResetEventSlim();
        using var server = FakeServer.Start(peer =>
        {
            var (code, body) = peer.ReadStartup();
            if (code == PgWords.CancelRequestCode)
            {
                if (body.AsSpan().SequenceEqual((byte[])[.. PgWords.Int32(7), .. PgWords.Int32(99)]))
                    cancelled.Set();
                peer.Close();
                return;
            }

            peer.Send(PgWords.LoginSuccess);
            peer.ReadToSync();
            peer.Stall();
        });
        var client = Connect(server, asynchronously, "Cancellation Timeout=2000");
        Assert.NotNull(await client.QueryFails(commandTimeout: 1));
        Assert.True(cancelled.Wait(30_000), "The server was not asked to cancel.");
        Assert.InRange(client.Took.TotalSeconds, 2.5, 15);
    }

    [Fact]
    public async Task A_cancelled_token_ends_a_query_that_nobody_answers()
    {
        using var source = new CancellationTokenSource();
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            source.CancelAfter(300);
            peer.Stall();
        });
        var client = Connect(server, true, "Cancellation Timeout=-1");
        Assert.IsAssignableFrom<OperationCanceledException>(await client.QueryFails(cancellationToken: source.Token));
        Assert.InRange(client.Took.TotalSeconds, 0.2, 15);
    }

    private static async Task LoginTimesOut(bool asynchronously, Action<FakePeer> script, string options = "")
    {
        using var server = FakeServer.Start(script);
        var client = Connect(server, asynchronously, $"Timeout=1;{options}");
        IsConnectFailure(server, await client.OpenFails());
        Assert.InRange(client.Took.TotalSeconds, 0.9, 10);
    }
}
