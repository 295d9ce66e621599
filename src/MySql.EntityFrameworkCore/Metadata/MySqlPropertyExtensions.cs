using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore;

/// <summary>What MySQL and MariaDB know of a property.</summary>
public static partial class MySqlPropertyExtensions
{
    /// <summary>Returns how the property's column gets its value when a row is inserted.</summary>
    /// <param name="property">The property.</param>
    /// <param name="storeObject">The table; by default the one of the declaring type.</param>
    /// <returns>The strategy: as set, or the model's for a generated number without a default, which is AUTO_INCREMENT unless it is set.</returns>
    public static MySqlValueGenerationStrategy GetValueGenerationStrategy(this IReadOnlyProperty property, StoreObjectIdentifier? storeObject = null)
    {
        ArgumentNullException.ThrowIfNull(property);
        if (Set(property) is { } strategy)
            return strategy;
        if (storeObject is { } table && property.FindSharedStoreObjectRootProperty(table) is { } root)
            return root.GetValueGenerationStrategy(table);
        if (property.HasDefaultOrExpression(storeObject))
            return MySqlValueGenerationStrategy.None;
        return property.ValueGenerated switch
        {
            ValueGenerated.OnAdd when CanAutoIncrement(property)
                && !property.GetContainingForeignKeys().Any(key => !key.IsBaseLinking() && IsRowInternal(key, storeObject)) =>
                OfModel(property.DeclaringType.Model),
            _ => MySqlValueGenerationStrategy.None,
        };
    }

    /// <summary>Returns whether the model says what the column's value is without one of the program's: a default, or an expression.</summary>
    internal static bool HasDefaultOrExpression(this IReadOnlyProperty property, StoreObjectIdentifier? storeObject) => storeObject is { } table
        ? property.TryGetDefaultValue(table, out _) || property.GetDefaultValueSql(table) is not null || property.GetComputedColumnSql(table) is not null
        : property.TryGetDefaultValue(out _) || property.GetDefaultValueSql() is not null || property.GetComputedColumnSql() is not null;

    /// <summary>Sets how the property's column gets its value when a row is inserted.</summary>
    /// <param name="property">The property.</param>
    /// <param name="value">The strategy, or null for the default.</param>
    public static void SetValueGenerationStrategy(this IMutableProperty property, MySqlValueGenerationStrategy? value)
    {
        ArgumentNullException.ThrowIfNull(property);
        property.SetOrRemoveAnnotation(MySqlAnnotationNames.ValueGenerationStrategy, value);
    }

    /// <summary>Sets how the property's column gets its value when a row is inserted.</summary>
    /// <param name="property">The property.</param>
    /// <param name="value">The strategy, or null for the default.</param>
    /// <param name="fromDataAnnotation">Whether an attribute said so.</param>
    /// <returns>The strategy.</returns>
    public static MySqlValueGenerationStrategy? SetValueGenerationStrategy(
        this IConventionProperty property, MySqlValueGenerationStrategy? value, bool fromDataAnnotation = false)
    {
        ArgumentNullException.ThrowIfNull(property);
        property.SetOrRemoveAnnotation(MySqlAnnotationNames.ValueGenerationStrategy, value, fromDataAnnotation);
        return value;
    }

    /// <summary>Whether AUTO_INCREMENT can make the values.</summary>
    internal static bool CanAutoIncrement(IReadOnlyProperty property)
    {
        // The number of a moment is not one that is counted.
        if ((Nullable.GetUnderlyingType(property.ClrType) ?? property.ClrType) is var clrType
            && (clrType == typeof(DateTime) || clrType == typeof(DateTimeOffset)))
            return false;
        var type = ProviderType(property);
        return type == typeof(int) || type == typeof(long) || type == typeof(short) || type == typeof(sbyte) || type == typeof(byte)
            || type == typeof(uint) || type == typeof(ulong) || type == typeof(ushort);
    }

    private static bool IsRowInternal(IReadOnlyForeignKey key, StoreObjectIdentifier? storeObject) =>
        storeObject is not { } table || key.PrincipalEntityType.GetTableName() != table.Name;

    private static Type? ProviderType(IReadOnlyProperty property)
    {
        // HasConversion<string>() sets a type, and the converter follows from it when the model is complete.
        var converter = property.GetValueConverter() ?? property.FindTypeMapping()?.Converter;
        var type = converter?.ProviderClrType ?? property.GetProviderClrType() ?? property.ClrType;
        type = Nullable.GetUnderlyingType(type) ?? type;
        return type.IsEnum ? Enum.GetUnderlyingType(type) : type;
    }

    private static MySqlValueGenerationStrategy OfModel(IReadOnlyModel model) => Set(model) is { } strategy and not MySqlValueGenerationStrategy.ComputedColumn
        ? strategy
        : MySqlValueGenerationStrategy.IdentityColumn;

    // Compiled models and snapshots hold it as a number.
    private static MySqlValueGenerationStrategy? Set(IReadOnlyAnnotatable annotatable) => annotatable[MySqlAnnotationNames.ValueGenerationStrategy] switch
    {
        MySqlValueGenerationStrategy strategy => strategy,
        int number => (MySqlValueGenerationStrategy)number,
        _ => null,
    };
}
