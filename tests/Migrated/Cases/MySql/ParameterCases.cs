using System.Data;
using System.Data.Common;

namespace Slipstream.Migrated;

public static class ParameterCases
{
    public static void Names_are_given_once(Trial t)
    {
        using var command = new MySqlCommand();
        command.Parameters.AddWithValue("@one", 1);
        var two = command.Parameters.AddWithValue("two", 2);
        t.Try("again", () => command.Parameters.AddWithValue("@one", 3));
        t.Try("again without prefix", () => command.Parameters.AddWithValue("one", 3));
        t.Try("again with ?", () => command.Parameters.AddWithValue("?one", 3));
        t.Try("again in quotes", () => command.Parameters.AddWithValue("@`one`", 3));
        t.Try("a parameter again", () => command.Parameters.Add(two));
        t.Try("renamed to one that is there", () => command.Parameters.AddWithValue("@third", 3).ParameterName = "@one");
        command.Parameters.RemoveAt(2);
        t.Try("renamed in case", () => two.ParameterName = "TWO");
        t.Try("renamed to another", () => two.ParameterName = "three");
        t.Say("found", command.Parameters.IndexOf("@three"));
        t.Say("not found", command.Parameters.IndexOf("two"));
        t.Say("contains", command.Parameters.Contains("?three"));
        t.Try("by name", () => command.Parameters["nothing"]);
        t.Differs("removed by name", Trial.Outcome(() => Done(() => command.Parameters.RemoveAt("nothing"))), Missing,
            "its base class, as for every other question by name");
        t.Try("null", () => command.Parameters.Add((object)null!));
        t.Try("null to remove", () => command.Parameters.Remove(null!));
        t.Differs("a foreign one to remove", Trial.Outcome(() => Done(() => command.Parameters.Remove(new MySqlParameter()))), Missing,
            "its base class, as for every other question");
        t.Try("another type", () => command.Parameters.Add((object)"text"));
        t.Try("replaced by one of another's name", () => command.Parameters[1] = new MySqlParameter("@one", 7));
        t.Try("replaced", () => command.Parameters[1] = new MySqlParameter("@four", 7));
        t.Try("replaced by name", () => command.Parameters["@four"] = new MySqlParameter("@five", 8));
        t.Try("inserted", () => command.Parameters.Insert(0, new MySqlParameter("@one", 8)));
        t.Try("outside", () => command.Parameters[9]);
        t.Say("names", command.Parameters.Cast<MySqlParameter>().Select(static p => p.ParameterName));

        static object Done(Action action)
        {
            action();
            return "done";
        }
    }

    private const string Missing = "a parameter that is not in the collection";

    public static void Parameters_without_names_may_be_many(Trial t)
    {
        using var command = new MySqlCommand();
        var unnamed = new MySqlParameter { Value = 1 };
        command.Parameters.Add(unnamed);
        t.Try("another", () => command.Parameters.Add(new MySqlParameter { Value = 2 }));
        t.Try("the same", () => command.Parameters.Add(unnamed));
        t.Say("count", command.Parameters.Count);
        using var other = new MySqlCommand();
        t.Try("in two collections", () => other.Parameters.Add(unnamed));
    }

    public static void Names_differ_in_more_than_case(Trial t)
    {
        using var command = new MySqlCommand();
        command.Parameters.AddWithValue("@test", 1);
        t.Differs("in case", Trial.Outcome(() => command.Parameters.AddWithValue("@TEST", 2)), "parameter names",
            "user variables of the server differ in case, too");
        var other = command.Parameters.AddWithValue("@other", 1);
        t.Differs("renamed", Trial.Outcome(() => other.ParameterName = "@Test"), "parameter names", "user variables of the server differ in case, too");
    }

    public static void Types_follow_the_value_until_they_are_set(Trial t)
    {
        foreach (var value in new object?[]
        {
            true, (sbyte)1, (byte)1, (short)1, (ushort)1, 1, 1u, 1L, 1UL, 1f, 1d, 1m, "text", 'c', new byte[1], Guid.Empty, DateTime.UnixEpoch,
            DateTimeOffset.UnixEpoch,
            TimeSpan.Zero, new DateOnly(2024, 1, 2), new TimeOnly(1, 2), DayOfWeek.Monday, null, DBNull.Value, new System.Text.StringBuilder("a"),
                "a".AsMemory(),
        })
        {
            var parameter = new MySqlParameter("@p", value);
            t.Say($"{value?.GetType().Name}", $"{parameter.DbType} {parameter.MySqlDbType}");
        }

        t.Say("nothing", $"{new MySqlParameter().DbType} {new MySqlParameter().MySqlDbType}");
        foreach (var value in new object[]
        {
            new MySqlDateTime(2024, 1, 2, 3, 4, 5, 6), new ReadOnlyMemory<byte>([1]), new ArraySegment<byte>([1]), new Memory<byte>([1]),
            new MemoryStream([1]), new System.Numerics.BigInteger(1),
        })
        {
            var parameter = new MySqlParameter("@p", value);
            t.Differs($"{value.GetType().Name}", $"{parameter.DbType} {parameter.MySqlDbType}", "the type of a parameter", "it says how the value is sent");
        }

        t.Differs("float[]", $"{new MySqlParameter("@p", new float[1]).DbType} {new MySqlParameter("@p", new float[1]).MySqlDbType}", "`VECTOR`",
            "a float[] is a vector");
    }

    public static void A_DbType_that_was_set_reads_back(Trial t)
    {
        foreach (var type in Enum.GetValues<DbType>().Where(static type => type != DbType.Object))
            t.Try($"{type}", () =>
            {
                var parameter = new MySqlParameter { DbType = type };
                return $"{parameter.DbType} {parameter.MySqlDbType}";
            });
        foreach (var type in Enum.GetValues<MySqlDbType>())
            t.Try($"{type}", () =>
            {
                var parameter = new MySqlParameter("@p", type);
                return $"{parameter.DbType} {parameter.MySqlDbType}";
            });
        foreach (var type in Enum.GetValues<DbType>().Where(static type => type != DbType.Object))
            t.Try($"{type} with a value", () =>
            {
                var parameter = new MySqlParameter { DbType = type, Value = 1.5m };
                return $"{parameter.DbType} {parameter.MySqlDbType}";
            });
        t.Say("object", new MySqlParameter { DbType = DbType.Object }.DbType);
        t.Differs("of any object", new MySqlParameter { DbType = DbType.Object }.MySqlDbType, "the type of a parameter",
            "the value says what it is, not VECTOR");
    }

    public static void A_type_that_is_reset(Trial t)
    {
        var parameter = new MySqlParameter("@p", MySqlDbType.Int32) { Value = "text" };
        parameter.ResetDbType();
        t.Say("with a value", $"{parameter.DbType} {parameter.MySqlDbType}");
        parameter = new MySqlParameter("@p", MySqlDbType.Int32);
        parameter.ResetDbType();
        t.Say("without", $"{parameter.DbType} {parameter.MySqlDbType}");
        parameter.Value = 5L;
        t.Say("given one then", $"{parameter.DbType} {parameter.MySqlDbType}");
        parameter.Value = "text";
        t.Say("given another", $"{parameter.DbType} {parameter.MySqlDbType}");
        parameter = new MySqlParameter("@p", 5);
        parameter.Value = 2.5;
        t.Say("another value", $"{parameter.DbType} {parameter.MySqlDbType}");
        parameter = new MySqlParameter("@p", 5) { Value = null };
        t.Differs("null then", $"{parameter.DbType} {parameter.MySqlDbType}", "the type of a parameter", "the type of a value that is gone means nothing");
        parameter = new MySqlParameter("@p", 5) { DbType = DbType.String };
        parameter.ResetDbType();
        t.Differs("a text no longer", $"{parameter.DbType} {parameter.MySqlDbType}", "the type of a parameter", "the value that it has decides at once");
        parameter = new MySqlParameter { ParameterName = "@p", MySqlDbType = MySqlDbType.Blob };
        parameter.Value = 5;
        t.Say("set first", $"{parameter.DbType} {parameter.MySqlDbType}");
        var clone = new MySqlParameter("@c", 5L).Clone();
        clone.Value = "text";
        t.Say("a clone", $"{clone.DbType} {clone.MySqlDbType}");
    }

    public static void Precision_and_scale_are_kept_through_the_interface(Trial t)
    {
        var parameter = new MySqlParameter("@p", 1.25m);
        ((IDbDataParameter)parameter).Precision = 5;
        ((IDbDataParameter)parameter).Scale = 2;
        t.Say("class", $"{parameter.Precision} {parameter.Scale}");
        t.Say("base", $"{((DbParameter)parameter).Precision} {((DbParameter)parameter).Scale}");
        t.Say("interface", $"{((IDbDataParameter)parameter).Precision} {((IDbDataParameter)parameter).Scale}");
    }

    public static void A_parameter_of_every_constructor(Trial t)
    {
        t.Say("none", Of(new MySqlParameter()));
        t.Say("value", Of(new MySqlParameter("@p", "v")));
        t.Say("zero", Of(new MySqlParameter("@p", (object)0)));
        t.Say("type", Of(new MySqlParameter("@p", MySqlDbType.Int24)));
        t.Say("size", Of(new MySqlParameter("@p", MySqlDbType.VarChar, 20)));
        t.Say("column", Of(new MySqlParameter("@p", MySqlDbType.VarChar, 20, "c")));
        t.Say("all", Of(new MySqlParameter("@p", MySqlDbType.NewDecimal, 9, ParameterDirection.InputOutput, true, 9, 2, "c", DataRowVersion.Original, 1.5m)));
        using var command = new MySqlCommand();
        t.Say("added type", Of(command.Parameters.Add("@a", MySqlDbType.Double)));
        t.Say("added DbType", Of(command.Parameters.Add("@b", DbType.Currency)));
        t.Say("added size", Of(command.Parameters.Add("@c", MySqlDbType.VarBinary, 5)));
        t.Say("added value", Of(command.Parameters.AddWithValue("@d", 'x')));
        t.Say("clone", Of(new MySqlParameter("@p", MySqlDbType.NewDecimal, 9, ParameterDirection.Output, true, 9, 2, "c", DataRowVersion.Original,
            1.5m).Clone()));

        static string Of(MySqlParameter p) => $"{p.ParameterName} {p.MySqlDbType} {p.DbType} {p.Size} {p.Direction} {p.IsNullable} {p.Precision} {p.Scale} "
            + $"{p.SourceColumn} {p.SourceVersion} {p.Value}";
    }

    public static void Values_of_every_kind_come_back(Trial t)
    {
        using var c = t.Open();
        foreach (var value in new object?[]
        {
            true, false, (sbyte)-1, (byte)200, (short)-300, (ushort)60000, -70000, 4000000000u, -5000000000L, ulong.MaxValue, 123.4500m, "täxt'\\\"\n", 'ß',
            new byte[] { 0, 39, 92, 255 },
            new DateTime(2024, 2, 29, 13, 14, 15, 123), new TimeSpan(30, 1, 2), new TimeSpan(-1, 0, 0, 0, 5), new DateOnly(2024, 2, 29), new TimeOnly(23, 59,
            59), DayOfWeek.Friday, null,
            DBNull.Value, Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), new DateTimeOffset(2024, 2, 29, 13, 14, 15, TimeSpan.FromHours(2)),
                new System.Text.StringBuilder("built"),
            new ReadOnlyMemory<byte>([1, 2]), new ArraySegment<byte>([1, 2, 3], 1, 2), new MySqlDateTime(2024, 2, 29, 1, 2, 3, 4), "memory".AsMemory(),
            new System.Numerics.BigInteger(12345678901234567890m),
            new MemoryStream([5, 6]), double.MaxValue, double.Epsilon, decimal.MaxValue, "",
        })
            t.Try($"{value?.GetType().Name} {(value is MySqlDateTime ? "" : value)}", () => c.Scalar("SELECT @p", ("p", value)));
        t.Differs("Double", c.Scalar("SELECT @p", ("p", 0.1)), "`double` parameters", "a DOUBLE, as in a prepared statement");
        t.Say("Double as text", c.Scalar("SELECT CAST(@p AS CHAR)", ("p", 0.1)));
        t.Say("Double compared", c.Scalar("SELECT @p = 0.1 AND @p = CAST(0.1 AS DOUBLE)", ("p", 0.1)));
        t.Try("a type nobody knows", () => c.Scalar("SELECT @p", ("p", new Uri("http://localhost/"))));
    }

    public static void Values_of_every_kind_are_stored(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE v (id INT, i INT, d DECIMAL(20,6), f DOUBLE, s VARCHAR(100), b VARBINARY(100), t DATETIME(6), g CHAR(36), x TIME(6))");
        c.Do("INSERT INTO v VALUES (@id, @i, @d, @f, @s, @b, @t, @g, @x)", ("@id", 1), ("@i", -5), ("@d", 1.25m), ("@f", 0.1), ("@s", "a'b\\c"), ("@b",
            new byte[] { 0, 255 }),
            ("@t", new DateTime(2024, 1, 2, 3, 4, 5, 678)), ("@g", Guid.Parse("00112233-4455-6677-8899-aabbccddeeff")), ("@x", new TimeSpan(0, 1, 2, 3, 4)));
        t.Say("rows", c.All("SELECT * FROM v"));
        using var prepared = c.Command("INSERT INTO v VALUES (@id, @i, @d, @f, @s, @b, @t, @g, @x)", ("@id", 2), ("@i", null), ("@d", 1.250000m), ("@f",
            1e300), ("@s", 'x'),
            ("@b", Array.Empty<byte>()), ("@t", new DateTimeOffset(2024, 1, 2, 3, 4, 5, TimeSpan.FromHours(1))), ("@g", "text"), ("@x", new TimeOnly(1, 2)));
        prepared.Prepare();
        t.Say("prepared", prepared.ExecuteNonQuery());
        t.Say("rows then", c.All("SELECT * FROM v ORDER BY id"));
        t.Say("found", c.All("SELECT id FROM v WHERE d = @d AND t > @t", ("@d", 1.25m), ("@t", new DateTime(2020, 1, 1))));
        t.Say("enumeration as text", c.Scalar("SELECT CONCAT(@e, '!')", ("@e", DayOfWeek.Friday)));
        using var asText = new MySqlCommand("SELECT CONCAT(@e, '!')", c);
        asText.Parameters.Add("@e", MySqlDbType.VarChar).Value = DayOfWeek.Friday;
        t.Say("enumeration by name", asText.ExecuteScalar());
        // In a prepared statement, the other driver sends the bytes of a number as a text.
        foreach (var type in Enum.GetValues<MySqlDbType>().Distinct())
        {
            using var typed = new MySqlCommand("SELECT CONCAT(@e, '!')", c);
            typed.Parameters.Add("@e", type).Value = DayOfWeek.Friday;
            t.Try($"enumeration as {type}", () => typed.ExecuteScalar());
        }
    }

    public static void A_size_does_not_cut(Trial t)
    {
        using var c = t.Open();
        using var command = new MySqlCommand("SELECT @s, @b", c);
        command.Parameters.Add("@s", MySqlDbType.VarChar, 5).Value = "0123456789";
        command.Parameters.Add("@b", MySqlDbType.VarBinary, 2).Value = new byte[] { 1, 2, 3, 4 };
        using (var reader = command.ExecuteReader())
            t.Say("text", Trial.Rows(reader));
        command.Prepare();
        using (var reader = command.ExecuteReader())
            t.Say("prepared", Trial.Rows(reader));
    }

    public static void A_name_that_no_parameter_has(Trial t)
    {
        using var c = t.Open();
        t.Try("missing", () => c.Scalar("SELECT @nobody"));
        t.Try("one of two", () => c.Scalar("SELECT @a, @b", ("a", 1)));
        t.Try("unused", () => c.Scalar("SELECT @a", ("a", 1), ("b", 2)));
        t.Try("position missing", () => c.Scalar("SELECT ?, ?", ("", 1)));
        using var variables = t.Open("Allow User Variables=true");
        t.Try("a variable", () => variables.Scalar("SELECT @nobody"));
        t.Try("a variable that is set", () => variables.Scalar("SET @x := 5; SELECT @x + @p", ("p", 1)));
        t.Try("quoted", () => c.Scalar("SELECT @`a b`", ("@`a b`", 1)));
        t.Try("in a literal", () => c.Scalar("SELECT '@a', \"@a\", `b` FROM (SELECT 1 AS b) x -- @a"));
        t.Try("by position", () => c.Scalar("SELECT CONCAT(?, ?)", ("", "x"), ("", "y")));
    }
}
