using Microsoft.EntityFrameworkCore.Metadata.Conventions.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore.Metadata.Conventions;

/// <summary>Creates the model that queries use. It keeps the collations of columns: queries compare texts in JSON by them.</summary>
internal sealed class MySqlRuntimeModelConvention(
    ProviderConventionSetBuilderDependencies dependencies, RelationalConventionSetBuilderDependencies relationalDependencies)
    : RelationalRuntimeModelConvention(dependencies, relationalDependencies)
{
    protected override void ProcessPropertyAnnotations(
        Dictionary<string, object?> annotations, IProperty property, RuntimeProperty runtimeProperty, bool runtime)
    {
        base.ProcessPropertyAnnotations(annotations, property, runtimeProperty, runtime);
        if (!runtime && CharacterSets.OfComparisons(property) is { } collation)
            annotations[MySqlAnnotationNames.ColumnCollation] = collation;
    }
}
