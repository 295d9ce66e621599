using System.Globalization;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

/// <summary>What one call of a stored procedure returned.</summary>
internal sealed class ProcedureResults(ProcedureCall call, RelationalDataReader reader)
{
    private bool _hasResultSet;
    private bool _hasRow;
    private long? _count;

    private bool CountIsMapped => call.Command.RowsAffectedColumn is not null;

    /// <summary>Takes the first row of the procedure's result set. Returns whether the model maps the result set.</summary>
    public bool TakeResult(bool hasRow)
    {
        if (_hasResultSet || call.ResultColumns == 0)
            return false;
        (_hasResultSet, _hasRow) = (true, hasRow);
        var columns = reader.DbDataReader.FieldCount;
        if (columns < call.ResultColumns)
            throw new InvalidOperationException(
                $"The stored procedure '{call.Procedure.Name}' returned a result set of {columns} column(s), but the model maps {call.ResultColumns}. Change "
                    + "the SELECT of the procedure, or the calls of HasResultColumn.");
        if (hasRow && call.CountColumn is { } ordinal)
            _count = ReadCount(ordinal);
        if (hasRow)
            call.Command.PropagateResults(reader);
        return true;
    }

    /// <summary>Takes the values of the output parameters. The reader is at their row.</summary>
    public void TakeOutputs()
    {
        for (var ordinal = 0; ordinal < call.Outputs.Count; ordinal++)
            if (ReferenceEquals(call.Outputs[ordinal].Column, call.Command.RowsAffectedColumn))
                _count = ReadCount(ordinal);
        // If the procedure did not find its row, the other values are NULL.
        if (CountIsMapped && _count != 1)
            return;
        for (var ordinal = 0; ordinal < call.Outputs.Count; ordinal++)
            if (call.Outputs[ordinal] is { IsRead: true, Property: { } property } output)
                output.Value = property.GetReaderFieldValue(reader, ordinal, (call.Command as MySqlModificationCommand)?.DetailedErrors == true);
    }

    /// <summary>Returns the number of rows that the procedure changed, if it is not 1. All results have been read.</summary>
    /// <exception cref="InvalidOperationException">The procedure did not return what the model maps.</exception>
    public long? FindWrongCount()
    {
        if (call.ResultColumns > 0 && !_hasResultSet)
            throw new InvalidOperationException(
                $"The stored procedure '{call.Procedure.Name}' returned no result set, but the model maps result columns. Let the procedure end with a "
                    + "SELECT of these columns, or map them to output parameters.");
        if (CountIsMapped && _count is null)
            throw new InvalidOperationException(
                $"The stored procedure '{call.Procedure.Name}' did not return the number of rows that it changed. Let it return ROW_COUNT(), or remove "
                    + "HasRowsAffectedParameter or HasRowsAffectedResultColumn.");
        return CountIsMapped ? _count == 1 ? null : _count : call.ResultColumns > 0 && !_hasRow ? 0 : null;
    }

    private long? ReadCount(int ordinal) =>
        reader.DbDataReader.IsDBNull(ordinal) ? null : Convert.ToInt64(reader.DbDataReader.GetValue(ordinal), CultureInfo.InvariantCulture);
}
