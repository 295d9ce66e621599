using System.Collections;
using System.Data;
using System.Data.Common;

namespace Slipstream.Migrated;

public static class ReaderCases
{
    private static MySqlConnection WithRows(Trial t, string options = "")
    {
        var c = t.Open(options);
        c.Do("CREATE TABLE r (id INT PRIMARY KEY, s VARCHAR(20), b BLOB)");
        c.Do("INSERT INTO r VALUES (1, 'one', x'01'), (2, 'two', NULL), (3, 'three', x'0303')");
        return c;
    }

    public static void Behaviors(Trial t)
    {
        using var c = WithRows(t);
        foreach (var behavior in new[] { CommandBehavior.Default, CommandBehavior.SingleRow, CommandBehavior.SingleResult, CommandBehavior.SequentialAccess,
            CommandBehavior.KeyInfo,
            CommandBehavior.SchemaOnly })
        {
            using var command = new MySqlCommand("SELECT id, s FROM r ORDER BY id", c);
            using var reader = command.ExecuteReader(behavior);
            t.Say($"{behavior}", $"{reader.FieldCount} {reader.HasRows} {Trial.Rows(reader)}");
        }

        using (var command = new MySqlCommand("SELECT 1; SELECT 2", c))
        using (var reader = command.ExecuteReader(CommandBehavior.SingleResult))
            t.Say("only the first", $"{Trial.Rows(reader)} {reader.NextResult()}");
        using (var command = new MySqlCommand("SELECT 1", c))
        using (command.ExecuteReader(CommandBehavior.CloseConnection))
            t.Say("open", c.State);
        t.Say("closed", c.State);
    }

    public static void One_at_a_time(Trial t)
    {
        using var c = WithRows(t);
        using var command = new MySqlCommand("SELECT id FROM r ORDER BY id", c);
        var reader = command.ExecuteReader();
        reader.Read();
        t.Try("another command", () => c.Scalar("SELECT 1"));
        t.Try("the same command", () => command.ExecuteReader());
        t.Say("the row is there", reader.GetInt32(0));
        reader.Close();
        t.Say("closed", reader.IsClosed);
        t.Say("then", c.Scalar("SELECT 1"));
        t.Try("read", () => reader.Read());
        t.Try("next", () => reader.NextResult());
        t.Try("value", () => reader.GetInt32(0));
        t.Try("fields", () => reader.FieldCount);
        t.Try("rows", () => reader.HasRows);
        t.Try("affected", () => reader.RecordsAffected);
        t.Try("closed again", () => reader.Close());
    }

    public static void In_front_of_and_behind_the_rows(Trial t)
    {
        using var c = WithRows(t);
        using var command = new MySqlCommand("SELECT id, s FROM r WHERE id = 1", c);
        using var reader = command.ExecuteReader();
        t.Say("name", reader.GetName(1));
        t.Say("type", reader.GetFieldType(0));
        t.Try("value in front", () => reader.GetInt32(0));
        t.Try("null in front", () => reader.IsDBNull(0));
        t.Say("read", reader.Read());
        t.Say("depth", reader.Depth);
        t.Say("visible", reader.VisibleFieldCount);
        t.Try("name outside", () => reader.GetName(5));
        t.Try("type outside", () => reader.GetFieldType(5));
        t.Say("read again", reader.Read());
        t.Try("value behind", () => reader.GetInt32(0));
        t.Say("has rows", reader.HasRows);
    }

    public static void Enumerated(Trial t)
    {
        using var c = WithRows(t);
        using var command = new MySqlCommand("SELECT id, s FROM r ORDER BY id", c);
        using (var reader = command.ExecuteReader())
            t.Say("records", ((IEnumerable)reader).Cast<IDataRecord>().Select(static record => record.GetInt32(0) + record.GetString(1)));
        using (var reader = command.ExecuteReader())
            t.Say("kept", ((IEnumerable)reader).Cast<DbDataRecord>().ToList().Select(static record => record["s"]));
    }

    public static async Task Streamed(Trial t)
    {
        await using var c = WithRows(t);
        var seen = new List<string>();
        await foreach (var (id, s) in Rows())
            seen.Add($"{id} {s}");
        t.Say("all", seen);
        await foreach (var (id, _) in Rows())
        {
            t.Say("left early", id);
            break;
        }

        t.Say("then", c.Scalar("SELECT COUNT(*) FROM r"));

        async IAsyncEnumerable<(int Id, string S)> Rows()
        {
            await using var command = new MySqlCommand("SELECT id, s FROM r ORDER BY id", c);
            await using var reader = await command.ExecuteReaderAsync();
            while (await reader.ReadAsync())
                yield return (await reader.GetFieldValueAsync<int>(0), await reader.GetFieldValueAsync<string>(1));
        }
    }

    public static void In_order_of_the_columns(Trial t)
    {
        using var c = t.Open();
        using var command = new MySqlCommand("SELECT 1, REPEAT('x', 300000), REPEAT(x'01', 70000), 'end'", c);
        using var reader = command.ExecuteReader(CommandBehavior.SequentialAccess);
        reader.Read();
        t.Say("number", reader.GetInt32(0));
        using (var text = reader.GetTextReader(1))
            t.Say("text", text.ReadToEnd().Length);
        using (var stream = reader.GetStream(2))
        {
            var buffer = new byte[100000];
            var total = 0;
            for (int read; (read = stream.Read(buffer, 0, 999)) > 0;)
                total += read;
            t.Say("bytes", total);
        }

        t.Say("end", reader.GetString(3));
    }

    public static void Schema_only_for_a_data_table(Trial t)
    {
        using var c = WithRows(t);
        using var command = new MySqlCommand("SELECT id, s, b FROM r ORDER BY id", c);
        using var reader = command.ExecuteReader();
        var table = new DataTable();
        table.Load(reader);
        t.Say("columns", table.Columns.Cast<DataColumn>().Select(static column => $"{column.ColumnName} {column.DataType.Name} {column.AllowDBNull} "
            + $"{column.MaxLength}"));
        t.Say("key", table.PrimaryKey.Select(static column => column.ColumnName));
        t.Say("rows", table.Rows.Cast<DataRow>().Select(static row => row.ItemArray));
    }

    public static void Records_affected(Trial t)
    {
        using var c = WithRows(t);
        foreach (var sql in new[]
        {
            "SELECT 1", "INSERT INTO r VALUES (4, 'four', NULL)", "UPDATE r SET s = 'x' WHERE id < 3", "UPDATE r SET s = 'x' WHERE id < 3",
            "DELETE FROM r WHERE id = 99", "CREATE TABLE q (i INT)",
            "SET @x = 1", "INSERT INTO q VALUES (1), (2); SELECT * FROM q; DELETE FROM q", "REPLACE INTO r VALUES (4, 'again', NULL)", "DO 1",
        })
        {
            using var command = new MySqlCommand(sql, c);
            using var reader = command.ExecuteReader();
            t.Say(sql, $"{reader.RecordsAffected} {reader.FieldCount} {reader.HasRows}");
            while (reader.NextResult())
                t.Say("next", reader.FieldCount);
            reader.Close();
            t.Say("at the end", reader.RecordsAffected);
        }

        using var changed = t.Open("Use Affected Rows=true");
        t.Say("only changed", changed.Do("UPDATE r SET s = 'x' WHERE id < 3"));
    }

    public static void Nothing_and_null(Trial t)
    {
        using var c = WithRows(t);
        t.Say("no row", c.Scalar("SELECT id FROM r WHERE id = 99"));
        t.Say("null", c.Scalar("SELECT NULL"));
        t.Say("no result", c.Scalar("DO 1"));
        t.Say("first is empty", c.Scalar("SELECT id FROM r WHERE id = 99; SELECT 2"));
        t.Say("no query", c.Do("SELECT id FROM r"));
        t.Say("nothing changed", c.Do("DO 1"));
    }

    public static void An_error_among_the_rows(Trial t)
    {
        using var c = WithRows(t);
        using var command = new MySqlCommand("SELECT id, (SELECT id FROM r AS x WHERE x.id >= r.id) FROM r ORDER BY id DESC", c);
        t.Try("read", () =>
        {
            using var reader = command.ExecuteReader();
            return Trial.Rows(reader);
        });
        t.Try("scalar", () => command.ExecuteScalar());
        t.Say("still open", c.State);
        t.Say("works", c.Scalar("SELECT 1"));
    }
}
