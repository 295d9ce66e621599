using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Metadata;

/// <summary>Refuses models whose temporal tables the server does not have, or cannot write.</summary>
internal static class TemporalRules
{
    /// <exception cref="InvalidOperationException">An entity type is temporal and cannot be.</exception>
    public static void Validate(IModel model, MySqlSingletonOptions options)
    {
        foreach (var type in model.GetEntityTypes().Where(static type => type.IsTemporal()))
        {
            // The version may be known later, when the SQL is written.
            if (!options.Capabilities.SystemVersioning && !options.IsVersionAssumed)
                throw new InvalidOperationException(
                    $"The entity type '{type.DisplayName()}' is temporal, and {options.ServerVersion} does not have system-versioned tables. Remove "
                        + "IsTemporal, or use MariaDB 10.3 or later.");
            Validate(type);
            ValidatePeriod(type, type.GetPeriodStartPropertyName()!);
            ValidatePeriod(type, type.GetPeriodEndPropertyName()!);
        }
    }

    private static void Validate(IEntityType type)
    {
        if (type.BaseType is { } parent)
            throw new InvalidOperationException(
                $"The entity type '{type.DisplayName()}' is temporal, but inherits from '{parent.DisplayName()}'. Call IsTemporal for the root of the "
                    + "hierarchy.");
        if (type.FindOwnership() is { } ownership && type.GetTableName() == ownership.PrincipalEntityType.GetTableName())
            throw new InvalidOperationException(
                $"The owned entity type '{type.DisplayName()}' is stored in the table of its owner. Call IsTemporal for the owner only: the table's versions "
                    + "have all of its columns.");
        var tables = type.GetDerivedTypesInclusive().Select(static one => one.GetTableName()).Distinct().Count();
        if (tables != 1 || type.GetTableName() is null || type.GetMappingFragments(StoreObjectType.Table).Any())
            throw new InvalidOperationException(
                $"The entity type '{type.DisplayName()}' is temporal, and must be stored in one table, with all types that inherit from it: TPT, TPC and "
                    + "entity splitting are not possible.");
        if (type.GetViewName() is not null || type.GetSqlQuery() is not null || type.GetFunctionName() is not null)
            throw new InvalidOperationException(
                $"The entity type '{type.DisplayName()}' is temporal, but its queries read a view, a function or SQL. Map it to a table only.");
    }

    private static void ValidatePeriod(IEntityType type, string name)
    {
        if (type.FindProperty(name) is { IsNullable: false, ValueGenerated: ValueGenerated.OnAddOrUpdate } property && property.ClrType == typeof(DateTime)
            && property.GetTypeMapping().Converter is null && property.GetColumnType() == TemporalTable.ColumnType
            && !property.HasDefaultOrExpression(StoreObjectIdentifier.Create(type, StoreObjectType.Table)))
            return;
        throw new InvalidOperationException(
            $"The property '{type.DisplayName()}.{name}' is part of the period of a temporal table: it must be a DateTime that the server generates when a row "
                + $"is inserted and updated, in a column of the type {TemporalTable.ColumnType}, without default, expression and conversion.");
    }
}
