using System.Data.Common;
using System.Globalization;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>
/// A statement that was prepared under one setting never answers under another: every setting that an ordinary user may change, in every way that a text can
/// change it.
/// </summary>
public class PreparedSettingsTests
{
    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    // Everything that parsing or planning could store: constants of every kind that a setting affects, names, expressions over constants, plans.
    private static readonly string[] Probes =
    [
        "SELECT extract(epoch FROM timestamptz '2024-06-01 12:00')::text", "SELECT extract(epoch FROM '1/2/2024'::timestamp)::text",
        "SELECT ('1/2/2024'::date)::text",
        "SELECT ('2024-06-01 12:00 EST'::timestamptz AT TIME ZONE 'UTC')::text", "SELECT timestamptz '2024-06-01 12:00+00'::text",
        "SELECT timetz '12:00'::text",
        "SELECT extract(epoch FROM interval '-1 2:03:04')::text", "SELECT interval '1 day 2 hours'::text", "SELECT 'a\\nb'", "SELECT E'it\\'s'",
        "SELECT count(*)::text FROM (VALUES (1), (NULL)) v (a) WHERE a = NULL", "SELECT (('{NULL,a}'::text[])[1] IS NULL)::text",
        "SELECT '<a/><b/>'::xml::text",
        "SELECT '\\x4142'::bytea::text", "SELECT (1.0::float8 / 3)::text", "SELECT xmlelement(name a, '\\x4142'::bytea)::text", "SELECT '12.50'::money::text",
        "SELECT to_char(1234.5, '9G999D9L')", "SELECT to_char(date '2024-03-01', 'TMMonth')", "SELECT to_tsvector('running dogs')::text",
        "SELECT current_user::text",
        "SELECT 'pg_class'::regclass::oid::text", "SELECT nullif(current_setting('search_path'), '')", "SELECT U&'\\0061' || 'x'",
        "SELECT current_setting('TimeZone')",
        "SELECT string_agg(a::text, ',' ORDER BY a, b) FROM (SELECT a, b FROM generate_series(1, 9) a JOIN generate_series(1, 9) b ON b = a) t",
    ];

    private static readonly Dictionary<string, string[]> Others = new(StringComparer.Ordinal)
    {
        ["TimeZone"] = ["America/New_York", "Asia/Kolkata"],
        ["DateStyle"] = ["German, DMY", "SQL, DMY", "Postgres, YMD"],
        ["client_encoding"] = ["LATIN1"],
        ["search_path"] = ["pg_temp, pg_catalog", "\"$user\""],
        ["timezone_abbreviations"] = ["Australia"],
        ["default_text_search_config"] = ["pg_catalog.german"],
        ["lc_monetary"] = ["C", "C.UTF-8"],
        ["lc_numeric"] = ["C", "C.UTF-8"],
        ["lc_time"] = ["C", "C.UTF-8"],
        ["application_name"] = ["other"],
        ["extra_float_digits"] = ["-5", "0"],
        ["role"] = ["pg_monitor"],
        // Short timeouts would end the probes themselves.
        ["statement_timeout"] = ["600000"],
        ["lock_timeout"] = ["600000"],
        ["idle_session_timeout"] = ["600000"],
        ["idle_in_transaction_session_timeout"] = ["600000"],
        ["transaction_timeout"] = ["600000"],
        ["transaction_read_only"] = ["on"],
        // Cannot be set in a running session.
        ["local_preload_libraries"] = [],
        ["transaction_isolation"] = [],
        ["transaction_deferrable"] = [],
    };

    [Fact]
    public async Task Every_setting_that_a_user_may_change_is_seen_by_what_was_prepared_before()
    {
        await using var kept = await SourceAsync("Auto Prepare Min Usages=1;Maximum Pool Size=1");
        await using var fresh = await SourceAsync("Auto Prepare=false;Maximum Pool Size=1");
        var settings = await SettingsAsync(fresh);
        Assert.True(settings.Count > 80, $"{settings.Count} settings");
        List<string> before;
        await using (var connection = kept.OpenConnection())
            before = Answers(connection);
        var sensitive = new HashSet<string>();
        foreach (var (name, value) in settings)
        {
            var set = $"SELECT set_config('{name}', '{value.Replace("'", "''")}', false)";
            List<string> expected;
            await using (var connection = fresh.OpenConnection())
                expected = Execute(connection, set) is null ? Answers(connection) : before;
            var isSensitive = !expected.SequenceEqual(before);
            if (isSensitive)
                sensitive.Add(name);
            foreach (var way in isSensitive ? Ways : Ways[..1])
            {
                await using (var connection = kept.OpenConnection())
                {
                    Same(before, Answers(connection), name, value, way + ", before");
                    Change(connection, way, name, value, [.. Probes.Where((_, i) => !IsRefusal(before[i]) && !IsRefusal(expected[i]))]);
                    if (way.StartsWith("undone", StringComparison.Ordinal))
                        Same(before, Answers(connection), name, value, way);
                    else
                        Same(expected, Answers(connection), name, value, way);
                    // Now prepared under the other value.
                    Answers(connection);
                }

                await using (var connection = kept.OpenConnection())
                    Same(before, Answers(connection), name, value, way + ", in the next lease");
            }
        }

        // If these settings make no difference, none of the above checks could have failed.
        foreach (var name in new[]
        {
            "TimeZone",
            "DateStyle",
            "IntervalStyle",
            "standard_conforming_strings",
            "transform_null_equals",
            "array_nulls",
            "xmloption",
            "bytea_output",
            "role"
        })
            Assert.Contains(name, sensitive);
    }

    private static readonly string[] Ways =
        [
            "set_config", "SET", "SET SESSION", "committed", "undone by rollback", "undone to savepoint", "undone LOCAL", "undone by RESET",
            "undone by DISCARD ALL", "DO", "batch", "script"
        ];

    private static void Change(PgConnection connection, string way, string name, string value, string[] harmless)
    {
        var to = name is "DateStyle" or "search_path" ? value : $"'{value}'";
        var set = $"SET {name} TO {to}";
        switch (way)
        {
            case "set_config":
                Execute(connection, $"SELECT set_config('{name}', '{value.Replace("'", "''")}', false)");
                break;
            case "SET":
                Execute(connection, set);
                break;
            case "SET SESSION":
                Execute(connection, $"/* a comment */ set session \"{name.ToLowerInvariant()}\" = {to}");
                break;
            case "committed":
                using (var transaction = connection.BeginTransaction())
                {
                    Execute(connection, set);
                    Answers(connection, harmless);
                    transaction.Commit();
                }

                break;
            case "undone by rollback":
                using (connection.BeginTransaction())
                {
                    Execute(connection, set);
                    Answers(connection, harmless);
                }

                break;
            case "undone to savepoint":
                using (var transaction = connection.BeginTransaction())
                {
                    transaction.Save("here");
                    Execute(connection, set);
                    Answers(connection, harmless);
                    transaction.Rollback("here");
                    Answers(connection, harmless);
                    transaction.Commit();
                }

                break;
            case "undone LOCAL":
                Execute(connection, "BEGIN");
                Execute(connection, $"SET LOCAL {name} TO {to}");
                Answers(connection, harmless);
                Execute(connection, "COMMIT");
                break;
            case "undone by RESET":
                Execute(connection, set);
                Answers(connection, harmless);
                Execute(connection, $"RESET {name}");
                break;
            case "undone by DISCARD ALL":
                Execute(connection, set);
                Answers(connection, harmless);
                Execute(connection, "DISCARD ALL");
                break;
            case "DO":
                Execute(connection, $"DO $$ BEGIN PERFORM set_config('{name}', '{value.Replace("'", "''")}', false); END $$");
                break;
            case "batch":
                using (var batch = new PgBatch(connection))
                {
                    batch.BatchCommands.Add(new PgBatchCommand(Probes[0]));
                    batch.BatchCommands.Add(new PgBatchCommand(set));
                    foreach (var probe in harmless)
                        batch.BatchCommands.Add(new PgBatchCommand(probe));
                    batch.ExecuteNonQuery();
                }

                break;
            default:
                Execute(connection, $"SELECT 1; {set}; SELECT 2");
                break;
        }
    }

    [Theory]
    [InlineData("SET application_name TO 'x'")]
    [InlineData("SET LOCAL statement_timeout = 1000")]
    [InlineData("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE")]
    [InlineData("SET search_path TO public")]
    [InlineData("SELECT set_config('lock_timeout', '7s', false)")]
    [InlineData("RESET statement_timeout")]
    public async Task A_setting_that_no_statement_can_notice_ends_none(string change)
    {
        await using var source = await SourceAsync("Auto Prepare Min Usages=1;Maximum Pool Size=1");
        for (var lease = 0; lease < 3; lease++)
        {
            await using var connection = source.OpenConnection();
            if (lease > 0)
                Assert.Equal(1L, Scalar(connection, "SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT 4711'"));
            for (var i = 0; i < 3; i++)
                Assert.Equal(4711, Scalar(connection, "SELECT 4711"));
            Assert.Null(Execute(connection, change));
            Assert.Equal(1L, Scalar(connection, "SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT 4711'"));
        }
    }

    // The server computes an IMMUTABLE function when it plans a statement; the declaration is wrong because the function reads a setting.
    [Theory]
    [InlineData("SET app.tenant = '{0}'", false)]
    [InlineData("SELECT set_config('app.tenant', '{0}', false)", false)]
    [InlineData("DO $$ BEGIN PERFORM set_config('app.tenant', '{0}', false); END $$", false)]
    [InlineData("SET LOCAL app.tenant = '{0}'", true)]
    [InlineData("SELECT set_config('app.tenant', '{0}', true)", true)]
    public async Task No_lease_sees_what_another_has_set_for_itself(string set, bool inTransaction)
    {
        await using var source = await SourceAsync("Auto Prepare Min Usages=1;Maximum Pool Size=1");
        var name = $"tenant_{Environment.ProcessId}_{Guid.NewGuid():N}";
        await using (var connection = source.OpenConnection())
            Assert.Null(
                Execute(
                    connection,
                    $"CREATE FUNCTION {name}() RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN current_setting('app.tenant', true); END $$"));
        try
        {
            for (var lease = 0; lease < 8; lease++)
            {
                await using var connection = source.OpenConnection();
                await using var transaction = inTransaction ? connection.BeginTransaction() : null;
                Assert.Null(Execute(connection, set.Replace("{0}", $"{lease}", StringComparison.Ordinal)));
                for (var i = 0; i < 3; i++)
                    Assert.Equal($"{lease}", Scalar(connection, $"SELECT {name}()"));
                transaction?.Commit();
                if (inTransaction)
                    Assert.Equal("", Scalar(connection, $"SELECT {name}()"));
            }

            await using var last = source.OpenConnection();
            Assert.Equal("", Scalar(last, $"SELECT {name}()"));
        }
        finally
        {
            await using var connection = source.OpenConnection();
            Assert.Null(Execute(connection, $"DROP FUNCTION {name}"));
        }
    }

    [Theory]
    [InlineData("SELECT pg_temp.change()")]
    [InlineData("WITH w AS (SELECT pg_temp.change()) SELECT * FROM w")]
    [InlineData("EXECUTE changing")]
    [InlineData("UPDATE pg_settings SET setting = 'America/New_York' WHERE name = 'TimeZone'")]
    public async Task A_change_that_the_server_reports_is_seen_wherever_it_hides(string change)
    {
        const string Probe = "SELECT extract(hour FROM timestamptz '2024-06-01 12:00Z')::int, extract(epoch FROM timestamptz '2024-06-01 12:00')::bigint";
        await using var source = await SourceAsync("Auto Prepare Min Usages=1;Maximum Pool Size=1;Timezone=UTC");
        await using var connection = source.OpenConnection();
        Execute(
            connection,
            "CREATE FUNCTION pg_temp.change() RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('TimeZone', 'America/New_York', false); RETURN "
                + "'x'; END $$");
        Execute(connection, "PREPARE changing AS SELECT set_config('TimeZone', 'America/New_York', false)");
        for (var i = 0; i < 3; i++)
            Assert.Equal((12, 1717243200L), Row(connection, Probe));
        Assert.Null(Execute(connection, change));
        for (var i = 0; i < 3; i++)
            Assert.Equal((8, 1717257600L), Row(connection, Probe));
        connection.Close();
        connection.Open();
        for (var i = 0; i < 3; i++)
            Assert.Equal((12, 1717243200L), Row(connection, Probe));
    }

    [Fact]
    public async Task What_the_user_prepares_follows_the_settings_too()
    {
        await using var source = await SourceAsync("Auto Prepare=false;Maximum Pool Size=1;Timezone=UTC");
        await using var connection = source.OpenConnection();
        await using var command = new PgCommand("SELECT extract(epoch FROM timestamptz '2024-06-01 12:00')::bigint", connection);
        command.Prepare();
        Assert.Equal(1717243200L, command.ExecuteScalar());
        Execute(connection, "SET TIME ZONE 'America/New_York'");
        Assert.Equal(1717257600L, command.ExecuteScalar());
        Execute(connection, "SET TIME ZONE LOCAL");
        Assert.Equal(1717243200L, command.ExecuteScalar());
    }

    [Fact]
    public async Task A_statement_that_SQL_has_prepared_ends_with_its_lease()
    {
        await using var source = await SourceAsync("Auto Prepare Min Usages=1;Maximum Pool Size=1");
        for (var lease = 0; lease < 4; lease++)
        {
            await using var connection = source.OpenConnection();
            Assert.Equal(0L, Scalar(connection, "SELECT count(*) FROM pg_prepared_statements WHERE from_sql"));
            Assert.Null(Execute(connection, $"PREPARE report AS SELECT 'of lease {lease}'"));
            Assert.Equal($"of lease {lease}", Scalar(connection, "EXECUTE report"));
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("Pipelining=false")]
    public async Task What_a_reset_drops_is_not_executed_behind_it(string options)
    {
        await using var source = await SourceAsync($"Auto Prepare Min Usages=1;Maximum Pool Size=1;{options}");
        for (var lease = 0; lease < 4; lease++)
        {
            await using var connection = source.OpenConnection();
            await using var transaction = connection.BeginTransaction();
            for (var i = 0; i < 3; i++)
                Assert.Equal(1, Scalar(connection, "SELECT 1"));
            Assert.Null(Execute(connection, "SET DateStyle = german"));
            for (var i = 0; i < 3; i++)
                Assert.Equal(1, Scalar(connection, "SELECT 1"));
            transaction.Commit();
        }
    }

    // ---------------------------------------------------------------- tools

    private static async Task<List<(string Name, string Value)>> SettingsAsync(PgDataSource source)
    {
        await using var connection = source.OpenConnection();
        await using var command = new PgCommand(
            "SELECT name, vartype, setting, boot_val, array_to_string(enumvals, ',') FROM pg_settings WHERE context = 'user' ORDER BY name", connection);
        await using var reader = await command.ExecuteReaderAsync(TestContext.Current.CancellationToken);
        var settings = new List<(string, string)> { ("role", "pg_monitor") };
        while (reader.Read())
        {
            var (name, type, setting) = (reader.GetString(0), reader.GetString(1), reader.GetString(2));
            string[] values = Others.TryGetValue(name, out var others) ? others
                : type == "bool" ? [setting == "on" ? "off" : "on"]
                : type == "enum" ? [.. reader.GetString(4).Split(',').Where(value => value != setting)]
                : type == "integer" ? [(long.Parse(setting, CultureInfo.InvariantCulture) + 1).ToString(CultureInfo.InvariantCulture)]
                : type == "real" ? [(double.Parse(setting, CultureInfo.InvariantCulture) / 2 + 0.25).ToString(CultureInfo.InvariantCulture)]
                : ["other"];
            foreach (var value in values)
                settings.Add((name, value));
        }

        return settings;
    }

    private static bool IsRefusal(string answer) => answer.Contains(": refused ", StringComparison.Ordinal);

    private static List<string> Answers(PgConnection connection, string[]? probes = null)
    {
        var answers = new List<string>(Probes.Length);
        foreach (var probe in probes ?? Probes)
        {
            try
            {
                answers.Add($"{probe}: {Scalar(connection, probe)}");
            }
            catch (PgException exception)
            {
                answers.Add($"{probe}: refused {exception.SqlState}");
            }
        }

        return answers;
    }

    // The server does not report such a setting, and plans an INSERT again without reading its constants again.
    [Theory]
    [InlineData("COMMIT AND CHAIN")]
    [InlineData("ROLLBACK AND CHAIN")]
    [InlineData("COMMIT; BEGIN")]
    public async Task What_is_set_for_a_transaction_ends_with_it_where_another_begins_at_once(string next)
    {
        await using var source = await SourceAsync("");
        await using var connection = source.OpenConnection();
        Assert.Null(Execute(connection, "CREATE TEMP TABLE chained (a text[])"));
        const string insert = "INSERT INTO chained VALUES ('{NULL}'::text[])";
        for (var i = 0; i < 4; i++)
            Assert.Null(Execute(connection, insert));
        Assert.Null(Execute(connection, "BEGIN; SET LOCAL array_nulls = off"));
        Assert.Null(Execute(connection, insert));
        Assert.Null(Execute(connection, insert));
        Assert.Null(Execute(connection, next));
        Assert.Null(Execute(connection, "DELETE FROM chained"));
        Assert.Null(Execute(connection, insert));
        Assert.Null(Execute(connection, insert));
        Assert.Null(Execute(connection, "COMMIT"));
        Assert.Equal(2L, Scalar(connection, "SELECT count(*) FROM chained WHERE a[1] IS NULL"));
    }

    private static void Same(List<string> expected, List<string> actual, string name, string value, string way)
    {
        for (var i = 0; i < expected.Count; i++)
            if (expected[i] != actual[i])
                Assert.Fail($"{name} = {value}, {way}: expected {expected[i]}, was {actual[i]}");
    }

    private static object? Scalar(DbConnection connection, string sql)
    {
        using var command = connection.CreateCommand();
        command.CommandText = sql;
        return command.ExecuteScalar();
    }

    // Returns the SQLSTATE of the error; null if there was none.
    private static string? Execute(DbConnection connection, string sql)
    {
        using var command = connection.CreateCommand();
        command.CommandText = sql;
        try
        {
            command.ExecuteNonQuery();
            return null;
        }
        catch (PgException exception)
        {
            return exception.SqlState;
        }
    }

    private static (int, long) Row(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        using var reader = command.ExecuteReader();
        Assert.True(reader.Read());
        return (reader.GetInt32(0), reader.GetInt64(1));
    }

    private async Task<PgDataSource> SourceAsync(string options) =>
        PgDataSource.Create(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(Kind), options));
}
