using System.Data.Common;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Automatically prepared statements: only the server sees a difference.</summary>
public class AutoPrepareTests
{
    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    private static int _names;

    public static TheoryData<string, object?[]> Queries => new()
    {
        { "SELECT 1", [] },
        { "SELECT $1", [1, "x", null, 2L, null, 3] },
        { "SELECT $1 + 1", [1, 2L, 3.5m, null, 1.5] },
        { "SELECT $1::int4, $1::int4 * 2", [1, null, 7] },
        { "SELECT $1 IS NULL", [null, 1, "a", null] },
        { "SELECT $1 || 'x'", ["a", null, "", "b"] },
        { "SELECT 10 / $1", [1, 0, 2, 0, 5] },
        { "SELECT 10 / ($1 - g) FROM generate_series(1, 5) g", [7, 3, 9, 2] },
        { "SELECT * FROM generate_series(1, 9) g LIMIT $1", [1, 3L, 0, null] },
        { "SELECT $1::float8 / 3, $1::float4 / 3, 0.1::float8 + 0.2::float8", [1.0, 2.0, double.NaN, double.PositiveInfinity] },
        { "SELECT $1::numeric / 3, 1.10::numeric(10, 3), 'NaN'::numeric = $1", [1m, 2.500m, -0.001m] },
        {
            "SELECT $1::timestamp, $1::timestamp + interval '1.5 seconds', date '2024-02-29', time '01:02:03.4567'",
            [new DateTime(2024, 2, 29, 12, 13, 14, 567), DateTime.MaxValue.Date]
        },
        { "SELECT $1::timestamptz, now() > $1", [new DateTime(2024, 2, 29, 1, 2, 3, DateTimeKind.Utc)] },
        { "SELECT $1::text, '', repeat('ü', 100)", ["", "ä", null] },
        { "SELECT $1::bytea, '\\x00ff'::bytea", [new byte[] { 0, 255 }, Array.Empty<byte>(), null] },
        { "SELECT $1::uuid", [Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), null] },
        { "SELECT ARRAY[$1, 2], '{\"a\": 1}'::jsonb, '10.0.0.1'::inet", [1, 2] },
        { "SELECT true, $1::bool, 1::int2, 'x'::name, 'c'::\"char\"", [true, false, null] },
        { "VALUES (1, 'a'), ($1, 'b')", [2, 3] },
        { "WITH w AS (SELECT $1 AS a) SELECT a, pg_typeof(a)::text FROM w", [1, "x", 2L, null] },
        { "SELECT $1::int4", ["no number", "1", "", "2"] },
        { "SELECT no_column FROM pg_class WHERE relname = $1", ["x", "y"] },
        { "SELECT relname, relkind, reltuples >= $1 FROM pg_class WHERE relname = 'pg_class'", [0, -2] },
        { "INSERT INTO {table} VALUES ($1, 'v') RETURNING id, v", [1, 2, 1, 2, null, 3] },
        { "UPDATE {table} SET v = v || $1 WHERE id > 0", ["a", null, "b"] },
        { "DELETE FROM {table} WHERE id = $1", [1, 2L, 3m, 77] },
        { "SELECT id, v FROM {table} WHERE id = ANY(string_to_array($1, ',')::int[]) ORDER BY id", ["1,2,3", "", "x", "4"] },
        { "SET application_name = 'x'", [] },
        { "SHOW application_name", [] },
        { "(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1 DESC", [] },
        { "/* a comment */ SELECT 'x'::varchar(3), 'y'::char(3)", [] },
        { "SELECT 1; SELECT 2", [] },
        { "SELECT FROM pg_class LIMIT 2", [] },
        { "", [] },
    };

    [Theory]
    [MemberData(nameof(Queries))]
    public async Task What_comes_back_is_the_same_before_and_after_the_switch(string sql, object?[] values)
    {
        if (sql.Length == 0)
            sql = "-- nothing";
        var expected = await Answers(sql, values, "Auto Prepare=false");
        Assert.Equal(expected, await Answers(sql, values, "Auto Prepare Min Usages=1"));
        Assert.Equal(expected, await Answers(sql, values, "Auto Prepare Min Usages=3"));
        Assert.Equal(expected, await Answers(sql, values, ""));
    }

    // Each value one to five times in succession, then all once more.
    private async Task<List<string>> Answers(string sql, object?[] values, string options)
    {
        await using var source = await SourceAsync(options);
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        var table = $"auto_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(connection, $"CREATE TEMPORARY TABLE {table} (id int PRIMARY KEY, v text)");
        Execute(connection, $"INSERT INTO {table} SELECT g, 'v' || g FROM generate_series(4, 9) g");
        var answers = new List<string>();
        var runs =
            values.Length == 0
                ? Enumerable.Repeat<object?[]>([], 5)
                : values.SelectMany((value, i) => Enumerable.Repeat<object?[]>([value], 1 + i % 5)).Concat(values.Select(value => new[] { value }));
        foreach (var run in runs)
        {
            using var command = new PgCommand(sql.Replace("{table}", table), connection);
            foreach (var value in run)
                command.Parameters.Add(new PgParameter { Value = value });
            answers.Add(Answer(command).Replace(table, "{table}"));
        }

        return answers;
    }

    private static string Answer(PgCommand command)
    {
        var answer = new StringWriter();
        try
        {
            using var reader = command.ExecuteReader();
            do
            {
                for (var i = 0; i < reader.FieldCount; i++)
                    answer.Write($"[{reader.GetName(i)} {reader.GetDataTypeName(i)} {reader.GetFieldType(i).Name}]");
                while (reader.Read())
                    for (var i = 0; i < reader.FieldCount; i++)
                        answer.Write($" {Text(reader.GetValue(i))}");
            }
            while (reader.NextResult());
            answer.Write($" affected {reader.RecordsAffected}");
        }
        catch (PgException exception)
        {
            answer.Write($" {exception.SqlState} {exception.Message}");
        }

        return answer.ToString();
    }

    private static string Text(object value) => value switch
    {
        byte[] bytes => $"bytes {Convert.ToHexString(bytes)}",
        DateTime moment => $"{moment:O} {moment.Kind}",
        IFormattable number => $"{value.GetType().Name} {number.ToString(null, System.Globalization.CultureInfo.InvariantCulture)}",
        _ => $"{value.GetType().Name} {value}",
    };

    [Fact]
    public async Task The_third_execution_prepares_whatever_connection_runs_it()
    {
        await using var source = await SourceAsync();
        for (var i = 0; i < 4; i++)
        {
            await using var connection = source.OpenConnection();
            Assert.Equal(i >= 3 ? 1 : 0, Prepared(connection));
            Assert.Equal(1, Scalar(connection, "SELECT 1"));
        }
    }

    [Fact]
    public async Task Only_statements_that_are_planned_are_prepared()
    {
        await using var source = await SourceAsync("Auto Prepare Min Usages=1");
        await using var connection = source.OpenConnection();
        foreach (var sql in new[]
        {
            "SHOW work_mem",
            "SET work_mem = '4MB'",
            "SELECT 1; SELECT 2",
            "BEGIN",
            "COMMIT",
            "LOCK pg_class",
            "EXPLAIN SELECT 1",
            "-- nothing"
        })
        {
            for (var i = 0; i < 4; i++)
            {
                try
                {
                    Execute(connection, sql);
                }
                catch (PgException)
                {
                    // LOCK outside of a transaction.
                }
            }
        }

        Assert.Equal(0, Prepared(connection));
    }

    [Theory]
    [InlineData("Auto Prepare=false", 0)]
    [InlineData("Max Auto Prepare=0", 0)]
    [InlineData("Max Auto Prepare=3", 3)]
    [InlineData("Auto Prepare Min Uses=1;AutoPrepare=true", 10)]
    [InlineData("Auto Prepare Min Usages=9", 0)]
    public async Task The_options_bound_it(string options, int prepared)
    {
        await using var source = await SourceAsync(options);
        await using var connection = source.OpenConnection();
        for (var i = 0; i < 5; i++)
            for (var text = 0; text < 10; text++)
                Assert.Equal(text, Scalar(connection, $"SELECT {text}"));
        Assert.Equal(prepared, Prepared(connection));
    }

    [Fact]
    public async Task A_hint_prepares_with_the_first_execution()
    {
        await using var source = await SourceAsync();
        source.Prepare("SELECT @a + 1");
        source.Prepare("SELECT 5");
        await using var connection = source.OpenConnection();
        using var command = new PgCommand("SELECT @a + 1", connection) { Parameters = { new PgParameter("a", 1) } };
        Assert.Equal(2, command.ExecuteScalar());
        Assert.Equal(5, Scalar(connection, "SELECT 5"));
        Assert.Equal(2, Prepared(connection));
    }

    [Fact]
    public async Task Each_combination_of_types_is_a_statement_of_its_own_up_to_a_limit()
    {
        await using var source = await SourceAsync("Auto Prepare Min Usages=1");
        await using var connection = source.OpenConnection();
        object[] values = [1, 1L, (short)1, 1m, 1.0, 1f, "1", DBNull.Value, true, DateTime.UtcNow, Guid.Empty, TimeSpan.Zero];
        for (var i = 0; i < 3; i++)
        {
            foreach (var value in values)
            {
                using var command = new PgCommand("SELECT pg_typeof($1)::text", connection) { Parameters = { new PgParameter { Value = value } } };
                try
                {
                    Assert.NotNull(command.ExecuteScalar());
                }
                catch (PgException exception)
                {
                    // For the NULL: "could not determine data type of parameter $1".
                    Assert.Equal("42P18", exception.SqlState);
                }
            }
        }

        Assert.Equal(8, Prepared(connection) + 1);
    }

    // ---------------------------------------------------------------- stale statements

    [Theory]
    [InlineData("DISCARD ALL")]
    [InlineData("DEALLOCATE ALL")]
    [InlineData("DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$")]
    [InlineData("SELECT pg_temp.drop_all()")]
    public async Task Dropped_by_the_user_they_are_prepared_anew(string drop)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        Execute(connection, "CREATE FUNCTION pg_temp.drop_all() RETURNS int LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DEALLOCATE ALL'; RETURN 1; END $$");
        for (var i = 0; i < 5; i++)
        {
            Assert.Equal(7, Scalar(connection, "SELECT 7"));
            Assert.Equal(i, Parameterized(connection, "SELECT @a::int", i));
        }

        Assert.Equal(2, Prepared(connection));
        Execute(connection, drop);
        Assert.Equal(7, Scalar(connection, "SELECT 7"));
        Assert.Equal(8, Parameterized(connection, "SELECT @a::int", 8));
        Assert.Equal(2, Prepared(connection));
    }

    [Fact]
    public async Task Dropped_inside_a_transaction_the_error_says_what_happened()
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        Execute(connection, "CREATE FUNCTION pg_temp.drop_all() RETURNS int LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DEALLOCATE ALL'; RETURN 1; END $$");
        for (var i = 0; i < 3; i++)
            Scalar(connection, "SELECT 7");
        await using (connection.BeginTransaction())
        {
            Assert.Equal(7, Scalar(connection, "SELECT 7"));
            Execute(connection, "SELECT pg_temp.drop_all()");
            var exception = Assert.Throws<PgException>(() => Scalar(connection, "SELECT 7"));
            Assert.Equal("26000", exception.SqlState);
            Assert.Contains("prepares it again", exception.Message, StringComparison.Ordinal);
        }

        Assert.Equal(7, Scalar(connection, "SELECT 7"));
    }

    [Fact]
    public async Task Statements_that_get_lost_again_and_again_are_not_prepared_any_more()
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        Execute(connection, "CREATE FUNCTION pg_temp.drop_all() RETURNS int LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DEALLOCATE ALL'; RETURN 1; END $$");
        for (var i = 0; i < 20; i++)
        {
            Assert.Equal(7, Scalar(connection, "SELECT 7"));
            using var drop = new PgCommand($"SELECT pg_temp.drop_all() + {i}", connection);
            drop.ExecuteNonQuery();
        }

        Assert.Equal(7, Scalar(connection, "SELECT 7"));
        Assert.Equal(0, Prepared(connection));
    }

    [Theory]
    [InlineData("ALTER TABLE {t} ADD COLUMN c text DEFAULT 'new'")]
    [InlineData("ALTER TABLE {t} ALTER COLUMN a TYPE text USING 'text' || a")]
    [InlineData("ALTER TABLE {t} RENAME COLUMN b TO renamed")]
    [InlineData("ALTER TABLE {t} DROP COLUMN a")]
    [InlineData("DROP TABLE {t}; CREATE TABLE {t} (b text, a float8, x int); INSERT INTO {t} VALUES ('b', 1.5, 7)")]
    public async Task A_changed_table_is_read_as_it_is_now(string change)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        await using var other = source.OpenConnection();
        var table = $"auto_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(connection, $"CREATE TABLE {table} (a int, b text); INSERT INTO {table} VALUES (1, 'one')");
        try
        {
            var sql = $"SELECT * FROM {table}";
            for (var i = 0; i < 4; i++)
                Assert.Equal("[a integer Int32][b text String] Int32 1 String one affected -1", Answer(new(sql, connection)));
            Execute(other, change.Replace("{t}", table));
            var expected = Answer(new(sql + " --", other));
            Assert.NotEqual("[a integer Int32][b text String] Int32 1 String one affected -1", expected);
            for (var i = 0; i < 4; i++)
                Assert.Equal(expected, Answer(new(sql, connection)));
        }
        finally
        {
            Execute(other, $"DROP TABLE {table}");
        }
    }

    [Fact]
    public async Task A_parameter_whose_type_the_server_inferred_follows_a_changed_column()
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        await using var other = source.OpenConnection();
        var table = $"auto_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(connection, $"CREATE TABLE {table} (a int); INSERT INTO {table} VALUES (1)");
        try
        {
            var sql = $"SELECT count(*) FROM {table} WHERE a = $1";
            for (var i = 0; i < 8; i++)
            {
                if (i == 4)
                    Execute(other, $"ALTER TABLE {table} ALTER COLUMN a TYPE text");
                using var command = new PgCommand(sql, connection) { Parameters = { new PgParameter { PgDbType = PgDbType.Unknown, Value = "1" } } };
                Assert.Equal(1L, command.ExecuteScalar());
            }
        }
        finally
        {
            Execute(other, $"DROP TABLE {table}");
        }
    }

    [Fact]
    public async Task A_changed_table_inside_a_transaction_is_a_clear_error_when_the_user_has_prepared()
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        var table = $"auto_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(connection, $"CREATE TABLE {table} (a int)");
        try
        {
            using var command = new PgCommand($"SELECT * FROM {table}", connection);
            command.Prepare();
            Answer(command);
            await using (connection.BeginTransaction())
            {
                Scalar(connection, "SELECT 1");
                await using (var other = source.OpenConnection())
                    Execute(other, $"ALTER TABLE {table} ADD COLUMN b int");
                var exception = Assert.Throws<PgException>(command.ExecuteScalar);
                Assert.Equal("0A000", exception.SqlState);
                Assert.Contains("prepares it again", exception.Message, StringComparison.Ordinal);
            }

            Assert.StartsWith("[a integer Int32][b integer Int32]", Answer(command), StringComparison.Ordinal);
        }
        finally
        {
            Execute(connection, $"DROP TABLE {table}");
        }
    }

    [Theory]
    [InlineData("26000", false)]
    [InlineData("0A000", false)]
    [InlineData("42P01", false)]
    [InlineData("26000", true)]
    [InlineData("0A000", true)]
    [InlineData("42P01", true)]
    public async Task An_error_of_the_users_own_with_the_state_of_a_lost_statement_is_not_repeated(string sqlState, bool asynchronously)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        var name = $"auto_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        // A domain's check runs while the values are bound; a rollback does not return the sequence number that it takes.
        Execute(
            connection,
            $"CREATE SEQUENCE {name}_s; CREATE FUNCTION {name}_f(v int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN IF v >= 100 THEN PERFORM "
                + $"nextval('{name}_s'); "
            + $"RAISE EXCEPTION 'mine' USING ERRCODE = '{sqlState}'; END IF; RETURN true; END $$; CREATE DOMAIN {name}_d AS int CHECK ({name}_f(VALUE))");
        try
        {
            foreach (var explicitly in (bool[])[false, true])
            {
                Execute(connection, $"ALTER SEQUENCE {name}_s RESTART");
                await using var command = new PgCommand($"SELECT ($1::{name}_d)::text || '{explicitly}'", connection)
                {
                    Parameters = { new PgParameter { PgDbType = PgDbType.Unknown, Value = "1" } }
                };
                if (explicitly)
                    command.Prepare();
                for (var i = 0; i < 4; i++)
                    Assert.Equal("1" + explicitly, command.ExecuteScalar());
                for (var i = 1L; i <= 3; i++)
                {
                    command.Parameters[0].Value = "100";
                    var refusal =
                        asynchronously
                            ? await Assert.ThrowsAsync<PgException>(() => command.ExecuteScalarAsync())
                            : Assert.Throws<PgException>(() => command.ExecuteScalar());
                    Assert.Equal((sqlState, "mine"), (refusal.SqlState, refusal.MessageText));
                    Assert.Equal(i, Scalar(connection, $"SELECT last_value FROM {name}_s"));
                    command.Parameters[0].Value = "2";
                    Assert.Equal("2" + explicitly, command.ExecuteScalar());
                }

                Execute(connection, $"ALTER SEQUENCE {name}_s RESTART");
                for (var i = 1L; i <= 3; i++)
                {
                    await using var batch = new PgBatch(connection);
                    foreach (var value in (string[])["2", "2", "100"])
                        batch.BatchCommands.Add(
                            new PgBatchCommand(command.CommandText) { Parameters = { new PgParameter { PgDbType = PgDbType.Unknown, Value = value } } });
                    var refusal =
                        asynchronously
                            ? await Assert.ThrowsAsync<PgException>(() => batch.ExecuteNonQueryAsync())
                            : Assert.Throws<PgException>(() => batch.ExecuteNonQuery());
                    Assert.Equal((sqlState, "mine"), (refusal.SqlState, refusal.MessageText));
                    Assert.Equal(i, Scalar(connection, $"SELECT last_value FROM {name}_s"));
                    Assert.Equal("2" + explicitly, command.ExecuteScalar());
                }
            }
        }
        finally
        {
            Execute(connection, $"DROP DOMAIN {name}_d; DROP FUNCTION {name}_f; DROP SEQUENCE {name}_s");
        }
    }

    [Fact]
    public async Task The_same_text_in_two_schemas_reads_each_ones_table()
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        var name = $"auto_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        try
        {
            Execute(
                connection,
                $"CREATE SCHEMA {name}a; CREATE SCHEMA {name}b; CREATE TABLE {name}a.t (v int); CREATE TABLE {name}b.t (w text, v text); INSERT INTO "
                    + $"{name}a.t VALUES (1); INSERT INTO {name}b.t VALUES ('w', 'two')");
            for (var i = 0; i < 12; i++)
            {
                Execute(connection, $"SET search_path = {name}{(i / 3 % 2 == 0 ? 'a' : 'b')}");
                Assert.Equal(i / 3 % 2 == 0 ? 1 : "two", Scalar(connection, "SELECT v FROM t"));
                Assert.Equal(
                    i / 3 % 2 == 0 ? "[v integer Int32] Int32 1 affected -1" : "[w text String][v text String] String w String two affected -1",
                    Answer(new("SELECT * FROM t", connection)));
            }
        }
        finally
        {
            Execute(connection, $"DROP SCHEMA {name}a CASCADE; DROP SCHEMA {name}b CASCADE");
        }
    }

    [Theory]
    [InlineData("CREATE TEMPORARY TABLE {t} AS SELECT 'temporary' AS v")]
    [InlineData("SELECT 'temporary' AS v INTO TEMPORARY {t}")]
    [InlineData("DO $$ BEGIN CREATE TEMPORARY TABLE {t} AS SELECT 'temporary' AS v; END $$")]
    [InlineData("CREATE TEMPORARY VIEW {t} AS SELECT 'temporary' AS v")]
    public async Task A_temporary_table_hides_the_one_of_its_name_at_once(string create)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        var table = $"auto_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(connection, $"CREATE TABLE {table} (v text); INSERT INTO {table} VALUES ('lasting'); CREATE TEMPORARY TABLE {table}_warm (a int)");
        try
        {
            for (var i = 0; i < 4; i++)
                Assert.Equal("lasting", Scalar(connection, $"SELECT v FROM {table}"));
            Execute(connection, create.Replace("{t}", table));
            for (var i = 0; i < 4; i++)
                Assert.Equal("temporary", Scalar(connection, $"SELECT v FROM {table}"));

            // The reset drops the table.
            connection.Close();
            connection.Open();
            for (var i = 0; i < 4; i++)
                Assert.Equal("lasting", Scalar(connection, $"SELECT v FROM {table}"));
        }
        finally
        {
            connection.Close();
            connection.Open();
            Execute(connection, $"DROP TABLE {table}");
        }
    }

    [Fact]
    public async Task Tables_that_change_all_the_time_are_never_misread()
    {
        await using var source = await SourceAsync("Auto Prepare Min Usages=1");
        var table = $"auto_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        await using (var connection = source.OpenConnection())
            Execute(connection, $"CREATE TABLE {table} (a int, b text); INSERT INTO {table} VALUES (77, 'bb')");
        string[] changes =
        [
            "ALTER TABLE {t} ADD COLUMN c float8 DEFAULT 5.5", "ALTER TABLE {t} ALTER COLUMN a TYPE text", "ALTER TABLE {t} DROP COLUMN c",
            "ALTER TABLE {t} ALTER COLUMN a TYPE int8 USING a::int8",
            "ALTER TABLE {t} RENAME TO {t}x; ALTER TABLE {t}x RENAME TO {t}", "ALTER TABLE {t} ALTER COLUMN a TYPE int4",
        ];
        try
        {
            using var ended = new CancellationTokenSource();
            var readers = Enumerable.Range(0, 4).Select(asynchronous => Task.Run(async () =>
            {
                var reads = 0;
                do
                {
                    await using var connection = source.OpenConnection();
                    for (var i = 0; i < 10; i++, reads++)
                    {
                        using var command = new PgCommand($"SELECT * FROM {table}", connection);
                        using var reader = asynchronous % 2 == 0 ? command.ExecuteReader() : await command.ExecuteReaderAsync();
                        Assert.True(reader.Read());
                        Assert.Equal("77", Convert.ToString(reader.GetValue(reader.GetOrdinal("a")), System.Globalization.CultureInfo.InvariantCulture));
                        Assert.Equal("bb", reader.GetString(reader.GetOrdinal("b")));
                        if (reader.FieldCount == 3)
                            Assert.Equal(5.5, reader.GetDouble(2));
                    }
                }
                while (!ended.IsCancellationRequested);

                return reads;
            })).ToArray();
            await using (var connection = source.OpenConnection())
                for (var i = 0; i < 120; i++)
                    Execute(connection, changes[i % changes.Length].Replace("{t}", table));
            await ended.CancelAsync();
            Assert.All(await Task.WhenAll(readers), reads => Assert.True(reads > 0));
        }
        finally
        {
            await using var connection = source.OpenConnection();
            Execute(connection, $"DROP TABLE {table}");
        }
    }

    // ---------------------------------------------------------------- the pool

    [Fact]
    public async Task No_state_survives_the_pool_but_the_statements()
    {
        await using var source = await SourceAsync("Auto Prepare Min Usages=1;Max Pool Size=1");
        await using var connection = source.OpenConnection();
        var process = connection.ProcessID;
        string[] reads =
        [
            "SELECT current_setting('work_mem')", "SELECT session_user::text || current_user::text", "SELECT count(*) FROM pg_listening_channels()",
            "SELECT count(*) FROM pg_cursors",
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()", "SELECT to_regclass('pg_temp.left_behind') IS NULL",
            "SELECT current_setting('mine.variable', true)", "SELECT current_setting('search_path')", "SELECT current_setting('TimeZone')",
            "SELECT current_setting('statement_timeout')",
            "SELECT current_setting('role')", "SELECT current_setting('DateStyle')", "SELECT current_setting('application_name')",
            "SELECT current_setting('default_transaction_read_only')",
        ];
        foreach (var _ in new[] { 1, 2, 3 })
            foreach (var read in reads)
                Scalar(connection, read);
        var before = reads.Select(read => Scalar(connection, read)).ToList();
        var prepared = Prepared(connection);
        Assert.True(prepared >= reads.Length);

        Execute(connection, """
            SET work_mem = '77MB'; SET ROLE pg_monitor; LISTEN here; DECLARE c CURSOR WITH HOLD FOR SELECT 1; SELECT pg_advisory_lock(4711), pg_advisory_lock_shared(4712);
            RESET ROLE; CREATE TEMPORARY TABLE left_behind (a int); CREATE TEMPORARY SEQUENCE left_sequence; SELECT nextval('left_sequence'); SET mine.variable = 'x'; SET search_path = pg_catalog;
            SET TimeZone = 'Asia/Tokyo'; SET statement_timeout = '77s'; SET ROLE pg_monitor; SET DateStyle = 'German'; SET application_name = 'left'; SET default_transaction_read_only = on
            """);
        connection.Close();
        connection.Open();
        Assert.Equal(process, connection.ProcessID);
        var after = reads.Select(read => Scalar(connection, read)).ToList();

        // A custom setting exists once it was set: afterwards it is empty instead of NULL. DISCARD ALL does the same.
        after[6] = after[6] as string == "" ? DBNull.Value : after[6];
        Assert.Equal(before, after);
        Assert.Equal("55000", Assert.Throws<PgException>(() => Scalar(connection, "SELECT lastval()")).SqlState);
        Assert.True(Prepared(connection) >= prepared);
    }

    [Fact]
    public async Task Statements_that_survive_the_pool_are_not_parsed_again()
    {
        var server = await LiveServers.GetAsync(Kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = PgDataSource.Create(
            $"Host=127.0.0.1;Port={proxy.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Disable");
        var sql = $"SELECT {string.Join(" + ", Enumerable.Repeat("1", 200))}";
        for (var i = 0; i < 4; i++)
        {
            await using var connection = source.OpenConnection();
            Assert.Equal(200, Scalar(connection, sql));
        }

        proxy.Counters.Reset();
        for (var i = 0; i < 10; i++)
        {
            await using var connection = source.OpenConnection();
            Assert.Equal(200, Scalar(connection, sql));
        }

        Assert.Equal((10, 10), (proxy.Counters.RoundTrips, proxy.Counters.SegmentsSent));
        Assert.True(proxy.Counters.BytesSent < 10 * 300, $"{proxy.Counters.BytesSent} bytes");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Opening_preparing_and_executing_is_one_round_trip(bool evicts)
    {
        var server = await LiveServers.GetAsync(Kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = PgDataSource.Create(
            $"Host=127.0.0.1;Port={proxy.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Disable;Max Auto "
                + $"Prepare={(evicts ? 1 : 64)}");
        await using (var connection = source.OpenConnection())
            Scalar(connection, "SELECT 1");
        proxy.Counters.Reset();
        for (var i = 0; i < 10; i++)
        {
            await using var connection = source.OpenConnection();
            using var command = new PgCommand($"SELECT {i} + $1", connection) { Parameters = { new PgParameter { Value = 1 } } };
            command.Prepare();
            Assert.Equal(i + 1, command.ExecuteScalar());
        }

        Assert.Equal((10, 10), (proxy.Counters.RoundTrips, proxy.Counters.SegmentsSent));
    }

    [Fact]
    public async Task Names_of_statements_are_no_other_sessions()
    {
        await using var source = await SourceAsync("Auto Prepare Min Usages=1");
        await using var one = source.OpenConnection();
        await using var two = source.OpenConnection();
        var names = new List<object?>();
        foreach (var connection in new[] { one, two })
        {
            Scalar(connection, "SELECT 1");
            Scalar(connection, "SELECT 1");
            names.Add(Scalar(connection, "SELECT min(name) FROM pg_prepared_statements WHERE statement = 'SELECT 1'"));
        }

        Assert.All(names, name => Assert.NotNull(name));
        Assert.NotEqual(names[0], names[1]);
    }

    // Only NULL fits every type.
    [Fact]
    public async Task A_value_without_a_type_is_not_read_as_the_type_of_another_command()
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        const string sql = "SELECT count(*) FROM (VALUES (7.2), (8)) v (a) WHERE a > @a";
        using var typed = new PgCommand(sql, connection) { Parameters = { new PgParameter("a", 5) } };
        typed.Prepare();
        Assert.Equal(2L, typed.ExecuteScalar());
        using var untyped = new PgCommand(sql, connection) { Parameters = { new PgParameter("a", PgDbType.Unknown) { Value = "7.5" } } };
        untyped.Prepare();
        Assert.Equal(1L, untyped.ExecuteScalar());
        Assert.Equal(1L, untyped.ExecuteScalar());
        Assert.Equal(2L, typed.ExecuteScalar());
    }

    [Fact]
    public async Task A_null_keeps_the_type_that_its_parameter_was_prepared_with_when_the_table_changes()
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        await using var other = source.OpenConnection();
        var table = $"auto_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(other, $"CREATE TABLE {table} (a int); INSERT INTO {table} VALUES (1)");
        try
        {
            using var command = new PgCommand($"SELECT pg_typeof(@a)::text, * FROM {table}", connection) { Parameters = { new PgParameter("a", 5) } };
            command.Prepare();
            Assert.Equal("integer", command.ExecuteScalar());
            command.Parameters[0].Value = DBNull.Value;
            Assert.Equal("integer", command.ExecuteScalar());
            for (var i = 0; i < 2; i++)
            {
                Execute(other, $"ALTER TABLE {table} ADD COLUMN b{i} int");
                Assert.Equal("integer", command.ExecuteScalar());
                Assert.Equal("integer", command.ExecuteScalar());
            }
        }
        finally
        {
            Execute(other, $"DROP TABLE {table}");
        }
    }

    public static TheoryData<string, string> Undone
    {
        get
        {
            var all = new TheoryData<string, string>();
            string[] changes =
                ["DROP TABLE pg_temp.{t}", "ALTER TABLE pg_temp.{t} RENAME TO {t}_old", "DISCARD TEMP", "DO $$BEGIN DROP TABLE pg_temp.{t}; END$$"];
            foreach (var change in changes)
                foreach (var way in new[] { "rollback", "text", "failed", "savepoint", "dispose", "batch" })
                    if (change != "DISCARD TEMP" || way != "savepoint")
                        all.Add(change, way);
            return all;
        }
    }

    // While a name is free, it refers to another table. A statement that was prepared then does not notice that the name is in use again.
    [Theory]
    [MemberData(nameof(Undone))]
    public async Task Names_go_back_with_what_is_undone(string change, string way)
    {
        await using var source = await SourceAsync();
        await using var connection = source.OpenConnection();
        var table = $"undone_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        Execute(connection, $"CREATE TABLE {table} (a int); INSERT INTO {table} VALUES (1)");
        Execute(connection, $"CREATE TEMP TABLE {table} (a int); INSERT INTO pg_temp.{table} VALUES (2)");
        change = change.Replace("{t}", table);
        var sql = $"SELECT a FROM {table}";
        try
        {
            for (var i = 0; i < 4; i++)
                Assert.Equal(2, Scalar(connection, sql));
            if (way == "batch")
            {
                await using var batch = new PgBatch(connection)
                    { BatchCommands = { new PgBatchCommand(change), new PgBatchCommand(sql), new PgBatchCommand("SELECT 1 / 0") } };
                batch.Prepare();
                Assert.Throws<PgException>(() => batch.ExecuteNonQuery());
            }
            else
            {
                using var transaction = way is "text" or "failed" ? null : connection.BeginTransaction();
                if (transaction is null)
                    Execute(connection, "BEGIN");
                if (way == "savepoint")
                    transaction!.Save("here");
                Execute(connection, change);
                for (var i = 0; i < 3; i++)
                    Assert.Equal(1, Scalar(connection, sql));
                if (way == "savepoint")
                    transaction!.Rollback("here");
                if (way == "savepoint")
                    Assert.Equal(2, Scalar(connection, sql));
                if (way == "failed")
                    Assert.Throws<PgException>(() => Scalar(connection, "SELECT 1 / 0"));
                if (way is "rollback" or "savepoint")
                    transaction!.Rollback();
                else if (transaction is null)
                    Execute(connection, way == "failed" ? "COMMIT" : "ROLLBACK");
            }

            for (var i = 0; i < 3; i++)
                Assert.Equal(2, Scalar(connection, sql));
        }
        finally
        {
            Execute(connection, $"DROP TABLE pg_temp.{table}; DROP TABLE public.{table}");
        }
    }

    // ---------------------------------------------------------------- helpers

    private async Task<PgDataSource> SourceAsync(string options = "") =>
        PgDataSource.Create(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(Kind), options));

    private static void Execute(DbConnection connection, string sql)
    {
        using var command = connection.CreateCommand();
        command.CommandText = sql;
        command.ExecuteNonQuery();
    }

    private static object? Scalar(DbConnection connection, string sql)
    {
        using var command = connection.CreateCommand();
        command.CommandText = sql;
        return command.ExecuteScalar();
    }

    private static object? Parameterized(PgConnection connection, string sql, object value)
    {
        using var command = new PgCommand(sql, connection) { Parameters = { new PgParameter("a", value) } };
        return command.ExecuteScalar();
    }

    // Without the statement that counts.
    private static int Prepared(PgConnection connection) =>
        Convert.ToInt32(Scalar(connection, $"SELECT count(*) FROM pg_prepared_statements -- {Interlocked.Increment(ref _names)}"), null);
}
