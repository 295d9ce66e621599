using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Queries that keep an open but idle connection alive.</summary>
[Collection("PostgreSQL, keep-alive")]
public sealed class KeepAliveTests : PgPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public async Task An_idle_connection_asks_the_server_again_and_again_and_stays_usable(bool asynchronously)
    {
        var pings = 0;
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomePg();
            while (true)
            {
                var types = peer.ReadToSync();
                if (types == "S")
                {
                    Interlocked.Increment(ref pings);
                    peer.Send(PgWords.Ready());
                }
                else
                {
                    peer.Send(
                        [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.Message('n'), .. PgWords.CommandComplete("SET"), .. PgWords.Ready()]);
                }
            }
        });
        await using var source = PgDataSource.Create(Options(server));
        await using var connection = source.CreateConnection();
        if (asynchronously)
            await connection.OpenAsync(TestContext.Current.CancellationToken);
        else
            connection.Open();
        await Eventually.TrueAsync(() => Volatile.Read(ref pings) >= 2);
        await using var command = new PgCommand("SET a.b = 1", connection);
        if (asynchronously)
            await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        else
            command.ExecuteNonQuery();
        server.ThrowIfScriptFailed();
    }

    [Fact]
    public async Task A_connection_whose_server_does_not_answer_is_closed()
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.Stall();
        });
        await using var source = PgDataSource.Create(Options(server));
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Assert.True(server.AllClosedWithin(TimeSpan.FromSeconds(30)));
        await using var command = new PgCommand("SELECT 1", connection);
        await Assert.ThrowsAsync<PgException>(() => command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken));
    }

    private static string Options(FakeServer server) =>
        $"Host={server.Address};Port={server.Port};{PgLogin.Text};Database=db;SSL Mode=Disable;Require Auth=None;Timeout=30;Keepalive=1";
}
