using Microsoft.EntityFrameworkCore.Design.Internal;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

#pragma warning disable EF1001 // the class has no public counterpart

namespace Slipstream.MySql.EntityFrameworkCore.Design;

/// <summary>
/// Writes the annotations of compiled models. They are those of the model that a program builds: with the collations that queries need, and without what
/// only migrations need.
/// </summary>
internal sealed class MySqlRuntimeAnnotationCodeGenerator(
    CSharpRuntimeAnnotationCodeGeneratorDependencies dependencies, RelationalCSharpRuntimeAnnotationCodeGeneratorDependencies relationalDependencies)
    : RelationalCSharpRuntimeAnnotationCodeGenerator(dependencies, relationalDependencies)
{
    public override void Generate(IProperty property, CSharpRuntimeAnnotationCodeGeneratorParameters parameters)
    {
        if (!parameters.IsRuntime && CharacterSets.OfComparisons(property) is { } collation)
            parameters.Annotations[MySqlAnnotationNames.ColumnCollation] = collation;
        base.Generate(property, parameters);
    }

    public override void Generate(IRelationalModel model, CSharpRuntimeAnnotationCodeGeneratorParameters parameters)
    {
        Remove(parameters, MySqlAnnotationNames.CharSet);
        base.Generate(model, parameters);
    }

    public override void Generate(ITable table, CSharpRuntimeAnnotationCodeGeneratorParameters parameters)
    {
        Remove(parameters, MySqlAnnotationNames.CharSet, RelationalAnnotationNames.Collation, MySqlAnnotationNames.StoreOptions);
        base.Generate(table, parameters);
    }

    public override void Generate(IColumn column, CSharpRuntimeAnnotationCodeGeneratorParameters parameters)
    {
        Remove(
            parameters, MySqlAnnotationNames.CharSet, RelationalAnnotationNames.Collation, MySqlAnnotationNames.Period,
            MySqlAnnotationNames.SpatialReferenceSystemId);
        base.Generate(column, parameters);
    }

    public override void Generate(ITableIndex index, CSharpRuntimeAnnotationCodeGeneratorParameters parameters)
    {
        Remove(parameters, MySqlAnnotationProvider.OfIndexes);
        base.Generate(index, parameters);
    }

    public override void Generate(IUniqueConstraint uniqueConstraint, CSharpRuntimeAnnotationCodeGeneratorParameters parameters)
    {
        Remove(parameters, MySqlAnnotationNames.IndexPrefixLength);
        base.Generate(uniqueConstraint, parameters);
    }

    private static void Remove(CSharpRuntimeAnnotationCodeGeneratorParameters parameters, params ReadOnlySpan<string> names)
    {
        foreach (var name in names)
            parameters.Annotations.Remove(name);
    }
}
