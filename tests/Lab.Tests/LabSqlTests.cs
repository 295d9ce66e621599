using Slipstream.Testing;

namespace Slipstream.Lab.Tests;

/// <summary>The lab's own way to execute statements on servers of MySQL's family.</summary>
public sealed class LabSqlTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public static TheoryData<ServerKind> Kinds => [ServerKind.MariaDb, ServerKind.MariaDb11, ServerKind.MySql];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Rows_names_and_lengths_of_all_forms_are_read(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var rows = LabSql.Run(
            server.Settings, Limit, "SET @long = REPEAT('x', 300)", "SELECT NULL, '', @long, REPEAT('y', 70000) UNION ALL SELECT 1, 'ä', 2, 3");
        Assert.Equal([[null, "", new string('x', 300), new string('y', 70_000)], ["1", "ä", "2", "3"]], rows);
        Assert.Equal(new Dictionary<string, string?> { ["a"] = "1", ["b c"] = null }, LabSql.FirstRow(server.Settings, Limit, "SELECT 1 AS a, NULL AS `b c`"));
        Assert.Null(LabSql.FirstRow(server.Settings, Limit, "SELECT 1 FROM DUAL WHERE FALSE"));
        Assert.Empty(LabSql.Run(server.Settings, Limit, "DO 1"));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_refusal_has_the_server_s_error_but_not_the_statement(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var error = Assert.Throws<InvalidOperationException>(() => LabSql.Run(server.Settings, Limit, "KILL 'secret'"));
        Assert.StartsWith("The server refused KILL with error ", error.Message, StringComparison.Ordinal);
        var login = Assert.Throws<InvalidOperationException>(() => LabSql.Run(server.Settings with { Password = "wrong" }, Limit, "DO 1"));
        Assert.Contains("with error 1045", login.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_is_paused_does_not_hold_the_caller_up()
    {
        await using var server = await LiveServers.StartPrivateAsync(ServerKind.MariaDb);
        server.Pause();
        Assert.True(server.Process.IsStopped);
        Assert.Throws<IOException>(() => LabSql.Run(server.Settings, TimeSpan.FromMilliseconds(200), "DO 1"));
        server.Continue();
        Assert.Empty(LabSql.Run(server.Settings, Limit, "DO 1"));
    }
}
