using System.Diagnostics.CodeAnalysis;
using Microsoft.EntityFrameworkCore.Storage;
using NetTopologySuite;
using NetTopologySuite.Geometries;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Storage;

/// <summary>Finds the mapping of a class of geometries, a spatial type of the database, or both.</summary>
internal sealed class GeometryTypeMappingPlugin(NtsGeometryServices services) : IRelationalTypeMappingSourcePlugin
{
    private readonly Kind[] _kinds =
    [
        Kind.Of<Geometry>("geometry", services), Kind.Of<Point>("point", services), Kind.Of<LineString>("linestring", services),
        Kind.Of<Polygon>("polygon", services), Kind.Of<MultiPoint>("multipoint", services), Kind.Of<MultiLineString>("multilinestring", services),
        Kind.Of<MultiPolygon>("multipolygon", services), Kind.Of<GeometryCollection>("geometrycollection", services),
        Kind.Of<GeometryCollection>("geomcollection", services),
    ];

    public RelationalTypeMapping? FindMapping(in RelationalTypeMappingInfo mappingInfo)
    {
        var (type, name) = (mappingInfo.ClrType, mappingInfo.StoreTypeNameBase);
        if (name is null)
            return Array.Find(_kinds, kind => kind.Type == type)?.Default;
        if (Array.Find(_kinds, kind => kind.Name.Equals(name.Trim(), StringComparison.OrdinalIgnoreCase)) is not { } stored)
            return null;
        if (type is null || type == stored.Type)
            return stored.Default;
        // A point in a column of geometries, or a geometry of any class in a column of points.
        return type.IsSubclassOf(stored.Type) || stored.Type.IsSubclassOf(type) ? Array.Find(_kinds, kind => kind.Type == type)?.Create(stored.Name) : null;
    }

    private sealed record Kind(Type Type, string Name, RelationalTypeMapping Default, Func<string, RelationalTypeMapping> Create)
    {
        public static Kind Of<
            [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicMethods | DynamicallyAccessedMemberTypes.PublicProperties)]
            TGeometry>(string name, NtsGeometryServices services)
            where TGeometry : Geometry =>
            new(typeof(TGeometry), name, new MySqlGeometryTypeMapping<TGeometry>(services, name),
                storeType => new MySqlGeometryTypeMapping<TGeometry>(services, storeType));
    }
}
