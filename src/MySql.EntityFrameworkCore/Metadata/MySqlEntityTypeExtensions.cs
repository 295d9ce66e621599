using Microsoft.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Reads the settings of an entity type that apply to MariaDB.</summary>
public static class MySqlEntityTypeExtensions
{
    /// <summary>Returns whether the model says that MariaDB keeps the earlier versions of the table's rows.</summary>
    /// <param name="entityType">The entity type.</param>
    public static bool IsTemporal(this IReadOnlyEntityType entityType)
    {
        ArgumentNullException.ThrowIfNull(entityType);
        return entityType[MySqlAnnotationNames.IsTemporal] is true;
    }

    /// <summary>Returns the name of the property for the start of the period: the moment from which a version of a row is the current one.</summary>
    /// <param name="entityType">The entity type.</param>
    /// <returns>The name, or null if the entity type is not temporal.</returns>
    public static string? GetPeriodStartPropertyName(this IReadOnlyEntityType entityType) =>
        entityType.IsTemporal() ? entityType[MySqlAnnotationNames.PeriodStartPropertyName] as string ?? TemporalTable.DefaultStart : null;

    /// <summary>Returns the name of the property for the end of the period: the moment until which a version of a row was the current one.</summary>
    /// <param name="entityType">The entity type.</param>
    /// <returns>The name, or null if the entity type is not temporal.</returns>
    public static string? GetPeriodEndPropertyName(this IReadOnlyEntityType entityType) =>
        entityType.IsTemporal() ? entityType[MySqlAnnotationNames.PeriodEndPropertyName] as string ?? TemporalTable.DefaultEnd : null;
}
