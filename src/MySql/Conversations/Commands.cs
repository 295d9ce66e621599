using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Conversations;

/// <summary>Creates the commands that a session needs besides the user's.</summary>
internal static class Commands
{
    // ER_QUERY_INTERRUPTED: a KILL QUERY arrived after its query had ended.
    private const int QueryInterrupted = 1317;

    /// <summary>
    /// Makes OK packets report what a statement changes in the session: whether anything changed (state_change), the transaction's state, and new values of the
    /// variables that the driver must know, even if a procedure sets them. These are how texts are read, the isolation level, and the values that a statement
    /// uses at PREPARE. MariaDB reports every variable. MySQL would then report statement_id after each statement, so it gets a list (checked by
    /// MySqlPreparedSettingsTests). The tracker's own variables are included, so that a statement cannot switch it off unnoticed. sql_mode,
    /// character_set_client and the isolation level, which init_connect may have set, are assigned to themselves, because the server reports only assignments.
    /// </summary>
    private static class TrackerSettings
    {
        private const string TrackedVariables = "autocommit,character_set_client,character_set_connection,character_set_results,collation_connection,"
        + "default_collation_for_utf8mb4,default_week_format,"
            + "div_precision_increment,group_concat_max_len,lc_time_names,session_track_state_change,session_track_system_variables,"
        + "sql_auto_is_null,sql_buffer_result,sql_mode,time_zone,";

        // The tracker's settings have one more word if the driver tracks writes. MariaDB reports last_gtid like every variable.
        private const string Gtids = "session_track_gtids=OWN_GTID,";

        public static readonly byte[] OfMySql = Encode(TrackedVariables + "transaction_isolation", "transaction_isolation");
        public static readonly byte[] OfMySqlWithGtids = Encode(TrackedVariables + "session_track_gtids,transaction_isolation", "transaction_isolation", Gtids);
        public static readonly byte[] OfMariaDb = Encode("*", "transaction_isolation");

        // Before MySQL 5.7.20 and MariaDB 11.1, the variable of the isolation level has its older name.
        public static readonly byte[] OfOlderMySql = Encode(TrackedVariables + "tx_isolation", "tx_isolation");
        public static readonly byte[] OfOlderMariaDb = Encode("*", "tx_isolation");

        private static byte[] Encode(string variables, string level, string more = "") => System.Text.Encoding.UTF8.GetBytes(
            $"SET SESSION {more}session_track_state_change=ON,session_track_transaction_info='STATE',session_track_system_variables='{variables}',"
            + $"sql_mode=@@sql_mode,character_set_client=@@character_set_client,SESSION {level}=@@SESSION.{level}");
    }

    /// <summary>Switches the session tracker on.</summary>
    public static SimpleCommand Tracker(ServerState state)
    {
        const string What = "the session tracker's settings";
        return (state.IsMariaDb, state.NamesTransactionIsolation) switch
        {
            (true, true) => new(state, What, static writer => Query.Write(writer, TrackerSettings.OfMariaDb)) { IsTracker = true },
            (true, false) => new(state, What, static writer => Query.Write(writer, TrackerSettings.OfOlderMariaDb)) { IsTracker = true },
            (false, true) when state.TracksWrites =>
                new(state, What, static writer => Query.Write(writer, TrackerSettings.OfMySqlWithGtids)) { IsTracker = true },
            (false, true) => new(state, What, static writer => Query.Write(writer, TrackerSettings.OfMySql)) { IsTracker = true },
            _ => new(state, What, static writer => Query.Write(writer, TrackerSettings.OfOlderMySql)) { IsTracker = true },
        };
    }

    /// <summary>
    /// Resets LAST_INSERT_ID(), which would return a key of the lease before. It needs no privilege, and the tracker does not report it as a change.
    /// </summary>
    public static SimpleCommand ForgetKey(ServerState state) =>
        new(state, "DO LAST_INSERT_ID(0)", static writer => Query.Write(writer, "DO LAST_INSERT_ID(0)"u8));

    /// <summary>Clears the SHOW WARNINGS list of the lease before. MariaDB clears it for every statement with a derived table.</summary>
    public static SimpleCommand ForgetWarnings(ServerState state) =>
        new(state, "DO (SELECT)", static writer => Query.Write(writer, "DO (SELECT 0 FROM (SELECT 0) AS z)"u8));

    /// <summary>
    /// Queries whether the server accepts packets of <see cref="ServerSendBuffer.TakenFrom"/> bytes: it warns if it does. A DO leaves no result. The statement
    /// after it replaces all that it leaves (the warnings), and FOUND_ROWS() is unchanged.
    /// </summary>
    public static SimpleCommand AsksPacketLimit(ServerState state, Action<int> answered) =>
        new(state, "DO CAST", static writer => Query.Write(writer, PacketLimit)) { Answered = answered };

    private static readonly byte[] PacketLimit =
        System.Text.Encoding.UTF8.GetBytes($"DO CAST(IF(@@max_allowed_packet>={ServerSendBuffer.TakenFrom},'large','0') AS SIGNED)");

    public static SimpleCommand Statement(ServerState? state, string sql) =>
        new(state, sql.Split(' ', 2)[0], writer => Query.Write(writer, System.Text.Encoding.UTF8.GetBytes(sql)));

    /// <summary>Several statements in one text, separated by semicolons. The server answers each with OK or ERR and stops at the first ERR.</summary>
    /// <param name="state">The state that the answers update.</param>
    /// <param name="what">The name in messages.</param>
    /// <param name="sql">The statements.</param>
    public static SimpleCommand Statements(ServerState state, string what, string sql) =>
        new(state, what, writer => Query.Write(writer, System.Text.Encoding.UTF8.GetBytes(sql)));

    public static SimpleCommand Ping(ServerState state) => new(state, "COM_PING", Protocol.Commands.Ping.Write);

    public static SimpleCommand Reset(ServerState state) => new(state, "COM_RESET_CONNECTION", ResetConnection.Write);

    public static SimpleCommand InitDatabase(ServerState state, string database) =>
        new(state, "COM_INIT_DB", writer => Protocol.Commands.InitDatabase.Write(writer, database));

    /// <summary>Queries whether the account's password must be changed first: the server then refuses such a statement.</summary>
    public static SimpleCommand Expiry(ServerState state) =>
        new(state, "DO 0", static writer => Query.Write(writer, "DO 0"u8)) { ToleratedError = ServerState.MustChangePassword };

    /// <summary>Absorbs a late KILL QUERY: the statement that it interrupts does nothing.</summary>
    public static SimpleCommand AbsorbQuery(ServerState state) =>
        new(state, "DO 0", static writer => Query.Write(writer, "DO 0"u8)) { ToleratedError = QueryInterrupted };
}
