namespace Microsoft.EntityFrameworkCore;

/// <summary>How <c>EF.Functions.SpatialDistanceSphere</c> computes a distance.</summary>
public enum SpatialDistanceAlgorithm
{
    /// <summary>By the server's ST_Distance_Sphere, on a sphere of radius 6,370,986 m.</summary>
    Native,

    /// <summary>By Andoyer's formula, on the ellipsoid of WGS 84: ST_Distance of MySQL with SRID 4326. MariaDB does not have it.</summary>
    Andoyer,

    /// <summary>By the haversine formula, which ST_Distance_Sphere uses: the same as <see cref="Native"/>.</summary>
    Haversine,
}
