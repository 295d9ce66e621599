using Slipstream.Core.Errors;

namespace Slipstream.Architecture.Messages;

/// <summary>
/// The server errors that the drivers distinguish, written a second time from the servers' documents, so that an accidental change of the tables is detected.
/// </summary>
internal static class ServerErrors
{
    /// <summary>Numbers without a name in MySqlErrorCode: of MariaDB, of MySQL 8, and of proxies.</summary>
    public static IEnumerable<int> NumbersWithoutName =>
        Table.Where(row => row.Data.Item1 is var number && !Enum.IsDefined((Slipstream.MySql.MySqlErrorCode)number)).Select(row => row.Data.Item1);

    /// <summary>
    /// MySQL 9.4 "Server Error Message Reference", MariaDB "Error Codes", MySQL "Client Error Message Reference" (2000 to 2061), ProxySQL's mysql_error. Each
    /// row contains a number, what happened according to the document, and whether a new transaction or connection may succeed.
    /// </summary>
    public static TheoryData<int, string, ErrorKind, bool> Table => new()
    {
        { 1205, "HY000", ErrorKind.LockTimeout, true },             // ER_LOCK_WAIT_TIMEOUT
        { 3572, "HY000", ErrorKind.LockTimeout, true },             // ER_LOCK_NOWAIT
        { 1213, "40001", ErrorKind.Deadlock, true },                // ER_LOCK_DEADLOCK
        { 1614, "XA102", ErrorKind.Deadlock, true },                // ER_XA_RBDEADLOCK
        { 3058, "HY000", ErrorKind.Deadlock, true },                // ER_USER_LOCK_DEADLOCK
        { 1020, "HY000", ErrorKind.SerializationFailure, true },    // ER_CHECKREAD, under innodb_snapshot_isolation
        { 3101, "40000", ErrorKind.SerializationFailure, true },    // ER_TRANSACTION_ROLLBACK_DURING_COMMIT
        { 1040, "08004", ErrorKind.TooManyConnections, true },      // ER_CON_COUNT_ERROR
        { 1203, "42000", ErrorKind.TooManyConnections, true },      // ER_TOO_MANY_USER_CONNECTIONS
        { 1226, "42000", ErrorKind.TooManyConnections, true },      // ER_USER_LIMIT_REACHED
        { 1042, "08S01", ErrorKind.ConnectionLost, true },          // ER_BAD_HOST_ERROR
        { 1047, "08S01", ErrorKind.Other, true },                   // ER_UNKNOWN_COM_ERROR, of Galera: the node is not in step
        { 1053, "08S01", ErrorKind.ConnectionLost, true },          // ER_SERVER_SHUTDOWN
        { 1152, "08S01", ErrorKind.ConnectionLost, true },          // ER_ABORTING_CONNECTION
        { 1158, "08S01", ErrorKind.ConnectionLost, true },          // ER_NET_READ_ERROR
        { 1927, "70100", ErrorKind.ConnectionLost, true },          // ER_CONNECTION_KILLED
        { 3168, "HY000", ErrorKind.ConnectionLost, true },          // ER_SERVER_ISNT_AVAILABLE
        { 3169, "HY000", ErrorKind.ConnectionLost, true },          // ER_SESSION_WAS_KILLED
        { 4031, "HY000", ErrorKind.ConnectionLost, true },          // ER_CLIENT_INTERACTION_TIMEOUT
        { 2002, "HY000", ErrorKind.ConnectionLost, true },          // CR_CONNECTION_ERROR
        { 2003, "HY000", ErrorKind.ConnectionLost, true },          // CR_CONN_HOST_ERROR
        { 2006, "HY000", ErrorKind.ConnectionLost, true },          // CR_SERVER_GONE_ERROR
        { 2013, "HY000", ErrorKind.ConnectionLost, true },          // CR_SERVER_LOST
        { 2055, "HY000", ErrorKind.ConnectionLost, true },          // CR_SERVER_LOST_EXTENDED
        { 9001, "HY000", ErrorKind.ConnectionLost, true },          // ProxySQL: Max connect timeout reached
        { 1412, "HY000", ErrorKind.Other, true },                   // ER_TABLE_DEF_CHANGED: "please retry transaction"
        { 1637, "HY000", ErrorKind.ResourceExhausted, true },       // ER_TOO_MANY_CONCURRENT_TRXS
        { 1206, "HY000", ErrorKind.ResourceExhausted, false },      // ER_LOCK_TABLE_FULL
        { 1037, "HY001", ErrorKind.ResourceExhausted, false },      // ER_OUTOFMEMORY
        { 1317, "70100", ErrorKind.Interrupted, false },            // ER_QUERY_INTERRUPTED
        { 1969, "70100", ErrorKind.Interrupted, false },            // ER_STATEMENT_TIMEOUT
        { 3024, "HY000", ErrorKind.Interrupted, false },            // ER_QUERY_TIMEOUT
        { 1290, "HY000", ErrorKind.ReadOnly, false },               // ER_OPTION_PREVENTS_STATEMENT
        { 1792, "25006", ErrorKind.ReadOnly, false },               // ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION
        { 1836, "HY000", ErrorKind.ReadOnly, false },               // ER_READ_ONLY_MODE
        { 1045, "28000", ErrorKind.AuthenticationFailed, false },   // ER_ACCESS_DENIED_ERROR
        { 1698, "28000", ErrorKind.AuthenticationFailed, false },   // ER_ACCESS_DENIED_NO_PASSWORD_ERROR
        { 3118, "HY000", ErrorKind.AuthenticationFailed, false },   // ER_ACCOUNT_HAS_BEEN_LOCKED
        { 4151, "HY000", ErrorKind.AuthenticationFailed, false },   // ER_ACCOUNT_HAS_BEEN_LOCKED, MariaDB
        { 1142, "42000", ErrorKind.AccessDenied, false },           // ER_TABLEACCESS_DENIED_ERROR
        { 3530, "HY000", ErrorKind.AccessDenied, false },           // ER_ROLE_NOT_GRANTED
        { 1049, "42000", ErrorKind.UnknownDatabase, false },        // ER_BAD_DB_ERROR
        { 1064, "42000", ErrorKind.SyntaxError, false },            // ER_PARSE_ERROR
        { 1146, "42S02", ErrorKind.UndefinedObject, false },        // ER_NO_SUCH_TABLE
        { 1062, "23000", ErrorKind.UniqueViolation, false },        // ER_DUP_ENTRY
        { 1452, "23000", ErrorKind.ForeignKeyViolation, false },    // ER_NO_REFERENCED_ROW_2
        { 1048, "23000", ErrorKind.NotNullViolation, false },       // ER_BAD_NULL_ERROR
        { 3819, "HY000", ErrorKind.CheckViolation, false },         // ER_CHECK_CONSTRAINT_VIOLATED
        { 4025, "23000", ErrorKind.CheckViolation, false },         // ER_CONSTRAINT_FAILED
        { 1105, "HY000", ErrorKind.Other, false },                  // ER_UNKNOWN_ERROR
    };

    /// <summary>PostgreSQL 18, appendix A "PostgreSQL Error Codes".</summary>
    public static TheoryData<string, ErrorKind, bool> StateTable => new()
    {
        { "08000", ErrorKind.ConnectionLost, true },        // connection_exception
        { "08003", ErrorKind.ConnectionLost, true },        // connection_does_not_exist
        { "08006", ErrorKind.ConnectionLost, true },        // connection_failure
        { "08P01", ErrorKind.Other, false },                // protocol_violation, if it does not end the session
        { "40001", ErrorKind.SerializationFailure, true },  // serialization_failure
        { "40P01", ErrorKind.Deadlock, true },              // deadlock_detected
        { "55P03", ErrorKind.LockTimeout, true },           // lock_not_available
        { "55006", ErrorKind.Other, true },                 // object_in_use
        { "53000", ErrorKind.ResourceExhausted, true },     // insufficient_resources
        { "53100", ErrorKind.ResourceExhausted, true },     // disk_full
        { "53200", ErrorKind.ResourceExhausted, true },     // out_of_memory
        { "53300", ErrorKind.TooManyConnections, true },    // too_many_connections
        { "57P01", ErrorKind.ConnectionLost, true },        // admin_shutdown
        { "57P02", ErrorKind.ConnectionLost, true },        // crash_shutdown
        { "57P03", ErrorKind.ConnectionLost, true },        // cannot_connect_now
        { "57P05", ErrorKind.ConnectionLost, true },        // idle_session_timeout
        { "25P03", ErrorKind.ConnectionLost, false },       // idle_in_transaction_session_timeout: the same work would be idle for the same time
        { "25P04", ErrorKind.ConnectionLost, false },       // transaction_timeout
        { "58030", ErrorKind.Other, true },                 // io_error
        { "57014", ErrorKind.Interrupted, false },          // query_canceled
        { "25006", ErrorKind.ReadOnly, false },             // read_only_sql_transaction
        { "28P01", ErrorKind.AuthenticationFailed, false }, // invalid_password
        { "28000", ErrorKind.AuthenticationFailed, false }, // invalid_authorization_specification
        { "42501", ErrorKind.AccessDenied, false },         // insufficient_privilege
        { "3D000", ErrorKind.UnknownDatabase, false },      // invalid_catalog_name
        { "42601", ErrorKind.SyntaxError, false },          // syntax_error
        { "42P01", ErrorKind.UndefinedObject, false },      // undefined_table
        { "23505", ErrorKind.UniqueViolation, false },      // unique_violation
        { "23503", ErrorKind.ForeignKeyViolation, false },  // foreign_key_violation
        { "23502", ErrorKind.NotNullViolation, false },     // not_null_violation
        { "23514", ErrorKind.CheckViolation, false },       // check_violation
        { "40003", ErrorKind.Other, false },                // statement_completion_unknown
        { "25P02", ErrorKind.Other, false },                // in_failed_sql_transaction
        { "XX000", ErrorKind.Other, false },                // internal_error
    };

    /// <summary>States and classes that the driver distinguishes, and similar ones that it does not.</summary>
    public static string[] States { get; } =
    [
        "08…", "08000", "08001", "08003", "08004", "08006", "08007", "08P01", "23001", "23502", "23503", "23505", "23514", "25006", "25P03", "25P04", "28000",
        "28P01", "3D000", "3F000", "40001", "40P01",
        "42501", "42601", "42703", "42704", "42883", "42P01", "42P02", "53…", "53000", "53100", "53200", "53300", "53400", "55000", "55006", "55P03", "57014",
        "57P01", "57P02", "57P03", "57P05",
        "58000", "58030",
    ];
}
