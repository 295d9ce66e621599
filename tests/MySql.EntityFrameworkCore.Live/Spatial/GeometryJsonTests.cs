using Microsoft.EntityFrameworkCore;
using NetTopologySuite.Geometries;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Spatial;

/// <summary>Geometries in JSON documents: saved, read, changed and searched.</summary>
public sealed class GeometryJsonTests
{
    private static readonly Polygon Germany = (Polygon)Atlas.Read("POLYGON ((6 47, 15 47, 15 55, 6 55, 6 47))");

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task Geometries_come_back_with_their_reference_systems(ServerKind kind) => WithSitesAsync(kind, static async open =>
    {
        await using var context = open();
        var sites = await context.Set<Site>().OrderBy(static s => s.Id).ToListAsync(Stop);
        Assert.Equal(Sites().Select(Describe), sites.Select(Describe));
        Assert.False(context.ChangeTracker.HasChanges());
        Assert.Equal(
            ["SRID=4326;POINT (13.4 52.5)", null],
            await context.Database.SqlQuery<string?>(
                $"SELECT JSON_UNQUOTE(NULLIF(JSON_EXTRACT(Details, '$.Location'), JSON_EXTRACT('null', '$'))) AS Value FROM Sites ORDER BY Id")
                .ToListAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Ordinates_are_exact_in_memory_and_on_the_server(ServerKind kind) => WithSitesAsync(kind, static async open =>
    {
        await using var context = open();
        var random = new Random(5);
        var trail = new List<Point> { Atlas.Point(double.MaxValue, double.Epsilon), Atlas.Point(-1e300, 0.1 + 0.2), Atlas.Point(1e22, -1e-7) };
        while (trail.Count < 40)
            if (BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue)) is var x && double.IsFinite(x))
                trail.Add(Atlas.Point(x, random.NextDouble() * 1000));
        var site = await context.Set<Site>().FirstAsync(Stop);
        site.Details.Trail = trail;
        await context.SaveChangesAsync(Stop);
        context.ChangeTracker.Clear();
        site = await context.Set<Site>().FirstAsync(Stop);
        Assert.Equal(trail.Select(static p => (p.X, p.Y)), site.Details.Trail.Select(static p => (p.X, p.Y)));
        var read = await context.Set<Site>().Where(static s => s.Id == 1).SelectMany(static s => s.Details.Trail).Select(static p => new { p.X, p.Y })
            .ToListAsync(Stop);
        Assert.Equal(trail.Select(static p => (p.X, p.Y)), read.Select(static p => (p.X, p.Y)));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Members_of_documents_are_searched_and_selected(ServerKind kind) => WithSitesAsync(kind, static async open =>
    {
        await using var context = open();
        var sites = context.Set<Site>();
        Assert.Equal([1], await Ids(sites.Where(static s => s.Details.Location!.X > 13 && s.Details.Location.Y < 53)));
        Assert.Equal([2], await Ids(sites.Where(static s => s.Details.Location == null)));
        Assert.Equal([4326, null], await sites.OrderBy(static s => s.Id).Select(static s => (int?)s.Details.Location!.SRID).ToListAsync(Stop));
        var germany = (Polygon)Germany.Copy();
        germany.SRID = 4326;
        Assert.Equal([1], await Ids(sites.Where(s => s.Details.Location!.Within(germany))));
        Assert.Equal([1], await Ids(sites.Where(static s => s.Extra.Border.Area == 72)));
        var locations = await sites.OrderBy(static s => s.Id).Select(static s => s.Details.Location).ToListAsync(Stop);
        Assert.Equal(["POINT (13.4 52.5)", null], locations.Select(static l => l?.AsText()));
        Assert.Equal((4326, 0), (locations[0]!.SRID, (await sites.Where(static s => s.Id == 1).Select(static s => s.Details.Shape).SingleAsync(Stop)).SRID));
        Assert.Equal(
            Sites().Select(static s => s.Details.Shape.AsText()),
            (await sites.OrderBy(static s => s.Id).Select(static s => s.Details.Shape).ToListAsync(Stop)).Select(static g => g.AsText()));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Collections_in_documents_and_columns_are_searched(ServerKind kind) => WithSitesAsync(kind, static async open =>
    {
        await using var context = open();
        var sites = context.Set<Site>();
        Assert.Equal([1], await Ids(sites.Where(static s => s.Details.Spots.Any(p => p.At.X > 4))));
        Assert.Equal([1], await Ids(sites.Where(static s => s.Details.Spots[1].At.Y == 6)));
        Assert.Equal([1, 2], await Ids(sites.Where(static s => s.Path.Any(p => p.X == 1))));
        Assert.Equal([2], await Ids(sites.Where(static s => s.Path[0].Y == 5)));
        Assert.Equal([1], await Ids(sites.Where(static s => s.Details.Trail.Count == 2)));
        Assert.Equal(
            [3.0, 5.0], await sites.SelectMany(static s => s.Details.Spots).OrderBy(static p => p.Number).Select(static p => p.At.X).ToListAsync(Stop));
        Assert.Equal(
            ["POINT (3 4)", "POINT (5 6)"],
            (await sites.SelectMany(static s => s.Details.Spots, static (s, p) => new { p.Number, p.At }).OrderBy(static p => p.Number).ToListAsync(Stop))
                .Select(static p => p.At.AsText()));
        Assert.Equal(
            [(1, 31468), (2, 0)],
            (await sites.AsNoTracking().SelectMany(static s => s.Details.Spots).OrderBy(static p => p.Number).ToListAsync(Stop))
                .Select(static p => (p.Number, p.At.SRID)));
        Assert.Equal(
            ["POINT (1 2)", "POINT (1 5)", "POINT (3 4)"],
            (await sites.SelectMany(static s => s.Path).ToListAsync(Stop)).Select(static p => p.AsText()).Order(StringComparer.Ordinal));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_change_writes_only_the_geometry(ServerKind kind) => WithSitesAsync(kind, static async open =>
    {
        await using var one = open();
        await using var two = open();
        var (first, second) = (await one.Set<Site>().FirstAsync(Stop), await two.Set<Site>().FirstAsync(Stop));
        first.Details.Location = Atlas.Point(1e300, -2, 3857);
        second.Details.Label = "other";
        await one.SaveChangesAsync(Stop);
        await two.SaveChangesAsync(Stop);
        second.Details.Spots[0].At = Atlas.Point(7, 8, 4326);
        await two.SaveChangesAsync(Stop);
        one.ChangeTracker.Clear();
        var read = await one.Set<Site>().FirstAsync(Stop);
        Assert.Equal("other", read.Details.Label);
        Assert.Equal((1e300, -2, 3857), (read.Details.Location!.X, read.Details.Location.Y, read.Details.Location.SRID));
        Assert.Equal((7, 8, 4326), (read.Details.Spots[0].At.X, read.Details.Spots[0].At.Y, read.Details.Spots[0].At.SRID));
        read.Details.Location.X = 4;
        read.Details.Trail.Add(Atlas.Point(0.25, 1));
        await one.SaveChangesAsync(Stop);
        read.Details.Location = null;
        read.Extra = new() { Border = Germany, Center = Atlas.Point(10, 50) };
        await one.SaveChangesAsync(Stop);
        two.ChangeTracker.Clear();
        read = await two.Set<Site>().FirstAsync(Stop);
        Assert.Equal((null, 0.25, 10), (read.Details.Location, read.Details.Trail[^1].X, read.Extra.Center!.X));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task ExecuteUpdate_sets_a_geometry_in_a_complex_type(ServerKind kind) => WithSitesAsync(kind, static async open =>
    {
        await using var context = open();
        var point = Atlas.Point(9, 8, 4326);
        Assert.Equal(2, await context.Set<Site>().ExecuteUpdateAsync(set => set.SetProperty(static s => s.Extra.Center, point), Stop));
        Assert.Equal(2, await context.Set<Site>().CountAsync(static s => s.Extra.Center!.X == 9 && s.Extra.Center.SRID == 4326, Stop));
        await context.Set<Site>().ExecuteUpdateAsync(
            static set => set.SetProperty(static s => s.Extra.Center, (Point?)null).SetProperty(static s => s.Extra.Border, Germany), Stop);
        Assert.Equal(2, await context.Set<Site>().CountAsync(static s => s.Extra.Center == null && s.Extra.Border.Area == 72, Stop));
        Assert.Equal(Germany, (await context.Set<Site>().FirstAsync(Stop)).Extra.Border);
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task ExecuteUpdate_sets_a_geometry_to_one_of_a_derived_class(ServerKind kind) => WithSitesAsync(kind, static async open =>
    {
        await using var context = open();
        var point = Atlas.Point(9, 8, 4326);
        await context.Set<Site>().ExecuteUpdateAsync(set => set.SetProperty(static s => s.Extra.Center, point), Stop);
        await context.Set<Site>().ExecuteUpdateAsync(static set => set.SetProperty(static s => s.Extra.Any, static s => s.Extra.Center), Stop);
        Assert.All(
            await context.Set<Site>().ToListAsync(Stop),
            static site => Assert.Equal((4326, "POINT (9 8)"), (site.Extra.Any!.SRID, site.Extra.Any.AsText())));
        // The document may contain a geometry of another class.
        Assert.StartsWith(
            "ExecuteUpdate cannot set 'Center' in a document from a column or an expression",
            (await Assert.ThrowsAsync<InvalidOperationException>(() => context.Set<Site>().ExecuteUpdateAsync(
                static set => set.SetProperty(static s => s.Extra.Center, static s => (Point?)s.Extra.Any), Stop))).Message);
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task What_is_not_such_a_geometry_is_refused(ServerKind kind) => WithSitesAsync(kind, static async open =>
    {
        await using var context = open();
        var site = await context.Set<Site>().FirstAsync(Stop);
        site.Details.Shape = Atlas.Read("POINT Z (1 2 3)");
        var refusal = await Assert.ThrowsAsync<ArgumentException>(() => context.SaveChangesAsync(Stop));
        Assert.StartsWith("A Point with Z or M cannot be stored", refusal.Message, StringComparison.Ordinal);
        context.ChangeTracker.Clear();
        await context.Database.ExecuteSqlRawAsync("UPDATE Sites SET Details = JSON_SET(Details, '$.Location', 'LINESTRING (1 2, 3 4)')", Stop);
        Assert.Equal(
            "The value is a LineString, not a Point: map the property as Geometry.",
            (await Assert.ThrowsAsync<InvalidCastException>(() => context.Set<Site>().ToListAsync(Stop))).Message);
        await context.Database.ExecuteSqlRawAsync("UPDATE Sites SET Details = JSON_SET(Details, '$.Location', 'PINT (1 2)')", Stop);
        Assert.Equal(
            "The value in JSON is not a geometry in well-known text.",
            (await Assert.ThrowsAsync<FormatException>(() => context.Set<Site>().ToListAsync(Stop))).Message);
    });

    private static Task<List<int>> Ids(IQueryable<Site> sites) => sites.OrderBy(static s => s.Id).Select(static s => s.Id).ToListAsync(Stop);

    private static Task WithSitesAsync(ServerKind kind, Func<Func<AnyModel>, Task> test) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Build),
        async open =>
        {
            await using (var context = open())
            {
                context.AddRange(Sites());
                await context.SaveChangesAsync(Stop);
            }

            await test(open);
        },
        static mySql => mySql.UseNetTopologySuite());

    private static void Build(ModelBuilder model) => model.Entity<Site>(static site =>
    {
        site.ToTable("Sites").Property(static s => s.Id).ValueGeneratedNever();
        site.OwnsOne(static s => s.Details, static details =>
        {
            details.ToJson();
            details.OwnsMany(static d => d.Spots);
        });
        site.ComplexProperty(static s => s.Extra, static extra => extra.ToJson());
    });

    private static Site[] Sites() =>
    [
        new()
        {
            Id = 1, Path = [Atlas.Point(1, 2), Atlas.Point(3, 4)],
            Details = new()
            {
                Label = "one", Location = Atlas.Point(13.4, 52.5, 4326),
                Shape = Atlas.Read(
                    "GEOMETRYCOLLECTION (POINT (7 8), MULTIPOINT ((1 1), (2 3)), MULTILINESTRING ((0 0, 3 4), (5 5, 5 7)), POLYGON ((0 0, 1 0, 1 1, 0 0)))"),
                Spots = [new() { Number = 1, At = Atlas.Point(3, 4, 31468) }, new() { Number = 2, At = Atlas.Point(5, 6) }],
                Trail = [Atlas.Point(1, 1), Atlas.Point(2, 2)],
            },
            Extra = new() { Border = Germany, Center = Atlas.Point(10, 51) },
        },
        new()
        {
            Id = 2, Path = [Atlas.Point(1, 5)],
            Details = new()
            {
                Label = "two", Location = null,
                Shape = Atlas.Read("MULTIPOLYGON (((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 2 1, 2 2, 1 1)), ((20 20, 21 20, 21 21, 20 20)))"),
            },
            Extra = new() { Border = (Polygon)Atlas.Read("POLYGON ((0 0, 1 0, 1 1, 0 0))") },
        },
    ];

    private static string Describe(Site site) => string.Join(
        " | ",
        ((Geometry?[])[site.Details.Location, site.Details.Shape, .. site.Details.Spots.Select(static p => p.At), .. site.Details.Trail, .. site.Path,
            site.Extra.Border, site.Extra.Center]).Select(static g => g is null ? "null" : $"{g.GetType().Name} {g.SRID} {g.AsText()}"));

    private sealed class Site
    {
        public int Id { get; set; }

        public Details Details { get; set; } = null!;

        public Extra Extra { get; set; } = null!;

        public List<Point> Path { get; set; } = [];
    }

    private sealed class Details
    {
        public string Label { get; set; } = "";

        public Point? Location { get; set; }

        public Geometry Shape { get; set; } = null!;

        public List<Spot> Spots { get; set; } = [];

        public List<Point> Trail { get; set; } = [];
    }

    private sealed class Spot
    {
        public int Number { get; set; }

        public Point At { get; set; } = null!;
    }

    private sealed class Extra
    {
        public Polygon Border { get; set; } = null!;

        public Point? Center { get; set; }

        public Geometry? Any { get; set; }
    }
}
