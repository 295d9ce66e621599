using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>
/// The packet that lets a server send large results in larger pieces: when it is sent, that it costs no round trip, and that nothing else changes.
/// </summary>
public class ServerSendBufferTests
{
    // 100,000 rows of about 27 bytes.
    private const string Large = "SELECT a.v + 10 * b.v + 100 * c.v + 1000 * d.v + 10000 * e.v AS n, 'twenty letters in it' FROM " + Ten + " a, " + Ten + " b, "
        + Ten + " c, " + Ten + " d, " + Ten + " e";
    private const string Ten = "(SELECT 0 AS v UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL "
        + "SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";

    public static TheoryData<ServerKind, bool> Ways => new()
    {
        { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true }, { ServerKind.MariaDb11, false },
        { ServerKind.MariaDb11, true },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task It_grows_once_in_front_of_the_second_command_behind_a_large_result(ServerKind kind, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var connection = new MySqlConnection(Text(server, proxy, "Maximum Pool Size=1"));
        await mode.Open(connection);
        await Counter(connection, mode, kind, 0);
        proxy.Counters.Reset();
        Assert.Equal(100_000, await Rows(connection, mode));
        Assert.Equal((1, 0), (proxy.Counters.RoundTrips, Packets(proxy)));

        // Together with the query whether the server accepts such a packet.
        proxy.Counters.Reset();
        Assert.Equal(100_000, await Rows(connection, mode));
        Assert.Equal((1, 0), (proxy.Counters.RoundTrips, Packets(proxy)));

        proxy.Counters.Reset();
        Assert.Equal(100_000, await Rows(connection, mode));
        Assert.Equal((1, 1), (proxy.Counters.RoundTrips, Packets(proxy)));
        await Counter(connection, mode, kind, 1);

        proxy.Counters.Reset();
        Assert.Equal(100_000, await Rows(connection, mode));
        Assert.Equal(100_000, await Rows(connection, mode));
        Assert.Equal((2, 0), (proxy.Counters.RoundTrips, Packets(proxy)));

        // The buffer survives the reset of the next lease, whose counters begin at 0.
        await mode.Close(connection);
        await mode.Open(connection);
        Assert.Equal(100_000, await Rows(connection, mode));
        Assert.Equal(100_000, await Rows(connection, mode));
        Assert.Equal(0, Packets(proxy));
        await Counter(connection, mode, kind, 0);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task It_travels_with_a_reset_and_with_a_transaction(ServerKind kind, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var connection = new MySqlConnection(Text(server, proxy, "Maximum Pool Size=1"));
        await mode.Open(connection);
        Assert.Equal(100_000, await Rows(connection, mode));
        await mode.Close(connection);

        await mode.Open(connection);
        proxy.Counters.Reset();
        await using (var asking = connection.CreateCommand())
        {
            // With a table: after any other statement, MariaDB would keep the warning of the driver's query.
            asking.CommandText = "SELECT 6 FROM (SELECT 1 AS a) t";
            Assert.Equal(6, Convert.ToInt32(await mode.Scalar(asking)));
        }

        Assert.Equal(0, Packets(proxy));
        await mode.Close(connection);
        await mode.Open(connection);
        await using var transaction = await mode.Begin(connection);
        await using var command = connection.CreateCommand();
        command.Transaction = (MySqlTransaction)transaction;
        command.CommandText = "SELECT 7";
        Assert.Equal(7, Convert.ToInt32(await mode.Scalar(command)));
        // The client waits once. The proxy's count is not reliable here: the server may answer the prefixes while the 128 KiB are still being sent.
        Assert.Equal(1, Packets(proxy));
        await mode.Commit(transaction);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_command_that_cannot_be_written_leaves_it_for_the_next(ServerKind kind, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var connection = new MySqlConnection(Text(server, proxy, "Pooling=false"));
        await mode.Open(connection);
        Assert.Equal(100_000, await Rows(connection, mode));
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT @value";
        command.Parameters.AddWithValue("@value", new Uri("https://example.org"));
        await Assert.ThrowsAsync<NotSupportedException>(() => mode.Scalar(command));
        Assert.Equal(0, Packets(proxy));
        Assert.Equal(100_000, await Rows(connection, mode));
        Assert.Equal(0, Packets(proxy));
        await Assert.ThrowsAsync<NotSupportedException>(() => mode.Scalar(command));
        Assert.Equal(100_000, await Rows(connection, mode));
        Assert.Equal(1, Packets(proxy));
    }

    [Theory]
    [InlineData(ServerKind.MySql, 0, 0)]
    [InlineData(ServerKind.MariaDb, 0, 0)]
    [InlineData(ServerKind.MariaDb11, 0, 0)]
    [InlineData(ServerKind.MySql, 128 * 1024, 1)]
    [InlineData(ServerKind.MariaDb, 128 * 1024, 1)]
    [InlineData(ServerKind.MariaDb11, 128 * 1024, 1)]
    public async Task The_option_says_never_or_at_once(ServerKind kind, int option, int packets)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var connection = new MySqlConnection(Text(server, proxy, $"Pooling=false;Server Send Buffer={option}"));
        connection.Open();
        Assert.Equal(100_000, await Rows(connection, Mode.Sync));
        Assert.Equal(packets, Packets(proxy));
        Assert.Equal(100_000, await Rows(connection, Mode.Sync));
        Assert.Equal(packets, Packets(proxy));
    }

    private static int Packets(LabProxy proxy) => (int)(proxy.Counters.BytesSent / (128 * 1024));

    // MySQL does not count a statement that does not exist.
    private static async Task Counter(MySqlConnection connection, Mode mode, ServerKind kind, int expected)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = "SHOW SESSION STATUS LIKE 'Com_stmt_send_long_data'";
        await using var reader = await mode.Reader(command);
        Assert.True(await mode.Read(reader));
        Assert.Equal(kind == ServerKind.MySql ? 0 : expected, Convert.ToInt32(reader.GetValue(1), System.Globalization.CultureInfo.InvariantCulture));
        Assert.False(await mode.Read(reader));
    }

    private static string Text(LabServer server, LabProxy proxy, string more) =>
        $"Server=127.0.0.1;Port={proxy.Port};User ID={server.User};Password={server.Password};Database={server.Database};Auto Prepare=false;{more}";

    private static async Task<int> Rows(MySqlConnection connection, Mode mode)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = Large;
        await using var reader = await mode.Reader(command);
        var (rows, sum) = (0, 0L);
        for (; await mode.Read(reader); rows++)
        {
            sum += reader.GetInt64(0);
            if (rows % 1000 == 0)
                Assert.Equal("twenty letters in it", reader.GetString(1));
        }

        Assert.Equal(4_999_950_000, sum);
        return rows;
    }
}
