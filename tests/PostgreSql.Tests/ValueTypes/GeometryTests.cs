namespace Slipstream.PostgreSql.Tests.ValueTypes;

public class GeometryTests
{
    private static readonly PgPoint Point = new(1, 2.5);
    private static readonly PgPoint Other = new(3, 4);

    [Fact]
    public void Values_are_written_in_the_servers_format()
    {
        Assert.Equal("(1.5,-2)", new PgPoint(1.5, -2).ToString());
        Assert.Equal("(1E+300,NaN)", new PgPoint(1e300, double.NaN).ToString());
        Assert.Equal("(-Infinity,0)", new PgPoint(double.NegativeInfinity, 0).ToString());
        Assert.Equal("{1.5,2,-3}", new PgLine(1.5, 2, -3).ToString());
        Assert.Equal("[(1,2.5),(3,4)]", new PgLSeg(Point, Other).ToString());
        Assert.Equal("(3,4),(1,2.5)", new PgBox(Other, Point).ToString());
        Assert.Equal("<(1,2.5),3>", new PgCircle(Point, 3).ToString());
        Assert.Equal("((1,2.5),(3,4))", new PgPath(Point, Other).ToString());
        Assert.Equal("[(1,2.5),(3,4)]", new PgPath([Point, Other], open: true).ToString());
        Assert.Equal("((1,2.5),(3,4))", new PgPolygon(Point, Other).ToString());
        Assert.Equal("()", default(PgPolygon).ToString());
    }

    [Fact]
    public void Equality_compares_coordinates()
    {
        Assert.True(new PgPoint(0.0, 1) == new PgPoint(-0.0, 1));
        Assert.Equal(new PgPoint(0.0, 1).GetHashCode(), new PgPoint(-0.0, 1).GetHashCode());
        Assert.True(new PgPoint(double.NaN, 1) != new PgPoint(double.NaN, 1));
        Assert.True(new PgLine(1, 2, 3) == new PgLine(1, 2, 3) && new PgLine(1, 2, 3) != new PgLine(1, 2, 4));
        Assert.True(new PgLSeg(1, 2, 3, 4) == new PgLSeg(new(1, 2), new(3, 4)) && new PgLSeg(1, 2, 3, 4) != new PgLSeg(3, 4, 1, 2));
        Assert.True(new PgCircle(1, 2, 3) == new PgCircle(new PgPoint(1, 2), 3) && new PgCircle(1, 2, 3) != new PgCircle(1, 2, 4));
        Assert.True(new PgBox(1, 2, 3, 4) == new PgBox(3, 4, 1, 2) && new PgBox(1, 2, 3, 4) != default);
        Assert.Equal(new PgBox(1, 2, 3, 4).GetHashCode(), new PgBox(3, 4, 1, 2).GetHashCode());
        Assert.False(Point.Equals("(1,2.5)"));
        Assert.True(Point.Equals((object)new PgPoint(1, 2.5)));
    }

    [Fact]
    public void A_box_exchanges_coordinates_in_the_wrong_order()
    {
        var box = new PgBox(new PgPoint(1, 5), new PgPoint(3, 4));
        Assert.Equal((1, 3, 5, 4, 2, 1), (box.Left, box.Right, box.Top, box.Bottom, box.Width, box.Height));
        box = new PgBox(top: 5, right: 6, bottom: 1, left: 2) { UpperRight = new(-1, -1) };
        Assert.Equal("(2,1),(-1,-1)", box.ToString());
        box.LowerLeft = new(100, 100);
        Assert.Equal("(100,100),(2,1)", box.ToString());
        var (left, right, bottom, top) = box;
        Assert.Equal((2, 100, 1, 100), (left, right, bottom, top));
        Assert.False(box.IsEmpty);
        Assert.True(new PgBox(1, 0, 0, 0).IsEmpty);
        Assert.True(default(PgBox).IsEmpty);
    }

    [Fact]
    public void Parts_can_be_changed_and_taken()
    {
        var circle = new PgCircle(1, 2, 3) { Center = new(7, 8) };
        var (x, y, radius) = circle;
        Assert.Equal((7, 8, 3), (x, y, radius));
        var (center, _) = circle;
        Assert.Equal(new PgPoint(7, 8), center);
        var (start, end) = new PgLSeg(Point, Other);
        Assert.Equal((Point, Other), (start, end));
        var (a, b, c) = new PgLine(1, 2, 3);
        Assert.Equal((1, 2, 3), (a, b, c));
    }

    [Fact]
    public void Paths_and_polygons_are_lists_of_points()
    {
        Check(new PgPath(3));
        Check(new PgPolygon(3));
        Check(default(PgPath));
        Check(default(PgPolygon));
        Check(new PgPath());
        Check(new PgPolygon());
        Assert.Equal(7, new PgPath(7, open: true).Capacity);
        Assert.Equal(7, new PgPolygon(7).Capacity);
        Assert.True(new PgPath(true).Open);
        Assert.False(new PgPath(new List<PgPoint> { Point }).Open);
        Assert.Throws<ArgumentNullException>(() => new PgPath((IEnumerable<PgPoint>)null!));
        Assert.Throws<ArgumentNullException>(() => new PgPolygon((PgPoint[])null!));
        Assert.Throws<ArgumentOutOfRangeException>(() => new PgPath(-1));

        static void Check(IList<PgPoint> points)
        {
            Assert.False(points.IsReadOnly);
            Assert.Empty(points);
            Assert.Throws<ArgumentOutOfRangeException>(() => points[0]);
            points.Add(Point);
            points.Insert(0, Other);
            Assert.Equal([Other, Point], points);
            Assert.Equal(1, points.IndexOf(Point));
            Assert.Contains(Point, points);
            Assert.True(points.Remove(Other));
            Assert.False(points.Remove(Other));
            points[0] = Other;
            var copy = new PgPoint[2];
            points.CopyTo(copy, 1);
            Assert.Equal(Other, copy[1]);
            points.RemoveAt(0);
            points.Add(Point);
            points.Clear();
            Assert.Empty(points);
        }
    }

    [Fact]
    public void Paths_and_polygons_are_equal_by_their_points()
    {
        Assert.True(new PgPath(Point, Other) == new PgPath([Point, Other], open: false));
        Assert.Equal(new PgPath(Point, Other).GetHashCode(), new PgPath([Point, Other], open: false).GetHashCode());
        Assert.True(new PgPath(Point, Other) != new PgPath([Point, Other], open: true));
        Assert.True(new PgPath(Point, Other) != new PgPath(Other, Point));
        Assert.True(default(PgPath) == new PgPath());
        Assert.Equal(default(PgPath).GetHashCode(), new PgPath().GetHashCode());
        Assert.True(new PgPolygon(Point) == new PgPolygon([Point]) && new PgPolygon(Point) != new PgPolygon(Other));
        Assert.True(default(PgPolygon).Equals((object)new PgPolygon()));
        PgPoint[] points = [Point];
        var copy = new PgPath(points);
        points[0] = Other;
        Assert.Equal(Point, copy[0]);
    }

    [Fact]
    public void Cubes_have_any_number_of_dimensions()
    {
        Assert.Equal("(1.5)", new PgCube(1.5).ToString());
        Assert.Equal("(1),(2.5)", new PgCube(1, 2.5).ToString());
        Assert.Equal("(1, 2)", new PgCube([1.0, 2.0]).ToString());
        Assert.Equal("(1, 2),(3, 4)", new PgCube([1.0, 2], [3.0, 4]).ToString());
        Assert.Equal("(1, 3),(2, 4)", new PgCube(new PgCube(1, 2), 3, 4).ToString());
        Assert.Equal("(1, 3)", new PgCube(new PgCube(1), 3).ToString());
        Assert.Equal("()", default(PgCube).ToString());
        Assert.Equal("(3, 1),(6, 4)", new PgCube([1.0, 2, 3], [4.0, 5, 6]).ToSubset(2, 0).ToString());
        Assert.Equal(101, new PgCube(new double[101]).Dimensions);
        Assert.Throws<ArgumentException>(() => new PgCube([1.0], [2.0, 3]));
        Assert.Throws<ArgumentNullException>(() => new PgCube(null!));
        Assert.Throws<IndexOutOfRangeException>(() => new PgCube(1).ToSubset(1));

        Assert.True(new PgCube(1, 1) == new PgCube(1) && new PgCube(1, 1).IsPoint && new PgCube(1, 2) != new PgCube(2, 1));
        Assert.Equal(new PgCube(1, 1).GetHashCode(), new PgCube(1).GetHashCode());
        Assert.True(default == new PgCube([]) && new PgCube(double.NaN).IsPoint);
        Assert.Equal([1.0], new PgCube(1, 2).LowerLeft);
        Assert.Equal([2.0], new PgCube(1, 2).UpperRight);
    }
}
