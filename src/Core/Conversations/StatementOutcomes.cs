namespace Slipstream.Core.Conversations;

/// <summary>What one statement of an execution did.</summary>
/// <param name="Kind">The provider's number for the kind of statement.</param>
/// <param name="Rows">The number of rows that it changed or returned, as the server reported it.</param>
/// <param name="Id">The id that it generated, in the provider's terms; 0 for none.</param>
/// <param name="HasResultSet">Whether it returned a result set, possibly without rows.</param>
internal readonly record struct StatementOutcome(byte Kind, long Rows, ulong Id, bool HasResultSet);

/// <summary>
/// The outcomes of the statements of an execution, in order. The exchange of a session reuses one object, and a single statement, which is the usual case,
/// needs no list.
/// </summary>
internal sealed class StatementOutcomes
{
    // The server decides how many results a procedure has. Later ones are not kept.
    private const int MaxKept = 65_536;

    private StatementOutcome _first;
    private List<StatementOutcome>? _others;

    /// <summary>The number of outcomes so far.</summary>
    public int Count { get; private set; }

    /// <summary>The outcome of a statement.</summary>
    /// <param name="index">Its index, from 0.</param>
    public StatementOutcome this[int index] => index == 0 ? _first : _others![index - 1];

    /// <summary>Adds the outcome of the next statement.</summary>
    public void Add(in StatementOutcome outcome)
    {
        if (Count == 0)
            _first = outcome;
        else if (Count < MaxKept)
            (_others ??= []).Add(outcome);
        else
            return;
        Count++;
    }

    /// <summary>Removes all outcomes.</summary>
    public void Clear()
    {
        if (Count > 1)
            _others!.Clear();
        Count = 0;
    }
}
