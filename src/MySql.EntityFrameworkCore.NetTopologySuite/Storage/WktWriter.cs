using System.Globalization;
using System.Text;
using NetTopologySuite.Geometries;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Storage;

/// <summary>
/// Writes a geometry as well-known text with X before Y. The SRID precedes it if there is one: <c>SRID=4326;POINT (13.4 52.5)</c>. Unlike the text of
/// NetTopologySuite's own writer, it has no parentheses around the points of a MULTIPOINT, which MariaDB does not read. It has no plus sign in exponents,
/// which JSON would escape.
/// </summary>
internal static class WktWriter
{
    /// <exception cref="ArgumentException">The servers cannot store the geometry.</exception>
    public static string Write(Geometry geometry)
    {
        // It refuses what the servers cannot store.
        _ = WkbWriter.Write(geometry);
        var text = new StringBuilder();
        if (GeometryFormat.SridOf(geometry) is not 0 and var srid)
            text.Append(CultureInfo.InvariantCulture, $"SRID={srid};");
        Write(text, geometry);
        return text.ToString();
    }

    private static void Write(StringBuilder text, Geometry geometry)
    {
        text.Append(geometry is LinearRing ? "LINESTRING" : geometry.GeometryType.ToUpperInvariant());
        if (geometry.IsEmpty)
        {
            text.Append(" EMPTY");
            return;
        }

        text.Append(' ');
        switch (geometry)
        {
            case Point point: WritePoints(text, point.CoordinateSequence); break;
            case LineString line: WritePoints(text, line.CoordinateSequence); break;
            case Polygon polygon: WriteRings(text, polygon); break;
            case MultiPoint points: WriteParts(text, points, static (text, part) => WriteOrdinates(text, ((Point)part).CoordinateSequence, 0)); break;
            case MultiLineString lines: WriteParts(text, lines, static (text, part) => WritePoints(text, ((LineString)part).CoordinateSequence)); break;
            case MultiPolygon polygons: WriteParts(text, polygons, static (text, part) => WriteRings(text, (Polygon)part)); break;
            default: WriteParts(text, (GeometryCollection)geometry, Write); break;
        }
    }

    private static void WriteParts(StringBuilder text, GeometryCollection parts, Action<StringBuilder, Geometry> write)
    {
        for (var index = 0; index < parts.NumGeometries; index++)
            write(text.Append(index == 0 ? "(" : ", "), parts.GetGeometryN(index));
        text.Append(')');
    }

    private static void WriteRings(StringBuilder text, Polygon polygon)
    {
        WritePoints(text.Append('('), polygon.ExteriorRing.CoordinateSequence);
        for (var index = 0; index < polygon.NumInteriorRings; index++)
            WritePoints(text.Append(", "), polygon.GetInteriorRingN(index).CoordinateSequence);
        text.Append(')');
    }

    private static void WritePoints(StringBuilder text, CoordinateSequence points)
    {
        for (var index = 0; index < points.Count; index++)
            WriteOrdinates(text.Append(index == 0 ? "(" : ", "), points, index);
        text.Append(')');
    }

    private static void WriteOrdinates(StringBuilder text, CoordinateSequence points, int index)
    {
        WriteOrdinate(text, points.GetX(index));
        WriteOrdinate(text.Append(' '), points.GetY(index));
    }

    // The shortest text that is read as the same number.
    private static void WriteOrdinate(StringBuilder text, double value) =>
        text.Append(value.ToString("R", CultureInfo.InvariantCulture).Replace("E+", "E", StringComparison.Ordinal));
}
