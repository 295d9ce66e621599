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
    private readonly Dictionary<ProcedureCall, ProcedureResults> _calls =
        plans.Where(static plan => plan.Kind == StatementKind.Call).ToDictionary(static plan => plan.Call!, plan => new ProcedureResults(plan.Call!, reader));
    private int _plan;
    private int _row;
    private int _statement;
    private long _increment = 1;

    /// <summary>Whether all rows of the current result set were read.</summary>
    public bool IsSetComplete { get; private set; }

    /// <summary>Whether a procedure returned a result set that the model does not have.</summary>
    public bool HasUnknownSet { get; private set; }

    private MySqlDataReader Reader => (MySqlDataReader)reader.DbDataReader;

    /// <summary>Whether a row is to be read.</summary>
    public bool NextRead()
    {
        if (IsSetComplete && plans[_plan].Kind != StatementKind.Call)
            (_plan, _statement) = (_plan + 1, _statement + 1);
        if (IsSetComplete)
            (_row, IsSetComplete) = (0, false);
        while (_plan < plans.Count && plans[_plan].Kind is StatementKind.Control or StatementKind.Insert or StatementKind.Change)
            (_plan, _statement) = (_plan + 1, _statement + 1);
        if (_plan < plans.Count && plans[_plan].Kind == StatementKind.Call)
            FindPlan();
        return _plan < plans.Count;
    }

    /// <summary>Takes the row that was read, or notes that there is none.</summary>
    public void Took(bool hasRow)
    {
        var plan = plans[_plan];
        switch (plan.Kind)
        {
            case StatementKind.Increment:
                _increment = hasRow ? Reader.GetInt64(0) : 1;
                IsSetComplete = true;
                return;
            case StatementKind.Call:
                HasUnknownSet |= !_calls[plan.Call!].TakeResult(hasRow);
                IsSetComplete = true;
                return;
            case StatementKind.CallOutputs:
                _calls[plan.Call!].TakeOutputs();
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
        var results = OfPlans(Reader.StatementResults);
        if (results.Count != plans.Count)
            throw Mismatch(results.Count);
        for (var index = 0; index < plans.Count; index++)
        {
            var plan = plans[index];
            if (plan is { Kind: StatementKind.Insert, Generated: { } generated })
                SetKeys(plan, generated.ColumnName, results[index].LastInsertedId);
            // An UPDATE or DELETE by its key finds one row, or has a conflict.
            else if (plan.Kind == StatementKind.Change && results[index].RecordsAffected != 1)
                yield return new(plan.Commands, 1, results[index].RecordsAffected, reader, dependencies);
            else if (plan.Kind == StatementKind.Call && _calls[plan.Call!].FindWrongCount() is { } count)
                yield return new(plan.Commands, 1, count, reader, dependencies);
            // Without a row for an UPDATE that found none, there is one conflict and not two.
            else if (_missing.TryGetValue(index, out var found) && !(IsAfterChange(index) && results[index - 1].RecordsAffected != 1))
                yield return new(plan.Commands, plan.Commands.Count, found, reader, dependencies);
        }
    }

    // A procedure may return any number of result sets. The results before the current set tell to which statement it belongs.
    private void FindPlan()
    {
        var results = Reader.StatementResults;
        for (; _statement < results.Count && _plan < plans.Count; _statement++)
            if (plans[_plan].Kind != StatementKind.Call || !results[_statement].HasResultSet)
                _plan++;
        if (Reader.FieldCount == 0)
            _plan = plans.Count;
        else if (_plan < plans.Count && plans[_plan].Kind is StatementKind.Control or StatementKind.Insert or StatementKind.Change)
            throw Mismatch(results.Count);
    }

    private IReadOnlyList<MySqlStatementResult> OfPlans(IReadOnlyList<MySqlStatementResult> results)
    {
        if (_calls.Count == 0)
            return results;
        var own = new List<MySqlStatementResult>(plans.Count);
        foreach (var result in results)
            if (!result.HasResultSet || own.Count == plans.Count || plans[own.Count].Kind != StatementKind.Call)
                own.Add(result);
        return own;
    }

    private InvalidOperationException Mismatch(int answered) =>
        new($"The batch has {plans.Count} statements, and the server answered {answered}. An interceptor may have changed its text.");

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
