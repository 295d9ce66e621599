namespace Slipstream.Recorder.Scenarios;

/// <summary>The scenarios for PostgreSQL. SCRAM cannot be recorded, because the client's nonce differs each time.</summary>
public static class PgScenarios
{
    private const string AllTypes = """
        CREATE TABLE transcript_types (
            id int4 PRIMARY KEY, b bool, small int2, big int8, f4 float4, f8 float8, n numeric(28,8), t text, v varchar(40), c char(5), nm name, j json, jb jsonb, by bytea,
            day date, ts timestamp, tz timestamptz, tm time, iv interval, u uuid)
        """;

    private const string AllTypesRows = """
        INSERT INTO transcript_types VALUES
            (1, true, -32768, -9223372036854775808, 1.5, -2.25e100, -12345678901234567890.01234567, 'it''s', 'grüße, 世界 😀', 'abc', 'name', '{"a": [1, null]}', '{"a": [1, null]}', '\xDEADBEEF',
             '2026-11-21', '2026-11-21 06:07:08.123456', '2026-11-21 06:07:08.123456+00', '06:07:08.123456', '3 days 04:05:06', '0b2c1c2e-7f3a-4f4e-9a51-6f1d5a3c2b10'),
            (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
        """;

    private static readonly string[] Types = ["DROP TABLE IF EXISTS transcript_types", AllTypes, AllTypesRows];

    private static readonly string[] Notes =
        ["DROP TABLE IF EXISTS transcript_notes", "CREATE TABLE transcript_notes (id int4 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text varchar(40) UNIQUE)"];

    public static IReadOnlyList<Scenario> All { get; } =
    [
        new("connect-md5", OpenAndAsk, "Require Auth=MD5", "md5"),
        new("connect-trust", OpenAndAsk),
        new("connect-password-tls", OpenAndAsk, "SSL Mode=VerifyFull", "password"),
        new("query", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Query(connection, "SELECT * FROM transcript_types ORDER BY id");
            await stage.Query(connection, "SELECT * FROM transcript_types ORDER BY id");
        }) { Setup = Types },
        new("prepared-query", static async stage =>
        {
            await using var connection = await stage.Open();
            await using var command = Stage.Command(connection, "SELECT * FROM transcript_types WHERE id >= @p0 ORDER BY id", 1);
            await stage.Verbs.Prepare(command);
            await stage.Query(command);
            command.Parameters[0].Value = 2;
            await stage.Query(command);
        }) { Setup = Types },
        new("parameters", static async stage =>
        {
            await using var connection = await stage.Open();
            await using var command = Stage.Command(connection, "SELECT @p0, @p1, @p2::text, @p3, @p4, @p5, @p6",
                42, "it's \\ grüße", null, new byte[] { 0, 255, 39, 92 }, 1.25m, 2.5e10, new DateTime(2026, 11, 21, 6, 7, 8));
            await stage.Query(command);
            await stage.Verbs.Prepare(command);
            await stage.Query(command);
        }),
        new("several-results", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Query(connection, "SELECT 1 AS a; SELECT 'two' AS b, 3 AS c; SELECT NULL::int4 AS d");
        }),
        new("error", static async stage =>
        {
            await using var connection = await stage.Open();
            await Fails(stage, connection, "SELECT * FROM transcript_nowhere");
            await Fails(stage, connection, "SELECT 1/(2 - id) FROM generate_series(1, 3) AS id");
            await stage.Scalar(connection, "SELECT 'still here'");
        }),
        new("empty-result", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Query(connection, "SELECT 1 AS a, 'x' AS b WHERE false");
            await stage.Scalar(connection, "SELECT 1 WHERE false");
        }),
        new("dml", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Execute(connection, "INSERT INTO transcript_notes (text) VALUES ('a'), ('b'), ('c')");
            await stage.Query(connection, "UPDATE transcript_notes SET text = 'd' WHERE text = 'b' RETURNING text");
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
            await stage.Execute(connection, "SET application_name = 'mine'");
            await stage.Verbs.Close(connection);
            await stage.Verbs.Open(connection);
            await stage.Scalar(connection, "SELECT current_setting('application_name')");
            await connection.DisposeAsync();
        }),
        new("large-row", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Query(connection, "SELECT 1 AS a, repeat('x', 70000) AS b, repeat('y', 1200000) AS c, 2 AS d UNION ALL SELECT 3, 'small', 'small', 4");
        }),
        new("thousand-rows", static async stage =>
        {
            await using var connection = await stage.Open();
            await stage.Query(connection, "SELECT n AS a, n * 7 AS b, n * 3 AS c FROM generate_series(1, 1000) AS n");
        }),
    ];

    private static async Task OpenAndAsk(Stage stage)
    {
        await using var connection = await stage.Open();
        await stage.Scalar(connection, "SELECT current_user::text");
    }

    private static async Task Fails(Stage stage, System.Data.Common.DbConnection connection, string sql)
    {
        try
        {
            await stage.Query(connection, sql);
            stage.Write("no error");
        }
        catch (Slipstream.PostgreSql.PgException exception)
        {
            stage.Write($"error {exception.SqlState}: {exception.Message}");
        }
    }
}
