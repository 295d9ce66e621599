using System.Data;
using System.Globalization;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>
/// Changes by other sessions, roles, row level security and large outputs: the answers are the same with and without automatically prepared statements.
/// </summary>
public class PreparedOrNotTests
{
    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    private static int _names;

    /// <summary>
    /// A NULL without a type fits a statement that <c>Prepare()</c> prepared, if the command also uses <c>Prepare()</c>. Automatically prepared statements are
    /// separate.
    /// </summary>
    [Fact]
    public async Task A_NULL_has_no_type_of_a_statement_that_prepared_itself()
    {
        var server = await LiveServers.GetAsync(Kind);
        foreach (var option in (string[])["true", "false"])
        {
            await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server, $"Auto Prepare={option}"));
            await using var connection = await source.OpenConnectionAsync();
            for (var n = 0; n < 5; n++)
            {
                await using var command = new PgCommand("SELECT @a AS a, @b AS b", connection);
                command.Parameters.AddWithValue("@a", 1);
                command.Parameters.AddWithValue("@b", n < 4 ? n : DBNull.Value);
                if (n == 4)
                    await command.PrepareAsync();
                await using var reader = await command.ExecuteReaderAsync();
                Assert.Equal(n < 4 ? "integer" : "text", reader.GetDataTypeName(1));
            }
        }
    }

    /// <summary>The text was answered in the binary format before; the new type has a binary format that the driver cannot read.</summary>
    [Theory]
    [InlineData("regclass USING 'pg_class'::regclass", "pg_class", false)]
    [InlineData("regclass USING 'pg_class'::regclass", "pg_class", true)]
    [InlineData("regtype USING 'int'::regtype", "integer", false)]
    [InlineData("regtype USING 'int'::regtype", "integer", true)]
    public async Task A_column_that_others_gave_a_type_without_a_codec_is_read_by_the_next_execution(string type, string text, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(Kind);
        var table = $"or_not_{Environment.ProcessId}_{Interlocked.Increment(ref _names):D4}";
        await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server, "Auto Prepare=false"));
        await using var connection = await source.OpenConnectionAsync();
        await using var other = await source.OpenConnectionAsync();
        Execute(other, $"CREATE TABLE {table} (a int); INSERT INTO {table} VALUES (1)");
        try
        {
            Assert.Equal(1, await Scalar());
            Execute(other, $"ALTER TABLE {table} ALTER a TYPE {type}");
            var error = await Assert.ThrowsAsync<InvalidCastException>(Scalar);
            Assert.Contains("was of another type when this statement was last executed", error.Message);
            Assert.EndsWith("Execute the command again.", error.Message);
            Assert.Equal(text, await Scalar());
            Assert.Equal(text, await Scalar());
        }
        finally
        {
            Execute(other, $"DROP TABLE {table}");
        }

        async Task<object?> Scalar()
        {
            await using var command = new PgCommand($"SELECT a FROM {table}", connection);
            return asynchronous ? await command.ExecuteScalarAsync() : command.ExecuteScalar();
        }
    }

    // Statements without result columns, with types from the client: a prepared one fails in a transaction only if its text would fail, too.
    [Theory]
    [InlineData("ALTER TABLE {t} ALTER COLUMN a TYPE text USING a::text")]
    [InlineData("ALTER TABLE {t} ALTER COLUMN a TYPE bigint")]
    [InlineData("ALTER TABLE {t} ALTER COLUMN a TYPE boolean USING true")]
    [InlineData("ALTER TABLE {t} ADD COLUMN c int DEFAULT 5, ALTER COLUMN b TYPE int USING 0")]
    [InlineData("ALTER TABLE {t} DROP COLUMN b")]
    [InlineData("ALTER TABLE {t} RENAME COLUMN a TO x")]
    [InlineData("DROP TABLE {t}")]
    [InlineData("DROP TABLE {t}; CREATE TABLE {t} (b int, a numeric)")]
    [InlineData("ALTER TABLE {t} RENAME TO {t}x; CREATE VIEW {t} AS SELECT a, b FROM {t}x")]
    public async Task What_returns_no_rows_follows_a_table_that_others_change(string change)
    {
        string[] texts =
            ["INSERT INTO {t} (a) VALUES ($1)", "UPDATE {t} SET b = b WHERE a = $1", "DELETE FROM {t} WHERE a = $1", "INSERT INTO {t} VALUES ($1, 'x')"];
        await SameAsync(async (source, other, table) =>
        {
            Execute(other, $"CREATE TABLE {table} (a int, b text)");
            var told = new List<string>();
            await using (var warm = source.OpenConnection())
                for (var i = 0; i < 4; i++)
                    foreach (var text in texts)
                        told.Add(Told(warm, text.Replace("{t}", table), 1));
            Execute(other, change.Replace("{t}", table));
            foreach (var text in texts)
            {
                await using var connection = source.OpenConnection();
                await using var transaction = connection.BeginTransaction();
                told.Add(Told(connection, "SELECT 1"));
                told.Add(Told(connection, text.Replace("{t}", table), 1));
                told.Add(Told(connection, text.Replace("{t}", table), 1));
            }

            Execute(other, $"DROP TABLE IF EXISTS {table}x CASCADE");
            Execute(other, $"DROP TABLE IF EXISTS {table}");
            return told;
        });
    }

    [Fact]
    public async Task Partitions_that_others_attach_and_detach_are_seen() =>
        await SameAsync(async (source, other, table) =>
        {
            Execute(
                other,
                $"CREATE TABLE {table} (a int, b text) PARTITION BY RANGE (a); CREATE TABLE {table}1 PARTITION OF {table} FOR VALUES FROM (0) TO (10); INSERT "
                    + $"INTO {table} VALUES (1, 'one')");
            var told = new List<string>();
            await using var connection = source.OpenConnection();
            string[] changes =
            [
                "SELECT 1",
                "CREATE TABLE {t}2 (a int, b text); INSERT INTO {t}2 VALUES (11, 'eleven'); ALTER TABLE {t} ATTACH PARTITION {t}2 FOR VALUES FROM (10) TO (20)",
                "CREATE TABLE {t}3 (extra int, b text, a int); ALTER TABLE {t}3 DROP COLUMN extra; ALTER TABLE {t} ATTACH PARTITION {t}3 FOR VALUES FROM (20) "
                    + "TO (30); ALTER TABLE {t} DETACH PARTITION {t}2",
            ];
            foreach (var change in changes)
            {
                Execute(other, change.Replace("{t}", table));
                for (var i = 0; i < 7; i++)
                {
                    told.Add(Told(connection, $"SELECT * FROM {table} WHERE a > $1 ORDER BY a, b", 0));
                    told.Add(Told(connection, $"UPDATE {table} SET b = b || 'x' WHERE a = $1", 11));
                    told.Add(Told(connection, $"INSERT INTO {table} VALUES ($1, 'new')", 12));
                    told.Add(Told(connection, $"INSERT INTO {table} VALUES ($1, 'new')", 21));
                }
            }

            Execute(other, $"DROP TABLE {table}; DROP TABLE {table}2");
            return told;
        });

    [Theory]
    [InlineData("SET ROLE pg_monitor", "RESET ROLE")]
    [InlineData("SET ROLE pg_monitor", "SET ROLE pg_read_all_stats")]
    [InlineData("SET LOCAL ROLE pg_monitor", "SET LOCAL ROLE pg_read_all_stats")]
    [InlineData("SET ROLE pg_monitor; SET app.tenant = 'pg_read_all_stats'", "SET app.tenant = 'pg_monitor'")]
    public async Task Row_level_security_shows_each_role_its_own_rows(string one, string two)
    {
        await SameAsync(async (source, other, table) =>
        {
            Execute(other, $"""
                CREATE TABLE {table} (a int, who text); INSERT INTO {table} VALUES (1, 'pg_monitor'), (2, 'pg_read_all_stats'), (3, 'pg_monitor'); ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON {table} USING (who = current_user OR who = current_setting('app.tenant', true)); GRANT ALL ON {table} TO pg_monitor, pg_read_all_stats
                """);
            var told = new List<string>();
            for (var lease = 0; lease < 9; lease++)
            {
                await using var connection = source.OpenConnection();
                await using var transaction = one.Contains("LOCAL", StringComparison.Ordinal) ? connection.BeginTransaction() : null;
                foreach (var set in lease % 3 == 2 ? new[] { one, two, one } : lease % 3 == 1 ? [two, one] : [one])
                {
                    Execute(connection, set);
                    told.Add(Told(connection, $"SELECT * FROM {table} ORDER BY a"));
                    told.Add(Told(connection, $"SELECT a FROM {table} WHERE a < $1 ORDER BY a", 3));
                }

                transaction?.Commit();
            }

            Execute(other, $"DROP TABLE {table}");
            return told;
        });
    }

    [Fact]
    public async Task Moments_around_a_change_of_the_clocks_follow_the_time_zone() =>
        await SameAsync(async (source, other, table) =>
        {
            var told = new List<string>();
            await using var connection = source.OpenConnection();
            foreach (var zone in new[] { "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Europe/Berlin" })
            {
                Execute(connection, $"SET TimeZone = '{zone}'");
                for (var i = 0; i < 7; i++)
                    foreach (var hour in new[] { 0, 1, 2 })
                        foreach (var day in new[]
                        {
                            new DateTime(2024, 3, 31, hour, 30, 0, DateTimeKind.Utc),
                            new DateTime(2024, 10, 27, hour, 30, 0, DateTimeKind.Utc)
                        })
                            told.Add(
                                Told(
                                    connection,
                                    "SELECT $1, $1::text, date_trunc('day', $1), $1 + interval '1 day', extract(hour FROM $1)::int, timestamptz '2024-03-31 "
                                        + "02:30', '2024-10-27 02:30'::timestamptz::text",
                                    day));
            }

            return await Task.FromResult(told);
        });

    [Theory]
    [InlineData("text", "repeat('ä', n)", 1 << 20)]
    [InlineData("bytea", "convert_to(repeat('z', n), 'UTF8')", 1 << 20)]
    [InlineData("text", "repeat('ä', n)", 3 << 20)]
    [InlineData("bytea", "convert_to(repeat('z', n), 'UTF8')", 3 << 20)]
    public async Task Large_outputs_of_a_procedure_arrive_whole(string type, string value, int length) =>
        await SameAsync(async (source, other, table) =>
        {
            Execute(other, $"CREATE PROCEDURE {table} (n int, INOUT v {type}, INOUT w int) LANGUAGE plpgsql AS $$ BEGIN v := {value}; w := w + 1; END $$");
            var told = new List<string>();
            await using (var connection = source.OpenConnection())
            {
                for (var i = 0; i < 4; i++)
                {
                    await using var command = new PgCommand(table, connection) { CommandType = CommandType.StoredProcedure };
                    command.Parameters.Add(new PgParameter("n", length));
                    command.Parameters.Add(new PgParameter("v", type == "text" ? "" : Array.Empty<byte>()) { Direction = ParameterDirection.InputOutput });
                    command.Parameters.Add(new PgParameter("w", i) { Direction = ParameterDirection.InputOutput });
                    if (i % 2 == 0)
                        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
                    else
                        command.ExecuteNonQuery();
                    var output = command.Parameters[1].Value;
                    Assert.Equal(length, output is string text ? text.Length : ((byte[])output!).Length);
                    Assert.Equal(i + 1, command.Parameters[2].Value);
                    told.Add(output is string { } all ? $"{all.Distinct().Single()}" : $"{((byte[])output).Distinct().Single()}");
                }
            }

            Execute(other, $"DROP PROCEDURE {table}");
            return told;
        });

    // ---------------------------------------------------------------- helpers

    private async Task SameAsync(Func<PgDataSource, PgConnection, string, Task<List<string>>> run)
    {
        var server = await LiveServers.GetAsync(Kind);
        var all = new List<List<string>>();
        foreach (var options in new[] { "Auto Prepare=false", "", "Auto Prepare Min Usages=1" })
        {
            var table = $"or_not_{Environment.ProcessId}_{Interlocked.Increment(ref _names):D4}";
            await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server, $"Max Pool Size=1;{options}"));
            await using var other = new PgConnection(ConnectionStrings.PostgreSql(server, "Pooling=false"));
            other.Open();
            all.Add([.. (await run(source, other, table)).Select(line => line.Replace(table, "{t}", StringComparison.Ordinal))]);
        }

        Assert.NotEmpty(all[0]);
        Assert.Equal(all[0], all[1]);
        Assert.Equal(all[0], all[2]);
    }

    private static string Told(PgConnection connection, string sql, object? value = null)
    {
        using var command = new PgCommand(sql, connection);
        if (value is not null)
            command.Parameters.Add(new PgParameter { Value = value });
        try
        {
            using var reader = command.ExecuteReader();
            var told = new StringWriter(CultureInfo.InvariantCulture);
            for (var i = 0; i < reader.FieldCount; i++)
                told.Write($"[{reader.GetName(i)} {reader.GetDataTypeName(i)}]");
            while (reader.Read())
                for (var i = 0; i < reader.FieldCount; i++)
                    told.Write($" {(reader.GetValue(i) is IFormattable value1 ? value1.ToString(null, CultureInfo.InvariantCulture) : reader.GetValue(i))}");
            return $"{told} affected {reader.RecordsAffected}";
        }
        catch (PgException exception)
        {
            return exception.Message;
        }
    }

    private static void Execute(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        command.ExecuteNonQuery();
    }
}
