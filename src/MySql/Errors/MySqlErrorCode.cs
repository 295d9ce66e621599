namespace Slipstream.MySql;

/// <summary>
/// Error numbers. Positive numbers are the server's (source: the MySQL and MariaDB error references); negative numbers are this client's. A server may send
/// numbers that have no name here: compare <see cref="MySqlException.Number"/> with them.
/// </summary>
/// <remarks>Applications written for MySqlConnector compile against the names, including misspelled ones.</remarks>
#pragma warning disable CA1069 // Two names for one number: the older, misspelt one is obsolete.
public enum MySqlErrorCode
{
    /// <summary>The application's password callback threw an exception.</summary>
    ProvidePasswordCallbackFailed = -4,
    /// <summary>DELIMITER is a command of command-line clients, which the server does not support.</summary>
    DelimiterNotSupported = -3,
    /// <summary>A bulk copy stored fewer rows than it sent.</summary>
    BulkCopyFailed = -2,
    /// <summary>The command timed out.</summary>
    CommandTimeoutExpired = -1,
    /// <summary>No error number: the cause is the client or the network.</summary>
    None = 0,
    /// <summary>Error 1000 (ER_HASHCHK): historic, not sent today.</summary>
    HashCheck = 1000,
    /// <summary>Error 1001 (ER_NISAMCHK): historic, not sent today.</summary>
    ISAMCheck = 1001,
    /// <summary>Error 1002 (ER_NO): the word NO of other messages.</summary>
    No = 1002,
    /// <summary>Error 1003 (ER_YES): the word YES of other messages.</summary>
    Yes = 1003,
    /// <summary>Error 1004 (ER_CANT_CREATE_FILE).</summary>
    CannotCreateFile = 1004,
    /// <summary>Error 1005 (ER_CANT_CREATE_TABLE).</summary>
    CannotCreateTable = 1005,
    /// <summary>Error 1006 (ER_CANT_CREATE_DB).</summary>
    CannotCreateDatabase = 1006,
    /// <summary>Error 1007 (ER_DB_CREATE_EXISTS): the database already exists.</summary>
    DatabaseCreateExists = 1007,
    /// <summary>Error 1008 (ER_DB_DROP_EXISTS): there is no database with this name to drop.</summary>
    DatabaseDropExists = 1008,
    /// <summary>Error 1009 (ER_DB_DROP_DELETE).</summary>
    DatabaseDropDelete = 1009,
    /// <summary>Error 1010 (ER_DB_DROP_RMDIR).</summary>
    DatabaseDropRemoveDir = 1010,
    /// <summary>Error 1011 (ER_CANT_DELETE_FILE).</summary>
    CannotDeleteFile = 1011,
    /// <summary>Error 1012 (ER_CANT_FIND_SYSTEM_REC).</summary>
    CannotFindSystemRecord = 1012,
    /// <summary>Error 1013 (ER_CANT_GET_STAT).</summary>
    CannotGetStatus = 1013,
    /// <summary>Error 1014 (ER_CANT_GET_WD).</summary>
    CannotGetWorkingDirectory = 1014,
    /// <summary>Error 1015 (ER_CANT_LOCK).</summary>
    CannotLock = 1015,
    /// <summary>Error 1016 (ER_CANT_OPEN_FILE).</summary>
    CannotOpenFile = 1016,
    /// <summary>Error 1017 (ER_FILE_NOT_FOUND).</summary>
    FileNotFound = 1017,
    /// <summary>Error 1018 (ER_CANT_READ_DIR).</summary>
    CannotReadDirectory = 1018,
    /// <summary>Error 1019 (ER_CANT_SET_WD).</summary>
    CannotSetWorkingDirectory = 1019,
    /// <summary>Error 1020 (ER_CHECKREAD): the row was changed after it was read.</summary>
    CheckRead = 1020,
    /// <summary>Error 1021 (ER_DISK_FULL): the disk is full; the server waits for free space.</summary>
    DiskFull = 1021,
    /// <summary>Error 1022 (ER_DUP_KEY, SQLSTATE 23000): a key occurs twice; the table does not report which one.</summary>
    DuplicateKey = 1022,
    /// <summary>Error 1023 (ER_ERROR_ON_CLOSE).</summary>
    ErrorOnClose = 1023,
    /// <summary>Error 1024 (ER_ERROR_ON_READ).</summary>
    ErrorOnRead = 1024,
    /// <summary>Error 1025 (ER_ERROR_ON_RENAME).</summary>
    ErrorOnRename = 1025,
    /// <summary>Error 1026 (ER_ERROR_ON_WRITE).</summary>
    ErrorOnWrite = 1026,
    /// <summary>Error 1027 (ER_FILE_USED): a lock on a file prevents the change.</summary>
    FileUsed = 1027,
    /// <summary>Error 1028 (ER_FILSORT_ABORT): a sort was aborted, mostly because the query was killed.</summary>
    FileSortAborted = 1028,
    /// <summary>Error 1029 (ER_FORM_NOT_FOUND).</summary>
    FormNotFound = 1029,
    /// <summary>Error 1030 (ER_GET_ERRNO): the storage engine failed; its own number is in the message.</summary>
    GetErrorNumber = 1030,
    /// <summary>Error 1031 (ER_ILLEGAL_HA): the storage engine cannot do this.</summary>
    IllegalHA = 1031,
    /// <summary>Error 1032 (ER_KEY_NOT_FOUND): the row does not exist.</summary>
    KeyNotFound = 1032,
    /// <summary>Error 1033 (ER_NOT_FORM_FILE).</summary>
    NotFormFile = 1033,
    /// <summary>Error 1034 (ER_NOT_KEYFILE): an index file is damaged: REPAIR TABLE.</summary>
    NotKeyFile = 1034,
    /// <summary>Error 1035 (ER_OLD_KEYFILE).</summary>
    OldKeyFile = 1035,
    /// <summary>Error 1036 (ER_OPEN_AS_READONLY): the table can only be read.</summary>
    OpenAsReadOnly = 1036,
    /// <summary>Error 1037 (ER_OUTOFMEMORY, SQLSTATE HY001): the server is out of memory.</summary>
    OutOfMemory = 1037,
    /// <summary>Error 1038 (ER_OUT_OF_SORTMEMORY, SQLSTATE HY001): sort_buffer_size is too small for one row.</summary>
    OutOfSortMemory = 1038,
    /// <summary>Error 1039 (ER_UNEXPECTED_EOF).</summary>
    UnexepectedEOF = 1039,
    /// <summary>Error 1040 (ER_CON_COUNT_ERROR, SQLSTATE 08004): the server has max_connections connections.</summary>
    ConnectionCountError = 1040,
    /// <summary>Error 1041 (ER_OUT_OF_RESOURCES): the server is out of memory.</summary>
    OutOfResources = 1041,
    /// <summary>Error 1042 (ER_BAD_HOST_ERROR, SQLSTATE 08S01): the server does not know the client's host, or cannot be reached.</summary>
    UnableToConnectToHost = 1042,
    /// <summary>Error 1043 (ER_HANDSHAKE_ERROR, SQLSTATE 08S01): the server could not read the login.</summary>
    HandshakeError = 1043,
    /// <summary>Error 1044 (ER_DBACCESS_DENIED_ERROR, SQLSTATE 42000): the user is not allowed to use the database.</summary>
    DatabaseAccessDenied = 1044,
    /// <summary>Error 1045 (ER_ACCESS_DENIED_ERROR, SQLSTATE 28000): the server refused the user, the password or the host.</summary>
    AccessDenied = 1045,
    /// <summary>Error 1046 (ER_NO_DB_ERROR, SQLSTATE 3D000): no database is selected, and the name does not contain one.</summary>
    NoDatabaseSelected = 1046,
    /// <summary>Error 1047 (ER_UNKNOWN_COM_ERROR, SQLSTATE 08S01): the server does not support the command of the protocol.</summary>
    UnknownCommand = 1047,
    /// <summary>Error 1048 (ER_BAD_NULL_ERROR, SQLSTATE 23000): the column does not allow NULL.</summary>
    ColumnCannotBeNull = 1048,
    /// <summary>Error 1049 (ER_BAD_DB_ERROR, SQLSTATE 42000): there is no such database.</summary>
    UnknownDatabase = 1049,
    /// <summary>Error 1050 (ER_TABLE_EXISTS_ERROR, SQLSTATE 42S01): the table already exists.</summary>
    TableExists = 1050,
    /// <summary>Error 1051 (ER_BAD_TABLE_ERROR, SQLSTATE 42S02): there is no such table to drop.</summary>
    BadTable = 1051,
    /// <summary>Error 1052 (ER_NON_UNIQ_ERROR, SQLSTATE 23000): the name is ambiguous: it matches several columns.</summary>
    NonUnique = 1052,
    /// <summary>Error 1053 (ER_SERVER_SHUTDOWN, SQLSTATE 08S01): the server is shutting down.</summary>
    ServerShutdown = 1053,
    /// <summary>Error 1054 (ER_BAD_FIELD_ERROR, SQLSTATE 42S22): there is no such column.</summary>
    BadFieldError = 1054,
    /// <summary>Error 1055 (ER_WRONG_FIELD_WITH_GROUP, SQLSTATE 42000): a column is neither grouped by nor aggregated.</summary>
    WrongFieldWithGroup = 1055,
    /// <summary>Error 1056 (ER_WRONG_GROUP_FIELD, SQLSTATE 42000): the query cannot be grouped by this expression.</summary>
    WrongGroupField = 1056,
    /// <summary>Error 1057 (ER_WRONG_SUM_SELECT, SQLSTATE 42000): aggregates and columns cannot be combined this way.</summary>
    WrongSumSelected = 1057,
    /// <summary>Error 1058 (ER_WRONG_VALUE_COUNT, SQLSTATE 21S01): the numbers of columns and values differ.</summary>
    WrongValueCount = 1058,
    /// <summary>Error 1059 (ER_TOO_LONG_IDENT, SQLSTATE 42000): a name has more than 64 characters.</summary>
    TooLongIdentifier = 1059,
    /// <summary>Error 1060 (ER_DUP_FIELDNAME, SQLSTATE 42S21): a column name occurs twice.</summary>
    DuplicateFieldName = 1060,
    /// <summary>Error 1061 (ER_DUP_KEYNAME, SQLSTATE 42000): an index name occurs twice.</summary>
    DuplicateKeyName = 1061,
    /// <summary>Error 1062 (ER_DUP_ENTRY, SQLSTATE 23000): a row with this key exists.</summary>
    DuplicateKeyEntry = 1062,
    /// <summary>Error 1063 (ER_WRONG_FIELD_SPEC, SQLSTATE 42000): these properties of a column cannot be combined.</summary>
    WrongFieldSpecifier = 1063,
    /// <summary>Error 1064 (ER_PARSE_ERROR, SQLSTATE 42000): the text is not SQL that this server understands.</summary>
    ParseError = 1064,
    /// <summary>Error 1065 (ER_EMPTY_QUERY, SQLSTATE 42000): the text is empty.</summary>
    EmptyQuery = 1065,
    /// <summary>Error 1066 (ER_NONUNIQ_TABLE, SQLSTATE 42000): a table or alias occurs twice.</summary>
    NonUniqueTable = 1066,
    /// <summary>Error 1067 (ER_INVALID_DEFAULT, SQLSTATE 42000): the default is not valid for the column.</summary>
    InvalidDefault = 1067,
    /// <summary>Error 1068 (ER_MULTIPLE_PRI_KEY, SQLSTATE 42000): a table can have only one primary key.</summary>
    MultiplePrimaryKey = 1068,
    /// <summary>Error 1069 (ER_TOO_MANY_KEYS, SQLSTATE 42000): too many indexes.</summary>
    TooManyKeys = 1069,
    /// <summary>Error 1070 (ER_TOO_MANY_KEY_PARTS, SQLSTATE 42000): an index has too many columns.</summary>
    TooManyKeysParts = 1070,
    /// <summary>Error 1071 (ER_TOO_LONG_KEY, SQLSTATE 42000): the index entry is too long.</summary>
    TooLongKey = 1071,
    /// <summary>Error 1072 (ER_KEY_COLUMN_DOES_NOT_EXIST, SQLSTATE 42000): the index names a column that does not exist.</summary>
    KeyColumnDoesNotExist = 1072,
    /// <summary>Error 1073 (ER_BLOB_USED_AS_KEY, SQLSTATE 42000): this column type cannot be indexed like this.</summary>
    BlobUsedAsKey = 1073,
    /// <summary>Error 1074 (ER_TOO_BIG_FIELDLENGTH, SQLSTATE 42000): the column is too long: use BLOB or TEXT.</summary>
    TooBigFieldLength = 1074,
    /// <summary>Error 1075 (ER_WRONG_AUTO_KEY, SQLSTATE 42000): a table can have only one AUTO_INCREMENT column, and it must be indexed.</summary>
    WrongAutoKey = 1075,
    /// <summary>Error 1076 (ER_READY).</summary>
    Ready = 1076,
    /// <summary>Error 1077 (ER_NORMAL_SHUTDOWN).</summary>
    NormalShutdown = 1077,
    /// <summary>Error 1078 (ER_GOT_SIGNAL).</summary>
    GotSignal = 1078,
    /// <summary>Error 1079 (ER_SHUTDOWN_COMPLETE).</summary>
    ShutdownComplete = 1079,
    /// <summary>Error 1080 (ER_FORCING_CLOSE, SQLSTATE 08S01): the server closes a connection that did not end by itself.</summary>
    ForcingClose = 1080,
    /// <summary>Error 1081 (ER_IPSOCK_ERROR, SQLSTATE 08S01).</summary>
    IPSocketError = 1081,
    /// <summary>Error 1082 (ER_NO_SUCH_INDEX, SQLSTATE 42S12).</summary>
    NoSuchIndex = 1082,
    /// <summary>Error 1083 (ER_WRONG_FIELD_TERMINATORS, SQLSTATE 42000).</summary>
    WrongFieldTerminators = 1083,
    /// <summary>Error 1084 (ER_BLOBS_AND_NO_TERMINATED, SQLSTATE 42000).</summary>
    BlobsAndNoTerminated = 1084,
    /// <summary>Error 1085 (ER_TEXTFILE_NOT_READABLE).</summary>
    TextFileNotReadable = 1085,
    /// <summary>Error 1086 (ER_FILE_EXISTS_ERROR).</summary>
    FileExists = 1086,
    /// <summary>Error 1087 (ER_LOAD_INFO).</summary>
    LoadInfo = 1087,
    /// <summary>Error 1088 (ER_ALTER_INFO).</summary>
    AlterInfo = 1088,
    /// <summary>Error 1089 (ER_WRONG_SUB_KEY).</summary>
    WrongSubKey = 1089,
    /// <summary>Error 1090 (ER_CANT_REMOVE_ALL_FIELDS, SQLSTATE 42000): a table must have at least one column.</summary>
    CannotRemoveAllFields = 1090,
    /// <summary>Error 1091 (ER_CANT_DROP_FIELD_OR_KEY, SQLSTATE 42000): there is no such column or index to drop.</summary>
    CannotDropFieldOrKey = 1091,
    /// <summary>Error 1092 (ER_INSERT_INFO).</summary>
    InsertInfo = 1092,
    /// <summary>Error 1093 (ER_UPDATE_TABLE_USED): the statement reads the table that it changes.</summary>
    UpdateTableUsed = 1093,
    /// <summary>Error 1094 (ER_NO_SUCH_THREAD): there is no such connection to kill.</summary>
    NoSuchThread = 1094,
    /// <summary>Error 1095 (ER_KILL_DENIED_ERROR): the connection belongs to another user.</summary>
    KillDenied = 1095,
    /// <summary>Error 1096 (ER_NO_TABLES_USED): the query needs a table.</summary>
    NoTablesUsed = 1096,
    /// <summary>Error 1097 (ER_TOO_BIG_SET).</summary>
    TooBigSet = 1097,
    /// <summary>Error 1098 (ER_NO_UNIQUE_LOGFILE).</summary>
    NoUniqueLogFile = 1098,
    /// <summary>Error 1099 (ER_TABLE_NOT_LOCKED_FOR_WRITE): the table is locked for reading only.</summary>
    TableNotLockedForWrite = 1099,
    /// <summary>Error 1100 (ER_TABLE_NOT_LOCKED): LOCK TABLES does not hold this table.</summary>
    TableNotLocked = 1100,
    /// <summary>Error 1101 (ER_BLOB_CANT_HAVE_DEFAULT, SQLSTATE 42000).</summary>
    BlobCannotHaveDefault = 1101,
    /// <summary>Error 1102 (ER_WRONG_DB_NAME, SQLSTATE 42000): the text is not a valid database name.</summary>
    WrongDatabaseName = 1102,
    /// <summary>Error 1103 (ER_WRONG_TABLE_NAME, SQLSTATE 42000): the text is not a valid table name.</summary>
    WrongTableName = 1103,
    /// <summary>Error 1104 (ER_TOO_BIG_SELECT, SQLSTATE 42000): the statement would examine more than MAX_JOIN_SIZE rows.</summary>
    TooBigSelect = 1104,
    /// <summary>Error 1105 (ER_UNKNOWN_ERROR): unspecified: the message has the details.</summary>
    UnknownError = 1105,
    /// <summary>Error 1106 (ER_UNKNOWN_PROCEDURE, SQLSTATE 42000).</summary>
    UnknownProcedure = 1106,
    /// <summary>Error 1107 (ER_WRONG_PARAMCOUNT_TO_PROCEDURE, SQLSTATE 42000).</summary>
    WrongParameterCountToProcedure = 1107,
    /// <summary>Error 1108 (ER_WRONG_PARAMETERS_TO_PROCEDURE).</summary>
    WrongParametersToProcedure = 1108,
    /// <summary>Error 1109 (ER_UNKNOWN_TABLE, SQLSTATE 42S02): there is no such table in this place.</summary>
    UnknownTable = 1109,
    /// <summary>Error 1110 (ER_FIELD_SPECIFIED_TWICE, SQLSTATE 42000): the statement lists a column twice.</summary>
    FieldSpecifiedTwice = 1110,
    /// <summary>Error 1111 (ER_INVALID_GROUP_FUNC_USE): an aggregate is not allowed here.</summary>
    InvalidGroupFunctionUse = 1111,
    /// <summary>Error 1112 (ER_UNSUPPORTED_EXTENSION, SQLSTATE 42000).</summary>
    UnsupportedExtenstion = 1112,
    /// <summary>Error 1113 (ER_TABLE_MUST_HAVE_COLUMNS, SQLSTATE 42000).</summary>
    TableMustHaveColumns = 1113,
    /// <summary>Error 1114 (ER_RECORD_FILE_FULL): the table is full.</summary>
    RecordFileFull = 1114,
    /// <summary>Error 1115 (ER_UNKNOWN_CHARACTER_SET, SQLSTATE 42000): there is no such character set.</summary>
    UnknownCharacterSet = 1115,
    /// <summary>Error 1116 (ER_TOO_MANY_TABLES): too many tables in one join.</summary>
    TooManyTables = 1116,
    /// <summary>Error 1117 (ER_TOO_MANY_FIELDS): too many columns.</summary>
    TooManyFields = 1117,
    /// <summary>Error 1118 (ER_TOO_BIG_ROWSIZE, SQLSTATE 42000): the row is too long: use BLOB or TEXT.</summary>
    TooBigRowSize = 1118,
    /// <summary>Error 1119 (ER_STACK_OVERRUN): thread_stack is used up.</summary>
    StackOverrun = 1119,
    /// <summary>Error 1120 (ER_WRONG_OUTER_JOIN, SQLSTATE 42000).</summary>
    WrongOuterJoin = 1120,
    /// <summary>Error 1121 (ER_NULL_COLUMN_IN_INDEX, SQLSTATE 42000).</summary>
    NullColumnInIndex = 1121,
    /// <summary>Error 1122 (ER_CANT_FIND_UDF).</summary>
    CannotFindUDF = 1122,
    /// <summary>Error 1123 (ER_CANT_INITIALIZE_UDF).</summary>
    CannotInitializeUDF = 1123,
    /// <summary>Error 1124 (ER_UDF_NO_PATHS).</summary>
    UDFNoPaths = 1124,
    /// <summary>Error 1125 (ER_UDF_EXISTS).</summary>
    UDFExists = 1125,
    /// <summary>Error 1126 (ER_CANT_OPEN_LIBRARY).</summary>
    CannotOpenLibrary = 1126,
    /// <summary>Error 1127 (ER_CANT_FIND_DL_ENTRY).</summary>
    CannotFindDLEntry = 1127,
    /// <summary>Error 1128 (ER_FUNCTION_NOT_DEFINED).</summary>
    FunctionNotDefined = 1128,
    /// <summary>Error 1129 (ER_HOST_IS_BLOCKED): too many interrupted connection attempts from this host: use FLUSH HOSTS.</summary>
    HostIsBlocked = 1129,
    /// <summary>Error 1130 (ER_HOST_NOT_PRIVILEGED): no account is allowed to connect from this host.</summary>
    HostNotPrivileged = 1130,
    /// <summary>Error 1131 (ER_PASSWORD_ANONYMOUS_USER, SQLSTATE 42000).</summary>
    AnonymousUser = 1131,
    /// <summary>Error 1132 (ER_PASSWORD_NOT_ALLOWED, SQLSTATE 42000): the user does not have the privilege to change passwords.</summary>
    PasswordNotAllowed = 1132,
    /// <summary>Error 1133 (ER_PASSWORD_NO_MATCH, SQLSTATE 28000): there is no such account.</summary>
    PasswordNoMatch = 1133,
    /// <summary>Error 1134 (ER_UPDATE_INFO).</summary>
    UpdateInfo = 1134,
    /// <summary>Error 1135 (ER_CANT_CREATE_THREAD).</summary>
    CannotCreateThread = 1135,
    /// <summary>Error 1136 (ER_WRONG_VALUE_COUNT_ON_ROW, SQLSTATE 21S01): the numbers of columns and values differ; the message has the row.</summary>
    WrongValueCountOnRow = 1136,
    /// <summary>Error 1137 (ER_CANT_REOPEN_TABLE): a temporary table is used twice in one query (MySQL before 8.0).</summary>
    CannotReopenTable = 1137,
    /// <summary>Error 1138 (ER_INVALID_USE_OF_NULL, SQLSTATE 22004): NULL is not allowed here.</summary>
    InvalidUseOfNull = 1138,
    /// <summary>Error 1139 (ER_REGEXP_ERROR, SQLSTATE 42000): the regular expression is not valid.</summary>
    RegExpError = 1139,
    /// <summary>Error 1140 (ER_MIX_OF_GROUP_FUNC_AND_FIELDS, SQLSTATE 42000): aggregates and columns are combined without GROUP BY.</summary>
    MixOfGroupFunctionAndFields = 1140,
    /// <summary>Error 1141 (ER_NONEXISTING_GRANT, SQLSTATE 42000): the user does not have this grant.</summary>
    NonExistingGrant = 1141,
    /// <summary>Error 1142 (ER_TABLEACCESS_DENIED_ERROR, SQLSTATE 42000): the user is not allowed to do this with the table.</summary>
    TableAccessDenied = 1142,
    /// <summary>Error 1143 (ER_COLUMNACCESS_DENIED_ERROR, SQLSTATE 42000): the user is not allowed to do this with the column.</summary>
    ColumnAccessDenied = 1143,
    /// <summary>Error 1144 (ER_ILLEGAL_GRANT_FOR_TABLE, SQLSTATE 42000).</summary>
    IllegalGrantForTable = 1144,
    /// <summary>Error 1145 (ER_GRANT_WRONG_HOST_OR_USER, SQLSTATE 42000).</summary>
    GrantWrongHostOrUser = 1145,
    /// <summary>Error 1146 (ER_NO_SUCH_TABLE, SQLSTATE 42S02): there is no such table.</summary>
    NoSuchTable = 1146,
    /// <summary>Error 1147 (ER_NONEXISTING_TABLE_GRANT, SQLSTATE 42000).</summary>
    NonExistingTableGrant = 1147,
    /// <summary>Error 1148 (ER_NOT_ALLOWED_COMMAND, SQLSTATE 42000): the server does not allow the command, such as LOAD DATA LOCAL.</summary>
    NotAllowedCommand = 1148,
    /// <summary>Error 1149 (ER_SYNTAX_ERROR, SQLSTATE 42000): the text is not SQL that this server understands.</summary>
    SyntaxError = 1149,
    /// <summary>Error 1150 (ER_DELAYED_CANT_CHANGE_LOCK).</summary>
    DelayedCannotChangeLock = 1150,
    /// <summary>Error 1151 (ER_TOO_MANY_DELAYED_THREADS).</summary>
    TooManyDelayedThreads = 1151,
    /// <summary>Error 1152 (ER_ABORTING_CONNECTION, SQLSTATE 08S01): the server aborted the connection.</summary>
    AbortingConnection = 1152,
    /// <summary>Error 1153 (ER_NET_PACKET_TOO_LARGE, SQLSTATE 08S01): a packet is larger than max_allowed_packet.</summary>
    PacketTooLarge = 1153,
    /// <summary>Error 1154 (ER_NET_READ_ERROR_FROM_PIPE, SQLSTATE 08S01).</summary>
    NetReadErrorFromPipe = 1154,
    /// <summary>Error 1155 (ER_NET_FCNTL_ERROR, SQLSTATE 08S01).</summary>
    NetFCntlError = 1155,
    /// <summary>Error 1156 (ER_NET_PACKETS_OUT_OF_ORDER, SQLSTATE 08S01): the numbers of the packets are not in order.</summary>
    NetPacketsOutOfOrder = 1156,
    /// <summary>Error 1157 (ER_NET_UNCOMPRESS_ERROR, SQLSTATE 08S01).</summary>
    NetUncompressError = 1157,
    /// <summary>Error 1158 (ER_NET_READ_ERROR, SQLSTATE 08S01): reading from the client failed.</summary>
    NetReadError = 1158,
    /// <summary>Error 1159 (ER_NET_READ_INTERRUPTED, SQLSTATE 08S01): the client sent nothing for longer than net_read_timeout.</summary>
    NetReadInterrupted = 1159,
    /// <summary>Error 1160 (ER_NET_ERROR_ON_WRITE, SQLSTATE 08S01): writing to the client failed.</summary>
    NetErrorOnWrite = 1160,
    /// <summary>Error 1161 (ER_NET_WRITE_INTERRUPTED, SQLSTATE 08S01): the client did not read for longer than net_write_timeout.</summary>
    NetWriteInterrupted = 1161,
    /// <summary>Error 1162 (ER_TOO_LONG_STRING, SQLSTATE 42000).</summary>
    TooLongString = 1162,
    /// <summary>Error 1163 (ER_TABLE_CANT_HANDLE_BLOB, SQLSTATE 42000).</summary>
    TableCannotHandleBlob = 1163,
    /// <summary>Error 1164 (ER_TABLE_CANT_HANDLE_AUTO_INCREMENT, SQLSTATE 42000).</summary>
    TableCannotHandleAutoIncrement = 1164,
    /// <summary>Error 1165 (ER_DELAYED_INSERT_TABLE_LOCKED).</summary>
    DelayedInsertTableLocked = 1165,
    /// <summary>Error 1166 (ER_WRONG_COLUMN_NAME, SQLSTATE 42000).</summary>
    WrongColumnName = 1166,
    /// <summary>Error 1167 (ER_WRONG_KEY_COLUMN, SQLSTATE 42000).</summary>
    WrongKeyColumn = 1167,
    /// <summary>Error 1168 (ER_WRONG_MRG_TABLE).</summary>
    WrongMergeTable = 1168,
    /// <summary>Error 1169 (ER_DUP_UNIQUE, SQLSTATE 23000): the unique index cannot be created: a value occurs twice.</summary>
    DuplicateUnique = 1169,
    /// <summary>Error 1170 (ER_BLOB_KEY_WITHOUT_LENGTH, SQLSTATE 42000): an index on BLOB or TEXT needs a length.</summary>
    BlobKeyWithoutLength = 1170,
    /// <summary>Error 1171 (ER_PRIMARY_CANT_HAVE_NULL, SQLSTATE 42000): a primary key does not allow NULL.</summary>
    PrimaryCannotHaveNull = 1171,
    /// <summary>Error 1172 (ER_TOO_MANY_ROWS, SQLSTATE 42000): INTO received more than one row.</summary>
    TooManyRows = 1172,
    /// <summary>Error 1173 (ER_REQUIRES_PRIMARY_KEY, SQLSTATE 42000).</summary>
    RequiresPrimaryKey = 1173,
    /// <summary>Error 1174 (ER_NO_RAID_COMPILED).</summary>
    NoRAIDCompiled = 1174,
    /// <summary>Error 1175 (ER_UPDATE_WITHOUT_KEY_IN_SAFE_MODE): sql_safe_updates requires a key in the condition.</summary>
    UpdateWithoutKeysInSafeMode = 1175,
    /// <summary>Error 1176 (ER_KEY_DOES_NOT_EXISTS, SQLSTATE 42000): there is no such index in the table.</summary>
    KeyDoesNotExist = 1176,
    /// <summary>Error 1177 (ER_CHECK_NO_SUCH_TABLE, SQLSTATE 42000).</summary>
    CheckNoSuchTable = 1177,
    /// <summary>Error 1178 (ER_CHECK_NOT_IMPLEMENTED, SQLSTATE 42000).</summary>
    CheckNotImplemented = 1178,
    /// <summary>Error 1179 (ER_CANT_DO_THIS_DURING_AN_TRANSACTION, SQLSTATE 25000): not allowed inside a transaction.</summary>
    CannotDoThisDuringATransaction = 1179,
    /// <summary>Error 1180 (ER_ERROR_DURING_COMMIT): COMMIT failed.</summary>
    ErrorDuringCommit = 1180,
    /// <summary>Error 1181 (ER_ERROR_DURING_ROLLBACK): ROLLBACK failed.</summary>
    ErrorDuringRollback = 1181,
    /// <summary>Error 1182 (ER_ERROR_DURING_FLUSH_LOGS).</summary>
    ErrorDuringFlushLogs = 1182,
    /// <summary>Error 1183 (ER_ERROR_DURING_CHECKPOINT).</summary>
    ErrorDuringCheckpoint = 1183,
    /// <summary>Error 1184 (ER_NEW_ABORTING_CONNECTION, SQLSTATE 08S01): the server aborted a new connection.</summary>
    NewAbortingConnection = 1184,
    /// <summary>Error 1185 (ER_DUMP_NOT_IMPLEMENTED).</summary>
    DumpNotImplemented = 1185,
    /// <summary>Error 1186 (ER_FLUSH_MASTER_BINLOG_CLOSED).</summary>
    FlushMasterBinLogClosed = 1186,
    /// <summary>Error 1187 (ER_INDEX_REBUILD).</summary>
    IndexRebuild = 1187,
    /// <summary>Error 1188 (ER_MASTER).</summary>
    MasterError = 1188,
    /// <summary>Error 1189 (ER_MASTER_NET_READ, SQLSTATE 08S01).</summary>
    MasterNetRead = 1189,
    /// <summary>Error 1190 (ER_MASTER_NET_WRITE, SQLSTATE 08S01).</summary>
    MasterNetWrite = 1190,
    /// <summary>Error 1191 (ER_FT_MATCHING_KEY_NOT_FOUND).</summary>
    FullTextMatchingKeyNotFound = 1191,
    /// <summary>Error 1192 (ER_LOCK_OR_ACTIVE_TRANSACTION): not allowed with locked tables or an open transaction.</summary>
    LockOrActiveTransaction = 1192,
    /// <summary>Error 1193 (ER_UNKNOWN_SYSTEM_VARIABLE): there is no such system variable.</summary>
    UnknownSystemVariable = 1193,
    /// <summary>Error 1194 (ER_CRASHED_ON_USAGE): the table is damaged: REPAIR TABLE.</summary>
    CrashedOnUsage = 1194,
    /// <summary>Error 1195 (ER_CRASHED_ON_REPAIR).</summary>
    CrashedOnRepair = 1195,
    /// <summary>Error 1196 (ER_WARNING_NOT_COMPLETE_ROLLBACK): some changes were not rolled back: their tables do not support transactions.</summary>
    WarningNotCompleteRollback = 1196,
    /// <summary>Error 1197 (ER_TRANS_CACHE_FULL): the transaction is larger than max_binlog_cache_size.</summary>
    TransactionCacheFull = 1197,
    /// <summary>Error 1198 (ER_SLAVE_MUST_STOP).</summary>
    SlaveMustStop = 1198,
    /// <summary>Error 1199 (ER_SLAVE_NOT_RUNNING).</summary>
    SlaveNotRunning = 1199,
    /// <summary>Error 1200 (ER_BAD_SLAVE).</summary>
    BadSlave = 1200,
    /// <summary>Error 1201 (ER_MASTER_INFO).</summary>
    MasterInfo = 1201,
    /// <summary>Error 1202 (ER_SLAVE_THREAD).</summary>
    SlaveThread = 1202,
    /// <summary>Error 1203 (ER_TOO_MANY_USER_CONNECTIONS, SQLSTATE 42000): max_user_connections is reached.</summary>
    TooManyUserConnections = 1203,
    /// <summary>Error 1204 (ER_SET_CONSTANTS_ONLY).</summary>
    SetConstantsOnly = 1204,
    /// <summary>Error 1205 (ER_LOCK_WAIT_TIMEOUT): a lock took longer than innodb_lock_wait_timeout; only the statement is rolled back.</summary>
    LockWaitTimeout = 1205,
    /// <summary>Error 1206 (ER_LOCK_TABLE_FULL): too many locks for innodb_buffer_pool_size.</summary>
    LockTableFull = 1206,
    /// <summary>Error 1207 (ER_READ_ONLY_TRANSACTION, SQLSTATE 25000): the transaction is read-only.</summary>
    ReadOnlyTransaction = 1207,
    /// <summary>Error 1208 (ER_DROP_DB_WITH_READ_LOCK).</summary>
    DropDatabaseWithReadLock = 1208,
    /// <summary>Error 1209 (ER_CREATE_DB_WITH_READ_LOCK).</summary>
    CreateDatabaseWithReadLock = 1209,
    /// <summary>Error 1210 (ER_WRONG_ARGUMENTS): the arguments are not valid.</summary>
    WrongArguments = 1210,
    /// <summary>Error 1211 (ER_NO_PERMISSION_TO_CREATE_USER, SQLSTATE 42000).</summary>
    NoPermissionToCreateUser = 1211,
    /// <summary>Error 1212 (ER_UNION_TABLES_IN_DIFFERENT_DIR).</summary>
    UnionTablesInDifferentDirectory = 1212,
    /// <summary>Error 1213 (ER_LOCK_DEADLOCK, SQLSTATE 40001): the transaction was rolled back to end a deadlock: run it again from its beginning.</summary>
    LockDeadlock = 1213,
    /// <summary>Error 1214 (ER_TABLE_CANT_HANDLE_FT).</summary>
    TableCannotHandleFullText = 1214,
    /// <summary>Error 1215 (ER_CANNOT_ADD_FOREIGN): the foreign key does not match the tables.</summary>
    CannotAddForeignConstraint = 1215,
    /// <summary>Error 1216 (ER_NO_REFERENCED_ROW, SQLSTATE 23000): the parent row is missing.</summary>
    NoReferencedRow = 1216,
    /// <summary>Error 1217 (ER_ROW_IS_REFERENCED, SQLSTATE 23000): child rows refer to the row.</summary>
    RowIsReferenced = 1217,
    /// <summary>Error 1218 (ER_CONNECT_TO_MASTER, SQLSTATE 08S01).</summary>
    ConnectToMaster = 1218,
    /// <summary>Error 1219 (ER_QUERY_ON_MASTER).</summary>
    QueryOnMaster = 1219,
    /// <summary>Error 1220 (ER_ERROR_WHEN_EXECUTING_COMMAND).</summary>
    ErrorWhenExecutingCommand = 1220,
    /// <summary>Error 1221 (ER_WRONG_USAGE).</summary>
    WrongUsage = 1221,
    /// <summary>Error 1222 (ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT, SQLSTATE 21000): the parts of a UNION have different numbers of columns.</summary>
    WrongNumberOfColumnsInSelect = 1222,
    /// <summary>Error 1223 (ER_CANT_UPDATE_WITH_READLOCK).</summary>
    CannotUpdateWithReadLock = 1223,
    /// <summary>Error 1224 (ER_MIXING_NOT_ALLOWED).</summary>
    MixingNotAllowed = 1224,
    /// <summary>Error 1225 (ER_DUP_ARGUMENT).</summary>
    DuplicateArgument = 1225,
    /// <summary>Error 1226 (ER_USER_LIMIT_REACHED, SQLSTATE 42000): the account reached a limit.</summary>
    UserLimitReached = 1226,
    /// <summary>Error 1227 (ER_SPECIFIC_ACCESS_DENIED_ERROR, SQLSTATE 42000): the named privilege is missing.</summary>
    SpecifiedAccessDeniedError = 1227,
    /// <summary>Error 1228 (ER_LOCAL_VARIABLE).</summary>
    LocalVariableError = 1228,
    /// <summary>Error 1229 (ER_GLOBAL_VARIABLE).</summary>
    GlobalVariableError = 1229,
    /// <summary>Error 1230 (ER_NO_DEFAULT, SQLSTATE 42000).</summary>
    NotDefaultError = 1230,
    /// <summary>Error 1231 (ER_WRONG_VALUE_FOR_VAR, SQLSTATE 42000): the variable does not accept this value.</summary>
    WrongValueForVariable = 1231,
    /// <summary>Error 1232 (ER_WRONG_TYPE_FOR_VAR, SQLSTATE 42000): the variable does not accept this type.</summary>
    WrongTypeForVariable = 1232,
    /// <summary>Error 1233 (ER_VAR_CANT_BE_READ).</summary>
    VariableCannotBeRead = 1233,
    /// <summary>Error 1234 (ER_CANT_USE_OPTION_HERE, SQLSTATE 42000).</summary>
    CannotUseOptionHere = 1234,
    /// <summary>Error 1235 (ER_NOT_SUPPORTED_YET, SQLSTATE 42000): this server does not support the feature.</summary>
    NotSupportedYet = 1235,
    /// <summary>Error 1236 (ER_MASTER_FATAL_ERROR_READING_BINLOG).</summary>
    MasterFatalErrorReadingBinLog = 1236,
    /// <summary>Error 1237 (ER_SLAVE_IGNORED_TABLE).</summary>
    SlaveIgnoredTable = 1237,
    /// <summary>Error 1238 (ER_INCORRECT_GLOBAL_LOCAL_VAR).</summary>
    IncorrectGlobalLocalVariable = 1238,
    /// <summary>Error 1239 (ER_WRONG_FK_DEF, SQLSTATE 42000).</summary>
    WrongForeignKeyDefinition = 1239,
    /// <summary>Error 1240 (ER_KEY_REF_DO_NOT_MATCH_TABLE_REF).</summary>
    KeyReferenceDoesNotMatchTableReference = 1240,
    /// <summary>Error 1241 (ER_OPERAND_COLUMNS, SQLSTATE 21000): the number of columns is wrong.</summary>
    OpearnColumnsError = 1241,
    /// <summary>Error 1242 (ER_SUBQUERY_NO_1_ROW, SQLSTATE 21000): the subquery returned more than one row.</summary>
    SubQueryNoOneRow = 1242,
    /// <summary>Error 1243 (ER_UNKNOWN_STMT_HANDLER): there is no such prepared statement.</summary>
    UnknownStatementHandler = 1243,
    /// <summary>Error 1244 (ER_CORRUPT_HELP_DB).</summary>
    CorruptHelpDatabase = 1244,
    /// <summary>Error 1245 (ER_CYCLIC_REFERENCE).</summary>
    CyclicReference = 1245,
    /// <summary>Error 1246 (ER_AUTO_CONVERT).</summary>
    AutoConvert = 1246,
    /// <summary>Error 1247 (ER_ILLEGAL_REFERENCE, SQLSTATE 42S22): the name cannot be used here.</summary>
    IllegalReference = 1247,
    /// <summary>Error 1248 (ER_DERIVED_MUST_HAVE_ALIAS, SQLSTATE 42000): a derived table needs an alias.</summary>
    DerivedMustHaveAlias = 1248,
    /// <summary>Error 1249 (ER_SELECT_REDUCED, SQLSTATE 01000).</summary>
    SelectReduced = 1249,
    /// <summary>Error 1250 (ER_TABLENAME_NOT_ALLOWED_HERE, SQLSTATE 42000).</summary>
    TableNameNotAllowedHere = 1250,
    /// <summary>Error 1251 (ER_NOT_SUPPORTED_AUTH_MODE, SQLSTATE 08004): the server's method of authentication is too new for the client.</summary>
    NotSupportedAuthMode = 1251,
    /// <summary>Error 1252 (ER_SPATIAL_CANT_HAVE_NULL, SQLSTATE 42000).</summary>
    SpatialCannotHaveNull = 1252,
    /// <summary>Error 1253 (ER_COLLATION_CHARSET_MISMATCH, SQLSTATE 42000).</summary>
    CollationCharsetMismatch = 1253,
    /// <summary>Error 1254 (ER_SLAVE_WAS_RUNNING): the replica was already running.</summary>
    SlaveWasRunning = 1254,
    /// <summary>Error 1255 (ER_SLAVE_WAS_NOT_RUNNING).</summary>
    SlaveWasNotRunning = 1255,
    /// <summary>Error 1256 (ER_TOO_BIG_FOR_UNCOMPRESS).</summary>
    TooBigForUncompress = 1256,
    /// <summary>Error 1257 (ER_ZLIB_Z_MEM_ERROR).</summary>
    ZipLibMemoryError = 1257,
    /// <summary>Error 1258 (ER_ZLIB_Z_BUF_ERROR).</summary>
    ZipLibBufferError = 1258,
    /// <summary>Error 1259 (ER_ZLIB_Z_DATA_ERROR).</summary>
    ZipLibDataError = 1259,
    /// <summary>Error 1260 (ER_CUT_VALUE_GROUP_CONCAT).</summary>
    CutValueGroupConcat = 1260,
    /// <summary>Error 1261 (ER_WARN_TOO_FEW_RECORDS, SQLSTATE 01000).</summary>
    WarningTooFewRecords = 1261,
    /// <summary>Error 1262 (ER_WARN_TOO_MANY_RECORDS, SQLSTATE 01000).</summary>
    WarningTooManyRecords = 1262,
    /// <summary>Error 1263 (ER_WARN_NULL_TO_NOTNULL, SQLSTATE 22004).</summary>
    WarningNullToNotNull = 1263,
    /// <summary>Error 1264 (ER_WARN_DATA_OUT_OF_RANGE, SQLSTATE 22003): the number is outside the column's range.</summary>
    WarningDataOutOfRange = 1264,
    /// <summary>Error 1265 (WARN_DATA_TRUNCATED, SQLSTATE 01000): the value was truncated.</summary>
    WarningDataTruncated = 1265,
    /// <summary>A misspelling of <see cref="WarningDataTruncated"/>.</summary>
    [Obsolete("Use WarningDataTruncated.")]
    WaningDataTruncated = 1265,
    /// <summary>Error 1266 (ER_WARN_USING_OTHER_HANDLER).</summary>
    WarningUsingOtherHandler = 1266,
    /// <summary>A misspelling of <see cref="WarningUsingOtherHandler"/>.</summary>
    [Obsolete("Use WarningUsingOtherHandler.")]
    WaningUsingOtherHandler = 1266,
    /// <summary>Error 1267 (ER_CANT_AGGREGATE_2COLLATIONS): the collations cannot be compared.</summary>
    CannotAggregateTwoCollations = 1267,
    /// <summary>Error 1268 (ER_DROP_USER).</summary>
    DropUserError = 1268,
    /// <summary>Error 1269 (ER_REVOKE_GRANTS).</summary>
    RevokeGrantsError = 1269,
    /// <summary>Error 1270 (ER_CANT_AGGREGATE_3COLLATIONS).</summary>
    CannotAggregateThreeCollations = 1270,
    /// <summary>Error 1271 (ER_CANT_AGGREGATE_NCOLLATIONS).</summary>
    CannotAggregateNCollations = 1271,
    /// <summary>Error 1272 (ER_VARIABLE_IS_NOT_STRUCT).</summary>
    VariableIsNotStructure = 1272,
    /// <summary>Error 1273 (ER_UNKNOWN_COLLATION): there is no such collation.</summary>
    UnknownCollation = 1273,
    /// <summary>Error 1274 (ER_SLAVE_IGNORED_SSL_PARAMS).</summary>
    SlaveIgnoreSSLParameters = 1274,
    /// <summary>Error 1275 (ER_SERVER_IS_IN_SECURE_AUTH_MODE): the server does not accept old passwords.</summary>
    ServerIsInSecureAuthMode = 1275,
    /// <summary>Error 1276 (ER_WARN_FIELD_RESOLVED).</summary>
    WarningFieldResolved = 1276,
    /// <summary>A misspelling of <see cref="WarningFieldResolved"/>.</summary>
    [Obsolete("Use WarningFieldResolved.")]
    WaningFieldResolved = 1276,
    /// <summary>Error 1277 (ER_BAD_SLAVE_UNTIL_COND).</summary>
    BadSlaveUntilCondition = 1277,
    /// <summary>Error 1278 (ER_MISSING_SKIP_SLAVE).</summary>
    MissingSkipSlave = 1278,
    /// <summary>Error 1279 (ER_UNTIL_COND_IGNORED).</summary>
    ErrorUntilConditionIgnored = 1279,
    /// <summary>Error 1280 (ER_WRONG_NAME_FOR_INDEX, SQLSTATE 42000).</summary>
    WrongNameForIndex = 1280,
    /// <summary>Error 1281 (ER_WRONG_NAME_FOR_CATALOG, SQLSTATE 42000).</summary>
    WrongNameForCatalog = 1281,
    /// <summary>Error 1282 (ER_WARN_QC_RESIZE).</summary>
    WarningQueryCacheResize = 1282,
    /// <summary>Error 1283 (ER_BAD_FT_COLUMN).</summary>
    BadFullTextColumn = 1283,
    /// <summary>Error 1284 (ER_UNKNOWN_KEY_CACHE).</summary>
    UnknownKeyCache = 1284,
    /// <summary>Error 1285 (ER_WARN_HOSTNAME_WONT_WORK).</summary>
    WarningHostnameWillNotWork = 1285,
    /// <summary>Error 1286 (ER_UNKNOWN_STORAGE_ENGINE, SQLSTATE 42000): there is no such storage engine.</summary>
    UnknownStorageEngine = 1286,
    /// <summary>Error 1287 (ER_WARN_DEPRECATED_SYNTAX).</summary>
    WarningDeprecatedSyntax = 1287,
    /// <summary>A misspelling of <see cref="WarningDeprecatedSyntax"/>.</summary>
    [Obsolete("Use WarningDeprecatedSyntax.")]
    WaningDeprecatedSyntax = 1287,
    /// <summary>Error 1288 (ER_NON_UPDATABLE_TABLE).</summary>
    NonUpdateableTable = 1288,
    /// <summary>Error 1289 (ER_FEATURE_DISABLED).</summary>
    FeatureDisabled = 1289,
    /// <summary>Error 1290 (ER_OPTION_PREVENTS_STATEMENT): an option of the server, mostly --read-only, does not allow the statement.</summary>
    OptionPreventsStatement = 1290,
    /// <summary>Error 1291 (ER_DUPLICATED_VALUE_IN_TYPE).</summary>
    DuplicatedValueInType = 1291,
    /// <summary>Error 1292 (ER_TRUNCATED_WRONG_VALUE, SQLSTATE 22007): the text is not a value of the type.</summary>
    TruncatedWrongValue = 1292,
    /// <summary>Error 1293 (ER_TOO_MUCH_AUTO_TIMESTAMP_COLS).</summary>
    TooMuchAutoTimestampColumns = 1293,
    /// <summary>Error 1294 (ER_INVALID_ON_UPDATE).</summary>
    InvalidOnUpdate = 1294,
    /// <summary>Error 1295 (ER_UNSUPPORTED_PS): this text cannot be prepared.</summary>
    UnsupportedPreparedStatement = 1295,
    /// <summary>Error 1296 (ER_GET_ERRMSG).</summary>
    GetErroMessage = 1296,
    /// <summary>Error 1297 (ER_GET_TEMPORARY_ERRMSG).</summary>
    GetTemporaryErrorMessage = 1297,
    /// <summary>Error 1298 (ER_UNKNOWN_TIME_ZONE): there is no such time zone.</summary>
    UnknownTimeZone = 1298,
    /// <summary>Error 1299 (ER_WARN_INVALID_TIMESTAMP).</summary>
    WarningInvalidTimestamp = 1299,
    /// <summary>Error 1300 (ER_INVALID_CHARACTER_STRING): the bytes are not a text of this character set.</summary>
    InvalidCharacterString = 1300,
    /// <summary>Error 1301 (ER_WARN_ALLOWED_PACKET_OVERFLOWED): the result is longer than max_allowed_packet.</summary>
    WarningAllowedPacketOverflowed = 1301,
    /// <summary>Error 1302 (ER_CONFLICTING_DECLARATIONS).</summary>
    ConflictingDeclarations = 1302,
    /// <summary>Error 1303 (ER_SP_NO_RECURSIVE_CREATE, SQLSTATE 2F003).</summary>
    StoredProcedureNoRecursiveCreate = 1303,
    /// <summary>Error 1304 (ER_SP_ALREADY_EXISTS, SQLSTATE 42000): the procedure or function already exists.</summary>
    StoredProcedureAlreadyExists = 1304,
    /// <summary>Error 1305 (ER_SP_DOES_NOT_EXIST, SQLSTATE 42000): there is no such procedure or function.</summary>
    StoredProcedureDoesNotExist = 1305,
    /// <summary>Error 1306 (ER_SP_DROP_FAILED).</summary>
    StoredProcedureDropFailed = 1306,
    /// <summary>Error 1307 (ER_SP_STORE_FAILED).</summary>
    StoredProcedureStoreFailed = 1307,
    /// <summary>Error 1308 (ER_SP_LILABEL_MISMATCH, SQLSTATE 42000).</summary>
    StoredProcedureLiLabelMismatch = 1308,
    /// <summary>Error 1309 (ER_SP_LABEL_REDEFINE, SQLSTATE 42000).</summary>
    StoredProcedureLabelRedefine = 1309,
    /// <summary>Error 1310 (ER_SP_LABEL_MISMATCH, SQLSTATE 42000).</summary>
    StoredProcedureLabelMismatch = 1310,
    /// <summary>Error 1311 (ER_SP_UNINIT_VAR, SQLSTATE 01000).</summary>
    StoredProcedureUninitializedVariable = 1311,
    /// <summary>Error 1312 (ER_SP_BADSELECT, SQLSTATE 0A000): the procedure returns rows where it must not.</summary>
    StoredProcedureBadSelect = 1312,
    /// <summary>Error 1313 (ER_SP_BADRETURN, SQLSTATE 42000).</summary>
    StoredProcedureBadReturn = 1313,
    /// <summary>Error 1314 (ER_SP_BADSTATEMENT, SQLSTATE 0A000).</summary>
    StoredProcedureBadStatement = 1314,
    /// <summary>Error 1315 (ER_UPDATE_LOG_DEPRECATED_IGNORED, SQLSTATE 42000).</summary>
    UpdateLogDeprecatedIgnored = 1315,
    /// <summary>Error 1316 (ER_UPDATE_LOG_DEPRECATED_TRANSLATED, SQLSTATE 42000).</summary>
    UpdateLogDeprecatedTranslated = 1316,
    /// <summary>Error 1317 (ER_QUERY_INTERRUPTED, SQLSTATE 70100): KILL QUERY ended the statement; the driver cancels commands with it.</summary>
    QueryInterrupted = 1317,
    /// <summary>Error 1318 (ER_SP_WRONG_NO_OF_ARGS, SQLSTATE 42000): the number of arguments of the procedure is wrong.</summary>
    StoredProcedureNumberOfArguments = 1318,
    /// <summary>Error 1319 (ER_SP_COND_MISMATCH, SQLSTATE 42000): there is no such condition.</summary>
    StoredProcedureConditionMismatch = 1319,
    /// <summary>Error 1320 (ER_SP_NORETURN, SQLSTATE 42000).</summary>
    StoredProcedureNoReturn = 1320,
    /// <summary>Error 1321 (ER_SP_NORETURNEND, SQLSTATE 2F005): a function ended without RETURN.</summary>
    StoredProcedureNoReturnEnd = 1321,
    /// <summary>Error 1322 (ER_SP_BAD_CURSOR_QUERY, SQLSTATE 42000): a cursor requires a SELECT.</summary>
    StoredProcedureBadCursorQuery = 1322,
    /// <summary>Error 1323 (ER_SP_BAD_CURSOR_SELECT, SQLSTATE 42000).</summary>
    StoredProcedureBadCursorSelect = 1323,
    /// <summary>Error 1324 (ER_SP_CURSOR_MISMATCH, SQLSTATE 42000).</summary>
    StoredProcedureCursorMismatch = 1324,
    /// <summary>Error 1325 (ER_SP_CURSOR_ALREADY_OPEN, SQLSTATE 24000): the cursor is already open.</summary>
    StoredProcedureAlreadyOpen = 1325,
    /// <summary>Error 1326 (ER_SP_CURSOR_NOT_OPEN, SQLSTATE 24000): the cursor is not open.</summary>
    StoredProcedureCursorNotOpen = 1326,
    /// <summary>Error 1327 (ER_SP_UNDECLARED_VAR, SQLSTATE 42000).</summary>
    StoredProcedureUndeclaredVariabel = 1327,
    /// <summary>Error 1328 (ER_SP_WRONG_NO_OF_FETCH_ARGS).</summary>
    StoredProcedureWrongNumberOfFetchArguments = 1328,
    /// <summary>Error 1329 (ER_SP_FETCH_NO_DATA, SQLSTATE 02000): there are no more rows to fetch.</summary>
    StoredProcedureFetchNoData = 1329,
    /// <summary>Error 1330 (ER_SP_DUP_PARAM, SQLSTATE 42000).</summary>
    StoredProcedureDuplicateParameter = 1330,
    /// <summary>Error 1331 (ER_SP_DUP_VAR, SQLSTATE 42000).</summary>
    StoredProcedureDuplicateVariable = 1331,
    /// <summary>Error 1332 (ER_SP_DUP_COND, SQLSTATE 42000).</summary>
    StoredProcedureDuplicateCondition = 1332,
    /// <summary>Error 1333 (ER_SP_DUP_CURS, SQLSTATE 42000).</summary>
    StoredProcedureDuplicateCursor = 1333,
    /// <summary>Error 1334 (ER_SP_CANT_ALTER).</summary>
    StoredProcedureCannotAlter = 1334,
    /// <summary>Error 1335 (ER_SP_SUBSELECT_NYI, SQLSTATE 0A000): a subquery is not allowed here.</summary>
    StoredProcedureSubSelectNYI = 1335,
    /// <summary>Error 1336 (ER_STMT_NOT_ALLOWED_IN_SF_OR_TRG, SQLSTATE 0A000): not allowed inside a function or trigger.</summary>
    StatementNotAllowedInStoredFunctionOrTrigger = 1336,
    /// <summary>Error 1337 (ER_SP_VARCOND_AFTER_CURSHNDLR, SQLSTATE 42000).</summary>
    StoredProcedureVariableConditionAfterCursorHandler = 1337,
    /// <summary>Error 1338 (ER_SP_CURSOR_AFTER_HANDLER, SQLSTATE 42000).</summary>
    StoredProcedureCursorAfterHandler = 1338,
    /// <summary>Error 1339 (ER_SP_CASE_NOT_FOUND, SQLSTATE 20000).</summary>
    StoredProcedureCaseNotFound = 1339,
    /// <summary>Error 1340 (ER_FPARSER_TOO_BIG_FILE).</summary>
    FileParserTooBigFile = 1340,
    /// <summary>Error 1341 (ER_FPARSER_BAD_HEADER).</summary>
    FileParserBadHeader = 1341,
    /// <summary>Error 1342 (ER_FPARSER_EOF_IN_COMMENT).</summary>
    FileParserEOFInComment = 1342,
    /// <summary>Error 1343 (ER_FPARSER_ERROR_IN_PARAMETER).</summary>
    FileParserErrorInParameter = 1343,
    /// <summary>Error 1344 (ER_FPARSER_EOF_IN_UNKNOWN_PARAMETER).</summary>
    FileParserEOFInUnknownParameter = 1344,
    /// <summary>Error 1345 (ER_VIEW_NO_EXPLAIN).</summary>
    ViewNoExplain = 1345,
    /// <summary>Error 1346 (ER_FRM_UNKNOWN_TYPE).</summary>
    FrmUnknownType = 1346,
    /// <summary>Error 1347 (ER_WRONG_OBJECT).</summary>
    WrongObject = 1347,
    /// <summary>Error 1348 (ER_NONUPDATEABLE_COLUMN).</summary>
    NonUpdateableColumn = 1348,
    /// <summary>Error 1349 (ER_VIEW_SELECT_DERIVED).</summary>
    ViewSelectDerived = 1349,
    /// <summary>Error 1350 (ER_VIEW_SELECT_CLAUSE).</summary>
    ViewSelectClause = 1350,
    /// <summary>Error 1351 (ER_VIEW_SELECT_VARIABLE).</summary>
    ViewSelectVariable = 1351,
    /// <summary>Error 1352 (ER_VIEW_SELECT_TMPTABLE).</summary>
    ViewSelectTempTable = 1352,
    /// <summary>Error 1353 (ER_VIEW_WRONG_LIST).</summary>
    ViewWrongList = 1353,
    /// <summary>Error 1354 (ER_WARN_VIEW_MERGE).</summary>
    WarningViewMerge = 1354,
    /// <summary>Error 1355 (ER_WARN_VIEW_WITHOUT_KEY).</summary>
    WarningViewWithoutKey = 1355,
    /// <summary>Error 1356 (ER_VIEW_INVALID): the view refers to an object that does not exist or is not accessible.</summary>
    ViewInvalid = 1356,
    /// <summary>Error 1357 (ER_SP_NO_DROP_SP).</summary>
    StoredProcedureNoDropStoredProcedure = 1357,
    /// <summary>Error 1358 (ER_SP_GOTO_IN_HNDLR).</summary>
    StoredProcedureGotoInHandler = 1358,
    /// <summary>Error 1359 (ER_TRG_ALREADY_EXISTS).</summary>
    TriggerAlreadyExists = 1359,
    /// <summary>Error 1360 (ER_TRG_DOES_NOT_EXIST): there is no such trigger.</summary>
    TriggerDoesNotExist = 1360,
    /// <summary>Error 1361 (ER_TRG_ON_VIEW_OR_TEMP_TABLE).</summary>
    TriggerOnViewOrTempTable = 1361,
    /// <summary>Error 1362 (ER_TRG_CANT_CHANGE_ROW).</summary>
    TriggerCannotChangeRow = 1362,
    /// <summary>Error 1363 (ER_TRG_NO_SUCH_ROW_IN_TRG).</summary>
    TriggerNoSuchRowInTrigger = 1363,
    /// <summary>Error 1364 (ER_NO_DEFAULT_FOR_FIELD): a column without a default has no value.</summary>
    NoDefaultForField = 1364,
    /// <summary>Error 1365 (ER_DIVISION_BY_ZERO, SQLSTATE 22012): division by zero, under a strict sql_mode.</summary>
    DivisionByZero = 1365,
    /// <summary>Error 1366 (ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, SQLSTATE 22007): the value is not valid for the column's type or character set.</summary>
    TruncatedWrongValueForField = 1366,
    /// <summary>Error 1367 (ER_ILLEGAL_VALUE_FOR_TYPE, SQLSTATE 22007).</summary>
    IllegalValueForType = 1367,
    /// <summary>Error 1368 (ER_VIEW_NONUPD_CHECK).</summary>
    ViewNonUpdatableCheck = 1368,
    /// <summary>Error 1369 (ER_VIEW_CHECK_FAILED, SQLSTATE 44000).</summary>
    ViewCheckFailed = 1369,
    /// <summary>Error 1370 (ER_PROCACCESS_DENIED_ERROR, SQLSTATE 42000): the user is not allowed to do this with the procedure or function.</summary>
    PrecedureAccessDenied = 1370,
    /// <summary>Error 1371 (ER_RELAY_LOG_FAIL).</summary>
    RelayLogFail = 1371,
    /// <summary>Error 1372 (ER_PASSWD_LENGTH).</summary>
    PasswordLength = 1372,
    /// <summary>Error 1373 (ER_UNKNOWN_TARGET_BINLOG).</summary>
    UnknownTargetBinLog = 1373,
    /// <summary>Error 1374 (ER_IO_ERR_LOG_INDEX_READ).</summary>
    IOErrorLogIndexRead = 1374,
    /// <summary>Error 1375 (ER_BINLOG_PURGE_PROHIBITED).</summary>
    BinLogPurgeProhibited = 1375,
    /// <summary>Error 1376 (ER_FSEEK_FAIL).</summary>
    FSeekFail = 1376,
    /// <summary>Error 1377 (ER_BINLOG_PURGE_FATAL_ERR).</summary>
    BinLogPurgeFatalError = 1377,
    /// <summary>Error 1378 (ER_LOG_IN_USE).</summary>
    LogInUse = 1378,
    /// <summary>Error 1379 (ER_LOG_PURGE_UNKNOWN_ERR).</summary>
    LogPurgeUnknownError = 1379,
    /// <summary>Error 1380 (ER_RELAY_LOG_INIT).</summary>
    RelayLogInit = 1380,
    /// <summary>Error 1381 (ER_NO_BINARY_LOGGING).</summary>
    NoBinaryLogging = 1381,
    /// <summary>Error 1382 (ER_RESERVED_SYNTAX).</summary>
    ReservedSyntax = 1382,
    /// <summary>Error 1383 (ER_WSAS_FAILED).</summary>
    WSAStartupFailed = 1383,
    /// <summary>Error 1384 (ER_DIFF_GROUPS_PROC).</summary>
    DifferentGroupsProcedure = 1384,
    /// <summary>Error 1385 (ER_NO_GROUP_FOR_PROC).</summary>
    NoGroupForProcedure = 1385,
    /// <summary>Error 1386 (ER_ORDER_WITH_PROC).</summary>
    OrderWithProcedure = 1386,
    /// <summary>Error 1387 (ER_LOGGING_PROHIBIT_CHANGING_OF).</summary>
    LoggingProhibitsChangingOf = 1387,
    /// <summary>Error 1388 (ER_NO_FILE_MAPPING).</summary>
    NoFileMapping = 1388,
    /// <summary>Error 1389 (ER_WRONG_MAGIC).</summary>
    WrongMagic = 1389,
    /// <summary>Error 1390 (ER_PS_MANY_PARAM): the statement has more than 65,535 parameters.</summary>
    PreparedStatementManyParameters = 1390,
    /// <summary>Error 1391 (ER_KEY_PART_0).</summary>
    KeyPartZero = 1391,
    /// <summary>Error 1392 (ER_VIEW_CHECKSUM).</summary>
    ViewChecksum = 1392,
    /// <summary>Error 1393 (ER_VIEW_MULTIUPDATE).</summary>
    ViewMultiUpdate = 1393,
    /// <summary>Error 1394 (ER_VIEW_NO_INSERT_FIELD_LIST).</summary>
    ViewNoInsertFieldList = 1394,
    /// <summary>Error 1395 (ER_VIEW_DELETE_MERGE_VIEW).</summary>
    ViewDeleteMergeView = 1395,
    /// <summary>Error 1396 (ER_CANNOT_USER): an account could not be created, changed or dropped.</summary>
    CannotUser = 1396,
    /// <summary>Error 1397 (ER_XAER_NOTA, SQLSTATE XAE04): there is no such XA transaction.</summary>
    XAERNotA = 1397,
    /// <summary>Error 1398 (ER_XAER_INVAL, SQLSTATE XAE05): the arguments of an XA command are not valid.</summary>
    XAERInvalid = 1398,
    /// <summary>Error 1399 (ER_XAER_RMFAIL, SQLSTATE XAE07): not allowed in this state of the XA transaction.</summary>
    XAERRemoveFail = 1399,
    /// <summary>Error 1400 (ER_XAER_OUTSIDE, SQLSTATE XAE09): allowed only outside a transaction.</summary>
    XAEROutside = 1400,
    /// <summary>Error 1401 (ER_XAER_RMERR, SQLSTATE XAE03): the XA transaction failed on the server.</summary>
    XAERRemoveError = 1401,
    /// <summary>Error 1402 (ER_XA_RBROLLBACK, SQLSTATE XA100): the XA transaction was rolled back.</summary>
    XARBRollback = 1402,
    /// <summary>Error 1403 (ER_NONEXISTING_PROC_GRANT, SQLSTATE 42000).</summary>
    NonExistingProcedureGrant = 1403,
    /// <summary>Error 1404 (ER_PROC_AUTO_GRANT_FAIL).</summary>
    ProcedureAutoGrantFail = 1404,
    /// <summary>Error 1405 (ER_PROC_AUTO_REVOKE_FAIL).</summary>
    ProcedureAutoRevokeFail = 1405,
    /// <summary>Error 1406 (ER_DATA_TOO_LONG, SQLSTATE 22001): the value is longer than the column.</summary>
    DataTooLong = 1406,
    /// <summary>Error 1407 (ER_SP_BAD_SQLSTATE, SQLSTATE 42000).</summary>
    StoredProcedureSQLState = 1407,
    /// <summary>Error 1408 (ER_STARTUP).</summary>
    StartupError = 1408,
    /// <summary>Error 1409 (ER_LOAD_FROM_FIXED_SIZE_ROWS_TO_VAR).</summary>
    LoadFromFixedSizeRowsToVariable = 1409,
    /// <summary>Error 1410 (ER_CANT_CREATE_USER_WITH_GRANT, SQLSTATE 42000).</summary>
    CannotCreateUserWithGrant = 1410,
    /// <summary>Error 1411 (ER_WRONG_VALUE_FOR_TYPE): the text is not a valid argument of the function.</summary>
    WrongValueForType = 1411,
    /// <summary>Error 1412 (ER_TABLE_DEF_CHANGED): the table was changed after the transaction's snapshot: begin the transaction again.</summary>
    TableDefinitionChanged = 1412,
    /// <summary>Error 1413 (ER_SP_DUP_HANDLER, SQLSTATE 42000).</summary>
    StoredProcedureDuplicateHandler = 1413,
    /// <summary>Error 1414 (ER_SP_NOT_VAR_ARG, SQLSTATE 42000).</summary>
    StoredProcedureNotVariableArgument = 1414,
    /// <summary>Error 1415 (ER_SP_NO_RETSET, SQLSTATE 0A000): a result set is not allowed here.</summary>
    StoredProcedureNoReturnSet = 1415,
    /// <summary>Error 1416 (ER_CANT_CREATE_GEOMETRY_OBJECT, SQLSTATE 22003): the bytes are not a geometry.</summary>
    CannotCreateGeometryObject = 1416,
    /// <summary>Error 1417 (ER_FAILED_ROUTINE_BREAK_BINLOG).</summary>
    FailedRoutineBreaksBinLog = 1417,
    /// <summary>Error 1418 (ER_BINLOG_UNSAFE_ROUTINE): with binary logging, a function must declare its characteristics.</summary>
    BinLogUnsafeRoutine = 1418,
    /// <summary>Error 1419 (ER_BINLOG_CREATE_ROUTINE_NEED_SUPER).</summary>
    BinLogCreateRoutineNeedSuper = 1419,
    /// <summary>Error 1420 (ER_EXEC_STMT_WITH_OPEN_CURSOR).</summary>
    ExecuteStatementWithOpenCursor = 1420,
    /// <summary>Error 1421 (ER_STMT_HAS_NO_OPEN_CURSOR).</summary>
    StatementHasNoOpenCursor = 1421,
    /// <summary>Error 1422 (ER_COMMIT_NOT_ALLOWED_IN_SF_OR_TRG): an explicit or implicit commit is not allowed here.</summary>
    CommitNotAllowedIfStoredFunctionOrTrigger = 1422,
    /// <summary>Error 1423 (ER_NO_DEFAULT_FOR_VIEW_FIELD).</summary>
    NoDefaultForViewField = 1423,
    /// <summary>Error 1424 (ER_SP_NO_RECURSION).</summary>
    StoredProcedureNoRecursion = 1424,
    /// <summary>Error 1425 (ER_TOO_BIG_SCALE, SQLSTATE 42000).</summary>
    TooBigScale = 1425,
    /// <summary>Error 1426 (ER_TOO_BIG_PRECISION, SQLSTATE 42000).</summary>
    TooBigPrecision = 1426,
    /// <summary>Error 1427 (ER_M_BIGGER_THAN_D, SQLSTATE 42000).</summary>
    MBiggerThanD = 1427,
    /// <summary>Error 1428 (ER_WRONG_LOCK_OF_SYSTEM_TABLE).</summary>
    WrongLockOfSystemTable = 1428,
    /// <summary>Error 1429 (ER_CONNECT_TO_FOREIGN_DATA_SOURCE).</summary>
    ConnectToForeignDataSource = 1429,
    /// <summary>Error 1430 (ER_QUERY_ON_FOREIGN_DATA_SOURCE).</summary>
    QueryOnForeignDataSource = 1430,
    /// <summary>Error 1431 (ER_FOREIGN_DATA_SOURCE_DOESNT_EXIST).</summary>
    ForeignDataSourceDoesNotExist = 1431,
    /// <summary>Error 1432 (ER_FOREIGN_DATA_STRING_INVALID_CANT_CREATE).</summary>
    ForeignDataStringInvalidCannotCreate = 1432,
    /// <summary>Error 1433 (ER_FOREIGN_DATA_STRING_INVALID).</summary>
    ForeignDataStringInvalid = 1433,
    /// <summary>Error 1434 (ER_CANT_CREATE_FEDERATED_TABLE).</summary>
    CannotCreateFederatedTable = 1434,
    /// <summary>Error 1435 (ER_TRG_IN_WRONG_SCHEMA).</summary>
    TriggerInWrongSchema = 1435,
    /// <summary>Error 1436 (ER_STACK_OVERRUN_NEED_MORE): thread_stack is too small for this query.</summary>
    StackOverrunNeedMore = 1436,
    /// <summary>Error 1437 (ER_TOO_LONG_BODY, SQLSTATE 42000).</summary>
    TooLongBody = 1437,
    /// <summary>Error 1438 (ER_WARN_CANT_DROP_DEFAULT_KEYCACHE).</summary>
    WarningCannotDropDefaultKeyCache = 1438,
    /// <summary>Error 1439 (ER_TOO_BIG_DISPLAYWIDTH, SQLSTATE 42000).</summary>
    TooBigDisplayWidth = 1439,
    /// <summary>Error 1440 (ER_XAER_DUPID, SQLSTATE XAE08): an XA transaction with this id exists.</summary>
    XAERDuplicateID = 1440,
    /// <summary>Error 1441 (ER_DATETIME_FUNCTION_OVERFLOW, SQLSTATE 22008).</summary>
    DateTimeFunctionOverflow = 1441,
    /// <summary>Error 1442 (ER_CANT_UPDATE_USED_TABLE_IN_SF_OR_TRG): the table is in use by the calling statement.</summary>
    CannotUpdateUsedTableInStoredFunctionOrTrigger = 1442,
    /// <summary>Error 1443 (ER_VIEW_PREVENT_UPDATE).</summary>
    ViewPreventUpdate = 1443,
    /// <summary>Error 1444 (ER_PS_NO_RECURSION): a prepared statement cannot contain itself.</summary>
    PreparedStatementNoRecursion = 1444,
    /// <summary>Error 1445 (ER_SP_CANT_SET_AUTOCOMMIT).</summary>
    StoredProcedureCannotSetAutoCommit = 1445,
    /// <summary>Error 1446 (ER_MALFORMED_DEFINER, SQLSTATE 0L000).</summary>
    MalformedDefiner = 1446,
    /// <summary>Error 1447 (ER_VIEW_FRM_NO_USER).</summary>
    ViewFrmNoUser = 1447,
    /// <summary>Error 1448 (ER_VIEW_OTHER_USER).</summary>
    ViewOtherUser = 1448,
    /// <summary>Error 1449 (ER_NO_SUCH_USER): the definer does not exist.</summary>
    NoSuchUser = 1449,
    /// <summary>Error 1450 (ER_FORBID_SCHEMA_CHANGE).</summary>
    ForbidSchemaChange = 1450,
    /// <summary>Error 1451 (ER_ROW_IS_REFERENCED_2, SQLSTATE 23000): child rows refer to the row.</summary>
    RowIsReferenced2 = 1451,
    /// <summary>Error 1452 (ER_NO_REFERENCED_ROW_2, SQLSTATE 23000): the parent row is missing.</summary>
    NoReferencedRow2 = 1452,
    /// <summary>Error 1453 (ER_SP_BAD_VAR_SHADOW, SQLSTATE 42000).</summary>
    StoredProcedureBadVariableShadow = 1453,
    /// <summary>Error 1454 (ER_TRG_NO_DEFINER).</summary>
    TriggerNoDefiner = 1454,
    /// <summary>Error 1455 (ER_OLD_FILE_FORMAT).</summary>
    OldFileFormat = 1455,
    /// <summary>Error 1456 (ER_SP_RECURSION_LIMIT).</summary>
    StoredProcedureRecursionLimit = 1456,
    /// <summary>Error 1457 (ER_SP_PROC_TABLE_CORRUPT).</summary>
    StoredProcedureTableCorrupt = 1457,
    /// <summary>Error 1458 (ER_SP_WRONG_NAME, SQLSTATE 42000).</summary>
    StoredProcedureWrongName = 1458,
    /// <summary>Error 1459 (ER_TABLE_NEEDS_UPGRADE).</summary>
    TableNeedsUpgrade = 1459,
    /// <summary>Error 1460 (ER_SP_NO_AGGREGATE, SQLSTATE 42000).</summary>
    StoredProcedureNoAggregate = 1460,
    /// <summary>Error 1461 (ER_MAX_PREPARED_STMT_COUNT_REACHED, SQLSTATE 42000): max_prepared_stmt_count is reached.</summary>
    MaxPreparedStatementCountReached = 1461,
    /// <summary>Error 1462 (ER_VIEW_RECURSIVE).</summary>
    ViewRecursive = 1462,
    /// <summary>Error 1463 (ER_NON_GROUPING_FIELD_USED, SQLSTATE 42000).</summary>
    NonGroupingFieldUsed = 1463,
    /// <summary>Error 1464 (ER_TABLE_CANT_HANDLE_SPKEYS).</summary>
    TableCannotHandleSpatialKeys = 1464,
    /// <summary>Error 1465 (ER_NO_TRIGGERS_ON_SYSTEM_SCHEMA).</summary>
    NoTriggersOnSystemSchema = 1465,
    /// <summary>Error 1466 (ER_REMOVED_SPACES).</summary>
    RemovedSpaces = 1466,
    /// <summary>Error 1467 (ER_AUTOINC_READ_FAILED).</summary>
    AutoIncrementReadFailed = 1467,
    /// <summary>Error 1468 (ER_USERNAME).</summary>
    UserNameError = 1468,
    /// <summary>Error 1469 (ER_HOSTNAME).</summary>
    HostNameError = 1469,
    /// <summary>Error 1470 (ER_WRONG_STRING_LENGTH).</summary>
    WrongStringLength = 1470,
    /// <summary>Error 1471 (ER_NON_INSERTABLE_TABLE).</summary>
    NonInsertableTable = 1471,
    /// <summary>Error 1472 (ER_ADMIN_WRONG_MRG_TABLE).</summary>
    AdminWrongMergeTable = 1472,
    /// <summary>Error 1473 (ER_TOO_HIGH_LEVEL_OF_NESTING_FOR_SELECT).</summary>
    TooHighLevelOfNestingForSelect = 1473,
    /// <summary>Error 1474 (ER_NAME_BECOMES_EMPTY).</summary>
    NameBecomesEmpty = 1474,
    /// <summary>Error 1475 (ER_AMBIGUOUS_FIELD_TERM).</summary>
    AmbiguousFieldTerm = 1475,
    /// <summary>Error 1476 (ER_FOREIGN_SERVER_EXISTS).</summary>
    ForeignServerExists = 1476,
    /// <summary>Error 1477 (ER_FOREIGN_SERVER_DOESNT_EXIST).</summary>
    ForeignServerDoesNotExist = 1477,
    /// <summary>Error 1478 (ER_ILLEGAL_HA_CREATE_OPTION).</summary>
    IllegalHACreateOption = 1478,
    /// <summary>Error 1479 (ER_PARTITION_REQUIRES_VALUES_ERROR).</summary>
    PartitionRequiresValues = 1479,
    /// <summary>Error 1480 (ER_PARTITION_WRONG_VALUES_ERROR).</summary>
    PartitionWrongValues = 1480,
    /// <summary>Error 1481 (ER_PARTITION_MAXVALUE_ERROR).</summary>
    PartitionMaxValue = 1481,
    /// <summary>Error 1482 (ER_PARTITION_SUBPARTITION_ERROR).</summary>
    PartitionSubPartition = 1482,
    /// <summary>Error 1483 (ER_PARTITION_SUBPART_MIX_ERROR).</summary>
    PartitionSubPartMix = 1483,
    /// <summary>Error 1484 (ER_PARTITION_WRONG_NO_PART_ERROR).</summary>
    PartitionWrongNoPart = 1484,
    /// <summary>Error 1485 (ER_PARTITION_WRONG_NO_SUBPART_ERROR).</summary>
    PartitionWrongNoSubPart = 1485,
    /// <summary>Error 1486 (ER_WRONG_EXPR_IN_PARTITION_FUNC_ERROR).</summary>
    WrongExpressionInParitionFunction = 1486,
    /// <summary>Error 1487 (ER_NOT_CONSTANT_EXPRESSION).</summary>
    NoConstantExpressionInRangeOrListError = 1487,
    /// <summary>Error 1488 (ER_FIELD_NOT_FOUND_PART_ERROR).</summary>
    FieldNotFoundPartitionErrror = 1488,
    /// <summary>Error 1489 (ER_LIST_OF_FIELDS_ONLY_IN_HASH_ERROR).</summary>
    ListOfFieldsOnlyInHash = 1489,
    /// <summary>Error 1490 (ER_INCONSISTENT_PARTITION_INFO_ERROR).</summary>
    InconsistentPartitionInfo = 1490,
    /// <summary>Error 1491 (ER_PARTITION_FUNC_NOT_ALLOWED_ERROR).</summary>
    PartitionFunctionNotAllowed = 1491,
    /// <summary>Error 1492 (ER_PARTITIONS_MUST_BE_DEFINED_ERROR).</summary>
    PartitionsMustBeDefined = 1492,
    /// <summary>Error 1493 (ER_RANGE_NOT_INCREASING_ERROR).</summary>
    RangeNotIncreasing = 1493,
    /// <summary>Error 1494 (ER_INCONSISTENT_TYPE_OF_FUNCTIONS_ERROR).</summary>
    InconsistentTypeOfFunctions = 1494,
    /// <summary>Error 1495 (ER_MULTIPLE_DEF_CONST_IN_LIST_PART_ERROR).</summary>
    MultipleDefinitionsConstantInListPartition = 1495,
    /// <summary>Error 1496 (ER_PARTITION_ENTRY_ERROR).</summary>
    PartitionEntryError = 1496,
    /// <summary>Error 1497 (ER_MIX_HANDLER_ERROR).</summary>
    MixHandlerError = 1497,
    /// <summary>Error 1498 (ER_PARTITION_NOT_DEFINED_ERROR).</summary>
    PartitionNotDefined = 1498,
    /// <summary>Error 1499 (ER_TOO_MANY_PARTITIONS_ERROR).</summary>
    TooManyPartitions = 1499,
    /// <summary>Error 1500 (ER_SUBPARTITION_ERROR).</summary>
    SubPartitionError = 1500,
    /// <summary>Error 1501 (ER_CANT_CREATE_HANDLER_FILE).</summary>
    CannotCreateHandlerFile = 1501,
    /// <summary>Error 1502 (ER_BLOB_FIELD_IN_PART_FUNC_ERROR).</summary>
    BlobFieldInPartitionFunction = 1502,
    /// <summary>Error 1503 (ER_UNIQUE_KEY_NEED_ALL_FIELDS_IN_PF).</summary>
    UniqueKeyNeedAllFieldsInPartitioningFunction = 1503,
    /// <summary>Error 1504 (ER_NO_PARTS_ERROR).</summary>
    NoPartitions = 1504,
    /// <summary>Error 1505 (ER_PARTITION_MGMT_ON_NONPARTITIONED).</summary>
    PartitionManagementOnNoPartitioned = 1505,
    /// <summary>Error 1506 (ER_FEATURE_NOT_SUPPORTED_WITH_PARTITIONING).</summary>
    ForeignKeyOnPartitioned = 1506,
    /// <summary>Error 1507 (ER_PARTITION_DOES_NOT_EXIST).</summary>
    DropPartitionNonExistent = 1507,
    /// <summary>Error 1508 (ER_DROP_LAST_PARTITION).</summary>
    DropLastPartition = 1508,
    /// <summary>Error 1509 (ER_COALESCE_ONLY_ON_HASH_PARTITION).</summary>
    CoalesceOnlyOnHashPartition = 1509,
    /// <summary>Error 1510 (ER_REORG_HASH_ONLY_ON_SAME_NO).</summary>
    ReorganizeHashOnlyOnSameNumber = 1510,
    /// <summary>Error 1511 (ER_REORG_NO_PARAM_ERROR).</summary>
    ReorganizeNoParameter = 1511,
    /// <summary>Error 1512 (ER_ONLY_ON_RANGE_LIST_PARTITION).</summary>
    OnlyOnRangeListPartition = 1512,
    /// <summary>Error 1513 (ER_ADD_PARTITION_SUBPART_ERROR).</summary>
    AddPartitionSubPartition = 1513,
    /// <summary>Error 1514 (ER_ADD_PARTITION_NO_NEW_PARTITION).</summary>
    AddPartitionNoNewPartition = 1514,
    /// <summary>Error 1515 (ER_COALESCE_PARTITION_NO_PARTITION).</summary>
    CoalescePartitionNoPartition = 1515,
    /// <summary>Error 1516 (ER_REORG_PARTITION_NOT_EXIST).</summary>
    ReorganizePartitionNotExist = 1516,
    /// <summary>Error 1517 (ER_SAME_NAME_PARTITION).</summary>
    SameNamePartition = 1517,
    /// <summary>Error 1518 (ER_NO_BINLOG_ERROR).</summary>
    NoBinLog = 1518,
    /// <summary>Error 1519 (ER_CONSECUTIVE_REORG_PARTITIONS).</summary>
    ConsecutiveReorganizePartitions = 1519,
    /// <summary>Error 1520 (ER_REORG_OUTSIDE_RANGE).</summary>
    ReorganizeOutsideRange = 1520,
    /// <summary>Error 1521 (ER_PARTITION_FUNCTION_FAILURE).</summary>
    PartitionFunctionFailure = 1521,
    /// <summary>Error 1522 (ER_PART_STATE_ERROR).</summary>
    PartitionStateError = 1522,
    /// <summary>Error 1523 (ER_LIMITED_PART_RANGE).</summary>
    LimitedPartitionRange = 1523,
    /// <summary>Error 1524 (ER_PLUGIN_IS_NOT_LOADED).</summary>
    PluginIsNotLoaded = 1524,
    /// <summary>Error 1525 (ER_WRONG_VALUE): the value is not one of this kind.</summary>
    WrongValue = 1525,
    /// <summary>Error 1526 (ER_NO_PARTITION_FOR_GIVEN_VALUE): no partition accepts this value.</summary>
    NoPartitionForGivenValue = 1526,
    /// <summary>Error 1527 (ER_FILEGROUP_OPTION_ONLY_ONCE).</summary>
    FileGroupOptionOnlyOnce = 1527,
    /// <summary>Error 1528 (ER_CREATE_FILEGROUP_FAILED).</summary>
    CreateFileGroupFailed = 1528,
    /// <summary>Error 1529 (ER_DROP_FILEGROUP_FAILED).</summary>
    DropFileGroupFailed = 1529,
    /// <summary>Error 1530 (ER_TABLESPACE_AUTO_EXTEND_ERROR).</summary>
    TableSpaceAutoExtend = 1530,
    /// <summary>Error 1531 (ER_WRONG_SIZE_NUMBER).</summary>
    WrongSizeNumber = 1531,
    /// <summary>Error 1532 (ER_SIZE_OVERFLOW_ERROR).</summary>
    SizeOverflow = 1532,
    /// <summary>Error 1533 (ER_ALTER_FILEGROUP_FAILED).</summary>
    AlterFileGroupFailed = 1533,
    /// <summary>Error 1534 (ER_BINLOG_ROW_LOGGING_FAILED).</summary>
    BinLogRowLogginFailed = 1534,
    /// <summary>Error 1535 (ER_BINLOG_ROW_WRONG_TABLE_DEF).</summary>
    BinLogRowWrongTableDefinition = 1535,
    /// <summary>Error 1536 (ER_BINLOG_ROW_RBR_TO_SBR).</summary>
    BinLogRowRBRToSBR = 1536,
    /// <summary>Error 1537 (ER_EVENT_ALREADY_EXISTS).</summary>
    EventAlreadyExists = 1537,
    /// <summary>Error 1538 (ER_EVENT_STORE_FAILED).</summary>
    EventStoreFailed = 1538,
    /// <summary>Error 1539 (ER_EVENT_DOES_NOT_EXIST).</summary>
    EventDoesNotExist = 1539,
    /// <summary>Error 1540 (ER_EVENT_CANT_ALTER).</summary>
    EventCannotAlter = 1540,
    /// <summary>Error 1541 (ER_EVENT_DROP_FAILED).</summary>
    EventDropFailed = 1541,
    /// <summary>Error 1542 (ER_EVENT_INTERVAL_NOT_POSITIVE_OR_TOO_BIG).</summary>
    EventIntervalNotPositiveOrTooBig = 1542,
    /// <summary>Error 1543 (ER_EVENT_ENDS_BEFORE_STARTS).</summary>
    EventEndsBeforeStarts = 1543,
    /// <summary>Error 1544 (ER_EVENT_EXEC_TIME_IN_THE_PAST).</summary>
    EventExecTimeInThePast = 1544,
    /// <summary>Error 1545 (ER_EVENT_OPEN_TABLE_FAILED).</summary>
    EventOpenTableFailed = 1545,
    /// <summary>Error 1546 (ER_EVENT_NEITHER_M_EXPR_NOR_M_AT).</summary>
    EventNeitherMExpresssionNorMAt = 1546,
    /// <summary>Error 1547 (ER_COL_COUNT_DOESNT_MATCH_CORRUPTED).</summary>
    ColumnCountDoesNotMatchCorrupted = 1547,
    /// <summary>Error 1548 (ER_CANNOT_LOAD_FROM_TABLE).</summary>
    CannotLoadFromTable = 1548,
    /// <summary>Error 1549 (ER_EVENT_CANNOT_DELETE).</summary>
    EventCannotDelete = 1549,
    /// <summary>Error 1550 (ER_EVENT_COMPILE_ERROR).</summary>
    EventCompileError = 1550,
    /// <summary>Error 1551 (ER_EVENT_SAME_NAME).</summary>
    EventSameName = 1551,
    /// <summary>Error 1552 (ER_EVENT_DATA_TOO_LONG).</summary>
    EventDataTooLong = 1552,
    /// <summary>Error 1553 (ER_DROP_INDEX_FK).</summary>
    DropIndexForeignKey = 1553,
    /// <summary>Error 1554 (ER_WARN_DEPRECATED_SYNTAX_WITH_VER).</summary>
    WarningDeprecatedSyntaxWithVersion = 1554,
    /// <summary>Error 1555 (ER_CANT_WRITE_LOCK_LOG_TABLE).</summary>
    CannotWriteLockLogTable = 1555,
    /// <summary>Error 1556 (ER_CANT_LOCK_LOG_TABLE).</summary>
    CannotLockLogTable = 1556,
    /// <summary>Error 1557 (ER_FOREIGN_DUPLICATE_KEY).</summary>
    ForeignDuplicateKey = 1557,
    /// <summary>Error 1558 (ER_COL_COUNT_DOESNT_MATCH_PLEASE_UPDATE).</summary>
    ColumnCountDoesNotMatchPleaseUpdate = 1558,
    /// <summary>Error 1559 (ER_TEMP_TABLE_PREVENTS_SWITCH_OUT_OF_RBR).</summary>
    TemoraryTablePreventSwitchOutOfRBR = 1559,
    /// <summary>Error 1560 (ER_STORED_FUNCTION_PREVENTS_SWITCH_BINLOG_FORMAT).</summary>
    StoredFunctionPreventsSwitchBinLogFormat = 1560,
    /// <summary>Error 1561 (ER_NDB_CANT_SWITCH_BINLOG_FORMAT).</summary>
    NDBCannotSwitchBinLogFormat = 1561,
    /// <summary>Error 1562 (ER_PARTITION_NO_TEMPORARY).</summary>
    PartitionNoTemporary = 1562,
    /// <summary>Error 1563 (ER_PARTITION_CONST_DOMAIN_ERROR).</summary>
    PartitionConstantDomain = 1563,
    /// <summary>Error 1564 (ER_PARTITION_FUNCTION_IS_NOT_ALLOWED).</summary>
    PartitionFunctionIsNotAllowed = 1564,
    /// <summary>Error 1565 (ER_DDL_LOG_ERROR).</summary>
    DDLLogError = 1565,
    /// <summary>Error 1566 (ER_NULL_IN_VALUES_LESS_THAN).</summary>
    NullInValuesLessThan = 1566,
    /// <summary>Error 1567 (ER_WRONG_PARTITION_NAME).</summary>
    WrongPartitionName = 1567,
    /// <summary>Error 1568 (ER_CANT_CHANGE_TX_CHARACTERISTICS, SQLSTATE 25001): not allowed while a transaction is open.</summary>
    CannotChangeTransactionIsolation = 1568,
    /// <summary>Error 1569 (ER_DUP_ENTRY_AUTOINCREMENT_CASE).</summary>
    DuplicateEntryAutoIncrementCase = 1569,
    /// <summary>Error 1570 (ER_EVENT_MODIFY_QUEUE_ERROR).</summary>
    EventModifyQueueError = 1570,
    /// <summary>Error 1571 (ER_EVENT_SET_VAR_ERROR).</summary>
    EventSetVariableError = 1571,
    /// <summary>Error 1572 (ER_PARTITION_MERGE_ERROR).</summary>
    PartitionMergeError = 1572,
    /// <summary>Error 1573 (ER_CANT_ACTIVATE_LOG).</summary>
    CannotActivateLog = 1573,
    /// <summary>Error 1574 (ER_RBR_NOT_AVAILABLE).</summary>
    RBRNotAvailable = 1574,
    /// <summary>Error 1575 (ER_BASE64_DECODE_ERROR).</summary>
    Base64DecodeError = 1575,
    /// <summary>Error 1576 (ER_EVENT_RECURSION_FORBIDDEN).</summary>
    EventRecursionForbidden = 1576,
    /// <summary>Error 1577 (ER_EVENTS_DB_ERROR).</summary>
    EventsDatabaseError = 1577,
    /// <summary>Error 1578 (ER_ONLY_INTEGERS_ALLOWED).</summary>
    OnlyIntegersAllowed = 1578,
    /// <summary>Error 1579 (ER_UNSUPORTED_LOG_ENGINE).</summary>
    UnsupportedLogEngine = 1579,
    /// <summary>Error 1580 (ER_BAD_LOG_STATEMENT).</summary>
    BadLogStatement = 1580,
    /// <summary>Error 1581 (ER_CANT_RENAME_LOG_TABLE).</summary>
    CannotRenameLogTable = 1581,
    /// <summary>Error 1582 (ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT, SQLSTATE 42000): the number of arguments of the function is wrong.</summary>
    WrongParameterCountToNativeFCT = 1582,
    /// <summary>Error 1583 (ER_WRONG_PARAMETERS_TO_NATIVE_FCT, SQLSTATE 42000).</summary>
    WrongParametersToNativeFCT = 1583,
    /// <summary>Error 1584 (ER_WRONG_PARAMETERS_TO_STORED_FCT, SQLSTATE 42000).</summary>
    WrongParametersToStoredFCT = 1584,
    /// <summary>Error 1585 (ER_NATIVE_FCT_NAME_COLLISION).</summary>
    NativeFCTNameCollision = 1585,
    /// <summary>Error 1586 (ER_DUP_ENTRY_WITH_KEY_NAME, SQLSTATE 23000): a row with this key exists; the message names the index.</summary>
    DuplicateEntryWithKeyName = 1586,
    /// <summary>Error 1587 (ER_BINLOG_PURGE_EMFILE).</summary>
    BinLogPurgeEMFile = 1587,
    /// <summary>Error 1588 (ER_EVENT_CANNOT_CREATE_IN_THE_PAST).</summary>
    EventCannotCreateInThePast = 1588,
    /// <summary>Error 1589 (ER_EVENT_CANNOT_ALTER_IN_THE_PAST).</summary>
    EventCannotAlterInThePast = 1589,
    /// <summary>Error 1590 (ER_SLAVE_INCIDENT).</summary>
    SlaveIncident = 1590,
    /// <summary>Error 1591 (ER_NO_PARTITION_FOR_GIVEN_VALUE_SILENT).</summary>
    NoPartitionForGivenValueSilent = 1591,
    /// <summary>Error 1592 (ER_BINLOG_UNSAFE_STATEMENT): the statement may have another effect on a replica.</summary>
    BinLogUnsafeStatement = 1592,
    /// <summary>Error 1593 (ER_SLAVE_FATAL_ERROR).</summary>
    SlaveFatalError = 1593,
    /// <summary>Error 1594 (ER_SLAVE_RELAY_LOG_READ_FAILURE).</summary>
    SlaveRelayLogReadFailure = 1594,
    /// <summary>Error 1595 (ER_SLAVE_RELAY_LOG_WRITE_FAILURE).</summary>
    SlaveRelayLogWriteFailure = 1595,
    /// <summary>Error 1596 (ER_SLAVE_CREATE_EVENT_FAILURE).</summary>
    SlaveCreateEventFailure = 1596,
    /// <summary>Error 1597 (ER_SLAVE_MASTER_COM_FAILURE).</summary>
    SlaveMasterComFailure = 1597,
    /// <summary>Error 1598 (ER_BINLOG_LOGGING_IMPOSSIBLE).</summary>
    BinLogLoggingImpossible = 1598,
    /// <summary>Error 1599 (ER_VIEW_NO_CREATION_CTX).</summary>
    ViewNoCreationContext = 1599,
    /// <summary>Error 1600 (ER_VIEW_INVALID_CREATION_CTX).</summary>
    ViewInvalidCreationContext = 1600,
    /// <summary>Error 1601 (ER_SR_INVALID_CREATION_CTX).</summary>
    StoredRoutineInvalidCreateionContext = 1601,
    /// <summary>Error 1602 (ER_TRG_CORRUPTED_FILE).</summary>
    TiggerCorruptedFile = 1602,
    /// <summary>Error 1603 (ER_TRG_NO_CREATION_CTX).</summary>
    TriggerNoCreationContext = 1603,
    /// <summary>Error 1604 (ER_TRG_INVALID_CREATION_CTX).</summary>
    TriggerInvalidCreationContext = 1604,
    /// <summary>Error 1605 (ER_EVENT_INVALID_CREATION_CTX).</summary>
    EventInvalidCreationContext = 1605,
    /// <summary>Error 1606 (ER_TRG_CANT_OPEN_TABLE).</summary>
    TriggerCannotOpenTable = 1606,
    /// <summary>Error 1607 (ER_CANT_CREATE_SROUTINE).</summary>
    CannotCreateSubRoutine = 1607,
    /// <summary>A misspelling of <see cref="CannotCreateSubRoutine"/>.</summary>
    [Obsolete("Use CannotCreateSubRoutine.")]
    CannoCreateSubRoutine = 1607,
    /// <summary>Error 1608 (ER_SLAVE_AMBIGOUS_EXEC_MODE).</summary>
    SlaveAmbiguousExecMode = 1608,
    /// <summary>Error 1609 (ER_NO_FORMAT_DESCRIPTION_EVENT_BEFORE_BINLOG_STATEMENT).</summary>
    NoFormatDescriptionEventBeforeBinLogStatement = 1609,
    /// <summary>Error 1610 (ER_SLAVE_CORRUPT_EVENT).</summary>
    SlaveCorruptEvent = 1610,
    /// <summary>Error 1611 (ER_LOAD_DATA_INVALID_COLUMN).</summary>
    LoadDataInvalidColumn = 1611,
    /// <summary>Error 1612 (ER_LOG_PURGE_NO_FILE).</summary>
    LogPurgeNoFile = 1612,
    /// <summary>Error 1613 (ER_XA_RBTIMEOUT, SQLSTATE XA106): the XA transaction was rolled back: it took too long.</summary>
    XARBTimeout = 1613,
    /// <summary>Error 1614 (ER_XA_RBDEADLOCK, SQLSTATE XA102): the XA transaction was rolled back: deadlock.</summary>
    XARBDeadlock = 1614,
    /// <summary>Error 1615 (ER_NEED_REPREPARE): the prepared statement must be prepared again.</summary>
    NeedRePrepare = 1615,
    /// <summary>Error 1616 (ER_DELAYED_NOT_SUPPORTED).</summary>
    DelayedNotSupported = 1616,
    /// <summary>Error 1617 (WARN_NO_MASTER_INFO).</summary>
    WarningNoMasterInfo = 1617,
    /// <summary>Error 1618 (WARN_OPTION_IGNORED).</summary>
    WarningOptionIgnored = 1618,
    /// <summary>Error 1619 (ER_PLUGIN_DELETE_BUILTIN).</summary>
    WarningPluginDeleteBuiltIn = 1619,
    /// <summary>Error 1620 (WARN_PLUGIN_BUSY).</summary>
    WarningPluginBusy = 1620,
    /// <summary>Error 1621 (ER_VARIABLE_IS_READONLY).</summary>
    VariableIsReadonly = 1621,
    /// <summary>Error 1622 (ER_WARN_ENGINE_TRANSACTION_ROLLBACK).</summary>
    WarningEngineTransactionRollback = 1622,
    /// <summary>Error 1623 (ER_SLAVE_HEARTBEAT_FAILURE).</summary>
    SlaveHeartbeatFailure = 1623,
    /// <summary>Error 1624 (ER_SLAVE_HEARTBEAT_VALUE_OUT_OF_RANGE).</summary>
    SlaveHeartbeatValueOutOfRange = 1624,
    /// <summary>Error 1625 (ER_NDB_REPLICATION_SCHEMA_ERROR).</summary>
    NDBReplicationSchemaError = 1625,
    /// <summary>Error 1626 (ER_CONFLICT_FN_PARSE_ERROR).</summary>
    ConflictFunctionParseError = 1626,
    /// <summary>Error 1627 (ER_EXCEPTIONS_WRITE_ERROR).</summary>
    ExcepionsWriteError = 1627,
    /// <summary>Error 1628 (ER_TOO_LONG_TABLE_COMMENT).</summary>
    TooLongTableComment = 1628,
    /// <summary>Error 1629 (ER_TOO_LONG_FIELD_COMMENT).</summary>
    TooLongFieldComment = 1629,
    /// <summary>Error 1630 (ER_FUNC_INEXISTENT_NAME_COLLISION, SQLSTATE 42000).</summary>
    FunctionInExistentNameCollision = 1630,
    /// <summary>Error 1631 (ER_DATABASE_NAME).</summary>
    DatabaseNameError = 1631,
    /// <summary>Error 1632 (ER_TABLE_NAME).</summary>
    TableNameErrror = 1632,
    /// <summary>Error 1633 (ER_PARTITION_NAME).</summary>
    PartitionNameError = 1633,
    /// <summary>Error 1634 (ER_SUBPARTITION_NAME).</summary>
    SubPartitionNameError = 1634,
    /// <summary>Error 1635 (ER_TEMPORARY_NAME).</summary>
    TemporaryNameError = 1635,
    /// <summary>Error 1636 (ER_RENAMED_NAME).</summary>
    RenamedNameError = 1636,
    /// <summary>Error 1637 (ER_TOO_MANY_CONCURRENT_TRXS): too many transactions at once.</summary>
    TooManyConcurrentTransactions = 1637,
    /// <summary>Error 1638 (WARN_NON_ASCII_SEPARATOR_NOT_IMPLEMENTED).</summary>
    WarningNonASCIISeparatorNotImplemented = 1638,
    /// <summary>Error 1639 (ER_DEBUG_SYNC_TIMEOUT).</summary>
    DebugSyncTimeout = 1639,
    /// <summary>Error 1640 (ER_DEBUG_SYNC_HIT_LIMIT).</summary>
    DebugSyncHitLimit = 1640,
    /// <summary>Error 1681 (ER_WARN_DEPRECATED_SYNTAX_NO_REPLACEMENT).</summary>
    WarnDeprecatedSyntaxNoReplacement = 1681,
    /// <summary>Error 1688 (ER_TOO_LONG_INDEX_COMMENT).</summary>
    TooLongIndexComment = 1688,
    /// <summary>Error 1689 (ER_LOCK_ABORTED): waiting for a lock was aborted.</summary>
    LockAborted = 1689,
    /// <summary>Error 1690 (ER_DATA_OUT_OF_RANGE, SQLSTATE 22003): the result is outside the type's range.</summary>
    DataOutOfRange = 1690,
    /// <summary>Error 1792 (ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, SQLSTATE 25006): the transaction is read-only.</summary>
    CannotExecuteInReadOnlyTransaction = 1792,
    /// <summary>Error 1874 (ER_INNODB_READ_ONLY): InnoDB is read-only.</summary>
    InnodbReadOnly = 1874,
    /// <summary>Error 1877 (ER_TABLE_CORRUPT): the table is damaged.</summary>
    TableCorrupt = 1877,
    /// <summary>Error 1878 (ER_TEMP_FILE_WRITE_FAILURE).</summary>
    TempFileWriteFailure = 1878,
    /// <summary>Error 3012 (ER_EXPLAIN_NOT_SUPPORTED).</summary>
    ExplainNotSupported = 3012,
    /// <summary>Error 3013 (ER_INVALID_FIELD_SIZE).</summary>
    InvalidFieldSize = 3013,
    /// <summary>Error 3024 (ER_QUERY_TIMEOUT): the statement exceeded max_execution_time.</summary>
    QueryTimeout = 3024,
    /// <summary>Error 3057 (ER_USER_LOCK_WRONG_NAME).</summary>
    UserLockWrongName = 3057,
    /// <summary>Error 3058 (ER_USER_LOCK_DEADLOCK): waiting for this user lock would be a deadlock.</summary>
    UserLockDeadlock = 3058,
    /// <summary>Error 3069 (ER_INVALID_JSON_DATA).</summary>
    InvalidJsonData = 3069,
    /// <summary>Error 3140 (ER_INVALID_JSON_TEXT, SQLSTATE 22032): the text is not JSON.</summary>
    InvalidJsonText = 3140,
    /// <summary>Error 3141 (ER_INVALID_JSON_TEXT_IN_PARAM, SQLSTATE 22032): the argument is not JSON.</summary>
    InvalidJsonTextInParam = 3141,
    /// <summary>Error 3142 (ER_INVALID_JSON_BINARY_DATA).</summary>
    InvalidJsonBinaryData = 3142,
    /// <summary>Error 3143 (ER_INVALID_JSON_PATH, SQLSTATE 42000): the path is not a JSON path.</summary>
    InvalidJsonPath = 3143,
    /// <summary>Error 3144 (ER_INVALID_JSON_CHARSET, SQLSTATE 22032).</summary>
    InvalidJsonCharset = 3144,
    /// <summary>Error 3145 (ER_INVALID_JSON_CHARSET_IN_FUNCTION).</summary>
    InvalidJsonCharsetInFunction = 3145,
    /// <summary>Error 3146 (ER_INVALID_TYPE_FOR_JSON).</summary>
    InvalidTypeForJson = 3146,
    /// <summary>Error 3147 (ER_INVALID_CAST_TO_JSON).</summary>
    InvalidCastToJson = 3147,
    /// <summary>Error 3148 (ER_INVALID_JSON_PATH_CHARSET).</summary>
    InvalidJsonPathCharset = 3148,
    /// <summary>Error 3149 (ER_INVALID_JSON_PATH_WILDCARD).</summary>
    InvalidJsonPathWildcard = 3149,
    /// <summary>Error 3150 (ER_JSON_VALUE_TOO_BIG).</summary>
    JsonValueTooBig = 3150,
    /// <summary>Error 3151 (ER_JSON_KEY_TOO_BIG).</summary>
    JsonKeyTooBig = 3151,
    /// <summary>Error 3152 (ER_JSON_USED_AS_KEY).</summary>
    JsonUsedAsKey = 3152,
    /// <summary>Error 3153 (ER_JSON_VACUOUS_PATH).</summary>
    JsonVacuousPath = 3153,
    /// <summary>Error 3154 (ER_JSON_BAD_ONE_OR_ALL_ARG).</summary>
    JsonBadOneOrAllArg = 3154,
    /// <summary>Error 3155 (ER_NUMERIC_JSON_VALUE_OUT_OF_RANGE).</summary>
    NumericJsonValueOutOfRange = 3155,
    /// <summary>Error 3156 (ER_INVALID_JSON_VALUE_FOR_CAST).</summary>
    InvalidJsonValueForCast = 3156,
    /// <summary>Error 3157 (ER_JSON_DOCUMENT_TOO_DEEP): the JSON document is nested too deeply.</summary>
    JsonDocumentTooDeep = 3157,
    /// <summary>Error 3158 (ER_JSON_DOCUMENT_NULL_KEY).</summary>
    JsonDocumentNullKey = 3158,
    /// <summary>Error 3165 (ER_INVALID_JSON_PATH_ARRAY_CELL).</summary>
    InvalidJsonPathArrayCell = 3165,
    /// <summary>Error 3503 (ER_NO_SUCH_DB).</summary>
    NoSuchDb = 3503,
    /// <summary>Error 3665 (ER_MISSING_JSON_TABLE_VALUE).</summary>
    MissingJsonTableValue = 3665,
    /// <summary>Error 3666 (ER_WRONG_JSON_TABLE_VALUE).</summary>
    WrongJsonTableValue = 3666,
    /// <summary>Error 3669 (ER_JT_VALUE_OUT_OF_RANGE).</summary>
    JsonTableValueOutOfRange = 3669,
    /// <summary>Error 3670 (ER_JT_MAX_NESTED_PATH).</summary>
    JsonTableMaxNestedPath = 3670,
    /// <summary>Error 3853 (ER_INVALID_JSON_TYPE).</summary>
    InvalidJsonType = 3853,
    /// <summary>Error 3854 (ER_CANNOT_CONVERT_STRING): the text cannot be converted between these character sets.</summary>
    CannotConvertString = 3854,
    /// <summary>Error 4031 (ER_CLIENT_INTERACTION_TIMEOUT): the server closed the connection after wait_timeout.</summary>
    ClientInteractionTimeout = 4031,
}
#pragma warning restore CA1069
