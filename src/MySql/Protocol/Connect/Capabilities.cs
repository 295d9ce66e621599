namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// CLIENT_… flags. A capability is in force if both sides announce it. Bits 32 and up are MariaDB's extended capabilities. They travel in the last four bytes
/// of a field that is filler in MySQL.
/// Source: "Capabilities Flags" (group__group__cs__capabilities__flags), MariaDB "Connection".
/// </summary>
[Flags]
internal enum Capabilities : ulong
{
    /// <summary>No capability.</summary>
    None = 0,

    /// <summary>
    /// MySQL's CLIENT_LONG_PASSWORD, which MySQL always sets. MariaDB reads the bit as CLIENT_MYSQL: a server without the bit is MariaDB and has extended
    /// capabilities.
    /// </summary>
    MySql = 1,

    /// <summary>Affected rows count the rows found instead of the rows changed.</summary>
    FoundRows = 1 << 1,
    /// <summary>Column flags have 2 bytes.</summary>
    LongFlag = 1 << 2,
    /// <summary>The login contains a database name.</summary>
    ConnectWithDatabase = 1 << 3,
    /// <summary>A table name must not be qualified with a database. Not used.</summary>
    NoSchema = 1 << 4,
    /// <summary>The compressed protocol with zlib.</summary>
    Compress = 1 << 5,
    /// <summary>Servers no longer use this flag.</summary>
    Odbc = 1 << 6,
    /// <summary>The server may request a file for LOAD DATA LOCAL.</summary>
    LocalFiles = 1 << 7,
    /// <summary>Spaces are allowed between a function's name and its parenthesis. Not used.</summary>
    IgnoreSpace = 1 << 8,
    /// <summary>The protocol of version 4.1, the only one that the driver supports.</summary>
    Protocol41 = 1 << 9,
    /// <summary>interactive_timeout applies instead of wait_timeout.</summary>
    Interactive = 1 << 10,
    /// <summary>TLS begins after the greeting.</summary>
    Ssl = 1 << 11,
    /// <summary>Concerns only the C client library.</summary>
    IgnoreSigpipe = 1 << 12,
    /// <summary>The status flags report transactions.</summary>
    Transactions = 1 << 13,
    /// <summary>Formerly the flag of the 4.1 protocol; no longer used.</summary>
    Reserved = 1 << 14,
    /// <summary>Authentication uses a nonce, as in version 4.1 and later.</summary>
    SecureConnection = 1 << 15,
    /// <summary>One text may contain several statements.</summary>
    MultiStatements = 1 << 16,
    /// <summary>One text may return several results.</summary>
    MultiResults = 1 << 17,
    /// <summary>One prepared statement may return several results.</summary>
    PreparedMultiResults = 1 << 18,
    /// <summary>The login names the authentication method.</summary>
    PluginAuthentication = 1 << 19,
    /// <summary>The login contains connection attributes.</summary>
    ConnectionAttributes = 1 << 20,
    /// <summary>The authentication response of the login may be longer than 255 bytes.</summary>
    LengthEncodedAuthentication = 1 << 21,
    /// <summary>The server accepts the login of a user with an expired password, so that the user can change it.</summary>
    CanHandleExpiredPasswords = 1 << 22,
    /// <summary>OK packets report changes of the session state.</summary>
    SessionTrack = 1 << 23,
    /// <summary>Result sets end with OK instead of EOF.</summary>
    DeprecateEof = 1 << 24,
    /// <summary>The server may omit column definitions.</summary>
    OptionalResultSetMetadata = 1 << 25,
    /// <summary>The compressed protocol with zstd.</summary>
    ZstdCompression = 1 << 26,
    /// <summary>Commands may contain query attributes.</summary>
    QueryAttributes = 1 << 27,
    /// <summary>A login may require a second and a third authentication method.</summary>
    MultiFactorAuthentication = 1 << 28,

    /// <summary>MARIADB_CLIENT_PROGRESS.</summary>
    Progress = 1UL << 32,

    /// <summary>MARIADB_CLIENT_STMT_BULK_OPERATIONS. Such a server also accepts the statement ID FFFFFFFF for the statement prepared last.</summary>
    BulkOperations = 1UL << 34,

    /// <summary>MARIADB_CLIENT_EXTENDED_METADATA.</summary>
    ExtendedMetadata = 1UL << 35,

    /// <summary>MARIADB_CLIENT_CACHE_METADATA: the server omits column definitions that are the same as in the last execution.</summary>
    CacheMetadata = 1UL << 36,

    /// <summary>MARIADB_CLIENT_BULK_UNIT_RESULTS.</summary>
    BulkUnitResults = 1UL << 37,
}
