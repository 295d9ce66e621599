namespace Slipstream.Recorder.Scenarios;

/// <summary>The scenarios for MySQL and MariaDB.</summary>
public static class MySqlScenarios
{
    private const string AllTypes = """
        CREATE TABLE transcript_types (
            id INT PRIMARY KEY, tiny TINYINT, flag TINYINT(1), utiny TINYINT UNSIGNED, small SMALLINT, usmall SMALLINT UNSIGNED, medium MEDIUMINT, umedium MEDIUMINT UNSIGNED,
            uint_ INT UNSIGNED, big BIGINT, ubig BIGINT UNSIGNED, price DECIMAL(20,4), f FLOAT, d DOUBLE, bits BIT(12), day DATE, moment DATETIME(6), stamp TIMESTAMP(3) NULL, span TIME(6), y YEAR,
            c CHAR(5), v VARCHAR(40), t TEXT, b BINARY(4), vb VARBINARY(8), bl BLOB, j JSON, e ENUM('red','green'), s SET('a','b','c'), g CHAR(36)) CHARACTER SET utf8mb4
        """;

    private const string AllTypesRows = """
        INSERT INTO transcript_types VALUES
            (1, -128, 1, 255, -32768, 65535, -8388608, 16777215, 4294967295, -9223372036854775808, 18446744073709551615, -1234567890123456.7891, 1.5, -2.25e100, b'101010101010',
             '2026-11-21', '2026-11-21 06:07:08.123456', '2026-11-21 06:07:08.125', '-838:59:58.5', 2026,
             'abc', 'grüße, 世界 😀', 'it''s', x'00FF00FF', x'0102', x'DEADBEEF', '{"a": [1, null]}', 'green', 'a,c', '0b2c1c2e-7f3a-4f4e-9a51-6f1d5a3c2b10'),
            (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
        """;

    private static readonly string[] Types = ["DROP TABLE IF EXISTS transcript_types", AllTypes, "SET time_zone = '+00:00'", AllTypesRows];

    private static readonly string[] Notes =
        [
            "DROP TABLE IF EXISTS transcript_notes",
            "CREATE TABLE transcript_notes (id INT AUTO_INCREMENT PRIMARY KEY, text VARCHAR(40) UNIQUE) CHARACTER SET utf8mb4"
        ];

    /// <summary>The scenarios for both servers.</summary>
    private static readonly Scenario[] Common =
    [
        new("connect-tls", OpenAndAsk, "SSL Mode=VerifyFull"),
        new("text-query", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Execute(connection, "SET time_zone = '+00:00'");
            await stage.Query(connection, "SELECT * FROM transcript_types ORDER BY id");
        }) { Setup = Types },
        new("prepared-query", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Execute(connection, "SET time_zone = '+00:00'");
            await using var command = Stage.Command(connection, "SELECT * FROM transcript_types WHERE id >= @p0 ORDER BY id", 1);
            await stage.Verbs.Prepare(command);
            await stage.Query(command);
            command.Parameters[0].Value = 2;
            await stage.Query(command);
        }) { Setup = Types },
        new("parameters", static async stage =>
        {
            await using var connection = await stage.Open();
            await using var command = Stage.Command(
                connection, "SELECT @p0, @p1, @p2, @p3, @p4, @p5, @p6", 42, "it's \\ grüße", null, new byte[] { 0, 255, 39, 92 }, 1.25m, 2.5e10,
                new DateTime(2026, 11, 21, 6, 7, 8));
            await stage.Query(command);
            await stage.Verbs.Prepare(command);
            await stage.Query(command);
        }),
        new("several-results", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Query(connection, "SELECT 1 AS a; SELECT 'two' AS b, 3 AS c; DO 1; SELECT NULL AS d");
        }),
        new("error", static async stage =>
        {
            await using var connection = await stage.Open();
            await Fails(stage, connection, "SELECT * FROM transcript_nowhere");
            await Fails(stage, connection, "SELECT 1; SELECT nonsense");
            await stage.Scalar(connection, "SELECT 'still here'");
        }),
        new("error-behind-rows", static async stage =>
        {
            await using var connection = await stage.Open();
            await Fails(stage, connection, "SELECT id, (SELECT 1 UNION SELECT id + 1) FROM (SELECT 0 AS id UNION ALL SELECT 1) AS t");
        }),
        new("empty-result", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Query(connection, "SELECT 1 AS a, 'x' AS b FROM DUAL WHERE 1 = 0");
            await stage.Scalar(connection, "SELECT 1 FROM DUAL WHERE 1 = 0");
        }),
        new("dml", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Execute(connection, "INSERT INTO transcript_notes (text) VALUES ('a'), ('b'), ('c')");
            await stage.Scalar(connection, "SELECT LAST_INSERT_ID()");
            await stage.Execute(connection, "UPDATE transcript_notes SET text = 'b' WHERE text IN ('b')");
            await Fails(stage, connection, "INSERT INTO transcript_notes (text) VALUES ('a')");
            await stage.Execute(connection, "DELETE FROM transcript_notes");
        }) { Setup = Notes },
        new("transaction", static async stage =>
        {
            await using var connection = await stage.Open();
            await using (var transaction = await stage.Verbs.Begin(connection))
            {
                await stage.Execute(connection, "INSERT INTO transcript_notes (text) VALUES ('kept')", transaction);
                await stage.Verbs.Commit(transaction);
            }

            await using (var transaction = await stage.Verbs.Begin(connection))
            {
                await stage.Execute(connection, "INSERT INTO transcript_notes (text) VALUES ('lost')", transaction);
                await stage.Verbs.Rollback(transaction);
            }

            await stage.Query(connection, "SELECT text FROM transcript_notes");
        }) { Setup = Notes },
        new("reset", static async stage =>
        {
            var connection = await stage.Open();
            await stage.Execute(connection, "SET @mine = 1");
            await stage.Verbs.Close(connection);
            await stage.Verbs.Open(connection);
            await stage.Scalar(connection, "SELECT @mine");
            await connection.DisposeAsync();
        }, "Allow User Variables=true"),
        new("large-row", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Query(connection, "SELECT 1 AS a, REPEAT('x', 70000) AS b, REPEAT('y', 1200000) AS c, 2 AS d UNION ALL SELECT 3, 'small', 'small', 4");
        }),
        new("large-row-prepared", static async stage =>
        {
            await using var connection = await stage.Open();
            await using var command = Stage.Command(
                connection, "SELECT 1 AS a, REPEAT('x', @p0) AS b, REPEAT('y', 1200000) AS c, 2 AS d UNION ALL SELECT 3, 'small', 'small', 4", 70_000);
            await stage.Verbs.Prepare(command);
            await stage.Query(command);
        }),
        new("thousand-rows", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Query(connection, "SELECT a, b, c FROM transcript_numbers ORDER BY a");
        })
        {
            Setup =
            [
                "DROP TABLE IF EXISTS transcript_numbers", "CREATE TABLE transcript_numbers (a INT PRIMARY KEY, b INT NOT NULL, c INT NOT NULL)",
                "INSERT INTO transcript_numbers SELECT n, n * 7, 1000000 + n * n FROM (SELECT x.d + 10 * y.d + 100 * z.d + 1 AS n FROM "
                + $"{Digits} AS x CROSS JOIN {Digits} AS y CROSS JOIN {Digits} AS z) AS numbers",
            ],
        },
    ];

    private const string Digits = "(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL "
        + "SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";

    public static IReadOnlyList<Scenario> ForMySql { get; } =
    [
        // The server has the account's password in its cache, because Setup has logged in.
        new("connect-caching-sha2", OpenAndAsk, "", "caching_sha2_password"),
        new("connect-caching-sha2-full", OpenAndAsk, "SSL Mode=VerifyFull", "caching_sha2_password") { Setup = ["FLUSH PRIVILEGES"] },
        new("connect-sha256", OpenAndAsk, "SSL Mode=VerifyFull", "sha256_password"),
        .. Common,
    ];

    public static IReadOnlyList<Scenario> ForMariaDb { get; } =
    [
        new("connect-native", OpenAndAsk, "", "mysql_native_password"),
        new("connect-ed25519", OpenAndAsk, "", "client_ed25519"),
        .. Common,
    ];

    private static async Task OpenAndAsk(Stage stage)
    {
        await using var connection = await stage.Open();
        await stage.Scalar(connection, "SELECT SUBSTRING_INDEX(CURRENT_USER(), '@', 1)");
    }

    private static async Task Fails(Stage stage, System.Data.Common.DbConnection connection, string sql)
    {
        try
        {
            await stage.Query(connection, sql);
            stage.Write("no error");
        }
        catch (Slipstream.MySql.MySqlException exception)
        {
            stage.Write($"error {exception.Number} {exception.SqlState}: {exception.Message}");
        }
    }
}
