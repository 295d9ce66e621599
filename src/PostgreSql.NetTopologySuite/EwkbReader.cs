using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using NetTopologySuite.Geometries;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>
/// Reads a geometry in EWKB, the binary format of PostGIS:
/// <code>
/// byte order (byte: 0 big-endian, 1 little-endian) | kind and flags (uint32) | SRID (int32), if flagged | content
/// point: x, y, z if flagged, m if flagged (float64); all NaN: the point is empty
/// line string: number of points (uint32) | points…       polygon: number of rings (uint32) | line strings…
/// the others: number of geometries (uint32) | geometries, each with its byte order, kind and flags…
/// </code>
/// Source: PostGIS, doc/ZMSgeoms.txt and liblwgeom/lwin_wkb.c.
/// </summary>
internal ref struct EwkbReader(ReadOnlySpan<byte> bytes, GeometryForm form)
{
    // PostGIS has the same limit: LW_PARSER_MAX_DEPTH.
    private const int MaxDepth = 200;

    private const int HeaderLength = 5;

    private readonly GeometryForm _form = form;
    private ReadOnlySpan<byte> _rest = bytes;
    private bool _isLittleEndian;
    private bool _failed;

    /// <summary>Reads the geometry, which must be all of the bytes.</summary>
    /// <returns>False if the bytes are not a geometry.</returns>
    /// <exception cref="InvalidCastException">NetTopologySuite cannot represent the geometry.</exception>
    public bool TryRead([NotNullWhen(true)] out Geometry? geometry)
    {
        geometry = Read(null, depth: 0);
        return geometry is not null && !_failed && _rest.IsEmpty;
    }

    private Geometry? Read(GeometryFactory? parent, int depth)
    {
        if (depth > MaxDepth || _rest.Length < HeaderLength || _rest[0] > 1)
            return Fail();
        _isLittleEndian = _rest[0] == 1;
        _rest = _rest[1..];
        var word = UInt32();
        var flags = (EwkbFlags)word & EwkbFlags.All;
        var srid = (flags & EwkbFlags.Srid) != 0 ? (int)UInt32() : GeometryForm.UnknownSrid;
        if (_failed)
            return null;
        // A part has the reference system of the whole.
        var factory = parent ?? _form.FactoryFor(srid);
        try
        {
            return Content((EwkbKind)(word & ~(uint)EwkbFlags.All), flags, factory, depth);
        }
        catch (ArgumentException exception)
        {
            throw new InvalidCastException($"NetTopologySuite cannot represent the geometry: {exception.Message}", exception);
        }
    }

    private Geometry? Content(EwkbKind kind, EwkbFlags flags, GeometryFactory factory, int depth)
    {
        switch (kind)
        {
            case EwkbKind.Point: return Sequence(1, flags, factory) is { } point ? Point(point, factory) : null;
            case EwkbKind.LineString: return Sequence(flags, factory) is { } line ? factory.CreateLineString(line) : null;
            case EwkbKind.Polygon: return Polygon(flags, factory);
            case EwkbKind.MultiPoint: return Parts<Point>(factory, depth) is { } points ? factory.CreateMultiPoint(points) : null;
            case EwkbKind.MultiLineString: return Parts<LineString>(factory, depth) is { } lines ? factory.CreateMultiLineString(lines) : null;
            case EwkbKind.MultiPolygon: return Parts<Polygon>(factory, depth) is { } polygons ? factory.CreateMultiPolygon(polygons) : null;
            case EwkbKind.GeometryCollection: return Parts<Geometry>(factory, depth) is { } all ? factory.CreateGeometryCollection(all) : null;
            default:
                throw new InvalidCastException($"The geometry has kind {(uint)kind}, which NetTopologySuite cannot represent: convert it in SQL, for example "
                    + "with ST_CurveToLine, or cast it to text.");
        }
    }

    private static Point Point(CoordinateSequence sequence, GeometryFactory factory) =>
        double.IsNaN(sequence.GetX(0)) && double.IsNaN(sequence.GetY(0)) ? factory.CreatePoint((CoordinateSequence?)null) : factory.CreatePoint(sequence);

    private Polygon? Polygon(EwkbFlags flags, GeometryFactory factory)
    {
        var count = Count(smallest: sizeof(uint));
        if (_failed || count == 0)
            return _failed ? null : factory.CreatePolygon();
        var shell = Ring(flags, factory);
        var holes = new LinearRing[count - 1];
        for (var i = 0; i < holes.Length && !_failed; i++)
            holes[i] = Ring(flags, factory)!;
        return _failed ? null : factory.CreatePolygon(shell, holes);
    }

    private LinearRing? Ring(EwkbFlags flags, GeometryFactory factory) => Sequence(flags, factory) is { } ring ? factory.CreateLinearRing(ring) : null;

    private T[]? Parts<T>(GeometryFactory factory, int depth)
        where T : Geometry
    {
        var parts = new T[Count(smallest: HeaderLength)];
        for (var i = 0; i < parts.Length && !_failed; i++)
        {
            if (Read(factory, depth + 1) is T part)
                parts[i] = part;
            else
                _failed = true;
        }

        return _failed ? null : parts;
    }

    private CoordinateSequence? Sequence(EwkbFlags flags, GeometryFactory factory) =>
        Count(smallest: Width(flags)) is var count && _failed ? null : Sequence(count, flags, factory);

    private CoordinateSequence? Sequence(int count, EwkbFlags flags, GeometryFactory factory)
    {
        var width = Width(flags);
        if (_rest.Length / width < count)
        {
            _failed = true;
            return null;
        }

        var readsZ = (flags & EwkbFlags.Z) != 0 && (_form.Ordinates & Ordinates.Z) != 0;
        var readsM = (flags & EwkbFlags.M) != 0 && (_form.Ordinates & Ordinates.M) != 0;
        var measures = readsM ? 1 : 0;
        var sequence = factory.CoordinateSequenceFactory.Create(count, 2 + (readsZ ? 1 : 0) + measures, measures);
        var precision = factory.PrecisionModel;
        for (var i = 0; i < count; i++)
        {
            sequence.SetOrdinate(i, 0, precision.MakePrecise(Number()));
            sequence.SetOrdinate(i, 1, precision.MakePrecise(Number()));
            if ((flags & EwkbFlags.Z) != 0 && Number() is var z && readsZ && sequence.HasZ)
                sequence.SetOrdinate(i, sequence.ZOrdinateIndex, z);
            if ((flags & EwkbFlags.M) != 0 && Number() is var m && readsM && sequence.HasM)
                sequence.SetOrdinate(i, sequence.MOrdinateIndex, m);
        }

        return sequence;
    }

    private static int Width(EwkbFlags flags) =>
        sizeof(double) * (2 + ((flags & EwkbFlags.Z) != 0 ? 1 : 0) + ((flags & EwkbFlags.M) != 0 ? 1 : 0));

    // A number of parts, each of which has at least as many bytes. An array is not created before its parts can have arrived.
    private int Count(int smallest)
    {
        var count = UInt32();
        if (count <= (uint)(_rest.Length / smallest))
            return (int)count;
        _failed = true;
        return 0;
    }

    private uint UInt32()
    {
        if (_rest.Length < sizeof(uint))
        {
            _failed = true;
            return 0;
        }

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

    private Geometry? Fail()
    {
        _failed = true;
        return null;
    }
}
