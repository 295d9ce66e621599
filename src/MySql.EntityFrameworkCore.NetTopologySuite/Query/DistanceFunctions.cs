using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Query;

/// <summary>Translates the distances of <c>EF.Functions</c>.</summary>
internal sealed class DistanceFunctions(SpatialFunctions functions) : IMethodCallTranslator
{
    // WGS 84: longitude and latitude.
    private const int Wgs84 = 4326;

    public SqlExpression? Translate(
        SqlExpression? instance, MethodInfo method, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        if (method.DeclaringType != typeof(MySqlSpatialDbFunctionsExtensions) || arguments is not [_, var first, var second, ..])
            return null;
        (first, second) = (functions.Mapped(first), functions.Mapped(second));
        if (method.Name == nameof(MySqlSpatialDbFunctionsExtensions.SpatialDistancePlanar))
            return functions.Call("ST_Distance", typeof(double), functions.Flat(first), functions.Flat(second));
        return arguments[3] is SqlConstantExpression { Value: SpatialDistanceAlgorithm algorithm }
            ? Sphere(first, second, algorithm)
            : throw new InvalidOperationException(
                "The algorithm of EF.Functions.SpatialDistanceSphere must be written in the query, as SpatialDistanceAlgorithm.Native.");
    }

    private SqlExpression Sphere(SqlExpression first, SqlExpression second, SpatialDistanceAlgorithm algorithm)
    {
        var isAndoyer = algorithm == SpatialDistanceAlgorithm.Andoyer;
        if (isAndoyer ? !functions.Capabilities.ReferenceSystems : !functions.Capabilities.SphericalDistance)
            throw new InvalidOperationException(
                isAndoyer
                    ? "MariaDB does not compute distances on an ellipsoid. Use SpatialDistanceAlgorithm.Native, or MySQL."
                    : "This version of MariaDB does not have ST_Distance_Sphere. Use MariaDB 10.5 or later, or MySQL.");
        return isAndoyer
            ? functions.Call("ST_Distance", typeof(double), functions.WithSrid(first, Wgs84), functions.WithSrid(second, Wgs84))
            // With a reference system, MySQL would take the radius of that one.
            : functions.Call("ST_Distance_Sphere", typeof(double), functions.Flat(first), functions.Flat(second));
    }
}
