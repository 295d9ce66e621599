using System.Data;

namespace Slipstream.Migrated;

/// <summary>Differences by choice that no other case shows: in place of MySqlConnector, they must be gone.</summary>
public static class ConventionCases
{
    public static void A_date_as_text(Trial t) =>
        t.Differs("text", new MySqlDateTime(2024, 2, 29, 13, 14, 15, 0).ToString(), "`MySqlDateTime.ToString()`", "as the server writes it");

    public static void Names_of_texts_and_bytes(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE named (a TEXT, b LONGTEXT, c BINARY(3), d LONGBLOB, e CHAR(5), f VARCHAR(5))");
        using var command = c.Command("SELECT * FROM named");
        using var reader = command.ExecuteReader();
        for (var i = 0; i < 5; i++)
            t.Differs(reader.GetName(i), reader.GetDataTypeName(i), "`GetDataTypeName`", "the column's own name");
        t.Say("f", reader.GetDataTypeName(5));
    }

    // The third execution would prepare the statement, which sends a DOUBLE whatever the text had sent.
    public static void A_double_that_is_repeated(Trial t)
    {
        using var c = t.Open();
        for (var i = 0; i < 5; i++)
            t.Differs($"{i}", c.Scalar("SELECT @p", ("p", 0.25)), "`double` parameters", "a DOUBLE, as in a prepared statement");
        for (var i = 0; i < 5; i++)
            t.Say($"stored {i}", c.All("SELECT CAST(@p AS DOUBLE) + @q", ("p", 0.1), ("q", 1)));
        c.Do("CREATE TABLE doubled (d DOUBLE, f FLOAT, n DECIMAL(10, 4))");
        for (var i = 0; i < 4; i++)
            c.Do("INSERT INTO doubled VALUES (@p, @p, @p)", ("p", 1.0 / 3));
        t.Say("rows", c.All("SELECT d, f, n FROM doubled"));
    }

    public static void A_vector(Trial t)
    {
        using var c = t.Open();
        t.Say("the server", t.IsMariaDb);
        if (t.IsMariaDb)
            return;
        c.Do("CREATE TABLE vectors (v VECTOR(2))");
        c.Do("INSERT INTO vectors VALUES (STRING_TO_VECTOR('[1.5,2]'))");
        using var command = c.Command("SELECT v FROM vectors");
        using var reader = command.ExecuteReader();
        reader.Read();
        t.Differs("type", reader.GetFieldType(0), "`VECTOR`", "an array, as any other driver has it");
        t.Differs("value", reader.GetValue(0).GetType(), "`VECTOR`", "an array, as any other driver has it");
        t.Say("elements", reader.GetFieldValue<ReadOnlyMemory<float>>(0).ToArray());
    }

    public static void A_copy_of_values_that_do_not_fit(Trial t)
    {
        using var c = t.Open("Allow Load Local Infile=true");
        c.Do("SET sql_mode = 'STRICT_ALL_TABLES'");
        c.Do("CREATE TABLE narrow (id INT PRIMARY KEY, s VARCHAR(3), i TINYINT)");
        var table = new DataTable();
        table.Columns.Add("id", typeof(int));
        table.Columns.Add("s", typeof(string));
        table.Columns.Add("i", typeof(int));
        table.Rows.Add(1, "abc", 5);
        table.Rows.Add(2, "abcdef", 6);
        table.Rows.Add(3, "x", 300);
        var copy = new MySqlBulkCopy(c) { DestinationTableName = "narrow" };
        var outcome = Trial.Outcome(() => copy.WriteToServer(table).RowsInserted);
        const string Row = "… values that do not fit, in strict mode";
        t.Differs("outcome", outcome is Exception e ? e.GetType().Name : outcome, Row, "strict mode means that values are not changed");
        t.Differs("rows", c.All("SELECT * FROM narrow ORDER BY id"), Row, "strict mode means that values are not changed");
    }
}
