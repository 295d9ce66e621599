using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Metadata;

/// <summary>Carries the model's annotations to tables and columns, where migrations read them.</summary>
internal sealed class MySqlAnnotationProvider(RelationalAnnotationProviderDependencies dependencies) : RelationalAnnotationProvider(dependencies)
{
    public override IEnumerable<IAnnotation> For(IRelationalModel model, bool designTime)
    {
        if (designTime && model.Model.FindAnnotation(MySqlAnnotationNames.CharSet) is { Value: not null } charSet)
            yield return new Annotation(charSet.Name, charSet.Value);
    }

    public override IEnumerable<IAnnotation> For(IColumn column, bool designTime)
    {
        var table = StoreObjectIdentifier.Table(column.Table.Name, column.Table.Schema);
        var strategy = column.PropertyMappings
            .Where(static mapping => mapping.TableMapping.IsSharedTablePrincipal ?? true)
            .Select(mapping => mapping.Property.GetValueGenerationStrategy(table))
            .FirstOrDefault(static strategy => strategy != MySqlValueGenerationStrategy.None);
        if (strategy != MySqlValueGenerationStrategy.None)
            yield return new Annotation(MySqlAnnotationNames.ValueGenerationStrategy, strategy);
        if (!designTime)
            yield break;
        if (column.PropertyMappings is [var mapped, ..] && mapped.Property.FindAnnotation(MySqlAnnotationNames.CharSet) is { Value: not null } charSet)
            yield return new Annotation(charSet.Name, charSet.Value);
    }

    public override IEnumerable<IAnnotation> For(ITableIndex index, bool designTime)
    {
        if (!designTime)
            yield break;
        foreach (var name in (string[])[MySqlAnnotationNames.FullTextIndex, MySqlAnnotationNames.FullTextParser, MySqlAnnotationNames.SpatialIndex,
            MySqlAnnotationNames.IndexPrefixLength])
            if (index.MappedIndexes.Select(mapped => mapped.FindAnnotation(name)).FirstOrDefault(static found => found?.Value is not null) is { } annotation)
                yield return new Annotation(name, annotation.Value);
    }
}
