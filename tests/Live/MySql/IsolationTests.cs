using System.Data;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Sessions;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>
/// A transaction has the requested isolation level, and REPEATABLE READ by default, whatever the server, the session or an earlier statement sets.
/// </summary>
public class IsolationTests
{
    // Statements between the opening of a connection and its transaction. Each leaves the session usable, and the driver learns of it only what the server
    // reports.
    private static readonly string[] Before =
    [
        "", "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
        "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ WRITE", "SET {0} = 'READ-COMMITTED'",
        "SET SESSION {0} = 'READ-UNCOMMITTED'", "SET @@{0} = 'READ-COMMITTED'", "CALL isolation_session()", "CALL isolation_once()",
        "SELECT isolation_function()", "INSERT INTO isolation_setting VALUES (1)", "SELECT * FROM isolation_view",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED; SELECT nonsense", "SELECT 1; SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "SELECT 1",
        "SELECT nonsense", "SET autocommit = 0", "SET autocommit = 0; SELECT COUNT(*) FROM isolation_t",
        "BEGIN", "START TRANSACTION READ ONLY", "SET SESSION TRANSACTION READ ONLY",
        "SET completion_type = 1; SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED; BEGIN",
    ];

    private static readonly Dictionary<ServerKind, Lazy<Task<LabServer>>> Prepared = new()
    {
        [ServerKind.MySql] = new(() => PrepareAsync(ServerKind.MySql)),
        [ServerKind.MariaDb] = new(() => PrepareAsync(ServerKind.MariaDb)),
        [ServerKind.MariaDb11] = new(() => PrepareAsync(ServerKind.MariaDb11)),
    };

    public static TheoryData<ServerKind> Kinds => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_transaction_of_no_level_is_repeatable_read_behind_whatever_came_before(ServerKind kind)
    {
        var server = await Prepared[kind].Value;
        await using var other = await OtherAsync(server);
        foreach (var options in new[] { "", "Pipelining=false;", "Reset Mode=Always;", "Pooling=false;" })
        {
            await using var source = new MySqlDataSource(ConnectionStrings.MySql(server, $"Maximum Pool Size=1;Allow User Variables=true;{options}"));
            foreach (var before in Before)
                foreach (var mode in new[] { Mode.Sync, Mode.Async })
                {
                    await using var connection = (MySqlConnection)await mode.Open(source);
                    await TryAsync(connection, mode, before.Replace("{0}", VariableOf(connection), StringComparison.Ordinal));
                    await using (var transaction = (MySqlTransaction)await mode.Begin(connection))
                    {
                        Assert.Equal(IsolationLevel.Unspecified, transaction.IsolationLevel);
                        Assert.Equal("REPEATABLE READ", await LevelAsync(transaction, other));
                        await mode.Commit(transaction);
                    }

                    // Again, on a session that has already run a transaction.
                    await using (var transaction = (MySqlTransaction)await mode.Begin(connection))
                    {
                        Assert.Equal("REPEATABLE READ", await LevelAsync(transaction, other));
                        await mode.Rollback(transaction);
                    }
                }
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Every_level_and_access_is_the_one_that_was_asked_for(ServerKind kind)
    {
        var server = await Prepared[kind].Value;
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server, "Maximum Pool Size=1;Allow User Variables=true;"));
        await using var other = await OtherAsync(server);
        foreach (var before in new[] { "", "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY", "BEGIN" })
            foreach (var (level, name) in new[]
                     {
                         (IsolationLevel.Unspecified, "REPEATABLE READ"), (IsolationLevel.ReadUncommitted, "READ UNCOMMITTED"),
                         (IsolationLevel.ReadCommitted, "READ COMMITTED"), (IsolationLevel.RepeatableRead, "REPEATABLE READ"),
                         (IsolationLevel.Serializable, "SERIALIZABLE"), (IsolationLevel.Snapshot, "REPEATABLE READ"),
                     })
                foreach (var isReadOnly in new bool?[] { null, false, true })
                    foreach (var mode in new[] { Mode.Sync, Mode.Async })
                    {
                        await using var connection = (MySqlConnection)await mode.Open(source);
                        await TryAsync(connection, mode, before);
                        await using var transaction = (isReadOnly, mode.IsAsync) switch
                        {
                            (null, _) => (MySqlTransaction)await mode.Begin(connection, level),
                            ({ } only, true) => await connection.BeginTransactionAsync(level, only),
                            ({ } only, false) => connection.BeginTransaction(level, only),
                        };
                        Assert.Equal(level, transaction.IsolationLevel);
                        Assert.Equal(name, await LevelAsync(transaction, other));
                        // If nothing is requested, the session's access mode applies.
                        Assert.Equal(
                            isReadOnly ?? before.Contains("READ ONLY", StringComparison.Ordinal),
                            await IsRefusedAsync(transaction, "UPDATE isolation_t SET v = 0 WHERE FALSE"));
                        await mode.Rollback(transaction);
                    }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task The_servers_own_default_is_not_the_transactions(ServerKind kind)
    {
        await using var server = await LiveServers.StartPrivateAsync(kind, "--transaction-isolation=READ-COMMITTED");
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = new MySqlDataSource(
            ConnectionStrings.MySql(server, "Maximum Pool Size=1;Auto Prepare=false;")
                .Replace($"Port={server.Port}", $"Port={proxy.Port}", StringComparison.Ordinal));
        await using (var connection = await source.OpenConnectionAsync())
            await RunAsync(connection, "DROP TABLE IF EXISTS isolation_t; CREATE TABLE isolation_t (v INT); INSERT INTO isolation_t VALUES (1)");
        await using var other = await OtherAsync(server);
        for (var lease = 0; lease < 3; lease++)
        {
            await using var connection = await source.OpenConnectionAsync();
            proxy.Counters.Reset();
            await using var transaction = await connection.BeginTransactionAsync();
            await RunAsync(connection, "SELECT 1", transaction);
            Assert.Equal(1, proxy.Counters.RoundTrips);
            Assert.Equal("REPEATABLE READ", await LevelAsync(transaction, other));
            await transaction.CommitAsync();
            // The requested level applies to this transaction, not to the session.
            await using var command = new MySqlCommand($"SELECT @@{VariableOf(connection)}", connection);
            Assert.Equal("READ-COMMITTED", await command.ExecuteScalarAsync());
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Where_the_session_is_known_to_be_at_the_level_nothing_more_is_sent(ServerKind kind)
    {
        var server = await Prepared[kind].Value;
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = new MySqlDataSource(
            ConnectionStrings.MySql(server, "Maximum Pool Size=1;Auto Prepare=false;")
                .Replace($"Port={server.Port}", $"Port={proxy.Port}", StringComparison.Ordinal));
        foreach (var (before, isKnown) in new[]
        {
            ("SELECT 1", true),
            ("SET SESSION sql_select_limit = DEFAULT", false),
            ("SELECT 1", true),
            ("SELECT nonsense", false),
            ("SELECT 2", true)
        })
            foreach (var level in new[] { IsolationLevel.Unspecified, IsolationLevel.RepeatableRead })
            {
                await using var connection = await source.OpenConnectionAsync();
                // A reset, or the settings of a new session, are sent with the first command.
                await RunAsync(connection, "DO 0");
                await connection.CloseAsync();
                await connection.OpenAsync();
                await RunAsync(connection, "SELECT 1");
                await TryAsync(connection, Mode.Async, before);
                Assert.Equal(isKnown, connection.MySqlSession.IsRepeatableRead);
                proxy.Counters.Reset();
                await using var transaction = await connection.BeginTransactionAsync(level);
                await RunAsync(connection, "SELECT 1", transaction);
                Assert.Equal(1, proxy.Counters.RoundTrips);
            }
    }

    private static async Task<LabServer> PrepareAsync(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;Allow User Variables=true"));
        await connection.OpenAsync();
        foreach (var sql in new[]
                 {
                     "DROP VIEW IF EXISTS isolation_view", "DROP TABLE IF EXISTS isolation_t, isolation_setting", "CREATE TABLE isolation_t (v INT)",
                     "INSERT INTO isolation_t VALUES (1)", "CREATE TABLE isolation_setting (v INT)",
                     "DROP PROCEDURE IF EXISTS isolation_session",
                     "CREATE PROCEDURE isolation_session() SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
                     "DROP PROCEDURE IF EXISTS isolation_once", "CREATE PROCEDURE isolation_once() SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
                     "DROP FUNCTION IF EXISTS isolation_function",
                     "CREATE FUNCTION isolation_function() RETURNS INT NO SQL BEGIN SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED; RETURN 1; END",
                     "CREATE TRIGGER isolation_trigger BEFORE INSERT ON isolation_setting FOR EACH ROW SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
                     "CREATE VIEW isolation_view AS SELECT isolation_function()",
                 })
            await RunAsync(connection, sql);
        return server;
    }

    private static async Task<MySqlConnection> OtherAsync(LabServer server)
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;"));
        await connection.OpenAsync();
        return connection;
    }

    private static string VariableOf(MySqlConnection connection) =>
        connection.ServerVersion.Contains("MariaDB", StringComparison.Ordinal) ? "tx_isolation" : "transaction_isolation";

    // Determined by another transaction's actions: a serializable transaction locks the row; the others see the change before the commit, after it, or never.
    private static async Task<string> LevelAsync(MySqlTransaction transaction, MySqlConnection other)
    {
        var before = await ReadAsync();
        await using var changing = await other.BeginTransactionAsync();
        if (await IsRefusedAsync(changing, "SELECT v FROM isolation_t FOR UPDATE NOWAIT"))
            return "SERIALIZABLE";
        await RunAsync(other, "UPDATE isolation_t SET v = v + 1", changing);
        if (await ReadAsync() != before)
            return "READ UNCOMMITTED";
        await changing.CommitAsync();
        return await ReadAsync() != before ? "READ COMMITTED" : "REPEATABLE READ";

        async Task<int> ReadAsync()
        {
            await using var command = new MySqlCommand("SELECT v FROM isolation_t", transaction.Connection, transaction);
            return (int)(await command.ExecuteScalarAsync())!;
        }
    }

    private static async Task<bool> IsRefusedAsync(MySqlTransaction transaction, string sql)
    {
        try
        {
            await RunAsync(transaction.Connection!, sql, transaction);
            return false;
        }
        // Read-only transaction; NOWAIT on MySQL and on MariaDB.
        catch (MySqlException refused) when (refused.Number is 1792 or 3572 or 1205)
        {
            return true;
        }
    }

    private static async Task TryAsync(MySqlConnection connection, Mode mode, string sql)
    {
        if (sql.Length == 0)
            return;
        await using var command = new MySqlCommand(sql, connection);
        try
        {
            await mode.NonQuery(command);
        }
        catch (MySqlException)
        {
            // A statement that fails also counts as an earlier statement.
        }
    }

    private static async Task RunAsync(MySqlConnection connection, string sql, MySqlTransaction? transaction = null)
    {
        await using var command = new MySqlCommand(sql, connection, transaction);
        await command.ExecuteNonQueryAsync();
    }
}
