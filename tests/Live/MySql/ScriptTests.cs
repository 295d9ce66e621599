using System.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>MySqlScript: statements, DELIMITER lines, events, errors.</summary>
public class ScriptTests
{
    public static TheoryData<ServerKind, bool> Kinds => new(
        from kind in new[]
        {
            ServerKind.MySql,
            ServerKind.MariaDb,
            ServerKind.MariaDb11
        } from asynchronous in new[] { false, true } select (kind, asynchronous));

    private const string Script = """
        -- A script as mysqldump and people write them.
        CREATE TEMPORARY TABLE script_t (v int);
        SET @sum = 0;
        DELIMITER $$
        CREATE PROCEDURE {0}(IN amount int)
        BEGIN
          SET @sum = @sum + amount; /* inside */
          SELECT @sum;
        END$$
        DELIMITER ;
        CALL {0}(2); CALL {0}(3);
        INSERT INTO script_t VALUES (@sum), (';');
        """;

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Each_statement_is_executed_by_itself_and_told(ServerKind kind, bool asynchronous)
    {
        using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind)));
        connection.Open();
        var name = $"script_{Environment.ProcessId}_{asynchronous}";
        var script = new MySqlScript(connection, Script.Replace("{0}", name, StringComparison.Ordinal).Replace("(';')", "(1)", StringComparison.Ordinal));
        var told = new List<(int Line, int Position, string Begin)>();
        var completed = 0;
        script.StatementExecuted += (sender, e) =>
        {
            Assert.Same(script, sender);
            told.Add((e.Line, e.Position, e.StatementText[..6]));
        };
        script.ScriptCompleted += (_, _) => completed++;
        try
        {
            Assert.Equal(6, asynchronous ? await script.ExecuteAsync() : script.Execute());
            Assert.Equal(
                [
                    (2, 0, "CREATE"), (3, 0, "SET @s"), (5, 0, "CREATE"), (11, 0, "CALL s"),
                    (11, script.Query!.Split('\n')[10].IndexOf("CALL", 4, StringComparison.Ordinal), "CALL s"), (12, 0, "INSERT")
                ],
                told);
            Assert.Equal(1, completed);
            Assert.Equal("5,1", MySqlHelper.ExecuteScalar(connection, "SELECT GROUP_CONCAT(v ORDER BY v DESC) FROM script_t"));
        }
        finally
        {
            MySqlHelper.ExecuteNonQuery(connection, $"DROP PROCEDURE IF EXISTS {name}");
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_refused_statement_ends_the_script_unless_it_is_ignored(ServerKind kind, bool asynchronous)
    {
        using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind)));
        connection.Open();
        var script = new MySqlScript(connection, "DO 1;\n  DO nothing; DO 2");
        await Assert.ThrowsAsync<MySqlException>(Execute);

        MySqlScriptErrorEventArgs? told = null;
        var ignore = false;
        script.Error += (_, e) => (told = e).Ignore = ignore;
        Assert.Equal(1, await Execute());
        Assert.Equal((2, 2, "DO nothing"), (told!.Line, told.Position, told.StatementText));
        Assert.IsType<MySqlException>(told.Exception);
        ignore = true;
        Assert.Equal(2, await Execute());

        async Task<int> Execute() => asynchronous ? await script.ExecuteAsync() : script.Execute();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_closed_connection_is_opened_for_the_script_and_a_transaction_is_joined(ServerKind kind, bool asynchronous)
    {
        using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind)));
        var script = new MySqlScript(connection, "SET sql_mode = 'NO_BACKSLASH_ESCAPES'// SELECT '\\'// SELECT 1") { Delimiter = "//" };
        Assert.Equal(3, asynchronous ? await script.ExecuteAsync() : script.Execute());
        Assert.Equal(ConnectionState.Closed, connection.State);
        connection.Open();
        using var transaction = connection.BeginTransaction();
        Assert.Equal(3, asynchronous ? await script.ExecuteAsync() : script.Execute());
        Assert.Equal(ConnectionState.Open, connection.State);
    }

    [Fact]
    public void What_is_missing_is_named()
    {
        Assert.Throws<InvalidOperationException>(static () => new MySqlScript("DO 1").Execute());
        Assert.Throws<InvalidOperationException>(static () => new MySqlScript(new MySqlConnection()).Execute());
        Assert.Throws<ArgumentException>(static () => new MySqlScript { Delimiter = "" });
    }
}
