using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore.Metadata.Conventions;

/// <summary>Writes into the model what makes the values of its generated columns, so that snapshots of migrations say it.</summary>
internal sealed class MySqlValueGenerationStrategyConvention : IModelInitializedConvention, IModelFinalizingConvention
{
    public void ProcessModelInitialized(IConventionModelBuilder modelBuilder, IConventionContext<IConventionModelBuilder> context) =>
        modelBuilder.HasAnnotation(MySqlAnnotationNames.ValueGenerationStrategy, MySqlValueGenerationStrategy.IdentityColumn);

    public void ProcessModelFinalizing(IConventionModelBuilder modelBuilder, IConventionContext<IConventionModelBuilder> context)
    {
        foreach (var property in modelBuilder.Metadata.GetEntityTypes().SelectMany(static type => type.GetDeclaredProperties()))
        {
            var table = property.GetMappedStoreObjects(StoreObjectType.Table).FirstOrDefault();
            var strategy = property.GetValueGenerationStrategy(table.Name is null ? null : table);
            if (strategy != MySqlValueGenerationStrategy.None && table.Name is not null)
                property.Builder.HasAnnotation(MySqlAnnotationNames.ValueGenerationStrategy, strategy);
        }
    }
}
