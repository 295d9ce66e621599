using System.Text;
using Pgvector;

namespace Slipstream.PostgreSql.Tests.Plugins;

/// <summary>The bytes and texts of pgvector's types.</summary>
public class PgvectorTests
{
    private static readonly PluginTypes Types = new(static builder => builder.UseVector(), "vector", "halfvec", "sparsevec");

    [Fact]
    public void Vectors()
    {
        Types.Check("vector", new Vector(new[] { 1f, 2.5f, -3f }), "0003 0000 3F800000 40200000 C0400000", "[1,2.5,-3]");
        Types.Check("vector", new Vector(new[] { float.Epsilon, float.MaxValue }), "0002 0000 00000001 7F7FFFFF", "[1e-45,3.4028235e+38]");
        Types.Check("vector", new[] { 1f, 2.5f }, "0002 0000 3F800000 40200000", "[1,2.5]");
        Assert.Equal([1f, 2.5f], Types.ReadText<ReadOnlyMemory<float>>("vector", "[1,2.5]").ToArray());
        Assert.Equal(Types.Write("vector", new[] { 1f, 2.5f }), Types.Write("vector", (ReadOnlyMemory<float>)new[] { 1f, 2.5f }));
        Assert.Contains("16,000", Assert.Throws<ArgumentException>(() => Types.Write("vector", new float[40_000])).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Half_vectors()
    {
        Types.Check("halfvec", new HalfVector(new[] { (Half)1, (Half)2.5, Half.MaxValue }), "0003 0000 3C00 4100 7BFF", "[1,2.5,65504]");
        Types.Check("halfvec", new[] { Half.Epsilon, (Half)(-3) }, "0002 0000 0001 C200", "[5.9604645e-08,-3]");
        Assert.Equal([(Half)1], Types.ReadText<ReadOnlyMemory<Half>>("halfvec", "[1]").ToArray());
        Assert.Equal(Types.Write("halfvec", new[] { (Half)1 }), Types.Write("halfvec", (ReadOnlyMemory<Half>)new[] { (Half)1 }));
    }

    [Fact]
    public void Sparse_vectors_have_indices_from_0_in_binary_and_from_1_in_text()
    {
        var vector = new SparseVector(5, new[] { 0, 2 }, new[] { 1.5f, -2f });
        Types.Check("sparsevec", vector, "00000005 00000002 00000000 00000000 00000002 3FC00000 C0000000", "{1:1.5,3:-2}/5");
        Types.Check("sparsevec", new SparseVector(3, Array.Empty<int>(), Array.Empty<float>()), "00000003 00000000 00000000", "{}/3");
        Assert.Equal([1.5f, 0, -2, 0, 0], Types.ReadText<SparseVector>("sparsevec", "{1:1.5,3:-2}/5").ToArray());
    }

    [Theory]
    [InlineData("vector", "FFFF 0000")]
    [InlineData("vector", "7FFF 0000 00000000")]
    [InlineData("halfvec", "FFFF 0000")]
    [InlineData("halfvec", "0002 0000 0000")]
    [InlineData("sparsevec", "00000005 7FFFFFFF 00000000")]
    [InlineData("sparsevec", "00000005 FFFFFFFF 00000000")]
    [InlineData("sparsevec", "00000001 00000001 00000000 00000001 00000000")]
    [InlineData("sparsevec", "00000001 00000001 00000000 FFFFFFFF 00000000")]
    [InlineData("sparsevec", "FFFFFFFF 00000000 00000000")]
    public void Impossible_counts_and_indices_are_refused(string type, string hex) =>
        Assert.Throws<FormatException>(() => Types[type].Read(Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal)), isBinary: true));

    [Theory]
    [InlineData("vector", "")]
    [InlineData("vector", "[")]
    [InlineData("vector", "1,2")]
    [InlineData("vector", "[1,]")]
    [InlineData("vector", "[1,x]")]
    [InlineData("halfvec", "[1;2]")]
    [InlineData("sparsevec", "{1:1}")]
    [InlineData("sparsevec", "{1:1}/")]
    [InlineData("sparsevec", "{0:1}/2")]
    [InlineData("sparsevec", "{3:1}/2")]
    [InlineData("sparsevec", "{1}/2")]
    [InlineData("sparsevec", "{1:1}/-2")]
    public void Other_texts_are_refused(string type, string text) =>
        Assert.Throws<FormatException>(() => Types[type].Read(Encoding.UTF8.GetBytes(text), isBinary: false));

    [Fact]
    public void Wrong_bytes_are_refused_or_another_value()
    {
        Types.CheckBroken<Vector>("vector", Types.Write("vector", new Vector(new[] { 1f, 2f })), isBinary: true);
        Types.CheckBroken<Vector>("vector", "[1,2.5]"u8.ToArray(), isBinary: false);
        Types.CheckBroken<HalfVector>("halfvec", "[1,2.5]"u8.ToArray(), isBinary: false);
        Types.CheckBroken<SparseVector>("sparsevec", Types.Write("sparsevec", new SparseVector(5, new[] { 1 }, new[] { 1f })), isBinary: true);
        Types.CheckBroken<SparseVector>("sparsevec", "{1:1.5,3:-2}/5"u8.ToArray(), isBinary: false);
    }

    [Fact]
    public void A_type_follows_from_a_vector_but_not_from_an_array_of_numbers()
    {
        Assert.Equal("ext.vector", Types.Catalogue.ForClr(typeof(Vector))?.Name);
        Assert.Equal("ext.vector[]", Types.Catalogue.ForClr(typeof(Vector[]))?.Name);
        Assert.Equal("ext.halfvec", Types.Catalogue.ForClr(typeof(HalfVector))?.Name);
        Assert.Equal("ext.sparsevec", Types.Catalogue.ForClr(typeof(SparseVector))?.Name);
        Assert.Equal("real[]", Types.Catalogue.ForClr(typeof(float[]))?.Name);
        Assert.Equal(typeof(Vector), Types["vector"].ClrType);
    }

    [Fact]
    public void Arrays_have_vectors_as_elements()
    {
        Vector?[] vectors = [new(new[] { 1f }), null];
        Assert.Equal(vectors, Types["vector[]"].Read(Types.Write("vector[]", vectors), isBinary: true));
        Assert.Equal([[1f, 2f]], Types.Read<float[][]>("vector[]", Types.Write("vector[]", new[] { new Vector(new[] { 1f, 2f }) })));
    }
}
