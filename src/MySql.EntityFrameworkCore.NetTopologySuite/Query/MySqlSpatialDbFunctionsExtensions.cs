using Microsoft.EntityFrameworkCore.Diagnostics;
using NetTopologySuite.Geometries;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Spatial functions for queries: as <c>EF.Functions.SpatialDistanceSphere(a, b, SpatialDistanceAlgorithm.Native)</c>.</summary>
public static class MySqlSpatialDbFunctionsExtensions
{
    /// <summary>Computes the distance on the flat plane, in the unit of the coordinates, whatever the SRID.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="g1">A geometry.</param>
    /// <param name="g2">A geometry.</param>
    /// <returns>The distance.</returns>
    public static double SpatialDistancePlanar(this DbFunctions _, Geometry g1, Geometry g2) => throw OnlyInQueries(nameof(SpatialDistancePlanar));

    /// <summary>Computes the shortest distance between points on a sphere, in metres. X is the longitude, and Y the latitude.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="g1">A point, or several.</param>
    /// <param name="g2">A point, or several.</param>
    /// <param name="algorithm">How the distance is computed. The query must contain the value itself.</param>
    /// <returns>The distance.</returns>
    public static double SpatialDistanceSphere(this DbFunctions _, Geometry g1, Geometry g2, SpatialDistanceAlgorithm algorithm) =>
        throw OnlyInQueries(nameof(SpatialDistanceSphere));

    private static InvalidOperationException OnlyInQueries(string name) =>
        new($"EF.Functions.{name} has a meaning inside a query only, where the server computes it.");
}
