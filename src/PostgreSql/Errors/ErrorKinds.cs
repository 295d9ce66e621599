using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql.Errors;

/// <summary>
/// Maps a SQLSTATE to a database-independent kind, and decides whether a retry may help. Source: PostgreSQL 18, appendix A "PostgreSQL Error Codes".
/// </summary>
internal static class ErrorKinds
{
    public static ErrorKind Of(string sqlState) => sqlState switch
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
        _ when sqlState.StartsWith("08", StringComparison.Ordinal) => ErrorKind.ConnectionLost,
        _ when sqlState.StartsWith("53", StringComparison.Ordinal) => ErrorKind.ResourceExhausted,
        _ => ErrorKind.Other,
    };

    /// <summary>
    /// Returns true for lost connections, a server that is full, starting or stopping, and transactions that the server rolled back because of others.
    /// </summary>
    public static bool IsTransient(string sqlState) =>
        sqlState is "40001" or "40P01" or "55P03" or "55006" or "55000" or "57P01" or "57P02" or "57P03" or "57P05" or "58000" or "58030"
        || sqlState.StartsWith("08", StringComparison.Ordinal) || sqlState.StartsWith("53", StringComparison.Ordinal);
}
