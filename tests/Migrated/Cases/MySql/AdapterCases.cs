using System.Data;

namespace Slipstream.Migrated;

public static class AdapterCases
{
    private static MySqlConnection Opened(Trial t)
    {
        var c = t.Open();
        c.Do("CREATE TABLE goods (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20) NOT NULL, price DECIMAL(8,2))");
        c.Do("INSERT INTO goods (name, price) VALUES ('nut', 0.10), ('bolt', 0.25), ('key', 4.50)");
        return c;
    }

    private static string Rows(DataTable table) =>
        string.Join(" ", table.Rows.Cast<DataRow>().Select(static row => row.RowState == DataRowState.Deleted ? "-" : $"({string.Join(",", row.ItemArray)} "
            + $"{row.RowState})"));

    public static void Filled(Trial t)
    {
        using var c = Opened(t);
        using var adapter = new MySqlDataAdapter("SELECT * FROM goods ORDER BY id; SELECT COUNT(*) AS n FROM goods", c);
        var set = new DataSet();
        t.Say("filled", adapter.Fill(set));
        foreach (DataTable table in set.Tables)
            t.Say(table.TableName,
                $"{string.Join(",", table.Columns.Cast<DataColumn>().Select(static column => column.ColumnName + " " + column.DataType.Name))} {Rows(table)}");
        var part = new DataTable();
        t.Say("a part", adapter.Fill(1, 1, part));
        t.Say("its rows", Rows(part));
        var schema = new DataTable();
        using var describing = new MySqlDataAdapter("SELECT * FROM goods", c);
        describing.FillSchema(schema, SchemaType.Source);
        t.Say("schema", schema.Columns.Cast<DataColumn>().Select(static column => $"{column.ColumnName} {column.DataType.Name} {column.AllowDBNull} "
            + $"{column.AutoIncrement} {column.MaxLength}"));
        t.Say("key", schema.PrimaryKey.Select(static column => column.ColumnName));
        var described = new DataSet();
        t.Say("of several", adapter.FillSchema(described, SchemaType.Source).Select(static table => table.TableName));
        foreach (DataTable table in described.Tables)
        {
            t.Say(
                $"{table.TableName}",
                table.Columns.Cast<DataColumn>().Select(static column => $"{column.ColumnName} {column.DataType.Name} {column.AutoIncrement} "
                + $"{column.MaxLength}"));
            t.Say("its key", table.PrimaryKey.Select(static column => column.ColumnName));
        }

        t.Say("nullable", described.Tables[0].Columns.Cast<DataColumn>().Select(static column => column.AllowDBNull));
        t.Differs(
            "a count", described.Tables[1].Columns[0].AllowDBNull, "column metadata",
            "the columns of a table that is filled from expressions may be null, and IsExpression is filled");

        using var closed = new MySqlConnection(t.ConnectionString);
        using var opening = new MySqlDataAdapter("SELECT 1", closed);
        t.Say("opens", opening.Fill(new DataTable()));
        t.Say("and closes", closed.State);
    }

    public static void Updated_by_a_builder(Trial t)
    {
        using var c = Opened(t);
        using var adapter = new MySqlDataAdapter("SELECT id, name, price FROM goods ORDER BY id", c);
        using var builder = new MySqlCommandBuilder(adapter);
        t.Say("insert", builder.GetInsertCommand().CommandText);
        t.Say("update", builder.GetUpdateCommand().CommandText);
        t.Say("delete", builder.GetDeleteCommand().CommandText);
        var table = new DataTable();
        adapter.Fill(table);
        table.Rows[0]["price"] = 0.15m;
        table.Rows[1].Delete();
        table.Rows.Add(null, "saw", DBNull.Value);
        t.Say("updated", adapter.Update(table));
        t.Say("rows", c.All("SELECT name, price FROM goods ORDER BY id"));
        table.Rows[0]["name"] = "mine";
        c.Do("UPDATE goods SET name = 'theirs' WHERE name = 'nut'");
        t.Try("changed meanwhile", () => adapter.Update(table));
        t.Say("quoted", $"{builder.QuoteIdentifier("a`b")} {builder.UnquoteIdentifier("`a``b`")}");
    }

    public static void Updated_by_hand(Trial t)
    {
        foreach (var size in new[] { 1, 0, 2 })
        {
            using var c = t.Open();
            c.Do("DROP TABLE IF EXISTS goods");
            c.Do("CREATE TABLE goods (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20) NOT NULL, price DECIMAL(8,2))");
            using var adapter = new MySqlDataAdapter { UpdateBatchSize = size };
            adapter.InsertCommand = new MySqlCommand("INSERT INTO goods (name, price) VALUES (@name, @price)", c) { UpdatedRowSource = UpdateRowSource.None };
            adapter.InsertCommand.Parameters.Add(new MySqlParameter("@name", MySqlDbType.VarChar, 20, "name"));
            adapter.InsertCommand.Parameters.Add(new MySqlParameter("@price", MySqlDbType.NewDecimal, 0, "price"));
            var table = new DataTable();
            table.Columns.Add("name", typeof(string));
            table.Columns.Add("price", typeof(decimal));
            for (var i = 0; i < 5; i++)
                table.Rows.Add($"g{i}", i * 0.5m);
            t.Say($"{size} inserted", adapter.Update(table));
            t.Say("states", table.Rows.Cast<DataRow>().Select(static row => row.RowState));
            t.Say("rows", c.All("SELECT name, price FROM goods ORDER BY id"));
        }
    }

    public static void A_generated_key_comes_back(Trial t)
    {
        using var c = Opened(t);
        using var adapter = new MySqlDataAdapter();
        t.Differs("a batch", adapter.UpdateBatchSize, "`UpdateBatchSize` of a data adapter", "ADO.NET's default, with which generated keys come back");
        adapter.UpdateBatchSize = 1;
        adapter.InsertCommand = new MySqlCommand("INSERT INTO goods (name, price) VALUES (@name, @price); SELECT LAST_INSERT_ID() AS id",
            c) { UpdatedRowSource = UpdateRowSource.FirstReturnedRecord };
        adapter.InsertCommand.Parameters.Add(new MySqlParameter("@name", MySqlDbType.VarChar, 20, "name"));
        adapter.InsertCommand.Parameters.Add(new MySqlParameter("@price", MySqlDbType.NewDecimal, 0, "price"));
        var table = new DataTable();
        table.Columns.Add("id", typeof(int));
        table.Columns.Add("name", typeof(string));
        table.Columns.Add("price", typeof(decimal));
        table.Rows.Add(DBNull.Value, "saw", 9.5m);
        table.Rows.Add(DBNull.Value, "axe", 19.5m);
        var events = new List<string>();
        adapter.RowUpdating += (_, e) => events.Add($"updating {e.StatementType}");
        adapter.RowUpdated += (_, e) => events.Add($"updated {e.RecordsAffected} {e.Status}");
        t.Say("inserted", adapter.Update(table));
        t.Say("rows", Rows(table));
        t.Say("events", events);
    }
}
