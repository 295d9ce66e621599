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
            Run(
                connection,
                $"INSERT INTO bits VALUES ({i}, {values[i] & 1}, {values[i] & 0xFF}, {values[i] & 0xFFF}, {values[i] & uint.MaxValue}, {values[i]})");
        var expressions = new List<string>();
        foreach (var column in (string[])["b1", "b8", "b12", "b32", "b64"])
        {
            foreach (var form in (string[])[
                "{0}", "MAX({0})", "MIN({0})", "COALESCE({0}, NULL)", "IFNULL({0}, b1)", "CASE WHEN 1 THEN {0} END", "IF(1, {0}, b1)", "NULLIF({0}, 5.5)",
                "GREATEST({0}, {0})", "(SELECT {0})"
            ])
                expressions.Add(string.Format(null, form, column));
        }

        foreach (var expression in expressions)
        {
            foreach (var prepare in (bool[])[false, true])
            {
                for (var i = 0; i < values.Length; i++)
                {
                    using var command =
                        new MySqlCommand($"SELECT {expression}, {expression} + 0 FROM bits WHERE id = @id", connection) { Parameters = { new("@id", i) } };
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

    // MySQL sends these as digits or as characters, without a type for it: a value with exactly the column's number of bytes is read as bytes
    // (docs/migrating.md).
    private static bool IsAmbiguous(string expression, ulong value)
    {
        if (expression.StartsWith("CASE", StringComparison.Ordinal) || expression.StartsWith("IF(", StringComparison.Ordinal))
            return !expression.Contains("b1 ", StringComparison.Ordinal) && !expression.Contains("b8", StringComparison.Ordinal);
        if (!expression.StartsWith("COALESCE", StringComparison.Ordinal)
            && !expression.StartsWith("IFNULL", StringComparison.Ordinal)
            && !expression.StartsWith("GREATEST", StringComparison.Ordinal))
            return false;
        var bits = int.Parse(expression[(expression.IndexOf("(b", StringComparison.Ordinal) + 2)..].Split(',')[0]);
        return bits > 1 && value.ToString().Length == (bits + 7) / 8;
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_value_that_is_no_bytes_is_not_read_as_bytes_in_either_protocol(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        Run(
            connection,
            "CREATE TEMPORARY TABLE forms (i INT, d DATE, t TIME, y YEAR, f FLOAT, g DOUBLE, dt DATETIME, ts TIMESTAMP, n BIGINT, q DECIMAL(5,2), s "
                + "VARCHAR(9), b BLOB, j JSON, x BIT(8))");
        Run(
            connection,
            "INSERT INTO forms VALUES (12345, '2020-01-02', '03:04:05', 2020, 1.5, 2.5, '2020-01-02 03:04:05', '2020-01-02 03:04:05', 7, 1.25, 'abc', "
                + "X'010203', '{}', 65)");
        for (var time = 0; time < 6; time++)
        {
            using var command =
                new MySqlCommand("SELECT i, d, t, y, f, g, dt, ts, n, q, s, b, j, x FROM forms WHERE i = @i", connection) { Parameters = { new("@i", 12345) } };
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
                var text = System.Text.Encoding.UTF8.GetString(buffer, 0, (int)reader.GetBytes(column, 0, buffer, 0, 20));
                using var stream = new StreamReader(reader.GetStream(column));
                Assert.Equal(text, stream.ReadToEnd());
                Assert.Equal(text, System.Text.Encoding.UTF8.GetString(reader.GetFieldValue<byte[]>(column)));
                return text;
            })));
            // The time of day is dropped, as in MySqlConnector.
            Assert.Equal(new DateOnly(2020, 1, 2), reader.GetDateOnly(6));
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_time_behind_the_last_second_and_before_839_hours_is_judged_by_the_server(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        Run(connection, "CREATE TEMPORARY TABLE late (t TIME(6))");
        foreach (var time in (TimeSpan[])[new(34, 22, 59, 59, 900), -new TimeSpan(34, 22, 59, 59, 900)])
        {
            foreach (var prepare in (bool[])[false, true])
            {
                await using var command = new MySqlCommand("INSERT INTO late VALUES (@t)", connection) { Parameters = { new("@t", time) } };
                if (prepare)
                    await command.PrepareAsync();
                if (kind == ServerKind.MySql)
                {
                    var error = await Assert.ThrowsAsync<MySqlException>(() => command.ExecuteNonQueryAsync());
                    Assert.Equal(prepare ? 1690 : 1525, error.Number);
                    Assert.Contains("TIME value", error.Message);
                    continue;
                }

                await command.ExecuteNonQueryAsync();
                await using var select = new MySqlCommand("SELECT t FROM late", connection);
                Assert.Equal(time, await select.ExecuteScalarAsync());
                Run(connection, "DELETE FROM late");
            }
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
            ("SELECT id FROM scalars WHERE FALSE; SELECT 2", null), ("SET @a = 1; SELECT 'x'", "x"),
            ("INSERT INTO scalars VALUES (9); SELECT id FROM scalars WHERE FALSE; SELECT 3", null),
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
        using var commands =
            new MySqlBatch(connection) { BatchCommands = { new MySqlBatchCommand("SELECT id FROM scalars WHERE FALSE"), new MySqlBatchCommand("SELECT 2") } };
        Assert.Null(commands.ExecuteScalar());
        using var calls = new MySqlBatch(connection)
        {
            BatchCommands = { new MySqlBatchCommand("scalars") { CommandType = CommandType.StoredProcedure }, new MySqlBatchCommand("SELECT 2") }
        };
        Assert.Null(calls.ExecuteScalar());
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_float_means_its_shortest_digits_in_text_and_prepared(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        Run(connection, "CREATE TEMPORARY TABLE floats (d DECIMAL(20,10), g DOUBLE, v VARCHAR(40), f FLOAT)");
        foreach (var prepare in (bool[])[false, true])
        {
            foreach (var boxed in (bool[])[false, true])
            {
                MySqlParameter Parameter(float value) => boxed ? new MySqlParameter("@p", (object)value) : new MySqlParameter<float>("@p", value);
                object? One(string sql, float value)
                {
                    using var command = new MySqlCommand(sql, connection) { Parameters = { Parameter(value) } };
                    if (prepare)
                        command.Prepare();
                    return command.ExecuteScalar();
                }

                Run(connection, "DELETE FROM floats");
                foreach (var value in (float[])[1.1f, 0.1f, 123456.79f, -1e-8f])
                    One("INSERT INTO floats VALUES (@p, @p, @p, @p)", value);
                Assert.Equal(
                    "-0.0000000100,0.1000000000,1.1000000000,123456.7900000000", One("SELECT GROUP_CONCAT(d ORDER BY d) FROM floats WHERE @p = @p", 1));
                Assert.Equal(0, Convert.ToInt32(One("SELECT COUNT(*) FROM floats WHERE g NOT IN (1.1e0, 0.1e0, 123456.79e0, -1e-8) AND @p = @p", 1)));
                Assert.Equal(1, Convert.ToInt32(One("SELECT COUNT(*) FROM floats WHERE v = '1.1' AND @p = @p", 1)));
                // Into DECIMAL, DOUBLE and VARCHAR, and compared with each; a FLOAT column contains a different number from 1.1.
                Assert.Equal(
                    (1, 1, 1),
                    (
                        Convert.ToInt32(One("SELECT COUNT(*) FROM floats WHERE d = @p", 1.1f)),
                        Convert.ToInt32(One("SELECT COUNT(*) FROM floats WHERE g = @p", 1.1f)),
                        Convert.ToInt32(One("SELECT COUNT(*) FROM floats WHERE v = @p", 1.1f))));
                Assert.Equal(0, Convert.ToInt32(One("SELECT COUNT(*) FROM floats WHERE f = @p", 1.1f)));
                // A value that is stored in a FLOAT column comes back unchanged.
                foreach (var value in (float[])[1.1f, 16777217f, float.Epsilon, float.MaxValue, float.MinValue, 1e-38f])
                {
                    Run(connection, "DELETE FROM floats");
                    One("INSERT INTO floats (f) VALUES (@p)", value);
                    using var command = new MySqlCommand("SELECT f + 0e0 FROM floats", connection);
                    Assert.Equal(value, (float)(double)command.ExecuteScalar()!);
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Only_the_schema_of_several_statements_and_of_calls_has_columns_and_no_rows(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        Run(connection, "DROP PROCEDURE IF EXISTS schema_rows");
        Run(connection, "CREATE PROCEDURE schema_rows(x INT) BEGIN SELECT x AS a, 'b' AS b; SELECT 2 AS c; END");
        foreach (var (sql, type, expected) in (IEnumerable<(string, CommandType, string)>)[
            ("SELECT 1 AS a; SELECT 2 AS b, 3 AS c", CommandType.Text, "a|b,c"), ("DO 0; SELECT 2 AS b", CommandType.Text, "b"),
            ("CALL schema_rows(1)", CommandType.Text, "a,b|c"), ("schema_rows", CommandType.StoredProcedure, "a,b|c"),
            ("SELECT 1 AS a", CommandType.Text, "a"), ("DO 0", CommandType.Text, ""),
        ])
        {
            foreach (var asynchronous in (bool[])[false, true])
            {
                await using var command = new MySqlCommand(sql, connection) { CommandType = type };
                if (type == CommandType.StoredProcedure)
                    command.Parameters.AddWithValue("x", 1);
                List<string> results = [];
                await using (
                    var reader =
                        asynchronous ? await command.ExecuteReaderAsync(CommandBehavior.SchemaOnly) : command.ExecuteReader(CommandBehavior.SchemaOnly))
                {
                    do
                    {
                        results.Add(string.Join(',', Enumerable.Range(0, reader.FieldCount).Select(reader.GetName)));
                        Assert.False(reader.Read(), sql);
                    }
                    while (asynchronous ? await reader.NextResultAsync() : reader.NextResult());
                }

                Assert.Equal(expected, string.Join('|', results));
                // The next command returns its rows again.
                Assert.Equal("1", new MySqlCommand("SELECT '1'", connection).ExecuteScalar());
            }
        }
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
