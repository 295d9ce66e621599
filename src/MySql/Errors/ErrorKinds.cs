using Slipstream.Core.Errors;

namespace Slipstream.MySql.Errors;

/// <summary>Maps the server's error numbers to kinds that are the same for every database.</summary>
internal static class ErrorKinds
{
    // Sources: MySQL 9 error reference (server), MariaDB error codes. Numbers above 1800 without a name in MySqlErrorCode are MariaDB's, or newer than the
    // enumeration. Servers sent 3118 (MySQL 9.7) and 4151 (MariaDB 10.11 and 11.8) in tests. 3168 and 3169 are ER_SERVER_ISNT_AVAILABLE and
    // ER_SESSION_WAS_KILLED.
    private const int GroupReplicationRolledBack = 3101;
    private const int CheckConstraintViolated = 3819;
    private const int StatementTimedOutMariaDb = 1969;
    private const int ConnectionKilledMariaDb = 1927;
    private const int ConstraintFailedMariaDb = 4025;
    private const int RoleNotGranted = 3530;
    private const int ColumnReferencedNullMariaDb = 1830;
    private const int ReadOnlyMode = 1836;
    private const int LockNotAvailable = 3572;
    private const int AccountLocked = 3118;
    private const int AccountLockedMariaDb = 4151;
    private const int AccessDeniedNoPassword = 1698;
    private const int ServerNotAvailable = 3168;
    private const int SessionWasKilled = 3169;

    // Error numbers of the C client. Servers do not send them, but proxies do if the server behind them is gone: CR_CONNECTION_ERROR, CR_CONN_HOST_ERROR,
    // CR_SERVER_GONE_ERROR, CR_SERVER_LOST, CR_SERVER_LOST_EXTENDED. 9001 is ProxySQL's own ("Max connect timeout reached while reaching hostgroup").
    private const int ProxyCannotConnect = 2002;
    private const int ProxyCannotConnectToHost = 2003;
    private const int ProxyServerGone = 2006;
    private const int ProxyServerLost = 2013;
    private const int ProxyServerLostExtended = 2055;
    private const int ProxySqlTimeout = 9001;

    /// <summary>
    /// ER_RUN_HOOK_ERROR: the group did not certify a transaction, which was rolled back. The member is leaving it, has lost the others, or KILL QUERY ended
    /// the wait.
    /// </summary>
    public const int HookFailed = 3100;

    /// <summary>Returns the kind of an error.</summary>
    public static ErrorKind Of(int number) => number switch
    {
        (int)MySqlErrorCode.DuplicateKeyEntry or (int)MySqlErrorCode.DuplicateEntryWithKeyName or (int)MySqlErrorCode.DuplicateUnique
            or (int)MySqlErrorCode.DuplicateKey or (int)MySqlErrorCode.DuplicateEntryAutoIncrementCase or (int)MySqlErrorCode.ForeignDuplicateKey =>
                ErrorKind.UniqueViolation,
        (int)MySqlErrorCode.NoReferencedRow or (int)MySqlErrorCode.NoReferencedRow2 or (int)MySqlErrorCode.RowIsReferenced
            or (int)MySqlErrorCode.RowIsReferenced2 => ErrorKind.ForeignKeyViolation,
        (int)MySqlErrorCode.ColumnCannotBeNull or (int)MySqlErrorCode.NoDefaultForField or ColumnReferencedNullMariaDb => ErrorKind.NotNullViolation,
        CheckConstraintViolated or ConstraintFailedMariaDb => ErrorKind.CheckViolation,
        (int)MySqlErrorCode.LockDeadlock or (int)MySqlErrorCode.XARBDeadlock or (int)MySqlErrorCode.UserLockDeadlock => ErrorKind.Deadlock,
        (int)MySqlErrorCode.LockWaitTimeout or (int)MySqlErrorCode.XARBTimeout or LockNotAvailable => ErrorKind.LockTimeout,
        // MariaDB sends 1020 under innodb_snapshot_isolation if the row changed since the snapshot.
        (int)MySqlErrorCode.CheckRead or (int)MySqlErrorCode.XARBRollback or GroupReplicationRolledBack => ErrorKind.SerializationFailure,
        (int)MySqlErrorCode.ParseError or (int)MySqlErrorCode.SyntaxError or (int)MySqlErrorCode.EmptyQuery => ErrorKind.SyntaxError,
        (int)MySqlErrorCode.NoSuchTable or (int)MySqlErrorCode.BadTable or (int)MySqlErrorCode.UnknownTable or (int)MySqlErrorCode.BadFieldError
            or (int)MySqlErrorCode.StoredProcedureDoesNotExist or (int)MySqlErrorCode.FunctionNotDefined or (int)MySqlErrorCode.UnknownSystemVariable
            or (int)MySqlErrorCode.NoSuchIndex or (int)MySqlErrorCode.KeyDoesNotExist => ErrorKind.UndefinedObject,
        (int)MySqlErrorCode.AccessDenied or (int)MySqlErrorCode.NotSupportedAuthMode or (int)MySqlErrorCode.HostNotPrivileged
            or AccessDeniedNoPassword or AccountLocked or AccountLockedMariaDb => ErrorKind.AuthenticationFailed,
        (int)MySqlErrorCode.DatabaseAccessDenied or (int)MySqlErrorCode.TableAccessDenied or (int)MySqlErrorCode.ColumnAccessDenied
            or (int)MySqlErrorCode.SpecifiedAccessDeniedError or (int)MySqlErrorCode.PrecedureAccessDenied or RoleNotGranted => ErrorKind.AccessDenied,
        (int)MySqlErrorCode.UnknownDatabase or (int)MySqlErrorCode.NoSuchDb => ErrorKind.UnknownDatabase,
        (int)MySqlErrorCode.ConnectionCountError or (int)MySqlErrorCode.TooManyUserConnections or (int)MySqlErrorCode.UserLimitReached =>
            ErrorKind.TooManyConnections,
        // Several options of the server cause 1290; the usual one is read_only.
        (int)MySqlErrorCode.CannotExecuteInReadOnlyTransaction or (int)MySqlErrorCode.InnodbReadOnly or ReadOnlyMode
            or (int)MySqlErrorCode.OptionPreventsStatement =>
            ErrorKind.ReadOnly,
        (int)MySqlErrorCode.QueryInterrupted or (int)MySqlErrorCode.QueryTimeout or StatementTimedOutMariaDb => ErrorKind.Interrupted,
        (int)MySqlErrorCode.ServerShutdown or (int)MySqlErrorCode.NormalShutdown or (int)MySqlErrorCode.ShutdownComplete or ConnectionKilledMariaDb
            or (int)MySqlErrorCode.AbortingConnection or (int)MySqlErrorCode.NewAbortingConnection or (int)MySqlErrorCode.NetReadError
            or (int)MySqlErrorCode.NetReadInterrupted or (int)MySqlErrorCode.NetErrorOnWrite or (int)MySqlErrorCode.NetWriteInterrupted
            or (int)MySqlErrorCode.ClientInteractionTimeout or (int)MySqlErrorCode.UnableToConnectToHost
            or ServerNotAvailable or SessionWasKilled
            or ProxyCannotConnect or ProxyCannotConnectToHost or ProxyServerGone or ProxyServerLost or ProxyServerLostExtended or ProxySqlTimeout =>
                ErrorKind.ConnectionLost,
        (int)MySqlErrorCode.OutOfMemory or (int)MySqlErrorCode.OutOfResources or (int)MySqlErrorCode.OutOfSortMemory or (int)MySqlErrorCode.DiskFull
            or (int)MySqlErrorCode.RecordFileFull or (int)MySqlErrorCode.LockTableFull or (int)MySqlErrorCode.TransactionCacheFull
            or (int)MySqlErrorCode.MaxPreparedStatementCountReached or (int)MySqlErrorCode.TooManyConcurrentTransactions => ErrorKind.ResourceExhausted,
        _ => ErrorKind.Other,
    };

    /// <summary>
    /// Returns whether the server rolls back the whole transaction, not only the statement. 1205 (lock wait timeout) does so only under
    /// innodb_rollback_on_timeout, which the error packet does not show.
    /// </summary>
    public static bool EndsTransaction(int number, bool isMariaDb) =>
        number is (int)MySqlErrorCode.LockDeadlock or (int)MySqlErrorCode.LockTableFull
            or (int)MySqlErrorCode.XARBDeadlock or (int)MySqlErrorCode.XARBTimeout or (int)MySqlErrorCode.XARBRollback
        // Under innodb_snapshot_isolation (the default in 11.8), if the row changed since the snapshot.
        || (isMariaDb && number == (int)MySqlErrorCode.CheckRead);

    /// <summary>
    /// Returns whether the error ends a commit whose outcome other members of a cluster decide: they may have received the transaction before this one failed.
    /// Group Replication sends 3101 for a conflict, but also when a member leaves its group.
    /// </summary>
    public static bool LeavesCommitToOthers(int number) =>
        number is (int)MySqlErrorCode.ErrorDuringCommit or HookFailed or GroupReplicationRolledBack;

    /// <summary>Returns whether the server ends the session with the error, and rolls its transaction back: it was killed, or the server is stopping.</summary>
    public static bool IsEndOfSession(int number) => number is (int)MySqlErrorCode.ServerShutdown or ConnectionKilledMariaDb or SessionWasKilled;

    /// <summary>
    /// Returns whether the error undoes its statement only, under all settings. After a lock wait timeout, for instance, the server may have rolled back the
    /// transaction.
    /// </summary>
    public static bool EndsOnlyStatement(int number) => Of(number) is
        ErrorKind.UniqueViolation or ErrorKind.ForeignKeyViolation or ErrorKind.NotNullViolation or ErrorKind.CheckViolation or ErrorKind.SyntaxError
        or ErrorKind.UndefinedObject or ErrorKind.AccessDenied or ErrorKind.ReadOnly;

    /// <summary>Returns whether the server refuses a single statement with this error before it executes any of it.</summary>
    public static bool PrecedesExecution(int number) =>
        Of(number) is ErrorKind.SyntaxError or ErrorKind.UndefinedObject or ErrorKind.AccessDenied or ErrorKind.ReadOnly;

    /// <summary>
    /// Returns whether a Galera node refused a statement, or a step of a function or trigger that it runs, because the node is not synchronised with the others
    /// or is stopping ("WSREP has not yet prepared node for application use"). The same number means an unknown command elsewhere.
    /// </summary>
    public static bool IsUnreadyNode(ServerError error) =>
        error.Number == (int)MySqlErrorCode.UnknownCommand && error.Message.Contains("WSREP", StringComparison.Ordinal);

    /// <summary>
    /// Returns whether a Galera node refused a commit (ER_ERROR_DURING_COMMIT) because the others have removed it: it was paused, or has lost the network.
    /// </summary>
    public static bool IsOutsidePrimaryComponent(ServerError error) =>
        error.Number == (int)MySqlErrorCode.ErrorDuringCommit && error.Message.Contains("Primary Component", StringComparison.OrdinalIgnoreCase);

    /// <summary>Returns whether MySqlConnector treats the error as transient.</summary>
    public static bool IsTransientForMySqlConnector(int number) => (MySqlErrorCode)number is MySqlErrorCode.ConnectionCountError
        or MySqlErrorCode.UnableToConnectToHost or MySqlErrorCode.LockWaitTimeout or MySqlErrorCode.LockDeadlock or MySqlErrorCode.XARBDeadlock;

    /// <summary>Returns whether the same work may succeed if it is repeated in a new transaction or on a new connection.</summary>
    /// <remarks>Includes all numbers that MySqlConnector treats as transient: 1040, 1042, 1205, 1213, 1614.</remarks>
    public static bool IsTransient(int number) => Of(number) is
        ErrorKind.Deadlock or ErrorKind.LockTimeout or ErrorKind.SerializationFailure or ErrorKind.TooManyConnections or ErrorKind.ConnectionLost
        || number is (int)MySqlErrorCode.TooManyConcurrentTransactions or (int)MySqlErrorCode.TableDefinitionChanged
            // A member that leaves its group, or loses the others, rolls back what it is about to commit.
            or HookFailed
            // A Galera node that is not synchronised with the others refuses all commands with it ("WSREP has not yet prepared node for application use").
            or (int)MySqlErrorCode.UnknownCommand;
}
