using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol.Commands;

namespace Slipstream.MySql.Conversations;

/// <summary>Makes the conversations that the session needs besides the user's commands.</summary>
internal static class Commands
{
    // ER_QUERY_INTERRUPTED: a KILL QUERY that came after its query had ended.
    private const int QueryInterrupted = 1317;

    /// <summary>
    /// Lets OK packets tell what a statement changes in the session: that anything did (state_change), the transaction's state, and the new
    /// values of what the driver must know. Its own variables are among them, so that nobody switches it off unnoticed. sql_mode, character_set_client and
    /// the isolation level, which init_connect may have set, are assigned to themselves because only what is assigned is told.
    /// </summary>
    private static ReadOnlySpan<byte> TrackerSettings =>
        """
        SET SESSION session_track_state_change=ON,session_track_transaction_info='STATE',session_track_system_variables='autocommit,character_set_client,character_set_connection,character_set_results,collation_connection,session_track_state_change,session_track_system_variables,sql_mode,time_zone,transaction_isolation',sql_mode=@@sql_mode,character_set_client=@@character_set_client,SESSION transaction_isolation=@@SESSION.transaction_isolation
        """u8;

    // Before MySQL 5.7.20 and MariaDB 11.1 the level has its older name.
    private static ReadOnlySpan<byte> OlderTrackerSettings =>
        """
        SET SESSION session_track_state_change=ON,session_track_transaction_info='STATE',session_track_system_variables='autocommit,character_set_client,character_set_connection,character_set_results,collation_connection,session_track_state_change,session_track_system_variables,sql_mode,time_zone,tx_isolation',sql_mode=@@sql_mode,character_set_client=@@character_set_client,SESSION tx_isolation=@@SESSION.tx_isolation
        """u8;

    /// <summary>Switches the session tracker on.</summary>
    public static SimpleCommand Tracker(MySqlSession session) =>
        session.NamesTransactionIsolation
            ? new(session, "the session tracker's settings", static writer => Query.Write(writer, TrackerSettings)) { IsTracker = true }
            : new(session, "the session tracker's settings", static writer => Query.Write(writer, OlderTrackerSettings)) { IsTracker = true };

    /// <summary>Undoes what LAST_INSERT_ID() tells of the lease before. Needs no privilege, and is no change that the tracker tells.</summary>
    public static SimpleCommand ForgetKey(MySqlSession session) =>
        new(session, "DO LAST_INSERT_ID(0)", static writer => Query.Write(writer, "DO LAST_INSERT_ID(0)"u8));

    public static SimpleCommand Statement(MySqlSession? session, string sql) =>
        new(session, sql.Split(' ', 2)[0], writer => Query.Write(writer, System.Text.Encoding.UTF8.GetBytes(sql)));

    /// <summary>Several statements in one text, separated by semicolons, each of which is answered with yes or no; the server stops at the first no.</summary>
    /// <param name="session">Learns from the answers.</param>
    /// <param name="what">For messages.</param>
    /// <param name="sql">The statements.</param>
    public static SimpleCommand Statements(MySqlSession session, string what, string sql) => new(session, what, writer => Query.Write(writer, System.Text.Encoding.UTF8.GetBytes(sql)));

    public static SimpleCommand Ping(MySqlSession session) => new(session, "COM_PING", Protocol.Commands.Ping.Write);

    public static SimpleCommand Reset(MySqlSession session) => new(session, "COM_RESET_CONNECTION", ResetConnection.Write);

    public static SimpleCommand InitDatabase(MySqlSession session, string database) =>
        new(session, "COM_INIT_DB", writer => Protocol.Commands.InitDatabase.Write(writer, database));

    /// <summary>Asks whether the account's password must be changed first: then the server takes no such statement.</summary>
    public static SimpleCommand Expiry(MySqlSession session) =>
        new(session, "DO 0", static writer => Query.Write(writer, "DO 0"u8)) { ToleratedError = MySqlSession.MustChangePassword };

    /// <summary>Absorbs a KILL QUERY that comes late: the statement it hits does nothing.</summary>
    public static Alone Swallow(MySqlSession session) =>
        new(new SimpleCommand(session, "DO 0", static writer => Query.Write(writer, "DO 0"u8)) { ToleratedError = QueryInterrupted });
}
