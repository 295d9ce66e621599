using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore;
using Pomelo.EntityFrameworkCore.MySql.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Update;

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
        SequenceRules.Validate(model, options);
        TemporalRules.Validate(model, options);
        ProcedureRules.Validate(model, options);
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
