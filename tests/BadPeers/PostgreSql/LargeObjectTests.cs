using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Answers to the calls of a large object's functions that those functions do not give.</summary>
public sealed class LargeObjectTests : PgPeerTests
{
    [Theory]
    [InlineData(false, 5), InlineData(true, 5)]
    [InlineData(false, 4), InlineData(true, 4)]
    [InlineData(false, 0), InlineData(true, 0)]
    [InlineData(false, 6), InlineData(true, 6)]
    [InlineData(false, -1), InlineData(true, -1)]
    public async Task A_write_succeeds_only_if_the_server_has_written_all_bytes(bool asynchronously, int count)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomePg();
            Answer(peer, 0, [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.CommandComplete("BEGIN")]);
            Answer(peer, count);
            peer.ReadToSync();
            peer.Send([.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.CommandComplete("ROLLBACK"), .. PgWords.Ready()]);
        });
        await using var connection = new PgConnection(
            $"Host={server.Address};Port={server.Port};{PgLogin.Text};Password={Password};Database=db;SSL Mode=Disable;Timeout=30;Pooling=false");
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        _ = await connection.BeginTransactionAsync(TestContext.Current.CancellationToken);
        var stream = await new PgLargeObjectManager(connection).OpenReadWriteAsync(1, TestContext.Current.CancellationToken);
        var failure = await Record.ExceptionAsync(async () =>
        {
            if (asynchronously)
                await stream.WriteAsync(new byte[5], TestContext.Current.CancellationToken);
            else
                stream.Write(new byte[5]);
        });
        if (count == 5)
        {
            Assert.Null(failure);
            Assert.Equal(5, stream.Position);
        }
        else
        {
            Assert.Contains("received 5", Assert.IsType<InvalidOperationException>(failure).Message);
            Assert.Equal(0, stream.Position);
        }
    }

    private static void Answer(FakePeer peer, int number, byte[]? begun = null)
    {
        peer.ReadToSync();
        peer.Send([
            .. begun ?? [], .. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("f", 23)),
            .. PgWords.DataRow(Encoding.ASCII.GetBytes($"{number}")), .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready('T'),
        ]);
    }
}
