using System.Data;

namespace Slipstream.Migrated;

/// <summary>The members around commands and readers: outcomes of statements, barriers, metadata, adapters and builders.</summary>
public static class PgShapeCases
{
    public static void Outcomes_of_a_batch(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE b (i int PRIMARY KEY)");
        using var batch = new PgBatch(c)
        {
            BatchCommands =
            {
                new("INSERT INTO b SELECT generate_series(1, 5)"), new("SELECT i FROM b WHERE i < 3"), new("UPDATE b SET i = i + 10"),
                new("DELETE FROM b WHERE i = 11"),
                new("CREATE TABLE other AS SELECT i FROM b"), new("DROP TABLE other"), new("CREATE TABLE another (i int)"),
                new("INSERT INTO b VALUES (100) RETURNING i"), new("VALUES (1), (2)"),
                new("MERGE INTO b USING (VALUES (12)) s (i) ON b.i = s.i WHEN MATCHED THEN DELETE"),
            },
        };
        t.Say("count", batch.ExecuteNonQuery());
        foreach (var command in batch.BatchCommands.Cast<PgBatchCommand>())
            t.Say(command.CommandText, $"{command.StatementType} {command.Rows} {command.RecordsAffected} {command.OID}");
        using (var reader = batch.ExecuteReader())
            t.Say("rows", reader.Rows);
    }

    public static void Error_barriers(Trial t)
    {
        using var c = t.Open();
        foreach (var (all, barriers, values) in new (bool, bool?[], int[])[]
        {
            (false, [null, null, null, null], [1, 2, 1, 3]), (true, [null, null, null, null], [1, 2, 1, 3]), (false, [true, null, null, null], [1, 2, 1, 3]),
            (false, [null, null, true, null], [1, 2, 1, 3]), (true, [null, false, null, null], [1, 2, 1, 3]), (false, [true, null, true, null], [1, 1, 2, 3]),
            (true, [null, null, null, null], [1, 1, 1, 3]),
        })
        {
            c.Do("DROP TABLE IF EXISTS k");
            c.Do("CREATE TABLE k (i int PRIMARY KEY)");
            using var batch = new PgBatch(c) { EnableErrorBarriers = all };
            for (var i = 0; i < values.Length; i++)
                batch.BatchCommands.Add(new($"INSERT INTO k VALUES ({values[i]})") { AppendErrorBarrier = barriers[i] });
            try
            {
                t.Say("done", batch.ExecuteNonQuery());
            }
            catch (System.Data.Common.DbException exception)
            {
                t.Say("errors", exception.InnerException is AggregateException many
                    ? string.Join(' ', many.InnerExceptions.Select(static one => ((PgException)one).SqlState)) : exception.SqlState);
            }

            t.Say("left", c.All("SELECT i FROM k ORDER BY i"));
        }
    }

#pragma warning disable CS0618
    public static void Statements_of_a_text(Trial t)
    {
        using var c = t.Open();
        using var command = new PgCommand("CREATE TABLE s (i int); INSERT INTO s VALUES (@a), (@a); SELECT i FROM s; DELETE FROM s", c);
        command.Parameters.AddWithValue("a", 7);
        using (var reader = command.ExecuteReader())
        {
            t.Say("rows", Trial.Rows(reader));
            t.Say("next", reader.NextResult());
            foreach (var one in reader.Statements)
            {
                t.Differs("text", one.CommandText.Trim(), "`CommandText` of `Statements`", "it says which statement it is");
                t.Say("statement", $"{one.StatementType} {one.Rows}");
            }
        }

        t.Say("count", command.Statements.Count);
    }
#pragma warning restore CS0618

    public static void Results_as_text(Trial t)
    {
        using var c = t.Open();
        using var command = new PgCommand("SELECT 1, 2.50, '2024-01-02'::date, NULL::int, true", c) { AllResultTypesAreUnknown = true };
        using (var reader = command.ExecuteReader())
        {
            t.Say("types", Enumerable.Range(0, 5).Select(i => reader.GetFieldType(i).Name));
            t.Say("all", Trial.Rows(reader));
        }

        command.AllResultTypesAreUnknown = false;
        command.UnknownResultTypeList = [true, false, true, false, false];
        using (var reader = command.ExecuteReader())
            t.Say("some", Trial.Rows(reader));
    }

    public static void Columns_of_a_table(Trial t)
    {
        using var c = t.Open();
        c.Do(
            "CREATE TABLE f (a int, b int DEFAULT 5 UNIQUE, c serial, d text COLLATE \"C\" NOT NULL, e int GENERATED ALWAYS AS (a + 1) STORED, "
                + "PRIMARY KEY (a, c))");
        c.Do("CREATE VIEW v AS SELECT a, b + 1 AS b FROM f");
        foreach (var text in (string[])["SELECT a, b AS renamed, c, d, e FROM f", "SELECT a, b FROM v"])
        {
            using var command = new PgCommand(text, c);
            using var reader = command.ExecuteReader(CommandBehavior.KeyInfo);
            foreach (var column in reader.GetColumnSchema())
            {
                t.Say(
                    column.ColumnName, $"{column.BaseSchemaName} {column.BaseTableName} {column.BaseColumnName} key {column.IsKey} unique {column.IsUnique} "
                        + $"counts {column.IsAutoIncrement} identity {column.IsIdentity} null {column.AllowDBNull} "
                        + $"aliased {column.IsAliased} default {column.DefaultValue} number {column.ColumnAttributeNumber}");
                if (column.ColumnName != "e")
                    t.Say("readonly", column.IsReadOnly);
                else
                    t.Differs("readonly", column.IsReadOnly, "`IsReadOnly` of a generated column", "a command builder must not write it");
            }

            using var table = reader.GetSchemaTable()!;
            foreach (DataRow row in table.Rows)
                t.Say("row", string.Join(' ', ((string[])["ColumnName", "BaseTableName", "BaseColumnName", "IsKey", "IsUnique", "AllowDBNull",
                    "IsAutoIncrement", "ProviderType"]).Select(name => row[name])));
        }

        using (var computed = new PgCommand("SELECT 1 + 1 AS x", c))
        using (var reader = computed.ExecuteReader(CommandBehavior.KeyInfo))
        {
            var column = reader.GetColumnSchema()[0];
            t.Say("expression", $"{column.BaseTableName} {column.BaseColumnName} {column.TableOID} {column.ColumnAttributeNumber} {column.IsKey}");
        }
    }

    public static void A_builder_and_an_adapter(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE p (id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, name varchar(20) NOT NULL, price numeric(8,2))");
        c.Do("INSERT INTO p (name, price) VALUES ('one', 1.5), ('two', 2.5), ('three', NULL)");
        using var adapter = new PgDataAdapter("SELECT id, name, price FROM p ORDER BY id", c);
        using var builder = new PgCommandBuilder(adapter);
        using var data = new DataTable();
        t.Say("filled", adapter.Fill(data));
        foreach (var command in (PgCommand[])[builder.GetUpdateCommand(true), builder.GetDeleteCommand()])
        {
            t.Say("where", command.CommandText[command.CommandText.IndexOf("WHERE", StringComparison.Ordinal)..]);
            t.Say("types", ((IEnumerable<PgParameter>)command.Parameters).Select(static one => $"{one.ParameterName} {one.DbType} {one.SourceColumn}"));
        }

        data.Rows[0]["name"] = "uno";
        data.Rows[1].Delete();
        data.Rows.Add(10, "ten", 10m);
        var seen = new List<string>();
        adapter.RowUpdating += (_, e) => seen.Add($"updating {e.StatementType}");
        adapter.RowUpdated += (_, e) => seen.Add($"updated {e.StatementType} {e.RecordsAffected}");
        t.Say("updated", adapter.Update(data));
        t.Say("events", seen);
        t.Say("names", c.All("SELECT name, price FROM p ORDER BY name"));
        t.Say("quoted", $"{builder.QuoteIdentifier("a\"b")} {builder.UnquoteIdentifier("\"a\"\"b\"")} {builder.QuotePrefix} {builder.QuoteSuffix}");
        using var schema = new DataTable();
        adapter.FillSchema(schema, SchemaType.Source);
        t.Say("key", schema.PrimaryKey.Select(static column => column.ColumnName));
        t.Say(
            "columns", schema.Columns.Cast<DataColumn>().Select(static column => $"{column.ColumnName} {column.AllowDBNull} {column.AutoIncrement} "
                + column.MaxLength));
    }

    public static void Parameters_are_derived(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE FUNCTION f1(a int, OUT b text, INOUT c numeric) AS $$ SELECT 'x', c $$ LANGUAGE sql");
        c.Do("CREATE FUNCTION f2(a date, timestamptz) RETURNS TABLE (x int, y text) AS $$ SELECT 1, 'y' $$ LANGUAGE sql");
        c.Do("CREATE FUNCTION f3() RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql");
        c.Do("CREATE PROCEDURE p1(a int, b uuid, INOUT c boolean) AS $$ SELECT c $$ LANGUAGE sql");
        c.Do("CREATE TYPE pair AS (l int, r text)");
        c.Do("CREATE FUNCTION f4(a int) RETURNS pair AS $$ SELECT 1, 'r' $$ LANGUAGE sql");
        c.Do("CREATE FUNCTION twice(a int) RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql");
        c.Do("CREATE FUNCTION twice(a text) RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql");
        foreach (var name in (string[])["f1", "f2", "f3", "p1", "f4", "public.f1", "twice", "nothing"])
        {
            using var command = new PgCommand(name, c) { CommandType = CommandType.StoredProcedure };
            t.Try(name, () =>
            {
                try
                {
                    PgCommandBuilder.DeriveParameters(command);
                }
                catch (System.Data.Common.DbException exception)
                {
                    return exception.SqlState ?? "no state";
                }

                return Shown(command);
            });
        }

        using (var numbered = new PgCommand("SELECT $1::date, $2 || 'x'", c))
            t.Differs(
                "numbered", Trial.Outcome(() =>
                {
                    PgCommandBuilder.DeriveParameters(numbered);
                    return Shown(numbered);
                }), "`DeriveParameters` of a text with `$1`", "it has an answer");
        foreach (var text in (string[])["SELECT @a + 1, @b::text, @a", "SELECT 1", "SELECT @x::int; SELECT @y::uuid, @x"])
        {
            using var command = new PgCommand(text, c);
            t.Try(text, () =>
            {
                PgCommandBuilder.DeriveParameters(command);
                return Shown(command);
            });
        }
    }

    private static string Shown(PgCommand command) =>
        string.Join(", ", ((IEnumerable<PgParameter>)command.Parameters).Select(static one => $"{one.ParameterName} {one.Direction} {one.DbType}"));

    public static void Parameters_of_a_collection(Trial t)
    {
        using var command = new PgCommand();
        var parameters = command.Parameters;
        parameters.Add("a", PgDbType.Varchar, 5, "column");
        parameters.AddWithValue("b", PgDbType.Integer, 0, "other", 7);
        t.Say("found", $"{parameters.TryGetValue("b", out var found)} {found?.SourceColumn} {parameters.TryGetValue("c", out _)}");
        t.Say("array", parameters.ToArray().Select(static one => one.ParameterName));
        t.Say("index", parameters.IndexOf(found!));
        t.Say("contains", parameters.Contains(found!));
        t.Say("removed", $"{parameters.Remove(found!)} {parameters.Count}");
        parameters.Remove("a");
        t.Say("left", parameters.Count);
    }
}
