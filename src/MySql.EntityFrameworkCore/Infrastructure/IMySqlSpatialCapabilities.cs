namespace Slipstream.MySql.EntityFrameworkCore.Infrastructure;

/// <summary>What the spatial functions of a server can do: a service of the provider for packages that map geometries.</summary>
public interface IMySqlSpatialCapabilities
{
    /// <summary>Gets whether the server computes in spatial reference systems, with their order of axes, and changes the SRID with ST_SRID(g, srid).</summary>
    bool ReferenceSystems { get; }

    /// <summary>Gets whether the server has ST_Boundary, ST_PointOnSurface and ST_Relate.</summary>
    bool Topology { get; }

    /// <summary>Gets whether the server has ST_IsValid.</summary>
    bool Validity { get; }

    /// <summary>Gets whether ST_IsEmpty is true of an empty collection.</summary>
    bool Emptiness { get; }

    /// <summary>Gets whether the server has ST_Distance_Sphere.</summary>
    bool SphericalDistance { get; }
}
