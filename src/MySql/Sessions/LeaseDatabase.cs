using Slipstream.Core.Sessions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Sessions;

/// <summary>Which database the commands of a lease are for, and how a session that is in another one moves there.</summary>
/// <param name="session">Moves.</param>
/// <param name="queue">Carries the move in front of the next command.</param>
/// <param name="database">As the connection string has it; empty for none.</param>
internal sealed class LeaseDatabase(SessionContext session, ConversationQueue queue, string database)
{
    // Every server has it, every user may enter it, and nobody can write there.
    private const string NobodysDatabase = "information_schema";

    private string _database = database;
    private bool _isOneOfMany;

    /// <summary>True while the session is in another database: the move travels with the next command.</summary>
    public bool HasPendingMove { get; private set; }

    /// <summary>Whether the session is there, as far as the server has said.</summary>
    public bool IsThere => session.State.Database == _database;

    /// <summary>Whether a reset, which keeps the session where it is, can be followed by a move to where it was opened.</summary>
    public bool CanBeRestored => IsThere || _database.Length > 0;

    private bool IsTold => (session.State.Capabilities & Capabilities.SessionTrack) != 0;

    /// <summary>The lease that begins is for this database, out of several that share the pool.</summary>
    /// <param name="database">Not empty.</param>
    /// <param name="isReset">A reset is owed, which brings the move along.</param>
    public void LeaseFor(string database, bool isReset)
    {
        _isOneOfMany = true;
        _database = database;
        // What was glued by a lease whose command could not be written is still to be sent, and moves the session once more.
        HasPendingMove = !isReset && (!IsThere || !IsTold || queue.HasPrefixes);
    }

    /// <summary>Behind a reset: glues the move unless it is known that the session is there.</summary>
    /// <param name="mayHaveMoved">It may be elsewhere than the server has said.</param>
    public void Restore(bool mayHaveMoved)
    {
        HasPendingMove = false;
        if (_database.Length > 0 && (!IsThere || !IsTold || mayHaveMoved))
            PrependMove(mayHaveMoved);
    }

    /// <summary>Glues the move if it is owed.</summary>
    public void PrependMove()
    {
        if (HasPendingMove)
            PrependMove(queue.HasPrefixes);
    }

    // What is prepared is valid under the database only that it was prepared under.
    private void PrependMove(bool mayHaveMoved)
    {
        HasPendingMove = false;
        session.Prepared.ForgetForLease();
        var state = session.State;
        // A server that refuses the database stays where it is, and the command behind may be on its way already: it must not find another customer's tables.
        if ((!IsThere && state.Database is not ("" or NobodysDatabase)) || (_isOneOfMany && (!IsTold || mayHaveMoved)))
            queue.Prepend(Commands.InitDatabase(state, NobodysDatabase), session.Wire);
        queue.Prepend(Commands.InitDatabase(state, _database), session.Wire);
        if (!IsTold)
            state.Database = _database;
    }
}
