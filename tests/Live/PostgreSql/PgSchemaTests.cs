using System.Data;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>The schema collections of PostgreSQL: the columns that Npgsql documents, and their rows for known tables.</summary>
public class PgSchemaTests
{
    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    [Theory]
    [InlineData("Databases", "database_name, owner, encoding")]
    [InlineData("Schemata", "catalog_name, schema_name, schema_owner")]
    [InlineData("Tables", "table_catalog, table_schema, table_name, table_type")]
    [
        InlineData(
            "Columns",
            "table_catalog, table_schema, table_name, column_name, ordinal_position, column_default, is_nullable, data_type, character_maximum_length, "
            + "character_octet_length, numeric_precision, numeric_precision_radix, numeric_scale, datetime_precision, character_set_catalog, "
            + "character_set_schema, "
            + "character_set_name, collation_catalog")]
    [InlineData("Views", "table_catalog, table_schema, table_name, check_option, is_updatable")]
    [InlineData("Users", "user_name, user_sysid")]
    [InlineData(
        "Constraints",
        "CONSTRAINT_CATALOG, CONSTRAINT_SCHEMA, CONSTRAINT_NAME, TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_TYPE, IS_DEFERRABLE, INITIALLY_DEFERRED")]
    public async Task Collections_have_the_documented_columns(string name, string columns)
    {
        await using var connection = await OpenAsync();
        using var table = await connection.GetSchemaAsync(name);
        Assert.Equal(columns, string.Join(", ", table.Columns.Cast<DataColumn>().Select(static column => column.ColumnName)));
    }

    [Fact]
    public async Task Keys_indexes_and_views_are_found()
    {
        await using var connection = await OpenAsync();
        var schema = $"schema_{Environment.ProcessId}";
        Execute(connection, $"CREATE SCHEMA {schema}");
        try
        {
            Execute(connection, $"CREATE TABLE {schema}.parent (a int, b int, note text UNIQUE, PRIMARY KEY (b, a))");
            Execute(
                connection,
                $"CREATE TABLE {schema}.child (x int CHECK (x > 0), y int, CONSTRAINT reaches FOREIGN KEY (y, x) REFERENCES {schema}.parent DEFERRABLE)");
            Execute(connection, $"CREATE VIEW {schema}.shown AS SELECT a FROM {schema}.parent");
            Execute(connection, $"CREATE MATERIALIZED VIEW {schema}.kept AS SELECT a FROM {schema}.parent");

            Assert.Equal([("parent_pkey", "PRIMARY KEY", false)], Rows(connection, "PrimaryKey", [null, schema, "parent"], static row =>
                ((string)row["CONSTRAINT_NAME"], (string)row["CONSTRAINT_TYPE"], (bool)row["IS_DEFERRABLE"])));
            Assert.Equal(["parent_note_key"], Rows(connection, "UniqueKeys", [null, schema], static row => (string)row["CONSTRAINT_NAME"]));
            Assert.Equal(
                [("reaches", true)],
                Rows(connection, "ForeignKeys", [null, schema], static row => ((string)row["CONSTRAINT_NAME"], (bool)row["IS_DEFERRABLE"])));
            Assert.Equal(
                ["CHECK CONSTRAINT", "FOREIGN KEY"], Rows(connection, "Constraints", [null, schema, "child"], static row => (string)row["CONSTRAINT_TYPE"]));
            Assert.Equal([("y", 1), ("x", 2)], Rows(connection, "ConstraintColumns", [null, schema, "child", "reaches"], static row =>
                ((string)row["COLUMN_NAME"], (int)row["ORDINAL_NUMBER"])));
            Assert.Equal(["parent_note_key", "parent_pkey"], Rows(connection, "Indexes", [null, schema], static row => (string)row["index_name"]));
            Assert.Equal(["b", "a"], Rows(connection, "IndexColumns", [null, schema, "parent", "parent_pkey"], static row => (string)row["column_name"]));
            Assert.Equal(["shown"], Rows(connection, "Views", [null, schema], static row => (string)row["table_name"]));
            Assert.Equal(
                [("kept", true)], Rows(connection, "MaterializedViews", [null, schema], static row => ((string)row["table_name"], (bool)row["is_populated"])));
            Assert.Single(Rows(connection, "MaterializedViews", [null, schema, "kept", connection.UserName], static row => (string)row["table_owner"]));
            Assert.Empty(Rows(connection, "MaterializedViews", [null, schema, "kept", "nobody"], static row => (string)row["table_owner"]));
            Assert.Equal(
                [("PRIMARY KEY", "b"), ("PRIMARY KEY", "a"), ("UNIQUE KEY", "note")],
                Rows(connection, "ConstraintColumns", [null, schema, "parent"], static row => ((string)row["CONSTRAINT_TYPE"], (string)row["COLUMN_NAME"]))
                    .OrderBy(static row => row.Item1));
            Assert.Equal(["integer", "integer", "text"], Rows(connection, "Columns", [null, schema, "parent"], static row => (string)row["data_type"]));
        }
        finally
        {
            Execute(connection, $"DROP SCHEMA {schema} CASCADE");
        }
    }

    [Fact]
    public async Task Types_have_the_number_and_the_identifier_that_the_server_has()
    {
        await using var connection = await OpenAsync();
        foreach (var (name, type, oid) in Rows(
            connection, "DataTypes", null, static row => ((string)row["TypeName"], (string)row["DataType"], (uint)row["OID"])))
        {
            using var command = new PgCommand("SELECT pg_catalog.format_type(@oid, NULL)", connection);
            command.Parameters.AddWithValue("@oid", PgDbType.Oid, oid);
            Assert.Equal(name, command.ExecuteScalar());
            // Without a length, bit is bit(1), which is read as a Boolean.
            using var read = new PgCommand($"SELECT NULL::{(name == "bit" ? "bit(2)" : name)}", connection);
            using var reader = read.ExecuteReader();
            Assert.Equal(type, reader.GetFieldType(0).ToString());
        }
    }

    [Fact]
    public async Task The_words_that_the_server_reserves_are_listed()
    {
        await using var connection = await OpenAsync();
        var listed = Rows(connection, "ReservedWords", null, static row => (string)row[0]);
        using var command = new PgCommand("SELECT upper(word) FROM pg_get_keywords() WHERE catcode IN ('R', 'T')", connection);
        using var reader = command.ExecuteReader();
        var reserved = new List<string>();
        while (reader.Read())
            reserved.Add(reader.GetString(0));
        Assert.NotEmpty(reserved);
        Assert.Empty(reserved.Except(listed));
    }

    private static List<T> Rows<T>(PgConnection connection, string name, string?[]? restrictions, Func<DataRow, T> read)
    {
        using var table = connection.GetSchema(name, restrictions!);
        return [.. table.Rows.Cast<DataRow>().Select(read)];
    }

    private static void Execute(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    private async Task<PgConnection> OpenAsync()
    {
        var connection = new PgConnection(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(Kind)));
        await connection.OpenAsync();
        return connection;
    }
}
