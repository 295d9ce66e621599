using System.Globalization;
using System.Text;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;
using Slipstream.Testing;

namespace Slipstream.Live.Statements;

/// <summary>
/// After any change of a setting, in any way, an automatically prepared statement returns the same as its text. The variables come from the server's own list,
/// not ours.
/// </summary>
public sealed class MySqlPreparedSettingsTests
{
    // Queries that depend on settings during parsing, planning and execution: divisions, weeks, names of days, truncated lists, literals with an offset,
    // comparisons, sorts, joins, conversions.
    private static readonly string[] Queries =
    [
        "SELECT id, amount / 3, 1 / 7, amount * rate FROM settings_rows WHERE id <= @id ORDER BY id",
        "SELECT id, WEEK(day), YEARWEEK(day), MONTHNAME(day), DAYNAME(day), DATE_FORMAT(day, '%W %M'), WEEK('2024-12-31'), MONTHNAME('2024-05-01') FROM "
            + "settings_rows WHERE id <= @id",
        "SELECT GROUP_CONCAT(name ORDER BY id) FROM settings_rows WHERE id <= @id",
        "SELECT id, stamp, UNIX_TIMESTAMP(stamp), FROM_UNIXTIME(86400), stamp > TIMESTAMP'2024-01-01 00:00:00' FROM settings_rows WHERE id <= @id",
        "SELECT id FROM settings_rows WHERE stamp >= '2024-01-02 00:00:00' AND id <= @id",
        "SELECT id, name = 'A', name || 'x', CONCAT(name, id), 'a' = 'A ', 'ä' < 'z' FROM settings_rows WHERE id <= @id",
        "SELECT id, FORMAT(amount, 2, 'de_DE'), FORMAT(1234567.891, 2), DATE_FORMAT(day, GET_FORMAT(DATE, 'EUR')), STR_TO_DATE('01,5,2013', '%d,%m,%Y') FROM "
            + "settings_rows WHERE id <= @id",
        "SELECT COUNT(*), SUM(amount), AVG(rate), STDDEV(rate) FROM settings_rows WHERE id <= @id GROUP BY name ORDER BY name DESC",
        "SELECT a.id, b.name FROM settings_rows a JOIN settings_rows b ON a.name = b.name WHERE a.id <= @id ORDER BY a.id, b.id",
        "SELECT id, CAST(amount AS CHAR), CAST('12.5' AS DECIMAL(10,1)), JSON_OBJECT('k', amount), 5 DIV 2, -7 % 3, 1 - 2 FROM settings_rows WHERE id <= @id",
        "SELECT id, day + INTERVAL 1 MONTH, ADDTIME('10:00:00.5', '01:00:00'), NULL = 1, name LIKE 'a\\_%', REPEAT(name, 3) FROM settings_rows WHERE id <= @id",
        "SELECT id, HEX(name), LENGTH(name), CHARSET('x'), COLLATION('x'), UPPER(name) FROM settings_rows WHERE id IN (@id, 2)",
    ];

    private const int PerSession = 20;

    // Settings that end sessions, or make the server do something else for a while.
    private static readonly HashSet<string> Left = new(StringComparer.OrdinalIgnoreCase)
    {
        "gtid_next", "gtid_seq_no", "gtid_domain_id", "pseudo_replica_mode", "pseudo_slave_mode", "pseudo_thread_id", "wsrep_on", "debug", "debug_sync",
        "debug_dbug", "default_storage_engine", "default_tmp_storage_engine",
        "storage_engine", "session_track_system_variables", "session_track_state_change", "session_track_transaction_info", "session_track_gtids",
        "session_track_schema", "skip_parallel_replication", "server_id",
        "max_heap_table_size", "original_commit_timestamp", "immediate_server_version", "original_server_version", "tmp_table_size", "innodb_fake_changes",
        "secondary_engine_cost_threshold", "wsrep_osu_method",
    };

    private static readonly string[] Strings =
    [
        "'+05:30'", "'-11:00'", "'de_DE'", "'fr_FR'", "'latin1'", "'utf8mb4'", "'utf8mb4_bin'", "'utf8mb4_general_ci'", "'binary'", "'ANSI_QUOTES'",
        "'PIPES_AS_CONCAT,NO_UNSIGNED_SUBTRACTION'", "'ALLOW_INVALID_DATES,PAD_CHAR_TO_FULL_LENGTH'", "''",
    ];

    public static TheoryData<ServerKind, bool> ServersAndWays => new()
    {
        { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true }, { ServerKind.MariaDb11, false },
        { ServerKind.MariaDb11, true },
    };

    /// <summary>Without the tracker, the server does not report the change; and an error never reports one.</summary>
    [Theory]
    [InlineData("Pipelining Mode=Off", "SELECT settings_sets(1)")]
    [InlineData("Pipelining Mode=Off", "SELECT 1; SELECT settings_sets(1)")]
    [InlineData("Pipelining Mode=Off", "SELECT settings_sets(NULL)")]
    [InlineData("", "SELECT settings_sets(1)")]
    [InlineData("", "SELECT settings_sets(NULL)")]
    public async Task A_function_that_changes_a_setting_ends_what_has_prepared_itself(string options, string call)
    {
        var server = await LiveServers.GetAsync(ServerKind.MySql);
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server, "Pooling=false;Auto Prepare Min Uses=1;" + options));
        await using var connection = await source.OpenConnectionAsync();
        Execute("DROP FUNCTION IF EXISTS settings_sets");
        Execute(
            "CREATE FUNCTION settings_sets(v INT) RETURNS INT NO SQL BEGIN SET SESSION div_precision_increment = 1; IF v IS NULL THEN SIGNAL SQLSTATE "
                + "'45000'; END IF; RETURN v; END");
        for (var i = 0; i < 4; i++)
            Assert.Equal("3.3333", Divided());
        if (call.Contains("NULL", StringComparison.Ordinal))
            Assert.Throws<MySqlException>(() => Execute(call));
        else
            Execute(call);
        Assert.Equal("3.3", Divided());

        string Divided()
        {
            using var command = new MySqlCommand("SELECT 10 / 3 AS v WHERE 1 = @one", connection) { Parameters = { new("@one", 1) } };
            return Convert.ToString(command.ExecuteScalar(), CultureInfo.InvariantCulture)!;
        }

        void Execute(string sql)
        {
            using var command = new MySqlCommand(sql, connection);
            command.ExecuteNonQuery();
        }
    }

    [Theory]
    [MemberData(nameof(ServersAndWays))]
    public async Task No_variable_of_the_session_tells_a_kept_statement_from_its_text(ServerKind kind, bool hidden)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server, "Pooling=false;Auto Prepare Min Uses=1;Allow User Variables=true"));
        await using var plainly = new MySqlDataSource(ConnectionStrings.MySql(server, "Pooling=false;Auto Prepare=false;Allow User Variables=true"));
        await using (var connection = await source.OpenConnectionAsync())
            CreateRows(connection);
        var changes =
            (await VariablesAsync(plainly)).SelectMany(static one => OthersThan(one.Value).Select(other => $"SET SESSION {one.Name} = {other}")).ToArray();
        var (ending, unseen) = Try(source, plainly, changes, hidden);
        Assert.True(ending.Count > 5 && ending.Count + unseen.Count > 150, $"{ending.Count} ended what was prepared, {unseen.Count} did not");
        List<string> different = [];
        // A change that closes the statements cannot cause a difference. The others are set many at a time, and one by one only if a group shows a difference.
        foreach (var group in unseen.Chunk(PerSession))
        {
            if (Differences(source, plainly, group, hidden).Count > 0)
                foreach (var change in group)
                    different.AddRange(Differences(source, plainly, [change], hidden));
        }

        Assert.True(different.Count == 0, string.Join('\n', different.Take(30)));
    }

    // Returns the changes that the server accepts, by whether they close the prepared statements.
    private static (List<string> Ending, List<string> Unseen) Try(MySqlDataSource source, MySqlDataSource plainly, string[] changes, bool hidden)
    {
        List<string> ending = [];
        List<string> unseen = [];
        foreach (var few in changes.Chunk(PerSession))
        {
            using var text = plainly.OpenConnection();
            using var kept = source.OpenConnection();
            foreach (var change in few)
            {
                _ = (Read(kept, "SELECT id FROM settings_rows WHERE id = @id"), Read(kept, "SELECT id FROM settings_rows WHERE id = @id"));
                var prepared = kept.MySqlSession.Prepared.Count;
                if (!TrySet(text, change, hidden: false) || !TrySet(kept, change, hidden))
                    continue;
                (prepared > 0 && kept.MySqlSession.Prepared.Count == 0 ? ending : unseen).Add(change);
            }
        }

        return (ending, unseen);
    }

    private static List<string> Differences(MySqlDataSource source, MySqlDataSource plainly, string[] changes, bool hidden)
    {
        List<string> different = [];
        using var kept = source.OpenConnection();
        foreach (var query in Queries)
            _ = (Read(kept, query), Read(kept, query));
        Assert.True(kept.MySqlSession.Prepared.Count >= Queries.Length - 2);
        using var text = plainly.OpenConnection();
        foreach (var change in changes)
            _ = TrySet(text, change, hidden: false) && TrySet(kept, change, hidden);
        foreach (var query in Queries)
        {
            var (expected, actual) = (Read(text, query), Read(kept, query));
            if (expected != actual)
                different.Add($"{string.Join("; ", changes)}: {query}: {expected} became {actual}");
        }

        // A limit that ends the session (of memory, of time) is not about statements.
        if (text.State == System.Data.ConnectionState.Open && kept.State == System.Data.ConnectionState.Open)
            return different;
        return changes.Length == 1 ? [] : [.. changes];
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task A_change_ends_what_is_prepared_wherever_it_stands(ServerKind kind)
    {
        await using var source = new MySqlDataSource(
            ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Maximum Pool Size=1;Auto Prepare Min Uses=1;Allow User Variables=true"));
        await using var connection = await source.OpenConnectionAsync();
        CreateRows(connection);
        foreach (var sql in (string[])["DROP PROCEDURE IF EXISTS settings_change", "DROP FUNCTION IF EXISTS settings_change",
            "CREATE PROCEDURE settings_change(p INT) SET SESSION div_precision_increment = p",
            "CREATE FUNCTION settings_change(p INT) RETURNS INT NO SQL BEGIN SET SESSION div_precision_increment = p; RETURN p; END"])
            Assert.True(TrySet(connection, sql, hidden: false));
        var digits = 5;
        foreach (
            var change in (string[])[
                "SET SESSION div_precision_increment = {0}", "SET @@div_precision_increment = {0}", "DO 0; SET SESSION div_precision_increment = {0}; SELECT 1",
                "CALL settings_change({0})", "SELECT settings_change({0})",
                "SET @s = 'SET div_precision_increment = {0}'; PREPARE x FROM @s; EXECUTE x", "/* first */ SET div_precision_increment = {0}",
                "SET autocommit = 1, div_precision_increment = {0}", "SET @a = 1, div_precision_increment = {0}"])
        {
            foreach (var way in (string[])["text", "prepared", "batch"])
            {
                digits = digits == 5 ? 10 : 5;
                Assert.NotEmpty(Read(connection, Queries[0]) + Read(connection, Queries[0]));
                Assert.True(connection.MySqlSession.Prepared.Count > 0);
                var sql = string.Format(CultureInfo.InvariantCulture, change, digits);
                if (way == "batch")
                {
                    using var batch = new MySqlBatch(connection) { BatchCommands = { new MySqlBatchCommand("SELECT 1"), new MySqlBatchCommand(sql) } };
                    batch.ExecuteNonQuery();
                }
                else
                {
                    using var command = new MySqlCommand(sql, connection);
                    if (way == "prepared")
                        command.Prepare();
                    command.ExecuteNonQuery();
                }

                using var division = new MySqlCommand("SELECT amount / 3 FROM settings_rows WHERE id = @id", connection) { Parameters = { new("@id", 1) } };
                for (var i = 0; i < 3; i++)
                    Assert.Equal($"0.{new string('3', digits + 2)}", Convert.ToString(division.ExecuteScalar(), CultureInfo.InvariantCulture));
            }
        }

        // A change that no prepared statement can notice leaves the statement alone.
        _ = (Read(connection, Queries[0]), Read(connection, Queries[0]));
        var before = connection.MySqlSession.Prepared.Count;
        Assert.True(before > 0);
        foreach (var harmless in (string[])[
            "SET autocommit = 1", "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", "SET TRANSACTION READ ONLY", "SET @a = 1",
            "SET SESSION innodb_lock_wait_timeout = 7", "SET timestamp = 86400"
        ])
        {
            Assert.True(TrySet(connection, harmless, hidden: false), harmless);
            Assert.True(connection.MySqlSession.Prepared.Count == before, harmless);
        }
    }

    private static void CreateRows(MySqlConnection connection)
    {
        foreach (
            var sql in (string[])[
                "CREATE TABLE IF NOT EXISTS settings_rows (id INT PRIMARY KEY, name VARCHAR(20), amount DECIMAL(10,2), rate DOUBLE, day DATE, stamp TIMESTAMP)",
                "REPLACE INTO settings_rows VALUES (1, 'a', 1, 0.1, '2024-01-01', FROM_UNIXTIME(1704067200)), (2, 'B_x', 22.22, 0.2, '2024-12-31', "
                    + "FROM_UNIXTIME(1704153600)), (3, 'äé', 333.33, 0.3, '2025-03-02', FROM_UNIXTIME(1704240000))"])
        {
            using var command = new MySqlCommand(sql, connection);
            command.ExecuteNonQuery();
        }
    }

    // Returns every session variable and its value; the server refuses to set the read-only ones.
    private static async Task<List<(string Name, string Value)>> VariablesAsync(MySqlDataSource source)
    {
        List<(string, string)> variables = [];
        await using var connection = await source.OpenConnectionAsync();
        await using var command = new MySqlCommand("SHOW SESSION VARIABLES", connection);
        await using var reader = await command.ExecuteReaderAsync();
        while (await reader.ReadAsync())
            if (!Left.Contains(reader.GetString(0)))
                variables.Add((reader.GetString(0), reader.GetString(1)));
        return variables;
    }

    // Returns other values of the same kind; the server refuses those that do not fit the variable.
    private static IEnumerable<string> OthersThan(string value)
    {
        if (value is "ON" or "OFF" or "YES" or "NO")
            return [value is "ON" or "YES" ? "0" : "1"];
        if (decimal.TryParse(value, CultureInfo.InvariantCulture, out var number) && number < 1e15m)
            return new[] { decimal.Truncate(number * 2 + 5), decimal.Truncate(number / 2), 7 }
                .Where(other => other != number)
                .Select(static other => other.ToString(CultureInfo.InvariantCulture))
                .Distinct();
        // Enumerations can also be set by number.
        return [.. Strings.Where(text => text != $"'{value}'"), "0", "1", "2"];
    }

    private static bool TrySet(MySqlConnection connection, string sql, bool hidden)
    {
        try
        {
            if (hidden)
            {
                // No text shows what this sets.
                foreach (var part in (string[])[
                    $"SELECT 0x{Convert.ToHexString(Encoding.ASCII.GetBytes(sql))} INTO @hidden", "PREPARE hidden FROM @hidden", "EXECUTE hidden"
                ])
                {
                    using var step = new MySqlCommand(part, connection);
                    step.ExecuteNonQuery();
                }

                return true;
            }

            using var command = new MySqlCommand(sql, connection);
            command.ExecuteNonQuery();
            return true;
        }
        catch (MySqlException)
        {
            return false;
        }
    }

    // Returns names, types, values, or the error.
    private static string Read(MySqlConnection connection, string sql)
    {
        var text = new StringBuilder();
        try
        {
            using var command = new MySqlCommand(sql, connection) { Parameters = { new("@id", 3) } };
            using var reader = command.ExecuteReader();
            for (var i = 0; i < reader.FieldCount; i++)
                text.Append(reader.GetDataTypeName(i)).Append(' ').Append(reader.GetName(i)).Append('|');
            while (reader.Read())
                for (var i = 0; i < reader.FieldCount; i++)
                    text.Append(Convert.ToString(reader.GetValue(i), CultureInfo.InvariantCulture)).Append(i == reader.FieldCount - 1 ? '\n' : ',');
        }
        catch (InvalidOperationException) when (connection.State != System.Data.ConnectionState.Open)
        {
            return "closed";
        }
        catch (MySqlException exception)
        {
            text.Append(exception.Number).Append(exception.Message);
        }

        return text.ToString();
    }
}
