using System.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>A value looks the same in text and prepared, whatever expression it comes from.</summary>
public class ValueFormTests
{
    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task An_expression_of_type_bit_has_the_value_that_the_server_computes_with(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        Run(connection, "CREATE TEMPORARY TABLE bits (id INT PRIMARY KEY, b1 BIT(1), b8 BIT(8), b12 BIT(12), b32 BIT(32), b64 BIT(64))");
        var random = new Random(20_250_701);
        var values = Enumerable.Range(0, 40).Select(i => i < 2 ? (ulong)i : i == 2 ? ulong.MaxValue : (ulong)random.NextInt64() >> random.Next(64)).ToArray();
        for (var i = 0; i < values.Length; i++)
            Run(connection, $"INSERT INTO bits VALUES ({i}, {values[i] & 1}, {values[i] & 0xFF}, {values[i] & 0xFFF}, {values[i] & uint.MaxValue}, {values[i]})");
        var expressions = new List<string>();
        foreach (var column in (string[])["b1", "b8", "b12", "b32", "b64"])
        {
            foreach (var form in (string[])["{0}", "MAX({0})", "MIN({0})", "COALESCE({0}, NULL)", "IFNULL({0}, b1)", "CASE WHEN 1 THEN {0} END", "IF(1, {0}, b1)", "NULLIF({0}, 5.5)", "GREATEST({0}, {0})", "(SELECT {0})"])
                expressions.Add(string.Format(null, form, column));
        }

        foreach (var expression in expressions)
        {
            foreach (var prepare in (bool[])[false, true])
            {
                for (var i = 0; i < values.Length; i++)
                {
                    using var command = new MySqlCommand($"SELECT {expression}, {expression} + 0 FROM bits WHERE id = @id", connection) { Parameters = { new("@id", i) } };
                    if (prepare)
                        command.Prepare();
                    using var reader = command.ExecuteReader();
                    Assert.True(reader.Read());
                    var expected = Convert.ToUInt64(reader.GetValue(1));
                    if (kind == ServerKind.MySql && IsAmbiguous(expression, expected))
                        continue;
                    var where = $"{expression} of {values[i]}, prepared {prepare}";
                    Assert.True(expected.Equals(reader.GetValue(0)), $"{where}: {expected} is read as {reader.GetValue(0)}");
                    Assert.True((expected != 0) == reader.GetBoolean(0), where);
                    Assert.True(expected == reader.GetUInt64(0) && expected == reader.GetFieldValue<ulong>(0), where);
                }
            }
        }
    }

    // MySQL sends these as digits, or as characters, without saying so: as many of them as the column has bytes are bytes (docs/migrating.md).
    private static bool IsAmbiguous(string expression, ulong value)
    {
        if (expression.StartsWith("CASE", StringComparison.Ordinal) || expression.StartsWith("IF(", StringComparison.Ordinal))
            return !expression.Contains("b1 ", StringComparison.Ordinal) && !expression.Contains("b8", StringComparison.Ordinal);
        if (!expression.StartsWith("COALESCE", StringComparison.Ordinal) && !expression.StartsWith("IFNULL", StringComparison.Ordinal) && !expression.StartsWith("GREATEST", StringComparison.Ordinal))
            return false;
        var bits = int.Parse(expression[(expression.IndexOf("(b", StringComparison.Ordinal) + 2)..].Split(',')[0]);
        return bits > 1 && value.ToString().Length == (bits + 7) / 8;
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_value_that_is_no_bytes_is_not_read_as_bytes_in_either_protocol(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        Run(connection, "CREATE TEMPORARY TABLE forms (i INT, d DATE, t TIME, y YEAR, f FLOAT, g DOUBLE, dt DATETIME, ts TIMESTAMP, n BIGINT, q DECIMAL(5,2), s VARCHAR(9), b BLOB, j JSON, x BIT(8))");
        Run(connection, "INSERT INTO forms VALUES (12345, '2020-01-02', '03:04:05', 2020, 1.5, 2.5, '2020-01-02 03:04:05', '2020-01-02 03:04:05', 7, 1.25, 'abc', X'010203', '{}', 65)");
        for (var time = 0; time < 6; time++)
        {
            using var command = new MySqlCommand("SELECT i, d, t, y, f, g, dt, ts, n, q, s, b, j, x FROM forms WHERE i = @i", connection) { Parameters = { new("@i", 12345) } };
            using var reader = command.ExecuteReader(time == 5 ? CommandBehavior.SequentialAccess : CommandBehavior.Default);
            Assert.True(reader.Read());
            for (var column = 0; column < 9; column++)
            {
                Assert.Throws<InvalidCastException>(() => reader.GetBytes(column, 0, new byte[20], 0, 20));
                Assert.Throws<InvalidCastException>(() => reader.GetBytes(column, 0, null, 0, 0));
                Assert.Throws<InvalidCastException>(() => reader.GetUtf8Span(column).Length);
                Assert.Throws<InvalidCastException>(() => reader.GetStream(column));
            }

            Assert.Equal("1.25|abc|\u0001\u0002\u0003|{}|A", string.Join('|', Enumerable.Range(9, 5).Select(column =>
            {
                var buffer = new byte[20];
                return System.Text.Encoding.UTF8.GetString(buffer, 0, (int)reader.GetBytes(column, 0, buffer, 0, 20));
            })));
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_guid_is_read_from_text_in_every_form_that_guids_are_written_in(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        var guid = new Guid("d4e5f6a7-1234-4abc-8def-0123456789ab");
        foreach (var text in (string[])[.. "DNBPX".Select(form => guid.ToString(form.ToString())), $"  {guid} ", guid.ToString().ToUpperInvariant()])
        {
            foreach (var prepare in (bool[])[false, true])
            {
                using var command = new MySqlCommand("SELECT CAST(@g AS CHAR(200))", connection) { Parameters = { new("@g", text) } };
                if (prepare)
                    command.Prepare();
                using var reader = command.ExecuteReader();
                Assert.True(reader.Read());
                Assert.Equal(guid, reader.GetGuid(0));
                Assert.Equal(guid, reader.GetFieldValue<Guid>(0));
            }
        }

        using var none = new MySqlCommand("SELECT 'd4e5f6a7-1234-4abc-8def-0123456789a'", connection);
        using var other = none.ExecuteReader();
        Assert.True(other.Read());
        Assert.Throws<InvalidCastException>(() => other.GetGuid(0));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_scalar_is_of_the_first_result_with_columns_or_null(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        Run(connection, "CREATE TEMPORARY TABLE scalars (id INT)");
        Run(connection, "DROP PROCEDURE IF EXISTS scalars");
        Run(connection, "CREATE PROCEDURE scalars() BEGIN SELECT 1 FROM DUAL WHERE FALSE; SELECT 2; END");
        foreach (var (sql, expected) in (IEnumerable<(string, object?)>)[
            ("SELECT id FROM scalars WHERE FALSE; SELECT 2", null), ("SET @a = 1; SELECT 'x'", "x"), ("INSERT INTO scalars VALUES (9); SELECT id FROM scalars WHERE FALSE; SELECT 3", null),
            ("CALL scalars()", null), ("SELECT 'a'; SELECT 'b'", "a"),
        ])
        {
            foreach (var asynchronous in (bool[])[false, true])
            {
                await using var command = new MySqlCommand(sql, connection);
                Assert.Equal(expected, asynchronous ? await command.ExecuteScalarAsync() : command.ExecuteScalar());
                await using var batch = new MySqlBatch(connection) { BatchCommands = { new MySqlBatchCommand(sql) } };
                Assert.Equal(expected, asynchronous ? await batch.ExecuteScalarAsync() : batch.ExecuteScalar());
            }
        }

        using var call = new MySqlCommand("scalars", connection) { CommandType = CommandType.StoredProcedure };
        Assert.Null(call.ExecuteScalar());
        Assert.Null(await call.ExecuteScalarAsync());
        using var commands = new MySqlBatch(connection) { BatchCommands = { new MySqlBatchCommand("SELECT id FROM scalars WHERE FALSE"), new MySqlBatchCommand("SELECT 2") } };
        Assert.Null(commands.ExecuteScalar());
        using var calls = new MySqlBatch(connection) { BatchCommands = { new MySqlBatchCommand("scalars") { CommandType = CommandType.StoredProcedure }, new MySqlBatchCommand("SELECT 2") } };
        Assert.Null(calls.ExecuteScalar());
    }

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind)
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Pooling=false;Allow User Variables=true"));
        await connection.OpenAsync();
        return connection;
    }

    private static void Run(MySqlConnection connection, string sql)
    {
        using var command = new MySqlCommand(sql, connection);
        command.ExecuteNonQuery();
    }
}
