using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Tests.Types;

/// <summary>The types that a server describes, also if it describes impossible ones.</summary>
public class TypeCatalogueTests
{
    private const uint First = TypeCatalogue.FirstNormalOid;
    private const uint Int4 = 23;

    [Fact]
    public void A_chain_of_ranges_is_described_without_recursion()
    {
        const uint length = 100_000;
        var types = new List<TypeDefinition> { Type(First, 'r', Int4) };
        for (var i = 1u; i < length; i++)
            types.Add(Type(First + i, 'r', First + i - 1));
        var catalogue = new TypeCatalogue(TypeMappings.None, types);
        Assert.Equal("integer", catalogue.Describe(Int4).Name);
        Assert.Equal(3904u, catalogue.Describe(Int4).Range!.OID);
        Assert.Equal(First + 5, catalogue.Describe(First + 4).Range!.OID);
        Assert.IsType<RangeType>(catalogue.Get(First));
        Assert.Equal("public.t" + (First + length - 1), catalogue.Get(First + length - 1).Name);
    }

    [Fact]
    public void Many_types_that_refer_to_one_are_described_in_one_pass()
    {
        var types = new List<TypeDefinition>();
        for (var i = 0u; i < 200_000; i++)
            types.Add(Type(First + i, 'r', Int4));
        Assert.Equal(3904u, new TypeCatalogue(TypeMappings.None, types).Describe(Int4).Range!.OID);
    }

    [Fact]
    public void The_built_in_range_of_a_type_comes_before_those_of_users()
    {
        var catalogue = new TypeCatalogue(TypeMappings.None, [Type(First, 'r', Int4), Type(First + 1, 'm', First), Type(First + 2, 'a', First)]);
        var range = Assert.IsType<PostgresRangeType>(catalogue.Describe(First));
        Assert.Equal(3904u, range.Subtype.Range!.OID);
        Assert.Equal(1007u, range.Subtype.Array!.OID);
        Assert.Equal((First + 1, First + 2), (range.Multirange!.OID, range.Array!.OID));
    }

    [Theory]
    [InlineData('a')]
    [InlineData('r')]
    [InlineData('m')]
    [InlineData('d')]
    [InlineData('c')]
    public void A_type_that_consists_of_itself_has_an_end(char category)
    {
        var own = Type(First, category, First);
        own.Fields.Add(("again", First));
        own.Fields.Add(("and again", First));
        var catalogue = new TypeCatalogue(TypeMappings.None, [own, Type(First + 1, 'a', First)]);
        foreach (var oid in new[] { First, First + 1 })
        {
            Assert.Equal(oid, catalogue.Get(oid).Oid);
            _ = catalogue.Get(oid).HasBinary;
            Assert.NotNull(catalogue.Get(oid).ClrType);
            Assert.Equal(oid, catalogue.Describe(oid).OID);
        }

        Assert.Equal(First, catalogue.Find("t" + First));
    }

    [Fact]
    public void A_composite_value_that_is_nested_too_deeply_is_malformed()
    {
        var own = Type(First, 'c', 0);
        own.Fields.Add(("again", First));
        var type = new TypeCatalogue(TypeMappings.None, [own]).Get(First);
        const int depth = 1_000_000;
        // Each value contains the next one; the innermost contains NULL.
        var value = new byte[depth * 12];
        for (var i = 0; i < depth; i++)
        {
            var at = value.AsSpan(i * 12);
            BinaryPrimitives.WriteInt32BigEndian(at, 1);
            BinaryPrimitives.WriteInt32BigEndian(at[4..], (int)First);
            BinaryPrimitives.WriteInt32BigEndian(at[8..], i == depth - 1 ? -1 : value.Length - (i + 1) * 12);
        }

        Assert.Throws<FormatException>(() => type.Read(value, isBinary: true));
        Assert.Throws<FormatException>(() => type.TryRead<ValueTuple<object>>(value, isBinary: true, out _));
    }

    [Theory]
    [InlineData(0, int.MaxValue)]
    [InlineData(int.MaxValue, 0)]
    [InlineData(0, 0)]
    [InlineData(65_536, 65_536)]
    [InlineData(int.MinValue, 2)]
    [InlineData(-1, -1)]
    public void Dimensions_that_an_array_cannot_have_are_malformed(int first, int second)
    {
        var writer = new ByteWriter();
        foreach (var number in new[] { 2, 0, (int)Int4, first, 1, second, 1, 4, 7, 4, 8 })
            writer.Int32BigEndian(number);
        var value = writer.Written.ToArray();
        var type = TypeCatalogue.BuiltIn.Get(1007);
        Assert.Throws<FormatException>(() => type.Read(value, isBinary: true));
        Assert.Throws<FormatException>(() => type.TryRead<int[,]>(value, isBinary: true, out _));
        Assert.Throws<FormatException>(() => type.Read("{{},{}}"u8, isBinary: false));
    }

    [Theory]
    [InlineData("&")]
    [InlineData("{\"a\": 1")]
    [InlineData("")]
    public void A_document_that_is_not_JSON_cannot_be_read_as_one(string text)
    {
        var type = TypeCatalogue.BuiltIn.Get(114);
        foreach (var document in new[] { text, new string('[', 100_000) })
        {
            var value = System.Text.Encoding.UTF8.GetBytes(document);
            Assert.Throws<InvalidCastException>(() => type.TryRead<System.Text.Json.JsonDocument>(value, isBinary: false, out _));
            Assert.Throws<InvalidCastException>(() => type.TryRead<System.Text.Json.JsonElement>(value, isBinary: false, out _));
            Assert.Throws<InvalidCastException>(() => type.TryRead<System.Text.Json.Nodes.JsonNode>(value, isBinary: false, out _));
        }
    }

    [Fact]
    public void The_name_of_a_type_is_on_one_line_of_a_message()
    {
        var hostile = new TypeDefinition(First, "public", "t\r\nfake line \u001B[2J" + new string('x', 10_000), TypeCategory.Composite, 0);
        hostile.Fields.Add(("f\n\u001B", Int4));
        var type = new TypeCatalogue(TypeMappings.None, [hostile]).Get(First);
        var failure = Assert.Throws<FormatException>(() => type.Read([1], isBinary: true));
        Assert.DoesNotContain(failure.Message, char.IsControl);
        Assert.InRange(failure.Message.Length, 1, 400);
        Assert.Contains('\n', type.Postgres.Name);
    }

    [Fact]
    public void An_ambiguous_name_of_a_mapping_keeps_only_its_own_types_from_being_used()
    {
        var mappings = new TypeMappings();
        mappings.Add(new(typeof(DayOfWeek), "mood", static _ => null));
        var catalogue = new TypeCatalogue(
            mappings,
            [
                new(First, "a", "mood", TypeCategory.Enum, 0), new(First + 1, "b", "mood", TypeCategory.Enum, 0),
                new(First + 2, "b", "other", TypeCategory.Enum, 0),
            ]);
        Assert.Equal("integer", catalogue.Get(Int4).Name);
        Assert.Equal("b.other", catalogue.Get(First + 2).Name);
        Assert.Throws<ArgumentException>(() => catalogue.Get(First));
        Assert.Throws<ArgumentException>(() => catalogue.ForClr(typeof(DayOfWeek)));
    }

    private static TypeDefinition Type(uint oid, char category, uint related) => new(oid, "public", $"t{oid}", (TypeCategory)category, related);
}
