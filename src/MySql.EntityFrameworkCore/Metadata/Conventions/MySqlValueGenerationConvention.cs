using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Microsoft.EntityFrameworkCore.Metadata.Conventions.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore.Metadata.Conventions;

/// <summary>Says when the database makes a value: as EF Core does, and where a strategy is set.</summary>
internal sealed class MySqlValueGenerationConvention(
    ProviderConventionSetBuilderDependencies dependencies, RelationalConventionSetBuilderDependencies relationalDependencies)
    : RelationalValueGenerationConvention(dependencies, relationalDependencies)
{
    public override void ProcessPropertyAnnotationChanged(
        IConventionPropertyBuilder propertyBuilder, string name, IConventionAnnotation? annotation, IConventionAnnotation? oldAnnotation,
        IConventionContext<IConventionAnnotation> context)
    {
        if (name == MySqlAnnotationNames.ValueGenerationStrategy)
            propertyBuilder.ValueGenerated(GetValueGenerated(propertyBuilder.Metadata));
        else
            base.ProcessPropertyAnnotationChanged(propertyBuilder, name, annotation, oldAnnotation, context);
    }

    // AUTO_INCREMENT would make the same key in several tables of a hierarchy. They can share a sequence.
    protected override bool MappingStrategyAllowsValueGeneration(IConventionProperty property, string? mappingStrategy) =>
        UsesSequence(property) || base.MappingStrategyAllowsValueGeneration(property, mappingStrategy);

    /// <summary>Whether a sequence makes the values of a property, if they are generated.</summary>
    internal static bool UsesSequence(IConventionProperty property) =>
        (property[MySqlAnnotationNames.ValueGenerationStrategy] ?? property.DeclaringType.Model[MySqlAnnotationNames.ValueGenerationStrategy])
            is MySqlValueGenerationStrategy.SequenceHiLo or MySqlValueGenerationStrategy.Sequence;

    protected override ValueGenerated? GetValueGenerated(IConventionProperty property) =>
        property[MySqlAnnotationNames.ValueGenerationStrategy] switch
        {
            MySqlValueGenerationStrategy.IdentityColumn or MySqlValueGenerationStrategy.SequenceHiLo or MySqlValueGenerationStrategy.Sequence =>
                ValueGenerated.OnAdd,
            MySqlValueGenerationStrategy.ComputedColumn => ValueGenerated.OnAddOrUpdate,
            _ => base.GetValueGenerated(property),
        };
}
