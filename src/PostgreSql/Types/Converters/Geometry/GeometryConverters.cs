namespace Slipstream.PostgreSql.Types;

/// <summary>Reads and writes points: two numbers. Source: src/backend/utils/adt/geo_ops.c, point_send.</summary>
internal static class Points
{
    public const int Length = 16;

    public static PgPoint Read(ref PgValueReader reader) => new(reader.ReadDouble(), reader.ReadDouble());

    public static void Write(ref PgValueWriter writer, PgPoint value)
    {
        writer.WriteDouble(value.X);
        writer.WriteDouble(value.Y);
    }

    /// <summary>Reads the number of points, and the points, which are the rest of the value.</summary>
    public static PgPoint[] ReadList(ref PgValueReader reader)
    {
        var count = reader.ReadInt32();
        if (count < 0 || reader.Remaining != count * (long)Length)
            reader.Fail();
        var points = new PgPoint[count];
        for (var at = 0; at < count; at++)
            points[at] = Read(ref reader);
        return points;
    }
}

/// <summary>Converts point to and from <see cref="PgPoint"/>.</summary>
internal sealed class PointConverter : PgConverter<PgPoint>
{
    public override PgPoint Read(ref PgValueReader reader)
    {
        if (reader.IsBinary)
            return Points.Read(ref reader);
        var text = new GeometryText(reader.ReadRest());
        var value = text.Point();
        if (!text.IsComplete)
            reader.Fail();
        return value;
    }

    public override void Write(ref PgValueWriter writer, PgPoint value)
    {
        Points.Write(ref writer, value);
    }
}

/// <summary>Converts line to and from <see cref="PgLine"/>: three numbers. In text, "{1,2,3}".</summary>
internal sealed class LineConverter : PgConverter<PgLine>
{
    public override PgLine Read(ref PgValueReader reader)
    {
        if (reader.IsBinary)
            return new(reader.ReadDouble(), reader.ReadDouble(), reader.ReadDouble());
        var text = new GeometryText(reader.ReadRest());
        text.Expect('{');
        var a = text.Number();
        text.Expect(',');
        var b = text.Number();
        text.Expect(',');
        var value = new PgLine(a, b, text.Number());
        text.Expect('}');
        if (!text.IsComplete)
            reader.Fail();
        return value;
    }

    public override void Write(ref PgValueWriter writer, PgLine value)
    {
        writer.WriteDouble(value.A);
        writer.WriteDouble(value.B);
        writer.WriteDouble(value.C);
    }
}

/// <summary>Converts lseg to and from <see cref="PgLSeg"/>: two points. In text, "[(1,2),(3,4)]".</summary>
internal sealed class LSegConverter : PgConverter<PgLSeg>
{
    public override PgLSeg Read(ref PgValueReader reader)
    {
        if (reader.IsBinary)
            return new(Points.Read(ref reader), Points.Read(ref reader));
        var text = new GeometryText(reader.ReadRest());
        text.Expect('[');
        var start = text.Point();
        text.Expect(',');
        var value = new PgLSeg(start, text.Point());
        text.Expect(']');
        if (!text.IsComplete)
            reader.Fail();
        return value;
    }

    public override void Write(ref PgValueWriter writer, PgLSeg value)
    {
        Points.Write(ref writer, value.Start);
        Points.Write(ref writer, value.End);
    }
}

/// <summary>Converts box to and from <see cref="PgBox"/>: the upper right and the lower left corner. In text, "(3,4),(1,2)".</summary>
internal sealed class BoxConverter : PgConverter<PgBox>
{
    public override PgBox Read(ref PgValueReader reader)
    {
        if (reader.IsBinary)
            return new(Points.Read(ref reader), Points.Read(ref reader));
        var text = new GeometryText(reader.ReadRest());
        var upperRight = text.Point();
        text.Expect(',');
        var value = new PgBox(upperRight, text.Point());
        if (!text.IsComplete)
            reader.Fail();
        return value;
    }

    public override void Write(ref PgValueWriter writer, PgBox value)
    {
        Points.Write(ref writer, value.UpperRight);
        Points.Write(ref writer, value.LowerLeft);
    }
}

/// <summary>Converts circle to and from <see cref="PgCircle"/>: center and radius. In text, "&lt;(1,2),3&gt;".</summary>
internal sealed class CircleConverter : PgConverter<PgCircle>
{
    public override PgCircle Read(ref PgValueReader reader)
    {
        if (reader.IsBinary)
            return new(Points.Read(ref reader), reader.ReadDouble());
        var text = new GeometryText(reader.ReadRest());
        text.Expect('<');
        var center = text.Point();
        text.Expect(',');
        var value = new PgCircle(center, text.Number());
        text.Expect('>');
        if (!text.IsComplete)
            reader.Fail();
        return value;
    }

    public override void Write(ref PgValueWriter writer, PgCircle value)
    {
        Points.Write(ref writer, value.Center);
        writer.WriteDouble(value.Radius);
    }
}

/// <summary>
/// Converts path to and from <see cref="PgPath"/>:
/// <code>
/// is closed (1) | number of points (int32) | points
/// </code>
/// In text, "((1,2),(3,4))", or "[(1,2),(3,4)]" if it is open.
/// </summary>
internal sealed class PathConverter : PgConverter<PgPath>
{
    public override PgPath Read(ref PgValueReader reader)
    {
        if (reader.IsBinary)
        {
            var isClosed = reader.ReadByte();
            if (isClosed > 1)
                reader.Fail();
            return new(Points.ReadList(ref reader), open: isClosed == 0);
        }

        var text = new GeometryText(reader.ReadRest());
        var isOpen = text.Take('[');
        if (!isOpen)
            text.Expect('(');
        var points = text.Points();
        text.Expect(isOpen ? ']' : ')');
        if (!text.IsComplete)
            reader.Fail();
        return new(points, isOpen);
    }

    public override void Write(ref PgValueWriter writer, PgPath value)
    {
        writer.WriteByte(value.Open ? (byte)0 : (byte)1);
        writer.WriteInt32(value.Count);
        foreach (var point in value)
            Points.Write(ref writer, point);
    }
}

/// <summary>Converts polygon to and from <see cref="PgPolygon"/>: the number of points (int32), and the points. In text, "((1,2),(3,4),(5,6))".</summary>
internal sealed class PolygonConverter : PgConverter<PgPolygon>
{
    public override PgPolygon Read(ref PgValueReader reader)
    {
        if (reader.IsBinary)
            return new(Points.ReadList(ref reader));
        var text = new GeometryText(reader.ReadRest());
        text.Expect('(');
        var points = text.Points();
        text.Expect(')');
        if (!text.IsComplete)
            reader.Fail();
        return new(points);
    }

    public override void Write(ref PgValueWriter writer, PgPolygon value)
    {
        writer.WriteInt32(value.Count);
        foreach (var point in value)
            Points.Write(ref writer, point);
    }
}
