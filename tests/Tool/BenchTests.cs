using System.Text.Json;
using Slipstream.Lab;
using Slipstream.Testing;
using Slipstream.Tool.Bench;

namespace Slipstream.Tool.Tests;

/// <summary>bench, without any assertion about time.</summary>
public sealed class BenchTests
{
    [Theory]
    [InlineData(ServerKind.MySql, "MySqlConnector")]
    [InlineData(ServerKind.PostgreSql, "Npgsql")]
    public async Task The_query_runs_with_Slipstream_and_a_peer(ServerKind kind, string peer)
    {
        var server = await LiveServers.GetAsync(kind);
        var (code, output, error) = await Run.ToolAsync(
            "bench", ConnectionStrings.Of(server), "--provider", kind.IsPostgreSql() ? "postgresql" : "mysql", "--query", "SELECT @id + 1, @name",
                "--parameter", "id=41",
            "--parameter", "name:text=lamp", "--rounds", "2", "--peer", $"{peer}={Path.Combine(AppContext.BaseDirectory, peer + ".dll")}", "--json");
        Assert.True(code == 0, output + error);
        using var document = JsonDocument.Parse(output);
        var root = document.RootElement;
        Assert.Equal(["schema", "command", "provider", "rounds", "results", "exitCode"], root.EnumerateObject().Select(static one => one.Name));
        var results = root.GetProperty("results").EnumerateArray().ToList();
        Assert.Equal(
            [("Slipstream", "sync"), (peer, "sync"), ("Slipstream", "async"), (peer, "async")],
            results.Select(static one => (one.GetProperty("driver").GetString()!, one.GetProperty("calls").GetString()!)));
        Assert.All(results, one =>
        {
            Assert.Equal(
                ["driver", "version", "calls", "error", "optionsLeftOut", "operations", "microseconds", "cpuMicroseconds", "bytes", "ratios"],
                one.EnumerateObject().Select(static member => member.Name));
            Assert.True(one.GetProperty("microseconds").GetProperty("median").GetDouble() > 0);
            var isPeer = one.GetProperty("driver").GetString() == peer;
            Assert.Equal(isPeer ? JsonValueKind.Object : JsonValueKind.Null, one.GetProperty("ratios").ValueKind);
            if (isPeer)
                Assert.Equal(["wall", "cpu", "allocated"], one.GetProperty("ratios").EnumerateObject().Select(static ratio => ratio.Name));
        });
        Assert.DoesNotContain(server.Password, output + error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_option_that_only_Slipstream_has_does_not_keep_a_peer_out()
    {
        var server = await LiveServers.GetAsync(ServerKind.MariaDb);
        var (code, output, error) = await Run.ToolAsync(
            "bench", ConnectionStrings.Of(server, "Auto Prepare=true"), "--provider", "mysql", "--query", "SELECT 1", "--rounds", "1", "--mode", "sync",
            "--peer", $"Old={Path.Combine(AppContext.BaseDirectory, "MySqlConnector.dll")}");
        Assert.True(code == 0, output + error);
        Assert.Contains("runs without options that it does not know", error, StringComparison.Ordinal);
        Assert.Contains("Slipstream ", output, StringComparison.Ordinal);
        Assert.Contains("Old ", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ServerKind.MySql, "DELETE FROM t", "begins with DELETE")]
    [InlineData(ServerKind.MySql, "SELECT nextnumber()", "nextnumber")]
    [InlineData(ServerKind.PostgreSql18, "SELECT lo_create(0)", "read-only")]
    [InlineData(ServerKind.PostgreSql, "WITH gone AS (DELETE FROM t RETURNING 1) SELECT * FROM gone", "DELETE FROM")]
    [InlineData(ServerKind.PostgreSql, "SELECT no_such_column", "no_such_column")]
    public async Task A_text_that_writes_or_fails_ends_with_2(ServerKind kind, string query, string text)
    {
        var server = await LiveServers.GetAsync(kind);
        var (code, output, error) = await Run.ToolAsync(
            "bench", ConnectionStrings.Of(server), "--provider", kind.IsPostgreSql() ? "postgresql" : "mysql", "--query", query, "--rounds", "1");
        Assert.Equal((2, ""), (code, output));
        Assert.Contains(text, error, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task With_write_a_text_that_writes_runs()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var (code, output, error) = await Run.ToolAsync(
            "bench", ConnectionStrings.Of(server), "--provider", "postgresql", "--query", "CREATE TEMPORARY TABLE IF NOT EXISTS scratch (id INT)", "--rounds",
                "1",
            "--mode", "sync", "--write");
        Assert.True(code == 0, output + error);
    }

    [Theory]
    [InlineData("Nothing", "is not Name=path")]
    [InlineData("Gone=/no/such/file.dll", "no such file")]
    public async Task A_peer_that_cannot_be_loaded_ends_with_2(string peer, string text)
    {
        var (code, _, error) = await Run.ToolAsync("bench", "Server=127.0.0.1;User ID=app", "--provider", "mysql", "--query", "SELECT 1", "--peer", peer);
        Assert.Equal(2, code);
        Assert.Contains(text, error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("SELECT 1")]
    [InlineData("  (SELECT a FROM t) UNION (SELECT b FROM u)")]
    [InlineData("-- DELETE FROM t\nSELECT 'DROP TABLE t', \"INSERT INTO\" /* UPDATE t SET */ FROM t")]
    [InlineData("WITH c AS (SELECT 1) SELECT * FROM c")]
    [InlineData("VALUES (1)")]
    [InlineData("SELECT updated, created FROM product WHERE dropped = 1")]
    public void A_text_that_reads_is_accepted(string text) => Assert.Null(QueryText.Refusal(text));

    [Theory]
    [InlineData("INSERT INTO t VALUES (1)")]
    [InlineData("SELECT 1; DROP TABLE t")]
    [InlineData("SELECT * INTO copy FROM t")]
    [InlineData("SELECT * FROM t FOR UPDATE")]
    [InlineData("SELECT a INTO OUTFILE '/tmp/x' FROM t")]
    [InlineData("WITH c AS (DELETE FROM t RETURNING *) SELECT * FROM c")]
    [InlineData("SELECT nextval('s')")]
    [InlineData("CALL p()")]
    [InlineData("/*! DELETE FROM t */ SELECT 1")]
    [InlineData("EXPLAIN ANALYZE DELETE FROM t")]
    public void A_text_that_writes_is_refused(string text) => Assert.NotNull(QueryText.Refusal(text));

    [Theory]
    [InlineData("id=42", 42)]
    [InlineData("id=4200000000", 4200000000L)]
    [InlineData("ok=true", true)]
    [InlineData("name=lamp", "lamp")]
    [InlineData("name:text=42", "42")]
    [InlineData("x:double=0.5", 0.5)]
    [InlineData("x:null=", null)]
    public void A_parameter_has_a_type(string text, object? value) => Assert.Equal(value, BenchParameter.Parse(text).Value);

    [Theory]
    [InlineData("id")]
    [InlineData("=1")]
    [InlineData("id:int=x")]
    [InlineData("id:point=1")]
    public void A_wrong_parameter_is_refused(string text) => Assert.Throws<ToolException>(() => BenchParameter.Parse(text));

    [Fact]
    public void The_interval_of_a_median_is_that_of_the_order_statistics()
    {
        // https://en.wikipedia.org/wiki/Order_statistic: of 15 values, the 4th and the 12th; of 6, the extremes; fewer have no interval of 95 %.
        Assert.Equal(new Interval(8, 4, 12), Interval.Of(Enumerable.Range(1, 15).Select(static n => (double)n)));
        Assert.Equal(new Interval(3.5, 1, 6), Interval.Of(Enumerable.Range(1, 6).Select(static n => (double)n)));
        Assert.Equal(new Interval(2, 1, 3), Interval.Of([3, 1, 2]));
        Assert.True(double.IsNaN(Interval.Of([]).Median));
    }
}
