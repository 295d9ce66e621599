namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Storage;

/// <summary>The kinds of geometries in well-known binary. Source: MySQL Reference Manual, "Well-Known Binary (WKB) Format".</summary>
internal enum WkbKind : uint
{
    Point = 1,
    LineString = 2,
    Polygon = 3,
    MultiPoint = 4,
    MultiLineString = 5,
    MultiPolygon = 6,
    GeometryCollection = 7,
}
