namespace Slipstream.Core.Errors;

/// <summary>What a server's error means, in words that are the same for every database.</summary>
public enum ErrorKind
{
    Other,
    UniqueViolation,
    ForeignKeyViolation,
    NotNullViolation,
    CheckViolation,
    Deadlock,
    LockTimeout,
    SerializationFailure,
    SyntaxError,
    UndefinedObject,
    AuthenticationFailed,
    AccessDenied,
    UnknownDatabase,
    TooManyConnections,
    ReadOnly,
    Interrupted,
    ConnectionLost,
    ResourceExhausted,
}
