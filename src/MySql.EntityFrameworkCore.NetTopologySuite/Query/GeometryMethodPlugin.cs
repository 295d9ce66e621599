using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Query;

/// <summary>Adds the translators of methods of geometries and of <c>EF.Functions</c>.</summary>
internal sealed class GeometryMethodPlugin(
    ISqlExpressionFactory factory, IRelationalTypeMappingSource mappings, IMySqlSpatialCapabilities capabilities) : IMethodCallTranslatorPlugin
{
    public IEnumerable<IMethodCallTranslator> Translators { get; } =
    [
        new GeometryMethods(new(factory, mappings, capabilities)), new DistanceFunctions(new(factory, mappings, capabilities)),
    ];
}
