using NetTopologySuite.Geometries;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>Writes a geometry in big-endian EWKB: see <see cref="EwkbReader"/> for the format.</summary>
internal static class EwkbWriter
{
    private const byte BigEndian = 0;

    /// <summary>Writes a geometry with the ordinates that it has and that are allowed.</summary>
    /// <exception cref="ArgumentException">The geometry is of a class that PostGIS does not have.</exception>
    public static void Write(ref PgValueWriter writer, Geometry geometry, Ordinates ordinates)
    {
        var flags = ((ordinates & Ordinates.Z) != 0 && Has(geometry, Ordinate.Z) ? EwkbFlags.Z : 0)
            | ((ordinates & Ordinates.M) != 0 && Has(geometry, Ordinate.M) ? EwkbFlags.M : 0);
        Write(ref writer, geometry, flags, geometry.SRID > 0 ? EwkbFlags.Srid : 0);
    }

    // All parts have the same ordinates, because PostGIS does not mix them.
    private static void Write(ref PgValueWriter writer, Geometry geometry, EwkbFlags flags, EwkbFlags srid)
    {
        writer.WriteByte(BigEndian);
        writer.WriteInt32(unchecked((int)((uint)KindOf(geometry) | (uint)flags | (uint)srid)));
        if (srid != 0)
            writer.WriteInt32(geometry.SRID);
        switch (geometry)
        {
            case Point { IsEmpty: true }: WriteEmptyPoint(ref writer, flags); break;
            case Point point: WriteCoordinate(ref writer, point.CoordinateSequence, 0, flags); break;
            case LineString line: WriteSequence(ref writer, line.CoordinateSequence, flags); break;
            case Polygon polygon: WritePolygon(ref writer, polygon, flags); break;
            default:
                writer.WriteInt32(geometry.NumGeometries);
                for (var i = 0; i < geometry.NumGeometries; i++)
                    Write(ref writer, geometry.GetGeometryN(i), flags, srid: 0);
                break;
        }
    }

    private static EwkbKind KindOf(Geometry geometry) => geometry switch
    {
        Point => EwkbKind.Point,
        LineString => EwkbKind.LineString,
        Polygon => EwkbKind.Polygon,
        MultiPoint => EwkbKind.MultiPoint,
        MultiLineString => EwkbKind.MultiLineString,
        MultiPolygon => EwkbKind.MultiPolygon,
        GeometryCollection => EwkbKind.GeometryCollection,
        _ => throw new ArgumentException($"A geometry of class {geometry.GetType().Name} cannot be sent: convert it to a point, a line string, a polygon or a "
            + "collection of them."),
    };

    private static void WritePolygon(ref PgValueWriter writer, Polygon polygon, EwkbFlags flags)
    {
        if (polygon.IsEmpty)
        {
            writer.WriteInt32(0);
            return;
        }

        writer.WriteInt32(1 + polygon.NumInteriorRings);
        WriteSequence(ref writer, polygon.ExteriorRing.CoordinateSequence, flags);
        for (var i = 0; i < polygon.NumInteriorRings; i++)
            WriteSequence(ref writer, polygon.GetInteriorRingN(i).CoordinateSequence, flags);
    }

    private static void WriteSequence(ref PgValueWriter writer, CoordinateSequence sequence, EwkbFlags flags)
    {
        writer.WriteInt32(sequence.Count);
        for (var i = 0; i < sequence.Count; i++)
            WriteCoordinate(ref writer, sequence, i, flags);
    }

    private static void WriteCoordinate(ref PgValueWriter writer, CoordinateSequence sequence, int index, EwkbFlags flags)
    {
        writer.WriteDouble(sequence.GetX(index));
        writer.WriteDouble(sequence.GetY(index));
        // NaN if the sequence has no such ordinate.
        if ((flags & EwkbFlags.Z) != 0)
            writer.WriteDouble(sequence.GetZ(index));
        if ((flags & EwkbFlags.M) != 0)
            writer.WriteDouble(sequence.GetM(index));
    }

    private static void WriteEmptyPoint(ref PgValueWriter writer, EwkbFlags flags)
    {
        writer.WriteDouble(double.NaN);
        writer.WriteDouble(double.NaN);
        if ((flags & EwkbFlags.Z) != 0)
            writer.WriteDouble(double.NaN);
        if ((flags & EwkbFlags.M) != 0)
            writer.WriteDouble(double.NaN);
    }

    // Many geometries of two dimensions consist of coordinates that could have Z, so a value decides and not its place.
    private static bool Has(Geometry geometry, Ordinate ordinate)
    {
        switch (geometry)
        {
            case Point point: return Has(point.CoordinateSequence, ordinate);
            case LineString line: return Has(line.CoordinateSequence, ordinate);
            case Polygon polygon:
                if (Has(polygon.ExteriorRing.CoordinateSequence, ordinate))
                    return true;
                for (var i = 0; i < polygon.NumInteriorRings; i++)
                    if (Has(polygon.GetInteriorRingN(i).CoordinateSequence, ordinate))
                        return true;
                return false;
            case GeometryCollection collection:
                for (var i = 0; i < collection.NumGeometries; i++)
                    if (Has(collection.GetGeometryN(i), ordinate))
                        return true;
                return false;
            default: return false;
        }
    }

    private static bool Has(CoordinateSequence sequence, Ordinate ordinate)
    {
        if (!sequence.TryGetOrdinateIndex(ordinate, out var index))
            return false;
        for (var i = 0; i < sequence.Count; i++)
            if (!double.IsNaN(sequence.GetOrdinate(i, index)))
                return true;
        return false;
    }
}
