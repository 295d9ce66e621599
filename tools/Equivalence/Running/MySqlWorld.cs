using System.Collections.Concurrent;
using System.Data.Common;
using System.Globalization;
using System.Text;
using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Language;
using Slipstream.Lab;

namespace Slipstream.Equivalence.Running;

/// <summary>A world on MySQL or MariaDB.</summary>
internal sealed class MySqlWorld(LabServer server, int number) : World(server, number)
{
    private bool IsMariaDb => Server.Kind != ServerKind.MySql;

    /// <summary>Gets the name of a second database of the same user.</summary>
    public string Other => Database + "_b";

    private const string T1 = "(id INT AUTO_INCREMENT PRIMARY KEY, n INT NOT NULL, s VARCHAR(20), d DECIMAL(10,3), at DATETIME(3), UNIQUE(n))";

    // Each table with its rows, so that tables can be made anew one by one.
    private IReadOnlyList<MySqlTable> All =>
    [
        new(
            "t1", Database, "t1", T1,
            "(id, n, s, d, at) VALUES (1, 10, 'ten', 10.125, '2024-02-29 12:34:56.789'), (2, 20, 'twenty', NULL, NULL), (3, 30, NULL, -3.5, '2000-01-01')")
            { FirstKey = Keys.Lowest + 1 },
        new(
            "t2", Database, "t2", "(id BIGINT AUTO_INCREMENT PRIMARY KEY, parent INT, v VARCHAR(3) NOT NULL DEFAULT '', ts TIMESTAMP(3) NULL)",
            "(id, parent, v, ts) VALUES (1, 1, 'abc', '2024-06-01 00:00:00'), (2, 2, 'de', NULL)") { FirstKey = Keys.Lowest + 100_000_001 },
        new(
            "k1", Database, "k1",
            "(k INT PRIMARY KEY, x INT, f FLOAT, g DOUBLE, b8 BIT(8), b1 BIT(1), bl BLOB, u BIGINT UNSIGNED, ti TINYINT(1), tm TIME(3), da DATE, y YEAR, e "
                + "ENUM('a','b'), js JSON, gu CHAR(36), tx TEXT)",
            "VALUES (1, 5, 1.1, 2.2, b'10101010', b'1', x'00FF41', 18446744073709551615, 1, '-12:34:56.789', '2024-02-29', 2024, 'a', '[1, 2]', "
                + "'6f9619ff-8b86-d011-b42d-00c04fc964ff', 'text'), "
            + "(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (3, -1, 16777216, 1e300, b'0', b'0', '', 0, 0, "
            + "'838:59:59', '0001-01-01', 1901, 'b', 'null', NULL, '')"),
        new("m1", Database, "m1", "(a INT, s VARCHAR(3) NOT NULL) ENGINE=MyISAM", "VALUES (1, 'one')"),
        new("other", Other, "t1", T1, "(id, n, s) VALUES (1, 77, 'other')") { FirstKey = Keys.Lowest + 200_000_001 },
    ];

    private const string View = "CREATE OR REPLACE VIEW v1 AS SELECT id, n, s FROM t1";
    private const string Trigger = "CREATE TRIGGER r2 BEFORE INSERT ON t2 FOR EACH ROW SET @trig = IFNULL(@trig, 0) + 1, NEW.v = IF(NEW.v = 'tr', 'TR', NEW.v)";

    // Changes settings that the text of the INSERT does not name.
    private const string SetTrigger = "CREATE TRIGGER r1 BEFORE INSERT ON m1 FOR EACH ROW BEGIN IF NEW.s = 'set' THEN SET time_zone = '+03:00', SESSION "
        + "group_concat_max_len = 4, @b = 7; END IF; END";

    public override string SetUp =>
        $"""
        SET SESSION sql_mode = DEFAULT, foreign_key_checks = 0;
        DROP DATABASE IF EXISTS {Database}; CREATE DATABASE {Database}; DROP DATABASE IF EXISTS {Other}; CREATE DATABASE {Other}; USE {Database};
        {string.Join('\n', All.Select(static table => table.Create + "; " + table.Fill + ";"))}
        CREATE TABLE mark(m INT PRIMARY KEY, n INT NOT NULL); INSERT INTO mark VALUES (1, 0), (2, 0);
        {View};
        {Trigger};
        {SetTrigger};
        CREATE PROCEDURE p_set(v INT) SET SESSION group_concat_max_len = v;
        CREATE PROCEDURE p_zone() SET time_zone = '+05:00';
        CREATE PROCEDURE p_mode() SET SESSION sql_mode = 'ANSI_QUOTES';
        CREATE PROCEDURE p_var(v INT) SET @a = v;
        CREATE PROCEDURE p_lock() DO GET_LOCK('{Database}_l', 0);
        CREATE PROCEDURE p_ins(v INT) INSERT INTO t1(n) VALUES (v);
        CREATE PROCEDURE p_rows() BEGIN SELECT id, n FROM t1 ORDER BY id; SELECT COUNT(*) FROM t2; END;
        CREATE PROCEDURE p_cursor() BEGIN
          DECLARE v, total INT DEFAULT 0; DECLARE isDone BOOL DEFAULT FALSE; DECLARE c CURSOR FOR SELECT n FROM t1; DECLARE CONTINUE HANDLER FOR NOT FOUND SET isDone = TRUE;
          OPEN c; FETCH c INTO v; WHILE NOT isDone DO SET total = total + v; FETCH c INTO v; END WHILE; CLOSE c; SELECT total;
        END;
        CREATE PROCEDURE p_fail() SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused by the procedure';
        CREATE PROCEDURE p_warn() SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT = 'a warning';
        CREATE PROCEDURE p_out(a INT, OUT b INT, INOUT c INT) SELECT a + 1, c + a INTO b, c;
        CREATE FUNCTION f_set(v INT) RETURNS INT NOT DETERMINISTIC BEGIN SET @b = v; SET SESSION div_precision_increment = v; RETURN v; END;
        CREATE FUNCTION f_id() RETURNS BIGINT NOT DETERMINISTIC READS SQL DATA RETURN LAST_INSERT_ID();
        CREATE FUNCTION md5(v INT) RETURNS INT DETERMINISTIC BEGIN SET @c = v; RETURN v; END;
        """;

    protected override IReadOnlyList<string> Tables { get; } = ["t1", "t2", "k1", "m1", "other"];

    protected override string? KeyedTable(string name) => All.First(table => table.Name == name) is { FirstKey: > 0, Qualified: { } keyed } ? keyed : null;

    protected override async Task<Dictionary<string, string>> DigestsAsync()
    {
        var digests = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var row in await RowsAsync(Admin, $"CHECKSUM TABLE {string.Join(", ", All.Select(static table => table.Qualified))}"))
        {
            var (name, digest) = Cut(row);
            digests[All.First(table => table.Qualified == name).Name] = digest;
        }

        // An insert that was rolled back changes only the next key.
        foreach (var row in await RowsAsync(
            Admin,
            $"SELECT name, autoinc FROM information_schema.{(IsMariaDb ? "innodb_sys_tablestats" : "innodb_tablestats")} WHERE name IN ('{Database}/t1', "
                + $"'{Database}/t2', '{Other}/t1')"))
        {
            var (name, next) = Cut(row);
            digests[(name.StartsWith(Other, StringComparison.Ordinal) ? "other" : name[(Database.Length + 1)..]) + NextKey] = next;
        }

        return digests;
    }

    private const string NextKey = " key";

    private static (string, string) Cut(string row)
    {
        var cut = row.IndexOf(" | ", StringComparison.Ordinal);
        return (row["String:".Length..cut], row[(cut + 3)..]);
    }

    protected override bool CanRestore(EquivalenceProgram program, HashSet<string> changed)
    {
        var definitions = program.Definitions.ToList();
        if (definitions.Count == 0)
            return true;
        if (program.Texts.Any(text => text.Contains(Other, StringComparison.Ordinal)))
            return false;
        foreach (var sql in definitions)
        {
            // Temporary tables end with their session.
            if (sql.StartsWith("CREATE TEMPORARY", StringComparison.Ordinal) || sql.StartsWith("DROP TEMPORARY", StringComparison.Ordinal))
                continue;
            if (sql.Contains("VIEW", StringComparison.Ordinal))
                changed.Add("v1");
            else if (sql.Contains("TRIGGER", StringComparison.Ordinal))
                changed.Add("r2");
            else if (All.FirstOrDefault(
                table =>
                    sql.StartsWith($"ALTER TABLE {table.Name} ", StringComparison.Ordinal)
                        || sql.StartsWith($"ALTER TABLE {table.Qualified} ", StringComparison.Ordinal)
                        || sql.StartsWith($"TRUNCATE TABLE {table.Name}", StringComparison.Ordinal)
                || (sql.StartsWith("CREATE INDEX ", StringComparison.Ordinal)
                    && sql.Contains($" ON {table.Name}(", StringComparison.Ordinal))) is { } known)
                changed.Add(known.Name);
            else
                return false;
        }

        return true;
    }

    protected override Task RestoreAsync(IReadOnlySet<string> defined, IReadOnlySet<string> written)
    {
        var sql = new StringBuilder($"SET SESSION sql_mode = DEFAULT; USE {Database}; ");
        foreach (var table in All)
        {
            if (defined.Contains(table.Name))
            {
                sql.Append(CultureInfo.InvariantCulture, $"DROP TABLE IF EXISTS {table.Qualified}; {table.Create}; {table.Fill};");
                continue;
            }

            var isMoved = written.Contains(table.Name + NextKey);
            if (isMoved || written.Contains(table.Name))
                sql.Append(
                    CultureInfo.InvariantCulture,
                    $"DELETE FROM {table.Qualified}; {(isMoved ? $"ALTER TABLE {table.Qualified} AUTO_INCREMENT = {table.FirstKey};" : "")} {table.Fill};");
        }

        if (defined.Contains("v1"))
            sql.Append(View).Append(';');
        if (defined.Contains("r2") || defined.Contains("t2"))
            sql.Append("DROP TRIGGER IF EXISTS r2;").Append(Trigger).Append(';');
        if (defined.Contains("m1"))
            sql.Append(SetTrigger).Append(';');
        return ExecuteAsync(Admin, sql.ToString());
    }

    protected override string Qualified(string table) => $"`{Database}`.`{table}`";

    protected override async Task<IReadOnlyList<string>> PresentTablesAsync() =>
        [
            .. (
                await RowsAsync(
                    Admin,
                    $"SELECT table_name FROM information_schema.tables WHERE table_schema = '{Database}' AND table_type = 'BASE TABLE' AND table_name <> "
                        + "'mark' ORDER BY 1")).Select(
                            static row => row["String:".Length..])
        ];

    public override string ConnectionString(Side side, int poolSize)
    {
        var where = side.IsTls ? "SSL Mode=Required" : "SSL Mode=None;Allow Public Key Retrieval=true";
        var more = side.Driver.IsPeer ? "" : side.Options;
        return string.Create(CultureInfo.InvariantCulture,
            $"{Address(side)};User ID={UserName};Password={Password};Database={Database};{where};Maximum Pool Size={poolSize};Default "
                + $"Command Timeout=20;Allow User Variables=true;Allow Load Local Infile=true;{more}");
    }

    private string Address(Side side) => side.IsCluster
        ? $"Server={Gateways.Hosts};Topology=Replication"
        : string.Create(CultureInfo.InvariantCulture, $"Server={Server.Host};Port={Server.Port}");

    // A prepared branch outlives its session. Another session can end it once that session has ended.
    public override async Task EndBranchesAsync()
    {
        for (var tries = 0; tries < 500 && await HasBranchAsync(); tries++)
        {
            try
            {
                await ExecuteAsync(Admin, $"XA ROLLBACK '{Database}_x'");
            }
            catch (DbException)
            {
                await Task.Delay(1);
            }
        }
    }

    protected override string Killing => "KILL {0}";

    // MySQL's information_schema converts the text that each session executes, and refuses the query while one of them contains bytes that are not UTF-8.
    protected override string Presence => IsMariaDb
        ? "SELECT 1 FROM information_schema.processlist WHERE id = {0}"
        : "SELECT 1 FROM performance_schema.threads WHERE processlist_id = {0}";

    public override string MarkSlowly(int mark, int milliseconds) =>
        string.Create(CultureInfo.InvariantCulture, $"UPDATE mark SET n = n + 1 WHERE m = {mark} AND SLEEP({milliseconds / 1000.0}) = 0");

    protected override IReadOnlyList<string> Questions =>
    [
        "SELECT LAST_INSERT_ID()", "SELECT ROW_COUNT()", "SELECT DATABASE(), CURRENT_USER(), CURRENT_ROLE()", "SELECT @a, @b, @c, @trig",
        "SHOW COUNT(*) WARNINGS",
        .. Asides,
        .. IsMariaDb ? (string[])["SELECT @@in_transaction"] : [],
    ];

    protected override IReadOnlyList<string> Asides { get; } = ["SELECT 1 FROM tmp1", "SELECT 1 FROM t2 LIMIT 0", "EXECUTE s1", "EXECUTE s2"];

    // Without global variables: no session can change them.
    protected override string Digest =>
        $"SELECT LAST_INSERT_ID(), DATABASE(), CURRENT_USER(), CURRENT_ROLE(), @a, @b, @c, @trig{(IsMariaDb ? ", @@in_transaction" : "")}, {_variables} AS v";

    private string _variables = "";

    protected override IReadOnlyList<string> QuestionsFromOutside => IsMariaDb
        // MariaDB's innodb_trx shows a state of up to a tenth of a second ago.
        ? []
        :
        [
            "SELECT COUNT(*) FROM performance_schema.prepared_statements_instances i JOIN performance_schema.threads t ON t.thread_id = i.owner_thread_id "
                + "WHERE t.processlist_id = {0} AND statement_name IS NOT NULL",
            Locks,
        ];

    private const string Locks = "SELECT object_type, object_name, lock_type FROM performance_schema.metadata_locks l JOIN performance_schema.threads t ON "
        + "t.thread_id = l.owner_thread_id WHERE t.processlist_id = {0}";

    // MySQL continues to list the locks of a prepared branch under the session that prepared it, even after a reset. The query is then made for a session that
    // does not exist.
    protected override async Task<string> AskFromOutsideAsync(string question, long session) =>
        await base.AskFromOutsideAsync(question, question == Locks && await HasBranchAsync() ? 0 : session);

    private async Task<bool> HasBranchAsync() => (await RowsAsync(Admin, "XA RECOVER")).Any(row => row.EndsWith(Database + "_x", StringComparison.Ordinal));

    protected override string VariablesQuestion => "SHOW SESSION VARIABLES";

    protected override bool IsVolatile(string name) => Volatile.Contains(name);

    private static readonly HashSet<string> Volatile = new HashSet<string>(StringComparer.Ordinal)
    {
        "pseudo_thread_id", "timestamp", "rand_seed1", "rand_seed2", "error_count", "warning_count", "identity", "last_insert_id", "insert_id", "statement_id",
        "last_gtid",
        "gtid_executed", "gtid_binlog_pos", "gtid_binlog_state", "gtid_current_pos", "innodb_thread_sleep_delay", "in_transaction", "sql_slave_skip_counter",
        "skip_parallel_replication",
    };

    protected override async Task BeginAsync()
    {
        Admin = new MySqlConnector.MySqlConnection(
            $"Server={Server.Host};Port={Server.Port};User ID={Server.User};Password={Server.Password};SSL Mode=None;Allow Public Key "
                + "Retrieval=true;Pooling=false;Allow User Variables=true;Default Command Timeout=60");
        await Admin.OpenAsync();
        await ExecuteAsync(Admin, $"""
            SET SESSION sql_mode = DEFAULT;
            CREATE USER IF NOT EXISTS '{UserName}'@'%' IDENTIFIED BY '{Password}';
            CREATE ROLE IF NOT EXISTS eq_role;
            GRANT ALL ON `eq\_%`.* TO '{UserName}'@'%'; GRANT eq_role TO '{UserName}'@'%'; GRANT SELECT ON performance_schema.* TO '{UserName}'@'%';
            """);
        if (!IsMariaDb)
            await ExecuteAsync(Admin, "SET GLOBAL log_bin_trust_function_creators = 1, GLOBAL local_infile = 1");
        // An interrupted run may have left a branch and its locks.
        await EndBranchesAsync();
        await ResetAsync();
        (_variables, Settings) = await Known.GetOrAdd(Server.Port, _ => AskServerAsync());
    }

    // Queried once for each server.
    private static readonly ConcurrentDictionary<int, Task<(string, IReadOnlyList<Setting>)>> Known = [];

    private async Task<(string, IReadOnlyList<Setting>)> AskServerAsync()
    {
        await using var user = new MySqlConnector.MySqlConnection(ConnectionString(new Side("settings", Driver.MySqlConnector, ""), 1) + ";Pooling=false");
        await user.OpenAsync();
        return (await SessionVariablesAsync(user), await MySqlSettings(user));
    }

    // Only session variables: the server refuses @@SESSION of a global variable.
    private async Task<string> SessionVariablesAsync(DbConnection connection)
    {
        var names = new List<string>();
        foreach (var row in await RowsAsync(connection, "SHOW SESSION VARIABLES"))
        {
            var (name, _) = Cut(row);
            if (!IsVolatile(name)
                && await AskedAsync(connection, $"SELECT @@SESSION.{name} IS NULL") is var answer
                && !answer.StartsWith("error", StringComparison.Ordinal))
                names.Add($"@@SESSION.{name}");
        }

        return $"SHA1(CONCAT_WS('|', {string.Join(", ", names)}))";
    }

    // A variable that the user may set to its own value can be set.
    private static async Task<IReadOnlyList<Setting>> MySqlSettings(DbConnection connection)
    {
        var settings = new List<Setting>();
        foreach (var row in await RowsAsync(connection, "SHOW SESSION VARIABLES"))
        {
            var parts = row.Split(" | ", 2);
            var (name, value) = (parts[0]["String:".Length..], parts[1]["String:".Length..]);
            if (VariableValues.IsLeftOut(name))
                continue;
            try
            {
                await ExecuteAsync(connection, $"SET SESSION {name} = @@SESSION.{name}");
            }
            catch (DbException)
            {
                continue;
            }

            if (VariableValues.Of(name, value) is { Count: > 0 } values)
                settings.Add(new(name, values));
        }

        return settings;
    }

    protected override async Task EndAsync() => await ExecuteAsync(Admin, $"DROP DATABASE IF EXISTS {Database}; DROP DATABASE IF EXISTS {Other}");
}

/// <summary>A table with its rows.</summary>
/// <param name="Name">The name in the check.</param>
/// <param name="Database">The database.</param>
/// <param name="Table">The name in the database.</param>
/// <param name="Columns">The definition of the columns.</param>
/// <param name="Rows">The rows, with their keys.</param>
internal sealed record MySqlTable(string Name, string Database, string Table, string Columns, string Rows)
{
    /// <summary>Gets the first generated key; 0: it generates none.</summary>
    public int FirstKey { get; init; }

    public string Qualified => $"{Database}.{Table}";

    public string Create =>
        $"CREATE TABLE {Qualified}{Columns}{(FirstKey > 0 ? string.Create(CultureInfo.InvariantCulture, $" AUTO_INCREMENT = {FirstKey}") : "")}";

    public string Fill => $"INSERT INTO {Qualified}{(Rows.StartsWith('(') ? "" : " ")}{Rows}";
}

/// <summary>The values that the variables of MySQL and MariaDB are set to.</summary>
internal static class VariableValues
{
    // Variables whose effect depends on time, other programs or the administrator, and variables that are values and not settings.
    private static readonly string[] LeftOut =
    [
        "timestamp", "rand_seed1", "rand_seed2", "insert_id", "pseudo_thread_id", "pseudo_replica_mode", "pseudo_slave_mode", "wait_timeout",
        "interactive_timeout", "net_read_timeout", "net_write_timeout", "net_retry_count",
        "lock_wait_timeout", "innodb_lock_wait_timeout", "max_execution_time", "max_statement_time", "autocommit", "sql_log_bin", "gtid_next", "profiling",
        "profiling_history_size", "debug", "debug_dbug", "debug_sync",
        "idle_transaction_timeout", "idle_readonly_transaction_timeout", "idle_write_transaction_timeout", "immediate_server_version",
        "original_server_version", "original_commit_timestamp", "server_id",
        "use_secondary_engine", "transaction_allow_batching", "session_track_gtids", "select_into_disk_sync_delay", "slow_query_log", "long_query_time",
        "min_examined_row_limit", "log_slow_rate_limit",
        "default_master_connection", "secondary_engine_cost_threshold", "xa_detach_on_prepare", "max_length_for_sort_data", "tx_read_only",
        "transaction_read_only", "max_join_size", "sql_select_limit", "max_relay_log_size", "sql_slave_skip_counter",
    ];

    public static bool IsLeftOut(string name) =>
        LeftOut.Contains(name) || name.StartsWith("wsrep", StringComparison.Ordinal) || name.StartsWith("aria_", StringComparison.Ordinal)
        || name.StartsWith("gtid", StringComparison.Ordinal)
        || name.StartsWith("binlog", StringComparison.Ordinal)
        || name.StartsWith("log_slow", StringComparison.Ordinal);

    public static IReadOnlyList<string> Of(string name, string value) => name switch
    {
        "sql_mode" =>
            [
                "''", "'ANSI_QUOTES'", "'NO_BACKSLASH_ESCAPES'", "'PIPES_AS_CONCAT,STRICT_TRANS_TABLES'", "'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE'",
                "'NO_AUTO_VALUE_ON_ZERO'", "'HIGH_NOT_PRECEDENCE'", "'IGNORE_SPACE'"
            ],
        "time_zone" => ["'+05:00'", "'-08:30'"],
        "character_set_client" or "character_set_results" or "character_set_connection" => ["latin1", "utf8mb3", "utf8mb4"],
        "collation_connection" => ["utf8mb4_bin", "latin1_swedish_ci", "utf8mb4_general_ci"],
        "character_set_database" or "collation_database" or "character_set_server" or "collation_server" or "character_set_filesystem" => [],
        "default_week_format" => ["1", "3"],
        "lc_time_names" => ["de_DE", "fr_FR"],
        "lc_messages" => ["de_DE"],
        "transaction_isolation" or "tx_isolation" => ["'READ-COMMITTED'", "'SERIALIZABLE'", "'REPEATABLE-READ'", "'READ-UNCOMMITTED'"],
        "div_precision_increment" => ["0", "10"],
        "group_concat_max_len" => ["4", "100000"],
        "session_track_system_variables" => ["''", "'autocommit,time_zone'", "'*'"],
        "session_track_state_change" or "session_track_schema" => ["OFF", "ON"],
        "session_track_transaction_info" => ["OFF", "STATE", "CHARACTERISTICS"],
        "optimizer_switch" => ["'index_merge=off'", "'default'"],
        "completion_type" => ["NO_CHAIN"],
        "default_storage_engine" or "default_tmp_storage_engine" => ["InnoDB", "MyISAM"],
        // MySQL's warning about it is different after the session was reset (1681 and 4166; seen on 9.7).
        "enable_cascade_triggers" => [],
        "max_allowed_packet" or "net_buffer_length" or "resultset_metadata" => [],
        _ => value switch
        {
            "ON" => ["OFF", "ON"],
            "OFF" => ["ON", "OFF"],
            _ when long.TryParse(value, NumberStyles.Integer, CultureInfo.InvariantCulture, out var number) =>
                [
                    (number < long.MaxValue ? number + 1 : number).ToString(CultureInfo.InvariantCulture),
                    Math.Max(number / 2, 1).ToString(CultureInfo.InvariantCulture),
                    "DEFAULT",
                ],
            _ => ["DEFAULT"],
        },
    };
}
