using System.Globalization;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// What a server says when it has a prepared statement no more, or not as it is now. Its numbers alone prove nothing: a trigger that has written already
/// may SIGNAL any number. The server's own message tells that nothing has been executed.
/// </summary>
internal static class LostStatement
{
    // ER_UNKNOWN_STMT_HANDLER, ER_NEED_REPREPARE.
    private const int Unknown = 1243;
    private const int NeedsPreparing = 1615;

    private const string GeneralState = "HY000";

    // The server's own after three attempts to prepare it anew, none of which executed anything. A translation of it is not known, and no proof.
    private const string NeedsPreparingMessage = "Prepared statement needs to be re-prepared";

    /// <summary>Whether the error may mean that the statement has to be prepared again before its next execution.</summary>
    public static bool MayBe(int number) => number is Unknown or NeedsPreparing;

    /// <summary>Whether the error, as the first answer to an execution, proves that the execution has done nothing.</summary>
    /// <param name="error">The answer, as the server said it.</param>
    /// <param name="id">The number that was executed.</param>
    public static bool IsProven(ServerError error, uint id) => error.Number switch
    {
        Unknown => IsUnknown(error, id),
        NeedsPreparing => error is { SqlState: GeneralState, Message: NeedsPreparingMessage },
        _ => false,
    };

    /// <summary>Whether the server has found no statement of that number.</summary>
    /// <remarks>
    /// "Unknown prepared statement handler (7) given to mysqld_stmt_execute": so MariaDB and MySQL 5.7; MySQL since 8.0 names mysql_stmt_precheck. In
    /// each language that the servers speak, the number and the name of the server's function are the same. EXECUTE in SQL names neither.
    /// </remarks>
    public static bool IsUnknown(ServerError error, uint id) =>
        error is { Number: Unknown, SqlState: GeneralState }
        && (error.Message.Contains("mysqld_stmt_execute", StringComparison.Ordinal) || error.Message.Contains("mysql_stmt_precheck", StringComparison.Ordinal))
        && Names(error.Message, id.ToString(CultureInfo.InvariantCulture));

    // In brackets, or in quotation marks (Japanese): not as a part of another number.
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
