using NetTopologySuite.Geometries;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Storage;

/// <summary>Writes a geometry in little-endian well-known binary, the only one that MySQL stores: see <see cref="WkbReader"/> for the format.</summary>
internal static class WkbWriter
{
    private const byte LittleEndian = 1;

    /// <exception cref="ArgumentException">The servers cannot store the geometry.</exception>
    public static byte[] Write(Geometry geometry)
    {
        using var bytes = new MemoryStream();
        // It writes little-endian on every machine.
        using (var writer = new BinaryWriter(bytes))
            Write(writer, geometry);
        return bytes.ToArray();
    }

    private static void Write(BinaryWriter writer, Geometry geometry)
    {
        writer.Write(LittleEndian);
        writer.Write((uint)KindOf(geometry));
        // MySQL refuses the others, and functions of MariaDB return nonsense for them.
        if (geometry.IsEmpty && geometry is not GeometryCollection { OgcGeometryType: OgcGeometryType.GeometryCollection })
            throw new ArgumentException(
                $"An empty {geometry.GeometryType} cannot be stored: the only empty geometry of MySQL and MariaDB is the empty GeometryCollection. Use that "
                    + "one, or null.");
        switch (geometry)
        {
            case Point point: WriteSequence(writer, point, point.CoordinateSequence); break;
            case LineString line: WriteLine(writer, line, line); break;
            case Polygon polygon: WritePolygon(writer, polygon); break;
            default:
                writer.Write(geometry.NumGeometries);
                for (var index = 0; index < geometry.NumGeometries; index++)
                    Write(writer, geometry.GetGeometryN(index));
                break;
        }
    }

    private static WkbKind KindOf(Geometry geometry) => geometry switch
    {
        Point => WkbKind.Point,
        LineString => WkbKind.LineString,
        Polygon => WkbKind.Polygon,
        MultiPoint => WkbKind.MultiPoint,
        MultiLineString => WkbKind.MultiLineString,
        MultiPolygon => WkbKind.MultiPolygon,
        GeometryCollection => WkbKind.GeometryCollection,
        _ => throw new ArgumentException(
            $"A geometry of class {geometry.GetType().Name} cannot be stored: convert it to a point, a line string, a polygon or a collection of them."),
    };

    private static void WritePolygon(BinaryWriter writer, Polygon polygon)
    {
        writer.Write(1 + polygon.NumInteriorRings);
        WriteLine(writer, polygon, polygon.ExteriorRing);
        for (var index = 0; index < polygon.NumInteriorRings; index++)
            WriteLine(writer, polygon, polygon.GetInteriorRingN(index));
    }

    private static void WriteLine(BinaryWriter writer, Geometry geometry, LineString line)
    {
        writer.Write(line.NumPoints);
        WriteSequence(writer, geometry, line.CoordinateSequence);
    }

    private static void WriteSequence(BinaryWriter writer, Geometry geometry, CoordinateSequence sequence)
    {
        for (var index = 0; index < sequence.Count; index++)
        {
            WriteOrdinate(writer, geometry, sequence.GetX(index));
            WriteOrdinate(writer, geometry, sequence.GetY(index));
            // Coordinates of two dimensions may be of a class that could have Z, so the value decides.
            if (!double.IsNaN(sequence.GetZ(index)) || !double.IsNaN(sequence.GetM(index)))
                throw new ArgumentException(
                    $"A {geometry.GeometryType} with Z or M cannot be stored: geometries of MySQL and MariaDB have X and Y only. Remove the others, or store "
                        + "them in a column of their own.");
        }
    }

    private static void WriteOrdinate(BinaryWriter writer, Geometry geometry, double value)
    {
        if (!double.IsFinite(value))
            throw new ArgumentException($"A {geometry.GeometryType} with an ordinate that is not a finite number cannot be stored.");
        writer.Write(value);
    }
}
