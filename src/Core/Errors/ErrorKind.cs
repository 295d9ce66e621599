namespace Slipstream.Core.Errors;

/// <summary>What a server's error means, in words that are the same for every database.</summary>
public enum ErrorKind
{
    /// <summary>Anything else.</summary>
    Other,
    /// <summary>A second row with the same key.</summary>
    UniqueViolation,
    /// <summary>A row that refers to none, or that others refer to.</summary>
    ForeignKeyViolation,
    /// <summary>NULL where it may not be.</summary>
    NotNullViolation,
    /// <summary>A value that a CHECK refuses.</summary>
    CheckViolation,
    /// <summary>The server chose this transaction as the victim of a deadlock.</summary>
    Deadlock,
    /// <summary>A lock was not had in time.</summary>
    LockTimeout,
    /// <summary>The transaction cannot be serialized with others: repeating it may help.</summary>
    SerializationFailure,
    /// <summary>The text is no statement.</summary>
    SyntaxError,
    /// <summary>A table, column, routine or the like does not exist.</summary>
    UndefinedObject,
    /// <summary>The user or the password is wrong.</summary>
    AuthenticationFailed,
    /// <summary>The user may not do this.</summary>
    AccessDenied,
    /// <summary>The database does not exist.</summary>
    UnknownDatabase,
    /// <summary>The server takes no more connections, or all connections of the pool are in use.</summary>
    TooManyConnections,
    /// <summary>The server or the transaction only reads.</summary>
    ReadOnly,
    /// <summary>The server stopped the command because it was asked to.</summary>
    Interrupted,
    /// <summary>The server ended the session.</summary>
    ConnectionLost,
    /// <summary>The server has too little memory, disk space or the like.</summary>
    ResourceExhausted,
    /// <summary>The server sent a value that is longer than Max Value Bytes allows.</summary>
    ValueTooLarge,
}
