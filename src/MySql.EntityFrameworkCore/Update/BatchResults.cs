using System.Globalization;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Update;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

/// <summary>Gives the results of a batch's statements to its commands. Does not wait: the batch reads, and says what came.</summary>
internal sealed class BatchResults(List<StatementPlan> plans, RelationalDataReader reader, ModificationCommandBatchFactoryDependencies dependencies)
{
    // The row of a plan that the server did not return. Which statement had a conflict first is known when all counts are.
    private readonly Dictionary<int, int> _missing = [];
    private int _plan;
    private int _row;
    private long _increment = 1;

    /// <summary>Whether all rows of the current result set were read.</summary>
    public bool IsSetComplete { get; private set; }

    private MySqlDataReader Reader => (MySqlDataReader)reader.DbDataReader;

    /// <summary>Whether a row is to be read.</summary>
    public bool NextRead()
    {
        if (IsSetComplete)
            (_plan, _row, IsSetComplete) = (_plan + 1, 0, false);
        while (_plan < plans.Count && plans[_plan].Kind is StatementKind.Control or StatementKind.Insert or StatementKind.Change)
            _plan++;
        return _plan < plans.Count;
    }

    /// <summary>Takes the row that was read, or notes that there is none.</summary>
    public void Took(bool hasRow)
    {
        var plan = plans[_plan];
        if (plan.Kind == StatementKind.Increment)
        {
            _increment = hasRow ? Reader.GetInt64(0) : 1;
            IsSetComplete = true;
            return;
        }

        var command = plan.Commands[_row];
        IsSetComplete = ++_row == plan.Commands.Count || !hasRow;
        if (hasRow)
            command.PropagateResults(reader);
        else
            _missing.Add(_plan, _row - 1);
    }

    /// <summary>Checks the counts in the order of the statements, and gives generated keys to their commands. All results have been read.</summary>
    public IEnumerable<UpdateConflict> Finish()
    {
        var results = Reader.StatementResults;
        if (results.Count != plans.Count)
            throw new InvalidOperationException(
                $"The batch has {plans.Count} statements, and the server answered {results.Count}. An interceptor may have changed its text.");
        for (var index = 0; index < plans.Count; index++)
        {
            var plan = plans[index];
            if (plan is { Kind: StatementKind.Insert, Generated: { } generated })
                SetKeys(plan, generated.ColumnName, results[index].LastInsertedId);
            // An UPDATE or DELETE by its key finds one row, or has a conflict.
            else if (plan.Kind == StatementKind.Change && results[index].RecordsAffected != 1)
                yield return new(plan.Commands, 1, results[index].RecordsAffected, reader, dependencies);
            // Without a row for an UPDATE that found none, there is one conflict and not two.
            else if (_missing.TryGetValue(index, out var found) && !(IsAfterChange(index) && results[index - 1].RecordsAffected != 1))
                yield return new(plan.Commands, plan.Commands.Count, found, reader, dependencies);
        }
    }

    private bool IsAfterChange(int index) => plans[index].Kind == StatementKind.ReadBack && plans[index - 1].Kind == StatementKind.Change;

    private void SetKeys(StatementPlan plan, string columnName, long first)
    {
        for (var index = 0; index < plan.Commands.Count; index++)
        {
            var column = plan.Commands[index].ColumnModifications.First(column => column.IsRead && column.ColumnName == columnName);
            column.Value = ModelValue(column, first + (index * _increment));
        }
    }

    private static object? ModelValue(IColumnModification column, long number)
    {
        var mapping = column.TypeMapping!;
        var type = mapping.ProviderType();
        object value = type == typeof(ulong) ? unchecked((ulong)number) : Convert.ChangeType(number, type, CultureInfo.InvariantCulture);
        return mapping.Converter is { } converter ? converter.ConvertFromProvider(value) : value;
    }
}
