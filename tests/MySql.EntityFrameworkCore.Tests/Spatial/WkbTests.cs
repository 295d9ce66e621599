using NetTopologySuite.Geometries;
using NetTopologySuite.IO;
using Slipstream.MySql.EntityFrameworkCore.Spatial.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Tests.Spatial;

/// <summary>Geometries in well-known binary, whole and truncated, and those that the servers cannot store.</summary>
public sealed class WkbTests
{
    public static TheoryData<string> Texts { get; } =
    [
        "POINT (1.5 -2)", "LINESTRING (0 0, 1 1, 2 0)", "POLYGON ((0 0, 4 0, 4 4, 0 0), (1 0.5, 2 0.5, 2 1, 1 0.5))", "MULTIPOINT ((1 2), (3 4))",
        "MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))", "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))",
        "GEOMETRYCOLLECTION (POINT (1 2), GEOMETRYCOLLECTION (LINESTRING (0 0, 1 1), GEOMETRYCOLLECTION EMPTY))", "GEOMETRYCOLLECTION EMPTY",
    ];

    [Theory, MemberData(nameof(Texts))]
    public void A_geometry_is_read_as_it_was_written(string text)
    {
        var geometry = new WKTReader().Read(text);
        var bytes = WkbWriter.Write(geometry);
        // NetTopologySuite's own writer is the reference.
        Assert.Equal(new WKBWriter(ByteOrder.LittleEndian).Write(geometry), bytes);
        var read = Read(bytes);
        Assert.Equal((text, 4326, geometry.GetType()), (read.AsText(), read.SRID, read.GetType()));
        Assert.Equal(text, Read(new WKBWriter(ByteOrder.BigEndian).Write(geometry)).AsText());
    }

    [Theory, MemberData(nameof(Texts))]
    public void A_truncated_or_longer_geometry_is_refused(string text)
    {
        var bytes = WkbWriter.Write(new WKTReader().Read(text));
        for (var length = 0; length < bytes.Length; length++)
            Assert.Throws<FormatException>(() => Read(bytes[..length]));
        Assert.Throws<FormatException>(() => Read([.. bytes, 0]));
    }

    [Theory]
    [InlineData("0102000000FFFFFFFF")] // a line of four billion points
    [InlineData("0107000000FFFFFF7F0101000000")]
    [InlineData("0108000000")] // a kind that does not exist
    [InlineData("0200000001")] // an order of bytes that does not exist
    [InlineData("010400000001000000010200000000000000")] // a line in a MultiPoint
    public void Wrong_bytes_are_refused(string hex) => Assert.Throws<FormatException>(() => Read(Convert.FromHexString(hex)));

    [Fact]
    public void Collections_that_are_nested_too_deep_are_refused()
    {
        byte[] level = [1, 7, 0, 0, 0, 1, 0, 0, 0];
        Assert.Throws<FormatException>(() => Read([.. Enumerable.Repeat(level, 100_000).SelectMany(static bytes => bytes)]));
    }

    [Fact]
    public void A_line_of_one_point_is_not_a_line_of_NetTopologySuite() => Assert.Throws<InvalidCastException>(
        () => Read(Convert.FromHexString("010200000001000000000000000000F03F0000000000000040")));

    [Theory]
    [InlineData("POINT EMPTY", "An empty Point")]
    [InlineData("POLYGON EMPTY", "An empty Polygon")]
    [InlineData("GEOMETRYCOLLECTION (POINT (1 2), MULTIPOINT EMPTY)", "An empty MultiPoint")]
    [InlineData("POINT Z (1 2 3)", "A Point with Z or M")]
    [InlineData("POLYGON M ((0 0 1, 1 0 1, 1 1 1, 0 0 1))", "A Polygon with Z or M")]
    public void What_the_servers_cannot_store_is_refused(string text, string message) =>
        RefusesToWrite(new WKTReader().Read(text), message);

    [Fact]
    public void Ordinates_that_are_not_finite_are_refused() => RefusesToWrite(new Point(double.PositiveInfinity, 1), "A Point with an ordinate that is not");

    [Fact]
    public void A_ring_is_written_as_a_line() =>
        Assert.Equal("LINESTRING (0 0, 1 0, 1 1, 0 0)", Read(WkbWriter.Write(new LinearRing([new(0, 0), new(1, 0), new(1, 1), new(0, 0)]))).AsText());

    private static void RefusesToWrite(Geometry geometry, string message) =>
        Assert.StartsWith(message, Assert.Throws<ArgumentException>(() => WkbWriter.Write(geometry)).Message, StringComparison.Ordinal);

    private static Geometry Read(byte[] bytes) => new WkbReader(bytes, new GeometryFactory(new PrecisionModel(), 4326)).Read();
}
