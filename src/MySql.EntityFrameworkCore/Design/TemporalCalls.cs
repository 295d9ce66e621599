using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Design;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Design;

/// <summary>The call of a method that says that a table is temporal.</summary>
internal static class TemporalCalls
{
    private static readonly MethodInfo ToTable =
        ((Func<EntityTypeBuilder, Action<TableBuilder>, EntityTypeBuilder>)RelationalEntityTypeBuilderExtensions.ToTable).Method;

    private static readonly MethodInfo IsTemporal =
        ((Func<TableBuilder, Action<MySqlTemporalTableBuilder>, TableBuilder>)MySqlTableBuilderExtensions.IsTemporal).Method;

    private static readonly string[] Names =
    [
        MySqlAnnotationNames.IsTemporal, MySqlAnnotationNames.PeriodStartPropertyName, MySqlAnnotationNames.PeriodStartColumnName,
        MySqlAnnotationNames.PeriodEndPropertyName, MySqlAnnotationNames.PeriodEndColumnName,
    ];

    /// <summary>Takes the annotations of a temporal entity type out of the others, and returns the call; null for other entity types.</summary>
    public static MethodCallCodeFragment? Take(IEntityType type, IDictionary<string, IAnnotation> annotations)
    {
        // The builder of an owned type's table has another class; annotations say the same.
        if (!type.IsTemporal() || type.IsOwned() || !annotations.ContainsKey(MySqlAnnotationNames.IsTemporal))
            return null;
        foreach (var name in Names)
            annotations.Remove(name);
        return new(ToTable, new NestedClosureCodeFragment("tb", new MethodCallCodeFragment(IsTemporal, new NestedClosureCodeFragment(
            "ttb",
            [
                Period(type, nameof(MySqlTemporalTableBuilder.HasPeriodStart), type.GetPeriodStartPropertyName()!, MySqlAnnotationNames.PeriodStartColumnName),
                Period(type, nameof(MySqlTemporalTableBuilder.HasPeriodEnd), type.GetPeriodEndPropertyName()!, MySqlAnnotationNames.PeriodEndColumnName),
            ]))));
    }

    // A scaffolded table has no property, but the name of the column.
    private static MethodCallCodeFragment Period(IEntityType type, string method, string property, string columnAnnotation) =>
        new MethodCallCodeFragment(method, property).Chain(
            nameof(MySqlTemporalPeriodPropertyBuilder.HasColumnName),
            type[columnAnnotation] as string ?? type.FindProperty(property)?.GetColumnName() ?? property);
}
