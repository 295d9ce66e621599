using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Conversations;

/// <summary>Makes the conversations that the session needs besides the user's commands.</summary>
internal static class Commands
{
    // ER_QUERY_INTERRUPTED: a KILL QUERY that came after its query had ended.
    private const int QueryInterrupted = 1317;

    /// <summary>
    /// Lets OK packets tell what a statement changes in the session: that anything did (state_change), the transaction's state, and the new
    /// values of what the driver must know, also where a procedure sets them: how texts are read, the isolation level, and what a statement computes with when
    /// it is prepared. MariaDB tells of every variable; MySQL would tell of statement_id behind each statement then, and gets a list (held by
    /// MySqlPreparedSettingsTests). The tracker's own variables are among them, so that nobody switches it off unnoticed. sql_mode, character_set_client and
    /// the isolation level, which init_connect may have set, are assigned to themselves because only what is assigned is told.
    /// </summary>
    private static class TrackerSettings
    {
        private const string Listed = "autocommit,character_set_client,character_set_connection,character_set_results,collation_connection,default_collation_for_utf8mb4,default_week_format,"
            + "div_precision_increment,group_concat_max_len,lc_time_names,session_track_state_change,session_track_system_variables,sql_auto_is_null,sql_buffer_result,sql_mode,time_zone,";

        public static readonly byte[] OfMySql = Encode(Listed + "transaction_isolation", "transaction_isolation");
        public static readonly byte[] OfMariaDb = Encode("*", "transaction_isolation");

        // Before MySQL 5.7.20 and MariaDB 11.1 the level has its older name.
        public static readonly byte[] OfOlderMySql = Encode(Listed + "tx_isolation", "tx_isolation");
        public static readonly byte[] OfOlderMariaDb = Encode("*", "tx_isolation");

        private static byte[] Encode(string variables, string level) => System.Text.Encoding.UTF8.GetBytes(
            $"SET SESSION session_track_state_change=ON,session_track_transaction_info='STATE',session_track_system_variables='{variables}',sql_mode=@@sql_mode,character_set_client=@@character_set_client,SESSION {level}=@@SESSION.{level}");
    }

    /// <summary>Switches the session tracker on.</summary>
    public static SimpleCommand Tracker(ServerState state)
    {
        const string What = "the session tracker's settings";
        return (state.IsMariaDb, state.NamesTransactionIsolation) switch
        {
            (true, true) => new(state, What, static writer => Query.Write(writer, TrackerSettings.OfMariaDb)) { IsTracker = true },
            (true, false) => new(state, What, static writer => Query.Write(writer, TrackerSettings.OfOlderMariaDb)) { IsTracker = true },
            (false, true) => new(state, What, static writer => Query.Write(writer, TrackerSettings.OfMySql)) { IsTracker = true },
            _ => new(state, What, static writer => Query.Write(writer, TrackerSettings.OfOlderMySql)) { IsTracker = true },
        };
    }

    /// <summary>Undoes what LAST_INSERT_ID() tells of the lease before. Needs no privilege, and is no change that the tracker tells.</summary>
    public static SimpleCommand ForgetKey(ServerState state) =>
        new(state, "DO LAST_INSERT_ID(0)", static writer => Query.Write(writer, "DO LAST_INSERT_ID(0)"u8));

    /// <summary>Undoes what SHOW WARNINGS tells of the lease before. MariaDB clears the list at a statement that has a derived table, whatever it reads.</summary>
    public static SimpleCommand ForgetWarnings(ServerState state) =>
        new(state, "DO (SELECT)", static writer => Query.Write(writer, "DO (SELECT 0 FROM (SELECT 0) AS z)"u8));

    /// <summary>
    /// Asks whether the server takes packets of <see cref="ServerSendBuffer.TakenFrom"/> bytes: it warns if it does. A DO leaves no result, and nothing that
    /// the statement behind it does not replace (the warnings; FOUND_ROWS() stays).
    /// </summary>
    public static SimpleCommand AsksPacketLimit(ServerState state, Action<int> answered) =>
        new(state, "DO CAST", static writer => Query.Write(writer, PacketLimit)) { Answered = answered };

    private static readonly byte[] PacketLimit = System.Text.Encoding.UTF8.GetBytes($"DO CAST(IF(@@max_allowed_packet>={ServerSendBuffer.TakenFrom},'large','0') AS SIGNED)");

    public static SimpleCommand Statement(ServerState? state, string sql) =>
        new(state, sql.Split(' ', 2)[0], writer => Query.Write(writer, System.Text.Encoding.UTF8.GetBytes(sql)));

    /// <summary>Several statements in one text, separated by semicolons, each of which is answered with yes or no; the server stops at the first no.</summary>
    /// <param name="state">Learns from the answers.</param>
    /// <param name="what">For messages.</param>
    /// <param name="sql">The statements.</param>
    public static SimpleCommand Statements(ServerState state, string what, string sql) =>
        new(state, what, writer => Query.Write(writer, System.Text.Encoding.UTF8.GetBytes(sql)));

    public static SimpleCommand Ping(ServerState state) => new(state, "COM_PING", Protocol.Commands.Ping.Write);

    public static SimpleCommand Reset(ServerState state) => new(state, "COM_RESET_CONNECTION", ResetConnection.Write);

    public static SimpleCommand InitDatabase(ServerState state, string database) =>
        new(state, "COM_INIT_DB", writer => Protocol.Commands.InitDatabase.Write(writer, database));

    /// <summary>Asks whether the account's password must be changed first: then the server takes no such statement.</summary>
    public static SimpleCommand Expiry(ServerState state) =>
        new(state, "DO 0", static writer => Query.Write(writer, "DO 0"u8)) { ToleratedError = ServerState.MustChangePassword };

    /// <summary>Absorbs a KILL QUERY that comes late: the statement it hits does nothing.</summary>
    public static SimpleCommand Swallow(ServerState state) =>
        new(state, "DO 0", static writer => Query.Write(writer, "DO 0"u8)) { ToleratedError = QueryInterrupted };
}
