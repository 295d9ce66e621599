using System.Buffers.Binary;
using NetTopologySuite.Geometries;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Storage;

/// <summary>
/// Reads a geometry in well-known binary:
/// <code>
/// byte order (byte: 0 big-endian, 1 little-endian) | kind (uint32) | content
/// point: x, y (float64)
/// line string: number of points (uint32) | points…       polygon: number of rings (uint32) | line strings…
/// the others: number of geometries (uint32) | geometries, each with its byte order and kind…
/// </code>
/// Source: MySQL Reference Manual, "Well-Known Binary (WKB) Format".
/// </summary>
internal ref struct WkbReader(ReadOnlySpan<byte> bytes, GeometryFactory factory)
{
    private const int MaxDepth = 200;
    private const int HeaderLength = 5;
    private const int PointLength = 2 * sizeof(double);

    private ReadOnlySpan<byte> _rest = bytes;
    private bool _isLittleEndian;

    /// <summary>Reads the geometry, which must be all of the bytes.</summary>
    /// <exception cref="FormatException">The bytes are not a geometry.</exception>
    /// <exception cref="InvalidCastException">NetTopologySuite cannot represent the geometry.</exception>
    public Geometry Read()
    {
        Geometry geometry;
        try
        {
            geometry = Read(depth: 0);
        }
        catch (ArgumentException exception)
        {
            throw new InvalidCastException($"NetTopologySuite cannot represent the geometry: {exception.Message}", exception);
        }

        return _rest.IsEmpty ? geometry : throw Malformed();
    }

    private Geometry Read(int depth)
    {
        if (depth > MaxDepth || _rest.Length < HeaderLength || _rest[0] > 1)
            throw Malformed();
        _isLittleEndian = _rest[0] == 1;
        _rest = _rest[1..];
        return (WkbKind)UInt32() switch
        {
            WkbKind.Point => Point(),
            WkbKind.LineString => factory.CreateLineString(Points()),
            WkbKind.Polygon => Polygon(),
            WkbKind.MultiPoint => factory.CreateMultiPoint(Parts<Point>(depth)),
            WkbKind.MultiLineString => factory.CreateMultiLineString(Parts<LineString>(depth)),
            WkbKind.MultiPolygon => factory.CreateMultiPolygon(Parts<Polygon>(depth)),
            WkbKind.GeometryCollection => factory.CreateGeometryCollection(Parts<Geometry>(depth)),
            _ => throw Malformed(),
        };
    }

    private Point Point()
    {
        var point = Points(1);
        return double.IsNaN(point.GetX(0)) && double.IsNaN(point.GetY(0)) ? factory.CreatePoint() : factory.CreatePoint(point);
    }

    private Polygon Polygon()
    {
        var rings = new LinearRing[Count(smallest: sizeof(uint))];
        for (var index = 0; index < rings.Length; index++)
            rings[index] = factory.CreateLinearRing(Points());
        return rings.Length == 0 ? factory.CreatePolygon() : factory.CreatePolygon(rings[0], rings[1..]);
    }

    private TPart[] Parts<TPart>(int depth)
        where TPart : Geometry
    {
        var parts = new TPart[Count(smallest: HeaderLength)];
        for (var index = 0; index < parts.Length; index++)
            parts[index] = Read(depth + 1) as TPart ?? throw Malformed();
        return parts;
    }

    private CoordinateSequence Points() => Points(Count(smallest: PointLength));

    private CoordinateSequence Points(int count)
    {
        if (_rest.Length / PointLength < count)
            throw Malformed();
        var sequence = factory.CoordinateSequenceFactory.Create(count, dimension: 2, measures: 0);
        for (var index = 0; index < count; index++)
        {
            sequence.SetOrdinate(index, 0, Number());
            sequence.SetOrdinate(index, 1, Number());
        }

        return sequence;
    }

    // A number of parts, each of which has at least as many bytes. An array is not created before its parts can have arrived.
    private int Count(int smallest) => UInt32() is var count && count <= (uint)(_rest.Length / smallest) ? (int)count : throw Malformed();

    private uint UInt32()
    {
        if (_rest.Length < sizeof(uint))
            throw Malformed();
        var value = _isLittleEndian ? BinaryPrimitives.ReadUInt32LittleEndian(_rest) : BinaryPrimitives.ReadUInt32BigEndian(_rest);
        _rest = _rest[sizeof(uint)..];
        return value;
    }

    // The caller has checked the length.
    private double Number()
    {
        var value = _isLittleEndian ? BinaryPrimitives.ReadDoubleLittleEndian(_rest) : BinaryPrimitives.ReadDoubleBigEndian(_rest);
        _rest = _rest[sizeof(double)..];
        return value;
    }

    private static FormatException Malformed() => new("The value is not a geometry in well-known binary.");
}
