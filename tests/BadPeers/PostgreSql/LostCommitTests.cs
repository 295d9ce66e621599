using System.Transactions;
using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Servers that lose the connection during a COMMIT, and then do not answer the question about its outcome.</summary>
public sealed class LostCommitTests : PgPeerTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(60);

    private static byte[] Begun => [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.CommandComplete("BEGIN")];

    private static byte[] Updated => [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.Message('n'), .. PgWords.CommandComplete("UPDATE 1")];

    // Without other limits, the option's own limit ends the question.
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task A_silent_server_is_asked_for_the_time_of_the_option(bool asynchronously, bool isSilentAtLogin)
    {
        using var server = FakeServer.Start(peer =>
        {
            if (peer.Number > 0)
            {
                if (!isSilentAtLogin)
                    peer.WelcomePg();
                peer.Stall();
                return;
            }

            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([.. Begun, .. Updated, .. PgWords.Ready('T')]);
            peer.ReadToSync();
            peer.Send([
                .. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid)),
                .. PgWords.DataRow("735 7000000/000000010000000000000001"u8.ToArray()), .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready('T')]);
            peer.ReadToSync();
            peer.Close();
        });
        await using var source = PgDataSource.Create(
            $"Host={server.Address};Port={server.Port};{PgLogin.Text};Password={Password};Database=db;SSL Mode=Disable;Timeout=0;Command Timeout=0;"
                + "Cancellation Timeout=-1;Commit Status Timeout=1");
        var failure = await Assert.ThrowsAsync<PgException>(() => Task.Run(async () =>
        {
            await using var connection = source.CreateConnection();
            connection.Open();
            await using var transaction = connection.BeginTransaction();
            await using var command = new PgCommand("UPDATE t SET a = 1", connection);
            command.ExecuteNonQuery();
            if (asynchronously)
                await transaction.CommitAsync();
            else
                transaction.Commit();
        }).WaitAsync(Bound));
        Assert.Equal(PgCommitOutcome.Unknown, failure.CommitOutcome);
    }

    // Nothing was prepared, so that there is no branch to look for.
    [Fact]
    public void A_transaction_of_one_phase_in_doubt_names_no_branch()
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([.. Begun, .. Updated, .. PgWords.Ready('T')]);
            peer.ReadToSync();
            peer.Close();
        });
        using var source = PgDataSource.Create(
            $"Host={server.Address};Port={server.Port};{PgLogin.Text};Password={Password};Database=db;SSL Mode=Disable;Timeout=30");
        var doubt = Assert.Throws<TransactionInDoubtException>(() =>
        {
            using var scope = new TransactionScope();
            using var connection = source.OpenConnection();
            using var command = new PgCommand("UPDATE t SET a = 1", connection);
            command.ExecuteNonQuery();
            scope.Complete();
        });
        Assert.Contains("Check whether its changes exist", doubt.InnerException!.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("PREPARED", doubt.InnerException.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("pg_prepared_xacts", doubt.InnerException.Message, StringComparison.Ordinal);
    }
}
