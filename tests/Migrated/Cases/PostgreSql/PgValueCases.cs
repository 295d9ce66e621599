using System.Data;

namespace Slipstream.Migrated;

public static class PgValueCases
{
    public static void Values_come_back(Trial t)
    {
        using var c = t.Open();
        foreach (var value in new object[]
        {
            true, (short)-3, 70000, -5000000000L, 1.5f, 0.1d, 123.4500m, "t\u00e4xt'\\", 'x', new byte[] { 0, 255 },
            Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), new DateOnly(2024, 2, 29),
            new TimeOnly(13, 14, 15), new TimeSpan(1, 2, 3), new DateTime(2024, 2, 29, 13, 14, 15, DateTimeKind.Utc), new DateTime(2024, 2, 29, 13, 14, 15,
            DateTimeKind.Unspecified),
            new DateTimeOffset(2024, 2, 29, 13, 14, 15, TimeSpan.Zero), DBNull.Value, "", new Uri("https://example.com/?a=1"),
        })
            t.Try($"{value.GetType().Name} {value}", () => c.Scalar("SELECT @p", ("p", value)));
    }

    public static void Columns_of_every_type(Trial t)
    {
        using var c = t.Open();
        c.Do("SET TIME ZONE 'UTC'");
        foreach (var (type, literals) in new[]
        {
            ("boolean", "(true), (false), (NULL)"), ("smallint", "(-300), (NULL)"), ("integer", "(70000), (NULL)"), ("bigint", "(5000000000), (NULL)"),
            ("real", "(1.5), ('NaN'), (NULL)"),
            ("double precision", "(0.1), ('-Infinity'), (NULL)"), ("numeric(20,4)", "(123.4500), (-0.0001), (NULL)"), ("text", "('t\u00e4xt'), (''), (NULL)"),
            ("varchar(10)", "('abc')"),
            ("char(5)", "('ab')"), ("bytea", "('\\x00ff'), (NULL)"), ("uuid", "('00112233-4455-6677-8899-aabbccddeeff')"), ("date",
            "('2024-02-29'), ('0001-01-01')"),
            ("time", "('13:14:15.123456')"), ("timestamp", "('2024-02-29 13:14:15.123456')"), ("timestamptz", "('2024-02-29 13:14:15+02')"), ("interval",
            "('1 day 02:03:04'), ('-00:00:01')"),
            ("json", "('{\"a\": 1}')"), ("jsonb", "('{\"a\": [1, 2]}')"), ("xml", "('<a/>')"), ("name", "('abc')"), ("oid", "(5)"),
        })
        {
            c.Do("DROP TABLE IF EXISTS x");
            c.Do($"CREATE TABLE x (id serial, v {type})");
            c.Do($"INSERT INTO x (v) VALUES {literals}");
            using var command = new PgCommand("SELECT v FROM x ORDER BY id", c);
            using var reader = command.ExecuteReader();
            t.Say(type, reader.GetDataTypeName(0));
            t.Say("values", $"{reader.GetFieldType(0).Name} {Trial.Rows(reader)}");
        }
    }

    // The name of each pg_type type that a column can have, and the type that it is read as. (Without aclitem and gtsvector: they have no binary form, which
    // the other driver requests.)
    public static void Names_of_all_types(Trial t)
    {
        using var c = t.Open();
        var types = c.All(
            "SELECT typname FROM pg_type WHERE oid < 10000 AND typrelid = 0 AND typtype IN ('b', 'r', 'm') AND typname NOT IN ('aclitem', 'gtsvector', "
                + "'_cstring') "
            + "AND typname NOT LIKE '\\_pg\\_%' ORDER BY oid").Split(["(", ") (", ")"], StringSplitOptions.RemoveEmptyEntries);
        t.Say("all", types.Length > 100);
        using var command = new PgCommand("SELECT " + string.Join(", ", types.Select(static type => $"NULL::\"{type}\"")) + ", NULL::void, NULL::record", c);
        using var reader = command.ExecuteReader();
        reader.Read();
        for (var i = 0; i < types.Length; i++)
        {
            if (types[i] is "char" or "_char")
                t.Differs(types[i], reader.GetDataTypeName(i), "`GetDataTypeName` of `\"char\"`", "char is another type in SQL");
            else
                t.Say(types[i], reader.GetDataTypeName(i));
        }

        t.Say("others", $"{reader.GetDataTypeName(types.Length)} {reader.GetDataTypeName(types.Length + 1)}");
        foreach (
            var type in new[] {
                "bool", "bytea", "char", "name", "int8", "int2", "int4", "text", "oid", "xid", "cid", "json", "xml", "float4", "float8", "bpchar",
                "varchar", "date", "time", "timestamp", "timestamptz", "interval", "timetz", "numeric", "refcursor", "uuid", "jsonb", "jsonpath" })
        {
            var i = Array.IndexOf(types, type);
            t.Say(
                type, $"{reader.GetFieldType(i).Name} {reader.GetProviderSpecificFieldType(i).Name} {reader.IsDBNull(i)} {reader.GetColumnSchema()[i].IsLong}");
        }
    }

    public static void Nothing_returned(Trial t)
    {
        using var c = t.Open();
        foreach (var sql in new[] { "SELECT pg_sleep(0), 1", "SELECT NULL::void, 1" })
        {
            foreach (var isPrepared in new[] { false, true })
            {
                using var command = new PgCommand(sql, c);
                if (isPrepared)
                    command.Prepare();
                t.Say(sql, command.ExecuteScalar());
                t.Say("again", command.ExecuteScalar());
                using var reader = command.ExecuteReader();
                t.Say(
                    "type",
                    $"{reader.GetFieldType(0).Name} {reader.GetDataTypeName(0)} {reader.GetColumnSchema()[0].DataType?.Name} "
                        + $"{reader.GetColumnSchema()[0].ColumnSize}");
                reader.Read();
                t.Try("null", () => reader.IsDBNull(0));
                t.Try("value", () => reader.GetValue(0));
                t.Try("by name", () => reader["pg_sleep"]);
                t.Try("object", () => reader.GetFieldValue<object>(0));
                t.Try("text", () => reader.GetString(0));
                t.Try("bytes", () => reader.GetFieldValue<byte[]>(0));
                t.Try("number", () => reader.GetInt32(0));
                var values = new object[2];
                t.Say("values", reader.GetValues(values));
                t.Say("all", values);
            }

            using var loading = new PgCommand(sql, c);
            using var loaded = loading.ExecuteReader();
            var table = new DataTable();
            table.Load(loaded);
            t.Say("table", $"{table.Columns[0].DataType.Name} {table.Rows[0][0].GetType().Name} {table.Rows[0][1]}");
        }
    }

    public static void Values_by_getter(Trial t)
    {
        using var c = t.Open();
        using var command = new PgCommand(
            "SELECT 5 AS i, 'text' AS s, 1.5::numeric AS d, '\\x0102'::bytea AS b, timestamp '2024-02-29 01:02:03' AS t, NULL::int AS n, 1.5::float8 AS f, "
                + "7::int8 AS l, true AS o", c);
        using var reader = command.ExecuteReader();
        reader.Read();
        t.Try("GetInt32", () => reader.GetInt32(0));
        t.Try("GetInt64", () => reader.GetInt64(0));
        t.Try("GetInt16", () => reader.GetInt16(0));
        t.Try("GetString", () => reader.GetString(1));
        t.Try("GetDecimal", () => reader.GetDecimal(2));
        t.Try("GetDouble", () => reader.GetDouble(6));
        t.Try("GetDateTime", () => reader.GetDateTime(4));
        t.Try("GetBoolean", () => reader.GetBoolean(8));
        t.Try("long as int", () => reader.GetInt32(7));
        t.Try("IsDBNull", () => reader.IsDBNull(5));
        t.Try("null as value", () => reader.GetValue(5));
        t.Try("null as number", () => reader.GetInt32(5));
        t.Try("null as int?", () => reader.GetFieldValue<int?>(5));
        t.Try("text as number", () => reader.GetInt32(1));
        t.Try("number as date", () => reader.GetDateTime(0));
        t.Try("number as text", () => reader.GetString(0));
        t.Try("nobody", () => reader.GetOrdinal("nobody"));
        t.Try("in another case", () => reader.GetOrdinal("S"));
        t.Try("outside", () => reader.GetValue(99));
        t.Try("bytes", () => reader.GetFieldValue<byte[]>(3));
        t.Try("of text", () => reader.GetChar(1));
        using (var text = reader.GetTextReader(1))
            t.Say("text reader", text.ReadToEnd());
        using (var stream = reader.GetStream(3))
            t.Say("stream", stream.Length);
        t.Try("enumerated", () => Enumerable.Range(0, reader.FieldCount).Select(i => reader.GetName(i)));
    }

    public static void Parameters_with_a_type(Trial t)
    {
        using var c = t.Open();
        foreach (var (type, value) in new (PgDbType, object)[]
        {
            (PgDbType.Integer, 5), (PgDbType.Bigint, 5), (PgDbType.Smallint, 5), (PgDbType.Numeric, 1.5m), (PgDbType.Text, "text"), (PgDbType.Varchar,
            "text"), (PgDbType.Json, "{\"a\": 1}"),
            (PgDbType.Jsonb, "{\"a\": 1}"), (PgDbType.Uuid, Guid.Empty), (PgDbType.Bytea, new byte[] { 1 }), (PgDbType.Boolean, true), (PgDbType.Date,
            new DateOnly(2024, 2, 29)),
            (PgDbType.Double, 1.5), (PgDbType.Real, 1.5f), (PgDbType.Interval, new TimeSpan(1, 2, 3)), (PgDbType.Time, new TimeOnly(1, 2)),
        })
        {
            using var command = new PgCommand("SELECT @p", c);
            command.Parameters.Add(new PgParameter("p", type) { Value = value });
            t.Try($"{type}", () => command.ExecuteScalar());
        }

        using var unknown = new PgCommand("SELECT @p::inet::text", c);
        unknown.Parameters.Add(new PgParameter("p", PgDbType.Unknown) { Value = "127.0.0.1" });
        t.Try("unknown", () => unknown.ExecuteScalar());
        using var wrong = new PgCommand("SELECT @p", c);
        wrong.Parameters.Add(new PgParameter("p", PgDbType.Integer) { Value = "text" });
        t.Try("a text for a number", () => wrong.ExecuteScalar());
        wrong.Parameters[0].Value = 5_000_000_000L;
        t.Try("too large", () => wrong.ExecuteScalar());
    }

    public static void Types_follow_the_value(Trial t)
    {
        foreach (var value in new object[]
        {
            true, (short)1, 1, 1L, 1f, 1d, 1m, "text", 'c', new byte[1], Guid.Empty, new DateOnly(2024, 1, 2), new TimeOnly(1, 2),
            new DateTime(2024, 1, 2, 0, 0, 0, DateTimeKind.Utc), new DateTime(2024, 1, 2, 0, 0, 0, DateTimeKind.Unspecified), DateTimeOffset.UnixEpoch,
        })
            t.Say($"{value.GetType().Name}", new PgParameter("p", value).DbType);
        t.Say("an interval", new PgParameter("p", TimeSpan.Zero).DbType);
        t.Say("nothing", new PgParameter().DbType);
        foreach (var type in new[] { DbType.Int32, DbType.String, DbType.Decimal, DbType.Date, DbType.Guid, DbType.Binary, DbType.Boolean, DbType.Double })
            t.Say($"{type}", new PgParameter { DbType = type }.DbType);
    }

    public static void Dates_and_their_kinds(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE d (z timestamptz, p timestamp)");
        foreach (var kind in Enum.GetValues<DateTimeKind>())
        {
            var date = new DateTime(2024, 2, 29, 1, 2, 3, kind);
            if (kind == DateTimeKind.Local)
                t.Differs($"{kind} with zone", Trial.Outcome(() => Stored(PgDbType.TimestampTz, date, "z")), "a `DateTime` of kind `Local` for `timestamptz`",
                    "it is a moment");
            else
                t.Try($"{kind} with zone", () => Stored(PgDbType.TimestampTz, date, "z"));
            t.Try($"{kind} without", () => Stored(PgDbType.Timestamp, date, "p"));
        }

        t.Say("infinity", c.All("SELECT timestamp 'infinity', date 'infinity'"));
        t.Differs("minus infinity", c.Scalar("SELECT timestamptz '-infinity'"), "`timestamptz '-infinity'`", "every timestamptz is UTC");
        t.Say("the last day", c.Scalar("SELECT date '9999-12-31'"));

        object? Stored(PgDbType type, DateTime date, string column)
        {
            using var command = new PgCommand($"INSERT INTO d ({column}) VALUES (@d) RETURNING {column}", c);
            command.Parameters.Add(new PgParameter("d", type) { Value = date });
            return command.ExecuteScalar();
        }
    }

    public static void Large_values(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE big (s text, b bytea)");
        var text = new string('\u00e4', 700_000);
        var bytes = new byte[1_300_000];
        new Random(5).NextBytes(bytes);
        c.Do("INSERT INTO big VALUES (@s, @b)", ("s", text), ("b", bytes));
        using var command = new PgCommand("SELECT s, b, length(s), length(b) FROM big", c);
        using var reader = command.ExecuteReader();
        reader.Read();
        t.Say("text", reader.GetString(0) == text);
        t.Say("bytes", ((byte[])reader[1]).AsSpan().SequenceEqual(bytes));
        t.Say("lengths", $"{reader.GetInt32(2)} {reader.GetInt32(3)}");
    }
}
