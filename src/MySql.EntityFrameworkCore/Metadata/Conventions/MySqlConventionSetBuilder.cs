using Microsoft.EntityFrameworkCore.Metadata.Conventions.Infrastructure;

namespace Microsoft.EntityFrameworkCore.Metadata.Conventions;

/// <summary>Builds the conventions of models for MySQL and MariaDB.</summary>
/// <param name="dependencies">What conventions need.</param>
/// <param name="relationalDependencies">What relational conventions need.</param>
public class MySqlConventionSetBuilder(
    ProviderConventionSetBuilderDependencies dependencies, RelationalConventionSetBuilderDependencies relationalDependencies)
    : RelationalConventionSetBuilder(dependencies, relationalDependencies)
{
    // MySQL Reference Manual, "Identifier Length Limits".
    private const int LongestIdentifier = 64;

    /// <summary>Builds the conventions.</summary>
    /// <returns>The conventions.</returns>
    public override ConventionSet CreateConventionSet()
    {
        var conventions = base.CreateConventionSet();
        conventions.Add(new RelationalMaxIdentifierLengthConvention(LongestIdentifier, Dependencies, RelationalDependencies));
        conventions.Add(new MySqlValueGenerationStrategyConvention(RelationalDependencies.UpdateSqlGenerator));
        conventions.Add(new MySqlTemporalConvention());
        conventions.Replace<RuntimeModelConvention>(new MySqlRuntimeModelConvention(Dependencies, RelationalDependencies));
        conventions.Replace<ValueGenerationConvention>(new MySqlValueGenerationConvention(Dependencies, RelationalDependencies));
        return conventions;
    }
}
