using System.Data;

namespace Slipstream.Migrated;

public static class CommandCases
{
    public static void The_last_inserted_id(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE l (id BIGINT UNSIGNED PRIMARY KEY AUTO_INCREMENT, s VARCHAR(20) UNIQUE) AUTO_INCREMENT = 100");
        using var command = new MySqlCommand("INSERT INTO l (s) VALUES (@s)", c);
        command.Parameters.AddWithValue("@s", "a");
        command.ExecuteNonQuery();
        t.Say("one", command.LastInsertedId);
        command.CommandText = "INSERT INTO l (s) VALUES ('b'), ('c')";
        command.ExecuteNonQuery();
        t.Say("the first of two", command.LastInsertedId);
        command.CommandText = "INSERT INTO l (s) VALUES ('d'); INSERT INTO l (s) VALUES ('e')";
        command.ExecuteNonQuery();
        t.Say("two statements", command.LastInsertedId);
        command.CommandText = "INSERT INTO l (s) VALUES ('f'); SELECT LAST_INSERT_ID()";
        t.Say("scalar", command.ExecuteScalar());
        t.Say("with a query", command.LastInsertedId);
        command.CommandText = "UPDATE l SET s = 'g' WHERE s = 'f'";
        command.ExecuteNonQuery();
        t.Say("an update", command.LastInsertedId);
        command.CommandText = "INSERT INTO l (s) VALUES ('a') ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)";
        command.ExecuteNonQuery();
        t.Say("a duplicate", command.LastInsertedId);
        command.CommandText = "SELECT 1";
        command.ExecuteScalar();
        t.Say("a query", command.LastInsertedId);
    }

    public static void Without_a_connection(Trial t)
    {
        using var alone = new MySqlCommand("SELECT 1");
        t.Try("none", () => alone.ExecuteScalar());
        t.Try("prepare", () => alone.Prepare());
        using var closed = new MySqlCommand("SELECT 1", new MySqlConnection(t.ConnectionString));
        t.Try("closed", () => closed.ExecuteScalar());
        using var c = t.Open();
        using var blank = new MySqlCommand("", c);
        t.Try("no text", () => blank.ExecuteScalar());
        using var spaces = new MySqlCommand("  ", c);
        t.Try("only spaces", () => spaces.ExecuteScalar());
        var disposed = new MySqlCommand("SELECT 1", c);
        disposed.Dispose();
        t.Try("disposed", () => disposed.ExecuteScalar());
        t.Differs("of another kind", Trial.Outcome(() => blank.CommandType = CommandType.TableDirect), "`CommandType.TableDirect`", "as ADO.NET has it");
        t.Try("a negative time-out", () => blank.CommandTimeout = -1);
        t.Say("the usual time-out", blank.CommandTimeout);
        using var quick = new MySqlConnection(t.ConnectionString + ";Default Command Timeout=7");
        t.Say("of the connection", quick.CreateCommand().CommandTimeout);
    }

    public static void Copied(Trial t)
    {
        using var c = t.Open();
        using var command = new MySqlCommand("SELECT @a", c) { CommandTimeout = 9 };
        command.Parameters.AddWithValue("@a", 5);
        using var copy = command.Clone();
        copy.Parameters[0].Value = 6;
        t.Say("copy", $"{copy.CommandText} {copy.CommandTimeout} {copy.Connection == c} {copy.ExecuteScalar()}");
        t.Say("original", command.ExecuteScalar());
    }

    public static void Prepared(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE p (id INT PRIMARY KEY, s VARCHAR(20), d DATETIME(3), n DECIMAL(10,3))");
        using var insert = new MySqlCommand("INSERT INTO p VALUES (@id, @s, @d, @n)", c);
        insert.Parameters.Add("@id", MySqlDbType.Int32);
        insert.Parameters.Add("@s", MySqlDbType.VarChar);
        insert.Parameters.Add("@d", MySqlDbType.DateTime);
        insert.Parameters.Add("@n", MySqlDbType.NewDecimal);
        insert.Prepare();
        for (var i = 0; i < 3; i++)
        {
            insert.Parameters["@id"].Value = i;
            insert.Parameters["@s"].Value = i == 1 ? null : $"s{i}";
            insert.Parameters["@d"].Value = new DateTime(2024, 1, 2, 3, 4, 5, i);
            insert.Parameters["@n"].Value = i * 1.5m;
            t.Say("inserted", insert.ExecuteNonQuery());
        }

        using var select = new MySqlCommand("SELECT * FROM p WHERE id >= @least ORDER BY id", c);
        select.Parameters.AddWithValue("@least", 1);
        select.Prepare();
        using (var reader = select.ExecuteReader())
            t.Say("rows", Trial.Rows(reader));
        select.Parameters[0].Value = "2";
        using (var reader = select.ExecuteReader())
            t.Say("another type", Trial.Rows(reader));
        using var ignoring = t.Open("Ignore Prepare=true");
        using var text = new MySqlCommand("SELECT s FROM p WHERE id = @id", ignoring);
        text.Parameters.AddWithValue("@id", 2);
        text.Prepare();
        t.Say("ignored", text.ExecuteScalar());
    }

    public static void Texts_of_every_kind(Trial t)
    {
        using var c = t.Open();
        foreach (var sql in new[]
        {
            "SELECT 1 -- the end", "SELECT 1;", "/* in front */ SELECT 1", "SELECT /* @nobody */ 1 # @nobody",
            "SELECT 'it''s', \"a \"\"b\"\"\", '@x ?', 'back\\\\slash'", "SELECT 1 AS `a ``b`",
            ";", "-- nothing", "SELECT 1;;", "SELECT '\u00e4\u20ac\U0001F600'", "SHOW VARIABLES LIKE 'autocommit'", "SELECT @@autocommit",
            "SELECT 1 /*! + 1 */", "VALUES ROW(1)", "TABLE nowhere",
        })
        {
            // MariaDB has its own message.
            if (!t.IsMariaDb || !sql.StartsWith("VALUES", StringComparison.Ordinal) && !sql.StartsWith("TABLE", StringComparison.Ordinal))
                t.Try(sql, () => c.Scalar(sql));
        }
    }

    public static void Attributes_and_expected_failures(Trial t)
    {
        using var c = t.Open();
        using var command = new MySqlCommand("SELECT 1", c);
        command.Attributes.SetAttribute("origin", "case");
        t.Say("attribute", command.Attributes.Count);
        t.Say("works", command.ExecuteScalar());
        command.Attributes.Clear();
        t.Say("none", command.Attributes.Count);
    }

    public static void A_parameter_in_every_place(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE pl (id INT, s VARCHAR(20))");
        c.Do("INSERT INTO pl VALUES (1, 'abc'), (2, 'abd'), (3, 'xyz')");
        t.Say("like", c.All("SELECT id FROM pl WHERE s LIKE @p ORDER BY id", ("@p", "ab%")));
        t.Say("limit", c.All("SELECT id FROM pl ORDER BY id LIMIT @n OFFSET @m", ("@n", 1), ("@m", 1)));
        t.Say("in", c.All("SELECT id FROM pl WHERE id IN (@a, @b) ORDER BY id", ("@a", 1), ("@b", 3)));
        t.Say("twice", c.All("SELECT @a, @A, @a + 1", ("@a", 1)));
        t.Say("between", c.All("SELECT id FROM pl WHERE id BETWEEN ?lo AND ?hi ORDER BY id", ("lo", 2), ("?hi", 3)));
        t.Say("as an expression", c.Scalar("SELECT COALESCE(@n, @m)", ("@n", null), ("@m", "other")));
        t.Say("json", c.Scalar("SELECT JSON_EXTRACT(@j, '$.a')", ("@j", "{\"a\": [1, 2]}")));
        t.Say("null is null", c.Scalar("SELECT @p IS NULL", ("@p", null)));
    }

    public static void What_is_prepared(Trial t)
    {
        using var c = t.Open();
        using var command = c.Command("SELECT @p", ("@p", 1));
        t.Say("new", command.IsPrepared);
        command.Prepare();
        t.Say("prepared", command.IsPrepared);
        t.Say("executed", $"{command.ExecuteScalar()} {command.IsPrepared}");
        command.CommandText = "SELECT @p";
        t.Say("the same text", command.IsPrepared);
        command.CommandText = "SELECT @p + 1";
        t.Say("another text", $"{command.IsPrepared} {command.ExecuteScalar()} {command.IsPrepared}");
        using var second = c.Command("SELECT @p", ("@p", 1));
        t.Differs("a second command", second.IsPrepared, "`IsPrepared`", "it did not ask to be prepared, and what it sends is a text");
        using var ignoring = t.Open("Ignore Prepare=true");
        using var ignored = ignoring.Command("SELECT 1");
        ignored.Prepare();
        t.Say("ignored", ignored.IsPrepared);
        using var many = c.Command("SELECT 1");
        for (var i = 0; i < 5; i++)
            many.ExecuteScalar();
        t.Say("by itself", many.IsPrepared);
    }

    public static void Fractions_in_text_columns(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE f (v VARCHAR(50))");
        foreach (var value in new object[]
        {
            new DateTime(2024, 5, 6, 7, 8, 9, 120),
            new DateTime(2024, 5, 6, 7, 8, 9).AddTicks(1234560),
            new DateTimeOffset(2024, 5, 6, 7, 8, 9, 120, TimeSpan.Zero)
        })
        {
            c.Do("DELETE FROM f");
            // As a text every time; an automatically prepared statement must store the same.
            for (var i = 0; i < 5; i++)
            {
                using var other = t.Open();
                other.Do("INSERT INTO f VALUES (@v)", ("@v", value));
                t.Say("text", other.All("SELECT DISTINCT v FROM f"));
            }

            c.Do("DELETE FROM f");
            using var prepared = c.Command("INSERT INTO f VALUES (@v) ", ("@v", value));
            prepared.Prepare();
            prepared.ExecuteNonQuery();
            t.Say("prepared", c.All("SELECT v FROM f"));
        }
    }

    public static void Long_time_outs(Trial t)
    {
        t.Try("of a connection", () => t.Open("Connection Timeout=4294967295").State);
        t.Try("of commands", () => t.Open("Default Command Timeout=4294967295").Scalar("SELECT 'x'"));
        t.Try("of a command", () =>
        {
            using var command = t.Open().Command("SELECT 'x'");
            command.CommandTimeout = int.MaxValue;
            return command.ExecuteScalar();
        });
    }
}
