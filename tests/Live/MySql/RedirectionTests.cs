using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>A MariaDB server that redirects its clients to another one, and has a different idle timeout for interactive clients.</summary>
public class RedirectionTests(RedirectionTests.Redirecting servers) : IClassFixture<RedirectionTests.Redirecting>
{
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_redirects_is_followed_behind_a_verified_certificate(bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        Assert.Equal(servers.Other.Port, await PortOf(mode, Verified("Required")));
        Assert.Equal(servers.Other.Port, await PortOf(mode, Verified("Preferred")));
        Assert.Equal(servers.First.Port, await PortOf(mode, Verified("Disabled")));
        Assert.Equal(servers.First.Port, await PortOf(mode, Verified("Preferred") + "Redirection Hosts=db.example"));
        Assert.Equal(servers.First.Port, await PortOf(mode, ConnectionStrings.MySql(servers.First, "Server Redirection Mode=Preferred;")));
        var failure = await Assert.ThrowsAsync<MySqlException>(() => PortOf(mode, ConnectionStrings.MySql(servers.First, "Server Redirection Mode=Required;")));
        Assert.Contains("whose certificate is verified", failure.Message);
    }

    [Fact]
    public async Task A_command_on_a_redirected_session_is_stopped_where_it_runs()
    {
        await using var source = new MySqlDataSource(Verified("Required") + ServerKind.MariaDb11.PatientCancellation());
        await using var connection = await source.OpenConnectionAsync();
        await using var command =
            new MySqlCommand("SELECT 1 FROM (SELECT 1 AS one UNION ALL SELECT 2) t WHERE SLEEP(10) = 0", connection) { CommandTimeout = 1 };
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, (await Assert.ThrowsAsync<MySqlException>(() => command.ExecuteScalarAsync())).ErrorCode);
        command.CommandText = "SELECT @@port";
        Assert.Equal(servers.Other.Port, Convert.ToInt32(await command.ExecuteScalarAsync()));
    }

    [Theory]
    [InlineData("", 28800)]
    [InlineData("Interactive Session=true", 1234)]
    [InlineData("Interactive Session=true;Reset Mode=Always", 1234)]
    public async Task An_interactive_session_may_be_idle_for_as_long_as_interactive_ones_may(string options, int expected)
    {
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(servers.First, options));
        for (var lease = 0; lease < 3; lease++)
        {
            await using var connection = await source.OpenConnectionAsync();
            await using var command = new MySqlCommand("SELECT @@wait_timeout", connection);
            Assert.Equal(expected, Convert.ToInt32(await command.ExecuteScalarAsync()));
        }
    }

    private string Verified(string mode) =>
        $"Server=127.0.0.1;Port={servers.First.Port};User ID={servers.First.User};Password={servers.First.Password};SSL Mode=VerifyFull;SSL "
            + $"CA={servers.First.CaFile};Server Redirection Mode={mode};";

    private static async Task<int> PortOf(Mode mode, string text)
    {
        await using var source = new MySqlDataSource(text);
        await using var connection = await mode.Open(source);
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT @@port";
        return Convert.ToInt32(await mode.Scalar(command));
    }

    public sealed class Redirecting : IAsyncLifetime
    {
        public LabServer First { get; private set; } = null!;

        public LabServer Other { get; private set; } = null!;

        public async ValueTask InitializeAsync()
        {
            Other = await LiveServers.GetAsync(ServerKind.MariaDb11);
            First = await LiveServers.StartPrivateAsync(ServerKind.MariaDb11, "--interactive-timeout=1234");
            await using var connection = new MySqlConnection(ConnectionStrings.MySql(First, "Pooling=false"));
            await connection.OpenAsync();
            await using var command = new MySqlCommand($"SET GLOBAL redirect_url = 'mariadb://127.0.0.1:{Other.Port}'", connection);
            await command.ExecuteNonQueryAsync();
        }

        public ValueTask DisposeAsync() => First?.DisposeAsync() ?? default;
    }
}
