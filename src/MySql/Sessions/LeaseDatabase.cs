using Slipstream.Core.Sessions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Sessions;

/// <summary>The database that the commands of a lease use, and the change to it if the session is in another one.</summary>
/// <param name="session">The session that changes its database.</param>
/// <param name="queue">The queue that carries the change before the next command.</param>
/// <param name="database">The database of the connection string; empty for none.</param>
internal sealed class LeaseDatabase(SessionContext session, ConversationQueue queue, string database)
{
    // Every server has this database, every user may enter it, and writes to it are impossible.
    private const string NeutralDatabase = "information_schema";

    private string _database = database;
    private bool _isOneOfMany;

    /// <summary>Gets whether the session is in another database. The change is sent with the next command.</summary>
    public bool HasPendingMove { get; private set; }

    /// <summary>Gets whether the session is in the database of the lease, according to the server's reports.</summary>
    public bool IsSelected => session.State.Database == _database;

    /// <summary>Gets whether the session can return to its initial database after a reset, which keeps the current one.</summary>
    public bool CanBeRestored => IsSelected || _database.Length > 0;

    private bool ReportsDatabase => (session.State.Capabilities & Capabilities.SessionTrack) != 0;

    /// <summary>Sets the database of the lease that begins, if several databases share the pool.</summary>
    /// <param name="database">The database; not empty.</param>
    /// <param name="isReset">True if a reset is pending, which includes the change.</param>
    public void LeaseFor(string database, bool isReset)
    {
        _isOneOfMany = true;
        _database = database;
        // A prefix from a lease whose command could not be written is still unsent and would change the database again.
        HasPendingMove = !isReset && (!IsSelected || !ReportsDatabase || queue.HasPrefixes);
    }

    /// <summary>Prepends the change of the database after a reset, unless the session is known to be there.</summary>
    /// <param name="mayHaveMoved">True if the session may be in another database than the server reported.</param>
    public void Restore(bool mayHaveMoved)
    {
        HasPendingMove = false;
        if (_database.Length > 0 && (!IsSelected || !ReportsDatabase || mayHaveMoved))
            PrependMove(mayHaveMoved);
    }

    /// <summary>Prepends the change if it is pending.</summary>
    public void PrependMove()
    {
        if (HasPendingMove)
            PrependMove(queue.HasPrefixes);
    }

    // Prepared statements are valid only under the database in which they were prepared.
    private void PrependMove(bool mayHaveMoved)
    {
        HasPendingMove = false;
        session.Prepared.ForgetForLease();
        var state = session.State;
        // If the server refuses the database, the session stays in the old one, and the next command may already be sent. It must not use another customer's
        // tables.
        if ((!IsSelected && state.Database is not ("" or NeutralDatabase)) || (_isOneOfMany && (!ReportsDatabase || mayHaveMoved)))
            queue.Prepend(Commands.InitDatabase(state, NeutralDatabase), session.Wire);
        queue.Prepend(Commands.InitDatabase(state, _database), session.Wire);
        if (!ReportsDatabase)
            state.Database = _database;
    }
}
