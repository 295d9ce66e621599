using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Tests.Codecs;

/// <summary>The rows of nested readers: values that are whole, cut at every length, or impossible.</summary>
public class NestedRowsTests
{
    private const uint Item = 20000;
    private const uint Items = 20001;
    private const int Int4 = 23;

    private static readonly TypeCatalogue Catalogue = CreateCatalogue();

    [Fact]
    public void A_binary_value_is_a_row_and_its_parts_are_not()
    {
        var value = Composite((Int4, [0, 0, 0, 7]), (25, "ab"u8.ToArray()), (Int4, null));
        var rows = new NestedRows(Catalogue.Get(Item), value, isBinary: true, Catalogue);
        rows.MoveTo(0);
        Assert.Equal((1, 3, "b"), (rows.Count, rows.Row.FieldCount, rows.Row.GetName(1)));
        Assert.Equal((7, "ab", true), (rows.Row.GetInt32(0), rows.Row.GetString(1), rows.Row.IsNull(2)));
        for (var length = 0; length < value.Length; length++)
            Assert.Throws<FormatException>(() => new NestedRows(Catalogue.Get(Item), value.AsSpan(0, length), isBinary: true, Catalogue));
        Assert.Throws<FormatException>(() => new NestedRows(Catalogue.Get(Item), [.. value, 0], isBinary: true, Catalogue));
    }

    [Fact]
    public void An_array_has_a_row_for_each_element_and_its_parts_have_none()
    {
        var element = Composite((Int4, [0, 0, 0, 7]), (25, null), (Int4, [0, 0, 0, 9]));
        var value = Array(element, element);
        var rows = new NestedRows(Catalogue.Get(Items), value, isBinary: true, Catalogue);
        rows.MoveTo(1);
        Assert.Equal((2, 7, 9), (rows.Count, rows.Row.GetInt32(0), rows.Row.GetInt32(2)));
        for (var length = 0; length < value.Length; length++)
            Assert.Throws<FormatException>(() => new NestedRows(Catalogue.Get(Items), value.AsSpan(0, length), isBinary: true, Catalogue));
    }

    [Theory]
    [InlineData("(7,\"a,\"\"b\",)", 7, "a,\"b")]
    [InlineData("(7,,)", 7, null)]
    public void A_text_is_a_row(string text, int first, string? second)
    {
        var rows = new NestedRows(Catalogue.Get(Item), Encoding.UTF8.GetBytes(text), isBinary: false, Catalogue);
        rows.MoveTo(0);
        Assert.Equal((first, second, true), (rows.Row.GetInt32(0), rows.Row.GetFieldValue<object>(1) as string, rows.Row.IsNull(2)));
    }

    [Theory]
    [InlineData("")]
    [InlineData("(")]
    [InlineData("7,a,")]
    [InlineData("(7,\"a,)")]
    public void A_text_that_is_no_composite_value_is_refused(string text) =>
        Assert.Throws<FormatException>(() => new NestedRows(Catalogue.Get(Item), Encoding.UTF8.GetBytes(text), isBinary: false, Catalogue));

    [Fact]
    public void A_value_with_another_number_of_fields_is_refused() =>
        Assert.Throws<InvalidCastException>(() => new NestedRows(Catalogue.Get(Item), "(1,2)"u8, isBinary: false, Catalogue));

    [Fact]
    public void A_record_with_more_fields_than_a_row_may_have_is_refused()
    {
        var text = Encoding.UTF8.GetBytes($"({new string(',', 1663)})");
        Assert.Equal(1664, new NestedRows(Catalogue.Get(TypeOid.Record), text, isBinary: false, Catalogue).Row.FieldCount);
        Assert.Throws<FormatException>(() => new NestedRows(
            Catalogue.Get(TypeOid.Record), Encoding.UTF8.GetBytes($"({new string(',', 1664)})"), isBinary: false, Catalogue));
    }

    private static TypeCatalogue CreateCatalogue()
    {
        var item = new TypeDefinition(Item, "public", "item", TypeCategory.Composite, 0) { Fields = { ("a", 23), ("b", 25), ("c", 23) } };
        return new(TypeMappings.None, [item, new TypeDefinition(Items, "public", "_item", TypeCategory.Array, Item)]);
    }

    private static byte[] Composite(params (int Oid, byte[]? Value)[] fields)
    {
        var writer = new ByteWriter();
        writer.Int32BigEndian(fields.Length);
        foreach (var (oid, value) in fields)
        {
            writer.Int32BigEndian(oid);
            writer.Int32BigEndian(value?.Length ?? -1);
            writer.Bytes(value);
        }

        return writer.Written.ToArray();
    }

    private static byte[] Array(params byte[][] elements)
    {
        var writer = new ByteWriter();
        foreach (var number in (int[])[1, 0, (int)Item, elements.Length, 1])
            writer.Int32BigEndian(number);
        foreach (var element in elements)
        {
            writer.Int32BigEndian(element.Length);
            writer.Bytes(element);
        }

        return writer.Written.ToArray();
    }
}
