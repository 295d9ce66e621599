using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Metadata;

/// <summary>
/// Finds the character set and the collation of a database, a table and a column: their own, or what is delegated to them. The rules are Pomelo's, so that
/// migrations continue.
/// </summary>
internal static class CharacterSets
{
    private const string Default = "utf8mb4";
    private const string DefaultOfGuids = "ascii_general_ci";

    private static readonly HashSet<string> Texts = new(StringComparer.OrdinalIgnoreCase)
    {
        "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set",
    };

    /// <summary>Returns whether a collation is one of a character set. Those of MariaDB that name none fit all of Unicode.</summary>
    public static bool Has(string charSet, string collation) =>
        collation.StartsWith(charSet, StringComparison.OrdinalIgnoreCase)
        || (charSet.StartsWith("utf8", StringComparison.OrdinalIgnoreCase)
            && (collation.StartsWith("utf8", StringComparison.OrdinalIgnoreCase) || collation.StartsWith("uca1400", StringComparison.OrdinalIgnoreCase)));

    public static string? OfDatabase(IModel model) => Delegates(model, MySqlAnnotationNames.CharSetDelegation, DelegationModes.ApplyToDatabases)
        ? OfModel(model)
        : null;

    public static string? OfTable(ITable table)
    {
        var type = Type(table);
        return type[MySqlAnnotationNames.CharSet] as string
            ?? (Delegates(type.Model, MySqlAnnotationNames.CharSetDelegation, DelegationModes.ApplyToTables) ? OfModel(type.Model) : null);
    }

    public static string? CollationOfTable(ITable table)
    {
        var type = Type(table);
        return type[RelationalAnnotationNames.Collation] as string
            ?? (Delegates(type.Model, MySqlAnnotationNames.CollationDelegation, DelegationModes.ApplyToTables) ? type.Model.GetCollation() : null);
    }

    public static string? OfColumn(IColumn column)
    {
        if (column.PropertyMappings is not [var mapping, ..] || !IsText(mapping.TypeMapping.StoreTypeNameBase) || IsGuid(mapping.Property))
            return null;
        var type = Type(column.Table);
        return mapping.Property[MySqlAnnotationNames.CharSet] as string
            ?? (Delegates(type, MySqlAnnotationNames.CharSetDelegation, DelegationModes.ApplyToColumns)
                ? type[MySqlAnnotationNames.CharSet] as string
                : null)
            ?? (Delegates(type.Model, MySqlAnnotationNames.CharSetDelegation, DelegationModes.ApplyToColumns) ? OfModel(type.Model) : null);
    }

    public static string? CollationOfColumn(IColumn column) =>
        column.PropertyMappings is [var mapping, ..] && IsText(mapping.TypeMapping.StoreTypeNameBase) ? Collation(mapping.Property, Type(column.Table)) : null;

    /// <summary>
    /// Returns the collation that the model gives the column of a property. Queries compare texts in JSON with the column by it.
    /// </summary>
    public static string? OfComparisons(IProperty property) =>
        property.ClrType == typeof(string) && property.DeclaringType.ContainingEntityType is var type && type.GetTableName() is not null
        && !type.IsMappedToJson() && IsText(property.GetRelationalTypeMapping().StoreTypeNameBase)
            ? Collation(property, type)
            : null;

    private static string? Collation(IProperty property, IEntityType type)
    {
        if (property.GetCollation() is { } own)
            return own;
        if (IsGuid(property))
            return type.Model[MySqlAnnotationNames.GuidCollation] as string is var guids && guids is "" ? null : guids ?? DefaultOfGuids;
        return (Delegates(type, MySqlAnnotationNames.CollationDelegation, DelegationModes.ApplyToColumns)
                ? type[RelationalAnnotationNames.Collation] as string
                : null)
            ?? (Delegates(type.Model, MySqlAnnotationNames.CollationDelegation, DelegationModes.ApplyToColumns) ? type.Model.GetCollation() : null);
    }

    private static IEntityType Type(ITableBase table) => (IEntityType)table.EntityTypeMappings.First().TypeBase;

    private static bool IsText(string storeType) => Texts.Contains(storeType);

    private static bool IsGuid(IProperty property) => (Nullable.GetUnderlyingType(property.ClrType) ?? property.ClrType) == typeof(Guid)
        && property.GetTypeMapping().Converter is null;

    private static string? OfModel(IModel model) => model[MySqlAnnotationNames.CharSet] as string ?? (model.GetCollation() is null ? Default : null);

    // A snapshot holds the modes as a number.
    private static bool Delegates(IReadOnlyAnnotatable annotatable, string name, DelegationModes to)
    {
        var modes = annotatable[name] switch
        {
            DelegationModes set and not DelegationModes.Default => set,
            int number and not 0 => (DelegationModes)number,
            _ => DelegationModes.ApplyToAll,
        };
        return modes.HasFlag(to);
    }
}
