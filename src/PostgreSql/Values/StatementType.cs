namespace Slipstream.PostgreSql;

/// <summary>The kind of a statement that the server has executed, from its command tag.</summary>
public enum StatementType
{
    /// <summary>The statement has not been executed, or its text is empty.</summary>
    Unknown = 0,

    /// <summary>SELECT, VALUES, TABLE; also CREATE TABLE AS, which has the same tag.</summary>
    Select = 1,

    /// <summary>INSERT.</summary>
    Insert = 2,

    /// <summary>DELETE.</summary>
    Delete = 3,

    /// <summary>UPDATE.</summary>
    Update = 4,

    /// <summary>CREATE TABLE AS, of servers that report it under its own name.</summary>
    CreateTableAs = 5,

    /// <summary>MOVE.</summary>
    Move = 6,

    /// <summary>FETCH.</summary>
    Fetch = 7,

    /// <summary>COPY.</summary>
    Copy = 8,

    /// <summary>Any other statement.</summary>
    Other = 9,

    /// <summary>MERGE.</summary>
    Merge = 10,

    /// <summary>CALL.</summary>
    Call = 11,
}
