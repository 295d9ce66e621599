namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Converts cube to and from <see cref="PgCube"/>:
/// <code>
/// is point (highest bit), number of dimensions (int32) | coordinates of the first corner | unless it is a point, of the opposite corner
/// </code>
/// In text, "(1, 2),(3, 4)", or "(1, 2)" if it is a point. Source: contrib/cube/cube.c, cube_send; cubedata.h.
/// </summary>
internal sealed class CubeConverter : PgConverter<PgCube>
{
    private const int IsPoint = int.MinValue;

    // Source: cubedata.h, CUBE_MAX_DIM.
    private const int MaxDimensions = 100;

    public override PgCube Read(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
            return ReadText(ref reader);
        var header = reader.ReadInt32();
        var dimensions = header & ~IsPoint;
        if (dimensions > MaxDimensions)
            reader.Fail();
        var lower = ReadCorner(ref reader, dimensions);
        return (header & IsPoint) != 0 ? new(lower) : new(lower, ReadCorner(ref reader, dimensions));
    }

    public override void Write(ref PgValueWriter writer, PgCube value)
    {
        writer.WriteInt32(value.Dimensions | (value.IsPoint ? IsPoint : 0));
        foreach (var number in value.LowerLeft)
            writer.WriteDouble(number);
        if (value.IsPoint)
            return;
        foreach (var number in value.UpperRight)
            writer.WriteDouble(number);
    }

    private static double[] ReadCorner(ref PgValueReader reader, int dimensions)
    {
        var corner = new double[dimensions];
        for (var at = 0; at < dimensions; at++)
            corner[at] = reader.ReadDouble();
        return corner;
    }

    private static PgCube ReadText(ref PgValueReader reader)
    {
        var text = new GeometryText(reader.ReadRest());
        var lower = ReadCorner(ref text);
        var upper = text.Take(',') ? ReadCorner(ref text) : lower;
        if (!text.IsComplete || lower.Count != upper.Count)
            reader.Fail();
        return new(lower, upper);
    }

    private static List<double> ReadCorner(ref GeometryText text)
    {
        var corner = new List<double>();
        text.Expect('(');
        if (text.Take(')'))
            return corner;
        do
        {
            text.Take(' ');
            corner.Add(text.Number());
        }
        while (text.Take(',') && corner.Count <= MaxDimensions);
        text.Expect(')');
        return corner;
    }
}
