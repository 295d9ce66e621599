using System.Data;
using System.Net;
using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>A bulk copy into columns whose types the database or the data source's builder adds.</summary>
public class BulkTypeTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    // The copy's savepoint has gone, so an error ends the transaction.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_serialization_failure_after_a_copy_rolls_the_transaction_back(bool asynchronous)
    {
        await using var source = await SourceAsync(ServerKind.PostgreSql, static _ => { });
        await using var connection = (PgConnection)await source.OpenConnectionAsync(Token);
        Execute(connection, """
            CREATE TEMP TABLE copied (a int);
            CREATE FUNCTION pg_temp.failure() RETURNS int LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION USING ERRCODE = ''40001''; END'
            """);
        using var transaction = connection.BeginTransaction();
        var bulk = new PgBulkCopy(connection, transaction) { DestinationTableName = "copied" };
        Action<PgBulkRow, int> write = static (row, value) => row.Write(value);
        _ = asynchronous ? await bulk.WriteToServerAsync([7], write, Token) : bulk.WriteToServer([7], write);
        Assert.Equal(RetrySafety.RolledBack, Assert.Throws<PgException>(() => Execute(connection, "SELECT pg_temp.failure()")).RetrySafety);
    }

    [Theory]
    [InlineData(ServerKind.PostgreSql, false)]
    [InlineData(ServerKind.PostgreSql, true)]
    [InlineData(ServerKind.PostgreSql18, false)]
    [InlineData(ServerKind.PostgreSql18, true)]
    public async Task Values_are_written_in_the_types_of_their_columns(ServerKind kind, bool asynchronous)
    {
        await using var types = await TypesAsync(kind);
        await using var source = await SourceAsync(kind, builder =>
        {
            builder.MapEnum<Mood>($"{types.Schema}.mood");
            builder.MapComposite<Item>($"{types.Schema}.item");
        });
        await using var connection = (PgConnection)await source.OpenConnectionAsync(Token);
        Execute(connection, $"SET search_path = {types.Schema}, public");
        Execute(connection, """
            CREATE TEMP TABLE bulk_types (mood mood, item item, moods mood[], numbers int[], span int4range, address inet, nested even, price money, doc jsonb)
            """);
        Row[] rows =
        [
            new(
                Mood.VeryHappy, new(7, "a \"b\",(", Mood.Sad), [Mood.Sad, null], [1, 2, 3], new(1, true, 5, false), IPAddress.Parse("10.0.0.1"), 4, 1.25m,
                "[1]"),
            new(null, null, [], [], PgRange<int>.Empty, IPAddress.IPv6Loopback, 2, -1m, "{}"),
        ];
        var bulk = new PgBulkCopy(connection) { DestinationTableName = "bulk_types" };
        var result = asynchronous ? await bulk.WriteToServerAsync(rows, Write, Token) : bulk.WriteToServer(rows, Write);
        Assert.Equal(2, result.RowsInserted);
        using var command = new PgCommand("SELECT * FROM bulk_types ORDER BY nested DESC", connection);
        using (var reader = command.ExecuteReader())
        {
            foreach (var row in rows)
            {
                Assert.True(reader.Read());
                Assert.Equal(row.Mood, reader.GetFieldValue<Mood?>(0));
                Assert.Equal(row.Item, reader.IsDBNull(1) ? null : reader.GetFieldValue<Item>(1));
                Assert.Equal(row.Moods, reader.GetFieldValue<Mood?[]>(2));
                Assert.Equal(row.Numbers, reader.GetFieldValue<List<int>>(3));
                Assert.Equal(row.Span, reader.GetFieldValue<PgRange<int>>(4));
                Assert.Equal(row.Address, reader.GetFieldValue<IPAddress>(5));
                Assert.Equal(row.Nested, reader.GetInt32(6));
                Assert.Equal(row.Price, reader.GetDecimal(7));
                Assert.Equal(row.Doc, reader.GetString(8));
            }
        }

        // From a table in memory, values are boxed. A column of an enumeration would store numbers.
        using var table = new DataTable();
        table.Columns.Add("mood", typeof(object));
        table.Columns.Add("numbers", typeof(int[]));
        table.Rows.Add(Mood.Sad, new[] { 9 });
        table.Rows.Add(DBNull.Value, DBNull.Value);
        bulk.ColumnMappings.Add(new(0, "mood"));
        bulk.ColumnMappings.Add(new(1, "numbers"));
        Assert.Equal(2, (asynchronous ? await bulk.WriteToServerAsync(table, Token) : bulk.WriteToServer(table)).RowsInserted);
        using var count = new PgCommand(
            "SELECT count(*) FROM bulk_types WHERE nested IS NULL AND (mood = 'sad' AND numbers = '{9}' OR mood IS NULL)", connection);
        Assert.Equal(2L, count.ExecuteScalar());

        static void Write(PgBulkRow target, Row row)
        {
            target.Write(row.Mood);
            target.Write(row.Item);
            target.Write(row.Moods);
            target.Write(row.Numbers);
            target.Write(row.Span);
            target.Write(row.Address);
            target.Write(row.Nested);
            target.Write(row.Price);
            target.Write(row.Doc);
        }
    }

    [Fact]
    public async Task An_enumeration_without_a_mapping_is_written_by_its_labels()
    {
        await using var types = await TypesAsync(ServerKind.PostgreSql);
        await using var source = await SourceAsync(ServerKind.PostgreSql, static _ => { });
        await using var connection = (PgConnection)await source.OpenConnectionAsync(Token);
        Execute(connection, $"CREATE TEMP TABLE bulk_labels (mood {types.Schema}.mood)");
        var bulk = new PgBulkCopy(connection) { DestinationTableName = "bulk_labels" };
        Assert.Equal(1, bulk.WriteToServer(["very_happy"], static (row, value) => row.Write(value)).RowsInserted);
        Assert.Equal(1, bulk.WriteToServer([Plain.sad], static (row, value) => row.Write(value)).RowsInserted);
    }

    [Fact]
    public async Task A_type_that_was_created_later_is_known_after_a_reload()
    {
        await using var types = await TypesAsync(ServerKind.PostgreSql);
        await using var source = await SourceAsync(ServerKind.PostgreSql, static _ => { });
        await using var connection = (PgConnection)await source.OpenConnectionAsync(Token);
        Execute(connection, $"CREATE TYPE {types.Schema}.late AS (a int, b text)");
        Execute(connection, $"CREATE TEMP TABLE bulk_late (v {types.Schema}.late)");
        var bulk = new PgBulkCopy(connection) { DestinationTableName = "bulk_late" };
        var refused = Assert.Throws<NotSupportedException>(() => bulk.WriteToServer([(1, "x")], static (row, value) => row.Write(value)));
        Assert.Contains("ReloadTypes", refused.Message);
        await connection.ReloadTypesAsync(Token);
        Assert.Equal(1, bulk.WriteToServer([(1, "x")], static (row, value) => row.Write(value)).RowsInserted);
        using var command = new PgCommand("SELECT (v).a, (v).b FROM bulk_late", connection);
        using var reader = command.ExecuteReader();
        Assert.True(reader.Read());
        Assert.Equal((1, "x"), (reader.GetInt32(0), reader.GetString(1)));
    }

    [Fact]
    public async Task A_value_of_another_type_is_refused_and_no_row_is_written()
    {
        await using var source = await SourceAsync(ServerKind.PostgreSql, static _ => { });
        await using var connection = (PgConnection)await source.OpenConnectionAsync(Token);
        Execute(connection, "CREATE TEMP TABLE bulk_wrong (v int[])");
        var bulk = new PgBulkCopy(connection) { DestinationTableName = "bulk_wrong" };
        object[] rows = [new[] { 1 }, new[] { "a" }];
        var refused = Assert.Throws<PgException>(() => bulk.WriteToServer(rows, static (row, value) => row.Write(value)));
        Assert.IsType<InvalidCastException>(refused.InnerException);
        using var command = new PgCommand("SELECT count(*) FROM bulk_wrong", connection);
        Assert.Equal(0L, command.ExecuteScalar());
    }

    // ---------------------------------------------------------------- helpers

    private static async Task<Types> TypesAsync(ServerKind kind)
    {
        var types = new Types($"bulk_types_{Guid.NewGuid():N}", await SourceAsync(kind, static _ => { }));
        await types.ExecuteAsync($"""
            CREATE SCHEMA {types.Schema};
            CREATE TYPE {types.Schema}.mood AS ENUM ('sad', 'very_happy');
            CREATE TYPE {types.Schema}.item AS (id int, name text, mood {types.Schema}.mood);
            CREATE DOMAIN {types.Schema}.positive AS int CHECK (value > 0);
            CREATE DOMAIN {types.Schema}.even AS {types.Schema}.positive CHECK (value % 2 = 0);
            """);
        return types;
    }

    private static async Task<PgDataSource> SourceAsync(ServerKind kind, Action<PgDataSourceBuilder> configure)
    {
        var builder = new PgDataSourceBuilder(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(kind)));
        configure(builder);
        return builder.Build();
    }

    private static void Execute(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    /// <summary>A schema for the types of one test.</summary>
    private sealed class Types(string schema, PgDataSource source) : IAsyncDisposable
    {
        public string Schema => schema;

        public async Task ExecuteAsync(string sql)
        {
            await using var connection = (PgConnection)await source.OpenConnectionAsync(Token);
            Execute(connection, sql);
        }

        public async ValueTask DisposeAsync()
        {
            await ExecuteAsync($"DROP SCHEMA {schema} CASCADE");
            await source.DisposeAsync();
        }
    }

    private enum Plain
    {
        sad,
    }

    private enum Mood
    {
        Sad,
        VeryHappy,
    }

    private sealed record Item
    {
        public Item()
        {
        }

        public Item(int id, string name, Mood mood) => (Id, Name, Mood) = (id, name, mood);

        public int Id { get; set; }

        public string? Name { get; set; }

        public Mood Mood { get; set; }
    }

    private sealed record Row(
        Mood? Mood, Item? Item, Mood?[] Moods, List<int> Numbers, PgRange<int> Span, IPAddress Address, int Nested, decimal Price, string Doc);
}
