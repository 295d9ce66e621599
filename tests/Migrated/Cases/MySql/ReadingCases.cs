using System.Data;
using System.Reflection;

namespace Slipstream.Migrated;

public static class ReadingCases
{
    public static void Columns_describe_themselves(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE d (id INT UNSIGNED PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20) NOT NULL, price DECIMAL(8,2), note TEXT, raw VARBINARY(9), flag "
            + "TINYINT(1), at DATETIME(6), UNIQUE KEY (name))");
        using var command = new MySqlCommand("SELECT id, name, price, note, raw, flag, at FROM d", c);
        using var reader = command.ExecuteReader();
        foreach (var column in reader.GetColumnSchema().Cast<MySqlDbColumn>())
        {
            t.Say(column.ColumnName,
                $"{column.ColumnOrdinal} {column.DataType?.Name} size {column.ColumnSize} null {column.AllowDBNull} auto {column.IsAutoIncrement} key "
                    + $"{column.IsKey} "
                + $"unique {column.IsUnique} long {column.IsLong} readonly {column.IsReadOnly} {column.BaseColumnName} {column.BaseTableName} "
                    + $"{column.BaseSchemaName} {column.ProviderType} {column.TableName}");
        }

        var first = (MySqlDbColumn)reader.GetColumnSchema()[0];
        t.Differs(
            "more", $"{first.BaseCatalogName} {first.IsAliased} {first.IsExpression} {first.IsIdentity} {first.IsHidden} "
                + $"{reader.GetColumnSchema()[1].NumericPrecision}", "column metadata",
            "what the server says");
        t.Differs("name of a type", reader.GetDataTypeName(4), "`GetDataTypeName`", "the column's own name");
        var properties = typeof(MySqlDbColumn).GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Select(static p => p.Name).Where(static name => name is not "Item").ToList();
        t.Say("each name once", properties.Count == properties.Distinct().Count());
        t.Try("by reflection", () => typeof(MySqlDbColumn).GetProperty("ProviderType")!.GetValue(reader.GetColumnSchema()[0]));
    }

    public static void A_table_of_the_schema(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE d (id INT UNSIGNED PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20) NOT NULL, price DECIMAL(8,2), note TEXT)");
        using var command = new MySqlCommand("SELECT id, name, price, note FROM d", c);
        using var reader = command.ExecuteReader();
        var table = reader.GetSchemaTable()!;
        t.Differs("columns", table.Columns.Cast<DataColumn>().Select(static column => column.ColumnName + " " + column.DataType.Name), "column metadata",
            "more columns, as ADO.NET names them");
        foreach (var name in new[] { "ColumnName", "ColumnOrdinal", "ColumnSize", "DataType", "AllowDBNull", "IsKey", "IsUnique", "IsAutoIncrement", "IsLong",
            "BaseTableName", "ProviderType" })
            t.Say(name, table.Rows.Cast<DataRow>().Select(row => row[name]));
    }

    public static void An_alias_and_an_expression_describe_themselves(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE d (id INT, j JSON)");
        using var command = new MySqlCommand("SELECT a.id AS number, a.id + 1 AS more, a.j FROM d AS a", c);
        using var reader = command.ExecuteReader();
        var columns = reader.GetColumnSchema();
        foreach (var column in columns)
            t.Say(column.ColumnName, $"{column.BaseColumnName} {column.DataType?.Name} {column.AllowDBNull} {column.IsKey}");
        t.Differs("an alias", $"{columns[0].BaseTableName} {columns[0].IsAliased} {columns[1].IsExpression}", "column metadata", "the table's own name");
        if (t.IsMariaDb)
            t.Differs("json", reader.GetDataTypeName(2), "`GetDataTypeName`", "MariaDB has no such type");
        else
            t.Say("json", reader.GetDataTypeName(2));
    }

    public static void An_empty_result_has_no_columns(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE n (i INT)");
        using (var command = new MySqlCommand("INSERT INTO n VALUES (1)", c))
        using (var reader = command.ExecuteReader())
        {
            t.Say("count", reader.FieldCount);
            t.Try("columns", () => reader.GetColumnSchema().Count);
            t.Try("table", () => reader.GetSchemaTable());
            t.Say("read", reader.Read());
        }

        using (var command = new MySqlCommand("SELECT 1", c))
        using (var reader = command.ExecuteReader())
        {
            t.Say("no more", reader.NextResult());
            t.Try("columns at the end", () => reader.GetColumnSchema().Count);
            t.Say("has rows", reader.HasRows);
        }
    }

    public static void Values_by_getter(Trial t)
    {
        using var c = t.Open();
        using var command = new MySqlCommand("SELECT 5 AS i, 'text' AS s, CAST(1.5 AS DECIMAL(5,2)) AS d, x'0102' AS b, CAST('2024-02-29 01:02:03' AS "
            + "DATETIME) AS t, NULL AS n, 1.5e0 AS f, CAST('01:02:03' AS TIME) AS x", c);
        using var reader = command.ExecuteReader();
        reader.Read();
        t.Try("GetInt32", () => reader.GetInt32(0));
        t.Try("GetInt64", () => reader.GetInt64("i"));
        t.Try("GetInt16", () => reader.GetInt16(0));
        t.Try("GetByte", () => reader.GetByte(0));
        t.Try("GetUInt64", () => reader.GetUInt64(0));
        t.Try("GetBoolean", () => reader.GetBoolean(0));
        t.Try("GetString", () => reader.GetString("s"));
        t.Try("GetDecimal", () => reader.GetDecimal("d"));
        t.Try("GetDouble", () => reader.GetDouble("f"));
        t.Try("GetFloat", () => reader.GetFloat("f"));
        t.Try("GetDateTime", () => reader.GetDateTime("t"));
        t.Try("GetDateTimeOffset", () => reader.GetDateTimeOffset("t"));
        t.Try("GetDateOnly", () => reader.GetDateOnly("t"));
        t.Try("GetTimeSpan", () => reader.GetTimeSpan("x"));
        t.Try("GetTimeOnly", () => reader.GetTimeOnly("x"));
        t.Try("GetMySqlDateTime", () => reader.GetMySqlDateTime("t"));
        t.Try("GetMySqlDecimal", () => reader.GetMySqlDecimal("d").ToString());
        t.Try("IsDBNull", () => reader.IsDBNull("n"));
        t.Try("null as text", () => reader.GetString("n"));
        t.Try("null as number", () => reader.GetInt32("n"));
        t.Try("null as value", () => reader.GetValue("n"));
        t.Differs("null as int?", Trial.Outcome(() => reader.GetFieldValue<int?>(reader.GetOrdinal("n"))), "getters", "NULL is a value of int?");
        t.Try("text as number", () => reader.GetInt32("s"));
        t.Try("number as date", () => reader.GetDateTime("i"));
        t.Try("number as guid", () => reader.GetGuid("i"));
        t.Try("nobody", () => reader.GetString("nobody"));
        t.Differs("outside", Trial.Outcome(() => reader.GetString(99)), "an ordinal that does not exist", "as ADO.NET's documentation says");
        t.Differs("below", Trial.Outcome(() => reader.GetValue(-1)), "an ordinal that does not exist", "as ADO.NET's documentation says");
        t.Try("field of object", () => reader.GetFieldValue<object>(0));
        t.Try("field of DateOnly", () => reader.GetFieldValue<DateOnly>(4));
        t.Try("field of byte[]", () => reader.GetFieldValue<byte[]>(3));
        t.Try("field of Stream", () => ((MemoryStream)reader.GetFieldValue<Stream>(3)).ToArray());
        t.Try("field of TextReader", () => reader.GetFieldValue<TextReader>(1).ReadToEnd());
        t.Try("field of StringReader", () => reader.GetFieldValue<StringReader>(1).ReadToEnd());
        t.Try("field of MemoryStream", () => reader.GetFieldValue<MemoryStream>(3).ToArray());
        t.Try("text reader", () => reader.GetTextReader(1).ReadToEnd());
        t.Try("stream", () => reader.GetStream(3).Length);
        t.Try("indexer", () => reader["S"]);
        t.Try("types", () => Enumerable.Range(0, reader.FieldCount).Select(i => reader.GetFieldType(i).Name));
        var buffer = new byte[4];
        t.Try("GetBytes", () => reader.GetBytes(3, 1, buffer, 2, 2));
        t.Say("buffer", buffer);
        t.Try("GetBytes of no buffer", () => reader.GetBytes(3, 0, null, 0, 0));
        t.Try("GetBytes outside", () => reader.GetBytes(3, 0, buffer, 9, 1));
        var characters = new char[3];
        t.Try("GetChars", () => reader.GetChars(1, 1, characters, 0, 3));
        t.Try("GetChars outside", () => reader.GetChars(1, 0, characters, 4, 1));
        t.Try("GetValues", () =>
        {
            var values = new object[3];
            return $"{reader.GetValues(values)} {string.Join(",", values.Select(static v => v.GetType().Name))}";
        });
    }

    public static void Whole_numbers_by_every_getter(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE w (a TINYINT, b TINYINT UNSIGNED, c SMALLINT, d INT, e INT UNSIGNED, f BIGINT, g BIGINT UNSIGNED, h YEAR, i BIT(5), j "
            + "TINYINT(1), k MEDIUMINT)");
        c.Do("INSERT INTO w VALUES (-1, 255, -300, 70000, 4000000000, -5000000000, 18446744073709551615, 2024, b'10101', 1, -8388608)");
        using var command = new MySqlCommand("SELECT * FROM w", c);
        for (var prepared = 0; prepared < 2; prepared++)
        {
            if (prepared == 1)
                command.Prepare();
            using var reader = command.ExecuteReader();
            reader.Read();
            for (var i = 0; i < reader.FieldCount; i++)
            {
                var at = i;
                t.Say($"{reader.GetName(i)} {prepared}", new[]
                {
                    Trial.Outcome(() => reader.GetValue(at)), Trial.Outcome(() => reader.GetSByte(at)), Trial.Outcome(() => reader.GetByte(at)),
                        Trial.Outcome(() => reader.GetInt16(at)),
                    Trial.Outcome(() => reader.GetUInt16(at)), Trial.Outcome(() => reader.GetInt32(at)), Trial.Outcome(() => reader.GetUInt32(at)),
                        Trial.Outcome(() => reader.GetInt64(at)),
                    Trial.Outcome(() => reader.GetUInt64(at)), Trial.Outcome(() => reader.GetBoolean(at)),
                });
            }
        }
    }

    public static void A_tiny_integer_that_is_a_boolean(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE b (x TINYINT(1))");
        c.Do("INSERT INTO b VALUES (2)");
        using var command = new MySqlCommand("SELECT x FROM b", c);
        using var reader = command.ExecuteReader();
        reader.Read();
        t.Say("value", reader.GetValue(0));
        t.Say("boolean", reader.GetBoolean(0));
        t.Differs("number", reader.GetInt32(0), "`TINYINT(1)` read as a number", "the number is what is stored");
        reader.Close();
        using var number = t.Open("Treat Tiny As Boolean=false");
        t.Say("not as boolean", number.Scalar("SELECT x FROM b"));
    }

    public static void An_ordinal_by_name(Trial t)
    {
        using var c = t.Open();
        using var command = new MySqlCommand("SELECT 1 AS id, 2 AS ID, 3 AS `Name`, 4 AS `name`", c);
        using var reader = command.ExecuteReader();
        reader.Read();
        t.Say("the first", reader.GetOrdinal("id"));
        t.Say("the first of any", reader.GetOrdinal("iD"));
        t.Differs("the second", reader.GetOrdinal("ID"), "`GetOrdinal`", "ADO.NET asks for the exact spelling first");
        t.Say("any spelling", reader.GetOrdinal("nAME"));
        t.Try("none", () => reader.GetOrdinal("nothing"));
        t.Try("null", () => reader.GetOrdinal(null!));
    }

    public static void Zero_dates(Trial t)
    {
        using (var c = t.Open())
        {
            c.Do("SET sql_mode=''");
            c.Do("CREATE TABLE z (d DATETIME, e DATE, f TIMESTAMP NULL)");
            c.Do("INSERT INTO z VALUES ('0000-00-00 00:00:00', '0000-00-00', '0000-00-00 00:00:00'), ('2024-00-01 00:00:00', '2024-02-00', NULL)");
        }

        using (var c = t.Open())
        using (var command = new MySqlCommand("SELECT d FROM z", c))
        using (var reader = command.ExecuteReader())
        {
            reader.Read();
            t.Differs("by its own getter", Trial.Outcome(() => reader.GetMySqlDateTime(0).Year), "zero dates", "MySqlDateTime holds any date of the server");
        }

        foreach (var options in new[] { "", "Allow Zero DateTime=true", "Convert Zero DateTime=true", "Allow Zero DateTime=true;Convert Zero DateTime=true" })
        {
            using var c = t.Open(options);
            foreach (var prepares in new[] { false, true })
            {
                using var command = new MySqlCommand("SELECT d, e, f FROM z", c);
                if (prepares)
                    command.Prepare();
                using var reader = command.ExecuteReader();
                for (var row = 0; reader.Read(); row++)
                {
                    for (var i = 0; i < 3; i++)
                    {
                        var at = i;
                        var values = new[]
                        {
                            reader.GetFieldType(at), Trial.Outcome(() => reader.GetValue(at)), Trial.Outcome(() => reader.GetDateTime(at)),
                                Trial.Outcome(() => reader.GetFieldValue<DateOnly>(at)),
                            Trial.Outcome(() => reader.IsDBNull(at)),
                        };
                        // For a date without a month, the other driver throws FormatException or returns a zero date.
                        if (row == 1 && i < 2 && !options.StartsWith("Allow", StringComparison.Ordinal))
                            t.Differs($"{options} {prepares} {row} {i}", values, "zero dates",
                                "what is stored is read, and what cannot be a DateTime is one kind of error");
                        else
                            t.Say($"{options} {prepares} {row} {i}", values);
                    }
                }
            }
        }
    }
}
