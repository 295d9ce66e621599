using System.Data;
using System.Globalization;
using System.Text;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Sessions;
using Slipstream.Testing;

namespace Slipstream.Live.Statements;

/// <summary>
/// The change from the text protocol to a prepared statement is invisible: each text runs five times with each type of parameter, and everything that an
/// application can see is compared with the first time.
/// </summary>
public sealed class SwitchTests
{
    private const int Times = 5;

    private static readonly (string Type, string Literals)[] Columns =
    [
        ("int", "1, 5, -7, NULL"), ("bigint unsigned", "1, 5, 18446744073709551615, NULL"), ("tinyint(1)", "0, 1, NULL"),
        ("varchar(40)", "'1', 'abc', '5abc', '2026-11-21', ''"), ("char(30)", "'1', 'abc'"),
        ("decimal(12,4)", "1, 1.5, -0.0001, NULL"), ("double", "1, 1.5, 0.1, 1e300, NULL"), ("float", "1, 1.5, 0.1, 16777217"),
        ("datetime", "'2026-11-21 06:07:08', NULL"),
        ("datetime(6)", "'2026-11-21 06:07:08.123456', '2026-11-21', NULL"), ("timestamp(3) NULL", "'2026-11-21 06:07:08.120', NULL"),
        ("date", "'2026-11-21', NULL"), ("time", "'-12:30:01', '05:00:00'"),
        ("time(6)", "'100:00:00.5', '05:00:00', NULL"), ("year", "1999, 2026"), ("blob", "x'00FF', '1', NULL"), ("text", "'1', 'abc', 'ä😀'"),
        ("bit(8)", "b'1', b'101'"),
        ("enum('1','abc')", "'1', 'abc'"), ("set('1','abc')", "'1', '1,abc', ''"), ("json", "'1', '\"abc\"', '{\"a\": [1, 2.50]}'"),
        ("binary(16)", "x'00', NULL"),
    ];

    private static readonly object[] Values =
    [
        1, 5L, 300, (byte)5, ulong.MaxValue, true, 1.5m, 100.00001m, 0.1, 1.5f, 0.1f, "1", "abc", "5abc", "1.5", "", "2026-11-21", "ä😀",
        new DateTime(2026, 11, 21, 6, 7, 8), new DateTime(2026, 11, 21, 6, 7, 8, 123),
        new DateTime(2026, 11, 21), new DateOnly(2026, 11, 21), new TimeSpan(0, 5, 0, 0, 0), new TimeSpan(4, 4, 0, 0, 500), Guid.Empty,
        new byte[] { 0x00, 0xFF }, new byte[] { 0x31 }, DBNull.Value,
    ];

    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Texts_without_parameters(ServerKind kind)
    {
        await using var tried = await Tried.OpenAsync(kind);
        await tried.MakeTableAsync();
        foreach (var sql in new[]
                 {
                     "SELECT * FROM switch_all ORDER BY id",
                     "SELECT 1, -1, 1.50, 1e0, 0.1e0, 1e300, 'a', '', NULL, TRUE, x'41', b'101', DATE'2026-11-21', TIME'10:11:12.5', TIMESTAMP'2026-11-21 "
                         + "06:07:08.123'",
                     "SELECT 7/3, 7 DIV 3, 1/3.0, 2e0/3, 5 % 3, 18446744073709551615, 9223372036854775807, -9223372036854775808, 99999999999999999999",
                     "SELECT COUNT(*), SUM(c0), AVG(c0), MAX(c0), SUM(c5), AVG(c5), SUM(c6), AVG(c6), MAX(c8), MIN(c11), GROUP_CONCAT(c3), BIT_OR(c0), "
                         + "STD(c0) FROM switch_all",
                     "SELECT c0 FROM switch_all UNION SELECT c3 FROM switch_all UNION ALL SELECT NULL",
                     "SELECT CAST(1 AS UNSIGNED), CAST('1.5' AS DECIMAL(5,2)), CAST('2026-11-21 06:07:08.5' AS DATETIME(3)), CAST('10:11' AS TIME), CAST(1.5 "
                         + "AS CHAR), CAST('a' AS BINARY)",
                     "SELECT CONCAT(1, 'a'), CONCAT('a', NULL), UPPER('ä'), LENGTH('ä'), SUBSTRING('abc', 2), HEX(255), CHAR(65), REPEAT('x', 300), IF(1, "
                         + "'a', 2), COALESCE(NULL, 1), COALESCE(NULL, 1.5, 'x'), NULLIF(1, 1), GREATEST(1, 2.5)",
                     "SELECT DATE_ADD('2026-11-21', INTERVAL 1 DAY), DATE_ADD(DATE'2026-11-21', INTERVAL 1 SECOND), TIMEDIFF('10:00:00', '11:30:00.5'), "
                         + "DATEDIFF('2026-11-21', '2026-01-01'), MAKETIME(10, 11, 12.5), FROM_UNIXTIME(0), UNIX_TIMESTAMP('2026-11-21'), YEAR('2026-11-21'), "
                         + "LAST_DAY('2026-02-01'), SEC_TO_TIME(3601.25)",
                     "SELECT JSON_OBJECT('a', 1, 'b', 1.50, 'c', TRUE, 'd', NULL), JSON_ARRAY(1, 'x', 1.5e0), JSON_EXTRACT('{\"a\": [1, 2]}', '$.a[1]')",
                     "SELECT ROUND(2.5), ROUND(2.5e0), ROUND(1.005, 2), FLOOR(1.5), SQRT(2), PI(), POW(2, 0.5), TRUNCATE(1.999, 1), SIGN(-2.5), ABS(-1)",
                     "SELECT DATABASE(), SCHEMA(), CHARSET('a'), COLLATION('a'), VERSION(), CONNECTION_ID(), CURRENT_USER()",
                     "SELECT 1 = 1, 1 <=> NULL, NULL IS NULL, 'a' LIKE 'A', 'a' IN ('b', 'A'), 1 BETWEEN 0 AND 2, NOT 1, 1 XOR 1, 'a' = 'a '",
                     "SELECT a.c0, b.c3 FROM switch_all a LEFT JOIN switch_all b ON a.id = b.id + 1 ORDER BY a.id",
                     "SELECT id, (SELECT MAX(c5) FROM switch_all) AS m FROM switch_all WHERE id < 3 ORDER BY id",
                     "WITH x AS (SELECT 1 AS a UNION ALL SELECT 2) SELECT a, a / 2 FROM x ORDER BY a",
                     "SELECT id, ROW_NUMBER() OVER (ORDER BY id), SUM(id) OVER (ORDER BY id), AVG(id) OVER () FROM switch_all ORDER BY id",
                     "SELECT ST_AsText(POINT(1, 2)), POINT(1, 2)", "SELECT * FROM switch_all WHERE 1 = 0",
                     "SELECT id AS `odd name`, id AS 'quoted' FROM switch_all ORDER BY id LIMIT 2",
                     "SELECT 1/0", "SELECT CAST('abc' AS SIGNED)", "SELECT 'a' + 1", "SELECT * FROM there_is_no_such_table", "SELECT nonsense FROM",
                     "SELECT (SELECT id FROM switch_all)", "SELECT @@session.sql_mode", "SELECT 1 INTO @x",
                     "UPDATE switch_all SET c0 = c0 WHERE id = 1", "UPDATE switch_all SET c0 = 5 WHERE id = 2", "UPDATE switch_all SET c1 = -1 WHERE id = 1",
                     "INSERT INTO switch_all (id) VALUES (1)", "DELETE FROM switch_all WHERE id = -1", "INSERT IGNORE INTO switch_all (id) VALUES (1)",
                     "REPLACE INTO switch_all (id) VALUES (77)",
                     "SHOW TABLES LIKE 'switch_all'", "SET @a = 1", "DO 1", "SELECT 1; SELECT 2", "SELECT SQL_CALC_FOUND_ROWS id FROM switch_all LIMIT 1",
                     "VALUES ROW(1, 'a')", "BEGIN", "COMMIT", "EXPLAIN SELECT 1", "SELECT 0x41, _latin1'a', N'a', 'a' 'b', \"double\"",
                 })
        {
            await tried.TryAsync(sql);
        }

        // A text that fails and that the driver does not understand closes the prepared statements, because it may have called a function.
        tried.AssertNoDifference(12);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Every_column_type_with_every_type_of_parameter(ServerKind kind)
    {
        await using var tried = await Tried.OpenAsync(kind);
        await tried.MakeTableAsync();
        for (var i = 0; i < Columns.Length; i++)
        {
            foreach (var value in Values)
            {
                await tried.TryAsync($"SELECT id, c{i} FROM switch_all WHERE c{i} = @p ORDER BY id", value);
                await tried.TryAsync($"SELECT id FROM switch_all WHERE c{i} >= @p AND id > 0 ORDER BY id", value);
                await tried.TryAsync($"SELECT id FROM switch_all WHERE c{i} IN (@p, @p) ORDER BY id", value);
            }
        }

        tried.AssertNoDifference(500);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Every_column_type_takes_every_type_of_parameter(ServerKind kind)
    {
        await using var tried = await Tried.OpenAsync(kind);
        await tried.MakeTableAsync();
        for (var i = 0; i < Columns.Length; i++)
        {
            foreach (var value in Values)
            {
                await tried.TryAsync(
                    $"INSERT INTO switch_all (id, c{i}) VALUES (1000, @p)", value, after: $"SELECT c{i} FROM switch_all WHERE id = 1000",
                    undo: "DELETE FROM switch_all WHERE id = 1000");
                await tried.TryAsync(
                    $"UPDATE switch_all SET c{i} = @p WHERE id = 2", value, after: $"SELECT c{i} FROM switch_all WHERE id = 2",
                    undo: $"UPDATE switch_all SET c{i} = NULL WHERE id = 2");
            }
        }

        tried.AssertNoDifference(500);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Parameters_in_other_places(ServerKind kind)
    {
        await using var tried = await Tried.OpenAsync(kind);
        await tried.MakeTableAsync();
        foreach (var value in Values)
        {
            foreach (var sql in new[]
                     {
                         "SELECT @p", "SELECT @p + 1", "SELECT @p AS x, id FROM switch_all ORDER BY id LIMIT 1", "SELECT CONCAT(@p, 'x')",
                         "SELECT COALESCE(@p, 1)", "SELECT JSON_OBJECT('k', @p)", "SELECT id + @p FROM switch_all WHERE id = 1", "SELECT IF(@p, 1, 2)",
                         "SELECT id FROM switch_all ORDER BY id LIMIT @p", "SELECT id FROM switch_all ORDER BY id LIMIT 1 OFFSET @p",
                         "SELECT id FROM switch_all ORDER BY @p, id", "SELECT COUNT(*) FROM switch_all GROUP BY @p",
                         "SELECT id FROM switch_all WHERE c3 LIKE @p ORDER BY id",
                         "SELECT id FROM switch_all WHERE c0 BETWEEN @p AND @p ORDER BY id", "SELECT id FROM switch_all WHERE c0 NOT IN (@p) ORDER BY id",
                         "SELECT id FROM switch_all WHERE (c0 = @p OR c3 = @p) AND NOT c5 = @p ORDER BY id",
                         "SELECT COUNT(*) AS n FROM switch_all HAVING n > @p",
                         "SELECT id FROM switch_all WHERE @p = c0 ORDER BY id", "SELECT id FROM switch_all WHERE c0 + 1 = @p ORDER BY id",
                         "SELECT id FROM switch_all WHERE c0 = @p + 1 ORDER BY id", "SELECT id FROM switch_all WHERE ABS(c0) = @p ORDER BY id",
                         "SELECT a.id FROM switch_all a JOIN switch_all b ON a.id = b.id AND b.c0 = @p ORDER BY a.id",
                         "SELECT id FROM switch_all WHERE c0 IN (SELECT c0 FROM switch_all WHERE c5 = @p) ORDER BY id",
                         "SELECT id FROM switch_all WHERE c9 > @p - INTERVAL 1 DAY ORDER BY id",
                         "SELECT CASE WHEN c0 = @p THEN 'a' ELSE 'b' END FROM switch_all ORDER BY id",
                         "SELECT id FROM switch_all WHERE `switch_all`.`c0` = @p ORDER BY id",
                     })
            {
                await tried.TryAsync(sql, value);
            }

            await tried.TryAsync(
                "INSERT INTO switch_all (id, c3) VALUES (1000, CONCAT(@p, 'x')), (1001, @p)", value,
                after: "SELECT c3 FROM switch_all WHERE id >= 1000 ORDER BY id", undo: "DELETE FROM switch_all WHERE id >= 1000");
            await tried.TryAsync(
                "UPDATE switch_all SET c0 = c0 + @p WHERE id = 2", value, after: "SELECT c0 FROM switch_all WHERE id = 2",
                undo: "UPDATE switch_all SET c0 = 5 WHERE id = 2");
            await tried.TryAsync(
                "INSERT INTO switch_all (id, c3) VALUES (1, 'x') ON DUPLICATE KEY UPDATE c3 = @p, c0 = VALUES(c0)", value,
                after: "SELECT c3 FROM switch_all WHERE id = 1", undo: "UPDATE switch_all SET c3 = NULL WHERE id = 1");
        }

        tried.AssertNoDifference(100);
    }

    private sealed class Tried : IAsyncDisposable
    {
        private readonly MySqlConnection _connection;
        private readonly List<string> _differences = [];
        private int _prepared;

        private Tried(MySqlConnection connection) => _connection = connection;

        public static async Task<Tried> OpenAsync(ServerKind kind)
        {
            var server = await LiveServers.GetAsync(kind);
            var connection = new MySqlConnection(
                ConnectionStrings.MySql(
                    server, $"Application Name=switch;Pooling=false;Max Auto Prepare=1000;Allow User Variables=true;Use Affected Rows=true"));
            await connection.OpenAsync();
            return new(connection);
        }

        public async Task MakeTableAsync()
        {
            var columns = string.Join(", ", Columns.Select((column, i) => $"c{i} {column.Type}"));
            await RunAsync($"CREATE TEMPORARY TABLE switch_all (id int PRIMARY KEY, {columns})");
            for (var row = 1; row <= 6; row++)
            {
                var values = string.Join(
                    ", ",
                    Columns.Select(
                        column =>
                            column.Literals.Split(", ") is var literals && row <= literals.Length && !column.Type.StartsWith("json", StringComparison.Ordinal)
                                ? literals[row - 1]
                                : column.Type == "json" && row < 3 ? (row == 1 ? "'{\"a\": [1, 2.50]}'" : "'1'") : "NULL"));
                await RunAsync($"INSERT INTO switch_all VALUES ({row}, {values})");
            }
        }

        public async Task TryAsync(string sql, object? value = null, string? after = null, string? undo = null)
        {
            string? first = null;
            if (undo is not null)
                await RunAsync(undo + " /*!99999 */");
            for (var time = 0; time < Times; time++)
            {
                // A separate text for each type of value, so that its uses are counted from the beginning.
                var seen = await LookAsync(sql + (value is null ? "" : $" /* {value.GetType().Name} {Show(value)} */"), value);
                if (after is not null)
                    seen += " → " + await LookAsync("SELECT * FROM (" + after + ") AS x /*!99999 */", null);
                if (undo is not null)
                    await RunAsync(undo + " /*!99999 */");
                first ??= seen;
                if (seen == first)
                    continue;
                _differences.Add($"{sql} with {value?.GetType().Name} {Show(value)}, time {time + 1}:\n    {first}\n    {seen}");
                break;
            }

            _prepared = Math.Max(_prepared, _connection.MySqlSession.Prepared.Count);
        }

        public void AssertNoDifference(int prepared)
        {
            Assert.True(_differences.Count == 0, $"{_differences.Count} differences\n" + string.Join('\n', _differences));
            Assert.True(_prepared >= prepared, $"only {_prepared} statements were prepared");
        }

        public ValueTask DisposeAsync() => _connection.DisposeAsync();

        private async Task RunAsync(string sql)
        {
            await using var command = new MySqlCommand(sql, _connection);
            await command.ExecuteNonQueryAsync();
        }

        private async Task<string> LookAsync(string sql, object? value)
        {
            var seen = new StringBuilder();
            try
            {
                await using var command = new MySqlCommand(sql, _connection);
                if (value is not null)
                    command.Parameters.AddWithValue("@p", value);
                await using var reader = await command.ExecuteReaderAsync();
                do
                {
                    for (var i = 0; i < reader.FieldCount; i++)
                        seen.Append(CultureInfo.InvariantCulture, $"{reader.GetName(i)} {reader.GetDataTypeName(i)} {reader.GetFieldType(i).Name}, ");
                    while (await reader.ReadAsync())
                    {
                        seen.Append(" | ");
                        for (var i = 0; i < reader.FieldCount; i++)
                            seen.Append(Show(reader.GetValue(i))).Append(", ");
                    }

                    seen.Append(" affected ").Append(reader.RecordsAffected);
                }
                while (await reader.NextResultAsync());
                await reader.CloseAsync();
                seen.Append(" warnings ").Append(_connection.WarningCount);
            }
            catch (Exception exception)
            {
                seen.Append(CultureInfo.InvariantCulture, $" error {(exception as MySqlException)?.Number} {exception.Message}");
            }

            return seen.ToString();
        }

        private static string Show(object? value) => value switch
        {
            null => "",
            DBNull => "NULL",
            byte[] bytes => Convert.ToHexString(bytes),
            double number => number.ToString("R", CultureInfo.InvariantCulture),
            float number => number.ToString("R", CultureInfo.InvariantCulture),
            DateTime date => date.ToString("O", CultureInfo.InvariantCulture),
            _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
        };
    }
}
