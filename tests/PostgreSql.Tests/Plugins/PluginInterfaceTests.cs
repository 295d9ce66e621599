using System.Globalization;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Tests.Plugins;

/// <summary>How the mappings of a plug-in apply to the types of a database.</summary>
public class PluginInterfaceTests
{
    private static readonly TypeMappings Mappings = PluginTypes.Mappings(static builder => builder.MapType("tint", new TintConverter()));

    [Fact]
    public void A_type_is_found_by_its_name_in_any_schema()
    {
        var types = new TypeCatalogue(Mappings, [new(20000, "ext", "tint", TypeCategory.Base, 0), new(20001, "ext", "_tint", TypeCategory.Array, 20000)]);
        Assert.Equal(typeof(Tint), types.Get(20000).ClrType);
        Assert.Equal(20000u, types.ForClr(typeof(Tint))?.Oid);
        Assert.Equal(20001u, types.ForClr(typeof(Tint[]))?.Oid);
        Assert.Equal(20001u, types.ForClr(typeof(Tint?[]))?.Oid);
    }

    [Fact]
    public void Types_of_one_name_in_two_schemas_are_read_but_a_value_needs_its_schema()
    {
        var types = new TypeCatalogue(Mappings, [new(20000, "a", "tint", TypeCategory.Base, 0), new(20001, "b", "tint", TypeCategory.Base, 0)]);
        Assert.Equal(typeof(Tint), types.Get(20000).ClrType);
        Assert.Equal(typeof(Tint), types.Get(20001).ClrType);
        Assert.Contains("DataTypeName", Assert.Throws<ArgumentException>(() => types.ForClr(typeof(Tint))).Message, StringComparison.Ordinal);
        var one = new TypeCatalogue(
            PluginTypes.Mappings(static builder => builder.MapType("a.tint", new TintConverter())),
            [new(20000, "a", "tint", TypeCategory.Base, 0), new(20001, "b", "tint", TypeCategory.Base, 0)]);
        Assert.Equal(20000u, one.ForClr(typeof(Tint))?.Oid);
        Assert.Equal(typeof(string), one.Get(20001).ClrType);
    }

    [Fact]
    public void The_row_type_of_a_table_is_not_taken_for_the_type()
    {
        var types = new TypeCatalogue(Mappings, [new(20000, "public", "tint", TypeCategory.Composite, 0), new(20001, "ext", "tint", TypeCategory.Base, 0)]);
        Assert.Equal(20001u, types.ForClr(typeof(Tint))?.Oid);
        Assert.False(types.Get(20000).IsConverted);
    }

    [Fact]
    public void A_value_whose_type_is_missing_names_it()
    {
        var exception = Assert.Throws<InvalidCastException>(() => Values.TypeOf(new Tint(1), new TypeCatalogue(Mappings, [])));
        Assert.Contains("'tint'", exception.Message, StringComparison.Ordinal);
        Assert.Contains("ReloadTypes", exception.Message, StringComparison.Ordinal);
        Assert.Contains("'tint'", Assert.Throws<InvalidCastException>(
            () => Values.TypeOf(new List<Tint?> { new(1) }, new TypeCatalogue(Mappings, []))).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_range_follows_from_the_mapped_type_of_its_bounds()
    {
        TypeDefinition[] loaded =
        [
            new(20000, "ext", "tint", TypeCategory.Base, 0), new(20001, "public", "tintrange", TypeCategory.Range, 20000),
            new(20002, "public", "tintmultirange", TypeCategory.Multirange, 20001),
        ];
        var types = new TypeCatalogue(Mappings, loaded);
        Assert.Equal(20001u, types.ForClr(typeof(PgRange<Tint>))?.Oid);
        Assert.Equal(20002u, types.ForClr(typeof(PgRange<Tint>[]))?.Oid);
    }

    [Fact]
    public void An_array_of_nullable_values_needs_no_reflection()
    {
        var types = new PluginTypes(static builder => builder.MapType("tint", new TintConverter()).RegisterNullable<Tint>(), "tint");
        Tint?[] tints = [new(7), null];
        Assert.Equal(tints, types.Read<Tint?[]>("tint[]", types.Write("tint[]", tints)));
        Assert.Equal([.. tints], types.Read<List<Tint?>>("tint[]", types.Write("tint[]", tints)));
    }

    [Fact]
    public void A_type_is_converted_through_another_type_of_NET()
    {
        var types = new PluginTypes(static builder => builder.MapType<string, Tint>(
            "jsonb", static text => new(int.Parse(text, CultureInfo.InvariantCulture)), static tint => tint.Hue.ToString(CultureInfo.InvariantCulture),
            isDefault: false));
        Assert.Equal([1, (byte)'7'], types.Write("jsonb", new Tint(7)));
        Assert.Equal(new Tint(7), types.Read<Tint>("jsonb", [1, (byte)'7']));
        Assert.Equal(typeof(string), types["jsonb"].ClrType);
        Assert.Equal(types["jsonb"].Oid, types.Catalogue.ForClr(typeof(Tint))?.Oid);
    }

    [Fact]
    public void A_parameter_of_a_mapped_type_is_not_boxed()
    {
        var types = new TypeCatalogue(PluginTypes.Mappings(static builder => builder.MapType("integer", new TintConverter())), []);
        var parameter = new PgParameter<Tint> { TypedValue = new(7) };
        var writer = new Slipstream.Core.Bytes.ByteWriter();
        long allocated = 0;
        for (var i = 0; i < 3; i++)
        {
            writer.Clear();
            var before = GC.GetAllocatedBytesForCurrentThread();
            parameter.Write(writer, parameter.TypeOid(types), types);
            allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        }

        Assert.Equal(0, allocated);
        Assert.Equal([0, 0, 0, 4, 0, 0, 0, 7], writer.Written.ToArray());
    }

    private readonly record struct Tint(int Hue);

    private sealed class TintConverter : PgConverter<Tint>
    {
        public override Tint Read(ref PgValueReader reader) => new(reader.ReadInt32());

        public override void Write(ref PgValueWriter writer, Tint value) => writer.WriteInt32(value.Hue);
    }
}
