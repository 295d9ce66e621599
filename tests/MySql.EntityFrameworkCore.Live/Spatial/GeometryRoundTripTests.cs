using Microsoft.EntityFrameworkCore;
using NetTopologySuite.Geometries;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Spatial;

/// <summary>Geometries come back as they were saved, with X as X, and what cannot be stored is refused.</summary>
public sealed class GeometryRoundTripTests
{
    private const string Berlin = "POINT (13.4 52.5)";
    private const string Paris = "POINT (2.35 48.85)";

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task All_kinds_and_NULL_come_back(ServerKind kind) => Atlas.WithRowsAsync(kind, static async atlas =>
    {
        var places = await atlas.Places.OrderBy(static p => p.Id).ToListAsync(Stop);
        Assert.Equal(Atlas.Rows.Select(Describe), places.Select(Describe));
        Assert.False(atlas.ChangeTracker.HasChanges());

        // A change inside a geometry, and of the SRID only.
        places[0].Point.X = 3.25;
        places[1].Shape.SRID = 3857;
        places[2].Mixed = null;
        places[3].Shape = Atlas.Read("GEOMETRYCOLLECTION EMPTY");
        Assert.Equal(4, await atlas.SaveChangesAsync(Stop));
        atlas.ChangeTracker.Clear();
        var changed = await atlas.Places.OrderBy(static p => p.Id).ToListAsync(Stop);
        Assert.Equal((3.25, 3857, null, true), (changed[0].Point.X, changed[1].Shape.SRID, changed[2].Mixed, changed[3].Shape.IsEmpty));
        Assert.Equal([0, 3857, 0, 0, 0], await atlas.Places.OrderBy(static p => p.Id).Select(static p => p.Shape.SRID).ToListAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task X_stays_X_whatever_the_reference_system(ServerKind kind) => WithTownsAsync(kind, static async world =>
    {
        var towns = await world.Towns.OrderBy(static t => t.Name).ToListAsync(Stop);
        Assert.Equal(["13.4 52.5 4326", "2.35 48.85 4326"], towns.Select(static t => $"{t.Location.X} {t.Location.Y} {t.Location.SRID}"));
        var values = await world.Towns.OrderBy(static t => t.Name)
            .Select(static t => new { t.Location.X, t.Location.Y, t.Location.SRID, Text = t.Location.AsText(), Bytes = t.Location.AsBinary() })
            .ToListAsync(Stop);
        Assert.Equal([(13.4, 52.5, 4326), (2.35, 48.85, 4326)], values.Select(static v => (v.X, v.Y, v.SRID)));
        Assert.Equal([Berlin, Paris], values.Select(static v => Atlas.Read(v.Text).AsText()));
        Assert.Equal(towns.Select(static t => t.Location.AsBinary()), values.Select(static v => v.Bytes));
        Assert.Equal(["Berlin"], await world.Towns.Where(static t => t.Location.X > 10 && t.Location.Y > 50).Select(static t => t.Name).ToListAsync(Stop));
        var germany = Atlas.Read("POLYGON ((6 47, 15 47, 15 55, 6 55, 6 47))");
        germany.SRID = 4326;
        Assert.Equal(["Berlin"], await world.Towns.Where(t => t.Location.Within(germany)).Select(static t => t.Name).ToListAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Distances_on_the_earth_are_in_metres(ServerKind kind) => WithTownsAsync(kind, async world =>
    {
        var paris = Atlas.Point(2.35, 48.85, 4326);
        var row = await world.Towns.Where(static t => t.Name == "Berlin").Select(t => new
        {
            Sphere = EF.Functions.SpatialDistanceSphere(t.Location, paris, SpatialDistanceAlgorithm.Native),
            Haversine = EF.Functions.SpatialDistanceSphere(t.Location, paris, SpatialDistanceAlgorithm.Haversine),
            Planar = EF.Functions.SpatialDistancePlanar(t.Location, paris), Distance = t.Location.Distance(paris),
        }).SingleAsync(Stop);
        Assert.Equal(Haversine(13.4, 52.5, 2.35, 48.85), row.Sphere, 1.0);
        Assert.Equal(row.Sphere, row.Haversine);
        Assert.Equal(Atlas.Point(13.4, 52.5).Distance(Atlas.Point(2.35, 48.85)), row.Planar, 1e-9);
        var andoyer = world.Towns.Where(static t => t.Name == "Berlin")
            .Select(t => EF.Functions.SpatialDistanceSphere(t.Location, paris, SpatialDistanceAlgorithm.Andoyer));
        if (kind == ServerKind.MySql)
        {
            // MySQL computes on the ellipsoid; the sphere is off by at most 0.6 %.
            Assert.Equal(1, row.Distance / row.Sphere, 0.006);
            Assert.Equal(row.Distance, await andoyer.SingleAsync(Stop), 1e-6);
        }
        else
        {
            Assert.Equal(row.Planar, row.Distance);
            Assert.Contains(
                "MariaDB does not compute distances on an ellipsoid",
                (await Assert.ThrowsAsync<InvalidOperationException>(() => andoyer.SingleAsync(Stop))).Message, StringComparison.Ordinal);
        }
    });

    [Fact]
    public async Task MySQL_checks_the_reference_system_of_the_column() => await WithTownsAsync(ServerKind.MySql, static async world =>
    {
        world.Add(new Town { Name = "Nowhere", Location = Atlas.Point(1, 2) });
        var refusal = await Assert.ThrowsAsync<DbUpdateException>(() => world.SaveChangesAsync(Stop));
        Assert.Equal(3643, Assert.IsType<MySqlException>(refusal.InnerException).Number);
    });

    [Theory]
    [InlineData("POINT EMPTY", "An empty Point")]
    [InlineData("LINESTRING EMPTY", "An empty LineString")]
    [InlineData("MULTIPOLYGON EMPTY", "An empty MultiPolygon")]
    [InlineData("GEOMETRYCOLLECTION (POINT (1 2), POLYGON EMPTY)", "An empty Polygon")]
    [InlineData("POINT Z (1 2 3)", "A Point with Z or M")]
    [InlineData("LINESTRING M (1 2 3, 4 5 6)", "A LineString with Z or M")]
    public async Task What_the_servers_cannot_store_is_refused(string text, string message)
    {
        await using var atlas = new Atlas(Servers.Options().UseMySql(
            await Servers.ConnectionString(ServerKind.MySql, "refused"), static mySql => mySql.UseNetTopologySuite()).Options);
        var sought = Atlas.Read(text);
        var refusal = Assert.Throws<ArgumentException>(() => atlas.Places.Where(p => p.Shape.Intersects(sought)).ToQueryString());
        Assert.StartsWith(message, refusal.Message, StringComparison.Ordinal);
    }

    // MySQL has reference systems that are defined only, and MariaDB does not check them.
    [Theory, InlineData(ServerKind.MariaDb), InlineData(ServerKind.MariaDb11)]
    public Task An_SRID_that_NetTopologySuite_cannot_hold_is_refused(ServerKind kind) => Atlas.WithRowsAsync(kind, static async atlas =>
    {
        await atlas.Database.ExecuteSqlAsync($"UPDATE Places SET Shape = ST_GeomFromText('POINT (1 2)', 3000000000) WHERE Id = 1", Stop);
        var refusal = await Assert.ThrowsAsync<FormatException>(() => atlas.Places.AsNoTracking().SingleAsync(static p => p.Id == 1, Stop));
        Assert.Equal("The geometry has the SRID 3000000000. NetTopologySuite holds SRIDs up to 2147483647.", refusal.Message);

        var place = await atlas.Places.SingleAsync(static p => p.Id == 2, Stop);
        place.Shape.SRID = -2;
        Assert.Equal(
            "A geometry with the SRID -2 cannot be stored. Use a number that is not negative, or -1 for none.",
            (await Assert.ThrowsAsync<DbUpdateException>(() => atlas.SaveChangesAsync(Stop))).InnerException!.Message);
        place.Shape.SRID = -1;
        await atlas.SaveChangesAsync(Stop);
        Assert.Equal(0, await atlas.Places.Where(static p => p.Id == 2).Select(static p => p.Shape.SRID).SingleAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_geometry_of_another_class_is_refused_when_it_is_read(ServerKind kind) => Atlas.WithRowsAsync(kind, static async atlas =>
    {
        await atlas.Places.Where(static p => p.Id == 1).ExecuteUpdateAsync(
            static set => set.SetProperty(static p => p.Shape, static p => p.Shape.Envelope), Stop);
        Assert.Equal(16, (await atlas.Places.AsNoTracking().SingleAsync(static p => p.Id == 1, Stop)).Shape.Area);
        var refusal = await Assert.ThrowsAsync<InvalidCastException>(
            () => atlas.Database.SqlQuery<Point>($"SELECT Line AS `Value` FROM Places WHERE Id = 1").ToListAsync(Stop));
        Assert.Contains("is a LineString, not a Point", refusal.Message, StringComparison.Ordinal);
    });

    private static double Haversine(double x1, double y1, double x2, double y2)
    {
        var (a, b) = (double.DegreesToRadians(y1), double.DegreesToRadians(y2));
        var half = Math.Pow(Math.Sin((b - a) / 2), 2) + (Math.Cos(a) * Math.Cos(b) * Math.Pow(Math.Sin(double.DegreesToRadians(x2 - x1) / 2), 2));
        return 2 * 6370986 * Math.Asin(Math.Sqrt(half));
    }

    private static string Describe(Place place) => string.Join(
        "; ",
        ((Geometry?[])[place.Shape, place.Point, place.Line, place.Area, place.Points, place.Lines, place.Areas, place.Mixed]).Select(static geometry =>
            geometry is null ? "NULL" : $"{geometry.GetType().Name} {geometry.SRID} {geometry.AsText()}"));

    private static Task WithTownsAsync(ServerKind kind, Func<World, Task> test) => Servers.WithDatabaseAsync(
        kind, static options => new World(options),
        async open =>
        {
            await using var world = open();
            var point = Atlas.Point(13.4, 52.5, 4326);
            world.AddRange(new Town { Name = "Berlin", Location = point }, new Town { Name = "Paris", Location = Atlas.Point(2.35, 48.85, 4326) });
            await world.SaveChangesAsync(Stop);
            world.ChangeTracker.Clear();
            await test(world);
        },
        static mySql => mySql.UseNetTopologySuite());

    private sealed class World(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Town> Towns => Set<Town>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Town>(static town =>
        {
            town.HasKey(static t => t.Name);
            town.Property(static t => t.Location).HasSpatialReferenceSystem(4326);
            town.HasIndex(static t => t.Location).IsSpatial();
        });
    }

    private sealed class Town
    {
        public required string Name { get; set; }

        public required Point Location { get; set; }
    }
}
