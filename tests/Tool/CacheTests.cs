using System.Data.Common;
using System.Text.Json;
using Microsoft.Extensions.Caching.Distributed;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Caching;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Caching;
using Slipstream.Testing;

namespace Slipstream.Tool.Tests;

/// <summary>cache create on each server.</summary>
public sealed class CacheTests
{
    public static TheoryData<ServerKind> Servers => [.. ServerKinds.All];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task The_created_table_is_the_one_that_a_cache_uses_and_creates(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var source = SourceOf(server);
        var table = NewName();
        try
        {
            var (code, output, error) = await CreateAsync(server, "--table", table);
            Assert.Equal((0, $"The table {table} was created.\n", ""), (code, output, error));
            var cache = CacheOn(source, table);
            await cache.SetStringAsync("key", "value", TestContext.Current.CancellationToken);

            (code, output, error) = await CreateAsync(server, "--table", table, "--json");
            Assert.Equal((0, ""), (code, error));
            using var document = JsonDocument.Parse(output);
            Assert.Equal(
                ["schema", "command", "provider", "table", "created", "usable", "problem", "exitCode"],
                document.RootElement.EnumerateObject().Select(static one => one.Name));
            Assert.False(document.RootElement.GetProperty("created").GetBoolean());
            Assert.True(document.RootElement.GetProperty("usable").GetBoolean());
            Assert.Equal("value", await cache.GetStringAsync("key", TestContext.Current.CancellationToken));
        }
        finally
        {
            await DropAsync(source, table);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_table_that_is_not_a_caches_is_found_and_not_changed(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var source = SourceOf(server);
        var table = NewName();
        try
        {
            await ExecuteAsync(source, $"CREATE TABLE {table} (id int)");
            var (code, output, _) = await CreateAsync(server, "--table", table);
            Assert.Equal(1, code);
            Assert.StartsWith($"A table {table} exists, but it is not the table of a cache: ", output, StringComparison.Ordinal);
            await ExecuteAsync(source, $"INSERT INTO {table} VALUES (1)");
        }
        finally
        {
            await DropAsync(source, table);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task With_sql_nothing_is_created_and_the_text_creates_the_table(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var source = SourceOf(server);
        var table = NewName();
        try
        {
            var (code, sql, error) = await CreateAsync(server, "--table", table, "--sql");
            Assert.Equal((0, ""), (code, error));
            await Assert.ThrowsAnyAsync<DbException>(() => ExecuteAsync(source, $"SELECT 1 FROM {table}"));
            await ExecuteAsync(source, sql);
            Assert.Contains("exists, and a cache can use it", (await CreateAsync(server, "--table", table)).Output, StringComparison.Ordinal);
        }
        finally
        {
            await DropAsync(source, table);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_failure_has_exit_code_2_and_no_password(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var place = kind.IsPostgreSql() ? "--schema" : "--database";
        var (code, output, error) = await CreateAsync(server, "--table", "cache", place, "slipstream_is_not_here");
        Assert.Equal((2, ""), (code, output));
        Assert.StartsWith("slipstream: the table slipstream_is_not_here.cache was not created: ", error, StringComparison.Ordinal);
        Assert.DoesNotContain(server.Password, error, StringComparison.Ordinal);

        (code, output, error) = await CreateAsync(server, "--table", "cache", place, "slipstream_is_not_here", "--json");
        Assert.Equal((2, ""), (code, error));
        using var document = JsonDocument.Parse(output);
        Assert.Equal(
            ["schema", "command", "provider", "table", "error", "exitCode"], document.RootElement.EnumerateObject().Select(static one => one.Name));
        Assert.DoesNotContain(server.Password, output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("mysql")]
    [InlineData("postgresql")]
    public async Task A_failure_shows_its_cause_once(string provider)
    {
        // Nothing listens at port 1.
        string[] line = ["cache", "create", "Host=127.0.0.1;Port=1;Username=nobody", "--provider", provider];
        var (_, _, error) = await Run.ToolAsync(line);
        var lines = error.TrimEnd().Split('\n');
        Assert.Equal(3, lines.Length);
        Assert.StartsWith("  Cause: ", lines[1], StringComparison.Ordinal);
        Assert.StartsWith("  What to do: https://", lines[2], StringComparison.Ordinal);

        var (_, output, _) = await Run.ToolAsync([.. line, "--json"]);
        using var document = JsonDocument.Parse(output);
        var cause = document.RootElement.GetProperty("error").GetProperty("cause").GetString();
        Assert.Equal(lines[1]["  Cause: ".Length..], cause);
        Assert.DoesNotContain("outer exception", cause, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_unlogged_table_of_a_schema_is_created_on_PostgreSQL()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        await using var source = SourceOf(server);
        var table = NewName();
        try
        {
            var (code, output, error) = await CreateAsync(server, "--table", table, "--schema", "public", "--unlogged");
            Assert.Equal((0, $"The table public.{table} was created.\n", ""), (code, output, error));
            await using var command = source.CreateCommand($"SELECT relpersistence::text FROM pg_class WHERE relname = '{table}'");
            Assert.Equal("u", await command.ExecuteScalarAsync(TestContext.Current.CancellationToken));
        }
        finally
        {
            await DropAsync(source, table);
        }
    }

    [Theory]
    [InlineData("mysql", "--schema", "web")]
    [InlineData("mysql", "--unlogged")]
    [InlineData("postgresql", "--database", "web")]
    public async Task An_option_of_the_other_server_is_refused(string provider, params string[] options)
    {
        var (code, output, error) = await Run.ToolAsync(["cache", "create", "Host=127.0.0.1;Port=1;Username=nobody", "--provider", provider, .. options]);
        Assert.Equal((2, ""), (code, output));
        Assert.Contains($"{options[0]} is not an option for {provider}", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_wrong_command_line_names_the_command_whose_help_describes_it()
    {
        var (code, output, error) = await Run.ToolAsync("cache", "create", "--tabel", "x");
        Assert.Equal((2, ""), (code, output));
        Assert.Contains("'slipstream cache create --help'", error, StringComparison.Ordinal);
    }

    private static Task<(int Code, string Output, string Error)> CreateAsync(LabServer server, params string[] options) =>
        Run.ToolAsync(["cache", "create", ConnectionStrings.Of(server), "--provider", server.Kind.IsPostgreSql() ? "postgresql" : "mysql", .. options]);

    private static string NewName() => $"tool_cache_{Guid.NewGuid():N}";

    private static DbDataSource SourceOf(LabServer server) =>
        server.Kind.IsPostgreSql() ? PgDataSource.Create(ConnectionStrings.Of(server)) : new MySqlDataSource(ConnectionStrings.Of(server));

    private static IDistributedCache CacheOn(DbDataSource source, string table) => source is MySqlDataSource mySql
        ? new MySqlCache(mySql, new() { TableName = table })
        : new PgCache((PgDataSource)source, new() { TableName = table });

    private static Task DropAsync(DbDataSource source, string table) => ExecuteAsync(source, $"DROP TABLE IF EXISTS {table}");

    private static async Task ExecuteAsync(DbDataSource source, string text)
    {
        await using var command = source.CreateCommand(text);
        await command.ExecuteNonQueryAsync();
    }
}
