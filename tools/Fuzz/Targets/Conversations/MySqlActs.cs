using System.Data;
using System.Text;
using Slipstream.Core.Errors;
using Slipstream.MySql;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>The acts with MySQL and MariaDB.</summary>
internal static class MySqlActs
{
    private const string AllTypes = """
        CREATE TABLE fuzz_types (
            id INT PRIMARY KEY, tiny TINYINT, flag TINYINT(1), utiny TINYINT UNSIGNED, small SMALLINT, umedium MEDIUMINT UNSIGNED,
            uint_ INT UNSIGNED, big BIGINT, ubig BIGINT UNSIGNED, price DECIMAL(20,4), f FLOAT, d DOUBLE, bits BIT(12), day DATE, moment DATETIME(6), stamp TIMESTAMP(3) NULL, span TIME(6), y YEAR,
            c CHAR(5), v VARCHAR(40), t TEXT, b BINARY(4), bl BLOB, j JSON, e ENUM('red','green'), g CHAR(36), p POINT) CHARACTER SET utf8mb4
        """;

    private const string AllTypesRows = """
        INSERT INTO fuzz_types VALUES
            (1, -128, 1, 255, -32768, 16777215, 4294967295, -9223372036854775808, 18446744073709551615, -1234567890123456.7891, 1.5, -2.25e100, b'101010101010',
             '2026-11-21', '2026-11-21 06:07:08.123456', '2026-11-21 06:07:08.125', '-838:59:58.5', 2026,
             'abc', 'grüße 😀', 'it''s', x'00FF00FF', x'DEADBEEF', '{"a": [1, null]}', 'green', '0b2c1c2e-7f3a-4f4e-9a51-6f1d5a3c2b10', ST_PointFromText('POINT(1 2)')),
            (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
        """;

    private const string Select = "SELECT * FROM fuzz_types ORDER BY id";

    private static readonly string[] Types = ["DROP TABLE IF EXISTS fuzz_types", AllTypes, AllTypesRows];

    private static readonly string[] Notes =
        ["DROP TABLE IF EXISTS fuzz_notes", "CREATE TABLE fuzz_notes (id INT AUTO_INCREMENT PRIMARY KEY, text VARCHAR(40) UNIQUE) CHARACTER SET utf8mb4"];

    private static readonly string[] Procedure =
    [
        "DROP PROCEDURE IF EXISTS fuzz_add",
        "CREATE PROCEDURE fuzz_add(IN a INT, INOUT b INT, OUT c VARCHAR(10)) BEGIN SELECT a, b; SET b = a + b; SET c = 'done'; END",
    ];

    // The rows of a bulk copy do not match the table that the server describes.
    private static bool NoSuchColumns(Exception exception) => exception is (InvalidOperationException and not ProtocolException) or NotSupportedException;

    /// <summary>Gets the acts with text results: one, several, none, errors, changes, transactions, warnings.</summary>
    public static Act[] Text { get; } =
    [
        new("query", static caller => caller.Query(Select)) { Setup = Types },
        new("several", static caller => caller.Query("SELECT 1 AS a; SELECT 'two' AS b, 3 AS c; DO 1; SELECT NULL AS d")),
        new("refused", static async caller =>
        {
            await caller.Fails("SELECT * FROM fuzz_nowhere");
            await caller.Fails("SELECT 1; SELECT nonsense");
            await caller.Fails("SELECT id, (SELECT 1 UNION SELECT id + 1) FROM (SELECT 0 AS id UNION ALL SELECT 1) AS t");
            await caller.Scalar("SELECT 'still here'");
        }),
        new("changes", static async caller =>
        {
            await caller.Execute("INSERT INTO fuzz_notes (text) VALUES ('a'), ('b'), ('c')");
            await caller.Scalar("SELECT LAST_INSERT_ID()");
            await caller.Execute("UPDATE fuzz_notes SET text = 'd' WHERE text = 'b'");
            await caller.Execute("DELETE FROM fuzz_notes");
        }) { Setup = Notes },
        new("transaction", static async caller =>
        {
            await using var transaction = await caller.Verbs.Begin(caller.Connection);
            await caller.Execute("INSERT INTO fuzz_notes (text) VALUES ('lost')", transaction);
            await caller.Verbs.Rollback(transaction);
        }) { Setup = Notes },
        new("sequential", static async caller =>
        {
            await using var command = caller.Command(Select);
            await caller.Query(command, CommandBehavior.SequentialAccess);
        }) { Setup = Types },
        new("warnings", static async caller =>
        {
            ((MySqlConnection)caller.Connection).InfoMessage += static (_, _) => { };
            await caller.Query("SELECT 1/0, CAST('x' AS SIGNED)");
        }),
        new("change-database", static async caller =>
        {
            caller.Connection.ChangeDatabase("information_schema");
            await caller.Execute("SET NAMES utf8mb4");
            ((MySqlConnection)caller.Connection).Ping();
        }),
        new("stops-early", static async caller =>
        {
            await using var command = caller.Command(Select + "; SELECT 2");
            await using var reader = await caller.Verbs.Reader(command);
            await caller.Verbs.Read(reader);
        }) { Setup = Types },
    ];

    /// <summary>Gets the acts with statements prepared explicitly or automatically, and with stored procedures.</summary>
    public static Act[] Prepared { get; } =
    [
        new("prepared", static async caller =>
        {
            await using var command = caller.Command("SELECT * FROM fuzz_types WHERE id >= @p0 ORDER BY id", 1);
            await caller.Verbs.Prepare(command);
            await caller.Query(command);
            command.Parameters[0].Value = 2;
            await caller.Query(command);
        }) { Setup = Types },
        new("prepared-sequential", static async caller =>
        {
            await using var command = caller.Command("SELECT * FROM fuzz_types WHERE id >= @p0 ORDER BY id", 1);
            await caller.Verbs.Prepare(command);
            await caller.Query(command, CommandBehavior.SequentialAccess);
        }) { Setup = Types },
        new("unasked", static async caller =>
        {
            for (var i = 0; i < 3; i++)
                await caller.Query("SELECT id, v, day FROM fuzz_types WHERE id = @p0", i);
        }, "Auto Prepare Min Uses=2") { Setup = Types },
        new("parameters", static async caller =>
        {
            await using var command = caller.Command(
                "SELECT @p0, @p1, @p2, @p3, @p4, @p5, @p6", 42, "it's", null, new byte[] { 0, 255 }, 1.25m, 2.5e10, new DateTime(2026, 11, 21, 6, 7, 8));
            await caller.Verbs.Prepare(command);
            await caller.Query(command);
        }),
        new("procedure", static async caller =>
        {
            await using var command = (MySqlCommand)caller.Command("fuzz_add");
            command.CommandType = CommandType.StoredProcedure;
            command.Parameters.Add(new MySqlParameter("a", 1));
            command.Parameters.Add(new MySqlParameter("b", 2) { Direction = ParameterDirection.InputOutput });
            command.Parameters.Add(new MySqlParameter("c", MySqlDbType.VarChar) { Direction = ParameterDirection.Output });
            await caller.Query(command);
        }) { Setup = Procedure, Allows = static exception => exception is ArgumentException },
    ];

    /// <summary>Gets the acts with batches, bulk copies and files.</summary>
    public static Act[] Bulk { get; } =
    [
        new("batch", static async caller =>
        {
            await using var batch = caller.Connection.CreateBatch();
            foreach (var sql in (string[])["SELECT id, v FROM fuzz_types ORDER BY id", "UPDATE fuzz_types SET tiny = 3 WHERE id = 5", "SELECT 'last'"])
            {
                var command = batch.CreateBatchCommand();
                command.CommandText = sql;
                batch.BatchCommands.Add(command);
            }

            await using var reader = batch.ExecuteReader();
            await caller.Sweep(reader);
        }) { Setup = Types },
        new("batch-inserts", static async caller =>
        {
            await using var batch = caller.Connection.CreateBatch();
            for (var i = 0; i < 3; i++)
            {
                var command = (MySqlBatchCommand)batch.CreateBatchCommand();
                command.CommandText = "INSERT INTO fuzz_notes (text) VALUES (@text)";
                command.Parameters.Add(new MySqlParameter("text", "text " + i));
                batch.BatchCommands.Add(command);
            }

            batch.ExecuteNonQuery();
        }) { Setup = Notes },
        new("bulk-copy", static async caller =>
        {
            using var table = new DataTable();
            table.Columns.Add("id", typeof(int));
            table.Columns.Add("text", typeof(string));
            table.Rows.Add(1, "one");
            table.Rows.Add(2, "two");
            new MySqlBulkCopy((MySqlConnection)caller.Connection) { DestinationTableName = "fuzz_notes" }.WriteToServer(table);
            await caller.Scalar("SELECT COUNT(*) FROM fuzz_notes");
        }, "Allow Load Local Infile=true") { Setup = Notes, Allows = NoSuchColumns },
        new("file", static async caller =>
        {
            new MySqlBulkLoader((MySqlConnection)caller.Connection)
            {
                TableName = "fuzz_notes",
                SourceStream = new MemoryStream(Encoding.UTF8.GetBytes("1\tone\n2\ttwo\n")),
                Local = true
            }.Load();
            await caller.Scalar("SELECT COUNT(*) FROM fuzz_notes");
        }, "Allow Load Local Infile=true") { Setup = Notes },
    ];

    /// <summary>Gets the acts that use a session again, with resets and pings.</summary>
    public static Act[] Pooled { get; } =
    [
        new("reset", static async caller =>
        {
            await caller.Execute("SET @mine = 1");
            await caller.Verbs.Close(caller.Connection);
            await caller.Verbs.Open(caller.Connection);
            await caller.Scalar("SELECT @mine");
        }, "Allow User Variables=true;Pooling=true"),
        new("reset-prepared", static async caller =>
        {
            await caller.Query("SELECT @p0", 1);
            await caller.Verbs.Close(caller.Connection);
            await caller.Verbs.Open(caller.Connection);
            await using (var transaction = await caller.Verbs.Begin(caller.Connection))
                await caller.Execute("SELECT 2", transaction);
            await caller.Query("SELECT @p0", 3);
        }, "Auto Prepare Min Uses=1;Pooling=true"),
        new("cancelled", static async caller =>
        {
            await caller.Query("SELECT 1");
            caller.Swallow();
            if (caller.Connection.State == ConnectionState.Open)
                await caller.Query("SELECT 2");
        }),
    ];

    /// <summary>Gets the acts with compressed packets.</summary>
    public static Act[] Compressed { get; } =
    [
        new("compressed", static async caller =>
        {
            await caller.Query(Select);
            await caller.Query("SELECT REPEAT('abc', 1000), 2; SELECT 3");
        }, "Use Compression=true") { Setup = Types },
    ];
}
