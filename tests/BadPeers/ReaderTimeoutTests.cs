using System.Data.Common;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>A server that sends a row now and then exceeds no time limit of a single wait, but exceeds the reader's limit.</summary>
public sealed class ReaderTimeoutTests
{
    [Theory]
    [InlineData("MySQL", false, 30)]
    [InlineData("MySQL", true, 30)]
    [InlineData("MySQL", true, 0)]
    [InlineData("PostgreSQL", false, 30)]
    [InlineData("PostgreSQL", true, 30)]
    [InlineData("PostgreSQL", false, 0)]
    public async Task Rows_that_trickle_end_with_the_time_of_the_reader(string provider, bool asynchronously, int commandTimeout)
    {
        using var server = FakeServer.Start(peer => Trickle(peer, provider));
        await using ProviderDataSource source = provider == "MySQL"
            ? new MySqlDataSource(
                $"Server=127.0.0.1;Port={server.Port};User ID=somebody;Password=open sesame;SSL Mode=None;Pipelining Mode=On;Auto Prepare=false;Cancellation "
                    + "Timeout=1;Reader Timeout=1")
            : PgDataSource.Create(
                $"Host=127.0.0.1;Port={server.Port};{PgLogin.Text};Password=open sesame;Database=db;SSL Mode=Disable;Cancellation Timeout=1000;Reader "
                    + "Timeout=1");
        var failure = await new Client(source, server, asynchronously).QueryFails(commandTimeout: commandTimeout);
        Assert.Contains("time-out of 1 s (Reader Timeout) expired", Assert.IsAssignableFrom<DbException>(failure).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_connection_that_the_client_closes_is_not_said_to_have_been_closed_by_the_server(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.ReadToSync();
        });
        await using var source = PgDataSource.Create(
            $"Host=127.0.0.1;Port={server.Port};{PgLogin.Text};Password=open sesame;Database=db;SSL Mode=Disable;Cancellation Timeout=-1");
        var failure = await new Client(source, server, asynchronously).QueryFails(commandTimeout: 1);
        for (Exception? cause = failure; cause is not null; cause = cause.InnerException)
            Assert.DoesNotContain("The server closed the connection", cause.Message, StringComparison.Ordinal);
    }

    // The server accepts the cancellation's connection, but does not act on it.
    private static void Trickle(FakePeer peer, string provider)
    {
        if (provider == "MySQL")
        {
            peer.WelcomeQuery();
            peer.Send(MySqlWords.Columns(1, MySqlWords.StringType, "a"));
            for (var row = 0; row < 600; row++)
                peer.SendSlowly(MySqlWords.TextRow((3 + row) & 0xFF, "a row"), TimeSpan.FromMilliseconds(10));
        }
        else
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid))]);
            for (var row = 0; row < 600; row++)
                peer.SendSlowly(PgWords.DataRow("a row"u8.ToArray()), TimeSpan.FromMilliseconds(10));
        }
    }
}
