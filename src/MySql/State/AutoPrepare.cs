using Slipstream.Core.Statements;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.State;

/// <summary>
/// Which statements of a data source prepare themselves. One PREPARE costs the server as much as one or two executions save, so a text must
/// have been executed before; and what is prepared must live long enough to be used again.
/// </summary>
/// <param name="minUses">How often a text is executed as text.</param>
/// <param name="mostPerSession">Statements a session keeps prepared; 0 switches it off.</param>
/// <param name="mostInAll">Statements that all sessions of the data source keep:
/// a server has room for 16,382 of all its clients (max_prepared_stmt_count).</param>
internal sealed class AutoPrepare(int minUses, int mostPerSession, int mostInAll)
{
    private const int FewestInAll = 16;

    // Executions for which a server that was full is left in peace: others may close what they have prepared.
    private const int Pause = 1000;

    private int _most = mostInAll;
    private int _prepared;
    private int _pause;

    public bool IsOn { get; } = mostPerSession > 0 && mostInAll > 0;

    /// <summary>Room in each session; explicit Prepare needs some in any case.</summary>
    public int PerSession { get; } = mostPerSession > 0 ? mostPerSession : PreparedIds<PreparedStatement>.DefaultBudget;

    /// <summary>How many statements all sessions have prepared now.</summary>
    public int Prepared => Volatile.Read(ref _prepared);

    /// <summary>Whether the next execution of the statement is to prepare it.</summary>
    /// <param name="prepared">What a session has prepared, and not this.</param>
    /// <param name="statement">May be prepared.</param>
    public bool Pays(PreparedStatements prepared, MySqlStatement statement)
    {
        if ((statement.Uses < minUses && !statement.PaysEarly) || IsPausing())
            return false;
        // What the end of the lease will forget must be used again before.
        if (!prepared.Stay && !statement.IsHinted && prepared.UsesInLease(statement) < (statement.PaysEarly ? 1 : minUses))
            return false;
        return prepared.Count < PerSession ? Prepared < Volatile.Read(ref _most) : prepared.IsOldestStale();
    }

    /// <summary>A session has prepared or given up that many.</summary>
    public void Changed(int difference) => Interlocked.Add(ref _prepared, difference);

    /// <summary>The server refused because it has no room: this data source will take less than it has.</summary>
    public void ServerIsFull()
    {
        Volatile.Write(ref _most, Math.Max(Math.Min(_most, Prepared) * 7 / 8, FewestInAll));
        Volatile.Write(ref _pause, Pause);
    }

    private bool IsPausing() => Volatile.Read(ref _pause) > 0 && Interlocked.Decrement(ref _pause) > 0;
}
