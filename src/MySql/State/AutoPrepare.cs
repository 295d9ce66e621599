using Slipstream.Core.Statements;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.State;

/// <summary>
/// Decides which statements of a data source are prepared automatically. One PREPARE costs the server as much as one or two executions save. So a text must
/// have been executed before, and a prepared statement must live long enough to be used again.
/// </summary>
/// <param name="minUses">The number of executions as text before a statement is prepared.</param>
/// <param name="maxPerSession">The number of statements that a session keeps prepared; 0 switches automatic preparation off.</param>
/// <param name="maxTotal">The number of statements that all sessions of the data source keep prepared.
/// A server has room for 16,382 statements of all its clients (max_prepared_stmt_count).</param>
internal sealed class AutoPrepare(int minUses, int maxPerSession, int maxTotal)
{
    private const int MinTotal = 16;

    // The number of executions without a PREPARE after a server had no room. Other clients may close prepared statements in the meantime.
    private const int Pause = 1000;

    private int _maxTotal = maxTotal;
    private int _prepared;
    private int _pause;

    public bool IsOn { get; } = maxPerSession > 0 && maxTotal > 0;

    /// <summary>Gets the number of statements in each session. An explicit Prepare needs room in any case.</summary>
    public int PerSession { get; } = maxPerSession > 0 ? maxPerSession : PreparedIds<PreparedStatement>.DefaultBudget;

    /// <summary>Gets the number of statements that all sessions have prepared now.</summary>
    public int Prepared => Volatile.Read(ref _prepared);

    /// <summary>Returns whether the next execution of the statement should prepare it.</summary>
    /// <param name="prepared">The prepared statements of the session, without this one.</param>
    /// <param name="statement">A statement that may be prepared.</param>
    public bool ShouldPrepare(PreparedStatements prepared, MySqlStatement statement)
    {
        if ((statement.Uses < minUses && !statement.PreparesEarly) || IsPausing())
            return false;
        // A statement that the end of the lease discards must be used again before that end.
        if (!prepared.Stay && !statement.IsHinted && prepared.UsesInLease(statement) < (statement.PreparesEarly ? 1 : minUses))
            return false;
        return prepared.Count < PerSession ? Prepared < Volatile.Read(ref _maxTotal) : prepared.CanEvictOldest();
    }

    /// <summary>Records how many statements a session has prepared, or released if the number is negative.</summary>
    public void Changed(int difference) => Interlocked.Add(ref _prepared, difference);

    /// <summary>Records that the server has no room: this data source will use fewer statements than it has now.</summary>
    public void ServerIsFull()
    {
        Volatile.Write(ref _maxTotal, Math.Max(Math.Min(_maxTotal, Prepared) * 7 / 8, MinTotal));
        Volatile.Write(ref _pause, Pause);
    }

    private bool IsPausing() => Volatile.Read(ref _pause) > 0 && Interlocked.Decrement(ref _pause) > 0;
}
