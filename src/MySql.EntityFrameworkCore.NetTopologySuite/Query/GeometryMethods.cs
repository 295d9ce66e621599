using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using NetTopologySuite.Geometries;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Query;

/// <summary>Translates methods of geometries. What a server does not have is not translated: see <see cref="GeometryMembers"/>.</summary>
internal sealed class GeometryMethods(SpatialFunctions functions) : IMethodCallTranslator
{
    // Functions of two geometries.
    private static readonly Dictionary<string, (string Name, Type Type)> Binary = new()
    {
        [nameof(Geometry.Contains)] = ("ST_Contains", typeof(bool)),
        [nameof(Geometry.Crosses)] = ("ST_Crosses", typeof(bool)),
        [nameof(Geometry.Difference)] = ("ST_Difference", typeof(Geometry)),
        [nameof(Geometry.Disjoint)] = ("ST_Disjoint", typeof(bool)),
        [nameof(Geometry.Distance)] = ("ST_Distance", typeof(double)),
        [nameof(Geometry.EqualsTopologically)] = ("ST_Equals", typeof(bool)),
        [nameof(Geometry.Intersection)] = ("ST_Intersection", typeof(Geometry)),
        [nameof(Geometry.Intersects)] = ("ST_Intersects", typeof(bool)),
        [nameof(Geometry.Overlaps)] = ("ST_Overlaps", typeof(bool)),
        [nameof(Geometry.SymmetricDifference)] = ("ST_SymDifference", typeof(Geometry)),
        [nameof(Geometry.Touches)] = ("ST_Touches", typeof(bool)),
        [nameof(Geometry.Union)] = ("ST_Union", typeof(Geometry)),
        [nameof(Geometry.Within)] = ("ST_Within", typeof(bool)),
    };

    public SqlExpression? Translate(
        SqlExpression? instance, MethodInfo method, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        if (instance is null || method.DeclaringType?.IsAssignableTo(typeof(Geometry)) != true)
            return null;
        var geometry = functions.Mapped(instance);
        if (geometry.TypeMapping is null)
            return null;
        return arguments switch
        {
            [] => WithoutArgument(geometry, method.Name),
            [var other, ..] when other.Type.IsAssignableTo(typeof(Geometry)) => WithGeometry(geometry, method.Name, functions.Mapped(other), arguments),
            [var number] => WithNumber(geometry, method, number),
            _ => null,
        };
    }

    private SqlExpression? WithoutArgument(SqlExpression geometry, string name) => name switch
    {
        nameof(Geometry.AsText) or nameof(Geometry.ToText) or nameof(Geometry.ToString) =>
            functions.Call("ST_AsText", typeof(string), functions.Flat(geometry)),
        nameof(Geometry.AsBinary) or nameof(Geometry.ToBinary) => functions.Call("ST_AsBinary", typeof(byte[]), functions.Flat(geometry)),
        nameof(Geometry.ConvexHull) => functions.Call("ST_ConvexHull", typeof(Geometry), geometry),
        _ => null,
    };

    private SqlExpression? WithGeometry(SqlExpression geometry, string name, SqlExpression other, IReadOnlyList<SqlExpression> arguments) =>
        (name, arguments) switch
        {
            _ when other.TypeMapping is null => null,
            (nameof(Geometry.IsWithinDistance), [_, var distance]) =>
                functions.Factory.LessThanOrEqual(functions.Call("ST_Distance", typeof(double), geometry, other), distance),
            (nameof(Geometry.Relate), [_, var pattern]) when functions.Capabilities.Topology && pattern.Type == typeof(string) =>
                functions.Call("ST_Relate", typeof(bool), geometry, other, pattern),
            // Equals(Geometry) is defined as EqualsTopologically, and EqualsExact compares the points in their order.
            (nameof(Geometry.Equals), [_]) => functions.Call("ST_Equals", typeof(bool), geometry, other),
            (nameof(Geometry.EqualsExact), [_]) => functions.Factory.Equal(geometry, other),
            (_, [_]) when Binary.TryGetValue(name, out var function) => functions.Call(function.Name, function.Type, geometry, other),
            _ => null,
        };

    private SqlExpression? WithNumber(SqlExpression geometry, MethodInfo method, SqlExpression number) => method.Name switch
    {
        nameof(Geometry.Buffer) when number.Type == typeof(double) => functions.Call("ST_Buffer", typeof(Geometry), geometry, number),
        nameof(Geometry.GetGeometryN) when geometry.Type.IsAssignableTo(typeof(GeometryCollection)) => ItemOf(geometry, method, number),
        nameof(Geometry.GetGeometryN) => ItemOfAny(geometry, number),
        "get_Item" when geometry.Type.IsAssignableTo(typeof(GeometryCollection)) => ItemOf(geometry, method, number),
        nameof(LineString.GetPointN) => functions.Call("ST_PointN", typeof(Point), geometry, functions.Next(number)),
        nameof(Polygon.GetInteriorRingN) => functions.Call("ST_InteriorRingN", typeof(LineString), geometry, functions.Next(number)),
        _ => null,
    };

    private SqlExpression ItemOf(SqlExpression collection, MethodInfo method, SqlExpression index) =>
        functions.Call("ST_GeometryN", method.ReturnType, collection, functions.Next(index));

    // ST_GeometryN of a geometry that is not a collection is NULL. NetTopologySuite returns the geometry.
    private SqlExpression ItemOfAny(SqlExpression geometry, SqlExpression index) =>
        functions.UnlessSingle(geometry, geometry, functions.Call("ST_GeometryN", typeof(Geometry), geometry, functions.Next(index)));
}
