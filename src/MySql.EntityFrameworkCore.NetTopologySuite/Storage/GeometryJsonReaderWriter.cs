using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Text.Json;
using Microsoft.EntityFrameworkCore.Storage.Json;
using NetTopologySuite;
using NetTopologySuite.Geometries;
using NetTopologySuite.IO;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Storage;

/// <summary>
/// Reads and writes geometries in JSON documents as well-known text: <c>"POINT (1 2)"</c>, or with an SRID, <c>"SRID=4326;POINT (13.4 52.5)"</c>. Other
/// providers of EF Core also read the first form. GeoJSON has no place for the SRID, and the servers disagree about the one that GeoJSON implies.
/// </summary>
/// <typeparam name="TGeometry">The class of geometries.</typeparam>
public sealed class GeometryJsonReaderWriter<
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicMethods | DynamicallyAccessedMemberTypes.PublicProperties)]
    TGeometry> : JsonValueReaderWriter<TGeometry>
    where TGeometry : Geometry
{
    private readonly NtsGeometryServices _services;

    internal GeometryJsonReaderWriter(NtsGeometryServices services) => _services = services;

    /// <summary>Gets the instance that compiled models use.</summary>
    [SuppressMessage("Design", "CA1000:Do not declare static members on generic types", Justification = "Compiled models of EF Core use it.")]
    public static GeometryJsonReaderWriter<TGeometry> Instance { get; } = new(NtsGeometryServices.Instance);

    /// <inheritdoc/>
    public override Expression ConstructorExpression
    {
        get
        {
            Expression<Func<GeometryJsonReaderWriter<TGeometry>>> instance = static () => Instance;
            return instance.Body;
        }
    }

    /// <inheritdoc/>
    /// <exception cref="FormatException">The value is not a geometry.</exception>
    /// <exception cref="InvalidCastException">The geometry is of another class.</exception>
    public override TGeometry FromJsonTyped(ref Utf8JsonReaderManager manager, object? existingObject = null)
    {
        Geometry geometry;
        try
        {
            geometry = new WKTReader(_services).Read(manager.CurrentReader.GetString());
        }
        catch (ParseException exception)
        {
            throw new FormatException("The value in JSON is not a geometry in well-known text.", exception);
        }

        // A text without an SRID: the servers use 0.
        if (geometry.SRID < 0)
            geometry.SRID = 0;
        return geometry as TGeometry ?? throw GeometryFormat.WrongClass(geometry, typeof(TGeometry));
    }

    /// <inheritdoc/>
    /// <exception cref="ArgumentException">The servers cannot store the geometry.</exception>
    public override void ToJsonTyped(Utf8JsonWriter writer, TGeometry value)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteStringValue(WktWriter.Write(value));
    }
}
