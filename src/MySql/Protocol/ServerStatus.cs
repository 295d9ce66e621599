namespace Slipstream.MySql.Protocol;

/// <summary>SERVER_STATUS_… flags of an OK or EOF packet ("SERVER_STATUS_flags_enum", mysql_com.h).</summary>
[Flags]
public enum ServerStatus : ushort
{
    None = 0,
    InTransaction = 0x0001,
    Autocommit = 0x0002,
    MoreResultsExist = 0x0008,
    NoGoodIndexUsed = 0x0010,
    NoIndexUsed = 0x0020,
    CursorExists = 0x0040,
    LastRowSent = 0x0080,
    DatabaseDropped = 0x0100,
    NoBackslashEscapes = 0x0200,

    /// <summary>After a PREPARE was silently repeated the column definitions differ from those of before.</summary>
    MetadataChanged = 0x0400,
    QueryWasSlow = 0x0800,

    /// <summary>The result set holds the output parameters of a CALL.</summary>
    OutParameters = 0x1000,
    InReadOnlyTransaction = 0x2000,

    /// <summary>The OK packet holds session state information.</summary>
    SessionStateChanged = 0x4000,

    /// <summary>MariaDB only: ANSI_QUOTES is in force.</summary>
    AnsiQuotes = 0x8000,
}
