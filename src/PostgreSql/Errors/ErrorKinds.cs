using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql.Errors;

/// <summary>
/// Maps a SQLSTATE to a database-independent kind, and decides whether a retry may help. Source: PostgreSQL 18, appendix A "PostgreSQL Error Codes".
/// </summary>
internal static class ErrorKinds
{
    // protocol_violation. PgBouncer closes a connection with it, whatever the reason, such as a server that it cannot reach.
    private const string ProtocolViolation = "08P01";

    /// <summary>Returns the kind of an error.</summary>
    /// <param name="sqlState">The SQLSTATE.</param>
    /// <param name="endsSession">Whether the server closes the session after the error.</param>
    public static ErrorKind Of(string sqlState, bool endsSession) => sqlState switch
    {
        "23505" => ErrorKind.UniqueViolation,
        "23503" or "23001" => ErrorKind.ForeignKeyViolation,
        "23502" => ErrorKind.NotNullViolation,
        "23514" => ErrorKind.CheckViolation,
        "40P01" => ErrorKind.Deadlock,
        "55P03" => ErrorKind.LockTimeout,
        "40001" => ErrorKind.SerializationFailure,
        "42601" => ErrorKind.SyntaxError,
        "42P01" or "42703" or "42883" or "42704" or "3F000" or "42P02" => ErrorKind.UndefinedObject,
        "28P01" or "28000" => ErrorKind.AuthenticationFailed,
        "42501" => ErrorKind.AccessDenied,
        "3D000" => ErrorKind.UnknownDatabase,
        "53300" => ErrorKind.TooManyConnections,
        "25006" => ErrorKind.ReadOnly,
        "57014" => ErrorKind.Interrupted,
        "57P01" or "57P02" or "57P03" or "57P05" or "25P03" or "25P04" => ErrorKind.ConnectionLost,
        ProtocolViolation when !endsSession => ErrorKind.Other,
        _ when sqlState.StartsWith("08", StringComparison.Ordinal) => ErrorKind.ConnectionLost,
        _ when sqlState.StartsWith("53", StringComparison.Ordinal) => ErrorKind.ResourceExhausted,
        _ => ErrorKind.Other,
    };

    /// <summary>
    /// Returns true for lost connections, a server that is full, starting or stopping, and transactions that the server rolled back because of others.
    /// </summary>
    /// <param name="sqlState">The SQLSTATE.</param>
    /// <param name="endsSession">Whether the server closes the session after the error.</param>
    /// <param name="message">The server's message.</param>
    public static bool IsTransient(string sqlState, bool endsSession, string message) =>
        sqlState == ProtocolViolation ? endsSession && !IsRefusedSetting(message)
        : sqlState is "40001" or "40P01" or "55P03" or "55006" or "55000" or "57P01" or "57P02" or "57P03" or "57P05" or "58000" or "58030"
        || sqlState.StartsWith("08", StringComparison.Ordinal) || sqlState.StartsWith("53", StringComparison.Ordinal);

    // PgBouncer refuses settings of the login that it does not know. Its messages are never translated.
    private static bool IsRefusedSetting(string message) => message.StartsWith("unsupported startup parameter", StringComparison.Ordinal);
}
