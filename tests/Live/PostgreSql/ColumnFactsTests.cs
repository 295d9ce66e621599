using System.Data;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>What a reader and derived parameters report about types, as programs written for Npgsql expect it.</summary>
public class ColumnFactsTests
{
    [Theory]
    [InlineData("integer", null, null, null)]
    [InlineData("uuid", null, null, null)]
    [InlineData("text", null, null, null)]
    [InlineData("character varying(10)", 10, null, null)]
    [InlineData("character varying(10)[]", 10, null, null)]
    [InlineData("character(3)", 3, null, null)]
    [InlineData("bit(5)", 5, null, null)]
    [InlineData("bit varying(6)", 6, null, null)]
    [InlineData("numeric", null, null, null)]
    [InlineData("numeric(9, 4)", null, 9, 4)]
    [InlineData("numeric(3, -2)", null, 3, -2)]
    [InlineData("timestamp(2) with time zone", null, 2, null)]
    [InlineData("time(1)", null, 1, null)]
    [InlineData("interval(4)", null, 4, null)]
    [InlineData("interval", null, null, null)]
    public async Task The_facts_of_a_declaration_are_those_of_the_column(string type, int? size, int? precision, int? scale)
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand($"SELECT NULL::{type}", connection);
        await using var reader = command.ExecuteReader();
        var column = Assert.Single(reader.GetColumnSchema());
        Assert.Equal((size, precision, scale), (column.ColumnSize, column.NumericPrecision, column.NumericScale));
        var row = reader.GetSchemaTable()!.Rows[0];
        Assert.Equal((size ?? -1, precision ?? 0, scale ?? 0), ((int)row["ColumnSize"], (int)row["NumericPrecision"], (int)row["NumericScale"]));
    }

    [Fact]
    public async Task A_column_names_its_server_and_database_without_a_lookup()
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand("SELECT 1, typname FROM pg_catalog.pg_type LIMIT 1", connection);
        await using var reader = command.ExecuteReader();
        var columns = reader.GetColumnSchema();
        Assert.All(columns, column => Assert.Equal((connection.Host, connection.Database), (column.BaseServerName, column.BaseCatalogName)));
        Assert.Equal((true, null), (columns[0].IsReadOnly, columns[1].IsReadOnly));
    }

    [Fact]
    public async Task An_expression_is_not_an_identity()
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand("SELECT 1", connection);
        await using var reader = command.ExecuteReader(CommandBehavior.KeyInfo);
        Assert.False(Assert.Single(reader.GetColumnSchema()).IsIdentity);
    }

    [Fact]
    public async Task Domains_keep_their_own_type_and_have_that_of_their_base()
    {
        await using var owner = await OpenAsync();
        var schema = $"facts_{Guid.NewGuid():N}";
        Execute(owner, $"CREATE SCHEMA {schema}");
        try
        {
            Execute(owner, $"CREATE DOMAIN {schema}.code AS varchar(7)");
            Execute(owner, $"CREATE DOMAIN {schema}.amount AS integer");
            Execute(owner, $"CREATE TYPE {schema}.mood AS ENUM ('sad', 'happy')");
            Execute(owner, $"CREATE TYPE {schema}.pair AS (x int, note text)");
            Execute(owner, $"CREATE TABLE {schema}.t (c {schema}.code)");
            await using var source = PgDataSource.Create(await ConnectionStringAsync());
            await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);

            await using (var command = new PgCommand($"SELECT c FROM {schema}.t", connection))
            await using (var reader = command.ExecuteReader(CommandBehavior.KeyInfo))
            {
                var column = Assert.Single(reader.GetColumnSchema());
                Assert.Equal("character varying", Assert.IsType<PostgresDomainType>(column.PostgresType).BaseType.Name);
                Assert.Equal((7, PgDbType.Varchar), (column.ColumnSize, column.PgDbType));
            }

            await using var derived = new PgCommand(
                $"SELECT @a::{schema}.amount, @b::{schema}.amount[], @c::{schema}.mood, @d::{schema}.pair, @e::int", connection);
            PgCommandBuilder.DeriveParameters(derived);
            var (a, b, c, d, e) = (derived.Parameters[0], derived.Parameters[1], derived.Parameters[2], derived.Parameters[3], derived.Parameters[4]);
            Assert.Equal(
                [PgDbType.Integer, PgDbType.Integer | PgDbType.Array, PgDbType.Unknown, PgDbType.Unknown, PgDbType.Integer],
                derived.Parameters.Select(static parameter => parameter.PgDbType));
            Assert.Equal(
                [$"{schema}.amount", $"{schema}.amount[]", $"{schema}.mood", $"{schema}.pair", "integer"],
                derived.Parameters.Select(static parameter => parameter.DataTypeName));
            Assert.IsType<PostgresDomainType>(a.PostgresType);
            Assert.IsType<PostgresDomainType>(Assert.IsType<PostgresArrayType>(b.PostgresType).Element);
            Assert.Equal(["sad", "happy"], Assert.IsType<PostgresEnumType>(c.PostgresType).Labels);
            Assert.Equal(["x", "note"], Assert.IsType<PostgresCompositeType>(d.PostgresType).Fields.Select(static field => field.Name));
            Assert.Equal("integer", e.PostgresType!.Name);
            (a.Value, b.Value, c.Value, d.Value, e.Value) = (23, (int[])[7, 42], "happy", "(1,one)", 5);
            await using var row = derived.ExecuteReader();
            Assert.True(row.Read());
            Assert.Equal((23, "happy", 5), (row.GetInt32(0), row.GetString(2), row.GetInt32(4)));
            Assert.Equal([7, 42], row.GetFieldValue<int[]>(1));

            a.PgDbType = PgDbType.Text;
            Assert.Equal("text", a.PostgresType!.Name);
        }
        finally
        {
            Execute(owner, $"DROP SCHEMA {schema} CASCADE");
        }
    }

    [Fact]
    public async Task A_value_is_sent_as_the_type_that_its_class_was_mapped_to_first()
    {
        await using var owner = await OpenAsync();
        var schema = $"facts_{Guid.NewGuid():N}";
        Execute(owner, $"CREATE SCHEMA {schema}");
        try
        {
            Execute(owner, $"CREATE TYPE {schema}.first AS (x int)");
            Execute(owner, $"CREATE TYPE {schema}.second AS (x int)");
            var builder = new PgDataSourceBuilder(await ConnectionStringAsync());
            builder.MapComposite<Point>($"{schema}.first").MapComposite<Point>($"{schema}.second");
            await using var source = builder.Build();
            await using var command = source.CreateCommand("SELECT pg_typeof(@p)::text");
            command.Parameters.AddWithValue("p", new Point { X = 3 });
            Assert.Equal($"{schema}.first", command.ExecuteScalar());
            command.Parameters[0].DataTypeName = $"{schema}.second";
            Assert.Equal($"{schema}.second", command.ExecuteScalar());
            await using var read = source.CreateCommand($"SELECT ROW(4)::{schema}.second");
            Assert.Equal(4, Assert.IsType<Point>(read.ExecuteScalar()).X);
        }
        finally
        {
            Execute(owner, $"DROP SCHEMA {schema} CASCADE");
        }
    }

    private static void Execute(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    private static async Task<PgConnection> OpenAsync()
    {
        var connection = new PgConnection(await ConnectionStringAsync());
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        return connection;
    }

    private static async Task<string> ConnectionStringAsync() => ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql));

    private sealed class Point
    {
        public int X { get; set; }
    }
}
