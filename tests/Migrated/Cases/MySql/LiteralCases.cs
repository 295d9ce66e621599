namespace Slipstream.Migrated;

/// <summary>
/// What a server makes of the literals that values become in SQL text. Each is executed often enough for the driver to prepare the statement.
/// </summary>
public static class LiteralCases
{
    private const int Often = 5;
    private const string Booleans = "Boolean values in SQL text";
    private const string Dates = "dates and times in SQL text";

    public static void Booleans_are_words(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE flags (a INT, b INT, f TINYINT(1)); INSERT INTO flags VALUES (2, 1, 1), (1, 2, 0)");
        for (var i = 0; i < Often; i++)
        {
            t.Differs("in JSON", c.Scalar("SELECT JSON_OBJECT('a', @p, 'b', @q)", ("p", true), ("q", false)), Booleans, "a bool is the number that is stored");
            // MySQL orders by the first column if it reads 1, and by a constant if it reads true. MariaDB reads both as a constant.
            if (t.IsMariaDb)
                t.Say("ordered by", c.All("SELECT a, b FROM flags ORDER BY @p", ("p", true)));
            else
                t.Differs("ordered by", c.All("SELECT a, b FROM flags ORDER BY @p", ("p", true)), Booleans, "a bool is the number that is stored");
            t.Differs("limit", Trial.Outcome(() => c.All("SELECT a FROM flags ORDER BY a LIMIT @p", ("p", true))), "`LIMIT @p` with a `bool`", "1 or 0");
            t.Say("compared", c.All("SELECT a FROM flags WHERE f = @p", ("p", true)));
            t.Say("not", c.All("SELECT a FROM flags WHERE f = @p", ("p", false)));
            t.Say("computed", c.All("SELECT @p + 1, CONCAT(@p), NOT @p", ("p", true)));
            t.Say("inserted", c.Do("INSERT INTO flags VALUES (@p, @q, @p)", ("p", true), ("q", false)));
        }

        c.Do("CREATE TABLE documents (d JSON)");
        for (var i = 0; i < Often; i++)
            c.Do("INSERT INTO documents VALUES (JSON_OBJECT('a', @p))", ("p", true));
        t.Differs("stored in JSON", c.All("SELECT d FROM documents"), Booleans, "a bool is the number that is stored");
        t.Say("rows", c.All("SELECT * FROM flags"));
    }

    public static void Dates_and_times_have_six_digits(Trial t)
    {
        using var c = t.Open();
        var values = new (string, object?)[]
        {
            ("a", new DateTime(2024, 2, 29, 13, 14, 15)), ("b", new TimeSpan(1, 2, 3)), ("c", new DateOnly(2024, 2, 29)), ("d", new TimeOnly(1, 2)),
            ("e", new DateTimeOffset(2024, 2, 29, 13, 14, 15, TimeSpan.FromHours(2))), ("f", new MySqlDateTime(2024, 2, 29, 1, 2, 3, 0)),
            ("g", new DateTime(2024, 2, 29)), ("h", new TimeSpan(-30, 1, 2)), ("i", new DateTime(2024, 2, 29, 13, 14, 15).AddTicks(1234560)),
        };
        c.Do("CREATE TABLE texts (i INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(50), b VARCHAR(50), c VARCHAR(50), d VARCHAR(50), e VARCHAR(50), "
            + "f VARCHAR(50), g VARCHAR(50), h VARCHAR(50), j VARCHAR(50))");
        c.Do("CREATE TABLE dates (a DATETIME, b TIME, c DATE, d TIME, e DATETIME(6), f DATETIME, g DATE, h TIME, i DATETIME(6))");
        for (var i = 0; i < Often; i++)
        {
            t.Differs("as text", c.All("SELECT CONCAT(@a), CONCAT(@b), CONCAT(@c), CONCAT(@d), CONCAT(@e), CONCAT(@f), CONCAT(@g), CONCAT(@h)", values),
                Dates, "as many digits as the value has");
            t.Say("a fraction", c.All("SELECT CONCAT(@i)", values));
            t.Differs("as numbers", c.All("SELECT @a + 0, @b + 0, @c + 0, @d + 0", values), Dates, "as many digits as the value has");
            c.Do("INSERT INTO texts (a, b, c, d, e, f, g, h, j) VALUES (@a, @b, @c, @d, @e, @f, @g, @h, 'x')", values);
            c.Do("INSERT INTO dates VALUES (@a, @b, @c, @d, @e, @f, @g, @h, @i)", values);
        }

        t.Differs("stored as text", c.All("SELECT * FROM texts"), Dates, "as many digits as the value has");
        t.Say("stored", c.All("SELECT * FROM dates"));
        for (var i = 0; i < Often; i++)
        {
            t.Say("found by date", c.All("SELECT COUNT(*) FROM dates WHERE a = @a AND b = @b AND c = @c AND d = @d", values));
            t.Differs("found by text", c.All("SELECT COUNT(*) FROM texts WHERE a = '2024-02-29 13:14:15.000000' AND c = '2024-02-29 00:00:00'"), Dates,
                "as many digits as the value has");
        }
    }

    public static void Names_of_columns_are_the_literals(Trial t)
    {
        using var c = t.Open();
        using var command = c.Command("SELECT ABS(@a), ABS(@b), 5-@a, 5 -@b, -@a", ("a", -1), ("b", -2.5m));
        using var reader = command.ExecuteReader();
        reader.Read();
        const string Row = "the name of an unnamed column with a negative parameter (`SELECT md5(@p)`)";
        t.Differs("names", Enumerable.Range(0, 2).Select(reader.GetName).ToList(), Row, "two hyphens never begin a comment");
        t.Say("values", $"{reader.GetValue(0)} {reader.GetValue(1)} {reader.GetValue(2)} {reader.GetValue(3)} {reader.GetValue(4)}");
    }

    public static void Floats_are_their_digits(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE floats (d DOUBLE, f FLOAT)");
        for (var i = 0; i < Often; i++)
        {
            t.Say("text", c.Scalar("SELECT CONCAT(@p)", ("p", 1.1f)));
            t.Say("a large one", c.Scalar("SELECT @p", ("p", 1e20f)));
            c.Do("INSERT INTO floats VALUES (@p, @p)", ("p", 1.1f));
        }

        t.Say("rows", c.All("SELECT * FROM floats"));
        t.Differs("largest", c.Scalar("SELECT @p", ("p", float.MaxValue)), "`float` parameters", "the largest number stays in its range");
        c.Do("DELETE FROM floats");
        using var prepared = c.Command("INSERT INTO floats VALUES (@p, @q)", ("p", 1.1f), ("q", 1.1f));
        prepared.Prepare();
        prepared.ExecuteNonQuery();
        t.Differs("prepared", c.All("SELECT d, f FROM floats"), "`float` parameters", "the shortest digits, in both protocols");
    }

    public static void A_time_that_is_too_long(Trial t)
    {
        using var c = t.Open();
        const string Row = "a `TimeSpan` of 839 hours or more, or of −839 hours or less";
        foreach (var hours in new[] { 839, -5000 })
        {
            t.Differs($"{hours}", Trial.Outcome(() => c.Scalar("SELECT CONCAT(@p)", ("p", TimeSpan.FromHours(hours)))), Row, "no server stores it");
            using var prepared = c.Command("SELECT @p", ("p", TimeSpan.FromHours(hours)));
            t.Differs($"{hours} prepared", Trial.Outcome(() =>
            {
                prepared.Prepare();
                return prepared.ExecuteScalar();
            }), Row, "no server stores it");
        }
    }

    public static void Not_a_number(Trial t)
    {
        using var c = t.Open();
        foreach (var value in new object[] { double.NaN, double.PositiveInfinity, float.NegativeInfinity })
            t.Differs($"{value}", Trial.Outcome(() => c.Scalar("SELECT @p", ("p", value))) is Exception e ? e.GetType().Name : "a value",
                "NaN and infinity as parameters", "the driver knows that no server takes them");
    }
}
