using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>A server, or a pooler that the driver does not recognise, whose new prepared statements are as stale as the old ones.</summary>
public sealed class StalePlanTests : PgPeerTests
{
    private static byte[] Refused => [
        .. PgWords.ParseComplete,
        .. PgWords.Error(
            ('S', "ERROR"), ('V', "ERROR"), ('C', "0A000"), ('M', "cached plan must not change result type"), ('R', "RevalidateCachedQuery")),
        .. PgWords.Ready()];

    private static byte[] Answered => [
        .. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid)), .. PgWords.DataRow("one"u8.ToArray()),
        .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_text_whose_new_statement_is_stale_is_not_prepared_again(bool asynchronously)
    {
        List<string> parsed = [];
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomePg();
            for (var i = 0; i < 3; i++)
            {
                for (var type = ' '; type != 'S';)
                {
                    (type, var body) = peer.ReadMessage();
                    if (type == 'P')
                        parsed.Add(System.Text.Encoding.ASCII.GetString(body.AsSpan(0, Array.IndexOf(body, (byte)0))));
                }

                peer.Send(i == 0 ? Refused : [.. i == 1 ? PgWords.Message('3') : [], .. Answered]);
            }

            peer.Stall();
        });
        await using var source = PgDataSource.Create(
            $"Host={server.Address};Port={server.Port};{PgLogin.Text};Password={Password};Database=db;SSL Mode=Disable;Timeout=30;Auto Prepare=false");
        await using var connection = await source.OpenConnectionAsync();
        await using var command = new PgCommand("SELECT * FROM t", connection);
        if (asynchronously)
            await command.PrepareAsync();
        else
            command.Prepare();
        var refused = await Assert.ThrowsAsync<PgException>(Scalar);
        Assert.Equal("0A000", refused.SqlState);
        Assert.Equal("one", await Scalar());
        Assert.Equal("one", await Scalar());
        server.ThrowIfScriptFailed();
        Assert.Equal(3, parsed.Count);
        Assert.NotEqual("", parsed[0]);
        Assert.Equal(["", ""], parsed[1..]);

        async Task<object?> Scalar() => asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar();
    }
}
