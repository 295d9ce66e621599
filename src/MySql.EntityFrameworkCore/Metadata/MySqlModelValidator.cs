using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore;
using Pomelo.EntityFrameworkCore.MySql.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Metadata;

/// <summary>Refuses models that MySQL and MariaDB cannot hold.</summary>
internal sealed class MySqlModelValidator(
    ModelValidatorDependencies dependencies, RelationalModelValidatorDependencies relationalDependencies, MySqlSingletonOptions options)
    : RelationalModelValidator(dependencies, relationalDependencies)
{
    public override void Validate(IModel model, IDiagnosticsLogger<DbLoggerCategory.Model.Validation> logger)
    {
        base.Validate(model, logger);
        if (options.Values.SchemaBehavior == MySqlSchemaBehavior.Throw)
            RefuseSchemas(model);
        if (!options.Capabilities.JsonType)
            RefuseUnknownSizes(model);
        SequenceRules.Validate(model, options);
        TemporalRules.Validate(model, options);
        foreach (var type in model.GetEntityTypes())
            foreach (var procedure in (IStoredProcedure?[])[type.GetInsertStoredProcedure(), type.GetUpdateStoredProcedure(), type.GetDeleteStoredProcedure()])
                if (procedure is not null && procedure.EntityType == type)
                    Validate(type, procedure, options.Values.SchemaBehavior);
    }

    private static void Validate(IEntityType type, IStoredProcedure procedure, MySqlSchemaBehavior schemas)
    {
        if (procedure.IsRowsAffectedReturned)
            throw new InvalidOperationException(
                $"The stored procedure '{procedure.Name}' of the entity type '{type.DisplayName()}' has HasRowsAffectedReturnValue, but procedures of "
                    + "MySQL and MariaDB have no return value. Use HasRowsAffectedParameter or HasRowsAffectedResultColumn instead.");
        if (schemas == MySqlSchemaBehavior.Throw && procedure.Schema is { Length: > 0 } schema)
            throw new InvalidOperationException(
                $"The stored procedure '{procedure.Name}' of the entity type '{type.DisplayName()}' has the schema '{schema}'. MySQL and MariaDB have no "
                    + "schemas inside a database. Remove it, or choose Ignore or Translate with SchemaBehavior in the options of UseMySql.");
        // EF Core would not save such a document, or not call the procedure.
        if (procedure.EntityType.GetDeleteStoredProcedure() != procedure && type.GetDerivedTypesInclusive().Select(FindDocument).FirstOrDefault(
                static name => name is not null) is { } document)
            throw new InvalidOperationException(
                $"The entity type '{type.DisplayName()}' has the JSON document '{document}', which cannot be a parameter of the stored procedure "
                    + $"'{procedure.Name}'. Store it in a property of type string, or save the entity type without stored procedures.");
    }

    private static string? FindDocument(IEntityType type) =>
        type.GetNavigations().FirstOrDefault(static navigation =>
            navigation.ForeignKey.IsOwnership && !navigation.IsOnDependent && navigation.TargetEntityType.IsMappedToJson())?.Name ?? FindPart(type);

    private static string? FindPart(ITypeBase type) => type.GetComplexProperties()
        .Select(static part => part.ComplexType.IsMappedToJson() ? part.Name : FindPart(part.ComplexType)).FirstOrDefault(static name => name is not null);

    // A syntax error on MariaDB. MySQL has a default of 2048.
    private static void RefuseUnknownSizes(IModel model)
    {
        foreach (var type in model.GetEntityTypes())
            if (type.GetTableName() is not null && !type.IsTableExcludedFromMigrations() && !type.IsMappedToJson()
                && type.GetFlattenedDeclaredProperties().FirstOrDefault(static property =>
                    !property.DeclaringType.IsMappedToJson() && property.GetColumnType() is "vector") is { } vector)
                throw new InvalidOperationException(
                    $"The property '{vector.DeclaringType.DisplayName()}.{vector.Name}' has the column type vector without a number of elements, which MariaDB "
                        + "needs. Add the number: HasColumnType(\"vector(3)\"), or HasMaxLength(3).");
    }

    private static void RefuseSchemas(IModel model)
    {
        foreach (var type in model.GetEntityTypes())
            if ((type.GetSchema() ?? type.GetViewSchema()) is { } schema)
                throw new InvalidOperationException(
                    $"The entity type '{type.DisplayName()}' has the schema '{schema}'. MySQL and MariaDB have no schemas inside a database. Remove it, or "
                        + "choose Ignore or Translate with SchemaBehavior in the options of UseMySql.");
    }
}
