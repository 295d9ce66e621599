using System.Data;
using System.Text;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Update;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

/// <summary>
/// The call of a stored procedure that saves one row. In a text, an argument of an output parameter must be a user variable. A SELECT after the CALL reads
/// it.
/// </summary>
internal sealed class ProcedureCall(IReadOnlyModificationCommand command)
{
    private readonly List<IColumnModification> _arguments =
        command.ColumnModifications.Where(static column => column.Column is IStoreStoredProcedureParameter).ToList();

    public IStoreStoredProcedure Procedure => command.StoreStoredProcedure!;

    public IReadOnlyModificationCommand Command => command;

    /// <summary>The output arguments, in the order of the SELECT.</summary>
    public IReadOnlyList<IColumnModification> Outputs => field ??= _arguments.Where(static column => Has(column, ParameterDirection.Output)).ToList();

    /// <summary>The number of columns that the procedure's result set must have; 0 if it returns none.</summary>
    public int ResultColumns => field = field > 0 ? field : Procedure.ResultColumns.Count();

    /// <summary>The place of the number of rows in the result set; null if it is not there.</summary>
    public int? CountColumn => command.RowsAffectedColumn is IStoreStoredProcedureResultColumn column ? column.Position : null;

    /// <summary>Writes the statements, and adds a plan for each of them.</summary>
    public void Append(StringBuilder builder, ISqlGenerationHelper names, List<StatementPlan> plans)
    {
        if (AppendInputs(builder, names))
            plans.Add(new(StatementKind.Control));
        builder.Append("CALL ");
        names.DelimitIdentifier(builder, Procedure.Name, Procedure.Schema);
        builder.Append('(');
        for (var index = 0; index < _arguments.Count; index++)
        {
            builder.Append(index == 0 ? "" : ", ");
            if (Has(_arguments[index], ParameterDirection.Output))
                AppendVariable(builder, _arguments[index]);
            else
                names.GenerateParameterNamePlaceholder(builder, NameOf(_arguments[index]));
        }

        builder.Append(')').AppendLine(names.StatementTerminator);
        plans.Add(new(StatementKind.Call) { Call = this, Commands = { command } });
        if (Outputs.Count == 0)
            return;
        AppendOutputs(builder, names);
        plans.Add(new(StatementKind.CallOutputs) { Call = this, Commands = { command } });
    }

    /// <summary>Returns whether the column is an argument that has a value before the call.</summary>
    public static bool IsSent(IColumnModification column) => Has(column, ParameterDirection.Input);

    /// <summary>Returns the name of the parameter of an argument.</summary>
    public static string NameOf(IColumnModification argument) =>
        (argument.UseOriginalValueParameter ? argument.OriginalParameterName : argument.ParameterName)!;

    private static bool Has(IColumnModification column, ParameterDirection direction) =>
        column.Column is IStoreStoredProcedureParameter parameter && parameter.Direction.HasFlag(direction);

    private static void AppendVariable(StringBuilder builder, IColumnModification argument) => builder.Append("@out_").Append(NameOf(argument));

    private bool AppendInputs(StringBuilder builder, ISqlGenerationHelper names)
    {
        var isFirst = true;
        foreach (var argument in _arguments.Where(static column => Has(column, ParameterDirection.InputOutput)))
        {
            AppendVariable(builder.Append(isFirst ? "SET " : ", "), argument);
            names.GenerateParameterNamePlaceholder(builder.Append(" = "), NameOf(argument));
            isFirst = false;
        }

        if (!isFirst)
            builder.AppendLine(names.StatementTerminator);
        return !isFirst;
    }

    private void AppendOutputs(StringBuilder builder, ISqlGenerationHelper names)
    {
        builder.Append("SELECT ");
        for (var index = 0; index < Outputs.Count; index++)
        {
            var type = CastOf(Outputs[index].TypeMapping!.StoreTypeNameBase);
            AppendVariable(builder.Append(index == 0 ? "" : ", ").Append(type is null ? "" : "CAST("), Outputs[index]);
            builder.Append(type is null ? "" : $" AS {type})");
        }

        builder.AppendLine(names.StatementTerminator);
    }

    // A user variable holds a number, a text or bytes; a date and a time become texts.
    private static string? CastOf(string storeType) => storeType.ToUpperInvariant() switch
    {
        "DATE" => "DATE",
        "TIME" => "TIME(6)",
        "DATETIME" or "TIMESTAMP" => "DATETIME(6)",
        _ => null,
    };
}
