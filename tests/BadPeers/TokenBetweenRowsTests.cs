using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers;

/// <summary>A token that is cancelled while the reader does not wait: if the rows have already arrived, the driver sends no request to cancel.</summary>
public sealed class TokenBetweenRowsTests
{
    [Theory, InlineData("MySQL"), InlineData("PostgreSQL")]
    public async Task When_all_rows_have_come_the_server_is_asked_nothing(string provider)
    {
        var talk = Talk.Of(provider);
        using var server = FakeServer.Start(talk.Serve);
        await using (var source = talk.Connect(server.Port, "Maximum Pool Size=1;Connect Seconds=20;Cancel Seconds=30"))
        {
            await using var connection = await source.OpenConnectionAsync();
            await using var command = connection.CreateCommand();
            command.CommandText = "SELECT 'short'";
            using var token = new CancellationTokenSource();
            await using (var reader = await command.ExecuteReaderAsync(token.Token))
            {
                Assert.True(await reader.ReadAsync(token.Token));
                await token.CancelAsync();
                var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reader.ReadAsync(token.Token));
                Assert.Equal(token.Token, error.CancellationToken);
            }

            command.CommandText = "SELECT 'next'";
            Assert.Equal("SELECT 'next'", await command.ExecuteScalarAsync());
        }

        Assert.DoesNotContain(talk.Received, static heard => heard.Contains("KILL", StringComparison.Ordinal));
        server.ThrowIfScriptFailed();
    }
}
