namespace Slipstream.MySql.Protocol;

/// <summary>SERVER_STATUS_… flags of an OK or EOF packet ("SERVER_STATUS_flags_enum", mysql_com.h).</summary>
[Flags]
internal enum ServerStatus : ushort
{
    /// <summary>No flag.</summary>
    None = 0,
    /// <summary>A transaction is open.</summary>
    InTransaction = 0x0001,
    /// <summary>Autocommit is on: each statement commits by itself.</summary>
    Autocommit = 0x0002,
    /// <summary>Another result follows.</summary>
    MoreResultsExist = 0x0008,
    /// <summary>The query found no good index.</summary>
    NoGoodIndexUsed = 0x0010,
    /// <summary>The query used no index.</summary>
    NoIndexUsed = 0x0020,
    /// <summary>A cursor is open and has rows.</summary>
    CursorExists = 0x0040,
    /// <summary>The cursor has no more rows.</summary>
    LastRowSent = 0x0080,
    /// <summary>A database was dropped.</summary>
    DatabaseDropped = 0x0100,
    /// <summary>NO_BACKSLASH_ESCAPES is in force: a backslash in a string literal is an ordinary character.</summary>
    NoBackslashEscapes = 0x0200,

    /// <summary>The server prepared the statement again, and its column definitions differ from the previous ones.</summary>
    MetadataChanged = 0x0400,
    /// <summary>The query took longer than long_query_time.</summary>
    QueryWasSlow = 0x0800,

    /// <summary>The result set holds the output parameters of a CALL.</summary>
    OutParameters = 0x1000,
    /// <summary>The open transaction is read-only.</summary>
    InReadOnlyTransaction = 0x2000,

    /// <summary>The OK packet holds session state information.</summary>
    SessionStateChanged = 0x4000,

    /// <summary>MariaDB only: ANSI_QUOTES is in force.</summary>
    AnsiQuotes = 0x8000,
}
