using System.Data.Common;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Error messages: they name the option and its value, and contain each sentence once.</summary>
public class MessageTests
{
    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    public async Task An_unknown_authority_names_the_option_and_says_so_once(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        // Another authority than this one has signed the server's certificate.
        var text = ConnectionStrings.MySql(server).Replace("SSL Mode=None", "SSL Mode=VerifyCA", StringComparison.Ordinal) + $"SSL CA={server.OtherCaFile}";
        await using var connection = new MySqlConnection(text);
        var error = Assert.ThrowsAny<DbException>(connection.Open);
        Assert.Contains("Set SSL CA to the file with the authority's certificate.", error.Message, StringComparison.Ordinal);
        Once(error, "Set SSL CA to the file");
        Once(await Assert.ThrowsAnyAsync<DbException>(() => connection.OpenAsync()), "Set SSL CA to the file");
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task A_command_that_ran_out_of_time_says_how_much_it_had(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server));
        await connection.OpenAsync();
        await using var command = new MySqlCommand("SELECT SLEEP(30)", connection) { CommandTimeout = 1 };
        var error = Assert.Throws<MySqlException>(() => command.ExecuteScalar());
        Assert.StartsWith("The command time-out of 1 s (CommandTimeout) expired", error.Message, StringComparison.Ordinal);
        error = await Assert.ThrowsAsync<MySqlException>(async () => await command.ExecuteScalarAsync());
        Assert.StartsWith("The command time-out of 1 s (CommandTimeout) expired", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_connection_that_nobody_takes_says_so_once()
    {
        using var free = new System.Net.Sockets.TcpListener(System.Net.IPAddress.Loopback, 0);
        free.Start();
        var port = ((System.Net.IPEndPoint)free.LocalEndpoint).Port;
        free.Stop();
        using var connection = new MySqlConnection($"Server=127.0.0.1;Port={port};User ID=x;Connection Timeout=5;Pooling=false");
        Once(Assert.Throws<MySqlException>(connection.Open), "Nothing is listening at");
    }

    private static void Once(Exception failure, string sentence)
    {
        var said = 0;
        for (Exception? cause = failure; cause is not null; cause = cause.InnerException)
            said += cause.Message.Contains(sentence, StringComparison.Ordinal) ? 1 : 0;
        Assert.Equal(1, said);
    }
}
