using NetTopologySuite.Geometries;
using NetTopologySuite.IO;
using Slipstream.Lab;
using Slipstream.PostgreSql;

namespace Slipstream.Plugins;

/// <summary>Geometries on PostGIS. Only PostgreSQL 18 of the lab has it: see tools/Lab.</summary>
public class NetTopologySuiteTests
{
    private static readonly string[] Texts =
    [
        "POINT (1 2)", "POINT EMPTY", "LINESTRING (0 0, 1 1.5)", "LINESTRING EMPTY", "POLYGON ((0 0, 4 0, 4 4, 0 0), (2 1, 3 1, 3 2, 2 1))", "POLYGON EMPTY",
        "MULTIPOINT ((1 2), (3 4))", "MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))", "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)))", "MULTIPOLYGON EMPTY",
        "GEOMETRYCOLLECTION (POINT (1 2), GEOMETRYCOLLECTION (LINESTRING (0 0, 1 1)))", "GEOMETRYCOLLECTION EMPTY",
    ];

    [Fact]
    public async Task Geometries_and_geographies_are_read_sent_and_copied()
    {
        await using var database = await PluginDatabase.CreateAsync(ServerKind.PostgreSql18, "postgis");
        await using var source = database.Source(static builder => builder.UseNetTopologySuite());
        await using var geographic = database.Source(static builder => builder.UseNetTopologySuite(geographyAsDefault: true));
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var other = await geographic.OpenConnectionAsync(TestContext.Current.CancellationToken);
        foreach (var text in Texts)
        {
            var geometry = new WKTReader().Read(text);
            PluginDatabase.Check(connection, "geometry", $"'{text}'::geometry", geometry);
            geometry.SRID = 4326;
            PluginDatabase.Check(connection, "geometry", $"ST_GeomFromText('{text}', 4326)", geometry);
            PluginDatabase.Other(connection, "geography", $"'{text}'::geography", geometry);
            PluginDatabase.Check(other, "geography", $"'{text}'::geography", geometry);
        }

        var point = new Point(1, 2) { SRID = 4326 };
        PluginDatabase.Other(connection, "geometry", "'SRID=4326;POINT(1 2)'::geometry", point, isInferred: true);
        PluginDatabase.Reads(connection, "array['POINT(1 2)'::geometry, null]", new[] { new Point(1, 2), null });
        PluginDatabase.Sends(connection, "geometry[]", "array['POINT(1 2)'::geometry, 'POINT(3 4)']", new Point[] { new(1, 2), new(3, 4) }, isInferred: true);
        PluginDatabase.Sends(
            connection, "geometry[]", "array['POINT(1 2)'::geometry, 'LINESTRING(0 0,1 1)']",
            new List<Geometry> { new Point(1, 2), new LineString([new(0, 0), new(1, 1)]) }, isInferred: true);
    }

    [Theory]
    [InlineData("POINT Z (1 2 3)")]
    [InlineData("POINT M (1 2 4)")]
    [InlineData("POINT ZM (1 2 3 4)")]
    [InlineData("LINESTRING ZM (0 0 1 2, 1 1 3 4)")]
    [InlineData("POLYGON Z ((0 0 1, 4 0 2, 4 4 3, 0 0 1))")]
    [InlineData("MULTIPOINT Z ((1 2 3), (4 5 6))")]
    public async Task Heights_and_measures_are_kept(string text)
    {
        await using var database = await PluginDatabase.CreateAsync(ServerKind.PostgreSql18, "postgis");
        await using var source = database.Source(static builder => builder.UseNetTopologySuite());
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        for (var execution = 0; execution < 4; execution++)
        {
            await using var command = new PgCommand("SELECT ST_AsText($1), ST_AsText(g), g FROM (SELECT ST_GeomFromText($2, 4326) AS g) AS _", connection);
            command.Parameters.Add(new PgParameter { Value = new WKTReader().Read(text.Replace(" (", "(", StringComparison.Ordinal)) });
            command.Parameters.Add(new PgParameter { Value = text });
            await using var reader = await command.ExecuteReaderAsync(TestContext.Current.CancellationToken);
            Assert.True(await reader.ReadAsync(TestContext.Current.CancellationToken));
            Assert.Equal(reader.GetString(1), reader.GetString(0));
            var geometry = (Geometry)reader.GetValue(2);
            Assert.Equal(4326, geometry.SRID);
            Assert.Equal(
                text.Replace(" ", "", StringComparison.Ordinal),
                new WKTWriter(4) { OutputOrdinates = Ordinates.XYZM }.Write(geometry).Replace(" ", "", StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task A_curve_is_refused_and_the_connection_stays_usable()
    {
        await using var database = await PluginDatabase.CreateAsync(ServerKind.PostgreSql18, "postgis");
        await using var source = database.Source(static builder => builder.UseNetTopologySuite());
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        for (var execution = 0; execution < 2; execution++)
        {
            await using var command = new PgCommand("SELECT 'CIRCULARSTRING(0 0,1 1,2 0)'::geometry, 'POINT(1 2)'::geometry", connection);
            await using var reader = await command.ExecuteReaderAsync(TestContext.Current.CancellationToken);
            Assert.True(await reader.ReadAsync(TestContext.Current.CancellationToken));
            Assert.Throws<InvalidCastException>(() => reader.GetValue(0));
            Assert.Throws<InvalidCastException>(() => reader.GetFieldValue<Polygon>(1));
            Assert.Equal(2, reader.GetFieldValue<Point>(1).Y);
        }
    }

    [Fact]
    public async Task Without_the_extension_a_geometry_is_refused_and_everything_else_works()
    {
        await using var database = await PluginDatabase.CreateAsync(ServerKind.PostgreSql);
        await using var source = database.Source(static builder => builder.UseNetTopologySuite());
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var command = new PgCommand("SELECT $1", connection) { Parameters = { new PgParameter { Value = new Point(1, 2) } } };
        Assert.Contains("'geometry'", Assert.Throws<InvalidCastException>(() => command.ExecuteScalar()).Message, StringComparison.Ordinal);
        command.Parameters[0].Value = 7;
        Assert.Equal(7, command.ExecuteScalar());
    }
}
