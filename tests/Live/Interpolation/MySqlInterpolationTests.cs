using System.Data;
using System.Globalization;
using System.Text;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.Interpolation;

/// <summary>
/// A value stays a value, whatever it contains and however the server reads quotes: the server returns what it understood in hexadecimal digits, and the test
/// compares it byte for byte.
/// </summary>
public class MySqlInterpolationTests
{
    private const int PerSelect = 250;

    private static readonly int Seed = int.TryParse(Environment.GetEnvironmentVariable("SLIPSTREAM_SEED"), out var seed) ? seed : Random.Shared.Next();

    private static readonly string[] Modes =
    [
        "", "NO_BACKSLASH_ESCAPES", "ANSI_QUOTES", "ANSI_QUOTES,NO_BACKSLASH_ESCAPES", "PIPES_AS_CONCAT", "ANSI", "TRADITIONAL",
        "ANSI,NO_BACKSLASH_ESCAPES,TRADITIONAL", "IGNORE_SPACE,HIGH_NOT_PRECEDENCE",
    ];

    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    private static string[] ModesOf(ServerKind kind) => kind == ServerKind.MySql ? Modes : [.. Modes, "ORACLE", "MSSQL,NO_BACKSLASH_ESCAPES"];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Texts_and_bytes_arrive_as_they_are_under_every_mode_and_in_both_protocols(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        var seed = Seed;
        foreach (var mode in ModesOf(kind))
        {
            Run(connection, $"SET SESSION sql_mode = '{mode}'");
            var adversary = new Adversary(++seed, withNul: true);
            object[] values =
                [
                    .. Adversary.ShortTexts(), .. Adversary.TextsAtBorders(), .. Enumerable.Range(0, 600).Select(_ => adversary.Text()),
                    .. Enumerable.Range(0, 400).Select(_ => adversary.Bytes())
                ];
            foreach (var chunk in values.Chunk(PerSelect))
            {
                foreach (var prepared in (bool[])[false, true])
                    AssertEchoed(connection, chunk, prepared, $"mode '{mode}', seed {seed}");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task What_is_stored_is_what_was_given(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        Run(connection, "CREATE TEMPORARY TABLE interpolation (id INT PRIMARY KEY, s LONGTEXT CHARACTER SET utf8mb4, b LONGBLOB)");
        var seed = Seed;
        foreach (var mode in ModesOf(kind))
        {
            foreach (var way in (string[])["text", "prepared", "batch", "bulk"])
            {
                Run(connection, $"SET SESSION sql_mode = '{mode}'");
                Run(connection, "DELETE FROM interpolation");
                var adversary = new Adversary(++seed, withNul: true);
                var rows = Enumerable.Range(0, 120).Select(i => (Id: i, Text: adversary.Text(), Bytes: adversary.Bytes())).ToArray();
                Store(connection, way, rows);
                using var command = new MySqlCommand("SELECT id, HEX(s), HEX(b) FROM interpolation ORDER BY id", connection);
                using var reader = command.ExecuteReader();
                foreach (var (id, text, bytes) in rows)
                {
                    Assert.True(reader.Read());
                    Assert.True((id, Hex(text), Hex(bytes)) == (reader.GetInt32(0), reader.GetString(1), reader.GetString(2)),
                        $"{way}, mode '{mode}', seed {seed}: wrong row {id}: {Hex(text)} became {reader.GetString(1)}; {Hex(bytes)} became "
                            + $"{reader.GetString(2)}");
                }

                Assert.False(reader.Read());
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Numbers_and_dates_arrive_as_they_are(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        var seed = Seed;
        foreach (var mode in ModesOf(kind))
        {
            Run(connection, $"SET SESSION sql_mode = '{mode}'");
            var random = new Random(++seed);
            (object Given, string Cast, object Expected)[] cases =
            [
                .. Enumerable.Range(0, 150).SelectMany(i => Cases(random, i)),
                (long.MinValue, "{0}", long.MinValue), (ulong.MaxValue, "CAST({0} AS UNSIGNED)", ulong.MaxValue), (double.Epsilon, "{0} * 1e0", double.Epsilon),
                (double.MaxValue, "{0} * 1e0", double.MaxValue),
                (decimal.MinValue, "CAST({0} AS DECIMAL(65,0))", decimal.MinValue),
            ];
            foreach (var chunk in cases.Chunk(PerSelect))
            {
                foreach (var prepared in (bool[])[false, true])
                {
                    using var command = new MySqlCommand(
                        "SELECT " + string.Join(", ", chunk.Select(static (one, i) => string.Format(CultureInfo.InvariantCulture, one.Cast, $"@p{i}"))),
                        connection);
                    for (var i = 0; i < chunk.Length; i++)
                        command.Parameters.AddWithValue($"@p{i}", chunk[i].Given);
                    if (prepared)
                        command.Prepare();
                    using var reader = command.ExecuteReader();
                    Assert.True(reader.Read());
                    for (var i = 0; i < chunk.Length; i++)
                    {
                        var got = chunk[i].Expected switch
                        {
                            decimal => reader.GetDecimal(i),
                            double => reader.GetDouble(i),
                            ulong => reader.GetUInt64(i),
                            long => reader.GetInt64(i),
                            DateTime => reader.GetDateTime(i),
                            TimeSpan => reader.GetTimeSpan(i),
                            _ => (object)reader.GetString(i),
                        };
                        Assert.True(
                            chunk[i].Expected.Equals(got),
                            $"mode '{mode}', seed {seed}, prepared {prepared}: {chunk[i].Given} ({chunk[i].Given.GetType().Name}) became {got}");
                    }
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_negative_number_behind_a_minus_begins_no_comment(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        foreach (var mode in ModesOf(kind))
        {
            Run(connection, $"SET SESSION sql_mode = '{mode}'");
            foreach (object value in (object[])[-5, -5L, -5m, -5.0, (sbyte)-5, (short)-5, -5f])
            {
                foreach (var prepared in (bool[])[false, true])
                {
                    Assert.Equal(
                        "15|15|5|-5|10|tail",
                        One(
                            connection,
                            "SELECT CONCAT_WS('|', FORMAT(10 -@v, 0), FORMAT(10 - @v, 0), FORMAT(-@v, 0), FORMAT(--@v, 0), FORMAT(5--@v+@w, 0), 'tail')",
                            prepared, ("@v", value), ("@w", 10)));
                    Assert.Equal("15|5", One(connection, "SELECT CONCAT_WS('|', FORMAT(10-?, 0), FORMAT(-?, 0))", prepared, (null, value), (null, value)));
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Places_in_strings_comments_and_quoted_names_stay_as_they_are(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        (string Mode, string Sql, string Expected)[] cases =
        [
            (
                "", "SELECT CONCAT('?@v', \"@v?\", 'it''s @v', 'it\\'s @v', \"say \\\"@v\\\"\", @v) /* @v ? ' */ -- @v ? '\n # @v '\n",
                "?@v@v?it's @vit's @vsay \"@v\"x'\\"),
            ("NO_BACKSLASH_ESCAPES", "SELECT CONCAT('\\', @v, '\\@v')", "\\x'\\\\@v"),
            ("ANSI_QUOTES", "SELECT CONCAT(\"a\"\"@v?\", @v) FROM (SELECT 'y' AS \"a\"\"@v?\") t", "yx'\\"),
            ("ANSI_QUOTES", "SELECT CONCAT(\"a\\\", @v) FROM (SELECT 'y' AS \"a\\\") t", "yx'\\"),
            ("", "SELECT CONCAT(`a``@v?`, @v) FROM (SELECT 'y' AS `a``@v?`) t", "yx'\\"),
            ("", "SELECT CONCAT(`a\\`, @v) FROM (SELECT 'y' AS `a\\`) t", "yx'\\"),
            ("", "SELECT CONCAT('', /*!50000 @v */)", "x'\\"),
        ];
        foreach (var (mode, sql, expected) in cases)
        {
            Run(connection, $"SET SESSION sql_mode = '{mode}'");
            foreach (var prepared in (bool[])[false, true])
                Assert.Equal(expected, One(connection, sql, prepared, ("@v", "x'\\")));
        }
    }

    /// <summary>A server that skips <c>/*! … */</c> searches for its end in strings, too.</summary>
    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_value_does_not_end_the_comment_it_stands_in(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        foreach (var value in (object[])["*/ + 41 /*", "*/ + 41 -- ", "'*/ + 41 /*'", Encoding.UTF8.GetBytes("*/ + 41 /*"), "/*", "*", "/"])
            Assert.Equal("1", One(connection, "SELECT 1 /*!99999 + @v */", prepared: false, ("@v", value)));
    }

    private static IEnumerable<(object, string, object)> Cases(Random random, int i)
    {
        var number = random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(63);
        yield return (number, "{0}", number);
        yield return ((int)number, "- {0}", -(long)(int)number);
        var real = BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue));
        if (double.IsNormal(real))
            yield return (real, "{0} * 1e0", real);
        var exact = new decimal(random.Next(), random.Next(), random.Next(), random.Next(2) == 0, (byte)random.Next(29));
        yield return (exact, "CAST({0} AS DECIMAL(65,28))", exact);
        var date = new DateTime(1000, 1, 1).AddTicks(random.NextInt64(0, 8000L * 365 * TimeSpan.TicksPerDay) / 10 * 10);
        yield return (date, "CAST({0} AS DATETIME(6))", date);
        var time = new TimeSpan(random.NextInt64(-838 * TimeSpan.TicksPerHour, 838 * TimeSpan.TicksPerHour) / 10 * 10);
        yield return (time, "CAST({0} AS TIME(6))", time);
        var guid = new Guid(random.Next(), (short)i, (short)random.Next(), 1, 2, 3, 4, 5, 6, 7, 8);
        yield return (guid, "LOWER({0})", guid.ToString());
    }

    private static void Store(MySqlConnection connection, string way, (int Id, string Text, byte[] Bytes)[] rows)
    {
        const string Insert = "INSERT INTO interpolation (id, s, b) VALUES (@id, @s, @b)";
        switch (way)
        {
            case "batch":
                using (var batch = new MySqlBatch(connection))
                {
                    foreach (var (id, text, bytes) in rows)
                        batch.BatchCommands.Add(new MySqlBatchCommand(Insert) { Parameters = { new("@id", id), new("@s", text), new("@b", bytes) } });
                    batch.ExecuteNonQuery();
                }

                break;
            case "bulk":
                using (var table = new DataTable())
                {
                    table.Columns.Add("id", typeof(int));
                    table.Columns.Add("s", typeof(string));
                    table.Columns.Add("b", typeof(byte[]));
                    foreach (var (id, text, bytes) in rows)
                        table.Rows.Add(id, text, bytes);
                    new MySqlBulkCopy(connection) { DestinationTableName = "interpolation" }.WriteToServer(table);
                }

                break;
            default:
                using (var command = new MySqlCommand(Insert, connection))
                {
                    var id = command.Parameters.AddWithValue("@id", 0);
                    var text = command.Parameters.AddWithValue("@s", "");
                    var bytes = command.Parameters.AddWithValue("@b", Array.Empty<byte>());
                    if (way == "prepared")
                        command.Prepare();
                    foreach (var row in rows)
                    {
                        (id.Value, text.Value, bytes.Value) = (row.Id, row.Text, row.Bytes);
                        command.ExecuteNonQuery();
                    }
                }

                break;
        }
    }

    internal static void AssertEchoed(MySqlConnection connection, IReadOnlyList<object> values, bool prepared, string where)
    {
        using var command = new MySqlCommand("SELECT " + string.Join(", ", Enumerable.Range(0, values.Count).Select(static i => $"HEX(@p{i})")), connection);
        for (var i = 0; i < values.Count; i++)
            command.Parameters.AddWithValue($"@p{i}", values[i]);
        if (prepared)
            command.Prepare();
        using var reader = command.ExecuteReader();
        Assert.True(reader.Read());
        for (var i = 0; i < values.Count; i++)
        {
            var (given, came) = (Hex(values[i]), reader.IsDBNull(i) ? "NULL" : reader.GetString(i));
            Assert.True(given == came, $"{where}, prepared {prepared}: {given} became {came}");
        }
    }

    /// <summary>The expected UTF-8 form of a text; half a surrogate pair becomes U+FFFD.</summary>
    internal static string Hex(object value) => Convert.ToHexString(value as byte[] ?? Encoding.UTF8.GetBytes((string)value));

    internal static string? One(MySqlConnection connection, string sql, bool prepared, params (string? Name, object Value)[] parameters)
    {
        using var command = new MySqlCommand(sql, connection);
        foreach (var (name, value) in parameters)
            command.Parameters.Add(new MySqlParameter(name, value));
        if (prepared)
            command.Prepare();
        return Convert.ToString(command.ExecuteScalar(), CultureInfo.InvariantCulture);
    }

    internal static void Run(MySqlConnection connection, string sql)
    {
        using var command = new MySqlCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind)
    {
        var connection = new MySqlConnection(
            ConnectionStrings.MySql(
                await LiveServers.GetAsync(kind), "Pooling=false;Auto Prepare=false;Allow User Variables=false;Allow Load Local Infile=true"));
        await connection.OpenAsync();
        return connection;
    }
}
