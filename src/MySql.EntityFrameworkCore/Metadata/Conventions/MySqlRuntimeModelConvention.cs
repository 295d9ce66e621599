using Microsoft.EntityFrameworkCore.Metadata.Conventions.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore.Metadata.Conventions;

/// <summary>Makes the model that queries use. It keeps the collations of columns, with which queries compare texts out of JSON.</summary>
internal sealed class MySqlRuntimeModelConvention(
    ProviderConventionSetBuilderDependencies dependencies, RelationalConventionSetBuilderDependencies relationalDependencies)
    : RelationalRuntimeModelConvention(dependencies, relationalDependencies)
{
    protected override void ProcessPropertyAnnotations(
        Dictionary<string, object?> annotations, IProperty property, RuntimeProperty runtimeProperty, bool runtime)
    {
        base.ProcessPropertyAnnotations(annotations, property, runtimeProperty, runtime);
        if (!runtime && property.ClrType == typeof(string) && CharacterSets.CollationOf(property) is { } collation)
            annotations[MySqlAnnotationNames.ColumnCollation] = collation;
    }
}
