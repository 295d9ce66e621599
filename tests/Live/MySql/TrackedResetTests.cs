using System.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Sessions;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>
/// The driver may skip the reset of a pooled session only if nothing has changed in it. Whatever one lease does, the next one sees a session like a new one;
/// separate tests show what it may still see.
/// </summary>
public class TrackedResetTests
{
    private static readonly string[] SetUp =
    [
        "DROP TABLE IF EXISTS reset_t, reset_setting, reset_failing, reset_locking", "DROP VIEW IF EXISTS reset_view, reset_locking_view",
        "CREATE TABLE reset_t (id INT AUTO_INCREMENT PRIMARY KEY, v INT UNIQUE)", "CREATE TABLE reset_setting (v INT UNIQUE)",
        "CREATE TABLE reset_failing (v INT)", "CREATE TABLE reset_locking (v INT)",
        "DROP FUNCTION IF EXISTS reset_sets", "DROP FUNCTION IF EXISTS reset_locks", "DROP FUNCTION IF EXISTS reset_fails",
        "DROP PROCEDURE IF EXISTS reset_all", "DROP PROCEDURE IF EXISTS reset_prepares",
        "CREATE FUNCTION reset_sets() RETURNS INT NO SQL BEGIN SET @left = 'function'; RETURN 1; END",
        "CREATE FUNCTION reset_locks() RETURNS INT NO SQL RETURN GET_LOCK('left', 0)",
        "CREATE FUNCTION reset_fails() RETURNS INT NO SQL BEGIN SET @left = 'failed'; SIGNAL SQLSTATE '45000'; RETURN 1; END",
        "CREATE PROCEDURE reset_all() BEGIN SET @left = 'procedure'; SET SESSION sql_mode = 'ANSI_QUOTES'; CREATE TEMPORARY TABLE left_behind (v INT); DO "
            + "GET_LOCK('left', 0); END",
        "CREATE PROCEDURE reset_prepares() BEGIN PREPARE left_statement FROM 'SELECT 1'; END",
        "CREATE TRIGGER reset_setting_trigger BEFORE INSERT ON reset_setting FOR EACH ROW SET @left = 'trigger'",
        "CREATE TRIGGER reset_failing_trigger BEFORE INSERT ON reset_failing FOR EACH ROW BEGIN SET @left = 'failed trigger'; SIGNAL SQLSTATE '45000'; END",
        "CREATE TRIGGER reset_locking_trigger BEFORE INSERT ON reset_locking FOR EACH ROW SET NEW.v = GET_LOCK('left', 0)",
        "CREATE VIEW reset_view AS SELECT reset_sets() AS v", "CREATE VIEW reset_locking_view AS SELECT reset_locks() AS v",
        "DROP VIEW IF EXISTS reset_key_view", "CREATE VIEW reset_key_view AS SELECT LAST_INSERT_ID() AS v", "DROP TABLE IF EXISTS reset_key",
        "CREATE TABLE reset_key (v BIGINT)",
        "CREATE TRIGGER reset_key_trigger BEFORE INSERT ON reset_key FOR EACH ROW SET NEW.v = LAST_INSERT_ID()",
        "DROP VIEW IF EXISTS reset_makes_key", "CREATE VIEW reset_makes_key AS SELECT LAST_INSERT_ID(4712) AS v",
        "INSERT INTO reset_setting VALUES (1)", "CREATE ROLE IF NOT EXISTS reset_role",
        "DROP PROCEDURE IF EXISTS reset_takes_role", "CREATE PROCEDURE reset_takes_role() SQL SECURITY INVOKER SET ROLE reset_role",
        "DROP PROCEDURE IF EXISTS reset_takes_role_as_definer", "CREATE PROCEDURE reset_takes_role_as_definer() SET ROLE reset_role",
        "DROP PROCEDURE IF EXISTS reset_takes_role_hidden",
        "CREATE PROCEDURE reset_takes_role_hidden() SQL SECURITY INVOKER BEGIN SET @hidden = CONCAT('SET RO', 'LE reset_role'); PREPARE hidden FROM @hidden; "
            + "EXECUTE hidden; END",
    ];

    // What a statement may leave; several statements in one lease are separated by three slashes. Errors are allowed.
    private static readonly string[] Left =
    [
        "SET @left = 1", "SET @left := 1", "SELECT @left := 1", "SELECT @left:=v FROM reset_setting", "SELECT 1 INTO @left",
        "SELECT v FROM reset_setting INTO @left", "SELECT 1.INTO @left",
        "SELECT 1.e5INTO @left", "SELECT .5into @left", "SELECT 1 /*!INTO @left */", "INSERT INTO reset_t (v) VALUES (@left := 7)",
        "UPDATE reset_setting SET v = (@left := v)",
        "SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'", "SET NAMES latin1", "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
        "SET character_set_results = NULL", "SET CHARACTER SET latin1",
        "SET time_zone = '+07:00'", "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE", "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "SET autocommit = 0", "SET autocommit = 0///SELECT * FROM reset_t",
        "SET sql_select_limit = 1", "SET @left = 1, sql_mode = 'bogus'", "SELECT 1; SET @left = 1", "SELECT 1; SELECT @left := 2; SELECT 3",
        "USE information_schema", "USE information_schema///SELECT 1", "SELECT 1///USE information_schema///SELECT DATABASE()",
        "CREATE TEMPORARY TABLE left_behind (id INT)", "CREATE TEMPORARY TABLE left_behind AS SELECT 1 AS a", "PREPARE left_statement FROM 'SELECT 1'",
        "CALL reset_prepares()", "CALL reset_all()",
        "SELECT GET_LOCK('left', 0)", "DO GET_LOCK('left', 0)", "SELECT get_lock ('left', 0)", "SELECT GET_LOCK/* */('left', 0)", "SELECT `reset_locks`()",
        "SELECT reset_locks()", "SELECT slipstream.reset_locks()",
        "SELECT reset_sets()", "SELECT * FROM reset_view", "SELECT reset_fails()", "DO reset_fails()", "INSERT INTO reset_setting VALUES (2)",
        "INSERT INTO reset_setting VALUES (1)",
        "INSERT INTO reset_setting VALUES (3), (1)", "INSERT INTO reset_failing VALUES (1)", "INSERT IGNORE INTO reset_setting VALUES (1)",
        "INSERT INTO reset_t (v) SELECT reset_sets()",
        "HANDLER reset_t OPEN AS left_handler", "LOCK TABLES reset_t WRITE", "LOCK TABLES reset_t READ///SELECT * FROM reset_t",
        "FLUSH TABLES reset_t WITH READ LOCK",
        "SET ROLE reset_role", "CALL reset_takes_role()", "CALL reset_takes_role_as_definer()", "CALL reset_takes_role_hidden()",
        "SET DEFAULT ROLE NONE TO slipstream", "XA START 'left'", "BEGIN///INSERT INTO reset_t (v) VALUES (99)",
        "START TRANSACTION///SELECT * FROM reset_t FOR UPDATE",
        "SELECT LAST_INSERT_ID(4711)", "UPDATE reset_t SET v = LAST_INSERT_ID(4711) WHERE id = -1", "SET LAST_INSERT_ID = 4711", "SET insert_id = 4711",
        "SET session_track_state_change = OFF///SET @left = 1",
        "SET session_track_system_variables = ''///SET time_zone = '+07:00'", "SET timestamp = 1", "BEGIN NOT ATOMIC SET @left = 1; END",
        "EXECUTE IMMEDIATE 'SET @left = 1'", "SET profiling = 1",
    ];

    public static TheoryData<ServerKind, string> Cases
    {
        get
        {
            var cases = new TheoryData<ServerKind, string>();
            foreach (var kind in new[] { ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11 })
                foreach (var statements in Left)
                    cases.Add(kind, statements);
            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task The_next_lease_sees_a_new_session(ServerKind kind, string statements)
    {
        var server = await PreparedAsync(kind);
        foreach (var prepared in new[] { false, true })
        {
            await using var source = SourceOf(server);
            await using var connection = await source.OpenConnectionAsync();
            // The session has been used and is known to be clean: the lease under test begins without a reset.
            Run(connection, "SELECT 1", false);
            var asNew = StateOf(connection);
            connection.Close();
            connection.Open();
            var id = connection.ServerThread;
            foreach (var sql in statements.Split("///"))
                Run(connection, sql, prepared);
            CloseAnyhow(connection);

            await using var next = await source.OpenConnectionAsync();
            if (next.ServerThread == id)
            {
                Assert.Equal(asNew, StateOf(next));
                Assert.True(Fails(next, "SELECT * FROM left_behind"), "The temporary table is still there.");
                Assert.True(Fails(next, "EXECUTE left_statement"), "The prepared statement is still there.");
                Assert.True(Fails(next, "HANDLER left_handler READ FIRST"), "The handler is still open.");
                Assert.Equal(0, Convert.ToInt32(Scalar(next, "SELECT LAST_INSERT_ID()")));
            }

            // Neither a table lock nor a row lock remains.
            await using var other = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false"));
            await other.OpenAsync();
            Run(other, "SET lock_wait_timeout = 1, innodb_lock_wait_timeout = 1", false);
            Scalar(other, "UPDATE reset_t SET v = v");
            Scalar(other, "DELETE FROM reset_t WHERE v IN (7, 99)");
            Scalar(other, "DELETE FROM reset_setting WHERE v <> 1");
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task A_lease_of_queries_and_changes_needs_no_reset_and_keeps_what_is_prepared(ServerKind kind)
    {
        var server = await PreparedAsync(kind);
        await using var source = SourceOf(server);
        await using var connection = await source.OpenConnectionAsync();
        Run(connection, "SELECT v FROM reset_t WHERE id = 5", true);
        var prepared = connection.MySqlSession.Prepared.Count;
        Assert.True(prepared >= 1);
        foreach (var sql in new[]
                 {
                     "SELECT COUNT(*), NOW() FROM reset_t", "INSERT INTO reset_t (v) VALUES (1000)", "UPDATE reset_t SET v = 1001 WHERE v = 1000",
                     "DELETE FROM reset_t WHERE v = 1001",
                     "REPLACE INTO reset_t (v) VALUES (1000)", "DELETE FROM reset_t WHERE v = 1000; SELECT 1", "WITH c AS (SELECT 1 AS one) SELECT one FROM c",
                 })
        {
            Scalar(connection, sql);
            NeedsNone(connection);
        }

        foreach (var level in new[] { IsolationLevel.Unspecified, IsolationLevel.ReadCommitted, IsolationLevel.Serializable, IsolationLevel.Snapshot })
            foreach (var commit in new[] { true, false })
            {
                using (var transaction = connection.BeginTransaction(level))
                {
                    using (var command = new MySqlCommand("INSERT INTO reset_t (v) VALUES (1002)", connection, transaction))
                        command.ExecuteNonQuery();
                    using (var command = new MySqlCommand("DELETE FROM reset_t WHERE v = 1002", connection, transaction))
                        command.ExecuteNonQuery();
                    transaction.Save("here");
                    if (commit)
                        transaction.Commit();
                }

                NeedsNone(connection);
            }

        Assert.InRange(connection.MySqlSession.Prepared.Count, prepared, int.MaxValue);

        static void NeedsNone(MySqlConnection connection)
        {
            var session = connection.MySqlSession;
            connection.Close();
            Assert.False(session.NeedsReset);
            connection.Open();
            Assert.Same(session, connection.MySqlSession);
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql, "Reset Mode=Always")]
    [InlineData(ServerKind.MariaDb, "Reset Mode=Always")]
    [InlineData(ServerKind.MariaDb11, "Reset Mode=Always")]
    [InlineData(ServerKind.MySql, "Pipelining=false")]
    [InlineData(ServerKind.MariaDb, "Pipelining=false")]
    [InlineData(ServerKind.MariaDb11, "Pipelining=false")]
    public async Task Always_resets_and_so_does_a_source_that_must_not_pipeline(ServerKind kind, string options)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var source = SourceOf(server, options);
        await using var connection = await source.OpenConnectionAsync();
        Scalar(connection, "SELECT 1");
        var session = connection.MySqlSession;
        connection.Close();
        Assert.True(session.NeedsReset);
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task The_values_of_the_last_statement_are_not_there_for_who_asks_first(ServerKind kind)
    {
        var server = await PreparedAsync(kind);
        await using var source = SourceOf(server);
        foreach (var (sql, asNew) in new[]
        {
            ("SELECT LAST_INSERT_ID()", 0),
            ("SELECT ROW_COUNT()", -2),
            ("SELECT FOUND_ROWS()", -2),
            ("SELECT @@identity", 0),
            ("SELECT @@last_insert_id", 0),
            ("SELECT @@session.warning_count", -2),
            ("SELECT @@error_count", -2)
        })
        {
            await using var connection = await source.OpenConnectionAsync();
            Scalar(connection, "INSERT INTO reset_t (v) VALUES (1003), (1004), (1005)");
            Scalar(connection, "DELETE FROM reset_t WHERE v BETWEEN 1003 AND 1005");
            connection.Close();
            Assert.Equal(asNew == 0 ? 0 : await FirstOfNewAsync(server, sql), FirstOf(connection, sql));
            // A first command that could not be written does not count.
            Scalar(connection, "INSERT INTO reset_t (v) VALUES (1003), (1004), (1005)");
            Scalar(connection, "DELETE FROM reset_t WHERE v BETWEEN 1003 AND 1005");
            connection.Close();
            connection.Open();
            await using (var refused = new MySqlCommand("SELECT @p", connection))
            {
                refused.Parameters.AddWithValue("p", new object());
                Assert.ThrowsAny<Exception>(refused.ExecuteScalar);
            }

            Assert.Equal(asNew == 0 ? 0 : await FirstOfNewAsync(server, sql), Convert.ToInt64(Scalar(connection, sql)));
        }

        static long FirstOf(MySqlConnection connection, string sql)
        {
            connection.Open();
            return Convert.ToInt64(Scalar(connection, sql));
        }

        // What a session returns after a reset, before anything else.
        static async Task<long> FirstOfNewAsync(LabServer server, string sql)
        {
            await using var source = SourceOf(server, "Reset Mode=Always");
            await using var connection = await source.OpenConnectionAsync();
            Scalar(connection, "SELECT 1");
            connection.Close();
            return FirstOf(connection, sql);
        }
    }

    public static TheoryData<ServerKind, string> Keys
    {
        get
        {
            var cases = new TheoryData<ServerKind, string>();
            foreach (var kind in new[] { ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11 })
                foreach (var sql in new[]
                {
                    "INSERT INTO reset_t (v) VALUES (1006)",
                    "REPLACE INTO reset_t (v) VALUES (1006)",
                    "INSERT INTO reset_t (v) SELECT 1006",
                    "SELECT 1; INSERT INTO reset_t (v) VALUES (1006)",
                    "INSERT INTO reset_t (v) VALUES (1006) RETURNING id"
                })
                    if (kind != ServerKind.MySql || !sql.Contains("RETURNING", StringComparison.Ordinal))
                        cases.Add(kind, sql);
            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Keys))]
    public async Task A_key_made_by_an_earlier_lease_is_never_seen_and_costs_no_prepared_statement(ServerKind kind, string insert)
    {
        var server = await PreparedAsync(kind);
        await using var source = SourceOf(server);
        await using var connection = await source.OpenConnectionAsync();
        Scalar(connection, "DELETE FROM reset_t WHERE v = 1006");
        Run(connection, "SELECT v FROM reset_t WHERE id = 5", true);
        foreach (var way in new[] { "text", "prepared", "batch", "transaction" })
            foreach (var first in new[]
            {
                "SELECT 1",
                "INSERT IGNORE INTO reset_setting VALUES (1)",
                "SELECT * FROM reset_key_view",
                "INSERT INTO reset_key VALUES (0)",
                "BEGIN",
                "batch",
                "none"
            })
            {
                Insert(way);
                var session = connection.MySqlSession;
                var prepared = session.Prepared.Count;
                connection.Close();
                Assert.False(session.NeedsReset);
                if (first == "none")
                {
                    // A lease without a command changes nothing for the next one.
                    connection.Open();
                    connection.Close();
                }

                connection.Open();
                Assert.Same(session, connection.MySqlSession);
                First(first);
                Assert.InRange(session.Prepared.Count, first == "none" ? 0 : prepared, int.MaxValue);
                Assert.Equal(0L, Convert.ToInt64(Scalar(connection, "SELECT LAST_INSERT_ID()")));
                Assert.Equal(0L, Convert.ToInt64(Scalar(connection, "SELECT IFNULL(MAX(v), 0) FROM reset_key")));
                connection.Close();
                // The query for the key was one that needs a reset; this lease causes it.
                connection.Open();
                Run(connection, "SELECT v FROM reset_t WHERE id = 5", true);
                Scalar(connection, "DELETE FROM reset_t WHERE v = 1006");
                Scalar(connection, "DELETE FROM reset_key");
                connection.Close();
                connection.Open();
            }

        void Insert(string way)
        {
            if (way == "batch")
            {
                using var batch =
                    new MySqlBatch(connection) { BatchCommands = { new MySqlBatchCommand("DELETE FROM reset_t WHERE v = 1"), new MySqlBatchCommand(insert) } };
                batch.ExecuteNonQuery();
                return;
            }

            using var transaction = way == "transaction" ? connection.BeginTransaction() : null;
            using (var command = new MySqlCommand(insert, connection, transaction))
            {
                if (way == "prepared")
                    command.Prepare();
                Assert.NotEqual(0, command.ExecuteNonQuery());
            }

            transaction?.Commit();
        }

        void First(string first)
        {
            switch (first)
            {
                case "none":
                    break;
                case "BEGIN":
                    connection.BeginTransaction().Dispose();
                    break;
                case "batch":
                    using (var batch = new MySqlBatch(connection) { BatchCommands = { new MySqlBatchCommand("SELECT 1"), new MySqlBatchCommand("SELECT 2") } })
                        batch.ExecuteNonQuery();
                    break;
                case "SELECT * FROM reset_key_view":
                    Assert.Equal(0L, Convert.ToInt64(Scalar(connection, first)));
                    break;
                default:
                    Scalar(connection, first);
                    break;
            }
        }
    }

    // No server reports them, and the text does not show them: docs/performance.md documents this.
    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task Keys_of_views_and_values_of_sequences_taken_unseen_stay_unless_each_lease_is_reset(ServerKind kind)
    {
        var server = await PreparedAsync(kind);
        foreach (var isReset in new[] { false, true })
        {
            await using var source = SourceOf(server, isReset ? "Reset Mode=Always" : "");
            await using var connection = await source.OpenConnectionAsync();
            Scalar(connection, "SELECT v FROM reset_makes_key");
            connection.Close();
            connection.Open();
            Scalar(connection, "SELECT v FROM reset_setting");
            Assert.Equal(isReset ? 0L : 4712L, Convert.ToInt64(Scalar(connection, "SELECT LAST_INSERT_ID()")));
            if (kind == ServerKind.MySql)
                continue;
            Run(connection, "DROP TABLE IF EXISTS reset_numbered", false);
            Run(connection, "DROP SEQUENCE IF EXISTS reset_numbers", false);
            Run(connection, "CREATE SEQUENCE reset_numbers START WITH 7", false);
            Run(connection, "CREATE TABLE reset_numbered (id INT DEFAULT NEXTVAL(reset_numbers), v INT)", false);
            connection.Close();
            connection.Open();
            Scalar(connection, "INSERT INTO reset_numbered (v) VALUES (1)");
            connection.Close();
            connection.Open();
            Scalar(connection, "SELECT v FROM reset_setting");
            Assert.Equal(isReset ? DBNull.Value : 7L, Scalar(connection, "SELECT LASTVAL(reset_numbers)"));
            Scalar(connection, "DROP TABLE reset_numbered");
            Run(connection, "DROP SEQUENCE reset_numbers", false);
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task A_refused_statement_of_an_earlier_lease_is_no_warning_of_this_one(ServerKind kind)
    {
        var server = await PreparedAsync(kind);
        await using var source = SourceOf(server);
        await using var connection = await source.OpenConnectionAsync();
        foreach (var refused in new[] { "SELECT nothing FROM reset_t", "SELECT v FROM reset_nowhere", "SELECT" })
            foreach (var prepared in new[] { false, true })
            {
                connection.Close();
                connection.Open();
                Scalar(connection, "SELECT 1");
                Assert.True(Fails(connection, refused, prepared));
                connection.Close();
                connection.Open();
                // It uses no table: MariaDB keeps the warnings after it.
                Scalar(connection, "SELECT @@time_zone");
                Assert.Equal((refused, prepared, 0L), (refused, prepared, Convert.ToInt64(Scalar(connection, "SHOW COUNT(*) WARNINGS"))));
            }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task A_lease_behind_one_that_made_a_key_is_one_round_trip_and_one_behind_a_read_sends_nothing_more(ServerKind kind)
    {
        var server = await PreparedAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = new MySqlDataSource(
            ConnectionStrings.MySql(server, "Maximum Pool Size=1;Auto Prepare=false;")
                .Replace($"Port={server.Port}", $"Port={proxy.Port}", StringComparison.Ordinal));
        await using var connection = await source.OpenConnectionAsync();
        Scalar(connection, "SELECT 1");
        var plain = Lease();
        Scalar(connection, "INSERT INTO reset_t (v) VALUES (1007)");
        var behindKey = Lease();
        Assert.Equal((1, 1), (plain.RoundTrips, behindKey.RoundTrips));
        Assert.Equal(plain.BytesSent + "DO LAST_INSERT_ID(0)".Length + 5 + (kind == ServerKind.MySql ? 2 : 0), behindKey.BytesSent);
        Assert.Equal(plain, Lease());
        Scalar(connection, "DELETE FROM reset_t WHERE v = 1007");

        (long RoundTrips, long BytesSent) Lease()
        {
            connection.Close();
            connection.Open();
            proxy.Counters.Reset();
            Scalar(connection, "SELECT 1");
            return (proxy.Counters.RoundTrips, proxy.Counters.BytesSent);
        }
    }

    /// <summary>MariaDB keeps the warnings after statements that use no table.</summary>
    [Theory]
    [InlineData(ServerKind.MySql, "")]
    [InlineData(ServerKind.MariaDb, "")]
    [InlineData(ServerKind.MariaDb11, "")]
    [InlineData(ServerKind.MariaDb, "Pipelining Mode=Off;Reset Mode=Tracked")]
    [InlineData(ServerKind.MariaDb11, "Reset Mode=Always")]
    public async Task Warnings_of_an_earlier_lease_are_not_shown(ServerKind kind, string options)
    {
        var server = await PreparedAsync(kind);
        await using var source = SourceOf(server, options);
        await using var connection = await source.OpenConnectionAsync();
        foreach (var warned in new[]
        {
            "SELECT CAST('x' AS SIGNED)",
            "SELECT CAST('x' AS SIGNED) FROM reset_setting LIMIT 1",
            "SELECT CAST('x' AS SIGNED); SELECT 1",
            "SELECT CAST('x' AS SIGNED)///SELECT 1"
        })
        foreach (var first in new[] { "SELECT 1", "SELECT @p", "BEGIN", "DO 1", "SELECT 1; SELECT 2" })
        foreach (var prepared in new[] { false, true })
        {
            foreach (var statement in warned.Split("///"))
                Run(connection, statement, prepared);
            connection.Close();
            connection.Open();
            if (first == "BEGIN")
            {
                using var transaction = connection.BeginTransaction();
                using var command = new MySqlCommand("SHOW WARNINGS", connection, transaction);
                Assert.Null(command.ExecuteScalar());
            }
            else
            {
                using var command = new MySqlCommand(first, connection);
                if (first.Contains('@'))
                    command.Parameters.AddWithValue("@p", 1);
                if (prepared && !first.Contains(';'))
                    command.Prepare();
                command.ExecuteScalar();
            }

            Assert.True(Scalar(connection, "SHOW WARNINGS") is null, $"{warned}, then {first}, {(prepared ? "prepared" : "text")}");
        }
    }

    /// <summary>Documented: no server reports a lock that a trigger takes, or a function inside a view.</summary>
    [Theory]
    [InlineData(ServerKind.MySql, "INSERT INTO reset_locking VALUES (0)")]
    [InlineData(ServerKind.MariaDb, "INSERT INTO reset_locking VALUES (0)")]
    [InlineData(ServerKind.MariaDb11, "INSERT INTO reset_locking VALUES (0)")]
    [InlineData(ServerKind.MySql, "SELECT * FROM reset_locking_view")]
    [InlineData(ServerKind.MariaDb, "SELECT * FROM reset_locking_view")]
    [InlineData(ServerKind.MariaDb11, "SELECT * FROM reset_locking_view")]
    public async Task A_lock_taken_inside_a_trigger_or_a_view_stays_unless_every_lease_is_reset(ServerKind kind, string sql)
    {
        var server = await PreparedAsync(kind);
        foreach (var (options, expected) in new[] { ("", true), ("Reset Mode=Always", false) })
        {
            await using var source = SourceOf(server, options);
            await using var connection = await source.OpenConnectionAsync();
            // The session of another round may still be closing: its lock exists on the server.
            Eventually.True(() => Scalar(connection, "SELECT IS_USED_LOCK('left')") is DBNull);
            Scalar(connection, sql);
            connection.Close();
            connection.Open();
            Assert.Equal(expected, Scalar(connection, "SELECT IS_USED_LOCK('left')") is not DBNull);
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task What_is_written_behind_a_reset_obeys_the_servers_quoting_rules(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var source = SourceOf(server);
        await using var connection = await source.OpenConnectionAsync();
        foreach (var mode in new[] { "NO_BACKSLASH_ESCAPES", "ANSI_QUOTES,NO_BACKSLASH_ESCAPES", "" })
            foreach (var text in new[] { "\\' OR 1=1 -- ", "\\", "it's \\", "\\\\'" })
            {
                Run(connection, $"SET SESSION sql_mode = '{mode}'", false);
                connection.Close();
                connection.Open();
                using var command = new MySqlCommand("SELECT @text", connection);
                command.Parameters.AddWithValue("@text", text);
                Assert.Equal(text, command.ExecuteScalar());
            }
    }

    [Theory]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task An_account_has_its_default_role_again_behind_a_procedure_that_gave_it_up(ServerKind kind)
    {
        var server = await PreparedAsync(kind);
        var (user, role) = ($"reset_user_{Environment.ProcessId}", $"reset`role_{Environment.ProcessId}");
        var quoted = "`" + role.Replace("`", "``") + "`";
        await using var administration = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false"));
        administration.Open();
        try
        {
            foreach (var sql in new[]
                     {
                         $"CREATE USER {user}@'%' IDENTIFIED BY 'secret'", $"CREATE ROLE {quoted}", $"GRANT {quoted} TO {user}@'%'",
                         $"SET DEFAULT ROLE {quoted} FOR {user}@'%'", $"GRANT EXECUTE ON {server.Database}.* TO {user}@'%'",
                         "CREATE OR REPLACE PROCEDURE reset_gives_up_role() SQL SECURITY INVOKER SET ROLE NONE",
                     })
                Run(administration, sql, false);
            foreach (var options in new[] { "", "Reset Mode=Always", "Pipelining=false" })
            {
                await using var source = new MySqlDataSource(
                    $"Server={server.Host};Port={server.Port};User ID={user};Password=secret;Database={server.Database};Maximum Pool Size=1;{options}");
                await using var connection = await source.OpenConnectionAsync();
                var id = connection.ServerThread;
                foreach (var sql in new[] { "CALL reset_gives_up_role()", "SELECT 1", "CALL reset_gives_up_role()" })
                {
                    Run(connection, sql, false);
                    connection.Close();
                    connection.Open();
                    Assert.Equal(role, Scalar(connection, "SELECT CURRENT_ROLE()"));
                    Assert.Equal(id, connection.ServerThread);
                }
            }
        }
        finally
        {
            Run(administration, $"DROP USER IF EXISTS {user}@'%'", false);
            Run(administration, $"DROP ROLE IF EXISTS {quoted}", false);
        }
    }

    /// <summary>On both servers, a reset keeps the role, so the session is not used again.</summary>
    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task A_role_that_was_set_is_gone_for_the_next_lease(ServerKind kind)
    {
        var server = await PreparedAsync(kind);
        var (user, role) = ($"role_user_{Environment.ProcessId}", $"role_of_user_{Environment.ProcessId}");
        await using var administration = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false"));
        administration.Open();
        try
        {
            foreach (var sql in new[]
            {
                $"CREATE USER {user}@'%' IDENTIFIED BY 'secret'",
                $"CREATE ROLE {role}",
                $"GRANT {role} TO {user}@'%'",
                $"GRANT SELECT ON {server.Database}.* TO {user}@'%'"
            })
                Run(administration, sql, false);
            foreach (var options in new[] { "", "Reset Mode=Always", "Pipelining=false" })
            {
                await using var source = new MySqlDataSource(
                    $"Server={server.Host};Port={server.Port};User ID={user};Password=secret;Database={server.Database};Maximum Pool Size=1;{options}");
                await using var connection = await source.OpenConnectionAsync();
                var usual = Scalar(connection, "SELECT CURRENT_ROLE()");
                Run(connection, $"SET ROLE {role}", false);
                Assert.NotEqual(usual, Scalar(connection, "SELECT CURRENT_ROLE()"));
                connection.Close();
                connection.Open();
                Assert.Equal(usual, Scalar(connection, "SELECT CURRENT_ROLE()"));
            }
        }
        finally
        {
            Run(administration, $"DROP USER IF EXISTS {user}@'%'", false);
            Run(administration, $"DROP ROLE IF EXISTS {role}", false);
        }
    }

    /// <summary>
    /// The reset of a pooled session adopts the current global sql_mode, and the driver writes the first text before the reset's answer has arrived.
    /// </summary>
    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task What_is_written_behind_a_reset_survives_a_change_of_the_global_mode(ServerKind kind)
    {
        await using var server = await LiveServers.StartPrivateAsync(kind);
        await using var administration =
            new MySqlConnection($"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};Pooling=false");
        administration.Open();
        foreach (var options in new[] { "", "Reset Mode=Always", "Pipelining=false" })
        {
            await using var source = SourceOf(server, options);
            await using var connection = await source.OpenConnectionAsync();
            foreach (var mode in new[] { "NO_BACKSLASH_ESCAPES", "" })
            {
                foreach (var text in new[] { "\\' OR 1=1 -- ", "it's", "grüße \\ 😀" })
                {
                    // The session is opened under the other mode, and is not clean.
                    Run(administration, $"SET GLOBAL sql_mode = '{(mode.Length == 0 ? "NO_BACKSLASH_ESCAPES" : "")}'", false);
                    MySqlConnection.ClearPool(connection);
                    connection.Close();
                    connection.Open();
                    Run(connection, "SET @left = 1", false);
                    Run(administration, $"SET GLOBAL sql_mode = '{mode}'", false);
                    connection.Close();
                    connection.Open();
                    using var command = new MySqlCommand("SELECT CONCAT(@text, '|', CONVERT(@bytes USING utf8mb4))", connection);
                    command.Parameters.AddWithValue("@text", text);
                    command.Parameters.AddWithValue("@bytes", System.Text.Encoding.UTF8.GetBytes(text));
                    Assert.Equal(text + "|" + text, command.ExecuteScalar());
                    Assert.Equal(text + "|" + text, command.ExecuteScalar());
                }
            }
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task A_server_whose_default_is_not_utf8mb4_and_whose_mode_is_ansi(ServerKind kind)
    {
        await using var server = await LiveServers.StartPrivateAsync(
            kind, "--character-set-server=latin1", "--collation-server=latin1_swedish_ci", "--sql-mode=ANSI_QUOTES,NO_BACKSLASH_ESCAPES");
        foreach (var options in new[] { "", "Reset Mode=Always", "Pipelining=false" })
        {
            await using var source = SourceOf(server, options);
            await using var connection = await source.OpenConnectionAsync();
            var asNew = StateOf(connection);
            foreach (var sql in new[] { "SELECT 1", "SET NAMES latin1", "SET @left = 1", "SET sql_mode = ''", "SELECT 'grüße 😀'", "USE information_schema" })
            {
                Run(connection, sql, false);
                connection.Close();
                connection.Open();
                using (var command = new MySqlCommand("SELECT @text", connection))
                {
                    command.Parameters.AddWithValue("@text", "grüße \\' 😀");
                    Assert.Equal("grüße \\' 😀", command.ExecuteScalar());
                }

                Assert.Equal(asNew, StateOf(connection));
            }
        }
    }

    private static async Task<LabServer> PreparedAsync(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await Prepared[kind].Value;
        return server;
    }

    private static readonly Dictionary<ServerKind, Lazy<Task>> Prepared = new()
    {
        [ServerKind.MySql] = new(() => PrepareAsync(ServerKind.MySql)),
        [ServerKind.MariaDb] = new(() => PrepareAsync(ServerKind.MariaDb)),
        [ServerKind.MariaDb11] = new(() => PrepareAsync(ServerKind.MariaDb11)),
    };

    private static async Task PrepareAsync(ServerKind kind)
    {
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Pooling=false;Allow User Variables=true"));
        await connection.OpenAsync();
        foreach (var sql in SetUp)
            Scalar(connection, sql);
    }

    private static MySqlDataSource SourceOf(LabServer server, string options = "") =>
        new(ConnectionStrings.MySql(server, $"Allow User Variables=true;Maximum Pool Size=1;{options}"));

    // A text that the driver understands: it does not itself cause a reset.
    private static string StateOf(MySqlConnection connection)
    {
        var isolation = connection.ServerVersion.Contains("MariaDB", StringComparison.Ordinal) ? "@@tx_isolation" : "@@transaction_isolation";
        return (string)Scalar(
            connection,
            "SELECT CONVERT(CONCAT_WS('|', IFNULL(@left, '-'), IFNULL(DATABASE(), '-'), @@sql_mode, @@autocommit, @@character_set_client, "
                + "IFNULL(@@character_set_results, '-'), "
            + $"@@character_set_connection, @@collation_connection, @@time_zone, {isolation}, @@sql_select_limit, @@session_track_state_change, @@profiling, "
            + "IF(@@timestamp > 2, 'now', 'then'), "
            + "IFNULL(CURRENT_ROLE(), '-'), IFNULL(IS_USED_LOCK('left'), '-')) USING utf8mb4)")!;
    }

    private static object? Scalar(MySqlConnection connection, string sql)
    {
        using var command = new MySqlCommand(sql, connection);
        return command.ExecuteScalar();
    }

    private static bool Fails(MySqlConnection connection, string sql, bool prepared = false)
    {
        try
        {
            using var command = new MySqlCommand(sql, connection);
            if (prepared)
                command.Prepare();
            command.ExecuteScalar();
            return false;
        }
        catch (MySqlException)
        {
            return true;
        }
    }

    private static void Run(MySqlConnection connection, string sql, bool prepared)
    {
        try
        {
            using var command = new MySqlCommand(sql, connection);
            if (prepared)
                command.Prepare();
            using var reader = command.ExecuteReader();
            do
            {
                while (reader.Read())
                {
                }
            }
            while (reader.NextResult());
        }
        catch (MySqlException)
        {
            // Some are meant to fail, some are known to only one of the two servers.
        }
    }

    private static void CloseAnyhow(MySqlConnection connection)
    {
        try
        {
            connection.Close();
        }
        catch (MySqlException)
        {
            // A ROLLBACK inside XA is refused; the driver then resets or closes the session, which this test checks.
        }
    }
}
