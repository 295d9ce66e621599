using NetTopologySuite;
using NetTopologySuite.Geometries;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Storage;

/// <summary>Geometries ↔ the server's format: the SRID, and well-known binary with X before Y. It is the same on every server and for every SRID.</summary>
internal static class GeometryFormat
{
    /// <exception cref="ArgumentException">The servers cannot store the geometry.</exception>
    public static MySqlGeometry Write(Geometry geometry) => MySqlGeometry.FromWkb(SridOf(geometry), WkbWriter.Write(geometry));

    /// <summary>Returns the SRID to store. NetTopologySuite's -1 for no reference system is 0 to the servers.</summary>
    /// <exception cref="ArgumentException">No server has such a reference system.</exception>
    public static int SridOf(Geometry geometry) => geometry.SRID switch
    {
        >= 0 => geometry.SRID,
        -1 => 0,
        var srid => throw new ArgumentException($"A geometry with the SRID {srid} cannot be stored. Use a number that is not negative, or -1 for none."),
    };

    /// <exception cref="FormatException">The bytes are not a geometry, or its SRID is too large.</exception>
    /// <exception cref="InvalidCastException">The geometry is of another class.</exception>
    public static TGeometry Read<TGeometry>(MySqlGeometry value, NtsGeometryServices services)
        where TGeometry : Geometry
    {
        // The servers have 32 bits without a sign. A negative number would be none when it is saved again.
        if (value.SRID < 0)
            throw new FormatException($"The geometry has the SRID {(uint)value.SRID}. NetTopologySuite holds SRIDs up to 2147483647.");
        var geometry = new WkbReader(value.WKB, services.CreateGeometryFactory(value.SRID)).Read();
        return geometry as TGeometry ?? throw WrongClass(geometry, typeof(TGeometry));
    }

    public static InvalidCastException WrongClass(Geometry geometry, Type expected) =>
        new($"The value is a {geometry.GeometryType}, not a {expected.Name}: map the property as Geometry.");
}
