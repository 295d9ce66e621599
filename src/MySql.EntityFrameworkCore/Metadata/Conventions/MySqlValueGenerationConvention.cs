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

    protected override ValueGenerated? GetValueGenerated(IConventionProperty property) =>
        property[MySqlAnnotationNames.ValueGenerationStrategy] switch
        {
            MySqlValueGenerationStrategy.IdentityColumn => ValueGenerated.OnAdd,
            MySqlValueGenerationStrategy.ComputedColumn => ValueGenerated.OnAddOrUpdate,
            _ => base.GetValueGenerated(property),
        };
}
