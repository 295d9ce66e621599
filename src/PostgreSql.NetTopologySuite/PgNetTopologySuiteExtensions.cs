using NetTopologySuite;
using NetTopologySuite.Geometries;
using Slipstream.PostgreSql.Plugins;

namespace Slipstream.PostgreSql;

/// <summary>Adds NetTopologySuite's geometries to a data source.</summary>
public static class PgNetTopologySuiteExtensions
{
    /// <summary>
    /// Reads and writes the types geometry and geography of the extension PostGIS as <see cref="Geometry"/> and the classes that derive from it: points, line
    /// strings, polygons, and collections of them. The extension may be installed in any schema.
    /// </summary>
    /// <param name="builder">The data source's builder.</param>
    /// <param name="coordinateSequenceFactory">
    /// Creates the sequences of coordinates; null for the default of <see cref="NtsGeometryServices.Instance"/>.
    /// </param>
    /// <param name="precisionModel">Rounds the coordinates that are read; null for the default of <see cref="NtsGeometryServices.Instance"/>.</param>
    /// <param name="handleOrdinates">
    /// The ordinates that are read and written; the others are ignored. <see cref="Ordinates.None"/>, the default, means those of the coordinate sequence
    /// factory.
    /// </param>
    /// <param name="geographyAsDefault">Whether a geometry is sent as geography unless another type is set. Default: false, so it is sent as geometry.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentNullException">The builder is null.</exception>
    public static PgDataSourceBuilder UseNetTopologySuite(
        this PgDataSourceBuilder builder,
        CoordinateSequenceFactory? coordinateSequenceFactory = null,
        PrecisionModel? precisionModel = null,
        Ordinates handleOrdinates = Ordinates.None,
        bool geographyAsDefault = false)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var services = NtsGeometryServices.Instance;
        coordinateSequenceFactory ??= services.DefaultCoordinateSequenceFactory;
        var form = new GeometryForm(
            new(precisionModel ?? services.DefaultPrecisionModel, GeometryForm.UnknownSrid, coordinateSequenceFactory, services),
            handleOrdinates == Ordinates.None ? coordinateSequenceFactory.Ordinates : handleOrdinates);
        Map(builder, "geometry", form, isSent: !geographyAsDefault);
        Map(builder, "geography", form, isSent: geographyAsDefault);
        return builder;
    }

    private static void Map(PgDataSourceBuilder builder, string dataTypeName, GeometryForm form, bool isSent) => builder
        .MapType(dataTypeName, new GeometryConverter<Geometry>(form), isDefault: true, isSent)
        .MapType(dataTypeName, new GeometryConverter<Point>(form), isDefault: false, isSent)
        .MapType(dataTypeName, new GeometryConverter<LineString>(form), isDefault: false, isSent)
        .MapType(dataTypeName, new GeometryConverter<Polygon>(form), isDefault: false, isSent)
        .MapType(dataTypeName, new GeometryConverter<MultiPoint>(form), isDefault: false, isSent)
        .MapType(dataTypeName, new GeometryConverter<MultiLineString>(form), isDefault: false, isSent)
        .MapType(dataTypeName, new GeometryConverter<MultiPolygon>(form), isDefault: false, isSent)
        .MapType(dataTypeName, new GeometryConverter<GeometryCollection>(form), isDefault: false, isSent);
}
