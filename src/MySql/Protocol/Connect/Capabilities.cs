namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// CLIENT_… flags: what both sides can do; what both announce is in force. Bits 32 and up are MariaDB's extended capabilities, which
/// travel in the four last bytes of what MySQL keeps as filler.
/// Source: "Capabilities Flags" (group__group__cs__capabilities__flags), MariaDB "Connection".
/// </summary>
[Flags]
public enum Capabilities : ulong
{
    None = 0,

    /// <summary>MySQL's CLIENT_LONG_PASSWORD, always set there. MariaDB reads the bit as CLIENT_MYSQL: a server without it is a MariaDB and has extended capabilities.</summary>
    MySql = 1,

    /// <summary>Affected rows count the rows found, not the rows changed.</summary>
    FoundRows = 1 << 1,
    LongFlag = 1 << 2,
    ConnectWithDatabase = 1 << 3,
    NoSchema = 1 << 4,
    Compress = 1 << 5,
    Odbc = 1 << 6,
    LocalFiles = 1 << 7,
    IgnoreSpace = 1 << 8,
    Protocol41 = 1 << 9,
    Interactive = 1 << 10,
    Ssl = 1 << 11,
    IgnoreSigpipe = 1 << 12,
    Transactions = 1 << 13,
    Reserved = 1 << 14,
    SecureConnection = 1 << 15,
    MultiStatements = 1 << 16,
    MultiResults = 1 << 17,
    PreparedMultiResults = 1 << 18,
    PluginAuthentication = 1 << 19,
    ConnectionAttributes = 1 << 20,
    LengthEncodedAuthentication = 1 << 21,
    CanHandleExpiredPasswords = 1 << 22,
    SessionTrack = 1 << 23,
    DeprecateEof = 1 << 24,
    OptionalResultSetMetadata = 1 << 25,
    ZstdCompression = 1 << 26,
    QueryAttributes = 1 << 27,
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
