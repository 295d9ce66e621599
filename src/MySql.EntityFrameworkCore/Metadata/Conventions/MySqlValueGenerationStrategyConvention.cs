using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Microsoft.EntityFrameworkCore.Update;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore.Metadata.Conventions;

/// <summary>Writes into the model what makes the values of its generated columns, so that snapshots of migrations say it; adds the sequences.</summary>
internal sealed class MySqlValueGenerationStrategyConvention(IUpdateSqlGenerator sql) : IModelInitializedConvention, IModelFinalizingConvention
{
    public void ProcessModelInitialized(IConventionModelBuilder modelBuilder, IConventionContext<IConventionModelBuilder> context) =>
        modelBuilder.HasAnnotation(MySqlAnnotationNames.ValueGenerationStrategy, MySqlValueGenerationStrategy.IdentityColumn);

    public void ProcessModelFinalizing(IConventionModelBuilder modelBuilder, IConventionContext<IConventionModelBuilder> context)
    {
        foreach (var property in modelBuilder.Metadata.GetEntityTypes().SelectMany(static type => type.GetDeclaredProperties()))
        {
            // UseKeySequences or UseHiLo may have been called after the hierarchy was mapped to several tables.
            if (property is { ValueGenerated: ValueGenerated.Never } && property.IsPrimaryKey() && !property.IsForeignKey()
                && property.DeclaringType.GetMappingStrategy() == RelationalAnnotationNames.TpcMappingStrategy
                && MySqlValueGenerationConvention.UsesSequence(property) && MySqlPropertyExtensions.CanAutoIncrement(property))
                property.Builder.ValueGenerated(ValueGenerated.OnAdd);
            var table = property.GetMappedStoreObjects(StoreObjectType.Table).FirstOrDefault();
            var strategy = property.GetValueGenerationStrategy(table.Name is null ? null : table);
            if (strategy == MySqlValueGenerationStrategy.None || table.Name is null || IsKeyOfOther(property, table))
                continue;
            property.Builder.HasAnnotation(MySqlAnnotationNames.ValueGenerationStrategy, strategy);
            if (strategy == MySqlValueGenerationStrategy.Sequence)
                UseSequence(modelBuilder, property);
            // A snapshot has the model's sequence as each property's own.
            else if (strategy == MySqlValueGenerationStrategy.SequenceHiLo && property.FindHiLoSequence() is { } sequence)
                SetNames(property, MySqlAnnotationNames.HiLoSequenceName, MySqlAnnotationNames.HiLoSequenceSchema, sequence.Name, sequence.Schema);
        }
    }

    // The key of another entity type in the same row, such as the owner's, has its value before this one is inserted.
    private static bool IsKeyOfOther(IConventionProperty property, in StoreObjectIdentifier table) =>
        property.FindSharedStoreObjectRootProperty(table) is not null
        && property.GetContainingForeignKeys().Any(static key => !key.IsBaseLinking());

    private void UseSequence(IConventionModelBuilder modelBuilder, IConventionProperty property)
    {
        var (name, schema) = (SequenceNames.Of(property), SequenceNames.SchemaOf(property));
        modelBuilder.HasSequence(name, schema);
        SetNames(property, MySqlAnnotationNames.SequenceName, MySqlAnnotationNames.SequenceSchema, name, schema);
        property.Builder.HasDefaultValueSql(sql.GenerateObtainNextSequenceValueOperation(name, schema));
    }

    private static void SetNames(IConventionProperty property, string nameAnnotation, string schemaAnnotation, string name, string? schema)
    {
        property.Builder.HasAnnotation(nameAnnotation, name);
        if (schema is not null)
            property.Builder.HasAnnotation(schemaAnnotation, schema);
    }
}
