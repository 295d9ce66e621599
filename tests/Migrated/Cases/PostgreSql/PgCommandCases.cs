using System.Data;

namespace Slipstream.Migrated;

public static class PgCommandCases
{
    public static void Parameters_by_name_and_place(Trial t)
    {
        using var c = t.Open();
        t.Say("at", c.Scalar("SELECT @a + @b", ("a", 1), ("b", 2)));
        t.Say("colon", c.Scalar("SELECT :a + :b", ("a", 1), (":b", 2)));
        t.Say("twice", c.All("SELECT @a, @a + 1", ("@a", 1)));
        using var placed = new PgCommand("SELECT $2 || $1", c) { Parameters = { new PgParameter { Value = "a" }, new PgParameter { Value = "b" } } };
        t.Say("place", placed.ExecuteScalar());
        t.Say("in a literal", c.All("SELECT '@a', \"b\", $$:c$$, 'it''s' FROM (SELECT 1 AS b) x -- @d"));
        t.Say("a cast", c.Scalar("SELECT @a::text || '!'", ("a", 5)));
        t.Say("null", c.Scalar("SELECT @a::int IS NULL", ("a", null)));
        t.Try("a digit for a name", () => c.Scalar("SELECT @1 + 1", ("1", 41)));
        t.Try("a digit without a parameter", () => c.Scalar("SELECT @1 + 1"));
        t.Try("missing", () => c.Scalar("SELECT @nobody"));
        t.Try("unused", () => c.Scalar("SELECT @a", ("a", 1), ("b", 2)));
        using var several = c.Command("SELECT @a; SELECT @b, @a", ("a", 1), ("b", "x"));
        using var reader = several.ExecuteReader();
        t.Say("first", Trial.Rows(reader));
        reader.NextResult();
        t.Say("second", Trial.Rows(reader));
    }

    public static async Task Parameters_of_what_a_statement_makes(Trial t)
    {
        await using var c = t.Open();
        t.Try("prepared", () => c.Do("PREPARE sum AS SELECT $2::int - $1::int"));
        t.Try("executed", () => c.Scalar("EXECUTE sum(1, 10)"));
        t.Try("with types, among others", () => c.All("SELECT 1; /* a */ prepare diff (int, int) AS SELECT $2 - $1; EXECUTE diff(5, 7)"));
        t.Try("function", () => c.Do("CREATE FUNCTION minus(int, int) RETURNS int LANGUAGE sql RETURN $2 - $1"));
        t.Try("replaced", () => c.Do("CREATE OR REPLACE FUNCTION minus(int, int) RETURNS int LANGUAGE sql RETURN $2 - $1 - 1"));
        t.Try("called", () => c.Scalar("SELECT minus(1, 3)"));
        c.Do("CREATE TABLE l (i int)");
        await t.TryAsync("asynchronously", async () =>
        {
            await using var command = new PgCommand("PREPARE again AS INSERT INTO l VALUES ($1)", c);
            return await command.ExecuteNonQueryAsync();
        });
        t.Try("in a batch", () =>
        {
            using var batch =
                new PgBatch(c) { BatchCommands = { new PgBatchCommand("PREPARE more AS SELECT $1::int + 1"), new PgBatchCommand("EXECUTE again(5)") } };
            return batch.ExecuteNonQuery();
        });
        t.Say("rows", c.All("SELECT i FROM l ORDER BY i"));
        t.Say("and", c.Scalar("EXECUTE more(5)"));
        t.Differs(
            "a parameter that is missing", Trial.Outcome(() => c.Scalar("SELECT $1")), "a parameter that the text names and the collection lacks",
            "it is named");
    }

    public static void Counted_and_scalar(Trial t)
    {
        using var c = t.Open();
        t.Say("created", c.Do("CREATE TABLE n (id serial PRIMARY KEY, s text)"));
        t.Say("inserted", c.Do("INSERT INTO n (s) VALUES ('a'), ('b')"));
        t.Say("updated", c.Do("UPDATE n SET s = 'c'"));
        t.Say("returning", c.Scalar("INSERT INTO n (s) VALUES (@s) RETURNING id", ("s", "d")));
        t.Say("deleted", c.Do("DELETE FROM n WHERE id = 99"));
        t.Say("a query", c.Do("SELECT * FROM n"));
        t.Say("two", c.Do("INSERT INTO n (s) VALUES ('e'); DELETE FROM n WHERE s = 'c'"));
        t.Say("no row", c.Scalar("SELECT id FROM n WHERE id = 99"));
        t.Say("null", c.Scalar("SELECT NULL"));
        t.Say("no result", c.Scalar("SET application_name = 'x'"));
        t.Say("first is empty", c.Scalar("SELECT id FROM n WHERE id = 99; SELECT 2"));
        t.Say("conflict", c.Do("INSERT INTO n VALUES (3, 'x') ON CONFLICT (id) DO NOTHING"));
        t.Say("in a query", c.Do("WITH gone AS (DELETE FROM n RETURNING id) SELECT count(*) FROM gone"));
    }

    public static void Without_a_connection(Trial t)
    {
        using var alone = new PgCommand("SELECT 1");
        t.Try("none", () => alone.ExecuteScalar());
        using var closed = new PgCommand("SELECT 1", new PgConnection(t.ConnectionString));
        t.Try("closed", () => closed.ExecuteScalar());
        using var c = t.Open();
        t.Say("time-out", new PgCommand("SELECT 1", c).CommandTimeout);
        t.Try("negative", () => new PgCommand("SELECT 1", c).CommandTimeout = -1);
    }

    public static void Prepared(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE p (id int PRIMARY KEY, s text, n numeric(10,3))");
        using var insert = new PgCommand("INSERT INTO p VALUES (@id, @s, @n)", c);
        insert.Parameters.Add("id", PgDbType.Integer);
        insert.Parameters.Add("s", PgDbType.Text);
        insert.Parameters.Add("n", PgDbType.Numeric);
        insert.Prepare();
        for (var i = 0; i < 3; i++)
        {
            insert.Parameters["id"].Value = i;
            insert.Parameters["s"].Value = i == 1 ? DBNull.Value : $"s{i}";
            insert.Parameters["n"].Value = i * 1.5m;
            t.Say("inserted", insert.ExecuteNonQuery());
        }

        for (var i = 0; i < 4; i++)
            t.Say("rows", c.All("SELECT * FROM p WHERE id >= @least ORDER BY id", ("least", 1)));
        c.Do("ALTER TABLE p ADD COLUMN more int DEFAULT 7");
        using var again = t.Open();
        t.Say("with a new column", again.All("SELECT * FROM p WHERE id >= @least ORDER BY id", ("least", 1)));
    }

    public static void A_function_and_a_procedure(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE FUNCTION twice(a int) RETURNS int LANGUAGE sql AS 'SELECT a * 2'");
        c.Do("CREATE TABLE log (s text)");
        c.Do("CREATE PROCEDURE note(a text) LANGUAGE sql AS 'INSERT INTO log VALUES (a)'");
        t.Say("function", c.Scalar("SELECT twice(@a)", ("a", 21)));
        c.Do("CALL note(@s)", ("s", "one"));
        using var command = new PgCommand("note", c) { CommandType = CommandType.StoredProcedure };
        command.Parameters.AddWithValue("two");
        t.Try("called", () => command.ExecuteNonQuery());
        t.Say("noted", c.All("SELECT s FROM log ORDER BY s"));
    }

    public static void Arguments_of_a_procedure(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE log (s text)");
        c.Do("CREATE PROCEDURE note(a text, \"B\" text, \"c \"\"d\" text) LANGUAGE sql AS 'INSERT INTO log VALUES ($1 || $2 || $3)'");
        t.Try("by name", () => Call("@B", "c \"d", ":a"));
        t.Try("another spelling", () => Call("b", "c \"d", "A"));
        t.Try("by place", () => Call("", "", ""));
        t.Try("by place, then by name", () => Call("", "c \"d", "B"));
        t.Try("more than a name", () => Call("a => 'x', \"B\"", "c \"d", "B"));
        t.Say("noted", c.All("SELECT s FROM log ORDER BY s"));

        object? Call(params string[] names)
        {
            using var command = new PgCommand("note", c) { CommandType = CommandType.StoredProcedure };
            foreach (var name in names)
                command.Parameters.Add(new PgParameter(name, $"({name} {command.Parameters.Count})"));
            return command.ExecuteNonQuery();
        }
    }

    public static void Batches(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE b (i int PRIMARY KEY)");
        using (var batch = new PgBatch(c))
        {
            batch.BatchCommands.Add(new PgBatchCommand("INSERT INTO b VALUES (1), (2)"));
            var second = new PgBatchCommand("SELECT i FROM b WHERE i > $1 ORDER BY i");
            second.Parameters.AddWithValue(0);
            batch.BatchCommands.Add(second);
            using var reader = batch.ExecuteReader();
            t.Say("rows", Trial.Rows(reader));
            t.Say("more", reader.NextResult());
        }

        using (var failing = new PgBatch(c))
        {
            failing.BatchCommands.Add(new PgBatchCommand("INSERT INTO b VALUES (3)"));
            failing.BatchCommands.Add(new PgBatchCommand("INSERT INTO b VALUES (1)"));
            failing.BatchCommands.Add(new PgBatchCommand("INSERT INTO b VALUES (4)"));
            t.Try("failing", () => failing.ExecuteNonQuery());
        }

        t.Say("none of it", c.All("SELECT i FROM b ORDER BY i"));
        using (var counting = new PgBatch(c))
        {
            counting.BatchCommands.Add(new PgBatchCommand("INSERT INTO b VALUES (5), (6)"));
            counting.BatchCommands.Add(new PgBatchCommand("DELETE FROM b WHERE i = 5"));
            t.Say("count", counting.ExecuteNonQuery());
            t.Say("each", counting.BatchCommands.Cast<PgBatchCommand>().Select(static command => command.RecordsAffected));
        }
    }

    public static void Several_statements(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE m (i int PRIMARY KEY)");
        t.Try("an error behind", () => c.Do("INSERT INTO m VALUES (1); INSERT INTO m VALUES (1)"));
        t.Say("nothing is left", c.Scalar("SELECT count(*) FROM m"));
        using var command = new PgCommand("INSERT INTO m VALUES (1), (2); SELECT i FROM m ORDER BY i; UPDATE m SET i = i + 10; SELECT 'end'", c);
        using var reader = command.ExecuteReader();
        t.Say("first", Trial.Rows(reader));
        t.Say("next", reader.NextResult());
        t.Say("second", Trial.Rows(reader));
        t.Say("end", reader.NextResult());
        t.Say("affected", reader.RecordsAffected);
    }

    public static void Behaviors(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE r (id int PRIMARY KEY, s text NOT NULL)");
        c.Do("INSERT INTO r VALUES (1, 'one'), (2, 'two')");
        foreach (var behavior in new[] { CommandBehavior.Default, CommandBehavior.SingleRow, CommandBehavior.SequentialAccess, CommandBehavior.SchemaOnly,
            CommandBehavior.KeyInfo })
        {
            using var command = new PgCommand("SELECT id, s FROM r ORDER BY id", c);
            using var reader = command.ExecuteReader(behavior);
            t.Say($"{behavior}", $"{reader.FieldCount} {Trial.Rows(reader)}");
        }

        using (var command = new PgCommand("SELECT id, s FROM r ORDER BY id", c))
        using (var reader = command.ExecuteReader())
        {
            var table = new DataTable();
            table.Load(reader);
            t.Say("table", table.Columns.Cast<DataColumn>().Select(static column => $"{column.ColumnName} {column.DataType.Name}"));
            t.Say("its rows", table.Rows.Cast<DataRow>().Select(static row => row.ItemArray));
        }

        using (var command = new PgCommand("SELECT 1", c))
        using (command.ExecuteReader(CommandBehavior.CloseConnection))
            t.Say("open", c.State);
        t.Say("closed", c.State);
    }

    public static void One_reader_at_a_time(Trial t)
    {
        using var c = t.Open();
        using var command = new PgCommand("SELECT generate_series(1, 3)", c);
        var reader = command.ExecuteReader();
        reader.Read();
        t.Differs(
            "another command", Trial.Outcome(() => c.Scalar("SELECT 1")), "a command while another one runs, or while a reader is open", "another text");
        t.Say("the row is there", reader.GetInt32(0));
        reader.Close();
        t.Say("then", c.Scalar("SELECT 1"));
        t.Differs("read", Trial.Outcome(() => reader.Read()), "a closed reader", "as ADO.NET's documentation says");
        t.Say("closed", reader.IsClosed);
    }

    public static void Columns_describe_themselves(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE d (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name varchar(20) NOT NULL, price numeric(8,2), note text)");
        using var command = new PgCommand("SELECT id, name, price, note FROM d", c);
        using var reader = command.ExecuteReader(CommandBehavior.KeyInfo);
        foreach (var column in reader.GetColumnSchema())
            t.Say(column.ColumnName, $"{column.ColumnOrdinal} {column.DataType?.Name} {column.ColumnName} {column.IsLong}");
        foreach (var column in reader.GetColumnSchema())
            t.Say(
                "facts of " + column.ColumnName, $"{column.BaseCatalogName == c.Database} {column.BaseSchemaName} {column.BaseTableName} "
                    + $"{column.BaseColumnName} key {column.IsKey} unique {column.IsUnique} counts {column.IsAutoIncrement} "
                    + $"identity {column.IsIdentity} null {column.AllowDBNull} "
                    + $"readonly {column.IsReadOnly} aliased {column.IsAliased} default {column.DefaultValue} number {column.ColumnAttributeNumber} "
                    + $"{column.TableOID > 0} {column.TypeOID}");
    }
}
