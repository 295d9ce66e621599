using System.Data;

namespace Slipstream.Migrated;

public static class ProcedureCases
{
    public static void An_output_keeps_the_type_that_was_set(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE PROCEDURE outs(OUT a BIT(8), OUT b DATE, OUT c JSON, OUT d DECIMAL(8,2), OUT e VARCHAR(20), OUT f INT, OUT g DOUBLE, OUT h "
            + "DATETIME(6), OUT i TIME, OUT j TINYINT UNSIGNED, OUT k BLOB) "
            + "BEGIN SET a = 5, b = '2024-02-29', c = '{\"x\": 1}', d = 1.5, e = 'text', f = -7, g = 0.25, h = '2024-02-29 01:02:03.000004', i = "
                + "'12:13:14', j = 200, k = x'01ff'; END");
        using var command = new MySqlCommand("outs", c) { CommandType = CommandType.StoredProcedure };
        var types = new (string Name, MySqlDbType Type)[]
        {
            ("a", MySqlDbType.Bit), ("b", MySqlDbType.Date), ("c", MySqlDbType.JSON), ("d", MySqlDbType.NewDecimal), ("e", MySqlDbType.VarChar), ("f",
            MySqlDbType.Int32), ("g", MySqlDbType.Double),
            ("h", MySqlDbType.DateTime), ("i", MySqlDbType.Time), ("j", MySqlDbType.UByte), ("k", MySqlDbType.Blob),
        };
        foreach (var (name, type) in types)
            command.Parameters.Add(new MySqlParameter("@" + name, type) { Direction = ParameterDirection.Output });
        t.Try("executed", () => command.ExecuteNonQuery());
        foreach (MySqlParameter p in command.Parameters)
            t.Say(p.ParameterName, $"{p.MySqlDbType} {p.DbType} {p.Value?.GetType().Name}");
        t.Say("values", command.Parameters.Cast<MySqlParameter>().Select(static p => p.Value));
    }

    public static void An_output_without_a_type(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE PROCEDURE outs(OUT d DECIMAL(8,2), OUT e VARCHAR(20), OUT f INT, OUT g DOUBLE, OUT h DATETIME, INOUT x INT) "
            + "BEGIN SET d = 1.5, e = 'text', f = -7, g = 0.25, h = '2024-02-29 01:02:03', x = x + 1; END");
        using var command = new MySqlCommand("outs", c) { CommandType = CommandType.StoredProcedure };
        foreach (var name in new[] { "d", "e", "f", "g", "h" })
            command.Parameters.Add(new MySqlParameter { ParameterName = name, Direction = ParameterDirection.Output });
        command.Parameters.Add(new MySqlParameter("x", 41) { Direction = ParameterDirection.InputOutput });
        t.Try("executed", () => command.ExecuteNonQuery());
        foreach (MySqlParameter p in command.Parameters)
            t.Say(p.ParameterName, $"{p.MySqlDbType} {p.DbType} {p.Value?.GetType().Name} {p.Value}");
    }

    public static void An_output_of_another_type(Trial t)
    {
        foreach (var options in new[] { "", "Ignore Prepare=true" })
        {
            using var c = t.Open(options);
            foreach (var (type, value) in new[]
            {
                ("VARCHAR(50)", "'text'"), ("VARCHAR(50)", "'42'"), ("INT", "300"), ("BIGINT", "5000000000"), ("BIGINT UNSIGNED", "18446744073709551615"),
                ("INT", "-1"),
                ("DECIMAL(10,3)", "1.5"), ("DOUBLE", "2.75"), ("DATETIME(6)", "'2024-05-06 07:08:09.123456'"), ("DATETIME", "'2024-05-06 07:08:09'"),
                ("DATE", "'2024-05-06'"),
                ("TIME(6)", "'27:08:09.123456'"), ("TIME", "'07:08:09'"), ("INT", "NULL"), ("BIT(4)", "5"),
                ("CHAR(36)", "'00112233-4455-6677-8899-aabbccddeeff'"), ("YEAR", "2024"),
                ("JSON", "'[1]'"), ("TINYINT(1)", "1"), ("VARBINARY(9)", "x'0102ff'"),
            })
            {
                c.Do("DROP PROCEDURE IF EXISTS outs");
                c.Do($"CREATE PROCEDURE outs(OUT o {type}) SET o = {value}");
                foreach (var wanted in new[]
                {
                    MySqlDbType.Int32, MySqlDbType.Byte, MySqlDbType.UByte, MySqlDbType.Int64, MySqlDbType.UInt64, MySqlDbType.VarChar, MySqlDbType.Double,
                    MySqlDbType.NewDecimal, MySqlDbType.Guid,
                    MySqlDbType.Bool, MySqlDbType.Bit, MySqlDbType.Text, MySqlDbType.Year, MySqlDbType.DateTime, MySqlDbType.Date, MySqlDbType.Time,
                    MySqlDbType.Blob,
                })
                {
                    // The other driver converts a time of day to a date and time of today.
                    if (type.StartsWith("TIME", StringComparison.Ordinal) && wanted is MySqlDbType.DateTime or MySqlDbType.Date)
                        continue;
                    using var command = new MySqlCommand("outs", c) { CommandType = CommandType.StoredProcedure };
                    var output = new MySqlParameter("@o", wanted) { Direction = ParameterDirection.Output };
                    command.Parameters.Add(output);
                    var outcome = Trial.Outcome(() =>
                    {
                        command.ExecuteNonQuery();
                        return $"{output.Value?.GetType().Name} {Convert.ToString(output.Value, System.Globalization.CultureInfo.InvariantCulture)} "
                            + $"{output.MySqlDbType} {output.DbType}";
                    });
                    if (type == "VARBINARY(9)" && wanted is MySqlDbType.VarChar or MySqlDbType.Text)
                        t.Differs(
                            $"{type} {value} as {wanted} {options}", outcome, "bytes in an output parameter for text",
                            "the name of the CLR's type is no value");
                    else
                        t.Say($"{type} {value} as {wanted} {options}", outcome);
                }
            }

            t.Say("still there", Convert.ToInt32(c.Scalar("SELECT 1"), System.Globalization.CultureInfo.InvariantCulture));
        }
    }

    public static void A_function_returns_what_it_declares(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE FUNCTION words() RETURNS VARCHAR(20) DETERMINISTIC RETURN 'text'");
        c.Do("CREATE FUNCTION number() RETURNS INT DETERMINISTIC RETURN 7");
        foreach (var name in new[] { "words", "number" })
        {
            foreach (var wanted in new[] { MySqlDbType.Int32, MySqlDbType.Int64, MySqlDbType.VarChar, MySqlDbType.DateTime, MySqlDbType.Guid })
            {
                using var command = new MySqlCommand(name, c) { CommandType = CommandType.StoredProcedure };
                command.Parameters.Add(new MySqlParameter("@r", wanted) { Direction = ParameterDirection.ReturnValue });
                t.Try($"{name} as {wanted}", () => command.ExecuteNonQuery());
                t.Say("value", command.Parameters[0].Value);
            }
        }
    }

    public static void A_procedure_with_results_and_outputs(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(20))");
        c.Do("INSERT INTO item VALUES (1, 'one'), (2, 'two'), (3, 'three')");
        c.Do("CREATE PROCEDURE listed(IN least INT, OUT n INT) BEGIN SELECT COUNT(*) INTO n FROM item WHERE id >= least; SELECT * FROM item WHERE id >= "
            + "least ORDER BY id; SELECT 'second'; END");
        using var command = new MySqlCommand("listed", c) { CommandType = CommandType.StoredProcedure };
        command.Parameters.AddWithValue("@least", 2);
        command.Parameters.Add("@n", MySqlDbType.Int32).Direction = ParameterDirection.Output;
        using (var reader = command.ExecuteReader())
        {
            t.Say("first", Trial.Rows(reader));
            t.Say("next", reader.NextResult());
            t.Say("second", Trial.Rows(reader));
            t.Say("no more", reader.NextResult());
        }

        t.Say("n", command.Parameters["@n"].Value);
        t.Say("scalar", command.ExecuteScalar());
        t.Say("call as text", c.All("CALL listed(2, @x)", ("x", 0)));
    }

    public static void A_function_returns(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE FUNCTION twice(a INT, b VARCHAR(10)) RETURNS VARCHAR(50) DETERMINISTIC RETURN CONCAT(a * 2, b)");
        using var command = new MySqlCommand("twice", c) { CommandType = CommandType.StoredProcedure };
        command.Parameters.AddWithValue("@b", "!");
        command.Parameters.AddWithValue("@a", 21);
        command.Parameters.Add("@r", MySqlDbType.VarChar).Direction = ParameterDirection.ReturnValue;
        t.Try("executed", () => command.ExecuteNonQuery());
        t.Say("returned", command.Parameters["@r"].Value);
    }

    public static void A_missing_argument(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE PROCEDURE two(IN a INT, IN b INT) SELECT a + b");
        c.Do("CREATE PROCEDURE mixed(IN a INT, OUT b INT) SET b = a");
        c.Do("CREATE PROCEDURE one(IN a INT) SELECT a");
        c.Do("CREATE PROCEDURE other(IN a INT) SELECT a");
        t.Try("one of two", () => Call("two", ("a", 1)));
        t.Try("none of two", () => Call("two"));
        t.Try("none of one", () => Call("one"));
        t.Try("a wrong name", () => Call("two", ("a", 1), ("x", 2)));
        t.Differs("a wrong name for one", Trial.Outcome(() => Call("other", ("x", 2))), "procedures",
            "the server is not asked what a single argument is called");
        t.Try("one too many", () => Call("two", ("a", 1), ("b", 2), ("c", 3)));
        t.Try("an output is missing", () => Call("mixed", ("a", 1)));
        t.Try("no such procedure", () => Call("nowhere", ("a", 1)));
        t.Try("in another order", () => Call("two", ("b", 1), ("a", 2)));

        object? Call(string name, params (string, object?)[] parameters)
        {
            using var command = c.Command(name, parameters);
            command.CommandType = CommandType.StoredProcedure;
            return command.ExecuteScalar();
        }
    }

    public static void What_is_not_declared(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE PROCEDURE plain() SELECT 7");
        c.Do("CREATE PROCEDURE two(IN a INT, IN b INT) SELECT a * 10 + b");
        t.Try("one beside none", () => Call("plain", ParameterDirection.Input, "x"));
        t.Try("two beside none", () => Call("plain", ParameterDirection.Input, "x", "y"));
        t.Try("an output beside none", () => Call("plain", ParameterDirection.Output, "x"));
        t.Try("an output among others beside none", () => Call("plain", ParameterDirection.InputOutput, "x", "y", "z"));
        t.Try("one beside two", () => Call("two", ParameterDirection.Input, "x", "b", "a"));
        t.Try("an odd name beside none", () => Call("plain", ParameterDirection.Input, "a`'\"); SELECT 8; -- "));
        c.Do("CREATE PROCEDURE odd(IN `a``'b` INT, IN `c\"d` INT) SELECT `a``'b` * 10 + `c\"d`");
        t.Try("odd names", () => Call("odd", ParameterDirection.Input, "c\"d", "a`'b"));

        object? Call(string name, ParameterDirection first, params string[] parameters)
        {
            using var command = new MySqlCommand(name, c) { CommandType = CommandType.StoredProcedure };
            foreach (var parameter in parameters)
                command.Parameters.Add(new MySqlParameter(parameter, command.Parameters.Count + 1));
            command.Parameters[0].Direction = first;
            return command.ExecuteScalar();
        }
    }

    public static void Parameters_are_derived(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE PROCEDURE many(IN a DECIMAL(10), INOUT b DECIMAL(12,3), OUT c VARCHAR(30), d CHAR(5) CHARSET utf8mb4, e TINYINT(1), f TINYINT, g INT "
            + "UNSIGNED, h DATETIME(3), i BLOB, j BIGINT, k DOUBLE, l JSON, m BIT(4), n ENUM('x','y'), o TEXT, p VARBINARY(7), q FLOAT, r YEAR, s TIME, u "
            + "MEDIUMINT) SELECT 1");
        c.Do("CREATE FUNCTION fn(a INT) RETURNS VARCHAR(9) DETERMINISTIC RETURN 'x'");
        using var command = new MySqlCommand("many", c) { CommandType = CommandType.StoredProcedure };
        MySqlCommandBuilder.DeriveParameters(command);
        foreach (MySqlParameter p in command.Parameters)
        {
            // MariaDB's information_schema reports longtext for JSON; the other driver parses the procedure's text.
            if (t.IsMariaDb && (p.ParameterName is "@b" or "@l"))
                t.Differs(p.ParameterName, $"{p.MySqlDbType} {p.Size}", "`DeriveParameters`", "as information_schema has it");
            else
                t.Say(p.ParameterName, $"{p.MySqlDbType} {p.DbType} {p.Direction} size {p.Size} {p.IsNullable}");
            if (p.MySqlDbType == MySqlDbType.NewDecimal)
                t.Differs("precision", p.Precision, "`DeriveParameters`", "as declared");
        }

        command.CommandText = $"{c.Database}.fn";
        t.Try("function", () => MySqlCommandBuilder.DeriveParameters(command));
        foreach (MySqlParameter p in command.Parameters)
            t.Say(p.ParameterName, $"{p.MySqlDbType} {p.DbType} {p.Direction} size {p.Size} precision {p.Precision} scale {p.Scale}");
        command.CommandText = "nowhere";
        t.Say("nowhere", Trial.Outcome(() => DeriveParameters(command)) is MySqlException);
        command.CommandType = CommandType.Text;
        t.Try("text", () => MySqlCommandBuilder.DeriveParameters(command));
        t.Try("null", () => MySqlCommandBuilder.DeriveParameters(null!));
        command.CommandType = CommandType.StoredProcedure;
        command.CommandText = "";
        t.Try("no name", () => MySqlCommandBuilder.DeriveParameters(command));
        command.CommandText = "many";
        command.Connection = null;
        t.Try("no connection", () => MySqlCommandBuilder.DeriveParameters(command));
        command.Connection = new MySqlConnection(t.ConnectionString);
        t.Try("closed", () => MySqlCommandBuilder.DeriveParameters(command));

        static object DeriveParameters(MySqlCommand command)
        {
            MySqlCommandBuilder.DeriveParameters(command);
            return "done";
        }
    }
}
