using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Pomelo.EntityFrameworkCore.MySql.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

/// <summary>Refuses stored procedures that MySQL and MariaDB cannot have.</summary>
internal static class ProcedureRules
{
    /// <exception cref="InvalidOperationException">An entity type is saved by a procedure that cannot be.</exception>
    public static void Validate(IModel model, MySqlSingletonOptions options)
    {
        foreach (var type in model.GetEntityTypes())
            foreach (var procedure in (IStoredProcedure?[])[type.GetInsertStoredProcedure(), type.GetUpdateStoredProcedure(), type.GetDeleteStoredProcedure()])
                if (procedure is not null && procedure.EntityType == type)
                    Validate(type, procedure, options.Values.SchemaBehavior);
    }

    private static void Validate(IEntityType type, IStoredProcedure procedure, MySqlSchemaBehavior schemas)
    {
        if (procedure.IsRowsAffectedReturned)
            throw new InvalidOperationException(
                $"The stored procedure '{procedure.Name}' of the entity type '{type.DisplayName()}' returns the number of rows, and procedures of MySQL and "
                    + "MariaDB return no value. Replace HasRowsAffectedReturnValue by HasRowsAffectedParameter or HasRowsAffectedResultColumn.");
        if (schemas == MySqlSchemaBehavior.Throw && procedure.Schema is { Length: > 0 } schema)
            throw new InvalidOperationException(
                $"The stored procedure '{procedure.Name}' of the entity type '{type.DisplayName()}' has the schema '{schema}'. MySQL and MariaDB have no "
                    + "schemas inside a database. Remove it, or choose Ignore or Translate with SchemaBehavior in the options of UseMySql.");
    }
}
