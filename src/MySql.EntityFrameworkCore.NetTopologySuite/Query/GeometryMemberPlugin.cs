using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Query;

/// <summary>Adds the translator of properties of geometries.</summary>
internal sealed class GeometryMemberPlugin(
    ISqlExpressionFactory factory, IRelationalTypeMappingSource mappings, IMySqlSpatialCapabilities capabilities) : IMemberTranslatorPlugin
{
    public IEnumerable<IMemberTranslator> Translators { get; } = [new GeometryMembers(new(factory, mappings, capabilities))];
}
