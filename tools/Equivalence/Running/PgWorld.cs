using System.Data.Common;
using System.Globalization;
using System.Text;
using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Language;
using Slipstream.Lab;

namespace Slipstream.Equivalence.Running;

/// <summary>A world on PostgreSQL: a database with a schema of the same name.</summary>
internal sealed class PgWorld(LabServer server, int number) : World(server, number)
{
    // A backend keeps cache entries for each relation that it has created and dropped: hundreds of MB after 25,000 programs.
    private const int ProgramsPerSession = 1000;

    private int _programs;

    private const string T1 = "(id SERIAL PRIMARY KEY, n INT NOT NULL UNIQUE, s VARCHAR(20), d DECIMAL(10,3), at TIMESTAMP(3))";

    // Each table with its rows, so that tables can be made anew one by one. A table that refers to another comes after it.
    private IReadOnlyList<PgTable> All =>
    [
        new(
            "t1", Database, "t1", T1,
            "(id, n, s, d, at) VALUES (1, 10, 'ten', 10.125, '2024-02-29 12:34:56.789'), (2, 20, 'twenty', NULL, NULL), (3, 30, NULL, -3.5, '2000-01-01')")
            { FirstKey = Keys.Lowest + 1 },
        new(
            "t2", Database, "t2", "(id BIGSERIAL PRIMARY KEY, parent INT, v VARCHAR(3) NOT NULL DEFAULT '', ts TIMESTAMPTZ(3))",
            "(id, parent, v, ts) VALUES (1, 1, 'abc', '2024-06-01 00:00:00+00'), (2, 2, 'de', NULL)") { FirstKey = Keys.Lowest + 100_000_001 },
        new(
            "k1", Database, "k1",
            "(k INT PRIMARY KEY, x INT, f REAL, g DOUBLE PRECISION, b BOOLEAN, bl BYTEA, u NUMERIC, si SMALLINT, tm TIME(3), da DATE, iv INTERVAL, js JSON, "
                + "jb JSONB, gu UUID, tx TEXT, c5 CHAR(5))",
            " VALUES (1, 5, 1.1, 2.2, true, '\\x00FF41', 12345678901234567890.5, 1, '12:34:56.789', '2024-02-29', '1 day 02:03:04', '[1, 2]', '[1, 2]', "
                + "'6f9619ff-8b86-d011-b42d-00c04fc964ff', 'text', 'ab'), "
            + "(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (3, -1, 16777216, 1e300, false, '', 0, 0, "
            + "'00:00', '0001-01-01', '-1 day', 'null', 'null', NULL, '', '')"),
        new("kid", Database, "kid", "(id INT PRIMARY KEY, dad INT REFERENCES k1(k) DEFERRABLE INITIALLY DEFERRED)", ""),
        new("kt", Database, "kt", PgColumns.Definition, PgColumns.Rows),
        new(
            "kc", Database, "kc", "(a INT PRIMARY KEY, b TEXT, c INT[], d TIMESTAMPTZ, m mapped_mood, n NUMERIC)",
            " VALUES (1, 'one', '{1,NULL}', '2024-02-29 12:00:00+00', 'ok', 1.10), (2, E'tab\\tand\\\\', '{}', NULL, NULL, NULL)"),
        new("other", "other", "t1", T1, "(id, n, s) VALUES (1, 77, 'other')") { FirstKey = Keys.Lowest + 200_000_001 },
    ];

    private const string View = "CREATE VIEW v1 AS SELECT id, n, s FROM t1";
    private const string Warn =
        "CREATE OR REPLACE FUNCTION f_warn() RETURNS INT LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'a notice'; RAISE WARNING 'a warning'; RETURN 1; END $$";
    private const string Trigger = "CREATE TRIGGER r2 BEFORE INSERT ON t2 FOR EACH ROW EXECUTE FUNCTION f_trig()";

    private string Rows => $"CREATE FUNCTION f_rows() RETURNS SETOF t1 LANGUAGE sql AS $$ SELECT * FROM {Database}.t1 ORDER BY id $$";

    public override string SetUp =>
        $"""
        {UnlinkLargeObjects}; DROP SCHEMA IF EXISTS {Database} CASCADE; DROP SCHEMA IF EXISTS other CASCADE; DROP SCHEMA IF EXISTS {UserName} CASCADE; CREATE SCHEMA {Database} AUTHORIZATION {UserName}; CREATE SCHEMA other AUTHORIZATION {UserName};
        SET ROLE {UserName}; SET search_path = {Database}, eqt, public;
        {string.Join('\n', All.Select(static table => table.Create + "; " + table.Fill))}
        CREATE TABLE mark(m INT PRIMARY KEY, n INT NOT NULL); INSERT INTO mark VALUES (1, 0), (2, 0);
        {View};
        {Warn};
        {Rows};
        CREATE FUNCTION f_set(v TEXT) RETURNS TEXT LANGUAGE sql AS $$ SELECT set_config('application_name', v, false) $$;
        CREATE FUNCTION f_fail() RETURNS INT LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused by the function' USING ERRCODE = 'EQ001'; END $$;
        CREATE FUNCTION f_void() RETURNS VOID LANGUAGE plpgsql AS $$ BEGIN END $$;
        CREATE FUNCTION f_lock() RETURNS BOOLEAN LANGUAGE sql AS $$ SELECT pg_try_advisory_lock(7) $$;
        CREATE PROCEDURE p_ins(v INT) LANGUAGE sql AS $$ INSERT INTO {Database}.t1(n) VALUES (v) $$;
        CREATE FUNCTION f_trig() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN IF NEW.v = 'tr' THEN NEW.v := 'TR'; PERFORM set_config('TimeZone', 'Asia/Tokyo', false); END IF; RETURN NEW; END $$;
        {Trigger};
        {LargeObjects};
        RESET ROLE
        """;

    // Large objects belong to the database.
    private const string LargeObjects = "CREATE VIEW lo AS SELECT oid, length(lo_get(oid)) AS bytes, md5(lo_get(oid)) FROM pg_largeobject_metadata";
    private const string UnlinkLargeObjects = "SELECT lo_unlink(oid) FROM pg_largeobject_metadata";

    protected override string TypesSetUp => PgColumns.Types;

    public override bool ChangesTypes(EquivalenceProgram program) =>
        program.Texts.Any(static text => TypeWords.Any(word => text.Contains(word, StringComparison.Ordinal)));

    protected override void NoteTypesChanged() => _haveTypesChanged = true;

    private static readonly string[] TypeWords = ["ALTER TYPE", "CREATE TYPE", "DROP TYPE", "DOMAIN"];
    private bool _haveTypesChanged = true;

    protected override async Task<bool> ResetTypesAsync()
    {
        if (!_haveTypesChanged)
            return false;
        await ExecuteAsync(Admin, "RESET ROLE; " + PgColumns.Types);
        _haveTypesChanged = false;
        TypesVersion++;
        return true;
    }

    protected override IReadOnlyList<string> Tables { get; } = ["t1", "t2", "k1", "kid", "kt", "kc", "other", "lo"];

    protected override string? KeyedTable(string name) =>
        All.FirstOrDefault(table => table.Name == name) is { HasKeys: true, Qualified: { } keyed } ? keyed : null;

    protected override async Task<Dictionary<string, string>> DigestsAsync()
    {
        var answers = (await RowsAsync(Digests))[0].Split(" | ");
        var names = All.Select(static table => table.Name).Concat(All.Where(static table => table.HasKeys).Select(static table => table.Name + NextKey))
            .Append("lo");
        return names.Zip(answers).ToDictionary(static pair => pair.First, static pair => pair.Second, StringComparer.Ordinal);
    }

    // Prepared, because planning costs more than the execution.
    private DbCommand Digests
    {
        get
        {
            if (_digests is null)
            {
                _digests = Admin.CreateCommand();
                _digests.CommandText =
                    "SELECT " + string.Join(", ", All.Select(static table => $"(SELECT string_agg(t::text, ' ' ORDER BY t::text) FROM {table.Qualified} t)")
                        .Concat(
                            All.Where(static table => table.HasKeys)
                                .Select(static table => $"(SELECT last_value::text || is_called::text FROM {table.Qualified}_id_seq)"))
                        .Append("(SELECT string_agg(oid::text || md5(lo_get(oid)), ' ' ORDER BY oid) FROM pg_largeobject_metadata)"));
                _digests.Prepare();
            }

            return _digests;
        }
    }

    private DbCommand? _digests;

    private const string NextKey = " key";

    protected override bool CanRestore(EquivalenceProgram program, HashSet<string> changed)
    {
        var definitions = program.Definitions.ToList();
        if (definitions.Count == 0)
            return true;
        if (program.Texts.Any(static text => text.Contains("other", StringComparison.Ordinal) || text.Contains("search_path", StringComparison.Ordinal)))
            return false;
        foreach (var sql in definitions)
        {
            // Temporary tables end with their session.
            if (sql.StartsWith("CREATE TEMP ", StringComparison.Ordinal)
                || sql.StartsWith("DROP TABLE IF EXISTS pg_temp.", StringComparison.Ordinal)
                || sql.StartsWith("TRUNCATE ", StringComparison.Ordinal))
                continue;
            if (sql.Contains("spare", StringComparison.Ordinal))
                return false;
            if (sql.Contains(" VIEW ", StringComparison.Ordinal))
                changed.Add("v1");
            else if (sql.Contains("FUNCTION f_warn()", StringComparison.Ordinal))
                changed.Add("f_warn");
            else if (All.FirstOrDefault(
                table =>
                    sql.StartsWith($"ALTER TABLE {table.Name} ", StringComparison.Ordinal)
                        || sql.StartsWith($"ALTER TABLE {table.Qualified} ", StringComparison.Ordinal)
                        || (sql.StartsWith("CREATE INDEX ", StringComparison.Ordinal)
                    && sql.Contains($" ON {table.Name}(", StringComparison.Ordinal))) is { } known)
                changed.Add(known.Name);
            else
                return false;
        }

        // Dropping a table also drops what depends on it.
        if (changed.Contains("k1"))
            changed.Add("kid");
        if (changed.Contains("t1"))
            changed.Add("v1");
        return true;
    }

    protected override async Task RestoreAsync(IReadOnlySet<string> defined, IReadOnlySet<string> written)
    {
        var sql = new StringBuilder();
        var emptied = new List<string>();
        foreach (var table in All.Reverse())
        {
            if (defined.Contains(table.Name))
            {
                sql.Append(CultureInfo.InvariantCulture, $"DROP TABLE IF EXISTS {table.Qualified} CASCADE;");
            }
            else if (written.Contains(table.Name) || written.Contains(table.Name + NextKey))
            {
                sql.Append(
                    CultureInfo.InvariantCulture,
                    $"DELETE FROM {table.Qualified};{(table.HasKeys ? $"ALTER SEQUENCE {table.Qualified}_id_seq RESTART;" : "")}");
                emptied.Add(table.Qualified);
            }
        }

        if (sql.Length > 0)
            await ExecuteAsync(Admin, sql.ToString());
        // Queries without ORDER BY return rows in their physical order, which must be that of a new table.
        if (emptied.Count > 0)
            await ExecuteAsync(Admin, $"VACUUM (PROCESS_TOAST false) {string.Join(", ", emptied)}");
        if (written.Contains("lo"))
            await ExecuteAsync(Admin, UnlinkLargeObjects);
        sql.Clear().Append(CultureInfo.InvariantCulture, $"SET ROLE {UserName}; SET search_path = {Database}, eqt, public;");
        foreach (var table in All)
        {
            if (defined.Contains(table.Name))
                sql.Append(table.Create).Append("; ").Append(table.Fill);
            else if (emptied.Contains(table.Qualified))
                sql.Append(table.Fill);
        }

        if (defined.Contains("t1"))
            sql.Append(Rows).Append(';');
        if (defined.Contains("t2"))
            sql.Append(Trigger).Append(';');
        if (defined.Contains("v1"))
            sql.Append("DROP VIEW IF EXISTS v1;").Append(View).Append(';');
        if (defined.Contains("f_warn"))
            sql.Append(Warn).Append(';');
        await ExecuteAsync(Admin, sql.Append("RESET ROLE").ToString());
    }

    // As text, because the administrator's session does not know the types that programs define.
    protected override string Qualified(string table) =>
        table is "kt" or "kc" ? $"(SELECT t::text FROM {Database}.{table} t) t" : $"{Database}.\"{table}\"";

    protected override async Task<IReadOnlyList<string>> PresentTablesAsync() =>
        [
            .. (await RowsAsync(Admin, $"SELECT tablename FROM pg_tables WHERE schemaname = '{Database}' AND tablename <> 'mark' ORDER BY 1"))
                .Select(static row => row["String:".Length..]),
            "lo",
        ];

    public override string ConnectionString(Side side, int poolSize)
    {
        var where = side.IsTls ? "SSL Mode=Require" : "SSL Mode=Disable";
        var more = side.Driver.IsPeer ? "Max Auto Prepare=0" : side.Options;
        return string.Create(CultureInfo.InvariantCulture,
            $"{Address(side)};Username={UserName};Password={Password};Database={Database};Search "
                + $"Path={Database},eqt,public;{where};Maximum Pool Size={poolSize};Command Timeout=20;Include Error Detail=true;{more}");
    }

    private string Address(Side side) => side.IsCluster
        ? $"Host={Gateways.Hosts};Target Session Attributes=primary"
        : string.Create(CultureInfo.InvariantCulture, $"Host={Server.Host};Port={Server.Port}");

    // By the gid alone: the administrator is connected to the world's own database, where only its programs prepare transactions. Until then the branch keeps
    // its locks.
    public override async Task EndBranchesAsync()
    {
        foreach (var row in await RowsAsync(Admin, "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"))
        {
            try
            {
                await ExecuteAsync(Admin, $"ROLLBACK PREPARED '{row["String:".Length..].Replace("'", "''", StringComparison.Ordinal)}'");
            }
            catch (DbException gone) when (gone.SqlState == "42704")
            {
                // Its own session has ended it in the meantime.
            }
        }
    }

    protected override string Killing => "SELECT pg_terminate_backend({0})";

    protected override string Presence => "SELECT 1 FROM pg_stat_activity WHERE pid = {0}";

    public override string MarkSlowly(int mark, int milliseconds) =>
        string.Create(CultureInfo.InvariantCulture, $"UPDATE mark SET n = n + 1 WHERE m = {mark} AND pg_sleep({milliseconds / 1000.0})::text = ''");

    protected override IReadOnlyList<string> Questions =>
    [
        .. Asides, "SELECT current_user, session_user, current_schemas(false)::text", "SELECT name, statement FROM pg_prepared_statements WHERE from_sql",
        "SELECT name FROM pg_cursors",
        "SELECT pg_listening_channels()", "SELECT relname FROM pg_class WHERE relnamespace = pg_my_temp_schema() ORDER BY 1",
    ];

    protected override IReadOnlyList<string> Asides { get; } = ["SELECT lastval()", "SELECT currval('t1_id_seq')"];

    protected override string Digest => """
        SELECT current_user, session_user, current_schemas(false)::text, (SELECT md5(string_agg(name || '=' || setting, ' ')) FROM pg_show_all_settings() WHERE name NOT LIKE '%.%'),
          (SELECT string_agg(name || statement, ' ') FROM pg_prepared_statement() WHERE from_sql), (SELECT string_agg(name, ' ') FROM pg_cursor()), (SELECT string_agg(c, ' ') FROM pg_listening_channels() c),
          (SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relnamespace = pg_my_temp_schema())
        """;

    protected override IReadOnlyList<string> QuestionsFromOutside { get; } =
    [
        // The server keeps an SIReadLock after COMMIT, until the serializable transactions that ran beside it have ended: PostgreSQL Manual, "Serializable
        // Isolation Level".
        "SELECT state FROM pg_stat_get_activity({0})", "SELECT locktype, mode FROM pg_locks WHERE pid = {0} AND mode <> 'SIReadLock' ORDER BY 1, 2",
    ];

    protected override string VariablesQuestion => "SELECT name, setting FROM pg_settings";

    // A language adds its settings when it is first used.
    protected override bool IsVolatile(string name) => name.Contains('.', StringComparison.Ordinal);

    protected override async Task BeginAsync()
    {
        await using (var first = await AdministratorOfAsync(Server.Database))
        {
            // Several worlds start at the same time.
            await ExecuteAsync(first, "SELECT pg_advisory_lock(4242)");
            if ((await RowsAsync(first, $"SELECT 1 FROM pg_roles WHERE rolname = '{UserName}'")).Count == 0)
                await ExecuteAsync(
                    first,
                    $"CREATE ROLE {UserName} LOGIN PASSWORD '{Password}'; CREATE ROLE eq_role; GRANT eq_role TO {UserName}; GRANT {UserName} TO {Server.User}");
            if ((await RowsAsync(first, $"SELECT 1 FROM pg_database WHERE datname = '{Database}'")).Count == 0)
                await ExecuteAsync(first, $"CREATE DATABASE {Database}");
            await ExecuteAsync(first, $"GRANT ALL ON DATABASE {Database} TO {UserName}");
        }

        Admin = await AdministratorOfAsync(Database);
        // Prepared transactions of an interrupted run survive even a restart of the server.
        await EndBranchesAsync();
        await ResetAsync();
        Settings = await PgSettingsAsync();
    }

    private async Task<DbConnection> AdministratorOfAsync(string database)
    {
        var connection = new Npgsql.NpgsqlConnection(
            $"Host={Server.Host};Port={Server.Port};Username={Server.User};Password={Server.Password};Database={database};"
            + "SSL Mode=Disable;Pooling=false;Command Timeout=60;Max Auto Prepare=0");
        await connection.OpenAsync();
        return connection;
    }

    public override async Task BeforeProgramAsync()
    {
        if (_programs++ % ProgramsPerSession != ProgramsPerSession - 1)
            return;
        if (_digests is not null)
            await _digests.DisposeAsync();
        _digests = null;
        await Admin.DisposeAsync();
        Admin = await AdministratorOfAsync(Database);
        // As SetUp leaves it.
        await ExecuteAsync(Admin, $"SET search_path = {Database}, eqt, public");
    }

    private async Task<IReadOnlyList<Setting>> PgSettingsAsync()
    {
        var settings = new List<Setting>();
        await using var connection = new Npgsql.NpgsqlConnection(ConnectionString(new Side("settings", Driver.Npgsql, ""), 1) + ";Pooling=false");
        await connection.OpenAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT name, setting, vartype, enumvals, min_val, max_val FROM pg_settings WHERE context = 'user' ORDER BY name";
        await using var reader = await command.ExecuteReaderAsync();
        while (await reader.ReadAsync())
        {
            var (name, value, type) = (reader.GetString(0), reader.GetString(1), reader.GetString(2));
            if (PgVariableValues.Of(name, value, type, reader.IsDBNull(3) ? [] : reader.GetFieldValue<string[]>(3)) is { Count: > 0 } values)
                settings.Add(new(name, values));
        }

        return settings;
    }

    protected override async Task EndAsync()
    {
        await EndBranchesAsync();
        await Admin.ChangeDatabaseAsync(Server.Database);
        await ExecuteAsync(Admin, $"DROP DATABASE IF EXISTS {Database} WITH (FORCE)");
    }
}

/// <summary>A table with its rows.</summary>
/// <param name="Name">The name in the check.</param>
/// <param name="Schema">The schema.</param>
/// <param name="Table">The name in the schema.</param>
/// <param name="Columns">The definition of the columns.</param>
/// <param name="Rows">The rows.</param>
internal sealed record PgTable(string Name, string Schema, string Table, string Columns, string Rows)
{
    /// <summary>Gets the first key that its sequence generates; 0: it has none.</summary>
    public int FirstKey { get; init; }

    public bool HasKeys => FirstKey > 0;

    public string Qualified => $"{Schema}.{Table}";

    public string Create =>
        $"CREATE TABLE {Qualified}{Columns}{(HasKeys
            ? string.Create(CultureInfo.InvariantCulture, $"; ALTER SEQUENCE {Qualified}_id_seq START {FirstKey} RESTART") : "")}";

    public string Fill => Rows.Length == 0 ? "" : $"INSERT INTO {Qualified}{Rows};";
}

/// <summary>The values that the settings of PostgreSQL are set to.</summary>
internal static class PgVariableValues
{
    public static IReadOnlyList<string> Of(string name, string value, string type, string[] words) => name switch
    {
        // The server refuses to change it once the session has used a temporary table, so the result would depend on which session a lease gets.
        "temp_buffers" => [],
        // With it, an error ends the session.
        "exit_on_error" => [],
        "statement_timeout" or "lock_timeout" or "idle_in_transaction_session_timeout" or "idle_session_timeout" or "client_connection_check_interval"
            or "tcp_user_timeout" or "transaction_timeout" =>
            [],
        "client_encoding" or "server_encoding" or "debug_discard_caches" or "transaction_read_only" or "default_transaction_read_only"
            or "transaction_deferrable" or "transaction_isolation" or "role" or "session_authorization" or "is_superuser" =>
            [],
        // At lower levels, the server also reports its own work.
        "client_min_messages" => ["warning", "error", "notice"],
        _ when name.StartsWith("debug_", StringComparison.Ordinal)
            || name.StartsWith("trace_", StringComparison.Ordinal)
            || name.StartsWith("log_", StringComparison.Ordinal) =>
            [],
        "log_parameter_max_length_on_error" or "plan_cache_mode" => type == "enum" ? [.. words.Select(static word => $"'{word}'")] : [],
        "TimeZone" => ["'America/New_York'", "'Asia/Tokyo'", "'UTC'"],
        "DateStyle" => ["'SQL, DMY'", "'German'", "'ISO, MDY'"],
        "search_path" => ["other", "DEFAULT"],
        "application_name" => ["'eq'", "''"],
        "bytea_output" => ["'escape'", "'hex'"],
        "extra_float_digits" => ["0", "3", "-5"],
        "temp_tablespaces" or "default_tablespace" or "local_preload_libraries" or "dynamic_library_path" or "default_text_search_config" or "lc_messages"
            or "lc_monetary" or "lc_numeric" or "lc_time" or "timezone_abbreviations" or "temp_file_limit" =>
            [],
        _ => type switch
        {
            "bool" => ["on", "off"],
            "enum" => [.. words.Select(static word => $"'{word}'")],
            "integer" =>
                long.TryParse(value, NumberStyles.Integer, CultureInfo.InvariantCulture, out var number)
                    ? [(number + 1).ToString(CultureInfo.InvariantCulture), "DEFAULT"]
                    : [],
            "real" => ["DEFAULT"],
            _ => [],
        },
    };
}
