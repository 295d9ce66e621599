using System.Text.Json;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>
/// Types that a database adds, and types that contain others: each value is read by an execution that receives text, by one that receives the binary format,
/// and by a prepared one, and sent back to the server.
/// </summary>
public class DatabaseTypeTests
{
    private static readonly Lock Gate = new();
    private static bool _isCreated;

    private static async Task<PgDataSource> SourceAsync(Action<PgDataSourceBuilder>? configure = null, string options = "")
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var builder = new PgDataSourceBuilder(ConnectionStrings.PostgreSql(server, options));
        lock (Gate)
        {
            if (!_isCreated)
            {
                using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server, ""));
                using var connection = (PgConnection)source.OpenConnection();
                Execute(connection, """
                    DROP SCHEMA IF EXISTS database_types CASCADE;
                    CREATE SCHEMA database_types;
                    CREATE TYPE database_types.mood AS ENUM ('sad', 'very_happy', 'with "quotes"');
                    CREATE TYPE database_types.item AS (id int, name text, mood database_types.mood, parts int[]);
                    CREATE TYPE database_types.box_of AS (content database_types.item, size int8);
                    CREATE DOMAIN database_types.positive AS int CHECK (value > 0);
                    CREATE TYPE database_types.textrange AS RANGE (subtype = text);
                    """);
                _isCreated = true;
            }
        }

        configure?.Invoke(builder);
        return builder.Build();
    }

    private static void Execute(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    // Text, binary, and prepared.
    private static void Reads<T>(PgConnection connection, string expression, T expected)
    {
        for (var execution = 0; execution < 4; execution++)
        {
            using var command = new PgCommand("SELECT " + expression, connection);
            if (execution == 2)
                command.Prepare();
            using var reader = command.ExecuteReader();
            Assert.True(reader.Read());
            Assert.Equal(expected, reader.GetFieldValue<T>(0));
        }
    }

    private static void RoundTrips<T>(PgConnection connection, T value, string type, Action<PgParameter>? configure = null)
    {
        for (var execution = 0; execution < 4; execution++)
        {
            using var command = new PgCommand($"SELECT $1, pg_typeof($1)::text, $1::{type}::text", connection);
            var parameter = execution % 2 == 0 ? new PgParameter("", (object?)value) : new PgParameter<T> { TypedValue = value };
            configure?.Invoke(parameter);
            command.Parameters.Add(parameter);
            using var reader = command.ExecuteReader();
            Assert.True(reader.Read());
            Assert.Equal(value, reader.GetFieldValue<T>(0));
            Assert.Equal(type, reader.GetString(1));
        }
    }

    [Fact]
    public async Task An_enumeration_without_a_mapping_has_the_labels_as_names()
    {
        await using var source = await SourceAsync();
        await using var connection = (PgConnection)await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Reads(connection, "'very_happy'::database_types.mood", Mood.VeryHappy);
        Reads(connection, "array['sad', 'very_happy']::database_types.mood[]", new[] { Mood.Sad, Mood.VeryHappy });
        RoundTrips(connection, Mood.VeryHappy, "database_types.mood", static parameter => parameter.DataTypeName = "database_types.mood");
        RoundTrips(connection, new[] { Mood.Sad }, "database_types.mood[]", static parameter => parameter.DataTypeName = "database_types.mood[]");
    }

    [Fact]
    public async Task An_array_of_small_numbers_or_letters_is_not_bytes_or_text()
    {
        await using var source = await SourceAsync();
        await using var connection = (PgConnection)await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Reads(connection, "array[1, 2]", new byte[] { 1, 2 });
        Reads(connection, "array['a', 'b']::char[]", new[] { 'a', 'b' });
        Reads(connection, "'ab'", new[] { 'a', 'b' });
        RoundTrips(connection, new sbyte[] { -1, 1 }, "smallint[]");
    }

    [Fact]
    public async Task The_name_of_a_column_s_type_contains_its_length()
    {
        await using var source = await SourceAsync();
        await using var connection = (PgConnection)await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        foreach (var type in (string[])[
            "integer", "numeric(20, 4)", "character varying(10)", "character varying(10)[]", "character", "timestamp(3) with time zone",
            "time(0) without time zone", "interval", "interval(2)", "bit(3)", "bit varying(5)"])
        {
            using var command = new PgCommand($"SELECT NULL::{type}", connection);
            using var reader = command.ExecuteReader();
            Assert.Equal(type, reader.GetDataTypeName(0));
        }
    }

    [Fact]
    public async Task Options_of_JSON_may_be_set_before_or_after_EnableDynamicJson()
    {
        var camelCase = new JsonSerializerOptions { PropertyNamingPolicy = JsonNamingPolicy.CamelCase };
        foreach (var configure in (Action<PgDataSourceBuilder>[])[
            builder => builder.ConfigureJsonOptions(camelCase).EnableDynamicJson(), builder => builder.EnableDynamicJson().ConfigureJsonOptions(camelCase)])
        {
            await using var source = await SourceAsync(configure);
            await using var command = source.CreateCommand("SELECT '{\"year\": 7}'::json");
            Assert.Equal(7, Assert.IsType<Dated>(await ReadAsync(command)).Year);
        }
    }

    private sealed class Dated
    {
        public int Year { get; set; }
    }

    private static async Task<object> ReadAsync(PgCommand command)
    {
        await using var reader = await command.ExecuteReaderAsync(TestContext.Current.CancellationToken);
        await reader.ReadAsync(TestContext.Current.CancellationToken);
        return reader.GetFieldValue<Dated>(0);
    }

    [Fact]
    public async Task Details_of_notices_are_shown_only_if_the_option_allows_it()
    {
        foreach (var isIncluded in (bool[])[false, true])
        {
            await using var source = await SourceAsync(options: $"Include Error Detail={isIncluded}");
            await using var connection = (PgConnection)await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
            PgNotice? notice = null;
            connection.Notice += (_, e) => notice = e.Notice;
            Execute(connection, "DO $$ BEGIN RAISE NOTICE 'careful' USING DETAIL = 'secret'; END $$");
            Assert.Equal(isIncluded, notice!.Detail!.Contains("secret", StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task Arrays_are_read_and_sent()
    {
        await using var source = await SourceAsync();
        await using var connection = (PgConnection)await source.OpenConnectionAsync();
        Reads(connection, "'{}'::int[]", Array.Empty<int>());
        Reads(connection, "'{1,-2,2147483647}'::int[]", new[] { 1, -2, int.MaxValue });
        Reads(connection, "'[0:1]={1,2}'::int[]", new[] { 1, 2 });
        Reads(connection, "'{{1,2},{3,4}}'::int[]", new[,] { { 1, 2 }, { 3, 4 } });
        Reads(connection, "'{1,NULL}'::int[]", new int?[] { 1, null });
        Reads<string?[]>(connection, "array['a,b', '', NULL, 'null', 'q\"\\', ' x ', '{}']", ["a,b", "", null, "null", "q\"\\", " x ", "{}"]);
        Reads(connection, "array[1.50, -0.001]", new[] { 1.50m, -0.001m });
        Reads(connection, "array['\\x00ff'::bytea]", new[] { new byte[] { 0, 255 } });
        Reads(connection, "array['2026-01-02'::date, 'infinity']", new[] { new DateOnly(2026, 1, 2), DateOnly.MaxValue });
        Reads(connection, "array['2026-01-02 03:04:05.5+00'::timestamptz]", new[] { new DateTime(2026, 1, 2, 3, 4, 5, 500, DateTimeKind.Utc) });
        Reads(connection, "array[1::int2, 2]", new List<long> { 1, 2 });
        Reads(connection, "array[1, 2]", new[] { DayOfWeek.Monday, DayOfWeek.Tuesday });
        RoundTrips(connection, new[] { 1, 2, 3 }, "integer[]");
        RoundTrips(connection, new List<string?> { "a", null, "q\"\\{},", "" }, "text[]");
        RoundTrips(connection, new[,] { { 1L, 2 }, { 3, 4 } }, "bigint[]");
        RoundTrips(connection, new int?[] { 1, null }, "integer[]");
        RoundTrips(connection, new[] { Guid.Empty }, "uuid[]");
        RoundTrips(connection, new[] { new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc) }, "timestamp with time zone[]");
        RoundTrips(connection, new[] { new DateTime(2026, 1, 2, 3, 4, 5) }, "timestamp without time zone[]");
        RoundTrips(connection, new[] { true, false }, "boolean[]");
        RoundTrips(connection, new[] { 1.5, double.NaN }, "double precision[]");
        using var any = new PgCommand("SELECT count(*) FROM generate_series(1, 9) AS i WHERE i = ANY(@ids)", connection);
        any.Parameters.AddWithValue("ids", new List<int> { 2, 5, 11 });
        Assert.Equal(2L, any.ExecuteScalar());
    }

    [Fact]
    public async Task An_array_with_NULL_needs_elements_that_can_be_null()
    {
        await using var source = await SourceAsync();
        await using var connection = (PgConnection)await source.OpenConnectionAsync();
        await using var strict = new PgCommand("SELECT array[1, NULL]", connection);
        Assert.Contains("contains NULL", (await Assert.ThrowsAsync<InvalidCastException>(() => strict.ExecuteScalarAsync())).Message);
        await using var loose = await SourceAsync(options: "Array Nullability Mode=PerInstance");
        Assert.Equal(new int?[] { 1, null }, await loose.CreateCommand("SELECT array[1, NULL]").ExecuteScalarAsync());
        Assert.Equal(new[] { 1 }, await loose.CreateCommand("SELECT array[1]").ExecuteScalarAsync());
    }

    [Fact]
    public async Task Ranges_and_multiranges_are_read_and_sent()
    {
        await using var source = await SourceAsync();
        await using var connection = (PgConnection)await source.OpenConnectionAsync();
        Reads(connection, "'[1,5)'::int4range", new PgRange<int>(1, true, 5, false));
        Reads(connection, "'empty'::int4range", PgRange<int>.Empty);
        Reads(connection, "'(,5]'::numrange", new PgRange<decimal>(0, false, true, 5, true, false));
        Reads(connection, "'[2026-01-01,2026-02-01)'::daterange", new PgRange<DateOnly>(new(2026, 1, 1), true, new(2026, 2, 1), false));
        Reads(connection, "'[\"a,b\",\"c\\\\\"\"d\")'::database_types.textrange", new PgRange<string>("a,b", true, "c\\\"d", false));
        Reads(connection, "'{[1,2],[5,7)}'::int4multirange", new[] { new PgRange<int>(1, true, 3, false), new PgRange<int>(5, true, 7, false) });
        Reads(connection, "'{}'::int4multirange", Array.Empty<PgRange<int>>());
        RoundTrips(connection, new PgRange<int>(1, true, 7, false), "int4range");
        RoundTrips(connection, new PgRange<long>(1, false, true, 7, false, false), "int8range");
        RoundTrips(connection, new[] { new PgRange<int>(1, true, 7, false) }, "int4multirange");
        RoundTrips(connection, new[] { new PgRange<int>(1, true, 7, false) }, "int4range[]", parameter => parameter.DataTypeName = "int4range[]");
        var january = new PgRange<DateTime>(new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc), new(2026, 2, 1, 0, 0, 0, DateTimeKind.Utc));
        RoundTrips(connection, january, "tstzrange");
    }

    [Fact]
    public async Task Mapped_enumerations_and_composite_types_are_read_and_sent()
    {
        await using var source = await SourceAsync(builder =>
        {
            builder.MapEnum<Mood>("database_types.mood");
            builder.MapComposite<Item>("database_types.item");
            builder.MapComposite<BoxOf>("database_types.box_of");
        });
        await using var connection = (PgConnection)await source.OpenConnectionAsync();
        var item = new Item { Id = 1, Name = "a \"b\",(\\", Mood = Mood.WithQuotes, Parts = [1, 2] };
        Reads(connection, "'very_happy'::database_types.mood", Mood.VeryHappy);
        Reads(connection, "'{sad,\"with \\\"quotes\\\"\"}'::database_types.mood[]", new[] { Mood.Sad, Mood.WithQuotes });
        Reads(connection, "(1, 'a \"b\",(\\', 'with \"quotes\"', '{1,2}')::database_types.item", item);
        Reads(connection, "array[(1, 'a \"b\",(\\', 'with \"quotes\"', '{1,2}')::database_types.item]", new[] { item });
        Reads(connection, "((1, NULL, NULL, NULL)::database_types.item, 7)::database_types.box_of", new BoxOf(new Item { Id = 1 }, 7));
        RoundTrips(connection, Mood.VeryHappy, "database_types.mood");
        RoundTrips(connection, new List<Mood> { Mood.VeryHappy, Mood.Sad }, "database_types.mood[]");
        RoundTrips(connection, new Mood?[] { Mood.VeryHappy, null }, "database_types.mood[]");
        RoundTrips(connection, new List<Mood?> { null, Mood.Sad }, "database_types.mood[]");
        RoundTrips(connection, item, "database_types.item");
        RoundTrips(connection, new BoxOf(item, long.MaxValue), "database_types.box_of");
        RoundTrips(connection, new[] { item, new Item() }, "database_types.item[]");
        await using var exporter = connection.BeginBinaryExport("COPY (SELECT 'very_happy'::database_types.mood) TO STDOUT (FORMAT binary)");
        Assert.Equal(1, exporter.StartRow());
        Assert.Equal(Mood.VeryHappy, exporter.Read<Mood>());
    }

    [Fact]
    public async Task Types_without_a_mapping_are_read_as_text_objects_and_tuples()
    {
        await using var source = await SourceAsync();
        await using var connection = (PgConnection)await source.OpenConnectionAsync();
        Reads<object>(connection, "'sad'::database_types.mood", "sad");
        Reads<object>(connection, "array['sad'::database_types.mood]", new[] { "sad" });
        Reads<object>(connection, "(1, 'x', 'sad', NULL)::database_types.item", new object[] { 1, "x", "sad", DBNull.Value });
        Reads(connection, "(1, 'x', 'sad', NULL)::database_types.item", (1, "x", "sad", default(int[])));
        Reads(connection, "ROW(1, 'x y', NULL::int)", (1, "x y", default(int?)));
        Reads<object>(connection, "ROW(1, 'x y')", new object[] { "1", "x y" });
        Reads(connection, "array[7::database_types.positive]", new[] { 7 });
        RoundTrips(connection, 7, "database_types.positive", parameter => parameter.DataTypeName = "database_types.positive");
        RoundTrips(connection, "sad", "database_types.mood", parameter => parameter.DataTypeName = "database_types.mood");
        RoundTrips(connection, (1, "x", "sad", default(int[])), "database_types.item", parameter => parameter.DataTypeName = "database_types.item");
        using var unknown = new PgCommand("SELECT $1", connection);
        unknown.Parameters.Add(new PgParameter { Value = 1, DataTypeName = "no_such_type" });
        Assert.Contains("has no type 'no_such_type'", Assert.Throws<NotSupportedException>(() => unknown.ExecuteScalar()).Message);
        Assert.Equal(1, new PgCommand("SELECT 1", connection).ExecuteScalar());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_type_that_is_created_later_is_known_after_ReloadTypes(bool asynchronous)
    {
        await using var source = await SourceAsync(builder => builder.MapEnum<Mood>($"late_{Environment.ProcessId}_{asynchronous}".ToLowerInvariant()));
        await using var connection = (PgConnection)await source.OpenConnectionAsync();
        await using var other = (PgConnection)await source.OpenConnectionAsync();
        var name = $"late_{Environment.ProcessId}_{asynchronous}".ToLowerInvariant();
        Execute(connection, $"CREATE TYPE {name} AS ENUM ('sad', 'very_happy')");
        try
        {
            using var command = new PgCommand($"SELECT 'very_happy'::{name}", other);
            Assert.Equal("very_happy", command.ExecuteScalar());
            if (asynchronous)
                await connection.ReloadTypesAsync(TestContext.Current.CancellationToken);
            else
                connection.ReloadTypes();
            for (var execution = 0; execution < 3; execution++)
                Assert.Equal(Mood.VeryHappy, command.ExecuteScalar());
        }
        finally
        {
            Execute(connection, $"DROP TYPE {name}");
        }
    }

    // The server has no binary form of aclitem, and another form than that of integer for every other type.
    [Theory]
    [InlineData("Auto Prepare=false")]
    [InlineData("")]
    public async Task A_result_with_the_type_of_a_parameter_is_read_whatever_the_last_execution_had(string options)
    {
        await using var source = await SourceAsync(options: options);
        await using var connection = (PgConnection)await source.OpenConnectionAsync();
        using var user = new PgCommand("SELECT current_user::text", connection);
        var acl = $"=r/{user.ExecuteScalar()}";
        for (var execution = 0; execution < 8; execution++)
        {
            Assert.Equal(execution, Echo("integer", execution));
            Assert.Equal(acl, Echo("aclitem", acl));
            Assert.Equal(acl, Echo("aclitem", acl));
            Assert.Equal(execution, Echo("integer", execution));
            Assert.Equal("a b", Echo("text", "a b"));
        }

        object? Echo(string type, object value)
        {
            using var command = new PgCommand("SELECT $1", connection);
            command.Parameters.Add(new PgParameter { Value = value, DataTypeName = type });
            return command.ExecuteScalar();
        }
    }

    [Fact]
    public async Task Without_loading_the_values_of_such_types_are_text()
    {
        await using var source = await SourceAsync(options: "Server Compatibility Mode=NoTypeLoading");
        await using var connection = (PgConnection)await source.OpenConnectionAsync();
        Reads<object>(connection, "'sad'::database_types.mood", "sad");
        Reads<object>(connection, "(1, 'x', 'sad', NULL)::database_types.item", "(1,x,sad,)");
        Reads<object>(connection, "array[1, 2]", new[] { 1, 2 });
    }

    [Fact]
    public async Task JSON_documents_are_read_as_objects()
    {
        await using var source = await SourceAsync(builder => builder.EnableDynamicJson());
        await using var connection = (PgConnection)await source.OpenConnectionAsync();
        foreach (var type in new[] { "json", "jsonb" })
        {
            Reads(connection, $$"""'{"Id": 3, "Name": "ä"}'::{{type}}""", new Document(3, "ä"));
            Reads(connection, $"array['{{\"Id\": 3, \"Name\": \"ä\"}}'::{type}]", new[] { new Document(3, "ä") });
            using var command = new PgCommand($"""SELECT '[1,2]'::{type}""", connection);
            using var reader = command.ExecuteReader();
            Assert.True(reader.Read());
            Assert.Equal(2, reader.GetFieldValue<JsonElement>(0).GetArrayLength());
            using var document = reader.GetFieldValue<JsonDocument>(0);
            Assert.Equal(JsonValueKind.Array, document.RootElement.ValueKind);
        }

        RoundTrips(connection, new Document(4, "q\""), "jsonb", parameter => parameter.PgDbType = PgDbType.Jsonb);
    }

    private enum Mood
    {
        Sad,
        VeryHappy,
        [PgName("with \"quotes\"")]
        WithQuotes,
    }

    private sealed class Item : IEquatable<Item>
    {
        public int Id { get; set; }
        public string? Name { get; set; }
        public Mood? Mood { get; set; }
        public int[]? Parts { get; set; }

        public bool Equals(Item? other) => other is not null && (Id, Name, Mood) == (other.Id, other.Name, other.Mood)
            && (Parts is null ? other.Parts is null : other.Parts is not null && Parts.SequenceEqual(other.Parts));

        public override bool Equals(object? obj) => Equals(obj as Item);

        public override int GetHashCode() => Id;
    }

    private sealed record BoxOf(Item Content, long Size);

    private sealed record Document(int Id, string Name);
}
