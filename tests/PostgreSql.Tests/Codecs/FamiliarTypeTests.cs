using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Tests.Codecs;

/// <summary>.NET types that programs written for Npgsql use for the values of PostgreSQL's types.</summary>
public class FamiliarTypeTests
{
    private const uint Mood = 20000;
    private const uint Pair = 20002;
    private const uint PairRange = 20004;

    private static TypeCatalogue Catalogue(Action<TypeMappings>? map = null)
    {
        var mappings = new TypeMappings();
        map?.Invoke(mappings);
        return new(mappings, [
            new(Mood, "public", "mood", TypeCategory.Enum, 0) { Labels = { "sad", "very_happy", "so-so" } },
            new(Mood + 1, "public", "_mood", TypeCategory.Array, Mood),
            new(Pair, "public", "pair", TypeCategory.Composite, 0) { Fields = { ("id", 23), ("name", 25) } },
            new(PairRange, "public", "pairrange", TypeCategory.Range, Pair),
        ]);
    }

    private static T Read<T>(TypeCatalogue types, string type, string text)
    {
        Assert.True(types.Get(types.Find(type)).TryRead<T>(Encoding.UTF8.GetBytes(text), isBinary: false, out var value));
        return value!;
    }

    // The content without its length.
    private static byte[] Written(TypeCatalogue types, string type, object value)
    {
        var writer = new ByteWriter(64);
        Values.Write(writer, value, types.Find(type), size: 0, types);
        return writer.Written[4..].ToArray();
    }

    [Fact]
    public void Elements_of_an_array_are_read_as_any_type_that_a_column_is_read_as()
    {
        var types = TypeCatalogue.BuiltIn;
        Assert.Equal([1, 2], Read<ReadOnlyMemory<byte>[]>(types, "bytea[]", """{"\\x0102"}""")[0].ToArray());
        Assert.Equal([1, 2], Read<Memory<byte>[]>(types, "bytea[]", """{"\\x0102"}""")[0].ToArray());
        Assert.Equal([1, 2], Read<ArraySegment<byte>[]>(types, "bytea[]", """{"\\x0102"}""")[0].ToArray());
        Assert.Equal([1, 2], Read<ArraySegment<byte>>(types, "bytea", "\\x0102").ToArray());
        Assert.Equal(1, Read<JsonDocument[]>(types, "json[]", """{"{\"a\": 1}"}""")[0].RootElement.GetProperty("a").GetInt32());
        Assert.Equal(1, (int)Read<JsonObject[]>(types, "jsonb[]", """{"{\"a\": 1}"}""")[0]["a"]!);
        Assert.Equal(2, Read<JsonArray[]>(types, "jsonb[]", """{"[1, 2]"}""")[0].Count);
        Assert.Equal([(1, "a"), (2, "b")], Read<(int, string)[]>(types, "record[]", """{"(1,a)","(2,b)"}"""));
        Assert.Equal([Tuple.Create(1, "a")], Read<Tuple<int, string>[]>(types, "record[]", """{"(1,a)"}"""));
        Assert.Equal([new PgRange<int>(1, true, 3, false)], Read<PgRange<int>[][]>(types, "int4multirange[]", """{"{[1,3)}"}""")[0]);
        Assert.IsType<PgRange<int>[][]>(types.Get(types.Find("int4multirange[]")).Read(Encoding.UTF8.GetBytes("""{"{[1,3)}"}"""), isBinary: false));
        Assert.Throws<InvalidCastException>(() => Read<JsonArray[]>(types, "json[]", """{"{\"a\": 1}"}"""));
    }

    [Fact]
    public void The_kind_of_a_DateTime_decides_inside_an_array_of_multiranges()
    {
        var utc = new PgRange<DateTime>(new DateTime(2024, 1, 1, 0, 0, 0, DateTimeKind.Utc), new DateTime(2024, 1, 2, 0, 0, 0, DateTimeKind.Utc));
        var types = TypeCatalogue.BuiltIn;
        Assert.Equal(types.Find("tstzmultirange[]"), Values.TypeOf(new[] { new[] { utc } }, types));
        Assert.Equal(types.Find("tstzmultirange[]"), Values.TypeOf(new[] { new List<PgRange<DateTime>> { utc } }, types));
        Assert.Equal(types.Find("tstzmultirange"), Values.TypeOf(new[] { utc }, types));
        Assert.Equal(types.Find("tsmultirange[]"), Values.TypeOf(new[] { new[] { new PgRange<DateTime>(new(2024, 1, 1), new(2024, 1, 2)) } }, types));
    }

    [Fact]
    public void An_array_of_signed_bytes_is_an_array_of_numbers()
    {
        var types = TypeCatalogue.BuiltIn;
        Assert.Equal(types.Find("smallint[]"), Values.TypeOf(new sbyte[] { -1, 1 }, types));
        Assert.Equal(types.Find("bytea"), Values.TypeOf(new byte[] { 1 }, types));
    }

    [Fact]
    public void Dates_and_times_are_sent_as_the_numbers_of_the_protocol_if_their_type_is_set()
    {
        Assert.Equal([0, 0, 0, 5], Written(TypeCatalogue.BuiltIn, "date", 5));
        Assert.Equal([0, 0, 0, 0, 0, 0, 0, 5], Written(TypeCatalogue.BuiltIn, "timestamp", 5L));
        Assert.Equal([0, 0, 0, 0, 0, 0, 0, 5], Written(TypeCatalogue.BuiltIn, "timestamptz", 5L));
    }

    private enum Feeling
    {
        Sad,
        VeryHappy,
        [PgName("so-so")]
        Middling,
        Unknown,
    }

    [Fact]
    public void An_enumeration_without_a_mapping_is_read_and_sent_by_the_names_of_its_members()
    {
        var types = Catalogue();
        Assert.Equal(Feeling.Sad, Read<Feeling>(types, "mood", "sad"));
        Assert.Equal(Feeling.VeryHappy, Read<Feeling?>(types, "mood", "very_happy"));
        Assert.Equal([Feeling.Middling, Feeling.Sad], Read<Feeling[]>(types, "mood[]", "{so-so,sad}"));
        Assert.Equal("sad", Read<string>(types, "mood", "sad"));
        Assert.Equal("very_happy"u8, Written(types, "mood", Feeling.VeryHappy));
        Assert.Equal("so-so"u8, Written(types, "mood", Feeling.Middling));
        Assert.Equal("anything"u8, Written(types, "mood", "anything"));
        Assert.Throws<InvalidCastException>(() => Written(types, "mood", Feeling.Unknown));
        Assert.Throws<InvalidCastException>(() => Read<DayOfWeek>(types, "mood", "sad"));
    }

    private struct TwoOfOne
    {
        public TwoOfOne(string name, [PgName("name")] int other) => Name = name + other;

        public TwoOfOne(int id) => Id = id;

        public int Id { get; }

        public string? Name { get; set; }
    }

    private sealed class WriteOnce
    {
        public int Id => 7;

        public string? Name { get; set; }
    }

    private sealed class ReadOnce
    {
        public int Id { get; set; }

        public string? Name
        {
            set => _ = value;
        }
    }

    private static TypeCatalogue Mapping<T>()
        where T : notnull =>
        Catalogue(mappings => mappings.Add(
            new(typeof(T), "pair", type => CompositeConverter<T>.Create((CompositeType)type, new PgSnakeCaseNameTranslator()))));

    [Fact]
    public void A_composite_value_is_read_by_a_constructor_for_some_of_its_fields_and_setters_for_the_others()
    {
        var value = Read<TwoOfOne>(Mapping<TwoOfOne>(), "pair", "(1,a)");
        Assert.Equal((1, "a"), (value.Id, value.Name));
    }

    [Fact]
    public void A_property_without_a_setter_can_be_sent_and_one_without_a_getter_can_be_read()
    {
        var types = Mapping<WriteOnce>();
        Assert.Equal(7, Written(types, "pair", new WriteOnce { Name = "a" })[15]);
        Assert.Throws<InvalidOperationException>(() => Read<WriteOnce>(types, "pair", "(1,a)"));
        types = Mapping<ReadOnce>();
        Assert.Equal(1, Read<ReadOnce>(types, "pair", "(1,a)").Id);
        Assert.Throws<InvalidOperationException>(() => Written(types, "pair", new ReadOnce()));
    }

    [Fact]
    public void Ranges_of_a_mapped_composite_type_are_read_and_sent()
    {
        using var source = new PgDataSourceBuilder("Host=localhost").MapComposite<WriteOnce>("pair").Build();
        var types = Mapping<WriteOnce>();
        Assert.NotEmpty(Written(types, "pairrange", new PgRange<WriteOnce>(new() { Name = "a" }, new() { Name = "b" })));
    }

    [JsonDerivedType(typeof(Named), "named")]
    private class Thing
    {
        public int Id { get; set; }
    }

    private sealed class Named : Thing
    {
        public string? Name { get; set; }
    }

    [Fact]
    public void Json_of_a_derived_class_contains_the_discriminator_that_its_base_class_declares()
    {
        var options = new JsonSerializerOptions { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };
        var inAnyOrder = new JsonSerializerOptions(options) { AllowOutOfOrderMetadataProperties = true };
        var named = new Named { Id = 1, Name = "a" };
        Assert.Equal("""{"$type":"named","Name":"a","Id":1}""", Json(new(options), named, isReordered: false));
        Assert.Equal("""{"$type":"named","Name":"a","Id":1}""", Json(new(inAnyOrder), named, isReordered: true));
        Assert.Equal("""{"Name":"a","Id":1}""", Json(new(options), named, isReordered: true));
        Assert.Equal("""{"Name":"a","Id":1}""", Json(new(options, typeof(Named)), named, isReordered: false));
        Assert.Equal("""{"Id":1}""", Json(new(options), new Thing { Id = 1 }, isReordered: false));
        Assert.Equal("[1]", Json(new(options), new[] { 1 }, isReordered: false));
    }

    private static string Json(SerializerJsonMapping mapping, object value, bool isReordered) => Encoding.UTF8.GetString(mapping.ToUtf8(value, isReordered)!);

    [Fact]
    public void An_array_of_JSON_nodes_is_an_array_of_documents() =>
        Assert.Equal(TypeCatalogue.BuiltIn.Find("jsonb[]"), Values.TypeOf(new JsonObject[] { [] }, TypeCatalogue.BuiltIn));

    [Fact]
    public void The_only_field_of_a_composite_value_may_be_NULL()
    {
        var types = new TypeCatalogue(TypeMappings.None, [new(Pair, "public", "single", TypeCategory.Composite, 0) { Fields = { ("id", 23) } }]);
        Assert.Equal([DBNull.Value], Read<object[]>(types, "single", "()"));
        Assert.Null(Read<ValueTuple<int?>>(types, "single", "()").Item1);
    }

    [Fact]
    public void Names_of_objects_are_sent_as_object_ids() =>
        Assert.Equal([0xFF, 0xFF, 0xFF, 0xFF], Written(TypeCatalogue.BuiltIn, "regtype", uint.MaxValue));

    [Theory]
    [InlineData("integer", -1, "integer")]
    [InlineData("varchar", 14, "character varying(10)")]
    [InlineData("varchar[]", 14, "character varying(10)[]")]
    [InlineData("bpchar", 14, "character(10)")]
    [InlineData("bpchar", 5, "character")]
    [InlineData("numeric", (1000 << 16) + 4, "numeric(1000)")]
    [InlineData("numeric", ((20 << 16) | 4) + 4, "numeric(20, 4)")]
    [InlineData("numeric", ((20 << 16) | 0x7FE) + 4, "numeric(20, -2)")]
    [InlineData("timestamp", 2, "timestamp(2) without time zone")]
    [InlineData("timestamptz", 0, "timestamp(0) with time zone")]
    [InlineData("timetz", 3, "time(3) with time zone")]
    [InlineData("time", -1, "time without time zone")]
    [InlineData("interval", 0x7FFF_0002, "interval(2)")]
    [InlineData("interval", 0x0004_FFFF, "interval")]
    [InlineData("bit", 3, "bit(3)")]
    [InlineData("varbit", 3, "bit varying(3)")]
    [InlineData("integer", 7, "integer")]
    public void The_name_of_a_type_contains_its_length_precision_or_scale(string type, int modifier, string expected) =>
        Assert.Equal(expected, TypeFacets.Display(TypeCatalogue.BuiltIn.Describe(TypeCatalogue.BuiltIn.Find(type)), modifier));
}
