using System.Data;
using System.Runtime.CompilerServices;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>The schema collections of MySQL and MariaDB: their columns, which are MySqlConnector's, and their rows for known tables.</summary>
public class SchemaTests
{
    private static int _databases;

    public static TheoryData<ServerKind> Kinds => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Names_and_types_of_columns_are_those_of_MySqlConnector(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        var listed = connection.GetSchema().Rows.Cast<DataRow>().Select(static row => (string)row[0]).ToArray();
        // MySqlConnector's columns with MySQL; with MariaDB its Columns has no SRS_ID.
        var theirs = File.ReadAllLines(ListPath());
        Assert.Equal(31, theirs.Length);
        Assert.Equal(
            theirs.Select(static line => line.Split(" = ")[0]).Where(static one => one != "Restrictions"),
            listed.Where(static one => one != "Restrictions").Take(30));
        foreach (var line in theirs)
        {
            var expected = kind == ServerKind.MySql ? line : line.Replace(", SRS_ID String", "");
            var name = line.Split(" = ")[0];
            using var table = await Undisturbed.Look(() => Task.FromResult(connection.GetSchema(name)), LiveContracts.ComesFromOthers);
            Assert.Equal(
                expected,
                $"{name} = {string.Join(", ", table.Columns.Cast<DataColumn>().Select(static column => $"{column.ColumnName} {column.DataType.Name}"))}");
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Keys_indexes_views_triggers_and_procedures_are_found(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        var database = $"schema_{Environment.ProcessId}_{Interlocked.Increment(ref _databases)}";
        Execute(connection, $"CREATE DATABASE {database}");
        try
        {
            Execute(connection, $"CREATE TABLE {database}.parent (a int, b int, PRIMARY KEY (a, b), UNIQUE KEY other (b, a))");
            Execute(
                connection,
                $"CREATE TABLE {database}.child (x int, y int, CONSTRAINT reaches FOREIGN KEY (x, y) REFERENCES {database}.parent (a, b) ON DELETE CASCADE)");
            Execute(connection, $"CREATE VIEW {database}.shown AS SELECT a + 1 AS more FROM {database}.parent");
            Execute(connection, $"CREATE TRIGGER {database}.before_child BEFORE INSERT ON {database}.child FOR EACH ROW SET NEW.x = 1");
            Execute(connection, $"CREATE PROCEDURE {database}.doubled(IN amount int, OUT result bigint) SET result = 2 * amount");
            Execute(connection, $"CREATE EVENT {database}.later ON SCHEDULE AT CURRENT_TIMESTAMP + INTERVAL 1 DAY DO SELECT 1");

            Assert.Equal([("x", 1, "a"), ("y", 2, "b")], (await Rows(connection, "Foreign Key Columns", [null, database, "child", "reaches"], static row =>
                ((string)row["COLUMN_NAME"], (int)row["ORDINAL_POSITION"], (string)row["REFERENCED_COLUMN_NAME"]))).OrderBy(static one => one.Item2));
            Assert.Equal([("child", "parent", "CASCADE", database)], await Rows(connection, "Foreign Keys", [null, database], static row =>
                ((string)row["TABLE_NAME"], (string)row["REFERENCED_TABLE_NAME"], (string)row["DELETE_RULE"], (string)row["REFERENCED_TABLE_SCHEMA"])));
            Assert.Equal([("PRIMARY", true, true), ("other", true, false)], (await Rows(connection, "Indexes", [null, database, "parent"], static row =>
                ((string)row["INDEX_NAME"], (bool)row["UNIQUE"], (bool)row["PRIMARY"]))).OrderBy(static one => one.Item1, StringComparer.Ordinal));
            // Without ORDER BY, MySQL's dictionary returns rows in the order of the plan that it happens to choose.
            Assert.Equal([("b", 1), ("a", 2)], (await Rows(connection, "IndexColumns", [null, database, "parent", "other"], static row =>
                ((string)row["COLUMN_NAME"], (int)row["ORDINAL_POSITION"]))).OrderBy(static one => one.Item2));
            Assert.Equal(["more"], await Rows(connection, "ViewColumns", [null, database, "shown"], static row => (string)row["COLUMN_NAME"]));
            Assert.Equal(["before_child"], await Rows(connection, "Triggers", [null, database, null, "child"], static row => (string)row["TRIGGER_NAME"]));
            Assert.Equal(["doubled"], await Rows(connection, "Procedures", [null, database, null, "PROCEDURE"], static row => (string)row["ROUTINE_NAME"]));
            Assert.Equal([("amount", "IN"), ("result", "OUT")], (await Rows(connection, "Procedure Parameters", [null, database, "doubled"], static row =>
                ((string)row["PARAMETER_NAME"], (string)row["PARAMETER_MODE"]))).OrderBy(static one => one.Item1, StringComparer.Ordinal));
            Assert.Equal(["later"], await Rows(connection, "Events", [null, database], static row => (string)row["EVENT_NAME"]));
            Assert.Equal([database], await Rows(connection, "Databases", [database], static row => (string)row["SCHEMA_NAME"]));
        }
        finally
        {
            Execute(connection, $"DROP DATABASE {database}");
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Every_word_that_the_server_refuses_as_a_name_is_listed(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        var listed = (await Rows(connection, "ReservedWords", null, static row => (string)row[0])).ToHashSet(StringComparer.OrdinalIgnoreCase);
        var words = (await Rows(connection, "KeyWords", null, static row => (Word: (string)row[0], IsReserved: row[1] is 1)))
            .Where(static one => one.Word.Length > 1 && one.Word.All(static character => char.IsAsciiLetterOrDigit(character) || character == '_')).ToArray();
        Assert.True(words.Length > 500);
        if (kind == ServerKind.MySql)
        {
            Assert.DoesNotContain(words, one => one.IsReserved && !listed.Contains(one.Word));
            return;
        }

        // MariaDB does not report which of its words are reserved: a reserved word as a name causes a syntax error.
        foreach (var (word, _) in words.Where(one => !listed.Contains(one.Word)))
            Execute(connection, $"DO (SELECT 1 AS {word} FROM DUAL)");
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Options_that_change_how_values_are_read_change_no_collection(ServerKind kind)
    {
        await using var plain = await OpenAsync(kind);
        await using var other = await OpenAsync(kind, "Allow Zero DateTime=true;Treat Tiny As Boolean=false;Strict Conversions=true;");
        foreach (var (name, restrictions) in new[]
        {
            ("Tables", new[] { null, "mysql" }),
            ("Columns", [null, "mysql"]),
            ("Indexes", [null, "mysql"]),
            ("Procedures", [])
        })
        {
            Assert.Equal(
                await Rows(plain, name, restrictions, static row => string.Join('|', row.ItemArray)),
                await Rows(other, name, restrictions, static row => string.Join('|', row.ItemArray)));
        }
    }

    [Fact]
    public async Task The_types_are_those_of_the_reader()
    {
        await using var connection = await OpenAsync(ServerKind.MySql);
        var types = await Rows(
            connection, "DataTypes", null, static row => (Name: (string)row["TypeName"], Type: (string)row["DataType"], Number: (int)row["ProviderDbType"]));
        using var command = new MySqlCommand("SELECT STRING_TO_VECTOR('[1]'), x'00', CAST('[]' AS JSON), CAST(0 AS YEAR)", connection);
        using var reader = command.ExecuteReader();
        foreach (var (index, name) in new[] { (0, "VECTOR"), (1, "VARBINARY"), (2, "JSON"), (3, "YEAR") })
            Assert.Equal(reader.GetFieldType(index).ToString(), types.First(one => one.Name == name).Type);
        Assert.All(types, static one => Assert.True(Enum.IsDefined((MySqlDbType)one.Number)));
    }

    private static async Task<List<T>> Rows<T>(MySqlConnection connection, string name, string?[]? restrictions, Func<DataRow, T> read)
    {
        using var table = await connection.GetSchemaAsync(name, restrictions!);
        return [.. table.Rows.Cast<DataRow>().Select(read)];
    }

    private static void Execute(MySqlConnection connection, string sql)
    {
        using var command = new MySqlCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind, string options = "")
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), options));
        await connection.OpenAsync();
        return connection;
    }

    private static string ListPath([CallerFilePath] string here = "") => Path.Combine(Path.GetDirectoryName(here)!, "mysqlconnector-collections.txt");
}
