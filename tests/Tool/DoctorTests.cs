using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.Tool.Tests;

/// <summary>doctor with the lab's servers, and with what is not a server.</summary>
public sealed class DoctorTests
{
    public static TheoryData<ServerKind> Servers => [.. ServerKinds.All];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Every_check_has_a_result_and_a_page(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var (code, output, error) = await Run.ToolAsync(
            "doctor", ConnectionStrings.Of(server), "--provider", kind.IsPostgreSql() ? "postgresql" : "mysql", "--samples", "3", "--json");
        Assert.True(code is 0 or 1, error);
        using var document = JsonDocument.Parse(output);
        var root = document.RootElement;
        Assert.Equal(
            ["schema", "command", "connected", "provider", "host", "checks", "summary", "exitCode"], root.EnumerateObject().Select(static one => one.Name));
        Assert.Equal(code, root.GetProperty("exitCode").GetInt32());
        var checks = root.GetProperty("checks").EnumerateArray().ToList();
        Assert.All(checks, static check =>
        {
            Assert.Equal(["id", "level", "finding", "advice", "docs", "figures"], check.EnumerateObject().Select(static one => one.Name));
            Assert.True(Repository.HasPage(check.GetProperty("docs").GetString()!), check.GetProperty("docs").GetString());
            Assert.Equal(
                check.GetProperty("level").GetString() is "advice" or "problem", check.GetProperty("advice").ValueKind == JsonValueKind.String);
        });
        var ids = checks.Select(static check => check.GetProperty("id").GetString()!).ToList();
        Assert.All(
            (string[])["server", "authentication", "tls", "latency", "connect", "round-trips", "pool", "idle", "privileges", "proxy", "pipelining", "options"],
            id => Assert.Contains(id, ids));
        Assert.Equal("ok", LevelOf(checks, "server"));
        Assert.Equal("ok", LevelOf(checks, "proxy"));
        Assert.Equal("ok", LevelOf(checks, "pipelining"));
        // Open, query and close on a pooled connection take one round trip.
        Assert.Equal(1, Check(checks, "round-trips").GetProperty("figures").GetProperty("perOperation").GetDouble());
        Assert.DoesNotContain(server.Password, output + error, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task TLS_is_read_from_the_server(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var mode = kind.IsPostgreSql() ? $"SSL Mode=VerifyCA;Root Certificate={server.Settings.CaFile}" : $"SSL Mode=VerifyCA;SSL CA={server.Settings.CaFile}";
        var (_, output, error) = await Run.ToolAsync(
            "doctor", ConnectionStrings.Of(server, mode), "--provider", kind.IsPostgreSql() ? "postgresql" : "mysql", "--samples", "1", "--json");
        Assert.Equal("", error);
        using var document = JsonDocument.Parse(output);
        var checks = document.RootElement.GetProperty("checks").EnumerateArray().ToList();
        Assert.StartsWith("TLSv1.", Check(checks, "tls").GetProperty("finding").GetString(), StringComparison.Ordinal);
        Assert.Contains("the driver verifies the certificate's authority", Check(checks, "tls").GetProperty("finding").GetString(), StringComparison.Ordinal);
        Assert.Contains("expires on 20", Check(checks, "certificate").GetProperty("finding").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.PostgreSql)]
    public async Task With_write_a_commit_is_measured_and_the_table_is_gone(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var (_, output, error) = await Run.ToolAsync(
            "doctor", ConnectionStrings.Of(server), "--provider", kind.IsPostgreSql() ? "postgresql" : "mysql", "--samples", "1", "--write", "--json");
        Assert.Equal("", error);
        using var document = JsonDocument.Parse(output);
        var checks = document.RootElement.GetProperty("checks").EnumerateArray().ToList();
        Assert.True(Check(checks, "commit").GetProperty("figures").GetProperty("medianMs").GetDouble() > 0);
        await using var source = kind.IsPostgreSql()
            ? (System.Data.Common.DbDataSource)PostgreSql.PgDataSource.Create(ConnectionStrings.Of(server))
            : new MySql.MySqlDataSource(ConnectionStrings.Of(server));
        await using var command = source.CreateCommand("SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'slipstream\\_doctor\\_%'");
        Assert.Equal(0L, Convert.ToInt64(await command.ExecuteScalarAsync(TestContext.Current.CancellationToken), null));
    }

    [Fact]
    public async Task A_plain_output_has_a_line_for_each_check()
    {
        var server = await LiveServers.GetAsync(ServerKind.MySql);
        var (_, output, _) = await Run.ToolAsync("doctor", ConnectionStrings.Of(server), "--provider", "mysql", "--samples", "1");
        Assert.StartsWith($"mysql at {server.Host}\nserver  ok  MySQL 9.7", output, StringComparison.Ordinal);
        Assert.DoesNotContain('\u001b', output);
        Assert.DoesNotContain(server.Password, output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_connection_string_comes_from_a_variable_a_file_or_the_standard_input()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var text = ConnectionStrings.Of(server);
        Environment.SetEnvironmentVariable("SLIPSTREAM_TOOL_TEST", text);
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(
            folder["appsettings.json"],
            JsonSerializer.Serialize(new { ConnectionStrings = new { Shop = text }, Other = new { Path = text } }),
            TestContext.Current.CancellationToken);
        foreach (var arguments in (string[][])[
            ["--env", "SLIPSTREAM_TOOL_TEST"], ["--appsettings", folder["appsettings.json"]], ["--appsettings", folder["appsettings.json"], "--name", "shop"],
            ["--appsettings", folder["appsettings.json"], "--name", "Other:Path"], ["-"]])
        {
            var (code, output, error) = await Run.AsyncWith(text + "\n", ["doctor", .. arguments, "--provider", "postgresql", "--samples", "1"]);
            Assert.True(code is 0 or 1, error);
            Assert.Contains("server  ok  PostgreSQL 15", output, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("doctor")]
    [InlineData("doctor", "Server=localhost;User ID=app", "--env", "X")]
    [InlineData("doctor", "--env", "SLIPSTREAM_NOT_SET_ANYWHERE")]
    [InlineData("doctor", "this is not one")]
    [InlineData("doctor", "Server=localhost;User ID=app;Password=hunter2;Poolign=true", "--provider", "mysql")]
    [InlineData("doctor", "Server=localhost;User ID=app", "--provider", "oracle")]
    [InlineData("doctor", "Server=localhost;User ID=app", "--samples", "0")]
    [InlineData("doctor", "Server=localhost;User ID=app", "--no-such-option")]
    [InlineData("bench", "Server=localhost;User ID=app")]
    // A connection string without its quotes, as some shells pass it on.
    [InlineData("doctor", "Server=localhost;User", "ID=app;Password=hunter2;Database=shop")]
    [InlineData("doctor", "Server=localhost;User ID=app", "pwd='hunter2'")]
    [InlineData("migrat")]
    [InlineData]
    public async Task A_wrong_command_line_ends_with_2(params string[] arguments)
    {
        var (code, output, error) = await Run.ToolAsync(arguments);
        Assert.Equal((2, ""), (code, output));
        Assert.StartsWith("slipstream: ", error, StringComparison.Ordinal);
        Assert.DoesNotContain("hunter2", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("mysql", false)]
    [InlineData("postgresql", false)]
    [InlineData("mysql", true)]
    public async Task Without_a_server_it_ends_with_2_and_says_why(string provider, bool json)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        listener.Stop();
        var (code, output, error) = await Run.ToolAsync(
            ["doctor", $"Host=127.0.0.1;Port={port};Username=app;Password=hunter2;Timeout=5".Replace("Timeout", provider == "mysql" ? "Connection Timeout"
                : "Timeout", StringComparison.Ordinal),
                "--provider", provider, .. json ? (string[])["--json"] : []]);
        Assert.Equal(2, code);
        if (json)
        {
            using var document = JsonDocument.Parse(output);
            Assert.False(document.RootElement.GetProperty("connected").GetBoolean());
            Assert.Contains("Nothing is listening", document.RootElement.GetProperty("error").ToString(), StringComparison.Ordinal);
        }
        else
            Assert.Contains("Nothing is listening", error, StringComparison.Ordinal);
        Assert.DoesNotContain("hunter2", output + error, StringComparison.Ordinal);
    }

    // Something that listens and speaks another protocol; its words contain the password.
    [Fact]
    public async Task A_server_of_another_kind_ends_with_2_and_cannot_show_the_password()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var answering = Task.Run(async () =>
        {
            using var client = await listener.AcceptTcpClientAsync(TestContext.Current.CancellationToken);
            await client.GetStream().WriteAsync("HTTP/1.1 400 hunter2-is-the-password\r\n\r\n"u8.ToArray(), TestContext.Current.CancellationToken);
        }, TestContext.Current.CancellationToken);
        var (code, output, error) = await Run.ToolAsync(
            "doctor", $"Server=127.0.0.1;Port={((IPEndPoint)listener.LocalEndpoint).Port};User ID=app;Password=hunter2;Connection Timeout=5", "--provider",
                "mysql");
        await answering;
        Assert.Equal((2, ""), (code, output));
        Assert.DoesNotContain("hunter2", error, StringComparison.Ordinal);
    }

    private static JsonElement Check(List<JsonElement> checks, string id) => checks.Single(check => check.GetProperty("id").GetString() == id);

    private static string? LevelOf(List<JsonElement> checks, string id) => Check(checks, id).GetProperty("level").GetString();
}
