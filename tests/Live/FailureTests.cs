using System.Data;
using System.Data.Common;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Slipstream.Contract;
using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Failures that occur in practice, each with a message that contains what happened, where, and what to do.</summary>
public class FailureTests
{
    public static TheoryData<ServerKind, bool> Ways => RoundTripTests.Ways;

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_wrong_password(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var error = await OpenFails(kind, ConnectionStrings.Of(server, "Password=wrong-word;Pooling=false"), asynchronous);
        Assert.Contains(server.User, error.Message);
        Assert.DoesNotContain("wrong-word", error.ToString());
        AssertCode(error, 1045, "28P01");
        Assert.False(error.IsTransient);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task An_unknown_database(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var error = await OpenFails(kind, ConnectionStrings.Of(server, "Database=no_such_database;Pooling=false"), asynchronous);
        Assert.Contains("no_such_database", error.Message);
        AssertCode(error, 1049, "3D000");
        Assert.False(error.IsTransient);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Nobody_listens(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        listener.Stop();
        var error = await OpenFails(kind, ConnectionStrings.Of(server, $"Port={port};Pooling=false"), asynchronous);
        Assert.Contains($"127.0.0.1:{port}", error.Message);
        Assert.Contains("Nothing is listening at", error.Message);
        AssertCode(error, 1042, null);
        Assert.True(error.IsTransient);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_host_that_does_not_exist(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var text = ConnectionStrings.Of(server, "Pooling=false").Replace(server.Host, "no-such-host.invalid");
        var error = await OpenFails(kind, text, asynchronous);
        Assert.Contains("no-such-host.invalid", error.Message);
        AssertCode(error, 1042, null);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Another_kind_of_server(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        using var http = new Answering("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"u8.ToArray());
        var error = await OpenFails(kind, ConnectionStrings.Of(server, $"Port={http.Port};Pooling=false"), asynchronous);
        Assert.Contains($"127.0.0.1:{http.Port}", error.Message);
        Assert.Contains("Check the port", error.Message);
    }

    [Fact]
    public async Task A_MySql_client_at_PostgreSqls_port()
    {
        var mySql = await LiveServers.GetAsync(ServerKind.MariaDb);
        var postgreSql = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var began = Stopwatch.GetTimestamp();
        // PostgreSQL sends nothing until the client has sent its first message.
        var error = await OpenFails(ServerKind.MariaDb, ConnectionStrings.MySql(mySql, $"Port={postgreSql.Port};Connection Timeout=1;Pooling=false"), true);
        Assert.InRange(Stopwatch.GetElapsedTime(began).TotalSeconds, 0.9, 10);
        Assert.Contains("greeting", error.Message);
        AssertCode(error, 1042, null);
    }

    [Theory]
    [InlineData("Disable")]
    [InlineData("Require")]
    public async Task A_PostgreSql_client_at_MySqls_port(string mode)
    {
        var mySql = await LiveServers.GetAsync(ServerKind.MariaDb);
        var postgreSql = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var error = await OpenFails(
            ServerKind.PostgreSql, ConnectionStrings.PostgreSql(postgreSql, $"Port={mySql.Port};Timeout=30;Pooling=false;SSL Mode={mode}"), true);
        Assert.Contains($"127.0.0.1:{mySql.Port}", error.Message);
        Assert.Contains("Check the port", error.Message);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_server_that_never_answers(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        proxy.Stalled = true;
        var began = Stopwatch.GetTimestamp();
        var error = await OpenFails(kind, ConnectionStrings.Of(server, $"Port={proxy.Port};{Timeout(kind)}=1;Pooling=false"), asynchronous);
        Assert.InRange(Stopwatch.GetElapsedTime(began).TotalSeconds, 0.9, 10);
        Assert.Contains($"127.0.0.1:{proxy.Port}", error.Message);
        Assert.Contains("1 s", error.Message);
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.PostgreSql)]
    public async Task Opening_is_given_up_when_the_token_says_so(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        proxy.Stalled = true;
        await using var connection = Create(kind, ConnectionStrings.Of(server, $"Port={proxy.Port};{Timeout(kind)}=30"));
        using var source = new CancellationTokenSource(300);
        var began = Stopwatch.GetTimestamp();
        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connection.OpenAsync(source.Token));
        Assert.Equal(source.Token, error.CancellationToken);
        Assert.InRange(Stopwatch.GetElapsedTime(began).TotalSeconds, 0, 10);
        Assert.Equal(ConnectionState.Closed, connection.State);
        proxy.Stalled = false;
        await connection.OpenAsync(CancellationToken.None);
        Assert.NotEqual(0, await Id(connection));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_line_cut_in_the_middle_of_a_query(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var connection = Create(kind, ConnectionStrings.Of(server, $"Port={proxy.Port}"));
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await mode.Open(connection);
        await using var command = connection.CreateCommand();
        command.CommandText = kind.IsPostgreSql() ? "SELECT pg_sleep(20)" : "SELECT SLEEP(20)";
        await using var other = Create(kind, ConnectionStrings.Of(server));
        await other.OpenAsync();
        var id = await Id(connection);
        var cutting = Task.Run(async () =>
        {
            await kind.UntilItRuns(other, id);
            proxy.CutAll();
        });
        var error = await Assert.ThrowsAnyAsync<DbException>(() => mode.Scalar(command));
        await cutting;
        Assert.True(error.IsTransient);
        Assert.Equal(RetrySafety.Unknown, error is MySqlException mySql ? mySql.RetrySafety : ((PgException)error).RetrySafety);
        Assert.Equal(ConnectionState.Closed, connection.State);
        await mode.Open(connection);
        command.CommandText = "SELECT 1";
        Assert.Equal(1, Convert.ToInt32(await mode.Scalar(command)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_stalled_line_ends_with_the_commands_time_out(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var connection =
            Create(kind, ConnectionStrings.Of(server, $"Port={proxy.Port};Cancellation Timeout={(kind.IsPostgreSql() ? 1000 : 1)}"));
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await mode.Open(connection);
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT 1";
        await mode.Scalar(command);
        proxy.Stalled = true;
        command.CommandTimeout = 1;
        var began = Stopwatch.GetTimestamp();
        var error = await Assert.ThrowsAnyAsync<DbException>(() => mode.Scalar(command));
        Assert.InRange(Stopwatch.GetElapsedTime(began).TotalSeconds, 0.9, 12);
        Assert.Contains("time", error.Message, StringComparison.OrdinalIgnoreCase);
        Assert.Equal(ConnectionState.Closed, connection.State);
        proxy.Stalled = false;
    }

    // If a KILL QUERY stops such a SLEEP, MySQL answers with a row, as if nothing had happened.
    [Theory]
    [InlineData(ServerKind.MySql, "scalar")]
    [InlineData(ServerKind.MySql, "reader")]
    [InlineData(ServerKind.MySql, "count")]
    [InlineData(ServerKind.MariaDb, "scalar")]
    [InlineData(ServerKind.MariaDb11, "scalar")]
    [InlineData(ServerKind.MariaDb, "reader")]
    [InlineData(ServerKind.MariaDb11, "reader")]
    [InlineData(ServerKind.MariaDb, "count")]
    [InlineData(ServerKind.MariaDb11, "count")]
    public async Task An_interrupted_sleep_is_no_result(ServerKind kind, string verb)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, kind.PatientCancellation()));
        await connection.OpenAsync();
        await using var command = new MySqlCommand("SELECT SLEEP(10)", connection);
        command.CommandTimeout = 1;
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, (await Assert.ThrowsAsync<MySqlException>(() => Run(default))).ErrorCode);
        command.CommandTimeout = 30;
        using var source = new CancellationTokenSource(300);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Run(source.Token));
        Assert.Equal(7L, Convert.ToInt64(await new MySqlCommand("SELECT 7", connection).ExecuteScalarAsync(CancellationToken.None)));

        async Task Run(CancellationToken token)
        {
            switch (verb)
            {
                case "scalar":
                    await command.ExecuteScalarAsync(token);
                    break;
                case "count":
                    await command.ExecuteNonQueryAsync(token);
                    break;
                default:
                    await using (var reader = await command.ExecuteReaderAsync(token))
                        while (await reader.ReadAsync(token))
                            ;
                    break;
            }
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task An_idle_session_that_was_killed_is_replaced_without_an_error(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = Create(kind, ConnectionStrings.Of(server, $"Application Name=idle-{asynchronous}"));
        await mode.Open(connection);
        var killed = await Id(connection);
        await mode.Close(connection);
        await Kill(server, killed);
        await mode.Open(connection);
        Assert.NotEqual(killed, await Id(connection));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_session_killed_under_its_user_is_an_error_once(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = Create(kind, ConnectionStrings.Of(server, $"Application Name=busy-{asynchronous}"));
        await mode.Open(connection);
        await using var command = connection.CreateCommand();
        command.CommandText = kind.IsPostgreSql() ? "SELECT pg_sleep(20)" : "SELECT SLEEP(20)";
        var id = await Id(connection);
        var killing = Task.Run(async () =>
        {
            await using var other = Create(kind, ConnectionStrings.Of(server));
            await other.OpenAsync();
            await kind.UntilItRuns(other, id);
            await Kill(server, id);
        });
        var error = await Assert.ThrowsAnyAsync<DbException>(() => mode.Scalar(command));
        await killing;
        Assert.True(error.IsTransient, error.Message);
        if (connection.State == ConnectionState.Open)
        {
            // The server closed the connection in an orderly way: the next command finds it closed.
            command.CommandText = "SELECT 1";
            await Assert.ThrowsAnyAsync<DbException>(() => mode.Scalar(command));
        }

        Assert.Equal(ConnectionState.Closed, connection.State);
        await mode.Open(connection);
        command.CommandText = "SELECT 1";
        Assert.Equal(1, Convert.ToInt32(await mode.Scalar(command)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_reader_whose_session_was_killed_is_disposed_also_when_its_command_has_moved_on(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = Create(kind, ConnectionStrings.Of(server, $"Application Name=left-{asynchronous}"));
        await mode.Open(connection);
        await using var command = connection.CreateCommand();
        // Larger than every buffer on the way.
        command.CommandText = kind.IsPostgreSql()
            ? "SELECT repeat('x', 1000) FROM generate_series(1, 100000)"
            : "SELECT REPEAT('x', 1000) FROM information_schema.columns a, information_schema.columns b LIMIT 100000";
        var id = await Id(connection);
        var reader = await mode.Reader(command);
        // The session cannot write its answer, and may stay until the client reads.
        await Kill(server, id, waits: false);
        await Assert.ThrowsAnyAsync<DbException>(async () =>
        {
            while (await mode.Read(reader))
            {
                // Reads on until the end that the server caused.
            }
        });
        if (connection.State == ConnectionState.Open)
            connection.Close();
        command.Connection = null;
        if (asynchronous)
            await reader.DisposeAsync();
        else
            reader.Dispose();
        Assert.True(reader.IsClosed);
        command.Connection = connection;
        await mode.Open(connection);
        command.CommandText = "SELECT 1";
        Assert.Equal(1, Convert.ToInt32(await mode.Scalar(command)));
    }

    [Theory]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.PostgreSql)]
    public async Task A_server_that_is_stopped_and_started_again(ServerKind kind)
    {
        await using var server = await LiveServers.StartPrivateAsync(kind);
        await using var connection = Create(kind, ConnectionStrings.Of(server, $"{Timeout(kind)}=30"));
        await connection.OpenAsync();
        var first = await Id(connection);
        await connection.CloseAsync();
        await server.StopAsync();

        var began = Stopwatch.GetTimestamp();
        var error = await Assert.ThrowsAnyAsync<DbException>(() => connection.OpenAsync());
        Assert.Contains("Nothing is listening at", error.Message);
        Assert.True(error.IsTransient);
        Assert.InRange(Stopwatch.GetElapsedTime(began).TotalSeconds, 0, 15);
        Assert.ThrowsAny<DbException>(connection.Open);

        await server.StartAgainAsync();
        await connection.OpenAsync();
        Assert.NotEqual(0, await Id(connection));
        Assert.NotEqual(0, first);
    }

    private static string Timeout(ServerKind kind) => kind.IsPostgreSql() ? "Timeout" : "Connection Timeout";

    private static DbConnection Create(ServerKind kind, string text) => kind.IsPostgreSql() ? new PgConnection(text) : new MySqlConnection(text);

    private static async Task<DbException> OpenFails(ServerKind kind, string text, bool asynchronous)
    {
        await using var connection = Create(kind, text);
        var error = await Assert.ThrowsAnyAsync<DbException>(() => (asynchronous ? Mode.Async : Mode.Sync).Open(connection));
        Assert.Equal(ConnectionState.Closed, connection.State);
        return error;
    }

    private static void AssertCode(DbException error, int number, string? state)
    {
        if (error is MySqlException mySql)
            Assert.Equal(number, mySql.Number);
        else
            Assert.Equal(state ?? "", error.SqlState ?? "");
    }

    private static async Task<long> Id(DbConnection connection)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = connection is PgConnection ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()";
        return Convert.ToInt64(await command.ExecuteScalarAsync());
    }

    /// <param name="server">The server of the session.</param>
    /// <param name="id">The session's number.</param>
    /// <param name="waits">Whether to wait until it is gone: a session that cannot write its answer may stay for a while.</param>
    private static async Task Kill(LabServer server, long id, bool waits = true)
    {
        await using var connection = Create(server.Kind, ConnectionStrings.Of(server));
        await connection.OpenAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = server.Kind.IsPostgreSql() ? $"SELECT pg_terminate_backend({id}, 30000)" : $"KILL CONNECTION {id}";
        await command.ExecuteNonQueryAsync();
        // MySQL and MariaDB execute the kill a moment later.
        if (!waits || server.Kind.IsPostgreSql())
            return;
        command.CommandText = $"SELECT COUNT(*) FROM {server.Kind.ProcessList()} WHERE id = {id}";
        await Eventually.TrueAsync(async () => Convert.ToInt32(await command.ExecuteScalarAsync()) == 0);
    }

    private sealed class Answering : IDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);

        public Answering(byte[] answer)
        {
            _listener.Start();
            _ = Serve(answer);
        }

        public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

        public void Dispose() => _listener.Dispose();

        private async Task Serve(byte[] answer)
        {
            try
            {
                while (true)
                {
                    using var client = await _listener.AcceptSocketAsync();
                    await client.SendAsync(answer);
                    await client.ReceiveAsync(new byte[1000]);
                }
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                // The test has ended.
            }
        }
    }
}
