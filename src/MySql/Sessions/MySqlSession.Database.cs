using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Connect;

namespace Slipstream.MySql.Sessions;

/// <content>Which database its commands are for.</content>
internal sealed partial class MySqlSession
{
    // Every server has it, every user may enter it, and nobody can write there.
    private const string NobodysDatabase = "information_schema";

    private string _configuredDatabase;
    private bool _servesManyDatabases;

    /// <summary>True while the lease is for another database than that which the session is in: the move travels with the next command.</summary>
    public bool OwesDatabase { get; private set; }

    private bool TellsDatabase => (State.Capabilities & Capabilities.SessionTrack) != 0;

    /// <summary>The lease that begins is for this database, out of several that share the pool.</summary>
    /// <param name="database">Not empty.</param>
    public void LeaseFor(string database)
    {
        _servesManyDatabases = true;
        _configuredDatabase = database;
        // What was glued by a lease whose command could not be written is still to be sent, and moves the session once more.
        OwesDatabase = !NeedsReset && (State.Database != database || !TellsDatabase || Queue.HasPrefixes);
        if (OwesDatabase)
            NeedsSettings = true;
    }

    // What is prepared is valid under the database only that it was prepared under.
    private void GlueDatabase(bool mayHaveMoved)
    {
        OwesDatabase = false;
        Prepared.ForgetForLease();
        // A server that refuses the database stays where it is, and the command behind may be on its way already: it must not find another customer's tables.
        if ((State.Database != _configuredDatabase && State.Database is not ("" or NobodysDatabase))
            || (_servesManyDatabases && (!TellsDatabase || mayHaveMoved)))
            Queue.Glue(Commands.InitDatabase(State, NobodysDatabase), Wire);
        Queue.Glue(Commands.InitDatabase(State, _configuredDatabase), Wire);
        if (!TellsDatabase)
            State.Database = _configuredDatabase;
    }
}
