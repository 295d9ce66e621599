using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore.Metadata.Conventions;

/// <summary>Gives a temporal entity type the properties of its period, which the server writes.</summary>
internal sealed class MySqlTemporalConvention : IModelFinalizingConvention
{
    public void ProcessModelFinalizing(IConventionModelBuilder modelBuilder, IConventionContext<IConventionModelBuilder> context)
    {
        foreach (var type in modelBuilder.Metadata.GetEntityTypes().Where(static type => type.IsTemporal() && type.BaseType is null))
        {
            // Join types of two temporal types.
            AddPeriod(type, MySqlAnnotationNames.PeriodStartPropertyName, type.GetPeriodStartPropertyName()!);
            AddPeriod(type, MySqlAnnotationNames.PeriodEndPropertyName, type.GetPeriodEndPropertyName()!);
        }
    }

    private static void AddPeriod(IConventionEntityType type, string annotation, string name)
    {
        type.Builder.HasAnnotation(annotation, name);
        if (type.Builder.Property(typeof(DateTime), name) is not { } property)
            return;
        property.IsRequired(true);
        property.ValueGenerated(ValueGenerated.OnAddOrUpdate);
        property.HasColumnType(TemporalTable.ColumnType);
    }
}
