using System.Globalization;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>Command timeouts that the driver also sends to the server.</summary>
public sealed class ServerDeadlineTests
{
    private const string Long = "SELECT 1 FROM (SELECT 1 AS one UNION ALL SELECT 2) t WHERE SLEEP(5) = 0";

    public static TheoryData<ServerKind, bool> Ways => new()
    {
        { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task The_server_knows_each_commands_time_and_is_told_in_passing(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = new MySqlDataSource(
            ConnectionStrings.MySql(server, "Server Deadlines=true;Maximum Pool Size=1").Replace($"Port={server.Port}", $"Port={proxy.Port}"));
        var variable = kind == ServerKind.MySql ? "@@max_execution_time" : "@@max_statement_time * 1000";
        await using var connection = source.CreateConnection();
        for (var lease = 0; lease < 3; lease++)
        {
            await mode.Open(connection);
            Assert.Equal(30_000, await Told(null));
            proxy.Counters.Reset();
            for (var i = 0; i < 4; i++)
            {
                Assert.Equal(7_000, await Told(7));
                Assert.Equal(0, await Told(0));
                Assert.Equal(30_000, await Told(null));
                Assert.Equal(30_000, await Told(30));
            }

            Assert.Equal(16, proxy.Counters.RoundTrips);
            await mode.Close(connection);
        }

        async Task<int> Told(int? seconds)
        {
            await using var command = connection.CreateCommand();
            command.CommandText = $"SELECT {variable}";
            if (seconds is { } limit)
                command.CommandTimeout = limit;
            return (int)Convert.ToDecimal(await mode.Scalar(command), CultureInfo.InvariantCulture);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_the_server_stops_has_timed_out(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server, kind.PatientCancellation() + "Server Deadlines=true"));
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var command = connection.CreateCommand();

        // Shorter than the driver's own limit, so that the client's clock has no effect.
        command.CommandText = kind == ServerKind.MySql ? "SET max_execution_time = 100" : "SET max_statement_time = 0.1";
        await mode.NonQuery(command);
        command.CommandText = Long;
        var error = await Assert.ThrowsAsync<MySqlException>(() => mode.Scalar(command));
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, error.ErrorCode);
        Assert.Equal(kind == ServerKind.MySql ? 3024 : 1969, Assert.IsType<MySqlException>(error.InnerException).Number);
        await Answers();

        // Both limits at once: either may be first.
        command.CommandText = Long;
        command.CommandTimeout = 1;
        error = await Assert.ThrowsAsync<MySqlException>(() => mode.Scalar(command));
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, error.ErrorCode);
        command.CommandTimeout = 30;
        await Answers();

        async Task Answers()
        {
            command.CommandText = "SELECT 42";
            Assert.Equal(42, Convert.ToInt32(await mode.Scalar(command), CultureInfo.InvariantCulture));
        }
    }
}
