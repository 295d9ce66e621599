using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using NetTopologySuite.Geometries;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Query;

/// <summary>
/// Translates properties of geometries. What a server does not have is not translated: EF Core then computes it in memory if it is selected, and refuses the
/// query elsewhere.
/// </summary>
internal sealed class GeometryMembers(SpatialFunctions functions) : IMemberTranslator
{
    // ST_GeometryType, and what NetTopologySuite calls the type. MySQL and MariaDB do not call collections the same.
    private static readonly (string Server, string Name)[] TypeNames =
    [
        ("POINT", "Point"), ("LINESTRING", "LineString"), ("POLYGON", "Polygon"), ("MULTIPOINT", "MultiPoint"), ("MULTILINESTRING", "MultiLineString"),
        ("MULTIPOLYGON", "MultiPolygon"), ("GEOMCOLLECTION", "GeometryCollection"), ("GEOMETRYCOLLECTION", "GeometryCollection"),
    ];

    private ISqlExpressionFactory Factory => functions.Factory;

    public SqlExpression? Translate(SqlExpression? instance, MemberInfo member, Type returnType, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        if (instance is null || member.DeclaringType?.IsAssignableTo(typeof(Geometry)) != true)
            return null;
        var geometry = functions.Mapped(instance);
        if (geometry.TypeMapping is null)
            return null;
        return geometry.Type switch
        {
            var type when type.IsAssignableTo(typeof(Point)) => OfPoint(geometry, member.Name),
            var type when type.IsAssignableTo(typeof(LineString)) => OfLine(geometry, member.Name),
            var type when type.IsAssignableTo(typeof(Polygon)) => OfPolygon(geometry, member.Name),
            var type when type.IsAssignableTo(typeof(GeometryCollection)) => OfCollection(geometry, member.Name),
            _ => null,
        } ?? OfAny(geometry, member.Name);
    }

    private SqlExpression? OfPoint(SqlExpression point, string name) => name switch
    {
        nameof(Point.X) => functions.Call("ST_X", typeof(double), functions.Flat(point)),
        nameof(Point.Y) => functions.Call("ST_Y", typeof(double), functions.Flat(point)),
        _ => null,
    };

    private SqlExpression? OfLine(SqlExpression line, string name) => name switch
    {
        nameof(LineString.Count) or nameof(Geometry.NumPoints) => functions.Call("ST_NumPoints", typeof(int), line),
        nameof(LineString.StartPoint) => functions.Call("ST_StartPoint", typeof(Point), line),
        nameof(LineString.EndPoint) => functions.Call("ST_EndPoint", typeof(Point), line),
        nameof(LineString.IsClosed) => functions.Call("ST_IsClosed", typeof(bool), line),
        nameof(LineString.IsRing) => Factory.AndAlso(
            functions.Call("ST_IsClosed", typeof(bool), line), functions.Call("ST_IsSimple", typeof(bool), line)),
        nameof(Geometry.Length) => functions.Call("ST_Length", typeof(double), line),
        _ => null,
    };

    private SqlExpression? OfPolygon(SqlExpression polygon, string name) => name switch
    {
        nameof(Geometry.Area) => functions.Call("ST_Area", typeof(double), polygon),
        nameof(Polygon.ExteriorRing) => functions.Call("ST_ExteriorRing", typeof(LineString), polygon),
        nameof(Polygon.NumInteriorRings) => functions.Call("ST_NumInteriorRings", typeof(int), polygon),
        _ => null,
    };

    private SqlExpression? OfCollection(SqlExpression collection, string name) => name switch
    {
        nameof(GeometryCollection.Count) or nameof(Geometry.NumGeometries) => functions.Call("ST_NumGeometries", typeof(int), collection),
        nameof(Geometry.Area) when collection.Type == typeof(MultiPolygon) => functions.Call("ST_Area", typeof(double), collection),
        nameof(Geometry.Length) when collection.Type == typeof(MultiLineString) => functions.Call("ST_Length", typeof(double), collection),
        nameof(MultiLineString.IsClosed) when collection.Type == typeof(MultiLineString) => functions.Call("ST_IsClosed", typeof(bool), collection),
        _ => null,
    };

    private SqlExpression? OfAny(SqlExpression geometry, string name) => name switch
    {
        nameof(Geometry.Area) when geometry.Type == typeof(Geometry) => AreaOfAny(geometry),
        nameof(Geometry.Boundary) when functions.Capabilities.Topology => functions.Call("ST_Boundary", typeof(Geometry), geometry),
        nameof(Geometry.Centroid) => functions.Call("ST_Centroid", typeof(Point), geometry),
        nameof(Geometry.Dimension) => functions.Call("ST_Dimension", typeof(Dimension), geometry),
        nameof(Geometry.Envelope) => functions.Call("ST_Envelope", typeof(Geometry), geometry),
        nameof(Geometry.GeometryType) => TypeName(geometry),
        nameof(Geometry.InteriorPoint) or nameof(Geometry.PointOnSurface) when functions.Capabilities.Topology =>
            functions.Call("ST_PointOnSurface", typeof(Point), geometry),
        nameof(Geometry.IsEmpty) => IsEmpty(geometry),
        nameof(Geometry.IsSimple) => functions.Call("ST_IsSimple", typeof(bool), geometry),
        nameof(Geometry.IsValid) when functions.Capabilities.Validity => functions.Call("ST_IsValid", typeof(bool), geometry),
        nameof(Geometry.NumGeometries) => NumGeometries(geometry),
        nameof(Geometry.SRID) => functions.Call("ST_SRID", typeof(int), geometry),
        _ => null,
    };

    // ST_Area of MySQL fails for points and lines.
    private SqlExpression AreaOfAny(SqlExpression geometry) => Factory.Case(
        [new(Factory.LessThan(functions.Call("ST_Dimension", typeof(int), geometry), Factory.Constant(2)), Factory.Constant(0.0))],
        functions.Call("ST_Area", typeof(double), geometry));

    private SqlExpression TypeName(SqlExpression geometry) => Factory.Case(
        functions.Call("ST_GeometryType", typeof(string), geometry),
        [.. TypeNames.Select(pair => new CaseWhenClause(Factory.Constant(pair.Server), Factory.Constant(pair.Name)))], null);

    // Only collections can be empty. SRID, byte order, kind and number are 13 bytes, and the smallest point has 25.
    private SqlExpression IsEmpty(SqlExpression geometry) => functions.Capabilities.Emptiness
        ? functions.Call("ST_IsEmpty", typeof(bool), geometry)
        : Factory.LessThanOrEqual(functions.Call("LENGTH", typeof(int), geometry), Factory.Constant(13));

    // ST_NumGeometries of a geometry that is not a collection is NULL.
    private SqlExpression NumGeometries(SqlExpression geometry) =>
        functions.UnlessSingle(geometry, Factory.Constant(1), functions.Call("ST_NumGeometries", typeof(int), geometry));
}
