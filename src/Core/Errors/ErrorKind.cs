namespace Slipstream.Core.Errors;

/// <summary>The kind of a server's error, the same for every database.</summary>
public enum ErrorKind
{
    /// <summary>Any other error.</summary>
    Other,
    /// <summary>A row with the same unique key exists.</summary>
    UniqueViolation,
    /// <summary>The row refers to a row that does not exist, or other rows refer to it.</summary>
    ForeignKeyViolation,
    /// <summary>NULL is not allowed in the column.</summary>
    NotNullViolation,
    /// <summary>A CHECK constraint rejects the value.</summary>
    CheckViolation,
    /// <summary>The server chose this transaction as the victim of a deadlock.</summary>
    Deadlock,
    /// <summary>A lock could not be acquired in time.</summary>
    LockTimeout,
    /// <summary>The transaction cannot be serialized with others. Repeating it may help.</summary>
    SerializationFailure,
    /// <summary>The text is not a valid statement.</summary>
    SyntaxError,
    /// <summary>A table, column, routine or similar object does not exist.</summary>
    UndefinedObject,
    /// <summary>The user name or the password is wrong.</summary>
    AuthenticationFailed,
    /// <summary>The user does not have the permission.</summary>
    AccessDenied,
    /// <summary>The database does not exist.</summary>
    UnknownDatabase,
    /// <summary>The server accepts no more connections, or all connections of the pool are in use.</summary>
    TooManyConnections,
    /// <summary>The server or the transaction is read-only.</summary>
    ReadOnly,
    /// <summary>The server stopped the command on request.</summary>
    Interrupted,
    /// <summary>The server ended the session.</summary>
    ConnectionLost,
    /// <summary>The server has too little memory, disk space or another resource.</summary>
    ResourceExhausted,
    /// <summary>The server sent a value that is longer than Max Value Bytes allows.</summary>
    ValueTooLarge,
}
