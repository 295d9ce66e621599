using System.Data.Common;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>One user's changes to a pooled session do not reach the next user.</summary>
public class LeaseTests
{
    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task MySql_sessions_are_leased_as_new(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Application Name=lease;Allow User Variables=true"));
        await connection.OpenAsync();
        var id = connection.ServerThread;
        foreach (var sql in new[]
                 {
                     "SET @left = 'behind'", "CREATE TEMPORARY TABLE left_behind (id int)", "SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'",
                     "SET NAMES latin1",
                     "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE", "SET autocommit = 0", "USE information_schema", "SELECT GET_LOCK('left', 0)",
                     "PREPARE left_statement FROM 'SELECT 1'",
                 })
        {
            await ScalarAsync(connection, sql);
        }

        await connection.CloseAsync();
        await connection.OpenAsync();
        Assert.Equal(id, connection.ServerThread);
        Assert.Equal(server.Database, connection.Database);
        Assert.Equal(DBNull.Value, await ScalarAsync(connection, "SELECT @left"));
        Assert.Equal(server.Database, await ScalarAsync(connection, "SELECT DATABASE()"));
        Assert.Equal("utf8mb4", await ScalarAsync(connection, "SELECT @@character_set_client"));
        Assert.Equal("utf8mb4", await ScalarAsync(connection, "SELECT @@character_set_results"));
        Assert.Equal("ä😀", await ScalarAsync(connection, "SELECT 'ä😀'"));
        Assert.Equal(1L, Convert.ToInt64(await ScalarAsync(connection, "SELECT @@autocommit")));
        Assert.DoesNotContain("ANSI_QUOTES", (string?)await ScalarAsync(connection, "SELECT @@sql_mode"));
        Assert.Equal("it's \\ fine", await ScalarAsync(connection, "SELECT @text", ("@text", "it's \\ fine")));
        Assert.Equal(1L, Convert.ToInt64(await ScalarAsync(connection, "SELECT IS_FREE_LOCK('left')")));
        await Assert.ThrowsAsync<MySqlException>(() => ScalarAsync(connection, "SELECT * FROM left_behind"));
        await Assert.ThrowsAsync<MySqlException>(() => ScalarAsync(connection, "EXECUTE left_statement"));
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    public async Task A_reset_that_is_refused_under_a_reader_does_not_come_later(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Allow User Variables=true"));
        await connection.OpenAsync();
        await ScalarAsync(connection, "SET @kept = 'kept'");
        await using (var command = new MySqlCommand("SELECT 1 UNION SELECT 2", connection))
        await using (var reader = await command.ExecuteReaderAsync())
            await Assert.ThrowsAsync<InvalidOperationException>(async () => await connection.ResetConnectionAsync());
        Assert.Equal("kept", await ScalarAsync(connection, "SELECT @kept"));
        await connection.ResetConnectionAsync();
        Assert.Equal(DBNull.Value, await ScalarAsync(connection, "SELECT @kept"));
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task Without_a_reset_the_next_user_sees_what_was_left(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Connection Reset=false;Allow User Variables=true"));
        await connection.OpenAsync();
        await ScalarAsync(connection, "SET @left = 'behind'");
        await connection.CloseAsync();
        await connection.OpenAsync();
        Assert.Equal("behind", await ScalarAsync(connection, "SELECT @left"));
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task Interpolated_text_obeys_the_sessions_quoting_rules(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server));
        await connection.OpenAsync();
        foreach (var mode in new[] { "", "NO_BACKSLASH_ESCAPES", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES,ANSI_QUOTES" })
        {
            await ScalarAsync(connection, $"SET SESSION sql_mode = '{mode}'");
            foreach (var text in new[] { "\\' OR 1=1 -- ", "'", "\\", "\"", "\\\\'", "'; DROP TABLE x; --", "\0\u001a\r\n" })
            {
                Assert.Equal(text, await ScalarAsync(connection, "SELECT @text", ("@text", text)));
                Assert.Equal(1L, Convert.ToInt64(await ScalarAsync(connection, "SELECT @text = @other", ("@text", text), ("@other", text))));
            }
        }
    }

    [Fact]
    public async Task PostgreSql_sessions_are_leased_as_new()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        await using var connection = new PgConnection(ConnectionStrings.PostgreSql(server, "Application Name=lease"));
        await connection.OpenAsync();
        var id = await ScalarAsync(connection, "SELECT pg_backend_pid()");
        foreach (var sql in new[]
                 {
                     "SET work_mem = '7MB'", "SET search_path = pg_catalog", "CREATE TEMPORARY TABLE left_behind (id int)", "SELECT pg_advisory_lock(4711)",
                     "SET default_transaction_isolation = 'serializable'", "SET ROLE pg_monitor", "LISTEN left_channel", "PREPARE left_statement AS SELECT 1",
                 })
        {
            await ScalarAsync(connection, sql);
        }

        await connection.CloseAsync();
        await connection.OpenAsync();
        Assert.Equal(id, await ScalarAsync(connection, "SELECT pg_backend_pid()"));
        Assert.NotEqual("7MB", await ScalarAsync(connection, "SHOW work_mem"));
        Assert.NotEqual("pg_catalog", await ScalarAsync(connection, "SHOW search_path"));
        Assert.Equal("read committed", await ScalarAsync(connection, "SHOW default_transaction_isolation"));
        Assert.Equal(server.User, await ScalarAsync(connection, "SELECT current_user::text"));
        Assert.Equal(0L, await ScalarAsync(connection, "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"));
        Assert.Equal(0L, await ScalarAsync(connection, "SELECT COUNT(*) FROM pg_listening_channels()"));
        await Assert.ThrowsAsync<PgException>(() => ScalarAsync(connection, "SELECT * FROM left_behind"));
    }

    private static async Task<object?> ScalarAsync(DbConnection connection, string sql, params (string Name, object Value)[] parameters)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        foreach (var (name, value) in parameters)
        {
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.Value) = (name, value);
            command.Parameters.Add(parameter);
        }

        return await command.ExecuteScalarAsync();
    }
}
