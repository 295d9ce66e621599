using Microsoft.EntityFrameworkCore;
using NetTopologySuite.Geometries;
using NetTopologySuite.IO;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Spatial;

/// <summary>Geometries of all kinds on the flat plane, and their columns.</summary>
internal sealed class Atlas(DbContextOptions options) : DbContext(options)
{
    public DbSet<Place> Places => Set<Place>();

    public static IReadOnlyList<Place> Rows { get; } =
    [
        new()
        {
            Id = 1, Shape = Read("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))"), Point = Point(3, 3), Line = Line("0 0, 3 4, 6 8"),
            Area = (Polygon)Read("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))"),
            Points = (MultiPoint)Read("MULTIPOINT ((1 1), (2 3))"), Lines = (MultiLineString)Read("MULTILINESTRING ((0 0, 3 4), (5 5, 5 7, 8 7))"),
            Areas = (MultiPolygon)Read("MULTIPOLYGON (((0 0, 2 0, 2 2, 0 2, 0 0)), ((5 5, 6 5, 6 7, 5 7, 5 5)))"),
            Mixed = (GeometryCollection)Read("GEOMETRYCOLLECTION (POINT (7 8), LINESTRING (0 0, 1 2), POLYGON ((0 0, 1 0, 1 1, 0 0)))"),
        },
        new()
        {
            Id = 2, Shape = Read("POLYGON ((3 3, 9 3, 9 9, 3 9, 3 3))"), Point = Point(-2.5, 1e-7), Line = Line("0 0, 4 0, 4 4, 0 0"),
            Area = (Polygon)Read("POLYGON ((3 3, 9 3, 9 9, 3 9, 3 3))"), Points = (MultiPoint)Read("MULTIPOINT ((5 5))"),
            Lines = (MultiLineString)Read("MULTILINESTRING ((0 0, 1 0, 1 1, 0 0))"), Areas = (MultiPolygon)Read("MULTIPOLYGON (((0 0, 3 0, 3 3, 0 0)))"),
            Mixed = (GeometryCollection)Read("GEOMETRYCOLLECTION EMPTY"),
        },
        new()
        {
            Id = 3, Shape = Line("-1 5, 10 5"), Point = Point(0.1, 123456789.123), Line = Line("-1 5, 10 5"),
            Mixed = (GeometryCollection)Read("GEOMETRYCOLLECTION (POINT (1 1))"),
        },
        new() { Id = 4, Shape = Point(5, 5), Point = Point(5, 5), Line = Line("0 0, 2 2, 2 0, 0 2") },
        new() { Id = 5, Shape = Read("MULTIPOINT ((3 1), (8 8))"), Point = Point(0, 0), Line = Line("1 1, 1 2") },
    ];

    public static Point Point(double x, double y, int srid = 0) => new(x, y) { SRID = srid };

    public static LineString Line(string points) => (LineString)Read($"LINESTRING ({points})");

    public static Geometry Read(string text) => new WKTReader(new NetTopologySuite.NtsGeometryServices(new PrecisionModel(), 0)).Read(text);

    /// <summary>Runs a test on a database with the rows.</summary>
    public static Task WithRowsAsync(ServerKind kind, Func<Atlas, Task> test) => Servers.WithDatabaseAsync(
        kind, static options => new Atlas(options),
        async open =>
        {
            await using (var atlas = open())
            {
                atlas.AddRange(Rows);
                await atlas.SaveChangesAsync(TestContext.Current.CancellationToken);
            }

            await using (var atlas = open())
                await test(atlas);
        },
        static mySql => mySql.UseNetTopologySuite());

    protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Place>().Property(static p => p.Id).ValueGeneratedNever();
}

internal sealed class Place
{
    public int Id { get; set; }

    public required Geometry Shape { get; set; }

    public required Point Point { get; set; }

    public required LineString Line { get; set; }

    public Polygon? Area { get; set; }

    public MultiPoint? Points { get; set; }

    public MultiLineString? Lines { get; set; }

    public MultiPolygon? Areas { get; set; }

    public GeometryCollection? Mixed { get; set; }
}
