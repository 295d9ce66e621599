namespace Slipstream.Migrated;

public static class TypeCases
{
    private static void Read(Trial t, string definition, string literals, string options = "")
    {
        using var c = t.Open(options);
        c.Do("DROP TABLE IF EXISTS x");
        c.Do($"CREATE TABLE x (id INT PRIMARY KEY AUTO_INCREMENT, v {definition})");
        c.Do("SET sql_mode = ''");
        c.Do($"INSERT INTO x (v) VALUES {literals}");
        for (var prepared = 0; prepared < 2; prepared++)
        {
            using var command = new MySqlCommand("SELECT v FROM x ORDER BY id", c);
            if (prepared == 1)
                command.Prepare();
            using var reader = command.ExecuteReader();
            t.Say($"{definition} {options} {prepared}", $"{reader.GetFieldType(0).Name} {Trial.Rows(reader)}");
        }
    }

    public static void Whole_numbers(Trial t)
    {
        foreach (var type in new[] { "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT" })
        {
            Read(t, type, "(-100), (0), (100), (NULL)");
            Read(t, type + " UNSIGNED", "(0), (200), (NULL)");
        }

        Read(t, "TINYINT(1)", "(0), (1), (NULL)");
        Read(t, "TINYINT(1)", "(0), (1), (NULL)", "Treat Tiny As Boolean=false");
        Read(t, "BOOL", "(TRUE), (FALSE)");
        Read(t, "BIT(1)", "(b'0'), (b'1'), (NULL)");
        Read(t, "BIT(12)", "(b'101010101010')");
        Read(t, "BIT(64)", "(b'1111111111111111111111111111111111111111111111111111111111111111')");
        Read(t, "YEAR", "(2024), (0), (NULL)");
        Read(t, "INT(8) ZEROFILL", "(42)");
    }

    public static void Fractions(Trial t)
    {
        Read(t, "FLOAT", "(1.5), (-0.25), (3.4028234e38), (NULL)");
        Read(t, "DOUBLE", "(1.5), (0.1), (1e308), (-2.2250738585072014e-308), (NULL)");
        Read(t, "DECIMAL(28,10)", "(1.5), (-0.0000000001), (123456789012345678.0123456789), (NULL)");
        Read(t, "DECIMAL(10)", "(1.5), (12345)");
    }

    public static void A_decimal_beyond_the_type(Trial t)
    {
        using var c = t.Open();
        using var command = new MySqlCommand("SELECT CAST('12345678901234567890123456789012345678901234567890.5' AS DECIMAL(60,5))", c);
        using var reader = command.ExecuteReader();
        reader.Read();
        t.Differs("decimal", Trial.Outcome(() => reader.GetDecimal(0)), Row, "an overflow is what it is");
        t.Differs("value", Trial.Outcome(() => reader.GetValue(0)), Row, "an overflow is what it is");
        t.Differs("double", Trial.Outcome(() => reader.GetDouble(0)), Row, "a double can hold it");
        t.Try("MySqlDecimal", () => reader.GetMySqlDecimal(0).ToString());
    }

    private const string Row = "a `DECIMAL` beyond `System.Decimal`";

    public static void Texts(Trial t)
    {
        foreach (var type in new[] { "CHAR(10)", "VARCHAR(20)", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT" })
            Read(t, type, "('abc'), (''), ('\u00e4\u20ac\U0001F600'), (NULL)");
        Read(t, "VARCHAR(20) CHARACTER SET latin1", "('\u00e4\u00f6')");
        Read(t, "ENUM('small', 'large')", "('small'), ('large'), (NULL)");
        Read(t, "SET('a', 'b', 'c')", "('a,c'), (''), (NULL)");
        Read(t, "JSON", "('{\"a\": [1, 2.5, null]}'), (NULL)");
    }

    public static void Bytes(Trial t)
    {
        foreach (var type in new[] { "BINARY(4)", "VARBINARY(20)", "TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB" })
            Read(t, type, "(x'00ff'), (''), (NULL)");
        Read(t, "GEOMETRY", "(ST_GeomFromText('POINT(1 2)')), (NULL)");
    }

    public static void Dates(Trial t)
    {
        Read(t, "DATE", "('2024-02-29'), ('1000-01-01'), ('9999-12-31'), (NULL)");
        Read(t, "DATETIME", "('2024-02-29 13:14:15'), (NULL)");
        Read(t, "DATETIME(6)", "('2024-02-29 13:14:15.123456'), ('2024-02-29 00:00:00')");
        Read(t, "TIMESTAMP(3) NULL", "('2024-02-29 13:14:15.123'), (NULL)");
        Read(t, "TIME", "('13:14:15'), ('-838:59:59'), ('838:59:59'), ('00:00:00'), (NULL)");
        Read(t, "TIME(6)", "('-00:00:00.000001'), ('01:02:03.4')");
        Read(t, "DATETIME", "('2024-02-29 13:14:15')", "DateTimeKind=Utc");
        Read(t, "DATETIME", "('2024-02-29 13:14:15')", "DateTimeKind=Local");
    }

    public static void Dates_that_a_DateTime_cannot_hold(Trial t)
    {
        foreach (var value in new[]
        {
            default,
            new MySqlDateTime(2024, 2, 0, 0, 0, 0, 0),
            new MySqlDateTime(2024, 2, 29, 13, 14, 15, 123456),
            new MySqlDateTime(new DateTime(2024, 2, 29))
        })
        {
            t.Say("date", value);
            t.Say("valid", value.IsValidDateTime);
            t.Try("GetDateTime", () => value.GetDateTime());
            t.Try("cast", () => (DateTime)value);
            t.Try("converted", () => Convert.ToDateTime(value, System.Globalization.CultureInfo.InvariantCulture));
            foreach (var type in new[]
            {
                typeof(DateTime),
                typeof(int),
                typeof(bool),
                typeof(decimal),
                typeof(DateTimeOffset),
                typeof(DateOnly),
                typeof(TimeSpan),
                typeof(object)
            })
                t.Try($"changed to {type.Name}", () => Convert.ChangeType(value, type, System.Globalization.CultureInfo.InvariantCulture));
            t.Try("compared with a DateTime", () => ((IComparable)value).CompareTo(DateTime.UnixEpoch));
            t.Differs(
                "compared with null", Trial.Outcome(() => ((IComparable)value).CompareTo(null)), "`MySqlDateTime`: details",
                "IComparable says that everything comes behind null");
        }

        var none = new MySqlDateTime(2024, 2, 30, 0, 0, 0, 0);
        t.Differs("30 February", none.IsValidDateTime, "`MySqlDateTime`: details", "with ALLOW_INVALID_DATES the server has such dates");
        t.Differs("of it", Trial.Outcome(() => none.GetDateTime()), "`MySqlDateTime`: details", "it is no date, as a zero date is none");
        t.Differs("cast of it", Trial.Outcome(() => (DateTime)none), "`MySqlDateTime`: details", "it is no date, as a zero date is none");
    }

    public static void Kinds_of_dates_that_are_sent(Trial t)
    {
        foreach (var option in new[] { "Unspecified", "Utc", "Local" })
        {
            using var c = t.Open("DateTimeKind=" + option);
            foreach (var kind in Enum.GetValues<DateTimeKind>())
            {
                var outcome = Trial.Outcome(() => c.Scalar("SELECT DATE_FORMAT(@d, '%Y-%m-%d %T.%f')", ("@d", new DateTime(2024, 2, 29, 1, 2, 3, kind))));
                if (outcome is Exception)
                    t.Differs($"{option} {kind}", outcome, "misuse", "no server was asked");
                else
                    t.Say($"{option} {kind}", outcome);
            }
        }
    }

    public static void Expressions(Trial t)
    {
        using var c = t.Open();
        foreach (var sql in new[]
        {
            "SELECT 1 + 1", "SELECT 1 / 3", "SELECT 1.5 * 2", "SELECT COUNT(*)", "SELECT SUM(1)", "SELECT AVG(2)", "SELECT MAX(5)", "SELECT 1 = 1",
            "SELECT TRUE", "SELECT CONCAT('a', 1)",
            "SELECT NULL", "SELECT COALESCE(NULL, 5)", "SELECT IF(1, 'a', 2)", "SELECT CAST(5 AS UNSIGNED)", "SELECT CAST('5' AS CHAR)",
            "SELECT CAST('x' AS BINARY)", "SELECT x'4142'", "SELECT 0x41",
            "SELECT b'1'", "SELECT DATE('2024-02-29')", "SELECT TIMESTAMP('2024-02-29 01:02:03')", "SELECT TIME('01:02:03')", "SELECT YEAR('2024-02-29')",
            "SELECT LENGTH('abc')", "SELECT MD5('abc')",
            "SELECT DATE_ADD('2024-02-28', INTERVAL 1 DAY)", "SELECT CAST(1.25 AS DECIMAL(10,2))", "SELECT 1e10", "SELECT PI()",
            "SELECT 18446744073709551615", "SELECT -9223372036854775808",
            "SELECT 'a' UNION SELECT 1", "SELECT DATABASE()", "SELECT VERSION() IS NULL", "SELECT JSON_OBJECT('a', 1)", "SELECT ROUND(2.5)",
            "SELECT GREATEST(1, 2.5)", "SELECT NOT 1", "SELECT 5 DIV 2",
        })
            t.Try(sql, () => c.Scalar(sql));
    }

    public static void Large_values(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE big (id INT, s LONGTEXT, b LONGBLOB)");
        var text = new string('\u00e4', 700_000);
        var bytes = new byte[1_300_000];
        new Random(5).NextBytes(bytes);
        c.Do("INSERT INTO big VALUES (1, @s, @b)", ("@s", text), ("@b", bytes));
        using var command = new MySqlCommand("SELECT s, b, LENGTH(s), LENGTH(b) FROM big", c);
        using var reader = command.ExecuteReader();
        reader.Read();
        t.Say("text", reader.GetString(0) == text);
        t.Say("bytes", ((byte[])reader[1]).AsSpan().SequenceEqual(bytes));
        t.Say("lengths", $"{reader.GetInt64(2)} {reader.GetInt64(3)}");
        t.Say("part", reader.GetBytes(1, 1_000_000, new byte[500_000], 0, 500_000));
    }
}
