using NetTopologySuite.Geometries;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>How geometries are created and written.</summary>
/// <param name="factory">Creates geometries without a spatial reference system.</param>
/// <param name="ordinates">The ordinates that are read and written.</param>
internal sealed class GeometryForm(GeometryFactory factory, Ordinates ordinates)
{
    /// <summary>The SRID of a geometry without a spatial reference system.</summary>
    public const int UnknownSrid = 0;

    private readonly GeometryFactory _default = factory;

    // The factory of the SRID that was read last: a column usually has only one.
    private GeometryFactory _latest = factory;

    public Ordinates Ordinates => ordinates;

    public GeometryFactory FactoryFor(int srid)
    {
        if (srid == UnknownSrid)
            return _default;
        var latest = _latest;
        if (latest.SRID != srid)
            _latest = latest = _default.WithSRID(srid);
        return latest;
    }
}
