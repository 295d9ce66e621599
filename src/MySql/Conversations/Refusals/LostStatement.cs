using System.Globalization;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// Recognises the errors of a server that no longer has a prepared statement, or has it in an old form. Their numbers alone prove nothing: a trigger that has
/// already changed data may SIGNAL any number. The server's own message proves that nothing has been executed.
/// </summary>
internal static class LostStatement
{
    // ER_UNKNOWN_STMT_HANDLER, ER_NEED_REPREPARE.
    private const int Unknown = 1243;
    private const int NeedsPreparing = 1615;

    private const string GeneralState = "HY000";

    // The server's own message after three attempts to prepare the statement again, which executed nothing. Translations are unknown and not accepted as proof.
    private const string NeedsPreparingMessage = "Prepared statement needs to be re-prepared";

    /// <summary>Returns whether the error may mean that the statement must be prepared again before its next execution.</summary>
    public static bool MayBe(int number) => number is Unknown or NeedsPreparing;

    /// <summary>Returns whether the error, as the first answer to an execution, proves that the execution has done nothing.</summary>
    /// <param name="error">The server's error.</param>
    /// <param name="id">The statement ID that was executed.</param>
    public static bool IsProven(ServerError error, uint id) => error.Number switch
    {
        Unknown => IsUnknown(error, id),
        NeedsPreparing => error is { SqlState: GeneralState, Message: NeedsPreparingMessage },
        _ => false,
    };

    /// <summary>Returns whether the server did not find a statement with that ID.</summary>
    /// <remarks>
    /// "Unknown prepared statement handler (7) given to mysqld_stmt_execute" is the message of MariaDB and MySQL 5.7; MySQL 8.0 and later names
    /// mysql_stmt_precheck. The ID and the name of the server's function are the same in every language of the servers. EXECUTE in SQL has neither in its
    /// message.
    /// </remarks>
    public static bool IsUnknown(ServerError error, uint id) =>
        error is { Number: Unknown, SqlState: GeneralState }
        && (error.Message.Contains("mysqld_stmt_execute", StringComparison.Ordinal) || error.Message.Contains("mysql_stmt_precheck", StringComparison.Ordinal))
        && Names(error.Message, id.ToString(CultureInfo.InvariantCulture));

    // The number is in parentheses, or in quotation marks (Japanese), and must not be part of another number.
    private static bool Names(string message, string number)
    {
        for (var at = message.IndexOf(number, StringComparison.Ordinal); at >= 0; at = message.IndexOf(number, at + 1, StringComparison.Ordinal))
        {
            var end = at + number.Length;
            if ((at == 0 || !char.IsAsciiDigit(message[at - 1])) && (end == message.Length || !char.IsAsciiDigit(message[end])))
                return true;
        }

        return false;
    }
}
