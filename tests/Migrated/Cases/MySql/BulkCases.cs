using System.Data;
using System.Text;

namespace Slipstream.Migrated;

public static class BulkCases
{
    private const string Local = "Allow Load Local Infile=true";

    private static DataTable People()
    {
        var table = new DataTable();
        table.Columns.Add("id", typeof(int));
        table.Columns.Add("name", typeof(string));
        table.Columns.Add("born", typeof(DateTime));
        table.Columns.Add("photo", typeof(byte[]));
        table.Columns.Add("size", typeof(decimal));
        table.Rows.Add(1, "Ann\t\\ 'x'", new DateTime(2001, 2, 3, 4, 5, 6), new byte[] { 0, 9, 10, 92, 255 }, 1.75m);
        table.Rows.Add(2, DBNull.Value, DBNull.Value, DBNull.Value, DBNull.Value);
        table.Rows.Add(3, "J\u00f6rg\n\U0001F600", new DateTime(1970, 1, 1), Array.Empty<byte>(), -0.5m);
        return table;
    }

    private static MySqlConnection Opened(Trial t)
    {
        var c = t.Open(Local);
        c.Do("CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(40), born DATETIME, photo BLOB, size DECIMAL(8,3))");
        return c;
    }

    public static void A_table(Trial t)
    {
        using var c = Opened(t);
        var copy = new MySqlBulkCopy(c) { DestinationTableName = "people" };
        var result = copy.WriteToServer(People());
        t.Say("inserted", $"{result.RowsInserted} {result.Warnings.Count}");
        t.Say("rows", c.All("SELECT * FROM people ORDER BY id"));
    }

    public static async Task A_reader(Trial t)
    {
        await using var c = Opened(t);
        new MySqlBulkCopy(c) { DestinationTableName = "people" }.WriteToServer(People());
        c.Do("CREATE TABLE copied LIKE people");
        await using var other = t.Open();
        await using var command = new MySqlCommand("SELECT * FROM people", other);
        await using var reader = await command.ExecuteReaderAsync();
        var copy = new MySqlBulkCopy(c) { DestinationTableName = "copied", BulkCopyTimeout = 20 };
        t.Say("inserted", (await copy.WriteToServerAsync(reader)).RowsInserted);
        t.Say("rows", c.All("SELECT * FROM copied ORDER BY id"));
    }

    public static void Rows_in_a_transaction(Trial t)
    {
        using var c = Opened(t);
        var table = People();
        using (var transaction = c.BeginTransaction())
        {
            var copy = new MySqlBulkCopy(c, transaction) { DestinationTableName = "people" };
            t.Say("inserted", copy.WriteToServer(table.Rows.Cast<DataRow>(), table.Columns.Count).RowsInserted);
            transaction.Rollback();
        }

        t.Say("rolled back", c.Scalar("SELECT COUNT(*) FROM people"));
    }

    public static void Columns_by_name(Trial t)
    {
        using var c = Opened(t);
        var copy = new MySqlBulkCopy(c) { DestinationTableName = "people" };
        copy.ColumnMappings.Add(new MySqlBulkCopyColumnMapping(0, "id"));
        copy.ColumnMappings.Add(new MySqlBulkCopyColumnMapping(4, "size"));
        t.Say("inserted", copy.WriteToServer(People()).RowsInserted);
        t.Say("rows", c.All("SELECT * FROM people ORDER BY id"));
    }

    public static void Columns_by_expression(Trial t)
    {
        using var c = t.Open(Local + ";Allow User Variables=true");
        c.Do("CREATE TABLE e (id INT, upper_name VARCHAR(40), photo VARBINARY(20), total INT)");
        var copy = new MySqlBulkCopy(c) { DestinationTableName = "e" };
        copy.ColumnMappings.Add(new(0, "id"));
        copy.ColumnMappings.Add(new(1, "@name", "upper_name = UPPER(@name)"));
        copy.ColumnMappings.Add(new(3, "@photo", "photo = UNHEX(@photo)"));
        copy.ColumnMappings.Add(new(4, "@size", "total = @size * 4"));
        t.Try("inserted", () => copy.WriteToServer(People()).RowsInserted);
        t.Say("rows", c.All("SELECT * FROM e ORDER BY id"));
    }

    public static void Progress_is_told(Trial t)
    {
        using var c = t.Open(Local);
        c.Do("CREATE TABLE many (i INT)");
        var table = new DataTable();
        table.Columns.Add("i", typeof(int));
        for (var i = 0; i < 100; i++)
            table.Rows.Add(i);
        var told = new List<long>();
        var copy = new MySqlBulkCopy(c) { DestinationTableName = "many", NotifyAfter = 30 };
        copy.MySqlRowsCopied += (_, e) => told.Add(e.RowsCopied);
        t.Say("inserted", copy.WriteToServer(table).RowsInserted);
        t.Say("told", told);
        t.Say("sum", c.Scalar("SELECT SUM(i) FROM many"));
    }

    public static void Keys_that_are_there(Trial t)
    {
        foreach (var option in new[] { MySqlBulkLoaderConflictOption.None, MySqlBulkLoaderConflictOption.Ignore, MySqlBulkLoaderConflictOption.Replace })
        {
            using var c = t.Open(Local);
            c.Do("DROP TABLE IF EXISTS keyed");
            c.Do("CREATE TABLE keyed (id INT PRIMARY KEY, s VARCHAR(9))");
            c.Do("INSERT INTO keyed VALUES (2, 'old')");
            var table = new DataTable();
            table.Columns.Add("id", typeof(int));
            table.Columns.Add("s", typeof(string));
            table.Rows.Add(1, "new");
            table.Rows.Add(2, "new");
            var copy = new MySqlBulkCopy(c) { DestinationTableName = "keyed", ConflictOption = option };
            // LOAD DATA LOCAL treats a duplicate as a warning.
            if (option == MySqlBulkLoaderConflictOption.None)
                t.Differs($"{option}", Outcome(c, copy, table), "`MySqlBulkCopy`", "all rows or none");
            else
                t.Say($"{option}", Outcome(c, copy, table));
        }

        static string Outcome(MySqlConnection c, MySqlBulkCopy copy, DataTable table) =>
            $"{(Trial.Outcome(() => copy.WriteToServer(table).Warnings.Count) is Exception e ? e.GetType().Name : "no error")} "
                + $"{c.All("SELECT * FROM keyed ORDER BY id")}";
    }

    public static void Misuse(Trial t)
    {
        using var c = Opened(t);
        var copy = new MySqlBulkCopy(c);
        t.Try("no table", () => copy.WriteToServer(People()));
        copy.DestinationTableName = "nowhere";
        t.Say("no such table", Number(copy));
        copy.DestinationTableName = "people";
        t.Try("no rows", () => copy.WriteToServer(new DataTable()));
        t.Try("null", () => copy.WriteToServer((DataTable)null!));
        copy.ColumnMappings.Add(new(0, "nothing"));
        t.Differs("no such column", Number(copy), "misuse", "the table's columns are known before a row is sent");
        copy.ColumnMappings.Clear();
        copy.ColumnMappings.Add(new(9, "id"));
        t.Try("no such ordinal", () => copy.WriteToServer(People()));
        t.Say("rows", c.Scalar("SELECT COUNT(*) FROM people"));

        static object? Number(MySqlBulkCopy copy) => Trial.Outcome(() => copy.WriteToServer(People())) is MySqlException e ? e.Number : "another exception";
    }

    public static void A_file_of_a_stream(Trial t)
    {
        using var c = t.Open(Local);
        c.Do("CREATE TABLE loaded (id INT, name VARCHAR(30), note VARCHAR(30))");
        using var lines = new MemoryStream(Encoding.UTF8.GetBytes("id;name;note\n1;'one';x\n2;'t;wo';\\N\n3;'\u00e4';z\n"));
        var loader = new MySqlBulkLoader(c)
        {
            TableName = "loaded", SourceStream = lines, FieldTerminator = ";", FieldQuotationCharacter = '\'', FieldQuotationOptional = true,
                LineTerminator = "\n", NumberOfLinesToSkip = 1,
            CharacterSet = "utf8mb4", Local = true,
        };
        loader.Columns.AddRange(["id", "name", "@note"]);
        loader.Expressions.Add("note = UPPER(@note)");
        using var variables = t.Open(Local + ";Allow User Variables=true");
        loader.Connection = variables;
        t.Try("loaded", () => loader.Load());
        t.Say("rows", c.All("SELECT * FROM loaded ORDER BY id"));
        t.Try("no table", () => new MySqlBulkLoader(c) { SourceStream = new MemoryStream() }.Load());
        t.Differs("no source", Trial.Outcome(() => new MySqlBulkLoader(c) { TableName = "loaded" }.Load()), "misuse", "no server was asked");
    }
}
