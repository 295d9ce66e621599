using System.Data;
using System.Data.Common;
using System.Text.RegularExpressions;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.WithColumnSchema;

/// <summary>
/// Queries for the columns of a result, for every type of every server, as programs send them that generate classes, copy tables or show a grid.
/// </summary>
public sealed partial class ColumnSchemaTests
{
    private static int _tables;

    // A column's declaration, and its description in the schema: name and CLR type, size, precision and scale, and its other properties.
    private static readonly (string Declared, string Described)[] OfMySql =
    [
        ("int AUTO_INCREMENT PRIMARY KEY", "INT Int32 11 required key counts"),
        ("tinyint", "TINYINT SByte 4"),
        ("tinyint unsigned", "TINYINT Byte 3"),
        ("bool", "BOOL Boolean 1"),
        ("smallint", "SMALLINT Int16 6"),
        ("smallint unsigned", "SMALLINT UInt16 5"),
        ("mediumint", "MEDIUMINT Int32 9"),
        ("mediumint unsigned", "MEDIUMINT UInt32 8"),
        ("int", "INT Int32 11"),
        ("int unsigned", "INT UInt32 10"),
        ("bigint", "BIGINT Int64 20"),
        ("bigint unsigned", "BIGINT UInt64 20"),
        ("decimal(10,3)", "DECIMAL Decimal 12 10/3"),
        ("decimal(10,0)", "DECIMAL Decimal 11 10/0"),
        ("decimal(5,2) unsigned", "DECIMAL Decimal 6 5/2"),
        ("decimal(65,30)", "DECIMAL Decimal 67 65/30"),
        ("float", "FLOAT Single 12"),
        ("double", "DOUBLE Double 22"),
        ("bit(1)", "BIT UInt64 1"),
        ("bit(64)", "BIT UInt64 64"),
        ("date", "DATE DateTime 10"),
        ("datetime", "DATETIME DateTime 19"),
        ("datetime(6)", "DATETIME DateTime 26"),
        ("timestamp NULL", "TIMESTAMP DateTime 19"),
        ("time", "TIME TimeSpan 10"),
        ("time(3)", "TIME TimeSpan 14"),
        ("year", "YEAR Int32 4"),
        ("char(10) CHARACTER SET utf8mb4", "CHAR String 10"),
        ("char(36)", "CHAR(36) Guid 36"),
        ("varchar(100) CHARACTER SET utf8mb4 NOT NULL", "VARCHAR String 100 required"),
        ("varchar(100) CHARACTER SET latin1", "VARCHAR String 100"),
        ("varchar(20) UNIQUE", "VARCHAR String 20 unique"),
        ("tinytext", "TINYTEXT String 255 long"),
        ("text", "TEXT String 65535 long"),
        ("mediumtext", "MEDIUMTEXT String 16777215 long"),
        ("longtext", "LONGTEXT String 1073741823 long"),
        ("binary(4)", "BINARY Byte[] 4"),
        ("varbinary(20)", "VARBINARY Byte[] 20"),
        ("tinyblob", "TINYBLOB Byte[] 255"),
        ("blob", "BLOB Byte[] 65535 long"),
        ("mediumblob", "MEDIUMBLOB Byte[] 16777215 long"),
        ("longblob", "LONGBLOB Byte[] 2147483647 long"),
        ("enum('red','green')", "ENUM String 5"),
        ("set('a','b')", "SET String 3"),
        ("point", "GEOMETRY Byte[] 2147483647 long"),
        ("geometry", "GEOMETRY Byte[] 2147483647 long"),
    ];

    private static readonly (string Declared, string Described)[] OfPostgreSql =
    [
        ("int PRIMARY KEY", "integer Int32 -"),
        ("boolean", "boolean Boolean -"),
        ("smallint", "smallint Int16 -"),
        ("bigint", "bigint Int64 -"),
        ("oid", "oid UInt32 -"),
        ("real", "real Single -"),
        ("double precision", "double precision Double -"),
        ("numeric", "numeric Decimal -"),
        ("numeric(10,3)", "numeric Decimal - 10/3"),
        ("text", "text String -"),
        ("varchar", "character varying String -"),
        ("varchar(100) NOT NULL", "character varying String 100"),
        ("char(10)", "character String 10"),
        ("\"char\"", "\"char\" Char -"),
        ("name", "name String -"),
        ("json", "json String -"),
        ("jsonb", "jsonb String -"),
        ("xml", "xml String -"),
        ("bytea", "bytea Byte[] - long"),
        ("date", "date DateOnly -"),
        ("time", "time without time zone TimeOnly -"),
        ("time(3)", "time without time zone TimeOnly - 3/"),
        ("timetz", "time with time zone DateTimeOffset -"),
        ("timestamp", "timestamp without time zone DateTime -"),
        ("timestamp(3)", "timestamp without time zone DateTime - 3/"),
        ("timestamptz", "timestamp with time zone DateTime -"),
        ("interval", "interval TimeSpan -"),
        ("uuid", "uuid Guid -"),
        ("inet", "inet IPAddress -"),
        ("int[]", "integer[] Array -"),
        ("point", "point PgPoint -"),
        ("money", "money Decimal -"),
        ("bit(3)", "bit BitArray 3"),
        ("tsvector", "tsvector PgTsVector -"),
    ];

    public static TheoryData<ServerKind, bool, bool> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, bool, bool>();
            foreach (var kind in ServerKinds.All)
            {
                ways.Add(kind, false, false);
                ways.Add(kind, false, true);
                ways.Add(kind, true, false);
                ways.Add(kind, true, true);
            }

            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Every_type_of_the_server_is_described(ServerKind kind, bool asynchronous, bool prepared)
    {
        await using var all = await AllTypes.CreateAsync(kind);
        await using var command = all.Select("*");
        if (prepared)
            await command.PrepareAsync();
        await using var reader = await command.ExecuteReaderAsync();
        var columns = asynchronous ? await reader.GetColumnSchemaAsync() : reader.GetColumnSchema();
        Assert.Equal(
            Declarations(kind).Select(static (one, i) => $"c{i} {one.Declared}: {one.Described}"),
            columns.Select((column, i) => $"{column.ColumnName} {Declarations(kind)[i].Declared}: {Shown(column)}"));
        // The reader's information about single columns is the same, before any row has been read.
        Assert.Equal(columns.Select(static column => column.ColumnName), Enumerable.Range(0, reader.FieldCount).Select(reader.GetName));
        Assert.Equal(columns.Select(static column => column.DataType), Enumerable.Range(0, reader.FieldCount).Select(reader.GetFieldType));
        // PostgreSQL's reader has the length and the precision in the name, as with Npgsql; columns have them in properties of their own.
        var isMySql = command is MySqlCommand;
        Assert.Equal(
            columns.Select(static column => column.DataTypeName),
            Enumerable.Range(0, reader.FieldCount).Select(reader.GetDataTypeName).Select(name => isMySql ? name : Facets().Replace(name, "")));
        Assert.Equal(columns.Select(static column => column.ColumnOrdinal), Enumerable.Range(0, reader.FieldCount).Select(static i => (int?)i));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task The_table_of_the_schema_says_what_the_columns_say(ServerKind kind, bool asynchronous, bool prepared)
    {
        await using var all = await AllTypes.CreateAsync(kind);
        await using var command = all.Select("*");
        if (prepared)
            await command.PrepareAsync();
        await using var reader = await command.ExecuteReaderAsync(CommandBehavior.SchemaOnly);
        var columns = await reader.GetColumnSchemaAsync();
        using var table = (asynchronous ? await reader.GetSchemaTableAsync() : reader.GetSchemaTable())!;
        var pairs = columns.Zip(table.Rows.Cast<DataRow>()).ToArray();
        Assert.Equal(columns.Count, table.Rows.Count);
        // Every column of the table that the other form also has; DBNull corresponds to its null.
        var compared = 0;
        foreach (var name in table.Columns.Cast<DataColumn>().Select(static column => column.ColumnName).Where(
            static name => typeof(DbColumn).GetProperty(name) is not null))
        {
            foreach (var (column, row) in pairs)
            {
                var (said, stands) = (column[name], row[name] is DBNull ? null : row[name]);
                // If the other form reports a value as unknown, the table has the values of DataTable.Load: no limit, and false. On PostgreSQL, 0 is the
                // precision and scale of what has none, as with Npgsql.
                var isUnknown = stands is -1 or false || kind.IsPostgreSql() && stands is 0 && name is "NumericPrecision" or "NumericScale";
                Assert.True(Equals(said, stands) || said is null && isUnknown, $"{name} of {column.ColumnName}: {said ?? "null"} and {stands ?? "null"}");
            }

            compared++;
        }

        Assert.InRange(compared, 20, 30);
        Assert.False(await reader.ReadAsync());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Queries_over_the_columns_give_what_a_program_asks(ServerKind kind, bool asynchronous, bool prepared)
    {
        await using var all = await AllTypes.CreateAsync(kind);
        await using var command = all.Select("c0 AS renamed, c1, c2 AS third, 1 + 1 AS computed");
        if (prepared)
            await command.PrepareAsync();
        await using var reader = await command.ExecuteReaderAsync();
        var columns = asynchronous ? await reader.GetColumnSchemaAsync() : reader.GetColumnSchema();
        Assert.Equal(["renamed", "c1", "third", "computed"], columns.Select(static column => column.ColumnName));
        Assert.Equal(
            ["c1", "computed"],
            from column in columns where !column.ColumnName.Contains('r') || column.ColumnOrdinal == 3 orderby column.ColumnName select column.ColumnName);
        Assert.Equal(columns.Count, columns.GroupBy(static column => column.DataType).Sum(static group => group.Count()));
        if (kind.IsPostgreSql())
            return;

        // Only MySQL reports the table of a column.
        Assert.Equal(["renamed"], columns.Where(static column => column.IsKey == true).Select(static column => column.ColumnName));
        Assert.Equal(
            [("renamed", "c0"), ("third", "c2")],
            columns.Where(static column => column.IsAliased == true).Select(static column => (column.ColumnName, column.BaseColumnName!)));
        Assert.Equal(["computed"], columns.Where(static column => column.IsExpression == true).Select(static column => column.ColumnName));
        Assert.Equal([all.Table], columns.Where(static column => column.IsExpression != true).Select(static column => column.BaseTableName!).Distinct());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_table_is_copied_by_what_its_columns_say(ServerKind kind, bool asynchronous, bool prepared)
    {
        await using var all = await AllTypes.CreateAsync(kind);
        await all.AddRowAsync();
        await using var command = all.Select("*");
        if (prepared)
            await command.PrepareAsync();
        using var copy = new DataTable();
        await using var reader = await command.ExecuteReaderAsync();
        foreach (var column in asynchronous ? await reader.GetColumnSchemaAsync() : reader.GetColumnSchema())
            copy.Columns.Add(column.ColumnName, column.DataType!);
        var values = new object[copy.Columns.Count];
        while (await reader.ReadAsync())
        {
            Assert.Equal(values.Length, reader.GetValues(values));
            copy.Rows.Add(values);
        }

        var row = Assert.Single(copy.Rows.Cast<DataRow>());
        Assert.All(
            copy.Columns.Cast<DataColumn>(), column => Assert.True(row[column] is DBNull || row[column].GetType() == column.DataType, column.ColumnName));
        Assert.False(row.IsNull(0));
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    [InlineData(ServerKind.PostgreSql)]
    public async Task Each_result_has_its_own_columns_and_a_command_without_one_has_none(ServerKind kind)
    {
        await using var all = await AllTypes.CreateAsync(kind);
        await using var command = all.Select("c0");
        command.CommandText += $"; SELECT c1, c2 FROM {all.Table}; DELETE FROM {all.Table}";
        await using var reader = await command.ExecuteReaderAsync();
        Assert.Equal(["c0"], reader.GetColumnSchema().Select(static column => column.ColumnName));
        Assert.True(await reader.NextResultAsync());
        Assert.Equal(["c1", "c2"], (await reader.GetColumnSchemaAsync()).Select(static column => column.ColumnName));
        Assert.False(await reader.NextResultAsync());
        Assert.Null(reader.GetSchemaTable());
        Assert.Null(await reader.GetSchemaTableAsync());
        await reader.CloseAsync();
        Assert.ThrowsAny<InvalidOperationException>(reader.GetSchemaTable);
        Assert.ThrowsAny<InvalidOperationException>(() => reader.GetColumnSchema());
    }

    private static (string Declared, string Described)[] Declarations(ServerKind kind) => kind.IsPostgreSql() ? OfPostgreSql : OfMySql;

    private static string Shown(DbColumn column)
    {
        (string Words, bool? IsTrue)[] further =
        [
            ("long", column.IsLong), ("required", !column.AllowDBNull), ("key", column.IsKey), ("unique", column.IsUnique), ("counts", column.IsAutoIncrement),
        ];
        var numbers = column.NumericPrecision is { } precision ? $" {precision}/{column.NumericScale}" : "";
        return string.Join(
            ' ',
            further.Where(static one => one.IsTrue == true)
                .Select(static one => one.Words)
                .Prepend(
                    $"{column.DataTypeName} {column.DataType?.Name} "
                        + $"{column.ColumnSize?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "-"}{numbers}"));
    }

    [GeneratedRegex(@"\(\d+(, ?\d+)?\)")]
    private static partial Regex Facets();

    /// <summary>A table with a column of every type.</summary>
    private sealed class AllTypes(DbConnection connection, ServerKind kind) : IAsyncDisposable
    {
        public string Table { get; } = $"columns_{Environment.ProcessId}_{Interlocked.Increment(ref _tables)}";

        public static async Task<AllTypes> CreateAsync(ServerKind kind)
        {
            var server = await LiveServers.GetAsync(kind);
            DbConnection connection =
                kind.IsPostgreSql() ? new PgConnection(ConnectionStrings.Of(server)) : new MySqlConnection(ConnectionStrings.Of(server));
            await connection.OpenAsync();
            var all = new AllTypes(connection, kind);
            await all.ExecuteAsync($"CREATE TABLE {all.Table} ({string.Join(", ", Declarations(kind).Select(static (one, i) => $"c{i} {one.Declared}"))})");
            return all;
        }

        /// <summary>Adds a row with the required values, and NULL for the rest.</summary>
        public Task AddRowAsync()
        {
            var required = Declarations(kind)
                .Select(static (one, i) => (one.Declared, Name: $"c{i}"))
                .Where(static one => one.Declared.Contains("NOT NULL", StringComparison.Ordinal))
                .ToArray();
            return ExecuteAsync(
                $"INSERT INTO {Table} (c0{string.Concat(required.Select(static one => ", " + one.Name))}) VALUES "
                    + $"(1{string.Concat(required.Select(static _ => ", 'x'"))})");
        }

        public DbCommand Select(string what)
        {
            var command = connection.CreateCommand();
            command.CommandText = $"SELECT {what} FROM {Table}";
            return command;
        }

        public async ValueTask DisposeAsync()
        {
            await ExecuteAsync($"DROP TABLE {Table}");
            await connection.DisposeAsync();
        }

        private async Task ExecuteAsync(string sql)
        {
            await using var command = connection.CreateCommand();
            command.CommandText = sql;
            await command.ExecuteNonQueryAsync();
        }
    }
}
