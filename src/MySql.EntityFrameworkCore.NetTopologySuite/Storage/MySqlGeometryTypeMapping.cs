using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using Microsoft.EntityFrameworkCore.ChangeTracking;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.ValueConversion;
using NetTopologySuite;
using NetTopologySuite.Geometries;
using NetTopologySuite.IO;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Storage;

/// <summary>Maps a class of NetTopologySuite's geometries to a spatial type of the database.</summary>
/// <typeparam name="TGeometry">The class.</typeparam>
public sealed class MySqlGeometryTypeMapping<
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicMethods | DynamicallyAccessedMemberTypes.PublicProperties)]
    TGeometry> : RelationalGeometryTypeMapping<TGeometry, MySqlGeometry>
    where TGeometry : Geometry
{
    // The class that the driver reads, not the one of the property.
    private static readonly Expression<Func<DbDataReader, MySqlGeometry>> GetValue = static reader => reader.GetFieldValue<MySqlGeometry>(0);

    /// <summary>Creates a mapping.</summary>
    /// <param name="geometryServices">Creates the geometries that are read.</param>
    /// <param name="storeType">The name of the type in the database.</param>
    public MySqlGeometryTypeMapping(NtsGeometryServices geometryServices, string storeType)
        : base(
            new RelationalTypeMappingParameters(
                new CoreTypeMappingParameters(
                    typeof(TGeometry), null, new ExactComparer(), new ExactComparer(),
                    jsonValueReaderWriter: geometryServices == NtsGeometryServices.Instance
                        ? GeometryJsonReaderWriter<TGeometry>.Instance
                        : new GeometryJsonReaderWriter<TGeometry>(geometryServices)),
                storeType),
            new FormatConverter(geometryServices))
    {
    }

    private MySqlGeometryTypeMapping(RelationalTypeMappingParameters parameters, ValueConverter<TGeometry, MySqlGeometry>? converter)
        : base(parameters, converter)
    {
    }

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    [SuppressMessage("Design", "CA1000:Do not declare static members on generic types", Justification = "Compiled models of EF Core use it.")]
    public static MySqlGeometryTypeMapping<TGeometry> Default { get; } = new(NtsGeometryServices.Instance, "geometry");

    /// <inheritdoc/>
    protected override Type WktReaderType => typeof(WKTReader);

    /// <inheritdoc/>
    public override MethodInfo GetDataReaderMethod() => ((MethodCallExpression)GetValue.Body).Method;

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) =>
        new MySqlGeometryTypeMapping<TGeometry>(parameters, SpatialConverter);

    /// <inheritdoc/>
    protected override string AsText(object value) => ((Geometry)value).AsText();

    /// <inheritdoc/>
    protected override int GetSrid(object value) => ((Geometry)value).SRID;

    /// <inheritdoc/>
    // The server's own format. A text would swap the axes of geographic systems on MySQL, and not on MariaDB.
    protected override string GenerateNonNullSqlLiteral(object value) =>
        $"X'{Convert.ToHexString(GeometryFormat.Write((Geometry)value).Value)}'";

    private sealed class FormatConverter(NtsGeometryServices services) : ValueConverter<TGeometry, MySqlGeometry>(
        geometry => GeometryFormat.Write(geometry), value => GeometryFormat.Read<TGeometry>(value, services));

    // EF Core's own comparer ignores the SRID.
    private sealed class ExactComparer() : ValueComparer<TGeometry>(
        static (left, right) => AreEqual(left, right), static geometry => geometry.GetHashCode(), static geometry => (TGeometry)geometry.Copy())
    {
        private static bool AreEqual(TGeometry? left, TGeometry? right) =>
            left is null ? right is null : right is not null && left.SRID == right.SRID && left.EqualsExact(right);
    }
}
