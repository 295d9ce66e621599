using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using NetTopologySuite.Geometries;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Spatial;

/// <summary>Members of geometries on the servers and in NetTopologySuite: the answers must be equal.</summary>
public sealed class GeometryQueryTests
{
    private static readonly Polygon Square = (Polygon)Atlas.Read("POLYGON ((2.5 2.5, 7.5 2.5, 7.5 7.5, 2.5 7.5, 2.5 2.5))");
    private static readonly Point Spot = Atlas.Point(5, 5);
    private static readonly Point Corner = Atlas.Point(9, 3);
    private static readonly LinearRing Ring = new([new(0, 0), new(6, 0), new(6, 6), new(0, 0)]);

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task Numbers_are_equal(ServerKind kind) => Atlas.WithRowsAsync(kind, static async atlas =>
    {
        await EqualAsync(atlas, static p => p.Point.X);
        await EqualAsync(atlas, static p => p.Point.Y);
        await EqualAsync(atlas, static p => p.Line.Length);
        await EqualAsync(atlas, static p => p.Line.NumPoints);
        await EqualAsync(atlas, static p => p.Line.Count);
        await EqualAsync(atlas, static p => p.Shape.Area);
        await EqualAsync(atlas, static p => (int)p.Shape.Dimension);
        await EqualAsync(atlas, static p => p.Shape.NumGeometries);
        await EqualAsync(atlas, static p => p.Shape.SRID);
        await EqualAsync(atlas, static p => p.Shape.Distance(Spot));
        await EqualAsync(atlas, static p => Spot.Distance(p.Line));
        await EqualAsync(atlas, static p => p.Point.Distance(p.Shape));
        await EqualAsync(atlas, static p => p.Area!.Area, static p => p.Area != null);
        await EqualAsync(atlas, static p => p.Areas!.Area, static p => p.Areas != null);
        await EqualAsync(atlas, static p => p.Area!.NumInteriorRings, static p => p.Area != null);
        await EqualAsync(atlas, static p => p.Lines!.Length, static p => p.Lines != null);
        await EqualAsync(atlas, static p => p.Points!.NumGeometries, static p => p.Points != null);
        await EqualAsync(atlas, static p => p.Mixed!.Count, static p => p.Mixed != null);
        await EqualAsync(atlas, static p => EF.Property<Geometry>(p, "Shape").GeometryType == "Polygon" ? 1 : 0, expected: [1, 1, 0, 0, 0]);
        Assert.Equal(10.5, await atlas.Places.SumAsync(static p => p.Areas!.Area, Stop), 1e-9);
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Conditions_are_equal(ServerKind kind) => Atlas.WithRowsAsync(kind, static async atlas =>
    {
        await SameRowsAsync(atlas, static p => p.Point.Within(Square));
        await SameRowsAsync(atlas, static p => Square.Contains(p.Point));
        await SameRowsAsync(atlas, static p => p.Shape.Intersects(Square));
        await SameRowsAsync(atlas, static p => p.Shape.Disjoint(Spot));
        await SameRowsAsync(atlas, static p => p.Area != null && p.Area.Overlaps(Square));
        await SameRowsAsync(atlas, static p => p.Line.Crosses(Square));
        await SameRowsAsync(atlas, static p => p.Line.Intersects(Ring));
        await SameRowsAsync(atlas, static p => p.Shape.Touches(Corner));
        await SameRowsAsync(atlas, static p => p.Shape.EqualsTopologically(Spot));
        await SameRowsAsync(atlas, static p => p.Point.Equals(Spot));
        await SameRowsAsync(atlas, static p => p.Shape.EqualsExact(Spot));
        await SameRowsAsync(atlas, static p => p.Shape.IsWithinDistance(Spot, 1));
        await SameRowsAsync(atlas, static p => p.Line.IsClosed);
        await SameRowsAsync(atlas, static p => p.Line.IsRing);
        await SameRowsAsync(atlas, static p => p.Lines != null && p.Lines.IsClosed);
        await SameRowsAsync(atlas, static p => p.Line.IsSimple);
        await SameRowsAsync(atlas, static p => !p.Line.IsSimple);
        await SameRowsAsync(atlas, static p => p.Mixed != null && p.Mixed.IsEmpty);
        await SameRowsAsync(atlas, static p => p.Mixed != null && !p.Mixed.IsEmpty);
        await SameRowsAsync(atlas, static p => p.Shape.Dimension == Dimension.Surface);
        Assert.Equal([4], await atlas.Places.Where(static p => p.Point == Spot).Select(static p => p.Id).ToListAsync(Stop));
        Assert.Equal(3, await atlas.Places.CountAsync(static p => p.Area == null, Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Geometries_are_equal(ServerKind kind) => Atlas.WithRowsAsync(kind, static async atlas =>
    {
        await SameShapesAsync(atlas, static p => p.Line.StartPoint);
        await SameShapesAsync(atlas, static p => p.Line.EndPoint);
        await SameShapesAsync(atlas, static p => p.Line.GetPointN(1));
        await SameShapesAsync(atlas, static p => p.Line.Envelope);
        await SameShapesAsync(atlas, static p => p.Line.ConvexHull());
        await SameShapesAsync(atlas, static p => p.Shape.GetGeometryN(0));
        await SameShapesAsync(atlas, static p => p.Shape.Intersection(Square));
        await SameShapesAsync(atlas, static p => p.Area!.Union(Square), static p => p.Area != null);
        await SameShapesAsync(atlas, static p => p.Area!.Difference(Square), static p => p.Area != null);
        await SameShapesAsync(atlas, static p => p.Area!.SymmetricDifference(Square), static p => p.Area != null);
        await SameShapesAsync(atlas, static p => p.Area!.ExteriorRing, static p => p.Area != null);
        await SameShapesAsync(atlas, static p => p.Area!.Centroid, static p => p.Area != null);
        await SameShapesAsync(atlas, static p => p.Area!.GetInteriorRingN(0), static p => p.Id == 1);
        await SameShapesAsync(atlas, static p => p.Points!.GetGeometryN(0), static p => p.Points != null);
        await SameShapesAsync(atlas, static p => p.Mixed![0], static p => p.Mixed != null && p.Id != 2);
        // The circles have more corners on MariaDB.
        var areas = await atlas.Places.OrderBy(static p => p.Id).Select(static p => p.Point.Buffer(2).Area).ToListAsync(Stop);
        Assert.All(areas, static area => Assert.InRange(area, 12.4, Math.PI * 4));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Texts_and_bytes_are_those_of_NetTopologySuite(ServerKind kind) => Atlas.WithRowsAsync(kind, static async atlas =>
    {
        var texts = await atlas.Places.OrderBy(static p => p.Id)
            .Select(static p => new { Text = p.Shape.AsText(), Other = p.Point.ToText(), Bytes = p.Line.AsBinary(), p.Line }).ToListAsync(Stop);
        Assert.Equal(Atlas.Rows.Select(static p => p.Shape.AsText()), texts.Select(static t => Atlas.Read(t.Text).AsText()));
        Assert.Equal(Atlas.Rows.Select(static p => p.Point.AsText()), texts.Select(static t => Atlas.Read(t.Other).AsText()));
        Assert.All(texts, static t => Assert.Equal(t.Line.AsBinary(), t.Bytes));
        await EqualAsync(atlas, static p => p.Shape.GeometryType);
        Assert.Equal(1, await atlas.Places.CountAsync(static p => p.Mixed!.GeometryType == "GeometryCollection" && p.Mixed.Count == 3, Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task What_a_server_does_not_have_is_computed_in_memory_or_refused(ServerKind kind) => Atlas.WithRowsAsync(kind, async atlas =>
    {
        await SameShapesAsync(atlas, static p => p.Area!.Boundary, static p => p.Area != null);
        await EqualAsync(atlas, static p => p.Shape.IsValid);
        await EqualAsync(atlas, static p => p.Area!.Length, static p => p.Area != null);
        await RefusedAsync(atlas, static p => p.Area!.Length > 3, "Length");
        await RefusedAsync(atlas, static p => p.Shape.Reverse() == Spot, "Reverse");
        if (kind == ServerKind.MySql)
        {
            Assert.Equal(5, await atlas.Places.CountAsync(static p => p.Shape.IsValid, Stop));
            await RefusedAsync(atlas, static p => p.Area!.Boundary.Distance(Spot) < 3, "Boundary");
        }
        else
        {
            Assert.Equal(1, await atlas.Places.CountAsync(static p => p.Area!.Boundary.Distance(Spot) < 2, Stop));
            Assert.Equal(2, await atlas.Places.CountAsync(static p => p.Area!.Relate(Square, "T********"), Stop));
            Assert.Equal(2, await atlas.Places.CountAsync(static p => p.Area!.Contains(p.Area!.PointOnSurface), Stop));
            await RefusedAsync(atlas, static p => p.Shape.IsValid, "IsValid");
        }
    });

    private static async Task RefusedAsync(Atlas atlas, Expression<Func<Place, bool>> condition, string member)
    {
        var refusal = await Assert.ThrowsAsync<InvalidOperationException>(() => atlas.Places.CountAsync(condition, Stop));
        Assert.Contains("could not be translated", refusal.Message, StringComparison.Ordinal);
        Assert.Contains(member, refusal.Message, StringComparison.Ordinal);
    }

    private static async Task EqualAsync<T>(
        Atlas atlas, Expression<Func<Place, T>> value, Expression<Func<Place, bool>>? condition = null, T[]? expected = null)
    {
        condition ??= static p => true;
        var inMemory = expected ?? [.. Atlas.Rows.Where(condition.Compile()).Select(value.Compile())];
        var found = await atlas.Places.AsNoTracking().Where(condition).OrderBy(static p => p.Id).Select(value).ToListAsync(Stop);
        Assert.NotEmpty(inMemory);
        Assert.True(
            inMemory.Zip(found).All(static pair => pair is (double left, double right) ? Math.Abs(left - right) < 1e-9 : Equals(pair.First, pair.Second))
                && inMemory.Length == found.Count,
            $"{value}: expected {string.Join(", ", inMemory)}, found {string.Join(", ", found)}");
    }

    private static async Task SameRowsAsync(Atlas atlas, Expression<Func<Place, bool>> condition)
    {
        var inMemory = Atlas.Rows.Where(condition.Compile()).Select(static p => p.Id).ToList();
        var found = await atlas.Places.Where(condition).OrderBy(static p => p.Id).Select(static p => p.Id).ToListAsync(Stop);
        Assert.True(inMemory.Count > 0, $"{condition} has no rows in memory, so it shows nothing.");
        Assert.True(inMemory.SequenceEqual(found), $"{condition}: expected {string.Join(", ", inMemory)}, found {string.Join(", ", found)}");
    }

    private static async Task SameShapesAsync(Atlas atlas, Expression<Func<Place, Geometry>> value, Expression<Func<Place, bool>>? condition = null)
    {
        condition ??= static p => true;
        var inMemory = Atlas.Rows.Where(condition.Compile()).Select(value.Compile()).ToList();
        var found = await atlas.Places.AsNoTracking().Where(condition).OrderBy(static p => p.Id).Select(value).ToListAsync(Stop);
        Assert.Equal(inMemory.Count, found.Count);
        Assert.All(inMemory.Zip(found), pair => Assert.True(
            AreSame(pair.First, pair.Second), $"{value}: expected {pair.First}, found {pair.Second}"));
    }

    // A degenerate envelope of MariaDB is a polygon without an area, which is equal to nothing.
    private static bool AreSame(Geometry left, Geometry right) => left.IsEmpty ? right.IsEmpty
        : left.EqualsTopologically(right) || (left.Dimension < Dimension.Surface && left.EnvelopeInternal.Equals(right.EnvelopeInternal));
}
