namespace Slipstream.PostgreSql.Plugins;

/// <summary>The kinds of geometries in EWKB that NetTopologySuite has. Source: PostGIS, liblwgeom/liblwgeom.h.in, WKB_POINT_TYPE and the following.</summary>
internal enum EwkbKind : uint
{
    Point = 1,
    LineString = 2,
    Polygon = 3,
    MultiPoint = 4,
    MultiLineString = 5,
    MultiPolygon = 6,
    GeometryCollection = 7,
}

/// <summary>The flags that EWKB adds to the kind. Source: PostGIS, liblwgeom/lwgeom_log.h and liblwgeom.h.in, WKBZOFFSET and the following.</summary>
[Flags]
internal enum EwkbFlags : uint
{
    None = 0,
    Srid = 0x2000_0000,
    M = 0x4000_0000,
    Z = 0x8000_0000,
    All = Srid | M | Z,
}
