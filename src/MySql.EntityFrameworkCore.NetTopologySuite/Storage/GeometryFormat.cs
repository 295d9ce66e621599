using NetTopologySuite;
using NetTopologySuite.Geometries;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Storage;

/// <summary>Geometries ↔ the server's format: the SRID, and well-known binary with X before Y. It is the same on every server and for every SRID.</summary>
internal static class GeometryFormat
{
    /// <exception cref="ArgumentException">The servers cannot store the geometry.</exception>
    // NetTopologySuite's -1 for no reference system is 0 to the servers.
    public static MySqlGeometry Write(Geometry geometry) => MySqlGeometry.FromWkb(Math.Max(geometry.SRID, 0), WkbWriter.Write(geometry));

    /// <exception cref="FormatException">The bytes are not a geometry.</exception>
    /// <exception cref="InvalidCastException">The geometry is of another class.</exception>
    public static TGeometry Read<TGeometry>(MySqlGeometry value, NtsGeometryServices services)
        where TGeometry : Geometry
    {
        var geometry = new WkbReader(value.WKB, services.CreateGeometryFactory(value.SRID)).Read();
        return geometry as TGeometry ?? throw WrongClass(geometry, typeof(TGeometry));
    }

    public static InvalidCastException WrongClass(Geometry geometry, Type expected) =>
        new($"The value is a {geometry.GeometryType}, not a {expected.Name}: map the property as Geometry.");
}
