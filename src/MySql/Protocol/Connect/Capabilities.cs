namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// CLIENT_… flags: what both sides can do; what both announce is in force. Bits 32 and up are MariaDB's extended capabilities, which
/// travel in the four last bytes of what MySQL keeps as filler.
/// Source: "Capabilities Flags" (group__group__cs__capabilities__flags), MariaDB "Connection".
/// </summary>
[Flags]
internal enum Capabilities : ulong
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>
    /// MySQL's CLIENT_LONG_PASSWORD, always set there. MariaDB reads the bit as CLIENT_MYSQL: a server without it is a MariaDB and has extended capabilities.
    /// </summary>
    MySql = 1,

    /// <summary>Affected rows count the rows found, not the rows changed.</summary>
    FoundRows = 1 << 1,
    /// <summary>Column flags have two bytes.</summary>
    LongFlag = 1 << 2,
    /// <summary>The login names a database.</summary>
    ConnectWithDatabase = 1 << 3,
    /// <summary>Names may not have a database in front of the table. Not used.</summary>
    NoSchema = 1 << 4,
    /// <summary>The compressed protocol, with zlib.</summary>
    Compress = 1 << 5,
    /// <summary>No longer used by servers.</summary>
    Odbc = 1 << 6,
    /// <summary>The server may ask for a file of LOAD DATA LOCAL.</summary>
    LocalFiles = 1 << 7,
    /// <summary>Blanks may stand between a function's name and its parenthesis. Not used.</summary>
    IgnoreSpace = 1 << 8,
    /// <summary>The protocol of version 4.1, the only one that is spoken here.</summary>
    Protocol41 = 1 << 9,
    /// <summary>interactive_timeout counts in place of wait_timeout.</summary>
    Interactive = 1 << 10,
    /// <summary>TLS follows the greeting.</summary>
    Ssl = 1 << 11,
    /// <summary>A matter of the C client.</summary>
    IgnoreSigpipe = 1 << 12,
    /// <summary>The status flags tell of transactions.</summary>
    Transactions = 1 << 13,
    /// <summary>Was the mark of the 4.1 protocol; no longer used.</summary>
    Reserved = 1 << 14,
    /// <summary>Authentication with a nonce, as of 4.1.</summary>
    SecureConnection = 1 << 15,
    /// <summary>Several statements in one text.</summary>
    MultiStatements = 1 << 16,
    /// <summary>Several results of one text.</summary>
    MultiResults = 1 << 17,
    /// <summary>Several results of one prepared statement.</summary>
    PreparedMultiResults = 1 << 18,
    /// <summary>The authentication method is named.</summary>
    PluginAuthentication = 1 << 19,
    /// <summary>The login has connection attributes.</summary>
    ConnectionAttributes = 1 << 20,
    /// <summary>The login's answer may be longer than 255 bytes.</summary>
    LengthEncodedAuthentication = 1 << 21,
    /// <summary>A session with an expired password is let in, to change it.</summary>
    CanHandleExpiredPasswords = 1 << 22,
    /// <summary>OK packets tell what changed in the session.</summary>
    SessionTrack = 1 << 23,
    /// <summary>Results end with OK in place of EOF.</summary>
    DeprecateEof = 1 << 24,
    /// <summary>Column definitions may be left out.</summary>
    OptionalResultSetMetadata = 1 << 25,
    /// <summary>The compressed protocol, with zstd.</summary>
    ZstdCompression = 1 << 26,
    /// <summary>Commands may have query attributes.</summary>
    QueryAttributes = 1 << 27,
    /// <summary>Logins may ask for a second and third method.</summary>
    MultiFactorAuthentication = 1 << 28,

    /// <summary>MARIADB_CLIENT_PROGRESS.</summary>
    Progress = 1UL << 32,

    /// <summary>MARIADB_CLIENT_STMT_BULK_OPERATIONS; such a server also takes the statement id FFFFFFFF as "the last one prepared".</summary>
    BulkOperations = 1UL << 34,

    /// <summary>MARIADB_CLIENT_EXTENDED_METADATA.</summary>
    ExtendedMetadata = 1UL << 35,

    /// <summary>MARIADB_CLIENT_CACHE_METADATA: column definitions are left out when they are those of the last execution.</summary>
    CacheMetadata = 1UL << 36,

    /// <summary>MARIADB_CLIENT_BULK_UNIT_RESULTS.</summary>
    BulkUnitResults = 1UL << 37,
}
