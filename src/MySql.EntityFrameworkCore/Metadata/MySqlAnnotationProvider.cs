using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Metadata;

/// <summary>Carries the model's annotations to tables and columns, where migrations read them.</summary>
internal sealed class MySqlAnnotationProvider(RelationalAnnotationProviderDependencies dependencies) : RelationalAnnotationProvider(dependencies)
{
    /// <summary>The annotations of indexes, which only migrations need.</summary>
    public static readonly string[] OfIndexes =
    [
        MySqlAnnotationNames.FullTextIndex, MySqlAnnotationNames.FullTextParser, MySqlAnnotationNames.SpatialIndex, MySqlAnnotationNames.IndexPrefixLength,
        MySqlAnnotationNames.VectorIndex, MySqlAnnotationNames.VectorDistance, MySqlAnnotationNames.VectorNeighbors,
    ];

    public override IEnumerable<IAnnotation> For(IRelationalModel model, bool designTime)
    {
        if (designTime && CharacterSets.OfDatabase(model.Model) is { } charSet)
            yield return new Annotation(MySqlAnnotationNames.CharSet, charSet);
    }

    public override IEnumerable<IAnnotation> For(ITable table, bool designTime)
    {
        if (TemporalTable.OfEntityTypes(table) is { } period)
        {
            yield return new Annotation(MySqlAnnotationNames.IsTemporal, true);
            yield return new Annotation(MySqlAnnotationNames.PeriodStartColumnName, period.StartColumn);
            yield return new Annotation(MySqlAnnotationNames.PeriodEndColumnName, period.EndColumn);
        }

        if (!designTime || !table.EntityTypeMappings.Any())
            yield break;
        if (CharacterSets.OfTable(table) is { } charSet)
            yield return new Annotation(MySqlAnnotationNames.CharSet, charSet);
        if (CharacterSets.CollationOfTable(table) is { } collation)
            yield return new Annotation(RelationalAnnotationNames.Collation, collation);
        var options = table.EntityTypeMappings.Select(static mapping => mapping.TypeBase[MySqlAnnotationNames.StoreOptions])
            .FirstOrDefault(static value => value is not null);
        if (options is not null)
            yield return new Annotation(MySqlAnnotationNames.StoreOptions, options);
    }

    public override IEnumerable<IAnnotation> For(IColumn column, bool designTime)
    {
        var table = StoreObjectIdentifier.Table(column.Table.Name, column.Table.Schema);
        var strategy = column.PropertyMappings
            .Where(static mapping => mapping.TableMapping.IsSharedTablePrincipal ?? true)
            .Select(mapping => StrategyOf(mapping.Property, table, column.StoreType))
            .FirstOrDefault(static strategy => strategy != MySqlValueGenerationStrategy.None);
        if (column.Table is { } owner && TemporalTable.OfEntityTypes(owner) is { } period && period.Has(column.Name))
        {
            if (designTime)
                yield return new Annotation(
                    MySqlAnnotationNames.Period, column.Name == period.StartColumn ? TemporalTable.RowStart : TemporalTable.RowEnd);
            yield break;
        }

        // A sequence shows as the column's default, and HiLo not at all.
        if (strategy is MySqlValueGenerationStrategy.IdentityColumn or MySqlValueGenerationStrategy.ComputedColumn)
            yield return new Annotation(MySqlAnnotationNames.ValueGenerationStrategy, strategy);
        if (!designTime || !column.Table.EntityTypeMappings.Any())
            yield break;
        if (CharacterSets.OfColumn(column) is { } charSet)
            yield return new Annotation(MySqlAnnotationNames.CharSet, charSet);
        if (CharacterSets.CollationOfColumn(column) is { } collation)
            yield return new Annotation(RelationalAnnotationNames.Collation, collation);
        if (column.PropertyMappings is [var mapped, ..]
            && mapped.Property[MySqlAnnotationNames.SpatialReferenceSystemId] is { } system)
            yield return new Annotation(MySqlAnnotationNames.SpatialReferenceSystemId, system);
    }

    // The server makes a moment when the model says that it makes one, as in Pomelo's provider.
    private static MySqlValueGenerationStrategy StrategyOf(IProperty property, in StoreObjectIdentifier table, string storeType)
    {
        var strategy = property.GetValueGenerationStrategy(table);
        var type = Nullable.GetUnderlyingType(property.ClrType) ?? property.ClrType;
        // What makes a row version follows from its being one.
        if (strategy != MySqlValueGenerationStrategy.None || property.IsConcurrencyToken || (type != typeof(DateTime) && type != typeof(DateTimeOffset))
            || property.HasDefaultOrExpression(table))
            return strategy;
        // A converter may store the moment as a number or a text, which no clock fills. ON UPDATE is for columns with a time only.
        var isMoment = storeType.StartsWith("datetime", StringComparison.OrdinalIgnoreCase)
            || storeType.StartsWith("timestamp", StringComparison.OrdinalIgnoreCase);
        return property.ValueGenerated switch
        {
            ValueGenerated.OnAdd when isMoment || string.Equals(storeType, "date", StringComparison.OrdinalIgnoreCase) =>
                MySqlValueGenerationStrategy.IdentityColumn,
            ValueGenerated.OnAddOrUpdate when isMoment => MySqlValueGenerationStrategy.ComputedColumn,
            _ => MySqlValueGenerationStrategy.None,
        };
    }

    public override IEnumerable<IAnnotation> For(ITableIndex index, bool designTime)
    {
        if (!designTime)
            yield break;
        foreach (var name in OfIndexes)
            if (index.MappedIndexes.Select(mapped => mapped.FindAnnotation(name)).FirstOrDefault(static found => found?.Value is not null) is { } annotation)
                yield return new Annotation(name, annotation.Value);
    }

    public override IEnumerable<IAnnotation> For(IUniqueConstraint constraint, bool designTime)
    {
        if (designTime
            && constraint.MappedKeys.Select(static key => key.FindAnnotation(MySqlAnnotationNames.IndexPrefixLength)).FirstOrDefault(
                static found => found?.Value is not null) is { } annotation)
            yield return new Annotation(annotation.Name, annotation.Value);
    }
}
