using System.Buffers.Binary;
using NetTopologySuite.Geometries;
using NetTopologySuite.Geometries.Implementation;
using NetTopologySuite.IO;

namespace Slipstream.PostgreSql.Tests.Plugins;

/// <summary>Geometries in EWKB, in both byte orders and in hexadecimal digits.</summary>
public class NetTopologySuiteTests
{
    private static readonly PluginTypes Types = new(static builder => builder.UseNetTopologySuite(), "geometry", "geography");

    public static TheoryData<string> Texts => new()
    {
        "POINT (1 2)",
        "POINT Z(1 2 3)",
        "POINT M(1 2 4)",
        "POINT ZM(1 2 3 4)",
        "POINT (-1.7976931348623157E+308 4.9406564584124654E-324)",
        "POINT EMPTY",
        "LINESTRING (0 0, 1 1)",
        "LINESTRING ZM(0 0 1 2, 1 1 3 4)",
        "LINESTRING EMPTY",
        "POLYGON ((0 0, 4 0, 4 4, 0 0))",
        "POLYGON Z((0 0 1, 4 0 1, 4 4 1, 0 0 1), (1 0.5 2, 2 0.5 2, 2 1 2, 1 0.5 2))",
        "POLYGON EMPTY",
        "MULTIPOINT ((1 2), (3 4))",
        "MULTIPOINT EMPTY",
        "MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))",
        "MULTILINESTRING EMPTY",
        "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)), ((9 9, 8 9, 8 8, 9 9)))",
        "MULTIPOLYGON EMPTY",
        "GEOMETRYCOLLECTION (POINT (1 2), GEOMETRYCOLLECTION (LINESTRING (0 0, 1 1)), MULTIPOINT ((5 6)))",
        "GEOMETRYCOLLECTION EMPTY",
    };

    [Theory]
    [MemberData(nameof(Texts))]
    public void A_geometry_is_read_as_it_was_written(string text)
    {
        foreach (var srid in new[] { 0, 4326 })
        {
            var geometry = Parse(text, srid);
            var bytes = Types.Write("geometry", geometry);
            Same(geometry, Types.Read<Geometry>("geometry", bytes));
            Same(geometry, Types.ReadText<Geometry>("geometry", Convert.ToHexString(bytes)));
            Same(geometry, Types.ReadText<Geometry>("geography", Convert.ToHexStringLower(bytes)));
            Same(geometry, (Geometry)Types["geometry"].Read(bytes, isBinary: true));
        }
    }

    [Theory]
    [MemberData(nameof(Texts))]
    public void A_value_cut_anywhere_is_refused(string text)
    {
        var bytes = Types.Write("geometry", Parse(text, 4326));
        for (var length = 0; length < bytes.Length; length++)
        {
            Assert.Throws<FormatException>(() => Types.Read<Geometry>("geometry", bytes.AsSpan(0, length)));
            Assert.Throws<FormatException>(() => Types.ReadText<Geometry>("geometry", Convert.ToHexString(bytes.AsSpan(0, length))));
        }

        Assert.Throws<FormatException>(() => Types.Read<Geometry>("geometry", [.. bytes, 0]));
        Assert.Throws<FormatException>(() => Types.ReadText<Geometry>("geometry", Convert.ToHexString(bytes) + "0"));
    }

    [Theory]
    [MemberData(nameof(Texts))]
    public void Wrong_bytes_are_refused_or_another_value(string text)
    {
        Types.CheckBroken<Geometry>("geometry", Types.Write("geometry", Parse(text, 4326)), isBinary: true);
        Types.CheckBroken<Geometry>(
            "geometry", System.Text.Encoding.UTF8.GetBytes(Convert.ToHexString(Types.Write("geometry", Parse(text, 0)))), isBinary: false);
    }

    // What PostGIS sends on a little-endian machine.
    [Theory]
    [InlineData("0101000000000000000000F03F0000000000000040", "POINT (1 2)", 0)]
    [InlineData("0101000020E6100000000000000000F03F0000000000000040", "POINT (1 2)", 4326)]
    [InlineData("0101000080000000000000F03F00000000000000400000000000000840", "POINT Z(1 2 3)", 0)]
    [InlineData("0101000040000000000000F03F00000000000000400000000000000840", "POINT M(1 2 3)", 0)]
    [InlineData("0101000000000000000000F87F000000000000F87F", "POINT EMPTY", 0)]
    [InlineData("0107000020E61000000100000001040000000100000001010000000000000000001440000000000000184000", null, 0)]
    [InlineData("0107000020E610000001000000010400000001000000010100000000000000000014400000000000001840", "GEOMETRYCOLLECTION (MULTIPOINT ((5 6)))", 4326)]
    public void Both_byte_orders_are_read(string hex, string? text, int srid)
    {
        if (text is null)
            Assert.Throws<FormatException>(() => Types.ReadText<Geometry>("geometry", hex));
        else
            Same(Parse(text, srid), Types.ReadText<Geometry>("geometry", hex));
    }

    [Theory]
    [InlineData("00 00000002 7FFFFFFF 0000000000000000 0000000000000000")]
    [InlineData("00 00000002 FFFFFFFF")]
    [InlineData("00 00000003 7FFFFFFF 00000000")]
    [InlineData("00 00000003 00000001 FFFFFFFF")]
    [InlineData("00 00000007 7FFFFFFF")]
    [InlineData("00 00000004 00000001 00 00000002 00000000")]
    [InlineData("02 00000001 0000000000000000 0000000000000000")]
    [InlineData("")]
    public void Impossible_counts_and_kinds_are_refused(string hex) =>
        Assert.Throws<FormatException>(() => Types.Read<Geometry>("geometry", Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal))));

    [Fact]
    public void Nesting_is_limited()
    {
        Assert.Throws<FormatException>(() => Types.Read<Geometry>("geometry", Nested(100_000)));
        Assert.True(Types.Read<Geometry>("geometry", Nested(100)).IsEmpty);

        static byte[] Nested(int depth)
        {
            var bytes = new List<byte>();
            for (var i = 0; i < depth; i++)
                bytes.AddRange([0, 0, 0, 0, 7, 0, 0, 0, 1]);
            bytes.AddRange([0, 0, 0, 0, 7, 0, 0, 0, 0]);
            return [.. bytes];
        }
    }

    [Theory]
    [InlineData(8)]
    [InlineData(10)]
    [InlineData(15)]
    [InlineData(17)]
    public void Curves_and_surfaces_are_refused_with_advice(int kind)
    {
        var bytes = new byte[9];
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(1), kind);
        Assert.Contains("ST_CurveToLine", Assert.Throws<InvalidCastException>(() => Types.Read<Geometry>("geometry", bytes)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_ring_that_is_not_closed_cannot_be_represented()
    {
        var bytes = Types.Write("geometry", Parse("POLYGON ((0 0, 4 0, 4 4, 0 0))", 0));
        bytes[^1] = 1;
        Assert.Throws<InvalidCastException>(() => Types.Read<Geometry>("geometry", bytes));
    }

    [Fact]
    public void A_geometry_of_another_class_is_not_read()
    {
        var bytes = Types.Write("geometry", Parse("POINT (1 2)", 0));
        Assert.Equal(1, Types.Read<Point>("geometry", bytes).X);
        Assert.Contains("Point", Assert.Throws<InvalidCastException>(() => Types.Read<Polygon>("geometry", bytes)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Only_the_requested_ordinates_are_read_and_written()
    {
        var flat = new PluginTypes(static builder => builder.UseNetTopologySuite(handleOrdinates: Ordinates.XY), "geometry", "geography");
        var bytes = Types.Write("geometry", Parse("POINT ZM(1 2 3 4)", 0));
        var point = flat.Read<Point>("geometry", bytes);
        Assert.Equal(2, point.CoordinateSequence.Dimension);
        Assert.Equal((1, 2), (point.X, point.Y));
        Assert.Equal(21, flat.Write("geometry", Parse("POINT ZM(1 2 3 4)", 0)).Length);
        var measured = new PluginTypes(static builder => builder.UseNetTopologySuite(handleOrdinates: Ordinates.XYM), "geometry", "geography");
        Assert.Equal((double.NaN, 4), (measured.Read<Point>("geometry", bytes).Z, measured.Read<Point>("geometry", bytes).M));
    }

    [Fact]
    public void The_sequence_factory_and_the_precision_are_used()
    {
        var types = new PluginTypes(
            static builder => builder.UseNetTopologySuite(PackedCoordinateSequenceFactory.DoubleFactory, new PrecisionModel(10)), "geometry", "geography");
        var point = types.Read<Point>("geometry", Types.Write("geometry", Parse("POINT Z(1.26 2.04 3)", 4326)));
        Assert.IsType<PackedDoubleCoordinateSequence>(point.CoordinateSequence);
        Assert.Equal((1.3, 2.0, 3.0, 4326), (point.X, point.Y, point.Z, point.SRID));
    }

    [Fact]
    public void A_geometry_without_a_height_has_no_Z()
    {
        var line = new LineString([new CoordinateZ(1, 2), new CoordinateZ(3, 4)]);
        Assert.Equal(9 + 4 * 8, Types.Write("geometry", line).Length);
        var mixed = new GeometryCollection([new Point(1, 2), new Point(1, 2, 3)]);
        var read = Types.Read<GeometryCollection>("geometry", Types.Write("geometry", mixed));
        Assert.Equal((double.NaN, 3), (((Point)read[0]).Z, ((Point)read[1]).Z));
    }

    [Fact]
    public void A_type_follows_from_the_value()
    {
        var geographic = new PluginTypes(static builder => builder.UseNetTopologySuite(geographyAsDefault: true), "geometry", "geography");
        foreach (var type in new[] { typeof(Geometry), typeof(Point), typeof(LinearRing), typeof(MultiPolygon), typeof(GeometryCollection) })
        {
            Assert.Equal(Types["geometry"].Oid, Types.Catalogue.ForClr(type)?.Oid);
            Assert.Equal(geographic["geography"].Oid, geographic.Catalogue.ForClr(type)?.Oid);
            Assert.Equal(Types["geometry[]"].Oid, Types.Catalogue.ForClr(type.MakeArrayType())?.Oid);
        }

        Assert.Equal(typeof(Geometry), Types["geometry"].ClrType);
        Assert.Equal(typeof(Geometry), Types["geography"].ClrType);
    }

    [Fact]
    public void Arrays_have_geometries_as_elements()
    {
        Point[] points = [new(1, 2), new(3, 4)];
        Assert.Equal(points, Types.Read<Point[]>("geometry[]", Types.Write("geometry[]", points)));
        Geometry?[] mixed = [new Point(1, 2), null, Parse("LINESTRING (0 0, 1 1)", 0)];
        Assert.Equal(mixed, Types["geometry[]"].Read(Types.Write("geometry[]", mixed), isBinary: true));
        // PostGIS separates geometries by colons.
        var text = "{" + string.Join(':', mixed.Select(static one => one is null ? "NULL" : Convert.ToHexString(Types.Write("geometry", one)))) + "}";
        Assert.Equal(mixed, Types["geometry[]"].Read(System.Text.Encoding.UTF8.GetBytes(text), isBinary: false));
    }

    private static Geometry Parse(string text, int srid)
    {
        var geometry = new WKTReader().Read(text);
        geometry.SRID = srid;
        return geometry;
    }

    private static void Same(Geometry expected, Geometry actual)
    {
        var writer = new WKTWriter(4) { OutputOrdinates = Ordinates.XYZM };
        Assert.Equal(writer.Write(expected), writer.Write(actual));
        Assert.Equal(expected.GeometryType, actual.GeometryType);
        Assert.Equal(expected.SRID, actual.SRID);
        for (var i = 0; i < actual.NumGeometries; i++)
            Assert.Equal(expected.SRID, actual.GetGeometryN(i).SRID);
    }
}
