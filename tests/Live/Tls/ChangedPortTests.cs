using System.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.Tls;

/// <summary>
/// A device between the client and a real server changes ports, as NAT and cloud load balancers do, and the driver still verifies the server.
/// </summary>
public sealed class ChangedPortTests
{
    private const string Long = "SELECT 1 FROM (SELECT 1 AS one UNION ALL SELECT 2) t WHERE SLEEP(30) = 0";

    [Theory]
    [InlineData(ServerKind.MySql, "VerifyFull", "", false)]
    [InlineData(ServerKind.MySql, "VerifyCA", "Use Compression=true", true)]
    [InlineData(ServerKind.MySql, "VerifyCA", "Pipelining Mode=On", true)]
    [InlineData(ServerKind.MariaDb, "VerifyFull", "Use Compression=true", true)]
    [InlineData(ServerKind.MariaDb, "VerifyCA", "", false)]
    [InlineData(ServerKind.MariaDb11, "VerifyFull", "", true)]
    [InlineData(ServerKind.MariaDb11, "VerifyCA", "Reset Mode=Always", false)]
    public async Task A_command_is_stopped_and_its_connection_stays_open(ServerKind kind, string mode, string more, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = Create(server, proxy.Port, mode, more);
        // A lease after a reset knows it as well as the first one.
        for (var lease = 0; lease < 3; lease++)
        {
            await using var connection = await source.OpenConnectionAsync();
            var session = connection.ServerThread;
            await using var command = new MySqlCommand(Long, connection) { CommandTimeout = asynchronous ? 60 : 1 };
            if (asynchronous)
            {
                using var stop = new CancellationTokenSource(200);
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => command.ExecuteScalarAsync(stop.Token));
            }
            else
                Assert.Equal(
                    MySqlErrorCode.CommandTimeoutExpired,
                    (await Assert.ThrowsAsync<MySqlException>(() => Verbs.OnOwnThread(() => command.ExecuteScalar()))).ErrorCode);

            Assert.Equal(ConnectionState.Open, connection.State);
            Assert.Equal(session, connection.ServerThread);
            command.CommandText = "SELECT CONNECTION_ID()";
            Assert.Equal((long)session, Convert.ToInt64(await command.ExecuteScalarAsync()));
        }
    }

    /// <summary>The driver queries the identity before the first command, which does not notice it.</summary>
    [Theory, InlineData(ServerKind.MySql), InlineData(ServerKind.MariaDb), InlineData(ServerKind.MariaDb11)]
    public async Task The_question_leaves_no_trace_and_costs_no_round_trip(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var unasked = Create(server, proxy.Port, "Required", "Maximum Pool Size=2");
        await using var asked = Create(server, proxy.Port, "VerifyFull", "Maximum Pool Size=2");
        List<string> answers = [];
        foreach (var source in new[] { unasked, asked })
        {
            // The first session of a source is probed; the second one is not.
            await using var first = await source.OpenConnectionAsync();
            await using var second = await source.OpenConnectionAsync();
            foreach (var connection in new[] { first, second })
            {
                var before = proxy.Counters.RoundTrips;
                await using var command =
                    new MySqlCommand("SELECT CONCAT_WS(' ', FOUND_ROWS(), ROW_COUNT(), LAST_INSERT_ID(), @@error_count, @@sql_mode)", connection);
                answers.Add((string)(await command.ExecuteScalarAsync())!);
                Assert.Equal(1, proxy.Counters.RoundTrips - before);
            }
        }

        Assert.StartsWith("0 0 0 0 ", answers[0], StringComparison.Ordinal);
        Assert.All(answers, answer => Assert.Equal(answers[0], answer));
    }

    private static MySqlDataSource Create(LabServer server, int port, string mode, string more) => new(
        $"Server={server.Host};Port={port};User ID={server.User};Password={server.Password};Database={server.Database};SSL Mode={mode};SSL "
            + $"CA={server.CaFile};Connection Timeout=60;Cancellation Timeout=25;{more}");
}
